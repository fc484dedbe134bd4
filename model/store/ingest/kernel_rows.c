/* model/store/ingest/kernel_rows.c - rows of launches, each distinct one once; those of events a few launches late, see late_kernel. */
#include <string.h>
#include "ingest_private.h"

static uint32_t row_of(struct ingest *in, const struct kernel_info *k, uint32_t hash)
{
	uint32_t at = index_find(&in->kernel_index, &in->kernels, k, sizeof *k, hash);
	if (at != NONE_ID)
		return at;
	struct kernel_info *p = column_push(&in->kernels);
	if (!p) {
		in->failed = true;
		return 0;
	}
	*p = *k;
	at = (uint32_t)in->kernels.n - 1;
	in->failed |= !index_add(&in->kernel_index, hash, at);
	return at;
}

static struct late_kernel *late(struct ingest *in, uint32_t number)
{
	return &in->late[number % LATE_KERNELS];
}

static void settle_first(struct ingest *in)
{
	const struct late_kernel *l = late(in, in->late_from++);
	uint32_t row = row_of(in, &l->is, l->hash);
	if (l->event != NONE_ID)
		((uint32_t *)in->raw.detail.p)[l->event] = row;
}

void late_kernels_settle(struct ingest *in)
{
	while (in->late_from != in->late_to)
		settle_first(in);
}

void late_kernel_add(struct ingest *in, const struct kernel_info *k, uint32_t event)
{
	if (in->late_to - in->late_from == LATE_KERNELS)
		settle_first(in);
	if (in->late_to - in->late_from >= LATE_ROWS)
		index_ahead_row(&in->kernel_index, &in->kernels, late(in, in->late_to - LATE_ROWS)->hash);
	struct late_kernel *l = late(in, in->late_to++);
	l->is = *k;
	l->hash = index_hash(k, sizeof *k);
	l->event = event;
	index_ahead(&in->kernel_index, l->hash);
}

uint32_t ingest_kernel(struct ingest *in, const struct kernel_info *k)
{
	late_kernels_settle(in);
	return row_of(in, k, index_hash(k, sizeof *k));
}

uint32_t ingest_kernels(struct ingest *in)
{
	late_kernels_settle(in);
	return (uint32_t)in->kernels.n;
}

struct kernel_info *ingest_kernel_info(struct ingest *in, uint32_t row)
{
	late_kernels_settle(in);
	return &((struct kernel_info *)in->kernels.p)[row];
}
