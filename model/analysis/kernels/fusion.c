#include "fusion.h"
#include "model/analysis/derived/climb.h"
#include "model/store/base/memory.h"
#include "kernel_families.h"
#include "model/analysis/costs/op_cost.h"
#include "model/analysis/costs/shapes.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/derived/device_steps.h"
#include "model/store/base/grow.h"
#include "model/store/base/slots.h"
#include "model/analysis/names/kernel_words.h"
#include "model/analysis/query/cells.h"
#include "model/analysis/rules/kernel_rules.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct fusion_reader {
	const struct derived *d;
	const struct query *q;
	struct progress_loop loop;
	struct arena *mem;
	struct fusion_stats *out; /* `at` from malloc as long as groups are added */
	uint32_t cap_groups;
	struct family_memo families;
	uint8_t *fusible;  /* per text: enum fusible + 1, 0 = not asked yet */
	int64_t *name_ns;  /* per text: time of its kernels in the run at hand, else 0; NULL: no long one was met */
	uint32_t *at_hash; /* in slots: a group + 1, 0 = free; NULL: there are none */
	struct device_steps steps;
	struct shape_reader *shapes;
	struct climb ops;
};
/* A copy, a cast or a gather alone is no computation to fuse with. */
enum fusible { FUSIBLE_NO, FUSIBLE_ALONG, FUSIBLE_YES };

/* ---- kernels -------------------------------------------------------------------------------------------------------- */

static enum fusible ask(const struct fusion_reader *v, str_id name)
{
	if (derived_kernel_facts(v->d, name)->words >> KERNEL_WORDS_APART & 1)
		return FUSIBLE_NO;
	enum kernel_family f = family_memo_of(&v->families, name, 0);
	bool along = f == FAMILY_COPY || f == FAMILY_INDEXING || f == FAMILY_RNG;
	return f == FAMILY_ELEMENTWISE ? FUSIBLE_YES : along ? FUSIBLE_ALONG : FUSIBLE_NO;
}

static enum fusible fusible(struct fusion_reader *v, row_id r)
{
	const struct columns *c = derived_columns(v->d);
	if (c->kind[r] != KIND_KERNEL)
		return FUSIBLE_NO;
	uint8_t *known = &v->fusible[c->name[r]];
	if (!*known)
		*known = (uint8_t)(ask(v, c->name[r]) + 1);
	return (enum fusible)(*known - 1);
}

/* r and the row after it are of one run. */
static bool joined(struct fusion_reader *v, row_id r)
{
	const struct columns *c = derived_columns(v->d);
	return c->start_ns[r + 1] - row_end(c, r) <= FUSION_PAUSE_NS &&
	       derived_step_of(v->d, r) == derived_step_of(v->d, r + 1) && fusible(v, r) && fusible(v, r + 1);
}

/* ---- chains --------------------------------------------------------------------------------------------------------- */

/* Of an element-wise op: the largest of each dimension, from the last on. */
static struct tensor result_of(const struct op_args *a)
{
	struct tensor out = {0};
	for (int i = 0; i < a->n; i++)
		out.rank = a->tensors[i].rank > out.rank ? a->tensors[i].rank : out.rank;
	for (int i = 0; i < a->n; i++) {
		const struct tensor *t = &a->tensors[i];
		for (int k = 0; k < t->rank; k++)
			out.dims[out.rank - t->rank + k] = fmax(out.dims[out.rank - t->rank + k], t->dims[k]);
	}
	return out;
}

/* An input of as many values, in whatever shape: views cost nothing. */
static bool takes(const struct op_args *a, const struct tensor *what)
{
	for (int i = 0; i < a->n; i++)
		if (a->tensors[i].rank && tensor_items(&a->tensors[i]) == tensor_items(what))
			return true;
	return false;
}

/* Whether its result is one value for each of its inputs, broadcast: of other ops (gathers, fused ones) shapes tell no result. */
static bool is_elementwise(struct fusion_reader *v, row_id work)
{
	const struct kernel_info *k = trace_kernel_with_op(derived_trace(v->d), work);
	const char *name = k && k->op_type ? trace_str(derived_trace(v->d), k->op_type) : NULL;
	row_id op = name ? NONE_ID : climb_to_op(&v->ops, v->d, derived_columns(v->d)->link[work]);
	if (!name && op == NONE_ID)
		return false;
	int rule = name ? op_cost_rule_tensorflow(name, strlen(name)) : COST_NONE;
	if (!name) {
		name = trace_str(derived_trace(v->d), derived_columns(v->d)->name[op]);
		rule = op_cost_rule_torch(name, strlen(name));
	}
	return rule != COST_NONE && !op_cost_is_product(rule);
}

/* The name of `at` stood in [from, at) already, and another one since. */
static bool comes_back(const struct fusion_reader *v, row_id from, row_id at)
{
	const str_id *name = derived_columns(v->d)->name;
	bool others = false;
	for (row_id r = at; r-- > from;) {
		if (name[r] == name[at] && others)
			return true;
		others |= name[r] != name[at];
	}
	return false;
}

/* NULL: shapes are not recorded of all. */
static uint32_t *chains_of(struct fusion_reader *v, row_id first, uint32_t n)
{
	enum { MOST = 2048 };
	uint32_t *chain = n <= MOST ? arena_alloc(v->mem, n * sizeof *chain) : NULL;
	struct tensor result = {0};
	row_id begin = first;
	for (uint32_t i = 0; chain && i < n; i++) {
		const struct shapes *s = shapes_of_work(v->shapes, first + i);
		if (!s || !result_of(&s->args).rank)
			return NULL;
		/* an unknown result may be what the next one takes, but none casts or gathers its own kind's */
		bool again = i && derived_columns(v->d)->name[first + i] == derived_columns(v->d)->name[first + i - 1];
		bool fed = result.rank ? takes(&s->args, &result) : !again;
		bool goes_on = i && fed && !comes_back(v, begin, first + i);
		chain[i] = i ? chain[i - 1] + !goes_on : 0;
		begin = goes_on ? begin : first + i;
		result = is_elementwise(v, first + i) ? result_of(&s->args) : (struct tensor){0};
	}
	return chain;
}

/* ---- groups --------------------------------------------------------------------------------------------------------- */

static uint64_t hash_of(const struct fusion_reader *v, row_id first, uint32_t n)
{
	uint64_t h = 14695981039346656037u ^ v->steps.device;
	for (uint32_t i = 0; i < n; i++)
		h = (h ^ derived_columns(v->d)->name[first + i]) * 1099511628211u;
	return h;
}

static bool alike(const struct fusion_reader *v, const struct fusion_group *g, row_id first, uint32_t n)
{
	return g->device == v->steps.device && g->kernels == n &&
	       !memcmp(&derived_columns(v->d)->name[g->first], &derived_columns(v->d)->name[first],
		       n * sizeof *derived_columns(v->d)->name);
}

static uint32_t add_group(struct fusion_reader *v, row_id first, uint32_t n)
{
	struct fusion_stats *s = v->out;
	GROW_ARRAY(s->at, s->n, v->cap_groups);
	s->at[s->n] = (struct fusion_group){
		.device = v->steps.device, .kernels = n, .first = first, .of_steps = v->steps.met};
	s->at[s->n].chain = n ? chains_of(v, first, n) : NULL;
	return s->n++;
}

/* Half of the slots stay free. */
static uint32_t *slot_of(struct fusion_reader *v, row_id first, uint32_t n)
{
	enum { SLOT_BITS = 17 };
	_Static_assert((UINT32_C(1) << SLOT_BITS) >= 2 * FUSION_GROUPS, "groups find a slot");
	uint64_t h = hash_of(v, first, n);
	if (!v->at_hash)
		v->at_hash = must(calloc(UINT32_C(1) << SLOT_BITS, sizeof *v->at_hash));
	for (uint64_t at = slots_first(h, 0, SLOT_BITS);; at = slots_next(at, h, 0, SLOT_BITS)) {
		uint32_t known = v->at_hash[at];
		if (!known || alike(v, &v->out->at[known - 1], first, n))
			return &v->at_hash[at];
	}
}

static uint32_t group_of(struct fusion_reader *v, row_id first, uint32_t n)
{
	uint32_t *slot = slot_of(v, first, n);
	if (*slot)
		return *slot - 1;
	if (v->out->n < FUSION_GROUPS - 1)
		return (*slot = add_group(v, first, n) + 1) - 1;
	return v->out->n < FUSION_GROUPS ? add_group(v, first, 0) : FUSION_GROUPS - 1;
}

/* The time of the name that takes most of a run. */
static int64_t most_of_a_name_ns(struct fusion_reader *v, row_id first, uint32_t n)
{
	const struct columns *c = derived_columns(v->d);
	int64_t most_ns = 0;
	if (!v->name_ns)
		v->name_ns = must(calloc(strings_count(trace_strings(derived_trace(v->d))) + 1u, sizeof *v->name_ns));
	for (uint32_t i = 0; i < n; i++) {
		int64_t *ns = &v->name_ns[c->name[first + i]];
		*ns += c->dur_ns[first + i];
		most_ns = *ns > most_ns ? *ns : most_ns;
	}
	for (uint32_t i = 0; i < n; i++)
		v->name_ns[c->name[first + i]] = 0;
	return most_ns;
}

/* The same of few kernels: a table of all names would be touched everywhere for a handful of them each time. */
static int64_t most_of_few_ns(const struct fusion_reader *v, row_id first, uint32_t n)
{
	const str_id *name = &derived_columns(v->d)->name[first];
	const int64_t *dur_ns = &derived_columns(v->d)->dur_ns[first];
	int64_t most_ns = 0;
	for (uint32_t i = 0; i < n; i++) {
		int64_t ns = 0;
		for (uint32_t k = 0; k <= i; k++)
			ns += name[k] == name[i] ? dur_ns[k] : 0;
		most_ns = ns > most_ns ? ns : most_ns;
	}
	return most_ns;
}

/* Time of the run's kernels but those of the name that takes most. */
static int64_t kernels_saved_ns(struct fusion_reader *v, row_id first, uint32_t n)
{
	enum { FEW = 32 };
	int64_t all_ns = 0;
	for (uint32_t i = 0; i < n; i++)
		all_ns += derived_columns(v->d)->dur_ns[first + i];
	return all_ns - (n <= FEW ? most_of_few_ns(v, first, n) : most_of_a_name_ns(v, first, n));
}

/* Time of the run's kernels but the longest of each chain. */
static int64_t chains_saved_ns(const struct fusion_reader *v, row_id first, uint32_t n, const uint32_t *chain)
{
	const int64_t *dur_ns = &derived_columns(v->d)->dur_ns[first];
	int64_t saved_ns = 0, most_ns = 0;
	for (uint32_t i = 0; i < n; i++) {
		most_ns = i && chain[i] == chain[i - 1] && most_ns > dur_ns[i] ? most_ns : dur_ns[i];
		saved_ns += dur_ns[i];
		if (i + 1 == n || chain[i + 1] != chain[i])
			saved_ns -= most_ns;
	}
	return saved_ns;
}

static void add_ns(struct fusion_reader *v, struct fusion_group *g, enum fusion_ns which, int64_t ns)
{
	small_sums_add(&v->out->sums, g->ns, which, ns);
}

static void take_run(struct fusion_reader *v, row_id first, uint32_t n)
{
	const struct columns *c = derived_columns(v->d);
	int64_t in_ns = 0, most_ns = 0, between_ns = 0;
	bool computes = false;
	if (n < 2 || !event_wanted(v->d, v->q, first))
		return;
	for (uint32_t i = 0; i < n; i++) {
		int64_t dur_ns = c->dur_ns[first + i],
			pause_ns = i ? c->start_ns[first + i] - row_end(c, first + i - 1) : 0;
		computes |= fusible(v, first + i) == FUSIBLE_YES;
		in_ns += dur_ns;
		most_ns = dur_ns > most_ns ? dur_ns : most_ns;
		between_ns += pause_ns > 0 ? pause_ns : 0;
	}
	if (!computes)
		return;
	uint32_t group = group_of(v, first, n);
	struct fusion_group *g = &v->out->at[group];
	int64_t longest_ns = fusion_ns(v->out, g, FUSION_LONGEST_NS);
	if (!g->count++ || in_ns + between_ns > longest_ns) {
		add_ns(v, g, FUSION_LONGEST_NS, in_ns + between_ns - longest_ns);
		g->first = first;
	}
	g->all_kernels += n;
	bool in_step = derived_step_of(v->d, first) != NONE_ID;
	g->in_steps += in_step;
	g->all_kernels_in_steps += in_step ? n : 0;
	add_ns(v, g, FUSION_IN_NS, in_ns);
	add_ns(v, g, FUSION_BETWEEN_NS, between_ns);
	add_ns(v, g, FUSION_SAVED_NS, in_ns + between_ns - most_ns);
	int64_t kernels_ns = g->chain ? chains_saved_ns(v, first, n, g->chain) : kernels_saved_ns(v, first, n);
	add_ns(v, g, FUSION_KERNELS_SAVED_NS, kernels_ns);
	add_ns(v, g, FUSION_KERNELS_SAVED_IN_STEPS_NS, in_step ? kernels_ns : 0);
	v->out->between_ns += between_ns;
}

/* ---- streams -------------------------------------------------------------------------------------------------------- */

static void count_kernels(struct fusion_reader *v, row_id first, row_id end)
{
	for (row_id r = first; r < end; r++)
		if (derived_columns(v->d)->kind[r] == KIND_KERNEL && derived_columns(v->d)->start_ns[r] < v->q->b_ns)
			v->out->kernels_ns += derived_columns(v->d)->dur_ns[r];
}

static void read_stream(struct fusion_reader *v, const struct track_info *k)
{
	row_id end = (row_id)(k->first + k->n), r = first_row_from(derived_columns(v->d), k, v->q->a_ns), next;
	row_id begin = r;
	while (r > k->first && r < end && joined(v, r - 1)) /* a run that began before the window */
		r++;
	for (; r < end && derived_columns(v->d)->start_ns[r] < v->q->b_ns && !progress_loop_cancelled(&v->loop);
	     r = next) {
		for (next = r + 1; next < end && joined(v, next - 1);)
			next++;
		if (next - r > 1)
			take_run(v, r, next - r);
	}
	count_kernels(v, begin, r < end ? r : end);
}

static int by_saving(const void *x, const void *y, void *arg)
{
	const struct fusion_stats *s = arg;
	const struct fusion_group *a = x, *b = y;
	int64_t a_ns = fusion_ns(s, a, FUSION_SAVED_NS), b_ns = fusion_ns(s, b, FUSION_SAVED_NS);
	if (a_ns != b_ns)
		return a_ns > b_ns ? -1 : 1;
	return (a->first > b->first) - (a->first < b->first);
}

static bool fusion_stats_make(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
			      struct fusion_stats *out, struct err *e)
{
	size_t texts = strings_count(trace_strings(derived_trace(d))) + 1u;
	struct fusion_reader v = {.d = d, .q = q, .loop = {.progress = p}, .mem = mem, .out = out};
	*out = (struct fusion_stats){.sums.each = FUSION_NS_COUNT};
	const struct family_rules *rules = derived_family_rules(d, e);
	if (!rules)
		return false;
	v.families = derived_families(d, rules);
	v.fusible = must(malloc(texts));
	memset(v.fusible, 0, texts);
	v.shapes = shape_reader_new(d);
	for (uint32_t i = 0; i < trace_devices(derived_trace(d)); i++) {
		uint32_t n;
		const uint32_t *tracks = device_streams(d, i, &n);
		v.steps = device_steps_find(d, i, q->a_ns, q->b_ns);
		for (uint32_t k = 0; k < n && !v.loop.cancelled; k++)
			read_stream(&v, trace_track(derived_trace(d), tracks[k]));
	}
	free(v.at_hash);
	free(v.fusible);
	free(v.name_ns);
	shape_reader_free(v.shapes);
	climb_free(&v.ops);
	bool sound = family_rules_sound(rules, e);
	out->at = arena_own(mem, out->at, out->n * sizeof *out->at);
	if (out->n) /* after all is freed that was needed to find them: sorting takes as much */
		qsort_r(out->at, out->n, sizeof *out->at, by_saving, out);
	small_sums_own(&out->sums, mem);
	return sound && (!v.loop.cancelled || err_usage(e, "cancelled"));
}

static bool make_part(const struct derived *d, const struct query *q, void *out, struct arena *mem, struct progress *p,
		      struct err *e)
{
	return fusion_stats_make(d, q, mem, p, out, e);
}

const struct shared_part fusion_stats_part = {sizeof(struct fusion_stats), make_part};
