/* model/store/base/seed.h - a number that is another one in each run. Hash tables whose keys come from files mix it in, so
 * that no crafted file can make all keys collide. Nothing that is shown or saved may depend on it. */
#ifndef STEPSCOPE_SEED_H
#define STEPSCOPE_SEED_H
#include <stdint.h>

extern uint64_t table_seed; /* set before main begins */
#endif
