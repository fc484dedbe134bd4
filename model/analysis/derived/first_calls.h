/* model/analysis/derived/first_calls.h - what a program does once, when it begins: found on first use and kept; any thread.
 * First call:    the first event of an op's name (of kind op) that takes a millisecond or more and at least ten times as long as
 *                half of the calls of that name, of which there must be four: loading of code, library searches, autotuning. Where at
 *                most a tenth of the calls is that slow, each of them is one: of another shape.
 * Graph capture: between a call that begins to capture a stream and the one that ends it, on one thread. */
#ifndef STEPSCOPE_FIRST_CALLS_H
#define STEPSCOPE_FIRST_CALLS_H
#include "derived.h"

/* Whether the event is such a first call; one shorter than FIRST_CALL_NS is none. */
enum { FIRST_CALL_NS = 1000000 };
bool first_call(const struct derived *d, row_id r);
/* Whether it is the first one of its name, not another slow one. */
bool first_call_of_name(const struct derived *d, row_id r);
/* Of a part of the trace, `kept` (a bit per row): further ops without which one kept there would be called a first call, or not be
 * called one, other than in the whole trace: the true first one of that name and as many others as it takes. `keep` sets their bits. */
void first_call_proofs(const struct derived *d, const uint64_t *kept, void (*keep)(void *arg, row_id r), void *arg);
/* What encloses the whole capture of a graph that the thread is in at that moment, the innermost event; the call that begins it where nothing
 * does. NONE_ID: it captures none. */
row_id graph_capture_at(const struct derived *d, uint32_t track, int64_t ts_ns);
/* Whether the thread captures any. */
bool graph_captures_on(const struct derived *d, uint32_t track);
/* The two calls around each capture that meets [a_ns, b_ns). */
void graph_capture_calls(const struct derived *d, int64_t a_ns, int64_t b_ns, void (*keep)(void *arg, row_id r),
			 void *arg);
#endif
