/* model/store/ingest/kernel_rows.c - rows of launches, each distinct one once; those of events are looked up a few launches later, see pending_kernel. */
#include <string.h>
#include "ingest_private.h"

static uint32_t row_of(struct ingest *in, const struct kernel_info *k, uint32_t hash)
{
	uint32_t at = row_index_find(&in->kernel_index, in->kernels.p, in->kernels.size, k, sizeof *k, hash);
	if (at != NONE_ID)
		return at;
	struct kernel_info *p = column_push(&in->kernels);
	if (!p) {
		in->failed = true;
		return 0;
	}
	*p = *k;
	at = (uint32_t)in->kernels.n - 1;
	in->failed |= !row_index_add(&in->kernel_index, hash, at);
	return at;
}

static struct pending_kernel *pending_at(struct ingest *in, uint32_t number)
{
	return &in->pending[number % PENDING_KERNELS];
}

static void settle_first(struct ingest *in)
{
	const struct pending_kernel *l = pending_at(in, in->pending_from++);
	uint32_t row = row_of(in, &l->is, l->hash);
	if (l->event != NONE_ID)
		ingest_set_detail(in, l->event, row);
}

void pending_kernels_settle(struct ingest *in)
{
	while (in->pending_from != in->pending_to)
		settle_first(in);
}

void pending_kernel_add(struct ingest *in, const struct kernel_info *k, uint32_t event)
{
	if (in->pending_to - in->pending_from == PENDING_KERNELS)
		settle_first(in);
	/* slots were asked for when a launch came; a few launches later they have, and the row they point at can be asked for */
	if (in->pending_to - in->pending_from >= PENDING_ROWS)
		row_index_ahead_row(&in->kernel_index, in->kernels.p, in->kernels.size,
				    pending_at(in, in->pending_to - PENDING_ROWS)->hash);
	struct pending_kernel *l = pending_at(in, in->pending_to++);
	l->is = *k;
	l->hash = row_index_hash(k, sizeof *k);
	l->event = event;
	row_index_ahead(&in->kernel_index, l->hash);
}

uint32_t ingest_kernel(struct ingest *in, const struct kernel_info *k)
{
	pending_kernels_settle(in);
	return row_of(in, k, row_index_hash(k, sizeof *k));
}

uint32_t ingest_kernels(struct ingest *in)
{
	pending_kernels_settle(in);
	return (uint32_t)in->kernels.n;
}

struct kernel_info *ingest_kernel_info(struct ingest *in, uint32_t row)
{
	pending_kernels_settle(in);
	return &((struct kernel_info *)in->kernels.p)[row];
}
