#include "kernel_stats.h"
#include "derived_data.h"
#include "intervals.h"
#include "kernel_items.h"
#include "launch_shapes.h"
#include "op_said.h"
#include "rank.h"
#include "windowed.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct name_facts {
	bool known, collective;
	uint8_t uses_tc, precision, tc_trust;
	const char *tc_rule;
};
/* Rules are asked once per kernel name and op and not once per launch shape: a direct-mapped cache. */
enum { ELIGIBLE_SLOTS = 4096 };
struct eligible {
	bool known;
	str_id name, op, op_type, equation;
	enum verdict verdict;
};
/* Texts met so far, numbered; later numbered again in the order of their bytes. */
struct texts {
	uint32_t *number; /* by string id: + 1, 0 = not met */
	str_id *at;
	uint32_t n, cap;
};
/* An op and a verdict share one word of the sorting key: verdict first, then op. */
enum { VERDICT_SHIFT = 30 };
#define OP_MASK ((UINT32_C(1) << VERDICT_SHIFT) - 1)

struct grouping {
	const struct derived *d;
	const struct trace *t;
	const struct columns *c;
	const struct kernel_rules *rules;
	struct launch_shapes *shapes;
	struct name_facts *facts; /* by string id */
	struct eligible *eligible;
	struct op_said said;
	bool xprof;
	struct texts names, ops;
	struct kernel_items items;
	struct spreading *spreading; /* NULL: nobody asked */
	row_id last_link;            /* neighbours are often alike: one launch owns hundreds of kernels of a graph */
	uint32_t last_detail;
	str_id last_op;
};

/* Pages that nobody touches cost nothing. */
static void *zeroed(size_t n, size_t size)
{
	void *p = calloc(n, size);
	if (!p)
		abort();
	return p;
}

/* ---- the key of a kernel ------------------------------------------------------------------------------------------------ */

static uint32_t text_number(struct texts *v, str_id id)
{
	if (v->number[id])
		return v->number[id] - 1;
	if (v->n == v->cap) {
		v->cap = v->cap ? v->cap * 2 : 64;
		v->at = grow_or_abort(v->at, v->cap * sizeof *v->at);
	}
	v->at[v->n] = id;
	v->number[id] = ++v->n;
	return v->n - 1;
}

static const struct name_facts *facts_of(struct grouping *g, str_id name)
{
	struct name_facts *f = &g->facts[name];
	if (!f->known) {
		const char *text = trace_str(g->t, name);
		struct kernel_said tc = kernel_tc_said(g->rules, text);
		*f = (struct name_facts){.known = true,
					 .collective = kernel_is_collective(g->rules, text),
					 .uses_tc = (uint8_t)tc.verdict,
					 .tc_trust = tc.trust,
					 .tc_rule = tc.rule,
					 .precision = (uint8_t)kernel_precision(g->rules, text)};
	}
	return f;
}

static uint32_t eligible_slot(const struct eligible *x)
{
	uint64_t h = ((uint64_t)x->name << 32 | x->op) * 0x9E3779B97F4A7C15u;
	h ^= (uint64_t)(x->op_type * 31 + x->equation) * 0xC2B2AE3D27D4EB4Fu;
	h ^= h >> 29;
	h *= 0xBF58476D1CE4E5B9u;
	return (uint32_t)(h >> 32) % ELIGIBLE_SLOTS;
}

static enum verdict eligible_of(struct grouping *g, str_id name, str_id op, const struct kernel_info *info)
{
	struct eligible want = {.known = true, .name = name, .op = op};
	want.op_type = info ? info->op_type : 0;
	want.equation = info ? info->equation : 0;
	struct eligible *slot = &g->eligible[eligible_slot(&want)];
	if (slot->known && slot->name == want.name && slot->op == want.op && slot->op_type == want.op_type &&
	    slot->equation == want.equation)
		return slot->verdict;
	want.verdict =
		kernel_tc_eligible(g->rules, trace_str(g->t, name), trace_str(g->t, op), trace_str(g->t, want.op_type),
				   trace_str(g->t, want.equation), (enum verdict)facts_of(g, name)->uses_tc);
	*slot = want;
	return want.verdict;
}

static str_id op_of(struct grouping *g, row_id r)
{
	row_id link = g->c->link[r];
	uint32_t detail = g->c->detail[r];
	if (link == NONE_ID || link != g->last_link || detail != g->last_detail) {
		g->last_link = link;
		g->last_detail = detail;
		g->last_op = g->xprof ? op_as_said(&g->said, r) : op_of_event(g->d, r);
	}
	return g->last_op;
}

static void add_kernel(struct grouping *g, row_id r)
{
	facts_ahead(g->d, r);
	str_id name = g->c->name[r], op = op_of(g, r);
	uint32_t verdict = (uint32_t)eligible_of(g, name, op, trace_kernel(g->t, r));
	uint32_t last = verdict << VERDICT_SHIFT | text_number(&g->ops, op);
	kernel_items_add(&g->items,
			 (struct kernel_item){text_number(&g->names, name), launch_shape_of(g->shapes, r), last, r});
}

/* The reference tool knows no kernel without a length. */
static bool counts(const struct grouping *g, row_id r)
{
	return !g->xprof || g->c->dur_ns[r] > 0;
}

static bool read_kernels(struct grouping *g, const struct query *q, struct progress *p, struct err *e)
{
	struct windowed w = windowed_open(g->d, q, p);
	for (uint32_t track = 0; track < trace_tracks(g->t); track++) {
		const struct track_info *info = trace_track(g->t, track);
		if (info->device == NONE_ID || info->derived_by_producer)
			continue;
		windowed_track(&w, track, KIND_BIT(KIND_KERNEL));
		while (windowed_next(&w))
			if (counts(g, w.row))
				add_kernel(g, w.row);
	}
	return windowed_done(&w, e);
}

/* ---- the order of the keys: by text and shape, so that groups that took as long stand in it ------------------------------- */

static int compare_texts(const void *x, const void *y, void *arg)
{
	const struct trace *t = arg;
	str_id a = *(const str_id *)x, b = *(const str_id *)y;
	int order = strcmp(trace_str(t, a), trace_str(t, b));
	return order ? order : (a > b) - (a < b);
}

/* Sorts the texts; returns what each old number becomes. */
static uint32_t *sort_texts(struct texts *v, const struct trace *t)
{
	uint32_t *becomes = grow_or_abort(NULL, v->n * sizeof *becomes);
	if (v->n)
		qsort_r(v->at, v->n, sizeof *v->at, compare_texts, (void *)t);
	for (uint32_t i = 0; i < v->n; i++)
		becomes[v->number[v->at[i]] - 1] = i;
	return becomes;
}

static void sort_kernels(struct grouping *g)
{
	uint32_t *names = sort_texts(&g->names, g->t), *ops = sort_texts(&g->ops, g->t);
	uint32_t *shapes = launch_shapes_ranks(g->shapes);
	for (size_t i = 0; i < g->items.n; i++) {
		struct kernel_item *x = &g->items.at[i];
		x->name = names[x->name];
		x->shape = shapes[x->shape];
		x->op = (x->op & ~OP_MASK) | ops[x->op & OP_MASK];
	}
	free(names);
	free(ops);
	free(shapes);
	kernel_items_sort(&g->items);
}

/* ---- groups ------------------------------------------------------------------------------------------------------------- */

static struct kernel_group new_group(struct grouping *g, const struct kernel_item *x)
{
	str_id name = g->c->name[x->row];
	const struct name_facts *f = facts_of(g, name);
	const struct kernel_info *info = trace_kernel(g->t, x->row);
	return (struct kernel_group){.name = name,
				     .info = info,
				     .op = g->ops.at[x->op & OP_MASK],
				     .uses_tc = (enum verdict)f->uses_tc,
				     .eligible = (enum verdict)(x->op >> VERDICT_SHIFT),
				     .precision = (enum precision)f->precision,
				     .collective = f->collective,
				     .tc_trust = f->tc_trust,
				     .tc_rule = f->tc_rule,
				     .min_ns = INT64_MAX,
				     .occupancy_first = info ? info->occupancy_pct : NAN,
				     .longest = x->row,
				     .first = x->row,
				     .last = x->row,
				     .first_ns = INT64_MAX,
				     .last_end_ns = INT64_MIN};
}

static void count_kernel(struct kernel_group *k, row_id r, int64_t start, int64_t dur)
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

static void take_kernel(const struct grouping *g, const struct query *q, struct kernel_group *k, row_id r)
{
	int64_t start = g->c->start_ns[r], dur = g->c->dur_ns[r];
	int64_t a = start < q->a_ns ? q->a_ns : start, b = start + dur > q->b_ns ? q->b_ns : start + dur;
	k->total_ns += b > a ? b - a : 0;
	if (start < q->a_ns || start >= q->b_ns)
		return;
	count_kernel(k, r, start, dur);
	weigh_occupancy(k, trace_kernel(g->t, r), dur);
}

/* The kernels of a group lie anywhere: what they need is fetched while others are added up. */
static void fetch_ahead(const struct grouping *g, size_t i)
{
	enum { NEAR = 12, FAR = 24 };
	if (i + FAR < g->items.n) {
		row_id r = g->items.at[i + FAR].row;
		__builtin_prefetch(&g->c->start_ns[r]);
		__builtin_prefetch(&g->c->dur_ns[r]);
		__builtin_prefetch(&g->c->detail[r]);
		__builtin_prefetch(&g->c->kind[r]);
		__builtin_prefetch(&g->c->name[r]);
	}
	if (i + NEAR < g->items.n)
		__builtin_prefetch(trace_kernel(g->t, g->items.at[i + NEAR].row));
}

static uint32_t count_groups(const struct kernel_items *v)
{
	uint32_t n = v->n > 0;
	for (size_t i = 1; i < v->n; i++)
		n += !kernel_items_alike(&v->at[i - 1], &v->at[i]);
	return n;
}

static void spread_groups(struct grouping *g, struct arena *mem, struct kernel_stats *out)
{
	const struct kernel_items *v = &g->items;
	out->spread = arena_alloc(mem, (out->n + 1) * sizeof *out->spread);
	uint32_t n = 0;
	for (size_t i = 0, end; i < v->n; i = end) {
		for (end = i + 1; end < v->n && kernel_items_alike(&v->at[i], &v->at[end]);)
			end++;
		out->spread[n++] = spreading_group(g->spreading, &v->at[i], end - i);
	}
	out->steps = spreading_steps(g->spreading);
}

static void make_groups(struct grouping *g, const struct query *q, struct arena *mem, struct kernel_stats *out)
{
	out->groups = arena_alloc(mem, (count_groups(&g->items) + 1) * sizeof *out->groups);
	struct kernel_group *k = NULL;
	for (size_t i = 0; i < g->items.n; i++) {
		fetch_ahead(g, i);
		if (!i || !kernel_items_alike(&g->items.at[i - 1], &g->items.at[i])) {
			k = &out->groups[out->n++];
			*k = new_group(g, &g->items.at[i]);
		}
		take_kernel(g, q, k, g->items.at[i].row);
	}
	if (g->spreading)
		spread_groups(g, mem, out);
}

static int compare_totals(const void *pa, const void *pb, void *arg)
{
	const struct kernel_stats *s = arg;
	const struct rank *a = pa, *b = pb;
	int64_t ta = s->groups[a->id].total_ns, tb = s->groups[b->id].total_ns;
	return ta != tb ? (ta > tb ? -1 : 1) : (a->id > b->id) - (a->id < b->id);
}

static void rank_groups(struct kernel_stats *s, struct arena *mem)
{
	s->order = arena_alloc(mem, (s->n + 1) * sizeof *s->order);
	for (uint32_t i = 0; i < s->n; i++) {
		s->order[i] = (struct rank){rank_size(s->groups[i].total_ns), i};
		s->total_ns += s->groups[i].total_ns;
		s->count += s->groups[i].count;
	}
	rank_sort(s->order, s->n);
	rank_ties(s->order, s->n, RANK_LARGE, compare_totals, s);
}

static struct texts texts_new(const struct trace *t)
{
	return (struct texts){.number = zeroed(strings_count(trace_strings(t)) + 1u, sizeof(uint32_t))};
}

static void grouping_free(struct grouping *g)
{
	spreading_free(g->spreading);
	launch_shapes_free(g->shapes);
	op_said_free(&g->said);
	free(g->facts);
	free(g->eligible);
	free(g->names.number);
	free(g->names.at);
	free(g->ops.number);
	free(g->ops.at);
	free(g->items.at);
}

static bool make_stats(const struct derived *d, const struct query *q, const struct kernel_rules *rules,
		       struct spreading *spreading, struct arena *mem, struct progress *p, struct kernel_stats *out,
		       struct err *e)
{
	const struct trace *t = derived_trace(d);
	struct grouping g = {.d = d, .t = t, .c = trace_columns(t), .rules = rules, .last_link = NONE_ID};
	g.xprof = derived_options(d)->semantics == SEM_XPROF;
	g.spreading = spreading;
	g.facts = zeroed(strings_count(trace_strings(t)) + 1u, sizeof *g.facts);
	g.names = texts_new(t);
	g.ops = texts_new(t);
	g.shapes = launch_shapes_new(t);
	op_said_init(&g.said, d);
	g.eligible = zeroed(ELIGIBLE_SLOTS, sizeof *g.eligible);
	*out = (struct kernel_stats){0};
	bool fine = read_kernels(&g, q, p, e);
	if (fine) {
		sort_kernels(&g);
		make_groups(&g, q, mem, out);
		rank_groups(out, mem);
	}
	grouping_free(&g);
	return fine;
}

bool kernel_stats_make(const struct derived *d, const struct query *q, const struct kernel_rules *rules,
		       struct arena *mem, struct progress *p, struct kernel_stats *out, struct err *e)
{
	return make_stats(d, q, rules, NULL, mem, p, out, e);
}

bool kernel_stats_spread(const struct derived *d, const struct query *q, const struct kernel_rules *rules,
			 struct arena *mem, struct progress *p, struct kernel_stats *out, struct err *e)
{
	return make_stats(d, q, rules, spreading_new(d, q), mem, p, out, e);
}

double kernel_group_occupancy(const struct kernel_group *g, bool first)
{
	if (first)
		return (double)g->occupancy_first;
	return g->occupancy_ns > 0 ? g->occupancy_sum / g->occupancy_ns : (double)g->occupancy_first;
}
