/* model/analysis/names/allocation_names.h - names that have to do with memory. */
#ifndef STEPSCOPE_ALLOCATION_NAMES_H
#define STEPSCOPE_ALLOCATION_NAMES_H
#include <stdbool.h>

/* Calls of the driver or runtime that give or take back memory and may stop the device for it: what caching allocators avoid. By
 * number, i = 0, 1, ...; NULL after the last. */
const char *allocation_call(unsigned i);
/* An op that only makes room for another one around it, as "aten::empty". */
bool op_only_allocates(const char *op);
#endif
