#include "side_packed.h"
#include "model/store/files/codec.h"
#include <stdlib.h>
#include <string.h>

enum { BLOCK_ROWS = 64 * 1024 }; /* as many as the codec packs at once: a column of a block is one of its chunks */

static bool add_block(struct side_packed *p, const struct column *bytes)
{
	p->blocks.size = sizeof(struct side_block);
	struct side_block *b = column_push(&p->blocks);
	if (!b)
		return false;
	*b = (struct side_block){malloc(bytes->n), bytes->n, p->tail.n};
	if (!b->bytes) {
		p->blocks.n--;
		return false;
	}
	memcpy(b->bytes, bytes->p, bytes->n);
	p->tail.n = 0;
	return true;
}

static bool pack_tail(struct side_packed *p, const struct side_table_info *x)
{
	size_t rows = p->tail.n;
	/* columns, whose memory goes back when they are freed: that of the heap would stay */
	p->flat.size = sizeof(int64_t);
	p->bytes.size = 1;
	p->bytes.n = 0;
	bool ok = column_grow(&p->flat, rows * x->n_columns);
	for (uint32_t k = 0; ok && k < x->n_columns; k++)
		side_column_get(x, &x->columns[k], p->tail.p, rows, (int64_t *)p->flat.p + k * rows);
	return ok && codec_pack(CODEC_STEPS, p->flat.p, rows * x->n_columns, p->flat.size, NULL, &p->bytes) &&
	       add_block(p, &p->bytes);
}

static void free_room(struct side_packed *p)
{
	column_free(&p->tail);
	column_free(&p->flat);
	column_free(&p->bytes);
}

bool side_packed_add(struct side_packed *p, const struct side_table_info *x, const void *row)
{
	if (p->tail.n == BLOCK_ROWS && !pack_tail(p, x))
		return false;
	p->tail.size = x->row_bytes;
	void *to = column_push(&p->tail);
	if (!to)
		return false;
	memcpy(to, row, x->row_bytes);
	p->n++;
	return true;
}

bool side_packed_finish(struct side_packed *p, const struct side_table_info *x)
{
	bool ok = p->tail.n == 0 || pack_tail(p, x);
	free_room(p);
	return ok;
}

static bool unpack_block(const struct side_block *b, const struct side_table_info *x, struct codec_scratch *m,
			 int64_t *flat, struct column *to)
{
	if (!codec_unpack(m, CODEC_STEPS, b->bytes, b->n, flat, b->rows * x->n_columns, sizeof *flat, NULL))
		return false;
	char *rows = (char *)to->p + to->n * to->size;
	for (uint32_t k = 0; k < x->n_columns; k++)
		side_column_set(x, &x->columns[k], rows, b->rows, flat + k * b->rows);
	to->n += b->rows;
	return true;
}

bool side_packed_rows(const struct side_packed *p, const struct side_table_info *x, struct column *to)
{
	const struct side_block *b = p->blocks.p;
	struct codec_scratch *m = codec_scratch_new();
	int64_t *flat = malloc(BLOCK_ROWS * x->n_columns * sizeof *flat);
	bool ok = m && flat && column_grow(to, to->n + p->n);
	for (size_t i = 0; ok && i < p->blocks.n; i++)
		ok = unpack_block(&b[i], x, m, flat, to);
	free(flat);
	codec_scratch_free(m);
	return ok;
}

void side_packed_free(struct side_packed *p)
{
	struct side_block *b = p->blocks.p;
	for (size_t i = 0; i < p->blocks.n; i++)
		free(b[i].bytes);
	column_free(&p->blocks);
	free_room(p);
	p->n = 0;
}
