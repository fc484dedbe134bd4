/* The whole message: planes one after another, then what the recorder has to say. */
#include "plane_stretches.h"
#include "xspace.h"
#include "importers/file_names.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Field numbers above MAX_TOP_FIELD are taken for damage, not for news. */
enum { MESSAGE_FACTS = 32, HEAD_BYTES = 64 << 10, MAX_TOP_FIELD = 15 };

/* ---- bad luck ----------------------------------------------------------------------------------------------------- */
bool xspace_cancelled(struct xspace *x)
{
	if (!x->failed && progress_cancelled(x->progress)) {
		x->failed = x->ended = true;
		err_set(x->err, source_name(x->src), -1, "cancelled");
	}
	return x->failed;
}

/* A conversion to text breaks every message: its first sign is the reason to refuse the file. */
static bool refuse_mangled(struct xspace *x)
{
	if (x->mangled_at < 0)
		return false;
	x->failed = x->ended = true;
	err_set(x->err, source_name(x->src), x->mangled_at,
		"a text conversion has replaced the bytes above 127 by U+FFFD (EF BF BD), which cannot be undone; "
		"copy the original file in binary mode");
	return true;
}

void xspace_damaged(struct xspace *x, int64_t at)
{
	if (!x->ended && !refuse_mangled(x))
		notes_add(x->notes, NOTE_DAMAGED_REGION, at, 1);
}

/* Cut, or packed badly, or the disk failed. */
void xspace_cut(struct xspace *x)
{
	size_t rest;
	if (x->ended || refuse_mangled(x))
		return;
	source_need(x->src, 1, &rest);
	source_skip(x->src, rest);
	x->ended = true;
	if (source_io_error(x->src, x->err))
		x->failed = true;
	else
		notes_add(x->notes, source_damage(x->src) ? NOTE_STREAM_DAMAGED : NOTE_TRUNCATED, source_at(x->src), 1);
}

/* ---- hosts and messages ------------------------------------------------------------------------------------------- */
static void host_name(struct xspace *x, struct span text)
{
	if (!text.n || x->host_named)
		return;
	ingest_host_info(x->in, x->host)->name = strings_add(x->strings, text.p, text.n);
	x->host_named = true;
}

/* What the recorder said: errors and warnings, among them the notice that it dropped events. */
static void message(struct xspace *x, bool is_error, struct span text, int64_t at)
{
	char key[48], value[512];
	bool drop = span_starts(text, "Detected GPU events dropped on");
	notes_add(x->notes,
		  drop       ? NOTE_PRODUCER_DROPPED
		  : is_error ? NOTE_PRODUCER_ERROR
			     : NOTE_PRODUCER_WARNING,
		  at, 1);
	if (x->n_messages++ >= MESSAGE_FACTS)
		return;
	snprintf(key, sizeof key, "producer_%s_%" PRIu64, is_error ? "error" : "warning", x->n_messages);
	snprintf(value, sizeof value, "%.*s", (int)(text.n < 500 ? text.n : 500), text.p);
	ingest_fact(x->in, key, value);
}

/* ---- the top level ------------------------------------------------------------------------------------------------ */
static bool plain_text(const unsigned char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i] < 0x20 && p[i] != '\n' && p[i] != '\t' && p[i] != '\r')
			return false;
	return true;
}

/* errors (2), warnings (3), host names (4), and what later formats may add. False when this is no such field. */
static bool read_small(struct xspace *x, const struct wire_field *f, size_t head)
{
	size_t have, want = head + (size_t)f->size;
	int64_t at = source_at(x->src);
	const unsigned char *p = source_need(x->src, want, &have);
	if (have < want) {
		xspace_cut(x);
		return true;
	}
	struct span text = {(const char *)p + head, (size_t)f->size};
	if (f->number <= 4 && (f->type != WIRE_BYTES || !plain_text(p + head, text.n)))
		return false;
	if (f->number > 4)
		notes_add(x->notes, NOTE_WIRE_UNKNOWN, at, 1);
	else if (f->number == 4)
		host_name(x, text);
	else
		message(x, f->number == 2, text, at);
	source_skip(x->src, want);
	return true;
}

/* Planes may be many and small: what the last one took is used again. */
static void plane_reset(struct xspace *x)
{
	struct plane *p = &x->plane;
	meta_clear(&p->meta);
	hold_clear(&p->hold);
	if (source_file(x->src) >= 0)
		hold_borrow(&p->hold, source_file(x->src));
	p->id = 0;
	p->name = 0;
	p->n_lines = p->n_parts = p->n_stretches = p->n_stats = 0;
}

static void read_plane(struct xspace *x, uint64_t size)
{
	int64_t at = source_at(x->src), end;
	if (size > INT64_MAX || __builtin_add_overflow(at, (int64_t)size, &end))
		end = INT64_MAX;
	plane_reset(x);
	plane_read(x, end);
	if (x->failed)
		return;
	const struct plane *pl = &x->plane;
	/* a plane of which nothing could be read is none, unless it is empty by its own word */
	x->n_planes += !size || pl->name || pl->n_lines || pl->n_stats || pl->meta.n_events || pl->meta.n_stats;
	plane_finish(x);
}

/* Bytes that are no top-level field: looks for the next plane. What lies between is lost, and said to be. */
static void resync(struct xspace *x)
{
	xspace_damaged(x, source_at(x->src));
	while (!x->ended && !xspace_cancelled(x)) {
		size_t have, i = 0;
		const unsigned char *p = source_need(x->src, HEAD_BYTES, &have);
		const unsigned char *found = have > 1 ? memchr(p + 1, 0x0a, have - 1) : NULL;
		while (found && !xspace_plane_head(found, have - (size_t)(found - p))) {
			i = (size_t)(found + 1 - p);
			found = i < have ? memchr(found + 1, 0x0a, have - i) : NULL;
		}
		/* the last bytes stay at hand: the head of a plane may have begun in them */
		source_skip(x->src, found ? (size_t)(found - p) : have < HEAD_BYTES ? have : have - 300);
		if (found)
			return;
		x->ended = source_ended(x->src);
	}
}

/* One field; what is neither a plane nor a text nor a small unknown field starts a search for the next plane. */
static void top_field(struct xspace *x)
{
	struct wire_field f;
	size_t have;
	const unsigned char *p = source_need(x->src, WIRE_HEAD_MAX, &have);
	struct wire w = {p, p + have};
	enum wire_result r = wire_head(&w, &f);
	size_t head = (size_t)(w.p - p);
	if (r == WIRE_SHORT) {
		xspace_cut(x);
	} else if (r == WIRE_OK && f.number == 1 && f.type == WIRE_BYTES) {
		source_skip(x->src, head);
		read_plane(x, f.size);
	} else if (r == WIRE_BAD || f.number > MAX_TOP_FIELD || f.size > MAX_TEXT_BYTES || !read_small(x, &f, head)) {
		resync(x);
	}
}

/* ---- the importer ------------------------------------------------------------------------------------------------- */
static bool set_up(struct xspace *x, struct source *src, struct ingest *in, struct progress *p, struct err *e)
{
	char host[256];
	*x = (struct xspace){.src = src, .in = in, .progress = p, .err = e, .main_process = NONE_ID};
	x->plane_process = NONE_ID;
	x->plane_pid = x->start_time_ns = x->stop_time_ns = x->first_line_ns = UNKNOWN_I64;
	x->strings = ingest_strings(in);
	x->notes = ingest_notes(in);
	x->attrs = ingest_attrs(in);
	x->long_name = strings_addz(x->strings, "long_name");
	x->details = calloc(DETAIL_CACHE + DETAIL_WAYS, sizeof *x->details);
	x->shapes = calloc(SHAPE_CACHE, sizeof *x->shapes); /* touched as far as it is used */
	x->hosts = calloc(HOST_CACHE, sizeof *x->hosts);
	x->ops = calloc(OP_CACHE, sizeof *x->ops);
	x->kernels = calloc(KERNEL_CACHE, sizeof *x->kernels);
	x->hlo_slots = calloc(HLO_CACHE, sizeof *x->hlo_slots);
	x->first_hlo = ingest_hlos(in);
	x->stretch_bytes = source_window(src);
	x->stretches = plane_stretches_new(x, source_threads(src));
	if (!x->stretches || !x->details || !x->shapes || !x->hosts || !x->ops || !x->kernels || !x->hlo_slots)
		return err_memory(e, source_name(src));
	host_in_name(source_name(src), host, sizeof host); /* files are named after their hosts */
	x->host = ingest_host(in, *host ? host : "localhost", -1);
	return true;
}

static void tear_down(struct xspace *x)
{
	plane_stretches_free(x->stretches);
	meta_free(&x->plane.meta);
	hold_free(&x->plane.hold);
	free(x->plane.lines);
	free(x->plane.parts);
	free(x->plane.stretches);
	free(x->plane.stats);
	free(x->devices);
	free(x->stats);
	free(x->details);
	free(x->shapes);
	free(x->hosts);
	free(x->ops);
	free(x->kernels);
	free(x->hlo_slots);
	hlo_free(&x->hlo);
}

/* Capture counts from the start of the profile; other writers leave the wall clock in the lines. */
static void tell_epoch(struct xspace *x)
{
	/* The same number of ns is a wall clock from 2001 on; a profile that lasted 31 years is not expected. */
	static const int64_t year_2001 = INT64_C(1000000000000000000);
	bool wall_clock = x->first_line_ns != UNKNOWN_I64 && x->first_line_ns >= year_2001;
	if (wall_clock)
		ingest_epoch(x->in, 0);
	else if (x->start_time_ns != UNKNOWN_I64)
		ingest_epoch(x->in, x->start_time_ns);
}

static void tell_totals(struct xspace *x)
{
	char text[160];
	ingest_fact(x->in, "producer", "TensorFlow / XLA profiler");
	if (x->hlo.n_programs) {
		int n = snprintf(text, sizeof text, "%zu (%zu instructions, %" PRIu64 " bytes)", x->hlo.n_programs,
				 x->hlo.n_instructions, x->hlo.bytes);
		if (x->hlo.left_out)
			snprintf(text + n, sizeof text - (size_t)n, ", %" PRIu64 " instructions not read",
				 x->hlo.left_out);
		ingest_fact(x->in, "hlo_modules", text);
	}
	tell_epoch(x);
}

static bool xspace_load(struct source *src, struct ingest *in, struct progress *p, struct err *e)
{
	struct xspace x;
	if (!set_up(&x, src, in, p, e)) {
		tear_down(&x);
		return false;
	}
	size_t n;
	const unsigned char *head = source_need(src, HEAD_BYTES, &n);
	x.mangled_at = xspace_mangled(head, n);
	while (!x.ended && !source_ended(src) && !xspace_cancelled(&x))
		top_field(&x);
	if (!x.failed && !x.n_planes) {
		x.failed = true;
		if (!source_io_error(src, e))
			err_set(e, source_name(src), 0, "no plane of an XSpace could be read");
	}
	if (!x.failed) {
		hlo_resolve(&x, x.first_hlo);
		tell_totals(&x);
	}
	tear_down(&x);
	return !x.failed;
}

static const char *const endings[] = {".xplane.pb", ".pb", NULL};
const struct importer importer_xspace = {.name = "xspace",
					 .what = "an XSpace file (.xplane.pb)",
					 .endings = endings,
					 .run_ending = ".xplane.pb",
					 .sniff = xspace_sniff,
					 .traits = SOURCE_PROFILER | SOURCE_OP_PATHS | SOURCE_EDGES,
					 .producer = "a program with the TensorFlow or JAX profiler (XSpace)",
					 .load = xspace_load};
