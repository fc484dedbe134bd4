#include "launch_groups.h"
#include "model/store/base/column.h"
#include "model/store/base/grow.h"
#include "model/store/base/memory.h"
#include "model/analysis/maths/quantile.h"
#include "model/analysis/names/launch_names.h"
#include <stdlib.h>
#include <string.h>

/* clang-format off */
#define GROUPINGS(_) \
	_(OP, "op") \
	_(KERNEL, "kernel") \
	_(THREAD, "thread") \
	_(API, "api") \
	_(DEVICE, "device")
/* clang-format on */
enum grouping {
#define GROUPING_ENUM(id, word) BY_##id,
	GROUPINGS(GROUPING_ENUM)
#undef GROUPING_ENUM
		GROUPING_COUNT
};
/* Work that starts inside the window. */
struct item {
	uint32_t group;
	row_id row;
};
struct grouper {
	READER_APART const struct derived *d;
	const struct columns *c;
	enum grouping by;
	struct arena mem; /* of the groups and ops */
	struct op_index index;
	struct column places[2]; /* of the groups, by the two halves of their key: + 1, 0 = none */
	struct launch_groups out;
	bool is_second; /* of the halves */
	uint64_t *keys; /* of the second half's groups */
	uint32_t cap_keys, cap_groups;
	struct item *items;
	size_t n_items, cap_items;
	uint8_t *is_graph; /* per text: + 1, 0 = not asked */
	uint64_t last_key; /* neighbours are often alike */
	uint32_t last_group;
};

const char *launch_by_word(unsigned i)
{
	static const char *const words[] = {
#define GROUPING_WORD(id, word) word,
		GROUPINGS(GROUPING_WORD)
#undef GROUPING_WORD
	};
	return i < GROUPING_COUNT ? words[i] : NULL;
}

static bool parse_grouping(const char *word, enum grouping *by, struct err *e)
{
	*by = BY_OP;
	for (unsigned i = 0; word && i < GROUPING_COUNT; i++)
		if (!strcmp(word, launch_by_word(i))) {
			*by = (enum grouping)i;
			return true;
		}
	return !word || err_usage(e, "launches are grouped --by op, kernel, thread, api or device, not '%.40s'", word);
}

/* ---- which group ------------------------------------------------------------------------------------------------------ */

/* TensorFlow's profiler names the call after what it launches. */
static uint32_t api_of(const struct columns *c, const struct launched *x)
{
	return c->name[x->launch] == c->name[x->work] ? LAUNCH_NONE : c->name[x->launch];
}

/* Below 2^33: a number of 32 bits of one of two sorts. */
static uint64_t key_of(struct grouper *g, const struct launched *x, uint32_t op)
{
	str_id name = g->c->name[x->work];
	switch (g->by) {
	case BY_OP:
		return op == NO_OP ? (uint64_t)1 << 32 | name : op;
	case BY_KERNEL:
		return name;
	case BY_THREAD:
		return x->launch == NONE_ID ? (uint64_t)1 << 32 : g->c->track[x->launch];
	case BY_DEVICE:
		return x->device;
	default:
		return x->launch == NONE_ID ? (uint64_t)1 << 32 : api_of(g->c, x);
	}
}

static uint32_t new_group(struct grouper *g, uint64_t key)
{
	struct launch_groups *out = &g->out;
	if (g->is_second) {
		GROW_ARRAY(g->keys, out->n, g->cap_keys);
		g->keys[out->n] = key;
	}
	GROW_ARRAY(out->at, out->n, g->cap_groups);
	out->at[out->n] = (struct launch_group){.longest = NONE_ID};
	return out->n++;
}

static uint32_t *place_of(struct grouper *g, uint64_t key)
{
	struct column *places = &g->places[key >> 32];
	uint32_t i = (uint32_t)key;
	if (i >= places->cap && !column_grow(places, i + (size_t)1))
		memory_exhausted();
	return (uint32_t *)places->p + i;
}

static uint32_t group_of(struct grouper *g, uint64_t key)
{
	if (g->out.n && key == g->last_key)
		return g->last_group;
	uint32_t *place = place_of(g, key);
	if (!*place)
		*place = new_group(g, key) + 1;
	g->last_key = key;
	g->last_group = *place - 1;
	return g->last_group;
}

/* ---- one work --------------------------------------------------------------------------------------------------------- */

static void share(uint32_t *shared, uint32_t value, bool first)
{
	if (first)
		*shared = value;
	else if (*shared != value)
		*shared = LAUNCH_MIXED;
}

static void name_group(struct grouper *g, struct launch_group *into, const struct launched *x, uint32_t op, bool first)
{
	bool known = x->launch != NONE_ID;
	share(&into->device, x->device, first);
	share(&into->op, op == NO_OP ? LAUNCH_NONE : op, first);
	share(&into->kernel, g->c->name[x->work], first);
	share(&into->api, known ? api_of(g->c, x) : LAUNCH_NONE, first);
	share(&into->thread, known ? g->c->track[x->launch] : LAUNCH_NONE, first);
}

static bool by_graph(struct grouper *g, row_id launch)
{
	str_id name = g->c->name[launch];
	if (!g->is_graph[name])
		g->is_graph[name] = (uint8_t)(launch_is_graph(trace_str(derived_trace(g->d), name)) + 1);
	return g->is_graph[name] == 2;
}

static void add_ns(struct grouper *g, struct launch_group *into, enum launch_ns which, int64_t ns)
{
	small_sums_add(&g->out.sums, into->ns, which, ns);
}

static int64_t waited_ns(const struct columns *c, row_id work)
{
	int64_t wait_ns = c->start_ns[work] - c->start_ns[c->link[work]];
	return wait_ns < 0 ? 0 : wait_ns;
}

/* Of equal ones the first that comes. */
static void keep_longest(struct launch_group *into, const struct columns *c, row_id work)
{
	if (work != NONE_ID && (into->longest == NONE_ID || waited_ns(c, work) > waited_ns(c, into->longest)))
		into->longest = work;
}

static void count_call(struct grouper *g, struct launch_group *into, const struct launched *x)
{
	into->calls++;
	add_ns(g, into, LAUNCH_LATENCY_NS, x->latency_ns);
	into->shorter += g->c->dur_ns[x->launch] > g->c->dur_ns[x->work];
	keep_longest(into, g->c, x->work);
}

static void count_work(struct grouper *g, struct launch_group *into, const struct launched *x)
{
	into->count++;
	into->no_launch += x->launch == NONE_ID;
	into->early += x->early;
	into->queue_max = x->queue > into->queue_max ? x->queue : into->queue_max;
	if (x->launch == NONE_ID)
		return;
	into->graph += by_graph(g, x->launch);
	if (x->owner)
		count_call(g, into, x);
}

static void keep_item(struct grouper *g, uint32_t group, row_id row)
{
	GROW_ARRAY(g->items, g->n_items, g->cap_items);
	g->items[g->n_items++] = (struct item){group, row};
}

static void take(void *arg, const struct launched *x)
{
	struct grouper *g = arg;
	row_id by;
	/* ops are not listed for a whole device */
	uint32_t op = g->by == BY_DEVICE ? NO_OP : op_index_work(&g->index, x->work, &by);
	uint32_t known = g->out.n, at = group_of(g, key_of(g, x, op));
	struct launch_group *into = &g->out.at[at];
	name_group(g, into, x, op, at == known);
	add_ns(g, into, LAUNCH_CALL_NS, x->call_ns);
	add_ns(g, into, LAUNCH_BLOCKED_NS, x->queue >= QUEUE_NEARLY_FULL ? x->call_ns : 0);
	add_ns(g, into, LAUNCH_WORK_NS, x->work_ns);
	add_ns(g, into, LAUNCH_BOUND_NS, x->launch_bound_ns);
	add_ns(g, into, LAUNCH_NOT_LAUNCHED_NS, x->not_launched_ns);
	g->out.launch_bound_ns += x->launch_bound_ns;
	if (!x->starts)
		return;
	count_work(g, into, x);
	keep_item(g, at, x->work);
}

/* ---- the second half of the devices after the first --------------------------------------------------------------------- */

static void share_again(uint32_t *shared, uint32_t value)
{
	if (value == LAUNCH_MIXED || *shared != value)
		*shared = LAUNCH_MIXED;
}

/* With the first half's numbers of ops. */
static void rename_op(struct launch_group *x, const uint32_t *becomes)
{
	if (x->op != LAUNCH_NONE && x->op != LAUNCH_MIXED)
		x->op = becomes[x->op];
}

static void share_group(struct launch_group *into, const struct launch_group *x)
{
	share_again(&into->op, x->op);
	share_again(&into->kernel, x->kernel);
	share_again(&into->api, x->api);
	share_again(&into->thread, x->thread);
	share_again(&into->device, x->device);
	into->count += x->count;
	into->calls += x->calls;
	into->graph += x->graph;
	into->no_launch += x->no_launch;
	into->early += x->early;
	into->shorter += x->shorter;
	into->queue_max = x->queue_max > into->queue_max ? x->queue_max : into->queue_max;
}

/* The i-th group of the second half; fresh: it is the first one of its key. */
static void add_group(struct grouper *g, uint32_t group, bool fresh, const struct grouper *more, uint32_t i)
{
	struct launch_group *into = &g->out.at[group];
	const struct launch_group *x = &more->out.at[i];
	if (fresh) {
		*into = *x;
		memset(into->ns, 0, sizeof into->ns);
	} else {
		share_group(into, x);
		keep_longest(into, g->c, x->longest);
	}
	for (uint32_t k = 0; k < LAUNCH_NS_COUNT; k++)
		add_ns(g, into, k, launch_group_ns(&more->out, x, k));
}

static uint64_t key_with(const struct grouper *g, uint64_t key, const uint32_t *ops)
{
	return g->by == BY_OP && key <= UINT32_MAX ? ops[key] : key;
}

static void add_half(struct grouper *g, struct grouper *more)
{
	uint32_t *ops = must(malloc((more->index.n + (size_t)1) * sizeof *ops));
	uint32_t *groups = must(malloc((more->out.n + (size_t)1) * sizeof *groups));
	for (uint32_t i = 0; i < more->index.n; i++)
		ops[i] = op_index_span(&g->index, more->index.at[i].name, more->index.at[i].type);
	for (uint32_t i = 0; i < more->out.n; i++) {
		uint32_t known = g->out.n;
		groups[i] = group_of(g, key_with(g, more->keys[i], ops));
		rename_op(&more->out.at[i], ops);
		add_group(g, groups[i], groups[i] == known, more, i);
	}
	for (size_t i = 0; i < more->n_items; i++)
		more->items[i].group = groups[more->items[i].group];
	g->out.launch_bound_ns += more->out.launch_bound_ns;
	free(groups);
	free(ops);
}

/* ---- the groups' rows and order --------------------------------------------------------------------------------------- */

static void count_items(const struct grouper *g, struct launch_groups *out)
{
	for (size_t i = 0; i < g->n_items; i++)
		out->from[g->items[i].group + 2]++;
}

static void deal_items(const struct grouper *g, struct launch_groups *out)
{
	for (size_t i = 0; i < g->n_items; i++)
		out->rows[out->from[g->items[i].group + 1]++] = g->items[i].row;
}

static void sort_items(const struct grouper of[2], struct arena *mem, struct launch_groups *out)
{
	out->from = arena_alloc(mem, (out->n + (size_t)2) * sizeof *out->from);
	out->rows = arena_alloc(mem, (of[0].n_items + of[1].n_items + 1) * sizeof *out->rows);
	count_items(&of[0], out);
	count_items(&of[1], out);
	for (uint32_t i = 2; i < out->n + 2; i++)
		out->from[i] += out->from[i - 1];
	deal_items(&of[0], out);
	deal_items(&of[1], out);
}

static int compare(const void *px, const void *py, void *arg)
{
	const struct launch_groups *all = arg;
	const struct launch_group *x = &all->at[((const struct rank *)px)->id],
				  *y = &all->at[((const struct rank *)py)->id];
	static const enum launch_ns first[] = {LAUNCH_BOUND_NS, LAUNCH_CALL_NS};
	for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
		int64_t x_ns = launch_group_ns(all, x, first[i]), y_ns = launch_group_ns(all, y, first[i]);
		if (x_ns != y_ns)
			return x_ns > y_ns ? -1 : 1;
	}
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return (x > y) - (x < y);
}

static void rank_groups(struct launch_groups *out, struct arena *mem)
{
	struct rank *order = must(malloc((out->n + (size_t)1) * sizeof *order));
	for (uint32_t i = 0; i < out->n; i++)
		order[i] = (struct rank){rank_size(launch_group_ns(out, &out->at[i], LAUNCH_BOUND_NS)), i};
	rank_sort(order, out->n);
	rank_ties(order, out->n, 0, compare, out);
	out->order = rank_ids(order, out->n, mem);
}

static void grouper_open(struct grouper *g, const struct derived *d, enum grouping by)
{
	const struct trace *t = derived_trace(d);
	*g = (struct grouper){.d = d, .c = trace_columns(t), .by = by, .out = {.c = trace_columns(t)}};
	g->out.sums.each = LAUNCH_NS_COUNT;
	g->places[0].size = g->places[1].size = sizeof(uint32_t);
	g->is_graph = must(calloc(strings_count(trace_strings(t)) + (size_t)1, 1));
	op_index_init(&g->index, d, &g->mem);
}

/* What the groups are made of lives on with them. */
static void grouper_free(struct grouper *g, struct arena *mem)
{
	op_index_free(&g->index);
	column_free(&g->places[0]);
	column_free(&g->places[1]);
	free(g->is_graph);
	free(g->items);
	free(g->keys);
	free(g->out.at); /* of the second half */
	small_sums_free(&g->out.sums);
	arena_adopt(mem, &g->mem);
}

struct launch_groups_reader {
	struct grouper of[2];
};

struct launch_groups_reader *launch_groups_open(const struct derived *d, const char *by, const struct halves *h,
						struct err *e)
{
	enum grouping grouping;
	if (!parse_grouping(by, &grouping, e))
		return NULL;
	struct launch_groups_reader *x = must(aligned_alloc(_Alignof(struct launch_groups_reader), sizeof *x));
	*x = (struct launch_groups_reader){0};
	for (int i = 0; i < 1 + halves_two(h); i++)
		grouper_open(&x->of[i], d, grouping);
	x->of[1].is_second = true;
	return x;
}

struct launch_taker launch_groups_taker(struct launch_groups_reader *x)
{
	return (struct launch_taker){take, &x->of[0], &x->of[1]};
}

void launch_groups_close(struct launch_groups_reader *x, bool told, struct arena *mem, struct launch_groups *out)
{
	struct grouper *of = x->of;
	*out = (struct launch_groups){.c = of[0].c};
	if (told) {
		add_half(&of[0], &of[1]);
		*out = of[0].out;
		out->ops = of[0].index.at;
		out->n_ops = of[0].index.n;
		out->at = arena_own(mem, out->at, out->n * sizeof *out->at);
		small_sums_own(&out->sums, mem);
		of[0].out.at = NULL;
		of[0].out.sums = (struct small_sums){0};
		sort_items(of, mem, out);
		rank_groups(out, mem);
	}
	grouper_free(&of[0], mem);
	grouper_free(&of[1], mem);
	free(x);
}

bool launch_groups_make(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
			struct launch_groups *out, struct err *e)
{
	struct halves h = halves_of_devices(d);
	struct launch_groups_reader *x = launch_groups_open(d, q->by, &h, e);
	if (!x)
		return false;
	struct launch_taker taker = launch_groups_taker(x);
	bool told = launch_walk(d, q, &h, queue_read, p, &taker, 1, e);
	launch_groups_close(x, told, mem, out);
	return told;
}

/* ---- spreads ---------------------------------------------------------------------------------------------------------- */

bool launch_measured(const struct columns *c, row_id work, enum launch_measure m, int64_t *ns)
{
	row_id launch = c->link[work];
	*ns = c->dur_ns[work];
	if (m == LAUNCH_WORK)
		return true;
	if (launch == NONE_ID || c->link[launch] != work)
		return false;
	*ns = m == LAUNCH_CALL ? c->dur_ns[launch] : waited_ns(c, work);
	return true;
}

static void widen(struct launch_spread *s, int64_t ns, bool first)
{
	s->min_ns = first || ns < s->min_ns ? ns : s->min_ns;
	s->max_ns = first || ns > s->max_ns ? ns : s->max_ns;
}

static int64_t far_ns(const int64_t *v, uint32_t n, int64_t median_ns)
{
	int64_t sum_ns = 0;
	for (uint32_t i = 0; i < n; i++)
		if (v[i] > 0 && (v[i] - 1) / LAUNCH_FAR >= median_ns) /* without overflow */
			sum_ns += v[i] - median_ns;
	return sum_ns;
}

struct launch_spread launch_spread(const struct launch_groups *all, uint32_t group, enum launch_measure m)
{
	static const unsigned wanted[] = {500, 950, 990};
	int64_t out[] = {UNKNOWN_I64, UNKNOWN_I64, UNKNOWN_I64};
	struct launch_spread s = {.min_ns = UNKNOWN_I64, .max_ns = UNKNOWN_I64};
	uint32_t n = 0, works = all->from[group + 1] - all->from[group];
	int64_t *found = must(malloc((works + (size_t)1) * sizeof *found));
	for (uint32_t i = all->from[group]; i < all->from[group + 1]; i++) {
		if (!launch_measured(all->c, all->rows[i], m, &found[n]))
			continue;
		widen(&s, found[n], n == 0);
		n++;
	}
	if (n)
		quantiles_of(found, n, wanted, out, 3);
	s.p50_ns = out[0];
	s.p95_ns = out[1];
	s.p99_ns = out[2];
	s.far_ns = n ? far_ns(found, n, out[0]) : UNKNOWN_I64;
	free(found);
	return s;
}
