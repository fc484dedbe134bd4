#include "kernel_stats.h"
#include "launch_shapes.h"
#include "windowed.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The key in small numbers: equal texts have equal ids (and op texts equal addresses), shapes are numbered. */
struct key {
	str_id name;
	uint32_t shape;
	const char *op;
	enum verdict eligible;
};
struct name_facts {
	bool known, collective;
	uint8_t uses_tc, precision;
};
/* Rules are asked once per kernel name and op and not once per launch shape: a direct-mapped cache. */
enum { ELIGIBLE_SLOTS = 4096 };
struct eligible {
	bool known;
	str_id name, op_type, equation;
	const char *op;
	enum verdict verdict;
};
struct grouping {
	const struct derived *d;
	const struct trace *t;
	const struct columns *c;
	const struct kernel_rules *rules;
	struct launch_shapes *shapes;
	struct name_facts *names; /* by string id */
	struct eligible *eligible;
	struct kernel_group *groups;
	struct key *keys; /* parallel to groups */
	uint32_t n, cap;
	uint32_t *slots; /* open addressing: 0 = free, else group + 1 */
	uint32_t n_slots;
	row_id last_link; /* neighbours are often alike: one launch owns hundreds of kernels of a graph */
	uint32_t last_detail;
	const char *last_op;
};

static void *must(void *p)
{
	if (!p)
		abort();
	return p;
}

/* ---- grouping ----------------------------------------------------------------------------------------- */

static uint64_t hash(const struct key *k)
{
	uint64_t h = ((uint64_t)k->name << 32 | k->shape) * 0x9E3779B97F4A7C15u;
	h ^= (uint64_t)k->eligible;
	h ^= (uint64_t)(uintptr_t)k->op * 0xC2B2AE3D27D4EB4Fu;
	h ^= h >> 29;
	h *= 0xBF58476D1CE4E5B9u;
	return h ^ h >> 32;
}

static bool same(const struct key *a, const struct key *b)
{
	return a->name == b->name && a->shape == b->shape && a->op == b->op && a->eligible == b->eligible;
}

static uint32_t *find_slot(const struct grouping *g, const struct key *k)
{
	uint32_t at = (uint32_t)hash(k) & (g->n_slots - 1);
	while (g->slots[at] && !same(&g->keys[g->slots[at] - 1], k))
		at = (at + 1) & (g->n_slots - 1);
	return &g->slots[at];
}

static void grow(struct grouping *g)
{
	g->cap = g->cap ? g->cap * 2 : 256;
	g->groups = must(realloc(g->groups, g->cap * sizeof *g->groups));
	g->keys = must(realloc(g->keys, g->cap * sizeof *g->keys));
	free(g->slots);
	g->n_slots = g->cap * 2;
	g->slots = must(calloc(g->n_slots, sizeof *g->slots));
	for (uint32_t i = 0; i < g->n; i++)
		*find_slot(g, &g->keys[i]) = i + 1;
}

static const struct name_facts *facts_of(struct grouping *g, str_id name)
{
	struct name_facts *f = &g->names[name];
	if (!f->known) {
		const char *text = trace_str(g->t, name);
		*f = (struct name_facts){.known = true,
					 .collective = kernel_is_collective(g->rules, text),
					 .uses_tc = (uint8_t)kernel_uses_tc(g->rules, text),
					 .precision = (uint8_t)kernel_precision(g->rules, text)};
	}
	return f;
}

static enum verdict eligible_of(struct grouping *g, str_id name, const char *op, const struct kernel_info *info)
{
	struct eligible want = {.known = true, .name = name, .op = op};
	want.op_type = info ? info->op_type : 0;
	want.equation = info ? info->equation : 0;
	struct key mixed = {name, want.op_type * 31 + want.equation, op, VERDICT_UNKNOWN};
	struct eligible *slot = &g->eligible[hash(&mixed) % ELIGIBLE_SLOTS];
	if (slot->known && slot->name == want.name && slot->op == want.op && slot->op_type == want.op_type &&
	    slot->equation == want.equation)
		return slot->verdict;
	want.verdict = kernel_tc_eligible(g->rules, trace_str(g->t, name), op, trace_str(g->t, want.op_type),
					  trace_str(g->t, want.equation), (enum verdict)facts_of(g, name)->uses_tc);
	*slot = want;
	return want.verdict;
}

static struct kernel_group new_group(struct grouping *g, const struct key *k, row_id r)
{
	const struct name_facts *f = facts_of(g, k->name);
	const struct kernel_info *info = trace_kernel(g->t, r);
	return (struct kernel_group){.name = k->name,
				     .info = info,
				     .op = k->op,
				     .uses_tc = (enum verdict)f->uses_tc,
				     .eligible = k->eligible,
				     .precision = (enum precision)f->precision,
				     .collective = f->collective,
				     .min_ns = INT64_MAX,
				     .occupancy_first = info ? info->occupancy_pct : NAN,
				     .longest = r,
				     .first = r,
				     .last = r,
				     .longest_ns = -1,
				     .first_ns = INT64_MAX,
				     .last_end_ns = INT64_MIN};
}

static const char *op_of(struct grouping *g, row_id r)
{
	row_id link = g->c->link[r];
	uint32_t detail = g->c->detail[r];
	if (g->last_op && link != NONE_ID && link == g->last_link && detail == g->last_detail)
		return g->last_op;
	g->last_link = link;
	g->last_detail = detail;
	g->last_op = derived_op(g->d, r);
	return g->last_op;
}

static struct kernel_group *group_of(struct grouping *g, row_id r)
{
	struct key k = {.name = g->c->name[r], .shape = launch_shape_of(g->shapes, r), .op = op_of(g, r)};
	k.eligible = eligible_of(g, k.name, k.op, trace_kernel(g->t, r));
	if (g->n == g->cap)
		grow(g);
	uint32_t *slot = find_slot(g, &k);
	if (!*slot) {
		g->groups[g->n] = new_group(g, &k, r);
		g->keys[g->n++] = k;
		*slot = g->n;
	}
	return &g->groups[*slot - 1];
}

static void count_kernel(struct kernel_group *k, row_id r, int64_t start, int64_t dur)
{
	k->count++;
	k->whole_ns += dur;
	k->min_ns = dur < k->min_ns ? dur : k->min_ns;
	k->max_ns = dur > k->max_ns ? dur : k->max_ns;
	if (dur > k->longest_ns) {
		k->longest_ns = dur;
		k->longest = r;
	}
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

static void add_kernel(struct grouping *g, const struct windowed *w)
{
	struct kernel_group *k = group_of(g, w->row);
	k->total_ns += windowed_clipped(w);
	if (!windowed_starts(w))
		return;
	count_kernel(k, w->row, g->c->start_ns[w->row], g->c->dur_ns[w->row]);
	weigh_occupancy(k, trace_kernel(g->t, w->row), g->c->dur_ns[w->row]);
}

/* The reference tool knows no kernel without a length. */
static bool counts(const struct grouping *g, row_id r)
{
	return derived_options(g->d)->semantics != SEM_XPROF || g->c->dur_ns[r] > 0;
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
				add_kernel(g, &w);
	}
	return windowed_done(&w, e);
}

/* ---- order ------------------------------------------------------------------------------------------------------ */

static int compare_key(const struct kernel_group *a, const struct kernel_group *b, const struct trace *t)
{
	int order = a->name == b->name ? 0 : strcmp(trace_str(t, a->name), trace_str(t, b->name));
	order = order ? order : launch_shape_compare(a->info, b->info);
	order = order ? order : (int)a->uses_tc - (int)b->uses_tc;
	order = order ? order : (int)a->eligible - (int)b->eligible;
	return order || a->op == b->op ? order : strcmp(a->op, b->op);
}

static int compare_groups(const void *pa, const void *pb, void *arg)
{
	const struct grouping *g = arg;
	const struct kernel_group *a = &g->groups[*(const uint32_t *)pa], *b = &g->groups[*(const uint32_t *)pb];
	if (a->total_ns != b->total_ns)
		return a->total_ns > b->total_ns ? -1 : 1;
	return compare_key(a, b, g->t);
}

static void hand_over(struct grouping *g, struct arena *mem, struct kernel_stats *out)
{
	uint32_t *order = must(malloc((g->n + 1) * sizeof *order));
	*out = (struct kernel_stats){.n = g->n, .groups = arena_alloc(mem, (g->n + 1) * sizeof *out->groups)};
	for (uint32_t i = 0; i < g->n; i++)
		order[i] = i;
	qsort_r(order, g->n, sizeof *order, compare_groups, g);
	for (uint32_t i = 0; i < g->n; i++) {
		out->groups[i] = g->groups[order[i]];
		out->total_ns += out->groups[i].total_ns;
		out->count += out->groups[i].count;
	}
	free(order);
}

bool kernel_stats_make(const struct derived *d, const struct query *q, const struct kernel_rules *rules,
		       struct arena *mem, struct progress *p, struct kernel_stats *out, struct err *e)
{
	const struct trace *t = derived_trace(d);
	struct grouping g = {.d = d, .t = t, .c = trace_columns(t), .rules = rules, .last_link = NONE_ID};
	g.names = must(calloc(strings_count(trace_strings(t)) + 1, sizeof *g.names));
	g.shapes = launch_shapes_new(t);
	g.eligible = must(calloc(ELIGIBLE_SLOTS, sizeof *g.eligible));
	bool fine = read_kernels(&g, q, p, e);
	if (fine)
		hand_over(&g, mem, out);
	launch_shapes_free(g.shapes);
	free(g.names);
	free(g.eligible);
	free(g.groups);
	free(g.keys);
	free(g.slots);
	return fine;
}

double kernel_group_occupancy(const struct kernel_group *g, bool first)
{
	if (first)
		return (double)g->occupancy_first;
	return g->occupancy_ns > 0 ? g->occupancy_sum / g->occupancy_ns : (double)g->occupancy_first;
}
