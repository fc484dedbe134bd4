#include "gap_causes.h"
#include "model/store/base/both.h"
#include "model/store/base/memory.h"
#include <stdlib.h>

struct gap_causes {
	const struct derived *d;
	const struct rank *gaps;
	uint32_t n, asked;
	struct arena *mem;
	struct gap_cause *all; /* after the sweep */
};

struct gap_causes *gap_causes_new(const struct derived *d, const struct rank *gaps, uint32_t n, struct arena *mem)
{
	struct gap_causes *c = arena_alloc(mem, sizeof *c);
	*c = (struct gap_causes){d, gaps, n, 0, mem, NULL};
	return c;
}

/* j NULL: by itself. */
static struct gap_cause cause_of(const struct derived *d, struct gap_judge *j, uint32_t id)
{
	struct gap g;
	struct gap_verdict v;
	struct gap_main_event event;
	derived_gap_at(d, id, &g);
	if (g.scope == GAP_STREAM) {
		derived_main_event(d, &g, &event);
		return (struct gap_cause){.row = event.row, .row_ns = event.self_ns};
	}
	if (j)
		gap_judge_verdict(j, &g, &v);
	else
		gap_verdict_of(d, &g, &v);
	return (struct gap_cause){v.confidence, v.cause_ns, v.row_ns, v.row, v.cause};
}

/* ---- all of them -------------------------------------------------------------------------------------------------------- */

/* Ids are in order of scope, then device or stream, then time. */
struct sweep {
	struct gap_causes *c;
	struct rank *in_time; /* id, and in `size` its place in the list */
};

static int by_id(const void *x, const void *y)
{
	const struct rank *a = x, *b = y;
	return (a->id > b->id) - (a->id < b->id);
}

static bool sweep_part(struct sweep *s, uint32_t from, uint32_t end)
{
	struct gap_judge *j = gap_judge_new(s->c->d, INT64_MIN, INT64_MAX);
	for (uint32_t i = from; i < end; i++)
		s->c->all[s->in_time[i].size] = cause_of(s->c->d, j, s->in_time[i].id);
	gap_judge_free(j);
	return true;
}

static bool first_half(void *ctx)
{
	struct sweep *s = ctx;
	return sweep_part(s, 0, s->c->n / 2);
}

static bool second_half(void *ctx)
{
	struct sweep *s = ctx;
	return sweep_part(s, s->c->n / 2, s->c->n);
}

void gap_causes_sweep(struct gap_causes *c)
{
	enum { WORTH_A_THREAD = 4096 };
	struct sweep s = {c, must(malloc((c->n + (size_t)1) * sizeof *s.in_time))};
	for (uint32_t i = 0; i < c->n; i++)
		s.in_time[i] = (struct rank){i, c->gaps[i].id};
	if (c->n)
		qsort(s.in_time, c->n, sizeof *s.in_time, by_id);
	c->all = arena_alloc(c->mem, (c->n + (size_t)1) * sizeof *c->all);
	both(c->n < WORTH_A_THREAD ? 1 : 2, first_half, second_half, &s);
	free(s.in_time);
}

struct gap_cause gap_causes_at(struct gap_causes *c, uint32_t i)
{
	enum { FEW = 64, WORTH_IT = 512 }; /* a look at one costs as much as that many in a row */
	if (!c->all && c->asked++ >= FEW + c->n / WORTH_IT)
		gap_causes_sweep(c);
	return c->all ? c->all[i] : cause_of(c->d, NULL, c->gaps[i].id);
}
