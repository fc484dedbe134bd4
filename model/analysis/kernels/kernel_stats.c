#include "kernel_order.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/text_order.h"
#include "model/analysis/ops/op_said.h"
#include "model/analysis/query/halves.h"
#include "model/analysis/query/windowed.h"
#include "model/store/base/grow.h"
#include "model/store/base/idmap.h"
#include "model/store/base/memory.h"
#include "model/store/base/text_numbers.h"
#include <stdlib.h>
#include <string.h>

/* Rules are asked once per kernel name and op and not once per kernel. */
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
	struct text_numbers number; /* + 1, 0 = not met */
	str_id *at;
	uint32_t n, cap;
};
/* An op and a verdict share one word of the sorting key: verdict first, then op. */
enum { VERDICT_SHIFT = 30 };
#define OP_MASK ((UINT32_C(1) << VERDICT_SHIFT) - 1)

/* The kind of the last kernel of a name. */
struct last_kind {
	str_id op, op_type, equation;
	uint32_t kind : 31;   /* + 1, 0 = none yet */
	uint32_t indexed : 1; /* kinds of the name can be found in `index`; else it is the only one */
};
struct reading {
	READER_APART const struct derived *d;
	const struct trace *t;
	const struct columns *c;
	struct verdicts verdicts;
	struct op_said said;
	bool xprof;
	struct texts names, ops;
	struct last_kind *last; /* by string id of the name, of those before n_last */
	uint32_t n_last;
	struct idmap index; /* of kinds, by name and op with its verdict */
	struct kernel_kind *kinds;
	uint32_t n_kinds, cap_kinds;
	struct kernel_row *rows; /* place for all that the half may have; see place_rows */
	size_t n_rows;
	uint8_t *seen; /* per step */
	struct windowed w;
	uint32_t steps; /* this and the next two of the half's kernels */
	int64_t total_ns;
	uint64_t count;
	row_id last_link; /* neighbours are often alike: one launch owns hundreds of kernels of a graph */
	uint32_t last_detail;
	str_id last_op;
	const struct query *q;
};

/* ---- the kind of a kernel ----------------------------------------------------------------------------------------------- */

static uint32_t text_number(struct texts *v, str_id id)
{
	uint32_t known = text_number_of(&v->number, id);
	if (known)
		return known - 1;
	GROW_ARRAY(v->at, v->n, v->cap);
	v->at[v->n] = id;
	text_number_set(&v->number, id, ++v->n);
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

static enum verdict ask_eligible(struct reading *g, const struct eligible *x)
{
	const struct kernel_facts *k = derived_kernel_facts(g->d, x->name);
	return kernel_tc_eligible(derived_rules(g->d), k, trace_str(g->t, x->op), trace_str(g->t, x->op_type),
				  trace_str(g->t, x->equation), (enum verdict)k->uses_tc);
}

/* What is known of the texts; fresh: nothing yet. */
static struct eligible *known(struct reading *g, const struct eligible *x, bool *fresh)
{
	struct verdicts *v = &g->verdicts;
	uint64_t h = hash_texts(x);
	uint32_t i = *idmap_put(&v->index, h, v->n);
	while (i < v->n && !same_texts(&v->at[i], x))
		i = *idmap_put(&v->index, ++h, v->n);
	*fresh = i == v->n;
	if (*fresh) {
		GROW_ARRAY(v->at, v->n, v->cap);
		v->at[v->n++] = *x;
	}
	return &v->at[i];
}

static enum verdict eligible_of(struct reading *g, const struct eligible *x)
{
	bool fresh;
	struct eligible *k = known(g, x, &fresh);
	if (fresh)
		k->verdict = ask_eligible(g, x);
	return k->verdict;
}

static str_id op_of(struct reading *g, row_id r)
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

static uint32_t new_kind(struct reading *g, str_id name, str_id op, uint32_t op_key)
{
	const struct kernel_facts *f = derived_kernel_facts(g->d, name);
	GROW_ARRAY(g->kinds, g->n_kinds, g->cap_kinds);
	g->kinds[g->n_kinds] = (struct kernel_kind){.name = name,
						    .op = op,
						    .uses_tc = (enum verdict)f->uses_tc,
						    .eligible = (enum verdict)(op_key >> VERDICT_SHIFT),
						    .precision = (enum precision)f->precision,
						    .collective = f->collective,
						    .name_rank = op_key};
	return g->n_kinds++;
}

static uint64_t kind_key(struct reading *g, str_id name, uint32_t op_key)
{
	return (uint64_t)text_number(&g->names, name) << 32 | op_key;
}

static uint32_t key_of_op(struct reading *g, enum verdict eligible, str_id op)
{
	return (uint32_t)eligible << VERDICT_SHIFT | text_number(&g->ops, op);
}

static uint32_t find_kind(struct reading *g, const struct eligible *x)
{
	uint32_t op_key = key_of_op(g, eligible_of(g, x), x->op);
	uint32_t kind = *idmap_put(&g->index, kind_key(g, x->name, op_key), g->n_kinds);
	return kind == g->n_kinds ? new_kind(g, x->name, x->op, op_key) : kind;
}

/* Most names have one kind: that is looked for nowhere until a second one comes. */
static uint32_t first_kind(struct reading *g, const struct eligible *x)
{
	text_number(&g->names, x->name);
	return new_kind(g, x->name, x->op, key_of_op(g, ask_eligible(g, x), x->op));
}

static void index_first_kind(struct reading *g, str_id name, const struct last_kind *first)
{
	bool fresh;
	const struct kernel_kind *k = &g->kinds[first->kind - 1];
	const struct eligible texts = {name, first->op, first->op_type, first->equation, k->eligible};
	known(g, &texts, &fresh);
	idmap_put(&g->index, kind_key(g, name, k->name_rank), first->kind - 1);
}

static uint32_t kind_of(struct reading *g, row_id r)
{
	str_id name = g->c->name[r], op = op_of(g, r);
	const struct kernel_info *info = trace_kernel_with_texts(g->t, r);
	str_id op_type = info ? info->op_type : 0, equation = info ? info->equation : 0;
	GROW_ZEROED(g->last, name, g->n_last);
	struct last_kind *last = &g->last[name];
	if (last->kind && last->op == op && last->op_type == op_type && last->equation == equation)
		return last->kind - 1;
	const struct eligible x = {name, op, op_type, equation, VERDICT_UNKNOWN};
	bool first = !last->kind;
	if (!first && !last->indexed)
		index_first_kind(g, name, last);
	uint32_t kind = first ? first_kind(g, &x) : find_kind(g, &x);
	*last = (struct last_kind){op, op_type, equation, kind + 1, !first};
	return kind;
}

/* ---- sums --------------------------------------------------------------------------------------------------------------- */

static void count_kernel(struct reading *g, struct kernel_kind *k, row_id r)
{
	uint32_t step = derived_step_of(g->d, r);
	k->count++;
	k->whole_ns += g->c->dur_ns[r];
	g->count++;
	if (step == NONE_ID)
		return;
	k->in_steps++;
	g->steps += !g->seen[step];
	g->seen[step] = 1;
}

static void add_kernel(struct reading *g, row_id r)
{
	text_facts_ahead(g->d, r);
	uint32_t kind = kind_of(g, r);
	struct kernel_kind *k = &g->kinds[kind];
	int64_t start_ns = g->c->start_ns[r], ns = query_clipped_ns(g->q, start_ns, row_end(g->c, r));
	k->total_ns += ns;
	g->total_ns += ns;
	if (query_holds(g->q, start_ns))
		count_kernel(g, k, r);
	g->rows[g->n_rows++] = (struct kernel_row){r, kind};
}

/* The reference tool knows no kernel without a length. */
static bool counts(const struct reading *g, row_id r)
{
	return !g->xprof || g->c->dur_ns[r] > 0;
}

static bool read_kernels(void *reader, uint32_t from, uint32_t to)
{
	struct reading *g = reader;
	for (uint32_t track = from; track < to; track++) {
		if (!track_has_kernels(g->t, track))
			continue;
		windowed_track(&g->w, track, KIND_BIT(KIND_KERNEL));
		while (windowed_next(&g->w))
			if (counts(g, g->w.row))
				add_kernel(g, g->w.row);
	}
	return !g->w.loop.cancelled;
}

static size_t rows_at_most(const struct reading *g, uint32_t from, uint32_t to)
{
	size_t n = 0;
	for (uint32_t track = from; track < to; track++) {
		if (!track_has_kernels(g->t, track))
			continue;
		struct event_iter it = event_iter(g->t, track, g->q->a_ns, g->q->b_ns, KIND_BIT(KIND_KERNEL));
		n += it.end - it.at;
	}
	return n;
}

/* The rows of both halves are written where they stay, as far as they go; what is not touched costs nothing. */
static void place_rows(struct reading of[2], const struct halves *h, struct arena *mem)
{
	size_t first = rows_at_most(&of[0], 0, h->middle),
	       more = halves_two(h) ? rows_at_most(&of[1], h->middle, h->end) : 0;
	of[0].rows = arena_room(mem, (first + more + 1) * sizeof *of[0].rows);
	of[1].rows = of[0].rows + first;
}

/* ---- the second half after the first ------------------------------------------------------------------------------------ */

static void index_kinds(struct reading *g)
{
	for (uint32_t i = 0; i < g->n_kinds; i++)
		idmap_put(&g->index, kind_key(g, g->kinds[i].name, g->kinds[i].name_rank), i);
}

static uint32_t same_kind(struct reading *g, const struct kernel_kind *k)
{
	uint32_t op_key = (k->name_rank & ~OP_MASK) | text_number(&g->ops, k->op);
	uint32_t kind = *idmap_put(&g->index, kind_key(g, k->name, op_key), g->n_kinds);
	return kind == g->n_kinds ? new_kind(g, k->name, k->op, op_key) : kind;
}

static void add_kinds(struct reading *g, const struct reading *more, uint32_t *becomes)
{
	if (more->n_kinds)
		index_kinds(g);
	for (uint32_t i = 0; i < more->n_kinds; i++) {
		const struct kernel_kind *x = &more->kinds[i];
		struct kernel_kind *k = &g->kinds[becomes[i] = same_kind(g, x)];
		k->total_ns += x->total_ns;
		k->whole_ns += x->whole_ns;
		k->count += x->count;
		k->in_steps += x->in_steps;
	}
}

/* Of the second half there stays nothing but its rows, with the first one's kinds. */
static void add_half(struct reading *g, struct reading *more)
{
	uint32_t *becomes = must(malloc((more->n_kinds + (size_t)1) * sizeof *becomes));
	add_kinds(g, more, becomes);
	for (size_t i = 0; i < more->n_rows; i++)
		more->rows[i].kind = becomes[more->rows[i].kind];
	free(becomes);
	for (uint32_t i = 0; more->seen && i < derived_steps(g->d); i++)
		g->steps += more->seen[i] && !g->seen[i];
	g->total_ns += more->total_ns;
	g->count += more->count;
}

/* ---- the order of the kinds ---------------------------------------------------------------------------------------------- */

/* Sorts the texts; returns what each old number becomes. */
static uint32_t *sort_texts(struct texts *v, const struct trace *t)
{
	uint32_t *becomes = must(malloc(v->n * sizeof *becomes));
	text_order_sort(trace_strings(t), v->at, v->n);
	for (uint32_t i = 0; i < v->n; i++)
		becomes[text_number_of(&v->number, v->at[i]) - 1] = i;
	return becomes;
}

/* Where a kind stands, and by what it is put in order; op_rank: verdict first. */
struct kind_order {
	uint32_t name_rank, op_rank, at;
};

static int compare_ops(const void *x, const void *y)
{
	const struct kind_order *a = x, *b = y;
	return (a->op_rank > b->op_rank) - (a->op_rank < b->op_rank);
}

/* Of each name, by its rank, where its kinds begin among all. */
static uint32_t *begin_names(const struct reading *g, const uint32_t *names)
{
	uint32_t *begin = must(calloc(g->names.n + (size_t)1, sizeof *begin)), sum = 0;
	for (uint32_t i = 0; i < g->n_kinds; i++)
		begin[names[text_number_of(&g->names.number, g->kinds[i].name) - 1]]++;
	for (uint32_t i = 0; i < g->names.n; i++) {
		uint32_t here = begin[i];
		begin[i] = sum;
		sum += here;
	}
	return begin;
}

/* Each kind to where its name begins: few names have several. */
static void deal_kinds(struct reading *g, struct kind_order *order)
{
	uint32_t *names = sort_texts(&g->names, g->t), *ops = sort_texts(&g->ops, g->t), *next = begin_names(g, names);
	for (uint32_t i = 0; i < g->n_kinds; i++) {
		struct kernel_kind *k = &g->kinds[i];
		uint32_t op_rank = (k->name_rank & ~OP_MASK) | ops[k->name_rank & OP_MASK];
		k->name_rank = names[text_number_of(&g->names.number, k->name) - 1];
		order[next[k->name_rank]++] = (struct kind_order){k->name_rank, op_rank, i};
	}
	free(names);
	free(ops);
	free(next);
}

static void order_kinds(struct reading *g, struct kind_order *order)
{
	deal_kinds(g, order);
	for (uint32_t i = 0, end; i < g->n_kinds; i = end) {
		for (end = i + 1; end < g->n_kinds && order[end].name_rank == order[i].name_rank;)
			end++;
		if (end - i > 1)
			qsort(order + i, end - i, sizeof *order, compare_ops);
	}
}

static void renumber(const struct reading *half, const uint32_t *becomes)
{
	for (size_t i = 0; i < half->n_rows; i++)
		half->rows[i].kind = becomes[half->rows[i].kind];
}

/* The kinds in order; rows of both halves know them by their new places. */
static struct kernel_kind *sort_kinds(struct reading of[2], struct arena *mem)
{
	struct reading *g = &of[0];
	struct kind_order *order = must(malloc((g->n_kinds + (size_t)1) * sizeof *order));
	uint32_t *becomes = must(malloc((g->n_kinds + (size_t)1) * sizeof *becomes));
	order_kinds(g, order);
	for (uint32_t i = 0; i < g->n_kinds; i++)
		becomes[order[i].at] = i;
	free(order);
	renumber(g, becomes);
	renumber(&of[1], becomes);
	kernel_kinds_move(g->kinds, becomes, g->n_kinds);
	free(becomes);
	struct kernel_kind *kinds = g->kinds;
	g->kinds = NULL;
	return arena_own(mem, kinds, g->n_kinds * sizeof *kinds);
}

/* ---- all of it ---------------------------------------------------------------------------------------------------------- */

static void reading_free(struct reading *g)
{
	op_said_free(&g->said);
	idmap_free(&g->verdicts.index);
	free(g->verdicts.at);
	text_numbers_free(&g->names.number);
	free(g->names.at);
	text_numbers_free(&g->ops.number);
	free(g->ops.at);
	free(g->last);
	idmap_free(&g->index);
	free(g->kinds);
	free(g->seen);
}

static void reading_open(struct reading *g, const struct derived *d, const struct query *q, struct progress *p)
{
	const struct trace *t = derived_trace(d);
	*g = (struct reading){
		.d = d, .t = t, .c = trace_columns(t), .last_link = NONE_ID, .q = q, .w = windowed_open(d, q, p)};
	g->xprof = derived_options(d)->semantics == SEM_XPROF;
	g->seen = must(calloc(derived_steps(d) + (size_t)1, 1));
	op_said_init(&g->said, d);
}

static void settle(struct reading of[2], struct arena *mem, struct kernel_stats *out)
{
	struct reading *g = &of[0];
	add_half(g, &of[1]);
	for (int i = 0; i < 2; i++) { /* sorting takes as much */
		free(of[i].last);
		of[i].last = NULL;
	}
	out->kinds = sort_kinds(of, mem);
	out->n_kinds = g->n_kinds;
	memmove(g->rows + g->n_rows, of[1].rows, of[1].n_rows * sizeof *g->rows);
	out->kernels = g->rows;
	out->n_kernels = g->n_rows + of[1].n_rows;
	out->steps = g->steps;
	out->total_ns = g->total_ns;
	out->count = g->count;
}

bool kernel_stats_make(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
		       struct kernel_stats *out, struct err *e)
{
	struct halves h = halves_of_tracks(d);
	struct reading of[2] = {0};
	for (int i = 0; i < 1 + halves_two(&h); i++)
		reading_open(&of[i], d, q, p);
	place_rows(of, &h, mem);
	*out = (struct kernel_stats){.d = d, .q = *q};
	out->q.shared = NULL; /* may be gone when rows are read */
	bool fine = halves_read(&h, read_kernels, &of[0], &of[1]) || err_usage(e, "cancelled");
	if (fine)
		settle(of, mem, out);
	reading_free(&of[0]);
	reading_free(&of[1]);
	return fine && kernel_rules_sound(derived_rules(d), e);
}

static bool make_part(const struct derived *d, const struct query *q, void *out, struct arena *mem, struct progress *p,
		      struct err *e)
{
	return kernel_stats_make(d, q, mem, p, out, e);
}

const struct shared_part kernel_stats_part = {sizeof(struct kernel_stats), make_part};
