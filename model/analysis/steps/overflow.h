/* model/analysis/steps/overflow.h - the call that asks the device whether a gradient overflowed (dynamic loss scaling). */
#ifndef STEPSCOPE_OVERFLOW_H
#define STEPSCOPE_OVERFLOW_H
#include "model/analysis/derived/derived.h"

/* Whether the waiting call stands right behind an op of loss scaling on its thread that began at from_ns - 20 ms or later: the
 * item() itself has no name of its own. */
bool asks_for_overflow(const struct derived *d, row_id waits, int64_t from_ns);
#endif
