#include "collective_match.h"
#include <stdlib.h>
#include <string.h>
#include "model/analysis/maths/median.h"
#include "model/store/base/idmap.h"

enum { SHIFTS = 64, ROUGH_NS = 50000, TELLING_PAIRS = 4 };

/* The calls of one key on one device, in order. */
struct lane {
	const uint32_t *calls; /* places in collectives.at */
	uint32_t n;
	int shift; /* call i of the lane that leads stands beside call i + shift */
	bool taken;
};
struct matcher {
	struct collectives *x;
	struct arena *mem;
	uint32_t *order; /* places by key, op, device, start */
	int64_t *room;   /* for medians */
	struct lane *lanes;
	uint32_t n_lanes;
};

static struct collective *call(const struct matcher *m, const struct lane *l, uint32_t i)
{
	return &m->x->at[l->calls[i]];
}

/* ---- two devices ------------------------------------------------------------------------------------------------------- */

struct likeness {
	uint32_t pairs, same_step, overlap;
	int64_t rough_ns; /* median change of the difference between ends from call to call */
};

static struct likeness likeness(const struct matcher *m, const struct lane *a, const struct lane *b, int shift)
{
	struct likeness like = {0};
	int64_t before = 0;
	for (uint32_t i = shift < 0 ? (uint32_t)-shift : 0; i < a->n && i + (uint32_t)shift < b->n; i++) {
		const struct collective *x = call(m, a, i), *y = call(m, b, i + (uint32_t)shift);
		int64_t apart = y->end_ns - x->end_ns;
		if (like.pairs)
			m->room[like.pairs - 1] = llabs(apart - before);
		before = apart;
		like.pairs++;
		like.same_step += x->step_number != UNKNOWN_I64 && x->step_number == y->step_number;
		like.overlap += x->start_ns < y->end_ns && y->start_ns < x->end_ns;
	}
	like.rough_ns = like.pairs > 1 ? median_of(m->room, like.pairs - 1) : 0;
	return like;
}

static bool mostly(uint32_t part, uint32_t all)
{
	return (uint64_t)part * 10 >= (uint64_t)all * 9;
}

/* A kernel whose name stands for every op may be one that waits for all. */
static bool may_block(enum collective_op op)
{
	return op == COLLECTIVE_UNKNOWN || collective_blocks(op);
}

/* Ranks of several groups have the name of one, and no list tells them apart. */
static bool is_several_groups(const struct matcher *m, const uint32_t *run, uint32_t n)
{
	const struct collective *first = &m->x->at[run[0]];
	bool listed = first->ranks && strpbrk(first->ranks, "0123456789");
	if (!first->keyed || listed || first->group_size <= 0)
		return false;
	struct idmap peers = {0};
	for (uint32_t i = 0; i < n; i++)
		idmap_put(&peers, m->x->at[run[i]].peer, i);
	bool several = peers.n > (uint64_t)first->group_size;
	idmap_free(&peers);
	return several;
}

/* The shift by which most pairs have what decides; of equal ones the smallest. */
static int best_shift(const struct matcher *m, const struct lane *a, const struct lane *b)
{
	uint32_t least = a->n < b->n ? a->n : b->n;
	struct likeness as_is = likeness(m, a, b, 0);
	if (a->n == b->n && (mostly(as_is.same_step, least) || mostly(as_is.overlap, least)))
		return 0;
	int by_step = 0, by_time = 0;
	uint32_t most_step = as_is.same_step, most_time = as_is.overlap;
	for (int i = 1; i <= 2 * SHIFTS; i++) {
		int shift = i % 2 ? (i + 1) / 2 : -i / 2;
		struct likeness like = likeness(m, a, b, shift);
		if (like.same_step > most_step) {
			most_step = like.same_step;
			by_step = shift;
		}
		if (like.overlap > most_time) {
			most_time = like.overlap;
			by_time = shift;
		}
	}
	return most_step ? by_step : by_time;
}

static int64_t median_dur(const struct matcher *m, const struct lane *l)
{
	for (uint32_t i = 0; i < l->n; i++)
		m->room[i] = call(m, l, i)->end_ns - call(m, l, i)->start_ns;
	return median_of(m->room, l->n);
}

static bool joins(const struct matcher *m, const struct lane *a, struct lane *b)
{
	if (call(m, a, 0)->peer == call(m, b, 0)->peer)
		return false;
	b->shift = best_shift(m, a, b);
	struct likeness like = likeness(m, a, b, b->shift);
	if (!like.pairs)
		return false;
	if (call(m, a, 0)->keyed)
		return true;
	int64_t tenth = median_dur(m, a) / 10;
	if (like.rough_ns > (tenth > ROUGH_NS ? tenth : ROUGH_NS))
		return false;
	if (call(m, a, 0)->is.op == COLLECTIVE_UNKNOWN) /* one kernel for all ops: only calls that end together tell */
		return like.pairs >= TELLING_PAIRS && mostly(like.overlap, like.pairs);
	return like.pairs > 1 || like.overlap || like.same_step;
}

/* ---- matches ------------------------------------------------------------------------------------------------------------ */

static void add_match(struct matcher *m, const uint32_t *members, uint32_t n)
{
	struct collectives *x = m->x;
	if (n < 2)
		return;
	x->matches = arena_next_row(m->mem, x->matches, x->n_matches, sizeof *x->matches);
	struct collective_match *out = &x->matches[x->n_matches++];
	uint32_t *kept = arena_alloc(m->mem, n * sizeof *kept);
	*out = (struct collective_match){.members = kept, .n = n, .last = members[0]};
	out->last_start_ns = x->at[members[0]].start_ns;
	for (uint32_t i = 0; i < n; i++) {
		const struct collective *c = &x->at[kept[i] = members[i]];
		if (c->start_ns > out->last_start_ns) {
			out->last_start_ns = c->start_ns;
			out->last = members[i];
		}
	}
}

/* Of the recordings of one device only one is a member. */
static bool has_peer(const struct matcher *m, struct lane *const *with, uint32_t n, const struct lane *l)
{
	for (uint32_t i = 0; i < n; i++)
		if (call(m, with[i], 0)->peer == call(m, l, 0)->peer)
			return true;
	return false;
}

/* The first lane that is free, and those that belong to it; false when none is left. */
static bool next_group(struct matcher *m, uint32_t *members)
{
	uint32_t lead = 0;
	while (lead < m->n_lanes && m->lanes[lead].taken)
		lead++;
	if (lead == m->n_lanes)
		return false;
	struct lane *a = &m->lanes[lead];
	struct lane **with = arena_alloc(m->mem, m->n_lanes * sizeof *with);
	uint32_t n_with = 0;
	a->taken = true;
	for (uint32_t i = lead + 1; i < m->n_lanes; i++)
		if (!m->lanes[i].taken && !has_peer(m, with, n_with, &m->lanes[i]) && joins(m, a, &m->lanes[i])) {
			m->lanes[i].taken = true;
			with[n_with++] = &m->lanes[i];
		}
	for (uint32_t i = 0; i < a->n; i++) {
		uint32_t n = 0;
		members[n++] = a->calls[i];
		for (uint32_t k = 0; k < n_with; k++) {
			int64_t at = (int64_t)i + with[k]->shift;
			if (at >= 0 && at < with[k]->n)
				members[n++] = with[k]->calls[at];
		}
		add_match(m, members, n);
	}
	return true;
}

static int by_seq(const void *a, const void *b, void *arg)
{
	const struct collectives *x = arg;
	const struct collective *c = &x->at[*(const uint32_t *)a], *k = &x->at[*(const uint32_t *)b];
	if (c->seq != k->seq)
		return c->seq < k->seq ? -1 : 1;
	return (c > k) - (c < k);
}

/* The member of the same device; NULL: none is. */
static const struct collective *own_member(const struct matcher *m, const uint32_t *members, uint32_t n, uint64_t peer)
{
	for (uint32_t i = 0; i < n; i++)
		if (m->x->at[members[i]].peer == peer)
			return &m->x->at[members[i]];
	return NULL;
}

/* Equal numbers are one call; a device that has a number twice begins another one with it, or was recorded twice at that time. */
static void match_by_seq(struct matcher *m, uint32_t *run, uint32_t n, uint32_t *members)
{
	struct idmap member_of = {0}; /* peer -> number of the call that it was a member of last */
	uint32_t number = 1, k = 0;
	qsort_r(run, n, sizeof *run, by_seq, m->x);
	for (uint32_t i = 0; i < n; i++) {
		const struct collective *c = &m->x->at[run[i]];
		bool another = k && m->x->at[members[0]].seq != c->seq,
		     twice = idmap_get(&member_of, c->peer) == number;
		const struct collective *own = twice && !another ? own_member(m, members, k, c->peer) : NULL;
		if (own && own->start_ns < c->end_ns && c->start_ns < own->end_ns)
			continue;
		if (another || own) {
			add_match(m, members, k);
			k = 0;
			number++;
		}
		*idmap_put(&member_of, c->peer, 0) = number;
		members[k++] = run[i];
	}
	add_match(m, members, k);
	idmap_free(&member_of);
}

static void match_run(struct matcher *m, uint32_t *run, uint32_t n)
{
	const struct collective *first = &m->x->at[run[0]];
	bool in_pairs = collective_in_pairs(first);
	bool numbered = first->keyed && !in_pairs; /* numbers of sends count otherwise than those of receives */
	if ((in_pairs && (first->from < 0 || first->to < 0)) || (!first->keyed && !may_block(first->is.op)) ||
	    is_several_groups(m, run, n))
		return;
	for (uint32_t i = 0; i < n; i++)
		numbered = numbered && m->x->at[run[i]].seq != UNKNOWN_I64;
	uint32_t *members = arena_alloc(m->mem, n * sizeof *members);
	if (numbered) {
		match_by_seq(m, run, n, members);
		return;
	}
	m->lanes = arena_alloc(m->mem, n * sizeof *m->lanes);
	m->n_lanes = 0;
	for (uint32_t i = 0; i < n; i++) {
		if (!i || m->x->at[run[i]].device != m->x->at[run[i - 1]].device)
			m->lanes[m->n_lanes++] = (struct lane){.calls = &run[i]};
		m->lanes[m->n_lanes - 1].n++;
	}
	while (next_group(m, members))
		;
}

/* ---- all of them ---------------------------------------------------------------------------------------------------------- */

/* A send and its receive are one call. */
static enum collective_op kind_of(const struct collective *c)
{
	return collective_in_pairs(c) ? COLLECTIVE_SEND_RECV : c->is.op;
}

static int by_key(const void *a, const void *b, void *arg)
{
	const struct collectives *x = arg;
	const struct collective *c = &x->at[*(const uint32_t *)a], *k = &x->at[*(const uint32_t *)b];
	if (c->key != k->key)
		return c->key < k->key ? -1 : 1;
	if (kind_of(c) != kind_of(k))
		return kind_of(c) < kind_of(k) ? -1 : 1;
	if (c->device != k->device)
		return c->device < k->device ? -1 : 1;
	return (c > k) - (c < k);
}

static int by_last_start(const void *a, const void *b)
{
	const struct collective_match *x = a, *y = b;
	if (x->last_start_ns != y->last_start_ns)
		return x->last_start_ns < y->last_start_ns ? -1 : 1;
	return (x->members[0] > y->members[0]) - (x->members[0] < y->members[0]);
}

static void number_matches(struct collectives *x)
{
	if (x->n_matches > 1)
		qsort(x->matches, x->n_matches, sizeof *x->matches, by_last_start);
	for (uint32_t i = 0; i < x->n_matches; i++)
		for (uint32_t k = 0; k < x->matches[i].n; k++)
			x->at[x->matches[i].members[k]].match = i;
}

void collectives_match(struct collectives *x, struct arena *mem)
{
	struct matcher m = {.x = x, .mem = mem};
	x->matches = NULL;
	x->n_matches = 0;
	m.order = arena_alloc(mem, (x->n + 1) * sizeof *m.order);
	m.room = arena_alloc(mem, (x->n + 1) * sizeof *m.room);
	for (uint32_t i = 0; i < x->n; i++) {
		m.order[i] = i;
		x->at[i].match = NONE_ID;
	}
	if (x->n > 1)
		qsort_r(m.order, x->n, sizeof *m.order, by_key, x);
	for (uint32_t from = 0, to; from < x->n; from = to) {
		const struct collective *c = &x->at[m.order[from]];
		for (to = from + 1;
		     to < x->n && x->at[m.order[to]].key == c->key && kind_of(&x->at[m.order[to]]) == kind_of(c); to++)
			;
		match_run(&m, &m.order[from], to - from);
	}
	number_matches(x);
}

uint32_t collective_match_pairs(const struct collectives *x, const struct collective_match *m, struct axis_pair *pairs,
				uint32_t n, struct arena *mem)
{
	const struct collective *first = &x->at[m->members[0]];
	bool several = false;
	int64_t *ends = arena_alloc(mem, m->n * sizeof *ends);
	for (uint32_t i = 0; i < m->n; i++) {
		ends[i] = x->at[m->members[i]].end_ns;
		several = several || x->at[m->members[i]].host != first->host;
	}
	if (!several || !collective_blocks(first->is.op))
		return n;
	int64_t middle = median_of(ends, m->n);
	for (uint32_t i = 0; i < m->n; i++) {
		const struct collective *c = &x->at[m->members[i]];
		pairs[n++] = (struct axis_pair){c->host, c->end_ns, middle, c->end_ns - c->start_ns};
	}
	return n;
}
