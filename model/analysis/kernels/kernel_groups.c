/* Groups of kernels: of one kind, launched alike. */
#include "kernel_order.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/query/halves.h"
#include "model/analysis/query/windowed.h"
#include "model/store/base/both.h"
#include "model/store/base/memory.h"
#include <math.h>
#include <stdlib.h>

struct grouping {
	struct kernel_stats *s;
	const struct columns *c;
	struct ordered_kernel *at; /* those of a group together */
	uint32_t n;
};

/* ---- sums and rows ------------------------------------------------------------------------------------------------------ */

static bool begins_group(const struct grouping *g, uint32_t i)
{
	return !i || g->at[i].shape != g->at[i - 1].shape || g->at[i].kind != g->at[i - 1].kind;
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
	for (uint32_t i = from; i < to; i++)
		n += begins_group(g, i);
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

/* A group ends after place i. */
static void end_group(struct run *x, uint32_t i)
{
	struct kernel_stats *out = x->g->s;
	out->kind_of[x->group] = x->g->at[i].kind;
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
		row_id r = out->rows[i] = g->at[i].row;
		out->group_ns[x->group] += g->at[i].ns < NS_TOO_LONG
						   ? g->at[i].ns
						   : query_clipped_ns(&out->q, g->c->start_ns[r], row_end(g->c, r));
	}
	if (from < to)
		end_group(x, to - 1);
	return true;
}

static void find_tops(struct kernel_stats *s, struct arena *mem)
{
	s->top = arena_alloc(mem, (s->n_kinds + (size_t)1) * sizeof *s->top);
	for (uint32_t i = 0; i < s->n_kinds; i++)
		s->top[i] = NONE_ID;
	for (uint32_t i = 0; i < s->n; i++) {
		uint32_t *top = &s->top[s->kind_of[i]];
		if (*top == NONE_ID || s->group_ns[i] > s->group_ns[*top])
			*top = i;
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
	find_tops(g->s, mem);
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
	struct rank *order = must(malloc((s->n + (size_t)1) * sizeof *order));
	for (uint32_t i = 0; i < s->n; i++)
		order[i] = (struct rank){rank_size(s->group_ns[i]), i};
	rank_sort(order, s->n);
	rank_ties(order, s->n, RANK_LARGE, compare_totals, s);
	s->order = rank_ids(order, s->n, mem);
}

void kernel_stats_group_by(struct kernel_stats *s, struct launch_shapes *shapes, struct arena *mem)
{
	struct grouping g = {.s = s, .c = derived_columns(s->d)};
	g.at = kernels_ordered(s, shapes, &g.n);
	launch_shapes_free(shapes);
	make_groups(&g, mem);
	free(g.at);
	rank_groups(s, mem);
}

/* Kinds and kernels keep their order. */
static void leave_wanted(struct kernel_stats *s, const uint8_t *wanted, struct arena *mem)
{
	uint32_t *becomes = must(malloc((s->n_kinds + (size_t)1) * sizeof *becomes)), n_kinds = 0;
	size_t n = 0;
	for (uint32_t i = 0; i < s->n_kinds; i++)
		if (wanted[i])
			becomes[i] = n_kinds++;
	for (size_t i = 0; i < s->n_kernels; i++)
		n += wanted[s->kernels[i].kind] != 0;
	struct kernel_kind *kinds = arena_alloc(mem, (n_kinds + (size_t)1) * sizeof *kinds);
	struct kernel_row *kernels = arena_alloc(mem, (n + 1) * sizeof *kernels);
	for (uint32_t i = 0; i < s->n_kinds; i++)
		if (wanted[i])
			kinds[becomes[i]] = s->kinds[i];
	n = 0;
	for (size_t i = 0; i < s->n_kernels; i++)
		if (wanted[s->kernels[i].kind])
			kernels[n++] = (struct kernel_row){s->kernels[i].row, becomes[s->kernels[i].kind]};
	free(becomes);
	s->kinds = kinds;
	s->n_kinds = n_kinds;
	s->kernels = kernels;
	s->n_kernels = n;
}

void kernel_stats_make_groups(struct kernel_stats *s, const uint8_t *wanted, struct arena *mem)
{
	if (wanted)
		leave_wanted(s, wanted, mem);
	kernel_stats_group_by(s, launch_shapes_new(derived_trace(s->d)), mem);
}

uint32_t kernel_kind_top(const struct kernel_stats *s, const struct kernel_kind *k)
{
	return s->top ? s->top[k - s->kinds] : NONE_ID;
}

const struct kernel_kind *kernel_kind_longer(const struct kernel_stats *s, const struct kernel_kind *x,
					     const struct kernel_kind *y)
{
	uint32_t x_top = x ? kernel_kind_top(s, x) : NONE_ID, y_top = kernel_kind_top(s, y);
	if (x_top == NONE_ID)
		return y;
	if (y_top == NONE_ID)
		return x;
	int64_t x_ns = s->group_ns[x_top], y_ns = s->group_ns[y_top];
	return y_ns > x_ns || (y_ns == x_ns && y_top < x_top) ? y : x;
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

void kernel_kinds_move(struct kernel_kind *kinds, uint32_t *becomes, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t to; (to = becomes[i]) != i;) {
			struct kernel_kind kind = kinds[to];
			kinds[to] = kinds[i];
			kinds[i] = kind;
			becomes[i] = becomes[to];
			becomes[to] = to;
		}
}

/* ---- kept: what kernels are and how they are launched is read side by side ------------------------------------------------- */

struct making {
	const struct derived *d;
	const struct query *q;
	const struct kernel_stats *stats;
	struct launch_shapes *shapes;
	struct arena *mem;
	struct progress *p;
	struct err *e;
};

static bool make_stats(void *ctx)
{
	struct making *m = ctx;
	m->stats = shared_part(&kernel_stats_part, m->d, m->q, m->mem, m->p, m->e);
	return m->stats != NULL;
}

static bool meet_shapes(void *ctx)
{
	const struct making *m = ctx;
	const struct trace *t = derived_trace(m->d);
	struct windowed w = windowed_open(m->d, m->q, NULL);
	trace_kernels_want(t, m->q->a_ns, m->q->b_ns);
	for (uint32_t track = 0; track < trace_device_tracks(t); track++) {
		if (!track_has_kernels(t, track))
			continue;
		windowed_track(&w, track, KIND_BIT(KIND_KERNEL));
		while (windowed_next(&w)) {
			launch_shapes_ahead(m->shapes, w.row);
			launch_shape_of(m->shapes, w.row);
		}
	}
	return true;
}

static bool no_shapes(void *ctx)
{
	(void)ctx; /* a filter is asked by one thread, and may let few kernels through */
	return true;
}

static bool make_groups_part(const struct derived *d, const struct query *q, void *out, struct arena *mem,
			     struct progress *p, struct err *e)
{
	struct making m = {.d = d, .q = q, .shapes = launch_shapes_new(derived_trace(d)), .mem = mem, .p = p, .e = e};
	if (!both(2, make_stats, q->filter ? no_shapes : meet_shapes, &m)) {
		launch_shapes_free(m.shapes);
		return false;
	}
	struct kernel_stats *grouped = out;
	*grouped = *m.stats;
	kernel_stats_group_by(grouped, m.shapes, mem);
	return true;
}

const struct shared_part kernel_groups_part = {sizeof(struct kernel_stats), make_groups_part};
