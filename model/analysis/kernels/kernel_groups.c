/* Groups of kernels: of one kind, launched alike. */
#include "kernel_keys.h"
#include "kernel_stats.h"
#include "launch_shapes.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/deal.h"
#include "model/store/base/grow.h"
#include "model/store/base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WAITING = 8, AHEAD = 16 };
/* What a group adds up to. */
struct group_sum {
	int64_t total_ns;
	uint32_t n;
};
struct grouping {
	struct kernel_stats *s;
	const struct columns *c;
	const uint8_t *wanted;
	struct launch_shapes *shapes;
	struct kernel_keys keys;
	uint32_t *of_shape; /* the group met last of each shape, number + 1; 0 = none */
	uint32_t n_shapes;
	uint32_t *group_of; /* per kernel: number of its key, in the order met; NONE_ID: not wanted */
	struct waiting {    /* for its number, while the memory around it is fetched */
		struct kernel_key key;
		size_t at; /* among the kernels */
	} waiting[WAITING];
	size_t n_waited, n_put;
};

static void *zeroed(size_t n, size_t size)
{
	return must(calloc(n, size));
}

/* ---- which group -------------------------------------------------------------------------------------------------------- */

/* Where the group met last of the shape stands. */
static uint32_t *group_of_shape(struct grouping *g, uint32_t shape)
{
	if (shape >= g->n_shapes) {
		uint32_t known = g->n_shapes;
		GROW_ARRAY(g->of_shape, shape, g->n_shapes);
		memset(g->of_shape + known, 0, (g->n_shapes - known) * sizeof *g->of_shape);
	}
	return &g->of_shape[shape];
}

/* Numbers come in the order of the rows: what waits longest is put first. */
static void put_oldest(struct grouping *g)
{
	const struct waiting *x = &g->waiting[g->n_put++ % WAITING];
	uint32_t group = kernel_keys_put(&g->keys, x->key);
	*group_of_shape(g, x->key.shape) = group + 1;
	g->group_of[x->at] = group;
}

static void wait_for_key(struct grouping *g, struct kernel_key key, size_t at)
{
	if (g->n_waited - g->n_put == WAITING)
		put_oldest(g);
	kernel_keys_ahead(&g->keys, key);
	if (g->n_waited - g->n_put >= WAITING / 2)
		kernel_keys_near(&g->keys, g->waiting[(g->n_waited - WAITING / 2) % WAITING].key);
	g->waiting[g->n_waited++ % WAITING] = (struct waiting){key, at};
}

/* Most kernels of a shape are of one kind. */
static void find_group(struct grouping *g, size_t at)
{
	const struct kernel_row *x = &g->s->kernels[at];
	struct kernel_key key = {x->kind, launch_shape_of(g->shapes, x->row)};
	uint32_t known = *group_of_shape(g, key.shape);
	if (known && g->keys.at[known - 1].kind == key.kind)
		g->group_of[at] = known - 1;
	else
		wait_for_key(g, key, at);
}

static void find_groups(struct grouping *g)
{
	g->group_of = must(malloc((g->s->n_kernels + 1) * sizeof *g->group_of));
	for (size_t i = 0; i < g->s->n_kernels; i++) {
		if (g->wanted && !g->wanted[g->s->kernels[i].kind]) {
			g->group_of[i] = NONE_ID;
			continue;
		}
		facts_ahead(g->s->d, g->s->kernels[i].row);
		launch_shapes_ahead(g->shapes, g->s->kernels[i].row);
		find_group(g, i);
	}
	while (g->n_put < g->n_waited)
		put_oldest(g);
}

/* ---- their order: by text and launch, so that groups that took as long stand in it ---------------------------------------- */

struct key_order {
	const struct kernel_key *keys;
	const struct kernel_kind *kinds;
	uint32_t *shape_ranks;
};

static uint32_t kind_of_key(const void *arg, uint32_t key)
{
	return ((const struct key_order *)arg)->keys[key].kind;
}

static uint32_t shape_of_key(const void *arg, uint32_t key)
{
	const struct key_order *x = arg;
	return x->shape_ranks[x->keys[key].shape];
}

static uint32_t name_of_key(const void *arg, uint32_t key)
{
	const struct key_order *x = arg;
	return x->kinds[x->keys[key].kind].name_rank;
}

/* Kinds stand in the order of their names already, those of one name by op: the least important of the three. */
static uint32_t *sorted_keys(const struct grouping *g)
{
	const struct kernel_stats *s = g->s;
	uint32_t n = g->keys.n, names = s->n_kinds ? s->kinds[s->n_kinds - 1].name_rank + 1 : 0;
	uint32_t *order = must(malloc((n + (size_t)1) * sizeof *order)),
		 *dealt = must(malloc((n + (size_t)1) * sizeof *dealt));
	struct key_order x = {g->keys.at, s->kinds, launch_shapes_ranks(g->shapes)};
	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	deal_by(order, dealt, n, s->n_kinds, kind_of_key, &x);
	deal_by(dealt, order, n, launch_shapes_count(g->shapes), shape_of_key, &x);
	deal_by(order, dealt, n, names, name_of_key, &x);
	free(order);
	free(x.shape_ranks);
	return dealt;
}

/* ---- sums and rows ------------------------------------------------------------------------------------------------------ */

static struct group_sum *add_up(const struct grouping *g)
{
	struct group_sum *sums = zeroed(g->keys.n + (size_t)1, sizeof *sums);
	for (size_t i = 0; i < g->s->n_kernels; i++) {
		if (i + AHEAD < g->s->n_kernels && g->group_of[i + AHEAD] != NONE_ID)
			__builtin_prefetch(&sums[g->group_of[i + AHEAD]], 1);
		if (g->group_of[i] == NONE_ID)
			continue;
		struct group_sum *sum = &sums[g->group_of[i]];
		int64_t start_ns = g->c->start_ns[g->s->kernels[i].row];
		sum->n++;
		sum->total_ns += query_clipped_ns(&g->s->q, start_ns, row_end(g->c, g->s->kernels[i].row));
	}
	return sums;
}

/* The rows of each group, in the order of the trace. */
static void deal_rows(const struct grouping *g, const uint32_t *order, struct group_sum *sums)
{
	struct kernel_stats *out = g->s;
	for (uint32_t i = 0; i < out->n; i++)
		sums[order[i]].n = out->from[i]; /* from now on where its next row goes */
	for (size_t i = 0; i < out->n_kernels; i++) {
		if (i + AHEAD < out->n_kernels && g->group_of[i + AHEAD] != NONE_ID)
			__builtin_prefetch(&sums[g->group_of[i + AHEAD]], 1);
		if (g->group_of[i] != NONE_ID)
			out->rows[sums[g->group_of[i]].n++] = out->kernels[i].row;
	}
}

static void put_group(struct kernel_stats *out, uint32_t i, uint32_t kind, const struct group_sum *sum)
{
	struct kernel_kind *k = &out->kinds[kind];
	out->group_ns[i] = sum->total_ns;
	out->kind_of[i] = kind;
	out->from[i + 1] = out->from[i] + sum->n;
	if (k->top == NONE_ID || sum->total_ns > out->group_ns[k->top])
		k->top = i;
}

static void make_groups(const struct grouping *g, const uint32_t *order, struct arena *mem)
{
	struct kernel_stats *out = g->s;
	struct group_sum *sums = add_up(g);
	out->n = g->keys.n;
	out->group_ns = arena_alloc(mem, (out->n + (size_t)1) * sizeof *out->group_ns);
	out->kind_of = arena_alloc(mem, (out->n + (size_t)1) * sizeof *out->kind_of);
	out->from = arena_alloc(mem, (out->n + (size_t)1) * sizeof *out->from);
	for (uint32_t i = 0; i < out->n_kinds; i++)
		out->kinds[i].top = NONE_ID;
	for (uint32_t i = 0; i < out->n; i++)
		put_group(out, i, g->keys.at[order[i]].kind, &sums[order[i]]);
	out->rows = arena_alloc(mem, (out->from[out->n] + (size_t)1) * sizeof *out->rows);
	deal_rows(g, order, sums);
	free(sums);
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
	struct grouping g = {.s = s, .c = derived_columns(s->d), .wanted = wanted, .shapes = shapes};
	find_groups(&g);
	free(g.of_shape);
	kernel_keys_settle(&g.keys);
	uint32_t *order = sorted_keys(&g);
	launch_shapes_free(g.shapes);
	make_groups(&g, order, mem);
	free(order);
	kernel_keys_free(&g.keys);
	free(g.group_of);
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
