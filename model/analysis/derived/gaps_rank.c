/* The longest gaps first: between steps, and the idle times of devices that lie in none of them. */
#include "derived_data.h"
#include "model/store/base/memory.h"
#include "model/analysis/maths/rank.h"
#include <stdlib.h>

struct kept_gap {
	struct kept_gap *next;
	struct gap gap;
};

static int longer(const void *x, const void *y, void *arg)
{
	const struct rank *a = x, *b = y;
	struct gap_span ga = gaps_span(arg, a->id), gb = gaps_span(arg, b->id);
	if (ga.dur_ns != gb.dur_ns)
		return ga.dur_ns < gb.dur_ns ? 1 : -1;
	if (ga.start_ns != gb.start_ns)
		return ga.start_ns < gb.start_ns ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
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

void gaps_rank(struct derived *d)
{
	struct gap_store *s = &d->gaps;
	uint32_t n = s->n_steps;
	for (uint32_t i = 0; i < s->n_runs; i++)
		n += s->runs[i].scope == GAP_DEVICE ? s->runs[i].n : 0;
	s->ranked = must(malloc(n * sizeof *s->ranked));
	for (uint32_t i = 0; i < n; i++) { /* they come first in the list */
		struct gap_span g = gaps_span(s, i);
		if (is_ranked(d, &g))
			s->ranked[s->n_ranked++] = (struct rank){rank_size(g.dur_ns), i};
	}
	sort_longest(s, s->ranked, s->n_ranked);
}

/* The k-th of the whole list that lies in the window. */
static uint32_t search_ranked(const struct gap_store *s, uint32_t k, int64_t a_ns, int64_t b_ns)
{
	for (uint32_t i = 0; i < s->n_ranked; i++) {
		struct gap_span g = gaps_span(s, s->ranked[i].id);
		if (g.start_ns < b_ns && g.start_ns + g.dur_ns > a_ns && !k--)
			return g.id;
	}
	return NONE_ID;
}

/* The k-th of those in the window: cheaper where they are few among many. */
static uint32_t search_window(const struct derived *d, uint32_t k, struct gap_iter it)
{
	struct rank *at = must(malloc(it.left * sizeof *at));
	uint32_t n = 0;
	struct gap_span g;
	while (gap_next(&it, &g))
		if (is_ranked(d, &g))
			at[n++] = (struct rank){rank_size(g.dur_ns), g.id};
	sort_longest(&d->gaps, at, n);
	uint32_t id = k < n ? at[k].id : NONE_ID;
	free(at);
	return id;
}

/* A gap that stays where it is: idle times are only stored once one is asked for. */
static const struct gap *keep(struct derived *d, uint32_t id)
{
	struct gap_store *s = &d->gaps;
	if (id < s->n_steps)
		return &s->steps[id];
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
	const struct gap_store *s = it.gaps;
	bool few = it.left < s->n_ranked / FEW;
	uint32_t id = few ? search_window(d, k, it) : search_ranked(s, k, a_ns, b_ns);
	return id != NONE_ID ? keep((struct derived *)d, id) : NULL;
}

const struct gap *derived_gap_kept(const struct derived *d, uint32_t id)
{
	return id < derived_gap_count(d) ? keep((struct derived *)d, id) : NULL;
}
