/* model/analysis/derived/rows.h - what loops over events ask of each; the small answers are inline.
 * Threads: as derived.h; nothing here keeps a state that is seen outside. */
#ifndef STEPSCOPE_ROWS_H
#define STEPSCOPE_ROWS_H
#include "derived.h"
#include "model/store/base/first_from.h"
#include <string.h>

/* A host track whose events count: no counters, no lanes that the recording tool computed itself. */
static inline bool derived_is_host_track(const struct track_info *k)
{
	return k->device == NONE_ID && k->kind != TRACK_COUNTER && !k->derived_by_producer;
}
/* A thread that holds a core while it works. TensorFlow's lanes tf_Compute/N are none: they tell which ops its executor ran. Their
 * events count as any host event; the lanes are not counted. */
bool derived_is_thread(const struct trace *t, const struct track_info *k);
/* When the event ends, in ns. */
static inline int64_t row_end(const struct columns *c, row_id r)
{
	return c->start_ns[r] + c->dur_ns[r];
}
/* Work of a device: a kernel, copy, memset, ... */
static inline bool row_is_work(const struct columns *c, row_id r)
{
	return KINDS_WORK >> c->kind[r] & 1;
}
/* First row of [r, end) of that kind, or `end`: for who wants few of many rows. */
static inline row_id row_of_kind(const struct columns *c, enum event_kind kind, row_id r, row_id end)
{
	const uint8_t *found = r < end ? memchr(c->kind + r, kind, end - r) : NULL;
	return found ? (row_id)(found - c->kind) : end;
}
/* First row of the track that starts at ts_ns or later, or the row after its last. */
static inline row_id first_row_from(const struct columns *c, const struct track_info *k, int64_t ts_ns)
{
	return (row_id)first_from(c->start_ns, 1, k->first, k->first + k->n, ts_ns);
}

/* Facts of kernels lie anywhere, on one cache line or two: walks ask for those of rows to come. */
enum { FACTS_AHEAD = 16 };
static inline void facts_ahead(const struct derived *d, row_id r)
{
	if (r + FACTS_AHEAD >= derived_columns(d)->n)
		return;
	const struct kernel_info *k = trace_kernel(derived_trace(d), r + FACTS_AHEAD);
	__builtin_prefetch(k);
	__builtin_prefetch(k ? &k->hlo : NULL);
}
/* The same for walks that want op and op_type only. */
static inline void op_facts_ahead(const struct derived *d, row_id r)
{
	bool more = r + FACTS_AHEAD < derived_columns(d)->n;
	const struct kernel_info *k = more ? trace_kernel_with_op(derived_trace(d), r + FACTS_AHEAD) : NULL;
	__builtin_prefetch(k ? &k->op : NULL);
}

/* The same for walks that want texts of kernels only. */
static inline void text_facts_ahead(const struct derived *d, row_id r)
{
	if (trace_kernels_may_tell_texts(derived_trace(d)))
		facts_ahead(d, r);
}

/* The event that marks its step. */
static inline bool row_is_marker(const struct derived *d, row_id r)
{
	uint32_t s = derived_step_of(d, r);
	return s != NONE_ID && derived_step(d, s)->marker == r;
}
/* Streams of a device that carry work; *n of them. */
const uint32_t *device_streams(const struct derived *d, uint32_t device, uint32_t *n);
/* Host tracks of a process; *n of them. */
const uint32_t *process_tracks(const struct derived *d, uint32_t process, uint32_t *n);

/* Whether events of these kinds, none of them device work, have a name that fits: where none does, nobody need look through them.
 * `fits` asks for no digits at a name's end: of names that differ by the number there one may stand for all. */
bool name_fits_any(const struct derived *d, uint32_t kinds, bool (*fits)(const char *name));

/* The event around it on its track, NONE_ID = none: on threads the one that began last of those that enclose it, on whatever lane it
 * is drawn, and of events of one length calls lie within the others; elsewhere what trace_parent says. An array is read once so much
 * has been asked that one pays. */
row_id parent_sought(const struct derived *d, row_id r); /* where a look does not tell */
static inline row_id parent_of(const struct derived *d, row_id r)
{
	const uint16_t *up = atomic_load_explicit(&derived_public(d)->up, memory_order_acquire);
	if (!up || up[r] == PARENT_FAR)
		return parent_sought(d, r);
	return up[r] ? r - up[r] : NONE_ID;
}
/* Leaves out of a walk over the track's events in [a, b), or in a part of it, those around all of [a, b): all of them where they are many
 * and only nest, else none. */
void leave_out_around(const struct derived *d, uint32_t track, int64_t a_ns, int64_t b_ns, struct event_iter *it);
/* derived_op as a text's number. */
str_id op_of_event(const struct derived *d, row_id r);
/* What the work is: one enum stream_role bit; 0 = none of them. */
uint32_t work_role(const struct derived *d, row_id r);
struct innermost;
/* Every event of the track that meets [a, b), markers included, event by event: self_sweep_begin, then self_sweep_next until it says NONE_ID; each
 * is opened by the caller, cut to [a, b), unless self_sweep_leaves_out it. What is around a is opened by self_sweep_begin, with the callbacks of `m`. */
struct self_sweep {
	const struct derived *d;
	int64_t a_ns, b_ns;
	bool nested;          /* events of the track only nest: read as rows, */
	row_id next, end;     /* these; */
	struct event_iter it; /* else by this */
};
/* innermost_alone: of more than a few hundred events around all of [a, b) only the innermost is needed, where the track's events only
 * nest: the others have no time of their own there. */
struct self_sweep self_sweep_begin(const struct derived *d, uint32_t track, int64_t a_ns, int64_t b_ns,
				   struct innermost *m, bool innermost_alone);
row_id self_sweep_next(struct self_sweep *s);
/* Spans that describe the recording enclose everything and say nothing about the program. */
static inline bool self_sweep_leaves_out(const struct columns *c, row_id r)
{
	return c->kind[r] == KIND_PROFILE;
}
/* The single event of the track with the most self time inside [a, b), step markers aside; NONE_ID = none, *self_ns 0. */
row_id self_time_largest(const struct derived *d, uint32_t track, int64_t a_ns, int64_t b_ns, int64_t *self_ns);
#endif
