/* tui/tables/block.h - text on its way to a FILE, gathered in a block: a long table is millions of short pieces.
 * Life: start with {.out = FILE} -> put -> block_flush. Errors are those of the FILE, for the caller to check. One thread.
 * Of very long ones another thread writes the blocks: {.out = FILE, .behind = write_behind_new(FILE)}, which is freed after the last
 * block_flush. */
#ifndef STEPSCOPE_BLOCK_H
#define STEPSCOPE_BLOCK_H
#include "write_behind.h"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { BLOCK_BYTES = 1 << 15 };
struct block {
	FILE *out;
	struct write_behind *behind; /* NULL: written at once */
	size_t n;
	char at[BLOCK_BYTES];
};
void block_flush(struct block *b);
void block_bytes(struct block *b, const char *s, size_t n);
void block_text(struct block *b, const char *s);
void block_code_point(struct block *b, uint32_t c); /* as UTF-8 */
void block_u64(struct block *b, uint64_t v);
void block_i64(struct block *b, int64_t v);
void block_real(struct block *b, double v); /* the fewest digits that give the same number back */
/* A text of JSON with its quotes: control characters are escaped, so that a reader gets them back; bytes that are not UTF-8 become
 * U+FFFD. */
void block_json(struct block *b, const char *s);
static inline void block_char(struct block *b, char c)
{
	if (b->n == BLOCK_BYTES)
		block_flush(b);
	b->at[b->n++] = c;
}
#endif
