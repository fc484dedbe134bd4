/* model/store/base/both.h - two independent jobs, side by side when a second thread may be used, else one after the other. */
#ifndef STEPSCOPE_BOTH_H
#define STEPSCOPE_BOTH_H
#include <stdbool.h>

/* True when both jobs returned true. The caller's thread does `a`. Jobs must not touch each other's data. */
bool both(unsigned threads, bool (*a)(void *ctx), bool (*b)(void *ctx), void *ctx);
#endif
