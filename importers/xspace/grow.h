/* importers/xspace/grow.h - one way to make place for one more element in a growing array. */
#ifndef STEPSCOPE_GROW_H
#define STEPSCOPE_GROW_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include "model/store/base/memory.h"

/* Makes `*array` hold at least `need` elements of `size` bytes. False when no memory could be that large: the array stays as it
 * was. Out of memory ends the program: what could not be stored would look like damage of the file. */
static inline bool grow(void *array, size_t *cap, size_t need, size_t size)
{
	if (need <= *cap)
		return true;
	size_t n = *cap ? *cap * 2 : 64;
	while (n < need)
		n *= 2;
	if (n > SIZE_MAX / size)
		return false;
	void *old, *p;
	__builtin_memcpy(&old, array, sizeof old);
	p = must(realloc(old, n * size));
	__builtin_memcpy(array, &p, sizeof p);
	*cap = n;
	return true;
}
#endif
