/* model/analysis/memory/block.h - whom a block of memory is for: by what its allocator says, else by the events around it. */
#ifndef STEPSCOPE_BLOCK_H
#define STEPSCOPE_BLOCK_H
#include "replay.h"

/* The op that the event belongs to: as recorded, else the innermost op around it that does more than allocate, else the innermost one,
 * else what encloses it; "" = nothing does. */
const char *block_op(const struct derived *d, const struct replay *x, uint32_t place);
/* Name of the element type ("float"), NULL = not recorded. */
const char *block_type(const struct replay *x, uint32_t place);
/* "4 MiB": blocks of at least half of that, and less; sizes in powers of two. */
enum { SIZE_CLASSES = 64 };
unsigned size_class(int64_t bytes);
const char *size_class_words(unsigned class, struct arena *mem);
#endif
