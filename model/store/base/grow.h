/* model/store/base/grow.h - arrays from malloc that grow row by row: an array, how many rows it has, how many fit.
 * Life:    array NULL and capacity 0 -> GROW_ARRAY before each row is written -> free.
 * Growth:  the capacity doubles, from 64 rows on, or jumps to the row that is asked for. Fresh rows are not zeroed, but by GROW_ZEROED.
 * Errors:  GROW_ARRAY ends the program when memory is out (memory.h); TRY_GROW_ARRAY says so and leaves array and capacity alone.
 * Columns of events, which must not be copied as they grow, are another matter: column.h. */
#ifndef STEPSCOPE_GROW_H
#define STEPSCOPE_GROW_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "memory.h"

enum { FIRST_CAPACITY = 64 };

/* A capacity with place for row i; `most` is what the variable that keeps it can say. SIZE_MAX where it cannot
 * say that much. */
static inline size_t grown_capacity(size_t cap, size_t i, size_t most)
{
	size_t doubled = cap > most / 2 ? most : cap ? cap * 2 : FIRST_CAPACITY;
	return i < doubled ? doubled : i < most ? i + 1 : SIZE_MAX;
}

/* Makes array[i] exist. `array` and `cap`, an unsigned variable of any width, are evaluated several times. */
#define GROW_ARRAY(array, i, cap)                   \
	do {                                        \
		if (!TRY_GROW_ARRAY(array, i, cap)) \
			memory_exhausted();         \
	} while (0)

/* The same with fresh rows zeroed, for what is kept by text. Texts are numbered in the order of their first use: those that recur have
 * small numbers, and of a trace that names each step by its number, an array with a place for every text would be cleared for nothing. */
#define GROW_ZEROED(array, i, cap)                                               \
	do {                                                                     \
		size_t before_ = (cap);                                          \
		if ((i) < before_)                                               \
			break;                                                   \
		GROW_ARRAY(array, i, cap);                                       \
		memset((array) + before_, 0, ((cap)-before_) * sizeof *(array)); \
	} while (0)

/* The same as GROW_ARRAY as a condition: false when memory is out. */
#define TRY_GROW_ARRAY(array, i, cap)                                                                          \
	__extension__({                                                                                        \
		size_t row_ = (i);                                                                             \
		bool fits_ = row_ < (cap);                                                                     \
		if (!fits_) {                                                                                  \
			size_t cap_ = grown_capacity((cap), row_, (__typeof__(cap))-1);                        \
			void *grown_ = cap_ == SIZE_MAX ? NULL : reallocarray((array), cap_, sizeof *(array)); \
			fits_ = grown_ != NULL;                                                                \
			(array) = fits_ ? grown_ : (array);                                                    \
			(cap) = fits_ ? (__typeof__(cap))cap_ : (cap);                                         \
		}                                                                                              \
		fits_;                                                                                         \
	})
#endif
