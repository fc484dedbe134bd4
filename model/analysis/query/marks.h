/* model/analysis/query/marks.h - the step markers of a process near a time. Threads: any number. */
#ifndef STEPSCOPE_MARKS_H
#define STEPSCOPE_MARKS_H
#include "model/analysis/derived/derived.h"
#include "model/analysis/maths/intervals.h"

enum { MARKS_MAX = 64 };
struct marks {
	struct interval *at; /* the caller's, with room for MARKS_MAX */
	uint32_t n;
	bool any;      /* the host has markers at all */
	bool all;      /* none that meets the time is missing from `at` */
	bool on_track; /* one of those near lies on the thread itself */
};
/* Of the thread's process those that meet [a, b), latest first. */
void marks_of(const struct derived *d, uint32_t track, int64_t a_ns, int64_t b_ns, struct marks *out);
/* Whether one of them holds ts; *until_ns becomes the earlier of itself and when that changes. */
bool marks_hold(const struct marks *m, int64_t ts_ns, int64_t *until_ns);
/* First step of the list (by host, start) that begins at ts or later on the host; at once where it is that of the question before, which *hint
 * keeps (any number at first): what lies around one another mostly asks for one. */
uint32_t marks_step_from(const struct derived *d, uint32_t host, int64_t ts_ns, uint32_t *hint);
#endif
