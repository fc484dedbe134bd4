#include <stdlib.h>
#include "model/store/base/grow.h"
#include "replay_making.h"

static void add_odd(struct making *m, uint32_t place, int64_t bytes)
{
	GROW_ARRAY(m->odd.at, m->odd.n, m->odd.cap);
	m->odd.at[m->odd.n++] = (struct odd_change){place, bytes};
}

static int64_t bytes_of(const struct making *m, uint32_t place)
{
	return replay_at(&m->pub, place)->bytes;
}

/* ---- by address -------------------------------------------------------------------------------------------------------- */

/* Ends the block that is at the address. */
static void take_back(struct making *m, struct replay_pool *p, struct idmap *open, uint32_t place)
{
	const struct allocation *a = replay_at(&m->pub, place);
	uint32_t from = idmap_take(open, a->addr);
	m->other[place] = from;
	if (from == NONE_ID) {
		p->unknown++;
		return;
	}
	m->other[from] = place;
	if (a->bytes == UNKNOWN_I64)
		add_odd(m, place, -bytes_of(m, from));
}

/* An address that is given again without having been freed ends the block that had it. */
static void give_out(struct making *m, struct replay_pool *p, struct idmap *open, uint32_t place)
{
	const struct allocation *a = replay_at(&m->pub, place);
	uint32_t *at = idmap_put(open, a->addr, NONE_ID), from = *at;
	m->other[place] = NONE_ID;
	*at = place;
	if (from == NONE_ID)
		return;
	m->other[from] = place;
	p->given_again++;
	add_odd(m, place, a->bytes - bytes_of(m, from));
}

bool replay_match_addresses(struct making *m, struct replay_pool *p, struct idmap *open, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to; i++) {
		const struct allocation *a = replay_at(&m->pub, i);
		if (!a->addr)
			return false;
		if (a->bytes < 0)
			take_back(m, p, open, i);
		else
			give_out(m, p, open, i);
	}
	return true;
}

/* ---- by size ----------------------------------------------------------------------------------------------------------- */

/* The latest open block of that size. `below`: by place, the open allocation of the same size before it. */
static void match_size(struct making *m, struct replay_pool *p, struct idmap *open, uint32_t *below, uint32_t place)
{
	int64_t bytes = bytes_of(m, place);
	m->other[place] = NONE_ID;
	if (bytes == UNKNOWN_I64) {
		p->unknown++;
		return;
	}
	uint32_t *top = idmap_put(open, (uint64_t)(bytes < 0 ? -bytes : bytes), NONE_ID), from = *top;
	if (bytes > 0) {
		below[place - p->first] = from;
		*top = place;
		return;
	}
	if (from == NONE_ID) {
		p->unknown++;
		return;
	}
	*top = below[from - p->first];
	m->other[from] = place;
	m->other[place] = from;
}

void replay_match_pool(struct making *m, struct replay_pool *p)
{
	struct idmap open = {0};
	uint32_t *below = p->has_addresses ? NULL : must(malloc(p->n * sizeof *below));
	if (p->has_addresses)
		replay_match_addresses(m, p, &open, p->first, p->first + p->n);
	for (uint32_t i = p->first; below && i < p->first + p->n; i++)
		match_size(m, p, &open, below, i);
	free(below);
	idmap_free(&open);
}
