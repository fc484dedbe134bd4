/* importers/xspace/room.h - room for one more element in a growing array. */
#ifndef STEPSCOPE_XSPACE_ROOM_H
#define STEPSCOPE_XSPACE_ROOM_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Makes `*array` hold at least `need` elements of `size` bytes. False when memory is out: the array stays as it was. */
static inline bool room_for(void *array, size_t *room, size_t need, size_t size)
{
	if (need <= *room)
		return true;
	size_t n = *room ? *room * 2 : 64;
	while (n < need)
		n *= 2;
	void *old, *p;
	__builtin_memcpy(&old, array, sizeof old);
	if (n > SIZE_MAX / size || !(p = realloc(old, n * size)))
		return false;
	__builtin_memcpy(array, &p, sizeof p);
	*room = n;
	return true;
}
#endif
