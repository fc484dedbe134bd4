/* model/store/base/row_index.h - finds rows of an array by the bytes that each row begins with: the caller keeps the rows, in any
 *          array (malloc, column), this the hash of each key beside its row. Up to 2^32 - 1 rows.
 * Life:    zero-initialise -> row_index_find, row_index_add ... -> row_index_free. Rows are never taken out.
 * Why so:  a slot holds hash and row, so that a look-up touches one row and growing touches none: with a hundred thousand
 *          distinct kernels that is half the time. For keys that fit in 64 bits there is idmap.h.
 * Hashes:  differ between runs (seed.h): no file can be made whose keys all collide. */
#ifndef STEPSCOPE_ROW_INDEX_H
#define STEPSCOPE_ROW_INDEX_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ROW_INDEX_ABSENT = UINT32_MAX };
struct row_index {
	uint64_t *slots; /* hash of the key << 32 | row; 0 = free */
	uint32_t mask, used;
};

uint32_t row_index_hash(const void *key, size_t key_bytes);
/* The row of `rows`, row_bytes each, that begins with the key; `hash` is the key's. ROW_INDEX_ABSENT when there is none. */
uint32_t row_index_find(const struct row_index *x, const void *rows, size_t row_bytes, const void *key,
			size_t key_bytes, uint32_t hash);
/* Enters a row that row_index_find did not find. False when memory is out; the index stays as it was. */
bool row_index_add(struct row_index *x, uint32_t hash, uint32_t row);
void row_index_free(struct row_index *x);

/* Where rows lie all over memory, ask for what a look-up will need some look-ups before: the slot, and, when that may have come,
 * the row. */
void row_index_ahead(const struct row_index *x, uint32_t hash);
void row_index_ahead_row(const struct row_index *x, const void *rows, size_t row_bytes, uint32_t hash);
#endif
