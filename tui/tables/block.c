#include "block.h"
#include "model/store/base/digits.h"
#include "tui/text/utf8.h"
#include <string.h>

static void write_bytes(struct block *b, const char *s, size_t n)
{
	if (b->behind)
		write_behind_put(b->behind, s, n);
	else
		fwrite(s, 1, n, b->out);
}

void block_flush(struct block *b)
{
	write_bytes(b, b->at, b->n);
	b->n = 0;
}

/* n bytes to write into, at most BLOCK_BYTES; then b->n grows by those written. */
static char *block_room(struct block *b, size_t n)
{
	if (n > BLOCK_BYTES - b->n)
		block_flush(b);
	return b->at + b->n;
}

void block_bytes(struct block *b, const char *s, size_t n)
{
	if (n <= BLOCK_BYTES) {
		memcpy(block_room(b, n), s, n);
		b->n += n;
	} else {
		block_flush(b);
		write_bytes(b, s, n);
	}
}

void block_text(struct block *b, const char *s)
{
	block_bytes(b, s, strlen(s));
}

void block_code_point(struct block *b, uint32_t c)
{
	char bytes[5];
	block_bytes(b, bytes, utf8_encode(c, bytes));
}

static void wrote(struct block *b, const char *end)
{
	b->n = (size_t)(end - b->at);
}

void block_u64(struct block *b, uint64_t v)
{
	wrote(b, digits_u64(block_room(b, DIGITS_BUF), v));
}

void block_i64(struct block *b, int64_t v)
{
	wrote(b, digits_i64(block_room(b, DIGITS_BUF), v));
}

void block_real(struct block *b, double v)
{
	wrote(b, digits_real(block_room(b, DIGITS_BUF), v));
}
