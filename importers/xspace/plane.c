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

/* Every event whose field is wholly in view; returns how many bytes were passed. */
static size_t events_in_view(struct xspace *x, const struct line *l, const struct lane_info *lane, struct wire w,
			     int64_t file_at)
{
	const unsigned char *from = w.p;
	struct wire_field f;
	while (w.p < w.end && wire_next(&w, &f) == WIRE_OK)
		if (f.number == 4)
			event_read(x, lane, l->timestamp_ns, f.data, (size_t)f.size, file_at + (f.data - from));
	return (size_t)(w.p - from);
}

/* The view of a line's held bytes from `at` on, at least one whole field. Held fields are whole, so its head tells. */
static struct wire view(struct xspace *x, const struct line *l, uint64_t at)
{
	uint64_t left = l->hold_n - at;
	struct wire_field f;
	size_t have, want = left < WIRE_HEAD_MAX ? (size_t)left : WIRE_HEAD_MAX;
	const unsigned char *p = hold_view(&x->plane.hold, l->hold_at + at, want, &have);
	struct wire head = {p, p ? p + have : p};
	if (!p || wire_head(&head, &f) != WIRE_OK)
		return (struct wire){0};
	want = (size_t)(head.p - p) + (size_t)f.size;
	if (want > have)
		p = hold_view(&x->plane.hold, l->hold_at + at, want, &have);
	return p && have >= want ? (struct wire){p, p + (have < left ? have : (size_t)left)} : (struct wire){0};
}

static void line_events(struct xspace *x, const struct line *l)
{
	struct lane_info lane = lane_of(x, l);
	if (l->hold_n && (x->first_line_ns == UNKNOWN_I64 || l->timestamp_ns < x->first_line_ns))
		x->first_line_ns = l->timestamp_ns;
	for (uint64_t at = 0; at < l->hold_n && !x->failed && !xspace_cancelled(x);) {
		struct wire w = view(x, l, at);
		size_t passed = w.p ? events_in_view(x, l, &lane, w, l->file_at + (int64_t)at) : 0;
		if (!passed) {
			unreadable(x, l, at);
			break;
		}
		at += passed;
	}
}

void plane_finish(struct xspace *x)
{
	struct plane *p = &x->plane;
	if (plane_is_device(strings_get(x->strings, p->name)))
		lanes_device(x);
	else
		lanes_host(x);
	plane_facts(x);
	for (size_t i = 0; i < p->n_lines && !x->failed; i++)
		line_events(x, &p->lines[i]);
}
