/* Groups of kernels: of one kind, launched alike. */
#include "kernel_stats.h"
#include "launch_shapes.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/deal.h"
#include "model/store/base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { AHEAD = 16 };
struct grouping {
	struct kernel_stats *s;
	const struct columns *c;
	uint32_t *shape; /* per kernel: its shape's number, then its place among all shapes; NONE_ID: not wanted */
	uint32_t *order; /* wanted kernels, those of a group together */
	uint32_t n;
};

/* ---- the order of kernels: by text and launch, so that groups that took as long stand in it ------------------------------ */

static uint32_t kind_of_kernel(const void *arg, uint32_t i)
{
	return ((const struct grouping *)arg)->s->kernels[i].kind;
}

static uint32_t shape_of_kernel(const void *arg, uint32_t i)
{
	return ((const struct grouping *)arg)->shape[i];
}

static uint32_t name_of_kernel(const void *arg, uint32_t i)
{
	const struct kernel_stats *s = ((const struct grouping *)arg)->s;
	return s->kinds[s->kernels[i].kind].name_rank;
}

static void find_shapes(struct grouping *g, struct launch_shapes *shapes, const uint8_t *wanted)
{
	const struct kernel_stats *s = g->s;
	for (size_t i = 0; i < s->n_kernels; i++) {
		g->shape[i] = NONE_ID;
		if (wanted && !wanted[s->kernels[i].kind])
			continue;
		facts_ahead(s->d, s->kernels[i].row);
		launch_shapes_ahead(shapes, s->kernels[i].row);
		g->shape[i] = launch_shape_of(shapes, s->kernels[i].row);
		g->order[g->n++] = (uint32_t)i;
	}
	uint32_t *ranks = launch_shapes_ranks(shapes);
	for (uint32_t i = 0; i < g->n; i++)
		g->shape[g->order[i]] = ranks[g->shape[g->order[i]]];
	free(ranks);
}

/* Kinds stand in the order of their names already, those of one name by op: the least important of the three. Kernels of a group stay
 * in the order of the trace. */
static void sort_kernels(struct grouping *g, uint32_t shapes)
{
	const struct kernel_stats *s = g->s;
	uint32_t names = s->n_kinds ? s->kinds[s->n_kinds - 1].name_rank + 1 : 0;
	uint32_t *dealt = must(malloc((g->n + (size_t)1) * sizeof *dealt));
	deal_by(g->order, dealt, g->n, s->n_kinds, kind_of_kernel, g);
	deal_by(dealt, g->order, g->n, shapes, shape_of_kernel, g);
	deal_by(g->order, dealt, g->n, names, name_of_kernel, g);
	free(g->order);
	g->order = dealt;
}

/* ---- sums and rows ------------------------------------------------------------------------------------------------------ */

static bool begins_group(const struct grouping *g, uint32_t i)
{
	if (!i)
		return true;
	uint32_t x = g->order[i - 1], y = g->order[i];
	return g->shape[x] != g->shape[y] || g->s->kernels[x].kind != g->s->kernels[y].kind;
}

/* A group of `kind` ends with the rows put so far. */
static void end_group(struct kernel_stats *out, uint32_t kind, uint32_t n_rows)
{
	struct kernel_kind *k = &out->kinds[kind];
	uint32_t i = out->n++;
	out->kind_of[i] = kind;
	out->from[i + 1] = n_rows;
	if (k->top == NONE_ID || out->group_ns[i] > out->group_ns[k->top])
		k->top = i;
}

static uint32_t count_groups(const struct grouping *g)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < g->n; i++)
		n += begins_group(g, i);
	return n;
}

static void take_room(const struct grouping *g, struct arena *mem)
{
	struct kernel_stats *out = g->s;
	uint32_t n = count_groups(g);
	out->n = 0;
	out->group_ns = arena_alloc(mem, (n + (size_t)1) * sizeof *out->group_ns);
	out->kind_of = arena_alloc(mem, (n + (size_t)1) * sizeof *out->kind_of);
	out->from = arena_alloc(mem, (n + (size_t)1) * sizeof *out->from);
	out->rows = arena_alloc(mem, (g->n + (size_t)1) * sizeof *out->rows);
	for (uint32_t i = 0; i < out->n_kinds; i++)
		out->kinds[i].top = NONE_ID;
}

/* Kernels of a group lie anywhere in the trace. */
static void fetch_ahead(const struct grouping *g, uint32_t i)
{
	if (i + 2 * AHEAD < g->n)
		__builtin_prefetch(&g->s->kernels[g->order[i + 2 * AHEAD]]);
	if (i + AHEAD >= g->n)
		return;
	row_id r = g->s->kernels[g->order[i + AHEAD]].row;
	__builtin_prefetch(&g->c->start_ns[r]);
	__builtin_prefetch(&g->c->dur_ns[r]);
}

static void make_groups(const struct grouping *g, struct arena *mem)
{
	struct kernel_stats *out = g->s;
	take_room(g, mem);
	for (uint32_t i = 0; i < g->n; i++) {
		if (i && begins_group(g, i))
			end_group(out, out->kernels[g->order[i - 1]].kind, i);
		fetch_ahead(g, i);
		row_id r = out->kernels[g->order[i]].row;
		out->rows[i] = r;
		out->group_ns[out->n] += query_clipped_ns(&out->q, g->c->start_ns[r], row_end(g->c, r));
	}
	if (g->n)
		end_group(out, out->kernels[g->order[g->n - 1]].kind, g->n);
}

static int compare_totals(const void *pa, const void *pb, void *arg)
{
	const struct kernel_stats *s = arg;
	const struct rank *a = pa, *b = pb;
	int64_t ta = s->group_ns[a->id], tb = s->group_ns[b->id];
	return ta != tb ? (ta > tb ? -1 : 1) : (a->id > b->id) - (a->id < b->id);
}

static void rank_groups(struct kernel_stats *s, struct arena *mem)
{
	s->order = arena_alloc(mem, (s->n + 1) * sizeof *s->order);
	for (uint32_t i = 0; i < s->n; i++)
		s->order[i] = (struct rank){rank_size(s->group_ns[i]), i};
	rank_sort(s->order, s->n);
	rank_ties(s->order, s->n, RANK_LARGE, compare_totals, s);
}

void kernel_stats_group_by(struct kernel_stats *s, struct launch_shapes *shapes, const uint8_t *wanted,
			   struct arena *mem)
{
	struct grouping g = {.s = s,
			     .c = derived_columns(s->d),
			     .shape = must(malloc((s->n_kernels + 1) * sizeof *g.shape)),
			     .order = must(malloc((s->n_kernels + 1) * sizeof *g.order))};
	find_shapes(&g, shapes, wanted);
	sort_kernels(&g, launch_shapes_count(shapes));
	launch_shapes_free(shapes);
	make_groups(&g, mem);
	free(g.shape);
	free(g.order);
	rank_groups(s, mem);
}

void kernel_stats_make_groups(struct kernel_stats *s, const uint8_t *wanted, struct arena *mem)
{
	kernel_stats_group_by(s, launch_shapes_new(derived_trace(s->d)), wanted, mem);
}

const struct kernel_kind *kernel_kind_longer(const struct kernel_stats *s, const struct kernel_kind *x,
					     const struct kernel_kind *y)
{
	if (!x || x->top == NONE_ID)
		return y;
	if (y->top == NONE_ID)
		return x;
	int64_t x_ns = s->group_ns[x->top], y_ns = s->group_ns[y->top];
	return y_ns > x_ns || (y_ns == x_ns && y->top < x->top) ? y : x;
}

/* ---- one group ---------------------------------------------------------------------------------------------------------- */

static void take_inside(struct kernel_group *k, row_id r, int64_t start, int64_t dur)
{
	if (!k->count++ || dur > k->max_ns)
		k->longest = r;
	k->whole_ns += dur;
	k->min_ns = dur < k->min_ns ? dur : k->min_ns;
	k->max_ns = dur > k->max_ns ? dur : k->max_ns;
	if (start < k->first_ns) {
		k->first_ns = start;
		k->first = r;
	}
	if (start + dur > k->last_end_ns) {
		k->last_end_ns = start + dur;
		k->last = r;
	}
}

/* Kernels of one shape can differ in what the producer tells as their occupancy. */
static void weigh_occupancy(struct kernel_group *k, const struct kernel_info *info, int64_t dur)
{
	if (!info || isnan(info->occupancy_pct))
		return;
	k->occupancy_sum += (double)info->occupancy_pct * (double)dur;
	k->occupancy_ns += (double)dur;
}

struct kernel_group kernel_stats_group(const struct kernel_stats *s, uint32_t group)
{
	const struct trace *t = derived_trace(s->d);
	const struct columns *c = trace_columns(t);
	row_id first = s->rows[s->from[group]];
	struct kernel_group k = {.kind = &s->kinds[s->kind_of[group]],
				 .info = trace_kernel(t, first),
				 .total_ns = s->group_ns[group],
				 .min_ns = INT64_MAX,
				 .longest = first,
				 .first = first,
				 .last = first,
				 .first_ns = INT64_MAX,
				 .last_end_ns = INT64_MIN};
	k.occupancy_first = k.info ? k.info->occupancy_pct : NAN;
	for (uint32_t i = s->from[group]; i < s->from[group + 1]; i++) {
		row_id r = s->rows[i];
		if (!query_holds(&s->q, c->start_ns[r]))
			continue;
		take_inside(&k, r, c->start_ns[r], c->dur_ns[r]);
		weigh_occupancy(&k, trace_kernel(t, r), c->dur_ns[r]);
	}
	return k;
}

double kernel_group_occupancy(const struct kernel_group *g, bool first)
{
	if (first)
		return (double)g->occupancy_first;
	return g->occupancy_ns > 0 ? g->occupancy_sum / g->occupancy_ns : (double)g->occupancy_first;
}
