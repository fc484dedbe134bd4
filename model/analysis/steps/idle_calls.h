/* model/analysis/steps/idle_calls.h - when the threads that launch were in calls that explain an idle device, and when the other
 * devices copied. Made per thread and device when first asked, for the query's window; questions that go forward in time
 * cost next to nothing. */
#ifndef STEPSCOPE_IDLE_CALLS_H
#define STEPSCOPE_IDLE_CALLS_H
#include "model/analysis/derived/derived.h"
#include "model/query.h"

/* In order of importance where they enclose each other. */
enum call_kind { CALL_INPUT, CALL_SYNC, CALL_COPY, CALL_KINDS };

struct idle_calls;
struct idle_calls *idle_calls_new(const struct derived *d, const struct query *q);
void idle_calls_free(struct idle_calls *x);
/* Time of [a, b) that the thread spent in each kind of call; no moment counts twice. */
void idle_calls_within(struct idle_calls *x, uint32_t thread, int64_t a_ns, int64_t b_ns, int64_t ns[CALL_KINDS]);
/* Time of [a, b) in which another device of the device's host copies. */
int64_t idle_copies_elsewhere(struct idle_calls *x, uint32_t device, int64_t a_ns, int64_t b_ns);
#endif
