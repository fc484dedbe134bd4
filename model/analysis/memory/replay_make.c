#include <stdlib.h>
#include "model/store/base/both.h"
#include "model/store/base/column.h"
#include "model/store/base/memory.h"
#include "replay_making.h"

enum { WORTH_A_THREAD = 1 << 14 };

/* ---- in use -------------------------------------------------------------------------------------------------------------- */

/* Where the summing up of a pool is. */
struct sum {
	int64_t used, least;
	const struct odd_changes *odd;
	uint32_t next; /* of odd */
};

static int64_t added(int64_t a, int64_t b)
{
	int64_t sum;
	return __builtin_add_overflow(a, b, &sum) ? b < 0 ? INT64_MIN / 4 : INT64_MAX / 4 : sum;
}

/* What the event changes; `told`: in use after it, where totals are recorded. */
static int64_t change(const struct making *m, const struct replay_pool *p, struct sum *s, uint32_t place, int64_t told)
{
	int64_t bytes = replay_at(&m->pub, place)->bytes;
	if (s->next < s->odd->n && s->odd->at[s->next].place == place)
		return s->odd->at[s->next++].bytes;
	if (bytes != UNKNOWN_I64)
		return bytes;
	return p->has_totals ? told - s->used : 0;
}

static int64_t use_after(struct making *m, struct replay_pool *p, struct sum *s, uint32_t place)
{
	int64_t told = p->has_totals ? replay_recorded_total(&m->pub, place) : UNKNOWN_I64;
	int64_t by_bytes = added(s->used, change(m, p, s, place, told));
	if (!p->has_totals)
		return by_bytes;
	if (place == p->first)
		p->before_bytes = added(told, -by_bytes);
	else
		p->differences += told != by_bytes;
	return told;
}

static void note_most(struct making *m, const struct replay_pool *p, uint32_t place, int64_t used)
{
	uint32_t at = place - p->first;
	int64_t *most = &m->run_max[p->first_run + at / REPLAY_RUN];
	if (at % REPLAY_RUN == 0 || used > *most)
		*most = used;
}

static void sum_up(struct making *m, struct replay_pool *p, struct sum *s, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to; i++) {
		s->used = use_after(m, p, s, i);
		s->least = s->used < s->least ? s->used : s->least;
		note_most(m, p, i, s->used);
		if (m->used_bytes)
			m->used_bytes[i] = s->used;
	}
}

/* Summed up from 0 on, the lowest point is below it. */
static void lift(struct making *m, struct replay_pool *p, int64_t bytes)
{
	p->before_bytes = bytes;
	for (uint32_t i = p->first; i < p->first + p->n; i++)
		m->used_bytes[i] = added(m->used_bytes[i], bytes);
	for (uint32_t i = 0; i < replay_runs(p); i++)
		m->run_max[p->first_run + i] = added(m->run_max[p->first_run + i], bytes);
}

static void sum_pools(struct making *m, const struct odd_changes *odd)
{
	struct sum s = {.odd = odd};
	for (uint32_t i = 0; i < m->found.n; i++) {
		struct replay_pool *p = &m->found.at[i];
		s.used = s.least = 0;
		p->before_bytes = 0;
		p->differences = 0;
		sum_up(m, p, &s, p->first, p->first + p->n);
		if (!p->has_totals && s.least < 0)
			lift(m, p, -s.least);
	}
}

static const struct odd_changes no_odd;

/* ---- as guessed: row by row, one pool ------------------------------------------------------------------------------------ */

static uint32_t block_end(const struct making *m, uint32_t from)
{
	return m->pub.n - from > REPLAY_BLOCK ? from + REPLAY_BLOCK : m->pub.n;
}

static bool guess_sums(void *ctx)
{
	struct making *m = ctx;
	struct sum s = {.odd = &no_odd};
	while (m->surveyed < m->pub.n && !atomic_load(&m->wrong)) {
		uint32_t from = m->surveyed;
		replay_survey(m, block_end(m, from) - from);
		if (replay_guess_holds(&m->found))
			sum_up(m, &m->found.at[0], &s, from, m->surveyed);
		else
			atomic_store(&m->wrong, true);
	}
	return true;
}

static bool guess_matches(void *ctx)
{
	struct making *m = ctx;
	struct idmap open = {0};
	for (uint32_t i = 0; i < m->pub.n && !atomic_load(&m->wrong); i = block_end(m, i))
		if (!replay_match_addresses(m, &m->guessed, &open, i, block_end(m, i)))
			atomic_store(&m->wrong, true);
	idmap_free(&open);
	return true;
}

static void take_guess(struct making *m)
{
	m->found.at[0].unknown = m->guessed.unknown;
	m->found.at[0].given_again = m->guessed.given_again;
}

/* ---- pool by pool -------------------------------------------------------------------------------------------------------- */

static bool sum_all(void *ctx)
{
	sum_pools(ctx, &no_odd);
	return true;
}

static bool match_all(void *ctx)
{
	struct making *m = ctx;
	for (uint32_t i = 0; i < m->found.n; i++)
		replay_match_pool(m, &m->found.at[i]);
	return true;
}

static void *numbers(size_t n, size_t bytes)
{
	return must(large_alloc((n + 1) * bytes));
}

/* Totals that are recorded need no second list. */
static void make_room(struct making *m)
{
	uint32_t runs = 0;
	bool totals = true;
	for (uint32_t i = 0; i < m->found.n; i++) {
		runs += replay_runs(&m->found.at[i]);
		totals &= m->found.at[i].has_totals;
	}
	free(m->run_max);
	m->run_max = numbers(runs, sizeof *m->run_max);
	m->used_bytes = totals ? NULL : numbers(m->pub.n, sizeof *m->used_bytes);
}

static void make_by_pools(struct making *m, unsigned threads)
{
	replay_survey(m, m->pub.n - m->surveyed);
	replay_place(m);
	make_room(m);
	m->odd.n = 0;
	both(threads, sum_all, match_all, m);
}

/* ---- the whole ----------------------------------------------------------------------------------------------------------- */

static void play(struct making *m)
{
	unsigned threads = m->pub.n < WORTH_A_THREAD ? 1 : 2;
	m->other = numbers(m->pub.n, sizeof *m->other);
	m->run_max = numbers(m->pub.n / REPLAY_RUN + 1, sizeof *m->run_max);
	both(threads, guess_sums, guess_matches, m);
	if (atomic_load(&m->wrong))
		make_by_pools(m, threads);
	else
		take_guess(m);
	if (m->odd.n)
		sum_pools(m, &m->odd);
}

void *replay_make(const struct derived *d, struct progress *progress, struct err *e)
{
	(void)progress;
	(void)e;
	const void *rows;
	struct making *m = must(calloc(1, sizeof *m));
	m->c = derived_columns(d);
	m->pub.t = derived_trace(d);
	m->pub.n = (uint32_t)trace_side_rows(m->pub.t, SIDE_ALLOCATIONS, &rows);
	m->pub.rows = rows;
	m->found.last = NONE_ID;
	m->found.last_ns = INT64_MIN;
	m->found.in_order = true;
	if (m->pub.n)
		play(m);
	m->pub.n_pools = m->found.n;
	m->pub.pools = m->found.at;
	if (m->found.n)
		replay_find_devices(m);
	m->pub.other = m->other;
	m->pub.used_bytes = m->used_bytes;
	m->pub.run_max = m->run_max;
	idmap_free(&m->found.by);
	free(m->odd.at);
	return m;
}

void replay_free(void *replay)
{
	struct making *m = replay;
	free(m->found.at);
	free(m->row);
	free(m->other);
	free(m->used_bytes);
	free(m->run_max);
	free(m);
}
