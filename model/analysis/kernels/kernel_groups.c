/* Groups of kernels: of one kind, launched alike. */
#include "kernel_stats.h"
#include "launch_shapes.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/deal.h"
#include "model/analysis/query/halves.h"
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

struct lookup {
	struct grouping *g;
	const struct launch_shapes *shapes;
};

/* Of shapes that were met before. */
static bool look_up_shapes(void *reader, uint32_t from, uint32_t to)
{
	const struct lookup *x = reader;
	const struct kernel_row *kernels = x->g->s->kernels;
	for (uint32_t i = from; i < to; i++)
		x->g->shape[i] = launch_shape_met(x->shapes, kernels[i].row);
	return true;
}

static uint32_t meet_shape(const struct grouping *g, struct launch_shapes *shapes, row_id r)
{
	facts_ahead(g->s->d, r);
	launch_shapes_ahead(shapes, r);
	return launch_shape_of(shapes, r);
}

static void find_shapes(struct grouping *g, struct launch_shapes *shapes, const uint8_t *wanted)
{
	const struct kernel_stats *s = g->s;
	struct halves h = halves_of_list(s->d, (uint32_t)s->n_kernels);
	struct lookup x = {g, shapes};
	halves_read(&h, look_up_shapes, &x, &x);
	for (size_t i = 0; i < s->n_kernels; i++) {
		if (wanted && !wanted[s->kernels[i].kind]) {
			g->shape[i] = NONE_ID;
			continue;
		}
		if (g->shape[i] == NONE_ID)
			g->shape[i] = meet_shape(g, shapes, s->kernels[i].row);
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

/* Places [from, to) of the order, where a group begins at `from` and another one at `to`. */
struct run {
	READER_APART const struct grouping *g;
	uint32_t group; /* first how many there are, then which one comes next */
};

static bool count_groups(void *reader, uint32_t from, uint32_t to)
{
	struct run *x = reader;
	const struct grouping *g = x->g;
	uint32_t n = 0;
	for (uint32_t i = from; i < to; i++) {
		if (i + AHEAD < to) {
			__builtin_prefetch(&g->shape[g->order[i + AHEAD]]);
			__builtin_prefetch(&g->s->kernels[g->order[i + AHEAD]]);
		}
		n += begins_group(g, i);
	}
	x->group = n;
	return true;
}

static void take_room(const struct grouping *g, uint32_t groups, struct arena *mem)
{
	struct kernel_stats *out = g->s;
	out->n = groups;
	out->group_ns = arena_alloc(mem, (groups + (size_t)1) * sizeof *out->group_ns);
	out->kind_of = arena_alloc(mem, (groups + (size_t)1) * sizeof *out->kind_of);
	out->from = arena_alloc(mem, (groups + (size_t)1) * sizeof *out->from);
	out->rows = arena_alloc(mem, (g->n + (size_t)1) * sizeof *out->rows);
}

/* Kernels of a group lie anywhere in the trace. */
static void fetch_ahead(const struct grouping *g, uint32_t i)
{
	if (i + 2 * AHEAD < g->n) {
		__builtin_prefetch(&g->s->kernels[g->order[i + 2 * AHEAD]]);
		__builtin_prefetch(&g->shape[g->order[i + 2 * AHEAD]]);
	}
	if (i + AHEAD >= g->n)
		return;
	row_id r = g->s->kernels[g->order[i + AHEAD]].row;
	__builtin_prefetch(&g->c->start_ns[r]);
	__builtin_prefetch(&g->c->dur_ns[r]);
}

/* A group ends behind place i. */
static void end_group(struct run *x, uint32_t i)
{
	struct kernel_stats *out = x->g->s;
	out->kind_of[x->group] = out->kernels[x->g->order[i]].kind;
	out->from[++x->group] = i + 1;
}

static bool fill_groups(void *reader, uint32_t from, uint32_t to)
{
	struct run *x = reader;
	const struct grouping *g = x->g;
	struct kernel_stats *out = g->s;
	for (uint32_t i = from; i < to; i++) {
		if (i > from && begins_group(g, i))
			end_group(x, i - 1);
		fetch_ahead(g, i);
		row_id r = out->kernels[g->order[i]].row;
		out->rows[i] = r;
		out->group_ns[x->group] += query_clipped_ns(&out->q, g->c->start_ns[r], row_end(g->c, r));
	}
	if (from < to)
		end_group(x, to - 1);
	return true;
}

static void find_tops(struct kernel_stats *s)
{
	for (uint32_t i = 0; i < s->n_kinds; i++)
		s->kinds[i].top = NONE_ID;
	for (uint32_t i = 0; i < s->n; i++) {
		struct kernel_kind *k = &s->kinds[s->kind_of[i]];
		if (k->top == NONE_ID || s->group_ns[i] > s->group_ns[k->top])
			k->top = i;
	}
}

static void make_groups(const struct grouping *g, struct arena *mem)
{
	struct halves h = halves_of_list(g->s->d, g->n);
	while (h.middle < g->n && !begins_group(g, h.middle))
		h.middle++;
	struct run of[2] = {{.g = g}, {.g = g}};
	halves_read(&h, count_groups, &of[0], &of[1]);
	take_room(g, of[0].group + of[1].group, mem);
	of[1].group = of[0].group;
	of[0].group = 0;
	halves_read(&h, fill_groups, &of[0], &of[1]);
	find_tops(g->s);
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
