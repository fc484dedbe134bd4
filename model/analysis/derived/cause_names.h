/* model/analysis/derived/cause_names.h - what names of the trace tell about idle time: each asked once, when first met. */
#ifndef STEPSCOPE_CAUSE_NAMES_H
#define STEPSCOPE_CAUSE_NAMES_H
#include "derived.h"
#include "model/analysis/rules/cause_rules.h"

struct name_cause cause_of_name(const struct derived *d, str_id name);
bool cause_input_thread(const struct derived *d, uint32_t track); /* its name says so */
bool cause_calling_thread(const struct derived *d,
			  uint32_t track); /* it calls the runtime at some time: it launches work */
/* Events that are the profiler's own cost, of all threads of a host, in order of their start. */
const row_id *cause_overheads(const struct derived *d, uint32_t *n);
uint32_t cause_overheads_from(const struct derived *d,
			      int64_t ts_ns); /* those before this one of the list end by then */
/* Whether such an event really is the profiler's own: no rule gives its name another cause. */
bool cause_overhead(const struct derived *d, row_id r);
/* Whether the waiting call stands right after an op of loss scaling on its thread that began 20 ms before from_ns, or before
 * the call, or later: the item() itself has no name of its own. */
bool asks_for_overflow(const struct derived *d, row_id waits, int64_t from_ns);
#endif
