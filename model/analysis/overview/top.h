/* model/analysis/overview/top.h - what can be told of a trace without GPU kernels: which threads are busy, which events are long, and on
 * devices without kernels (TPU) which ops take the time. For the overviews and the report. */
#ifndef STEPSCOPE_TOP_H
#define STEPSCOPE_TOP_H
#include "model/analysis/derived/derived.h"
#include "model/table.h"

enum { TOP_ROWS = 24 };
struct top_req {
	const struct derived *d;
	int64_t a_ns, b_ns;
	bool redact; /* told to `label` */
	/* What a thread is called; the text lives in `mem`. */
	const char *(*label)(const struct derived *d, uint32_t track, bool redact, struct arena *mem);
	bool works; /* top_names: neither step markers nor events that wait for somebody, by their names */
};
bool top_has_kernels(const struct derived *d);
/* Made by something that profiles devices, so that the advice to record them makes sense. */
bool top_from_framework(const struct derived *d);

/* Host lanes by the time in which any of their events runs. */
enum { TOP_THREAD_SHARE, TOP_THREAD_BUSY, TOP_THREAD_EVENTS, TOP_THREAD_NAME, TOP_THREAD_TRACK };
struct table *top_threads(const struct top_req *r, struct arena *mem);
/* Single host events, longest first. */
enum { TOP_EVENT_DUR, TOP_EVENT_NAME, TOP_EVENT_WHERE, TOP_EVENT_START };
struct table *top_events(const struct top_req *r, struct arena *mem);
/* Device work by name and its own time, not that of ops nested inside. */
enum { TOP_OP_SHARE, TOP_OP_TOTAL, TOP_OP_COUNT, TOP_OP_NAME };
struct table *top_ops(const struct top_req *r, struct arena *mem);
/* The same of the events of host threads; `label` is not asked. */
struct table *top_names(const struct top_req *r, struct arena *mem);
#endif
