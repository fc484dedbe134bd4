/* model/analysis/compare/loose_name.h - names of two runs that mean the same thing: what a compiler, an autotuner or a counter
 * chose anew is left out. */
#ifndef STEPSCOPE_LOOSE_NAME_H
#define STEPSCOPE_LOOSE_NAME_H
#include "model/store/base/arena.h"

/* The name without template arguments, parameters and hashes, with # for every number: "sgemm_128x64_nn" and "sgemm_64x32_nn"
 * are sgemm_#x#_nn. In `mem`; NULL gives NULL. */
const char *loose_name(struct arena *mem, const char *name);
#endif
