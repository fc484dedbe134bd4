/* model/analysis/steps/idle.h - what a device waited for while it did nothing, exact to the ns.
 * An idle time is what lies between two busy times of a device (no kernel, copy or memset on any stream). It ends with the
 * work N that starts first; L is the call that launched N, B and E its begin and end. What lies before B is the host's part,
 * the rest is the device's:
 *   before B   the host had not launched N. Of its launching thread's time, in this order:
 *                input wait   in an event that waits for input (rules/causes.rules)
 *                sync wait    in a call that waits for the device
 *                copy wait    in a call that copies memory
 *                host-bound   everything else
 *   from B on  launch latency until IDLE_LATENCY_NS after E; then N was held back:
 *                copy wait    while another device of the host copies
 *                sync wait    everything else: an event, another stream or another device
 * N without a recorded launch, or a live capture that lost records there: unknown. No N any more: the thread that launches most work of the device has not begun
 * another launch; unknown when there is no such thread.
 * Life: idles_new -> idle_between any number of times -> idles_free. One thread. Cost: of the idle times asked about, and
 * once of the events inside the query's window on the threads that launch. */
#ifndef STEPSCOPE_IDLE_H
#define STEPSCOPE_IDLE_H
#include "model/analysis/derived/derived.h"
#include "model/query.h"

enum { IDLE_LATENCY_NS = 20000 };

/* clang-format off */
/*    id,      name,             label,             formula */
#define IDLE_PARTS(_) \
	_(HOST,    "host_bound",     "host-bound",      "the launch call of the next work had not begun, and its thread did none of input wait, sync wait, copy wait") \
	_(LATENCY, "launch_latency", "launch latency",  "from the begin of the next work's launch call until 20 us after the call's end, or until the work starts") \
	_(SYNC,    "sync_wait",      "sync wait",       "launched more than 20 us ago: held back by an event, another stream or another device; or not launched because the launching thread was in a call that waits for the device") \
	_(INPUT,   "input_wait",     "input wait",      "not launched: the launching thread waited for input") \
	_(COPY,    "copy_wait",      "copy wait",       "not launched because the launching thread was in a call that copies memory; or launched more than 20 us ago while another device of the host copied") \
	_(UNKNOWN, "unknown",        "unknown",         "the launch of the next work is not recorded, or records were lost")
/* clang-format on */
enum idle_part {
#define IDLE_ENUM(id, name, label, formula) IDLE_##id,
	IDLE_PARTS(IDLE_ENUM)
#undef IDLE_ENUM
		IDLE_COUNT
};
struct idle_split {
	int64_t ns[IDLE_COUNT], idle_ns; /* the parts add up to idle_ns */
	int64_t longest_ns;
	uint32_t n;         /* idle times */
	row_id longest_row; /* the work that ends the longest one, NONE_ID = nothing does */
};
struct idles;
struct idles *idles_new(const struct derived *d, const struct query *q);
void idles_free(struct idles *x);
/* The device's idle time in [a, b), cut to the query's window. With a filter only the idle times that end with work that
 * matches count. */
void idle_between(struct idles *x, uint32_t device, int64_t a_ns, int64_t b_ns, struct idle_split *out);
/* From the first device work of the whole trace to the end of the last; false when there is none. */
bool idle_extent(const struct derived *d, uint32_t device, int64_t *a_ns, int64_t *b_ns);
#endif
