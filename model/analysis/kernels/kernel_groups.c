/* Groups of kernels: of one kind, launched alike. */
#include "kernel_items.h"
#include "kernel_keys.h"
#include "kernel_stats.h"
#include "launch_shapes.h"
#include "model/analysis/derived/rows.h"
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
	const struct trace *t;
	const struct columns *c;
	const uint8_t *wanted;
	struct launch_shapes *shapes;
	struct kernel_keys keys;
	uint32_t *of_detail; /* the group met last with these facts, number + 1; 0 = none */
	uint32_t n_details;
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

/* Where the group met last with the facts of the kernel stands. */
static uint32_t *group_of_facts(struct grouping *g, row_id r)
{
	uint32_t detail = trace_kernel(g->t, r) ? g->c->detail[r] : 0;
	if (detail >= g->n_details) {
		uint32_t known = g->n_details;
		GROW_ARRAY(g->of_detail, detail, g->n_details);
		memset(g->of_detail + known, 0, (g->n_details - known) * sizeof *g->of_detail);
	}
	return &g->of_detail[detail];
}

/* Numbers come in the order of the rows: what waits longest is put first. */
static void put_oldest(struct grouping *g)
{
	const struct waiting *x = &g->waiting[g->n_put++ % WAITING];
	uint32_t group = kernel_keys_put(&g->keys, x->key);
	*group_of_facts(g, g->s->kernels[x->at].row) = group + 1;
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

/* Facts decide everything of a group but its kind. */
static void find_group(struct grouping *g, size_t at)
{
	const struct kernel_row *x = &g->s->kernels[at];
	uint32_t known = *group_of_facts(g, x->row);
	if (known && g->keys.at[known - 1].kind == x->kind)
		g->group_of[at] = known - 1;
	else
		wait_for_key(g, (struct kernel_key){x->kind, launch_shape_of(g->shapes, x->row)}, at);
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

static struct kernel_items sorted_keys(const struct grouping *g)
{
	struct kernel_items v = {0};
	uint32_t *shapes = launch_shapes_ranks(g->shapes);
	for (uint32_t i = 0; i < g->keys.n; i++) {
		const struct kernel_kind *k = &g->s->kinds[g->keys.at[i].kind];
		kernel_items_add(&v, (struct kernel_item){k->name_rank, shapes[g->keys.at[i].shape], k->op_rank, i});
	}
	free(shapes);
	kernel_items_sort(&v);
	return v;
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
static void deal_rows(const struct grouping *g, const struct kernel_items *v, struct group_sum *sums)
{
	struct kernel_stats *out = g->s;
	for (uint32_t i = 0; i < out->n; i++)
		sums[v->at[i].row].n = out->from[i]; /* from now on where its next row goes */
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

static void make_groups(const struct grouping *g, struct arena *mem)
{
	struct kernel_stats *out = g->s;
	struct kernel_items v = sorted_keys(g);
	struct group_sum *sums = add_up(g);
	out->n = g->keys.n;
	out->group_ns = arena_alloc(mem, (v.n + 1) * sizeof *out->group_ns);
	out->kind_of = arena_alloc(mem, (v.n + 1) * sizeof *out->kind_of);
	out->from = arena_alloc(mem, (v.n + 1) * sizeof *out->from);
	for (uint32_t i = 0; i < out->n_kinds; i++)
		out->kinds[i].top = NONE_ID;
	for (uint32_t i = 0; i < out->n; i++)
		put_group(out, i, g->keys.at[v.at[i].row].kind, &sums[v.at[i].row]);
	out->rows = arena_alloc(mem, (out->from[out->n] + (size_t)1) * sizeof *out->rows);
	deal_rows(g, &v, sums);
	free(sums);
	free(v.at);
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

void kernel_stats_make_groups(struct kernel_stats *s, const uint8_t *wanted, struct arena *mem)
{
	const struct trace *t = derived_trace(s->d);
	struct grouping g = {.s = s, .t = t, .c = trace_columns(t), .wanted = wanted, .shapes = launch_shapes_new(t)};
	find_groups(&g);
	make_groups(&g, mem);
	rank_groups(s, mem);
	launch_shapes_free(g.shapes);
	kernel_keys_free(&g.keys);
	free(g.of_detail);
	free(g.group_of);
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
