/* The longest gaps first: between steps, and the idle times of devices that lie in none of them. */
#include "derived_data.h"
#include "model/store/base/memory.h"
#include "model/analysis/maths/largest.h"
#include "model/analysis/maths/rank.h"
#include <stdlib.h>
#include <string.h>

struct kept_gap {
	struct kept_gap *next;
	struct gap gap;
};

static int span_order(const struct gap_span *a, const struct gap_span *b)
{
	if (a->dur_ns != b->dur_ns)
		return a->dur_ns < b->dur_ns ? 1 : -1;
	if (a->start_ns != b->start_ns)
		return a->start_ns < b->start_ns ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

static int longer(const void *x, const void *y, void *arg)
{
	const struct rank *a = x, *b = y;
	struct gap_span ga = gaps_span(arg, a->id), gb = gaps_span(arg, b->id);
	return span_order(&ga, &gb);
}

static int span_comes_first(const void *x, const void *y)
{
	return span_order(x, y);
}

static void sort_longest(const struct gap_store *s, struct rank *at, uint32_t n)
{
	rank_sort(at, n);
	rank_ties(at, n, RANK_LARGE, longer, (void *)s);
}

static bool is_ranked(const struct derived *d, const struct gap_span *g)
{
	enum { LEAST_NS = 1000 }; /* between works that follow each other at once */
	if (g->dur_ns < LEAST_NS || g->scope == GAP_STREAM)
		return false;
	return g->scope == GAP_STEP || gaps_around(d, g) == NONE_ID;
}

static void rank_all(struct derived *d)
{
	struct gap_store *s = &d->gaps;
	if (s->ranked)
		return;
	s->ranked = must(malloc((s->n_candidates + (size_t)1) * sizeof *s->ranked));
	for (uint32_t i = 0; i < s->n_candidates; i++) { /* they come first in the list */
		struct gap_span g = gaps_span(s, i);
		if (is_ranked(d, &g))
			s->ranked[s->n_ranked++] = (struct rank){rank_size(g.dur_ns), i};
	}
	sort_longest(s, s->ranked, s->n_ranked);
}

/* Keeps what is ranked and among the longest. That is asked last: it takes a search. */
static void offer(const struct derived *d, struct largest *best, const struct gap_span *g)
{
	const struct gap_span *last = (const void *)best->at;
	if ((best->n < best->max || span_order(g, last) < 0) && is_ranked(d, g))
		largest_offer(best, g);
}

/* Those that most questions are about, without ranking the others. */
enum { LONGEST = 64 };

/* Most come after all that are kept. */
static bool comes_after(const struct largest *best, int64_t start_ns, int64_t dur_ns)
{
	const struct gap_span *last = (const void *)best->at;
	return best->n == best->max && (dur_ns < last->dur_ns || (dur_ns == last->dur_ns && start_ns > last->start_ns));
}

static void offer_steps(const struct derived *d, struct largest *best)
{
	for (uint32_t i = 0; i < d->gaps.steps.n; i++) {
		const struct step_gap g = step_gap_of(&d->gaps.steps, i);
		int64_t dur_ns = g.end_ns - g.start_ns;
		if (!comes_after(best, g.start_ns, dur_ns))
			offer(d, best, &(struct gap_span){i, GAP_STEP, g.start_ns, dur_ns});
	}
}

static void offer_run(const struct derived *d, struct largest *best, const struct gap_run *run)
{
	const struct interval *busy = run->busy;
	for (uint32_t i = 0; i < run->n; i++) {
		int64_t dur_ns = busy[i + 1].a_ns - busy[i].b_ns;
		if (!comes_after(best, busy[i].b_ns, dur_ns))
			offer(d, best, &(struct gap_span){run->first + i, run->scope, busy[i].b_ns, dur_ns});
	}
}

static void find_longest(struct derived *d)
{
	struct gap_store *s = &d->gaps;
	struct arena work = {0};
	if (s->longest)
		return;
	struct largest best = largest_new(&work, LONGEST, sizeof *s->longest, span_comes_first);
	offer_steps(d, &best);
	for (uint32_t i = 0; i < s->n_runs; i++)
		if (s->runs[i].scope == GAP_DEVICE)
			offer_run(d, &best, &s->runs[i]);
	s->longest = must(malloc(LONGEST * sizeof *s->longest));
	s->n_longest = best.n;
	memcpy(s->longest, largest_sorted(&best), best.n * sizeof *s->longest);
	arena_free(&work);
}

/* The store with what a search needs of it: `make` does so the first time. */
static const struct gap_store *with(const struct derived *d, void (*make)(struct derived *d))
{
	struct derived *w = (struct derived *)d;
	pthread_mutex_lock(&w->gap_lock);
	make(w);
	pthread_mutex_unlock(&w->gap_lock);
	return &w->gaps;
}

/* The k-th of these in the window, if they tell; *all: no other is ranked. */
static uint32_t search_longest(const struct derived *d, uint32_t k, int64_t a_ns, int64_t b_ns, bool *all)
{
	const struct gap_store *s = with(d, find_longest);
	*all = s->n_longest < LONGEST;
	for (uint32_t i = 0; i < s->n_longest; i++) {
		const struct gap_span *g = &s->longest[i];
		if (g->start_ns < b_ns && g->start_ns + g->dur_ns > a_ns && !k--)
			return g->id;
	}
	return NONE_ID;
}

/* The k-th of those in the window: cheaper where it is one of the first, or the window holds few. */
static uint32_t search_window(const struct derived *d, uint32_t k, struct gap_iter it)
{
	struct arena work = {0};
	if (k >= it.left)
		return NONE_ID;
	struct largest best = largest_new(&work, k + 1, sizeof(struct gap_span), span_comes_first);
	for (struct gap_span g; gap_next(&it, &g) && g.scope != GAP_STREAM;)
		offer(d, &best, &g);
	uint32_t id = k < best.n ? ((const struct gap_span *)largest_sorted(&best))[k].id : NONE_ID;
	arena_free(&work);
	return id;
}

/* The k-th of the whole list that lies in the window. The list is made for who goes far down it. */
static uint32_t search_ranked(const struct derived *d, uint32_t k, int64_t a_ns, int64_t b_ns)
{
	enum { FIRST = 8 };
	bool all;
	uint32_t among = search_longest(d, k, a_ns, b_ns, &all);
	if (all || among != NONE_ID)
		return among;
	if (k < FIRST)
		return search_window(d, k, gap_iter(d, a_ns, b_ns));
	const struct gap_store *s = with(d, rank_all);
	for (uint32_t i = 0; i < s->n_ranked; i++) {
		struct gap_span g = gaps_span(s, s->ranked[i].id);
		if (g.start_ns < b_ns && g.start_ns + g.dur_ns > a_ns && !k--)
			return g.id;
	}
	return NONE_ID;
}

/* A gap that stays where it is: they are only stored once one is asked for. */
static const struct gap *keep(struct derived *d, uint32_t id)
{
	struct gap_store *s = &d->gaps;
	pthread_mutex_lock(&d->gap_lock);
	struct kept_gap *kept = s->kept;
	while (kept && kept->gap.id != id)
		kept = kept->next;
	if (!kept) {
		kept = arena_alloc(&d->mem, sizeof *kept);
		kept->next = s->kept;
		gaps_get(d, id, &kept->gap);
		s->kept = kept;
	}
	pthread_mutex_unlock(&d->gap_lock);
	return &kept->gap;
}

const struct gap *derived_gap_ranked(const struct derived *d, uint32_t k, int64_t a_ns, int64_t b_ns)
{
	enum { FEW = 32 };
	struct gap_iter it = gap_iter(d, a_ns, b_ns);
	bool few = it.left < it.gaps->n_candidates / FEW;
	uint32_t id = few ? search_window(d, k, it) : search_ranked(d, k, a_ns, b_ns);
	return id != NONE_ID ? keep((struct derived *)d, id) : NULL;
}

const struct gap *derived_gap_kept(const struct derived *d, uint32_t id)
{
	return id < derived_gap_count(d) ? keep((struct derived *)d, id) : NULL;
}
