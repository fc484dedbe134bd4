/* model/analysis/gaps/held_back.h - idle time in which work stood ready: what a call waits for, and what its device waits for, are two things. */
#ifndef STEPSCOPE_HELD_BACK_H
#define STEPSCOPE_HELD_BACK_H
#include "model/analysis/derived/derived.h"

/* The device's first work from end_ns on had been launched before the call `wait` began: the call waits for it, or for what it waits for,
 * and no work that the trace holds runs meanwhile. The stream of that work; NONE_ID: it was not. */
uint32_t held_back_stream(const struct derived *d, uint32_t device, row_id wait, int64_t end_ns);
enum { HELD_LEAST_NS = 1000 * 1000 }; /* shorter idle times are not asked */
#endif
