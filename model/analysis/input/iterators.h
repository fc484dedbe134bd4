/* model/analysis/input/iterators.h - tf.data: iterators, the calls of pipelines, the iterator that makes a slow call slow.
 * Rules:   SEMANTICS.md, X9. An iterator calls another one by nesting on a thread, or hands over elements
 *          from another thread: *Produce and *Consume events with one element id tie the two.
 * Window:  calls of a pipeline's root that start inside the window and pass the filter, at their whole duration.
 * Life:    iterators_read -> plain data in `mem`. */
#ifndef STEPSCOPE_ITERATORS_H
#define STEPSCOPE_ITERATORS_H
#include "model/analysis/derived/derived.h"
#include "model/query.h"

enum { SLOW_CALL_NS = 50000 }; /* a call that takes longer makes its pipeline slow */

struct iterator {
	int64_t id, parent_id;
	bool has_parent, async;      /* async: works ahead on threads of its own */
	const char *name, *longname; /* "Prefetch", "Iterator::Root::Prefetch" */
	const char *parameters;      /* "parallelism=2, deterministic=true"; NULL = none recorded */
	row_id first;                /* its first event */
	uint32_t depth;              /* 0 = the root of a pipeline */
};
/* What one iterator did in some calls of a pipeline. */
struct iterator_time {
	uint32_t iterator; /* index */
	uint32_t calls;
	int64_t total_ns, self_ns; /* self: without the overlap with those it calls */
	bool blocking;             /* the caller at the root waited for it at some moment */
};
struct pipeline {
	uint32_t host;
	int64_t id;       /* of its root */
	bool device;      /* feeds a device's own pipeline: its latency is hidden by design */
	const char *name; /* "Host:0", "Device:1" */
	uint32_t calls, slow_calls;
	int64_t sum_ns, min_ns, max_ns;
	row_id slowest;                   /* the root call that took longest */
	uint32_t bottleneck;              /* iterator: blocking with the most self time in the slowest call; NONE_ID */
	int64_t bottleneck_self_ns;       /* in the slowest call */
	struct iterator_time *all, *slow; /* by iterator in order of discovery: all calls; the slowest call */
	uint32_t n_all, n_slow;
};
struct iterators {
	struct iterator *at;
	uint32_t n;
	struct pipeline *pipelines; /* hosts' first, the slowest first */
	uint32_t n_pipelines;
	bool cut; /* calls of absurd size were not walked to their end */
};
/* False with `e` when cancelled. A trace without tf.data gives none. */
bool iterators_read(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
		    struct iterators *out, struct err *e);
/* The slowest pipeline of a host that was called, NULL = none. */
const struct pipeline *iterators_slowest(const struct iterators *v);
/* What to do about a bottleneck. xprof: by the reference tool's own list of names. */
const char *iterator_advice(const char *name, bool xprof);
#endif
