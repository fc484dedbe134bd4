/* tui/export/slice.h - which events of a trace leave with a window, so that the window gives the same answers again.
 * Kept:    what intersects the window, whole; and as context what explains it: the calls that launched its device work, all that
 *          these calls started (the order of a replayed graph tells its layers), the marks of its steps, whatever encloses these on
 *          their threads, what hosts did in all of the idle time of devices at its edges, work before it that tells that a long call
 *          loads no code, ops that tell whether a long op is a first call, calls around graph captures and, where work lacks
 *          launches, what tells its step and that launches are recorded.
 * Memory:  a bit per event. Threads: read only once it is made. */
#ifndef STEPSCOPE_EXPORT_SLICE_H
#define STEPSCOPE_EXPORT_SLICE_H
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/store/facts/slice_marks.h"

struct slice {
	const struct derived *d;
	int64_t a_ns, b_ns; /* the window, within the trace; 1 ns after its end where instants there are in it */
	bool whole;         /* nothing is left out */
	uint64_t *kept;     /* a bit per row; NULL where it is whole */
	uint64_t n, cut, context;
	row_id replay;        /* the launch whose work was kept last */
	uint32_t kinds_asked; /* those of which launched work was sought */
};
void slice_make(struct slice *s, const struct derived *d, const struct query *q);
void slice_free(struct slice *s);
enum slice_place slice_place(const struct slice *s, row_id r);
const char *slice_word(enum slice_place p); /* "begins before"; of an event inside "" */
static inline bool slice_has(const struct slice *s, row_id r)
{
	return s->whole || s->kept[r / 64] >> r % 64 & 1;
}
/* The first row at or after `r` that leaves, the number of all rows where none does. */
uint64_t slice_next(const struct slice *s, uint64_t r);
/* The samples of a counter from the one that holds at the window's begin on. */
uint64_t slice_samples(const struct slice *s, uint32_t track, const struct sample **out);
#endif
