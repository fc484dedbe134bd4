#include "kernel_stats.h"
#include "windowed.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Kernels are grouped twice: while reading by three small numbers (name, detail row, op's text, which is unique per
 * text), then the few groups that are left by the full key. */
struct key {
	str_id name;
	uint32_t detail;
	const char *op;
};
struct name_facts {
	bool known, collective;
	uint8_t uses_tc, precision;
};
struct grouping {
	const struct derived *d;
	const struct trace *t;
	const struct columns *c;
	const struct kernel_rules *rules;
	struct name_facts *names; /* by string id */
	struct kernel_group *groups;
	struct key *keys; /* parallel to groups */
	uint32_t n, cap;
	uint32_t *slots; /* open addressing: 0 = free, else group + 1 */
	uint32_t n_slots;
	struct key last; /* neighbours are often alike: one launch owns hundreds of kernels of a graph */
	row_id last_link;
	const char *last_op;
};

static void *must(void *p)
{
	if (!p)
		abort();
	return p;
}

/* ---- the first grouping ----------------------------------------------------------------------------------------- */

static uint64_t hash(const struct key *k)
{
	uint64_t h = ((uint64_t)k->name << 32 | k->detail) * 0x9E3779B97F4A7C15u;
	h ^= (uint64_t)(uintptr_t)k->op * 0xC2B2AE3D27D4EB4Fu;
	h ^= h >> 29;
	h *= 0xBF58476D1CE4E5B9u;
	return h ^ h >> 32;
}

static bool same(const struct key *a, const struct key *b)
{
	return a->name == b->name && a->detail == b->detail && a->op == b->op;
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

static struct kernel_group new_group(struct grouping *g, const struct key *k, row_id r)
{
	const struct name_facts *f = facts_of(g, k->name);
	const struct kernel_info *info = trace_kernel(g->t, r);
	enum verdict eligible = kernel_tc_eligible(
		g->rules, trace_str(g->t, k->name), k->op, info ? trace_str(g->t, info->op_type) : "",
		info ? trace_str(g->t, info->equation) : "", (enum verdict)f->uses_tc);
	return (struct kernel_group){.name = k->name,
				     .info = info,
				     .op = k->op,
				     .uses_tc = (enum verdict)f->uses_tc,
				     .eligible = eligible,
				     .precision = (enum precision)f->precision,
				     .collective = f->collective,
				     .order = g->n,
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
	uint32_t detail = g->c->detail[r];
	if (g->last_op && g->c->link[r] == g->last_link && detail == g->last.detail && g->last_link != NONE_ID)
		return g->last_op;
	g->last_link = g->c->link[r];
	g->last_op = derived_op(g->d, r);
	return g->last_op;
}

static struct kernel_group *group_of(struct grouping *g, row_id r)
{
	const char *op = op_of(g, r);
	struct key k = {g->c->name[r], g->c->detail[r], op};
	g->last = k;
	if (g->n * 2 >= g->n_slots)
		grow(g);
	uint32_t *slot = find_slot(g, &k);
	if (!*slot) {
		if (g->n == g->cap)
			grow(g), slot = find_slot(g, &k);
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
	if (k->info && !isnan(k->info->occupancy_pct)) {
		k->occupancy_sum += (double)k->info->occupancy_pct * (double)dur;
		k->occupancy_ns += (double)dur;
	}
}

static void add_kernel(struct grouping *g, const struct windowed *w)
{
	struct kernel_group *k = group_of(g, w->row);
	k->total_ns += windowed_clipped(w);
	if (windowed_starts(w))
		count_kernel(k, w->row, g->c->start_ns[w->row], g->c->dur_ns[w->row]);
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

/* ---- the second grouping ---------------------------------------------------------------------------------------- */

static int compare_u32(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

static int compare_info(const struct kernel_info *a, const struct kernel_info *b)
{
	if (!a || !b)
		return (a != NULL) - (b != NULL);
	int order = 0;
	for (int i = 0; i < 3 && !order; i++)
		order = compare_u32(a->grid[i], b->grid[i]);
	for (int i = 0; i < 3 && !order; i++)
		order = compare_u32(a->block[i], b->block[i]);
	order = order ? order : compare_u32(a->registers, b->registers);
	order = order ? order : compare_u32(a->static_smem_bytes, b->static_smem_bytes);
	return order ? order : compare_u32(a->dynamic_smem_bytes, b->dynamic_smem_bytes);
}

static int compare_key(const struct kernel_group *a, const struct kernel_group *b, const struct trace *t)
{
	int order = a->name == b->name ? 0 : strcmp(trace_str(t, a->name), trace_str(t, b->name));
	order = order ? order : compare_info(a->info, b->info);
	order = order ? order : (int)a->uses_tc - (int)b->uses_tc;
	order = order ? order : (int)a->eligible - (int)b->eligible;
	return order || a->op == b->op ? order : strcmp(a->op, b->op);
}

static int compare_groups(const void *pa, const void *pb, void *arg)
{
	const struct kernel_group *a = pa, *b = pb;
	int order = compare_key(a, b, arg);
	return order ? order : compare_u32(a->order, b->order);
}

static void merge(struct kernel_group *into, const struct kernel_group *from)
{
	into->total_ns += from->total_ns;
	into->count += from->count;
	into->whole_ns += from->whole_ns;
	into->min_ns = from->min_ns < into->min_ns ? from->min_ns : into->min_ns;
	into->max_ns = from->max_ns > into->max_ns ? from->max_ns : into->max_ns;
	into->occupancy_sum += from->occupancy_sum;
	into->occupancy_ns += from->occupancy_ns;
	if (from->longest_ns > into->longest_ns) {
		into->longest_ns = from->longest_ns;
		into->longest = from->longest;
	}
	if (from->first_ns < into->first_ns) {
		into->first_ns = from->first_ns;
		into->first = from->first;
	}
	if (from->last_end_ns > into->last_end_ns) {
		into->last_end_ns = from->last_end_ns;
		into->last = from->last;
	}
}

static uint32_t merge_equal(struct grouping *g)
{
	uint32_t n = 0;
	qsort_r(g->groups, g->n, sizeof *g->groups, compare_groups, (void *)g->t);
	for (uint32_t i = 0; i < g->n; i++) {
		if (n && !compare_key(&g->groups[n - 1], &g->groups[i], g->t))
			merge(&g->groups[n - 1], &g->groups[i]);
		else
			g->groups[n++] = g->groups[i];
	}
	return n;
}

static void hand_over(struct grouping *g, struct arena *mem, struct kernel_stats *out)
{
	*out = (struct kernel_stats){.n = g->n ? merge_equal(g) : 0};
	out->groups = arena_alloc(mem, (out->n + 1) * sizeof *out->groups);
	for (uint32_t i = 0; i < out->n; i++) {
		out->groups[i] = g->groups[i];
		out->total_ns += g->groups[i].total_ns;
		out->count += g->groups[i].count;
	}
}

bool kernel_stats_make(const struct derived *d, const struct query *q, const struct kernel_rules *rules,
		       struct arena *mem, struct progress *p, struct kernel_stats *out, struct err *e)
{
	const struct trace *t = derived_trace(d);
	struct grouping g = {.d = d, .t = t, .c = trace_columns(t), .rules = rules, .last_link = NONE_ID};
	g.names = must(calloc(strings_count(trace_strings(t)) + 1, sizeof *g.names));
	bool fine = read_kernels(&g, q, p, e);
	if (fine)
		hand_over(&g, mem, out);
	free(g.names);
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
