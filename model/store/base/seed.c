#include "seed.h"
#include <sys/random.h>

uint64_t table_seed;

/* Without random numbers it stays 0: tables still work, but a crafted file could make them slow. */
__attribute__((constructor)) static void draw(void)
{
	uint64_t drawn;
	if (getrandom(&drawn, sizeof drawn, GRND_NONBLOCK) == (ssize_t)sizeof drawn)
		table_seed = drawn;
}
