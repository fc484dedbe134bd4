/* The end of a plane: names are known, so its facts can be told and its events decoded. */
#include "xspace.h"
#include <inttypes.h>
#include <stdio.h>

static bool named(struct xspace *x, const char *z)
{
	return span_is(strings_get(x->strings, x->plane.name), z);
}

static void fact_number(struct xspace *x, const char *key, int64_t v)
{
	char text[32];
	snprintf(text, sizeof text, "%" PRId64, v);
	ingest_fact(x->in, key, text);
}

/* ---- planes that hold facts --------------------------------------------------------------------------------------- */
static void task_environment(struct xspace *x)
{
	int64_t v;
	if (gathered_int(&x->facts, ROLE_START_TIME, &v)) {
		x->start_time_ns = v;
		fact_number(x, "profile_start_time_ns", v);
	}
	if (gathered_int(&x->facts, ROLE_STOP_TIME, &v)) {
		x->stop_time_ns = v;
		fact_number(x, "profile_stop_time_ns", v);
	}
}

static void plane_facts(struct xspace *x)
{
	str_id dropped = gathered_text(&x->facts, ROLE_DROPPED, x->strings);
	if (named(x, "Task Environment"))
		task_environment(x);
	else if (named(x, "/host:__ScopeRangeCallStack__")) /* each stat is one scope and its parent */
		fact_number(x, "scope_ranges", (int64_t)x->plane.n_stats);
	if (dropped) {
		notes_add(x->notes, NOTE_PRODUCER_DROPPED, -1, 1);
		ingest_fact(x->in, "dropped_traces", strings_z(x->strings, dropped));
	}
}

/* ---- events ------------------------------------------------------------------------------------------------------- */
/* When the file has changed since its lines were passed over, the rest of this line is lost. */
static void unreadable(struct xspace *x, const struct line *l, uint64_t at)
{
	int64_t here = l->file_at + (int64_t)at;
	if (x->plane.hold.borrowed && source_changed(x->src)) {
		bool cut = source_bytes_now(x->src) < l->file_at + (int64_t)l->hold_n;
		notes_add(x->notes, cut ? NOTE_TRUNCATED : NOTE_DAMAGED_REGION, here, 1);
		return;
	}
	x->failed = x->ended = true;
	err_set(x->err, source_name(x->src), here,
		"the events of a plane could not be read again: the disk has failed");
}

/* Until here everything is in the trace: what makes it may be touched. */
static void pieces_settle(struct xspace *x)
{
	handover_wait(x->pieces, handover_sent(x->pieces));
}

/* The bytes of a line from `at` on, *n of them: at least one whole field, and no more than a piece has place for but for that. Held
 * fields are whole, so its head tells. NULL when they cannot be read. */
static const unsigned char *view(struct xspace *x, const struct line *l, uint64_t at, size_t *n)
{
	uint64_t left = l->hold_n - at;
	struct wire_field f;
	size_t have, want = left < WIRE_HEAD_MAX ? (size_t)left : WIRE_HEAD_MAX;
	const unsigned char *p = hold_view(&x->plane.hold, l->hold_at + at, want, &have);
	struct wire head = {p, p ? p + have : p};
	if (!p || wire_head(&head, &f) != WIRE_OK)
		return NULL;
	want = (size_t)(head.p - p) + (size_t)f.size;
	if (want > have)
		p = hold_view(&x->plane.hold, l->hold_at + at, want, &have);
	size_t most = want > PIECE_BYTES ? want : PIECE_BYTES;
	*n = most < left ? most : (size_t)left;
	*n = have < *n ? have : *n;
	return have >= want ? p : NULL;
}

void piece_take(void *ctx, void *batch)
{
	struct xspace *x = ctx;
	const struct piece *p = batch;
	if (p->begins)
		x->lane = lane_of(x, p->line);
	events_take(x, &x->lane, p);
}

/* The events of a line from `at` on, as many as a piece has place for. Returns how many bytes were passed, 0 when they cannot be read. */
static size_t send_piece(struct xspace *x, const struct line *l, uint64_t at)
{
	size_t n = 0;
	const unsigned char *p = l->hold_n ? view(x, l, at, &n) : (const unsigned char *)"";
	struct piece *piece = handover_current(x->pieces);
	if (!piece_fill(piece, l->file_at + (int64_t)at, p, p ? n : 0))
		xspace_out_of_memory(x);
	if (x->failed)
		return 0;
	piece->line = l;
	piece->begins = at == 0;
	size_t passed = piece_decode(piece, l->counter ? NULL : &x->plane.meta);
	handover_send(x->pieces);
	return passed;
}

/* A line without events is sent, too: its track is told then. */
static void line_events(struct xspace *x, const struct line *l)
{
	if (l->hold_n && (x->first_line_ns == UNKNOWN_I64 || l->timestamp_ns < x->first_line_ns))
		x->first_line_ns = l->timestamp_ns;
	uint64_t at = 0;
	do {
		size_t passed = send_piece(x, l, at);
		at += passed;
		if (!passed && l->hold_n && !x->failed) {
			pieces_settle(x);
			unreadable(x, l, at);
			break;
		}
	} while (at < l->hold_n && !x->failed && !xspace_cancelled(x));
}

void plane_finish(struct xspace *x)
{
	struct plane *p = &x->plane;
	bool device = plane_is_device(strings_get(x->strings, p->name));
	if (device)
		lanes_device(x);
	else
		lanes_host(x);
	plane_facts(x);
	for (size_t i = 0; i < p->n_lines; i++)
		p->lines[i].counter = device && line_is_counter(strings_get(x->strings, p->lines[i].name));
	for (size_t i = 0; i < p->n_lines && !x->failed; i++)
		line_events(x, &p->lines[i]);
	pieces_settle(x);
}
