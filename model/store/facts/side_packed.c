#include "side_packed.h"
#include "model/store/base/thread.h"
#include "model/store/files/codec.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_ROWS = 64 * 1024 }; /* as many as the codec packs at once: a column of a block is one of its chunks */

/* The other thread packs one block at a time; a thread for each, since to start one is little beside that. */
struct side_helper {
	const struct side_table_info *x;
	struct column rows;
	struct side_room room;
	size_t block; /* its index */
	pthread_t thread;
	bool under_way, ok;
	atomic_bool done;
};

static void free_room(struct side_room *m)
{
	column_free(&m->flat);
	column_free(&m->bytes);
}

/* Into m->bytes. */
static bool pack_rows(const struct side_table_info *x, const struct column *rows, struct side_room *m)
{
	/* columns, whose memory goes back when they are freed: that of the heap would stay */
	m->flat.size = sizeof(int64_t);
	m->bytes.size = 1;
	m->bytes.n = 0;
	bool ok = column_grow(&m->flat, rows->n * x->n_columns);
	for (uint32_t k = 0; ok && k < x->n_columns; k++)
		side_column_get(x, &x->columns[k], rows->p, rows->n, (int64_t *)m->flat.p + k * rows->n);
	return ok && codec_pack_quickly(CODEC_STEPS, m->flat.p, rows->n * x->n_columns, m->flat.size, NULL, &m->bytes);
}

static bool keep_block(struct side_packed *p, size_t block, const struct column *bytes)
{
	struct side_block *b = (struct side_block *)p->blocks.p + block;
	b->bytes = malloc(bytes->n);
	b->n = bytes->n;
	if (b->bytes)
		memcpy(b->bytes, bytes->p, bytes->n);
	return b->bytes;
}

static void *help(void *ctx)
{
	struct side_helper *h = ctx;
	h->ok = pack_rows(h->x, &h->rows, &h->room);
	atomic_store(&h->done, true);
	return NULL;
}

/* Waits for the other thread and keeps what it has packed. */
static bool settle(struct side_packed *p)
{
	struct side_helper *h = p->helper;
	if (!h || !h->under_way)
		return true;
	pthread_join(h->thread, NULL);
	h->under_way = false;
	return h->ok && keep_block(p, h->block, &h->room.bytes);
}

/* True: the other thread packs the tail, whose rows are its own from now on. */
static bool hand_over(struct side_packed *p, const struct side_table_info *x, size_t block)
{
	if (!p->helper && p->threads > 1)
		p->helper = calloc(1, sizeof *p->helper);
	struct side_helper *h = p->helper;
	if (!h || h->under_way)
		return false;
	struct column rows = p->tail;
	p->tail = h->rows;
	h->rows = rows;
	h->x = x;
	h->block = block;
	atomic_store(&h->done, false);
	h->under_way = thread_start(&h->thread, help, h);
	if (h->under_way)
		return true;
	h->rows = p->tail;
	p->tail = rows;
	return false;
}

/* While the other thread is at a block this one packs the next. */
static bool pack_tail(struct side_packed *p, const struct side_table_info *x)
{
	p->blocks.size = sizeof(struct side_block);
	struct side_block *b = column_push(&p->blocks);
	bool ok = b != NULL;
	if (ok)
		*b = (struct side_block){.rows = p->tail.n};
	if (p->helper && p->helper->under_way && atomic_load(&p->helper->done))
		ok &= settle(p);
	if (ok && !hand_over(p, x, p->blocks.n - 1))
		ok = pack_rows(x, &p->tail, &p->room) && keep_block(p, p->blocks.n - 1, &p->room.bytes);
	p->tail.n = 0;
	return ok;
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

/* What only packing needs. */
static bool end_packing(struct side_packed *p)
{
	bool ok = settle(p);
	column_free(&p->tail);
	free_room(&p->room);
	if (p->helper) {
		column_free(&p->helper->rows);
		free_room(&p->helper->room);
	}
	free(p->helper);
	p->helper = NULL;
	return ok;
}

bool side_packed_finish(struct side_packed *p, const struct side_table_info *x)
{
	bool ok = p->tail.n == 0 || pack_tail(p, x);
	return end_packing(p) && ok;
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
	end_packing(p);
	struct side_block *b = p->blocks.p;
	for (size_t i = 0; i < p->blocks.n; i++)
		free(b[i].bytes);
	column_free(&p->blocks);
	p->n = 0;
}
