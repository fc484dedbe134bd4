#include "gap_causes.h"
#include "model/store/base/both.h"
#include "model/store/base/memory.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct gap_causes {
	const struct derived *d;
	const struct rank *gaps;
	const struct idle_extents *known; /* NULL: nothing is */
	uint32_t n, asked;
	struct arena *mem;
	struct gap_cause *all; /* after the sweep */
};

struct gap_causes *gap_causes_new(const struct derived *d, const struct rank *gaps, uint32_t n,
				  const struct idle_extents *known, struct arena *mem)
{
	struct gap_causes *c = arena_alloc(mem, sizeof *c);
	*c = (struct gap_causes){d, gaps, known, n, 0, mem, NULL};
	return c;
}

/* j NULL: by itself. */
static struct gap_cause cause_of(const struct gap_causes *x, struct gap_judge *j, uint32_t id)
{
	const struct derived *d = x->d;
	struct gap g;
	struct gap_verdict v;
	struct gap_main_event event;
	derived_gap_at(d, id, &g);
	struct gap_span span = {id, g.scope, g.start_ns, g.dur_ns};
	struct gap_place place = derived_gap_place(d, &span);
	struct gap_cause c = {.start_ns = g.start_ns,
			      .dur_ns = g.dur_ns,
			      .before = g.before,
			      .after = g.after,
			      .step = place.step,
			      .among = place.kind == GAP_BETWEEN ? place.step_gap : place.marked,
			      .scope = g.scope,
			      .kind = place.kind};
	if (g.scope == GAP_STREAM) {
		derived_main_event(d, &g, &event);
		c.row = event.row;
		c.row_ns = event.self_ns;
		return c;
	}
	if (j)
		gap_judge_verdict(j, &g, &v);
	else
		gap_verdict_knowing(d, x->known, &g, &v);
	c.confidence = v.confidence;
	c.cause_ns = v.cause_ns;
	c.row_ns = v.row_ns;
	c.row = v.row;
	c.cause = v.cause;
	return c;
}

/* ---- all of them -------------------------------------------------------------------------------------------------------- */

/* Ids are in order of scope, then device or stream, then time. Two threads take turns at parts of that order: of some scopes a gap costs
 * far more than of others. */
enum { PART = 8192 };
struct sweep {
	struct gap_causes *c;
	struct rank *in_time; /* id, and in `size` its place in the list */
	atomic_uint next;     /* part that no thread has begun */
};

static int by_id(const void *x, const void *y)
{
	const struct rank *a = x, *b = y;
	return (a->id > b->id) - (a->id < b->id);
}

/* Where the list holds most of all gaps each goes to its place instead of being sorted. */
static void put_in_time(struct sweep *s, uint32_t all)
{
	uint32_t *place = must(malloc((all + (size_t)1) * sizeof *place)), n = 0;
	memset(place, 0xff, all * sizeof *place);
	for (uint32_t i = 0; i < s->c->n; i++)
		place[s->c->gaps[i].id] = i;
	for (uint32_t id = 0; id < all; id++)
		if (place[id] != NONE_ID)
			s->in_time[n++] = (struct rank){place[id], id};
	free(place);
}

static void order_in_time(struct sweep *s)
{
	uint32_t n = s->c->n, all = derived_gap_count(s->c->d);
	s->in_time = must(malloc((n + (size_t)1) * sizeof *s->in_time));
	if (n > all / 8) {
		put_in_time(s, all);
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		s->in_time[i] = (struct rank){i, s->c->gaps[i].id};
	if (n)
		qsort(s->in_time, n, sizeof *s->in_time, by_id);
}

static bool sweep_parts(void *ctx)
{
	struct sweep *s = ctx;
	struct gap_causes *c = s->c;
	struct gap_judge *j = gap_judge_new(c->d, INT64_MIN, INT64_MAX);
	gap_judge_knows(j, c->known);
	for (uint32_t part; (part = atomic_fetch_add(&s->next, 1)) <= c->n / PART;) {
		uint32_t from = part * PART, n = c->n - from < PART ? c->n - from : PART;
		for (const struct rank *g = s->in_time + from; g < s->in_time + from + n; g++)
			c->all[g->size] = cause_of(c, j, g->id);
	}
	gap_judge_free(j);
	return true;
}

void gap_causes_sweep(struct gap_causes *c)
{
	struct sweep s = {.c = c};
	order_in_time(&s);
	c->all = arena_alloc(c->mem, (c->n + (size_t)1) * sizeof *c->all);
	both(c->n < PART / 2 ? 1 : 2, sweep_parts, sweep_parts, &s);
	free(s.in_time);
}

void gap_causes_ahead(const struct gap_causes *c, uint32_t i)
{
	const struct gap_cause *next = i < c->n ? gap_causes_kept(c, i) : NULL;
	const str_id *names = derived_columns(c->d)->name;
	if (!next)
		return;
	__builtin_prefetch(&names[next->before]);
	__builtin_prefetch(&names[next->after]);
	if (next->row != NONE_ID)
		__builtin_prefetch(&names[next->row]);
}

const struct gap_cause *gap_causes_kept(const struct gap_causes *c, uint32_t i)
{
	return c->all ? &c->all[i] : NULL;
}

bool gap_causes_sweeps(const struct gap_causes *c)
{
	/* a report shows 100; a look at one costs as much as that many in a row */
	enum { FEW = 128, WORTH_IT = 512, MOSTLY_SHOWN = 200 };
	uint32_t looks = c->n <= MOSTLY_SHOWN ? 2 : FEW + c->n / WORTH_IT;
	return !c->all && c->asked >= looks;
}

struct gap_cause gap_causes_at(struct gap_causes *c, uint32_t i)
{
	if (gap_causes_sweeps(c))
		gap_causes_sweep(c);
	c->asked++;
	return c->all ? c->all[i] : cause_of(c, NULL, c->gaps[i].id);
}
