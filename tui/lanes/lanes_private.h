/* tui/lanes/lanes_private.h - what the files of the lanes share. */
#ifndef STEPSCOPE_LANES_PRIVATE_H
#define STEPSCOPE_LANES_PRIVATE_H
#include "lanes.h"

enum { ROOM_FOR_OPS = 8 }; /* with less there are no lanes of ops, and none of memory */

/* First track of a process; the number of tracks where it has none. */
static inline uint32_t *lanes_first_of_process(const struct lanes *l, uint32_t process)
{
	return &l->first_of_process[process == NONE_ID ? trace_processes(derived_trace(l->d)) : process];
}
#endif
