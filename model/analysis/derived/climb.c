#include "climb.h"
#include "model/store/base/memory.h"
#include <stdlib.h>

static _Atomic(uint32_t) *found_of(struct climb *c, const struct derived *d)
{
	_Atomic(uint32_t) *found = atomic_load(&c->found), *fresh;
	if (found)
		return found;
	fresh = large_zeroed((size_t)derived_columns(d)->n + 1, sizeof *fresh);
	if (atomic_compare_exchange_strong(&c->found, &found, fresh))
		return fresh;
	free(fresh); /* another thread was first */
	return found;
}

row_id climb_far(struct climb *c, const struct derived *d, row_id from, bool (*fits)(void *arg, row_id r), void *arg)
{
	_Atomic(uint32_t) *found = found_of(c, d);
	row_id at = from;
	uint32_t known = NONE_ID;
	while (at != NONE_ID && !(known = atomic_load_explicit(&found[at], memory_order_relaxed))) {
		if (fits(arg, at)) {
			known = at + 1;
			break;
		}
		at = parent_of(d, at);
		known = NONE_ID;
	}
	for (row_id r = from; r != at; r = parent_of(d, r))
		atomic_store_explicit(&found[r], known, memory_order_relaxed);
	return known == NONE_ID ? NONE_ID : known - 1;
}

static bool is_of_kind_op(void *columns, row_id r)
{
	return ((const struct columns *)columns)->kind[r] == KIND_OP;
}

row_id climb_to_op(struct climb *c, const struct derived *d, row_id from)
{
	return climb_find(c, d, from, is_of_kind_op, (void *)derived_columns(d));
}

void climb_free(struct climb *c)
{
	free(atomic_load(&c->found));
	atomic_store(&c->found, NULL);
}
