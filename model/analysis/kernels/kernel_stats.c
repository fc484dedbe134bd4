#include "kernel_stats.h"
#include "model/store/base/grow.h"
#include "kernel_keys.h"
#include "launch_shapes.h"
#include "model/analysis/derived/rows.h"
#include "model/store/base/idmap.h"
#include "model/analysis/maths/rank.h"
#include "model/analysis/ops/op_said.h"
#include "model/analysis/query/windowed.h"
#include "model/store/base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rules are asked once per kernel name and op and not once per launch shape. */
struct eligible {
	str_id name, op, op_type, equation;
	enum verdict verdict;
};
struct verdicts {
	struct idmap index; /* hash of the texts -> place */
	struct eligible *at;
	uint32_t n, cap;
};
/* Texts met so far, numbered; later numbered again in the order of their bytes. */
struct texts {
	uint32_t *number; /* by string id: + 1, 0 = not met */
	str_id *at;
	uint32_t n, cap;
};
/* An op and a verdict share one word of the sorting key: verdict first, then op. */
enum { VERDICT_SHIFT = 30, WAITING = 8 };
#define OP_MASK ((UINT32_C(1) << VERDICT_SHIFT) - 1)

/* What a group adds up to, by the number of its key. */
struct group_sum {
	int64_t total_ns;
	uint32_t n, kind;
};

struct grouping {
	const struct derived *d;
	const struct trace *t;
	const struct columns *c;
	const struct kernel_rules *rules;
	struct launch_shapes *shapes;
	struct verdicts verdicts;
	struct op_said said;
	bool xprof;
	struct texts names, ops;
	struct kernel_keys keys;
	uint32_t *of_detail; /* the group met last with these facts, number + 1; 0 = none */
	uint32_t n_details;
	struct grouped {
		row_id row;
		uint32_t group; /* number of the key: the first kernel of each has the next number */
	} * rows;
	size_t n_rows, cap_rows;
	struct waiting { /* for its number, while the memory around it is fetched */
		struct kernel_item key;
		size_t at; /* among rows */
	} waiting[WAITING];
	size_t n_waited, n_put;
	row_id last_link; /* neighbours are often alike: one launch owns hundreds of kernels of a graph */
	uint32_t last_detail;
	str_id last_op;
};

/* Untouched pages cost nothing. */
static void *zeroed(size_t n, size_t size)
{
	return must(calloc(n, size));
}

/* ---- the key of a kernel ------------------------------------------------------------------------------------------------ */

static uint32_t text_number(struct texts *v, str_id id)
{
	if (v->number[id])
		return v->number[id] - 1;
	GROW_ARRAY(v->at, v->n, v->cap);
	v->at[v->n] = id;
	v->number[id] = ++v->n;
	return v->n - 1;
}

static uint64_t hash_texts(const struct eligible *x)
{
	uint64_t h = ((uint64_t)x->name << 32 | x->op) * 0x9E3779B97F4A7C15u;
	h ^= ((uint64_t)x->op_type << 32 | x->equation) * 0xC2B2AE3D27D4EB4Fu;
	h ^= h >> 29;
	return h * 0xBF58476D1CE4E5B9u;
}

static bool same_texts(const struct eligible *x, const struct eligible *y)
{
	return x->name == y->name && x->op == y->op && x->op_type == y->op_type && x->equation == y->equation;
}

static enum verdict ask_eligible(struct grouping *g, const struct eligible *x)
{
	const struct kernel_facts *k = derived_kernel_facts(g->d, x->name);
	return kernel_tc_eligible(g->rules, k, trace_str(g->t, x->op), trace_str(g->t, x->op_type),
				  trace_str(g->t, x->equation), (enum verdict)k->uses_tc);
}

static enum verdict eligible_of(struct grouping *g, str_id name, str_id op, const struct kernel_info *info)
{
	struct verdicts *v = &g->verdicts;
	struct eligible want = {.name = name, .op = op};
	want.op_type = info ? info->op_type : 0;
	want.equation = info ? info->equation : 0;
	uint64_t h = hash_texts(&want);
	uint32_t i = *idmap_put(&v->index, h, v->n);
	while (i < v->n && !same_texts(&v->at[i], &want))
		i = *idmap_put(&v->index, ++h, v->n);
	if (i < v->n)
		return v->at[i].verdict;
	GROW_ARRAY(v->at, v->n, v->cap);
	want.verdict = ask_eligible(g, &want);
	v->at[v->n++] = want;
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

static struct kernel_item key_of(struct grouping *g, row_id r, str_id name, str_id op)
{
	uint32_t verdict = (uint32_t)eligible_of(g, name, op, trace_kernel(g->t, r));
	uint32_t last = verdict << VERDICT_SHIFT | text_number(&g->ops, op);
	return (struct kernel_item){text_number(&g->names, name), launch_shape_of(g->shapes, r), last, r};
}

/* Numbers come in the order of the rows: what waits longest is put first. */
static void put_oldest(struct grouping *g)
{
	const struct waiting *x = &g->waiting[g->n_put++ % WAITING];
	uint32_t group = kernel_keys_put(&g->keys, &x->key);
	*group_of_facts(g, x->key.row) = group + 1;
	g->rows[x->at].group = group;
}

static void wait_for_key(struct grouping *g, struct kernel_item key, size_t at)
{
	if (g->n_waited - g->n_put == WAITING)
		put_oldest(g);
	kernel_keys_ahead(&g->keys, &key);
	if (g->n_waited - g->n_put >= WAITING / 2)
		kernel_keys_near(&g->keys, &g->waiting[(g->n_waited - WAITING / 2) % WAITING].key);
	g->waiting[g->n_waited++ % WAITING] = (struct waiting){key, at};
}

/* Facts decide everything of a group but its name and, where they do not tell it, its op. */
static void find_group(struct grouping *g, size_t at)
{
	row_id r = g->rows[at].row;
	str_id name = g->c->name[r], op = op_of(g, r);
	uint32_t known = *group_of_facts(g, r);
	const struct kernel_item *x = known ? &g->keys.items.at[known - 1] : NULL;
	if (x && g->names.at[x->name] == name && g->ops.at[x->op & OP_MASK] == op)
		g->rows[at].group = known - 1;
	else
		wait_for_key(g, key_of(g, r, name, op), at);
}

static void add_kernel(struct grouping *g, row_id r)
{
	facts_ahead(g->d, r);
	launch_shapes_ahead(g->shapes, r);
	GROW_ARRAY(g->rows, g->n_rows, g->cap_rows);
	g->rows[g->n_rows++] = (struct grouped){.row = r};
	find_group(g, g->n_rows - 1);
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
	while (g->n_put < g->n_waited)
		put_oldest(g);
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
	uint32_t *becomes = must(malloc(v->n * sizeof *becomes));
	if (v->n)
		qsort_r(v->at, v->n, sizeof *v->at, compare_texts, (void *)t);
	for (uint32_t i = 0; i < v->n; i++)
		becomes[v->number[v->at[i]] - 1] = i;
	return becomes;
}

static void sort_groups(struct grouping *g)
{
	struct kernel_items *v = &g->keys.items;
	uint32_t *names = sort_texts(&g->names, g->t), *ops = sort_texts(&g->ops, g->t);
	uint32_t *shapes = launch_shapes_ranks(g->shapes);
	for (size_t i = 0; i < v->n; i++) {
		struct kernel_item *x = &v->at[i];
		x->name = names[x->name];
		x->shape = shapes[x->shape];
		x->op = (x->op & ~OP_MASK) | ops[x->op & OP_MASK];
	}
	free(names);
	free(ops);
	free(shapes);
	kernel_items_sort(v);
}

/* ---- kinds -------------------------------------------------------------------------------------------------------------- */

static struct kernel_kind new_kind(const struct grouping *g, const struct kernel_item *x)
{
	str_id name = g->names.at[x->name];
	const struct kernel_facts *f = derived_kernel_facts(g->d, name);
	return (struct kernel_kind){.name = name,
				    .op = g->ops.at[x->op & OP_MASK],
				    .uses_tc = (enum verdict)f->uses_tc,
				    .eligible = (enum verdict)(x->op >> VERDICT_SHIFT),
				    .precision = (enum precision)f->precision,
				    .collective = f->collective,
				    .tc_trust = f->tc_trust,
				    .tc_rule = kernel_facts_rule(g->rules, f)};
}

/* Of the sorted keys, so that kinds of one name lie together. */
static void make_kinds(const struct grouping *g, struct group_sum *sums, struct arena *mem, struct kernel_stats *out)
{
	const struct kernel_items *v = &g->keys.items;
	struct idmap index = {0};
	for (size_t i = 0; i < v->n; i++) {
		const struct kernel_item *x = &v->at[i];
		uint32_t kind = *idmap_put(&index, (uint64_t)x->name << 32 | x->op, out->n_kinds);
		if (kind == out->n_kinds) {
			out->kinds = arena_next_row(mem, out->kinds, kind, sizeof *out->kinds);
			out->kinds[out->n_kinds++] = new_kind(g, x);
		}
		sums[x->row].kind = kind;
	}
	idmap_free(&index);
}

/* ---- sums --------------------------------------------------------------------------------------------------------------- */

static void count_kernel(const struct grouping *g, struct kernel_kind *k, row_id r, uint8_t *seen,
			 struct kernel_stats *out)
{
	uint32_t step = derived_step_of(g->d, r);
	k->count++;
	k->whole_ns += g->c->dur_ns[r];
	if (step == NONE_ID)
		return;
	k->in_steps++;
	out->steps += !seen[step];
	seen[step] = 1;
}

static void add_up(const struct grouping *g, struct group_sum *sums, struct kernel_stats *out)
{
	enum { AHEAD = 16 };
	uint8_t *seen = zeroed(derived_steps(g->d) + (size_t)1, 1);
	for (size_t i = 0; i < g->n_rows; i++) {
		if (i + AHEAD < g->n_rows)
			__builtin_prefetch(&sums[g->rows[i + AHEAD].group], 1);
		row_id r = g->rows[i].row;
		struct group_sum *sum = &sums[g->rows[i].group];
		struct kernel_kind *k = &out->kinds[sum->kind];
		int64_t start_ns = g->c->start_ns[r],
			ns = query_clipped_ns(&out->q, start_ns, start_ns + g->c->dur_ns[r]);
		sum->n++;
		sum->total_ns += ns;
		k->total_ns += ns;
		if (query_holds(&out->q, start_ns))
			count_kernel(g, k, r, seen, out);
	}
	free(seen);
}

/* ---- groups ------------------------------------------------------------------------------------------------------------- */

/* The rows of each group, in the order of the trace. */
static void deal_rows(const struct grouping *g, struct group_sum *sums, struct kernel_stats *out)
{
	enum { AHEAD = 16 };
	for (uint32_t i = 0; i < out->n; i++)
		sums[g->keys.items.at[i].row].n = out->from[i]; /* from now on where its next row goes */
	for (size_t i = 0; i < g->n_rows; i++) {
		if (i + AHEAD < g->n_rows)
			__builtin_prefetch(&sums[g->rows[i + AHEAD].group], 1);
		out->rows[sums[g->rows[i].group].n++] = g->rows[i].row;
	}
}

static void put_group(struct kernel_stats *out, uint32_t i, const struct group_sum *sum)
{
	struct kernel_kind *k = &out->kinds[sum->kind];
	out->group_ns[i] = sum->total_ns;
	out->kind_of[i] = sum->kind;
	out->from[i + 1] = out->from[i] + sum->n;
	out->total_ns += sum->total_ns;
	if (k->top == NONE_ID || sum->total_ns > out->group_ns[k->top])
		k->top = i;
}

static void make_groups(struct grouping *g, struct arena *mem, struct kernel_stats *out)
{
	const struct kernel_items *v = &g->keys.items;
	struct group_sum *sums = zeroed(v->n + 1, sizeof *sums);
	out->n = (uint32_t)v->n;
	out->group_ns = arena_alloc(mem, (v->n + 1) * sizeof *out->group_ns);
	out->kind_of = arena_alloc(mem, (v->n + 1) * sizeof *out->kind_of);
	out->from = arena_alloc(mem, (v->n + 1) * sizeof *out->from);
	out->rows = arena_alloc(mem, (g->n_rows + 1) * sizeof *out->rows);
	make_kinds(g, sums, mem, out);
	add_up(g, sums, out);
	for (uint32_t i = 0; i < out->n_kinds; i++) {
		out->kinds[i].top = NONE_ID;
		out->count += out->kinds[i].count;
	}
	for (uint32_t i = 0; i < out->n; i++)
		put_group(out, i, &sums[v->at[i].row]);
	deal_rows(g, sums, out);
	free(sums);
}

const struct kernel_kind *kernel_kind_longer(const struct kernel_stats *s, const struct kernel_kind *x,
					     const struct kernel_kind *y)
{
	if (!x)
		return y;
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

/* ---- order -------------------------------------------------------------------------------------------------------------- */

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

static struct texts texts_new(const struct trace *t)
{
	return (struct texts){.number = zeroed(strings_count(trace_strings(t)) + 1u, sizeof(uint32_t))};
}

static void grouping_free(struct grouping *g)
{
	launch_shapes_free(g->shapes);
	op_said_free(&g->said);
	idmap_free(&g->verdicts.index);
	free(g->verdicts.at);
	free(g->names.number);
	free(g->names.at);
	free(g->ops.number);
	free(g->ops.at);
	kernel_keys_free(&g->keys);
	free(g->of_detail);
	free(g->rows);
}

bool kernel_stats_make(const struct derived *d, const struct query *q, const struct kernel_rules *rules,
		       struct arena *mem, struct progress *p, struct kernel_stats *out, struct err *e)
{
	const struct trace *t = derived_trace(d);
	struct grouping g = {.d = d, .t = t, .c = trace_columns(t), .rules = rules, .last_link = NONE_ID};
	g.xprof = derived_options(d)->semantics == SEM_XPROF;
	g.names = texts_new(t);
	g.ops = texts_new(t);
	g.shapes = launch_shapes_new(t);
	op_said_init(&g.said, d);
	*out = (struct kernel_stats){.d = d, .q = *q};
	bool fine = read_kernels(&g, q, p, e);
	if (fine) {
		sort_groups(&g);
		make_groups(&g, mem, out);
		rank_groups(out, mem);
	}
	grouping_free(&g);
	return fine && kernel_rules_sound(rules, e);
}

double kernel_group_occupancy(const struct kernel_group *g, bool first)
{
	if (first)
		return (double)g->occupancy_first;
	return g->occupancy_ns > 0 ? g->occupancy_sum / g->occupancy_ns : (double)g->occupancy_first;
}
