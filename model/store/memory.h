/* model/store/memory.h - for results that are small next to the trace: out of memory ends the program, as in arenas. */
#ifndef STEPSCOPE_MEMORY_H
#define STEPSCOPE_MEMORY_H
#include <stdlib.h>

/* What malloc, calloc or realloc gave, when they gave something. */
static inline void *must(void *p)
{
	if (!p)
		abort();
	return p;
}
#endif
