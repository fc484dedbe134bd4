/* latency_histogram: how long launches, their calls and their work take, counted in buckets that grow by 1, 2, 5, 10, ... */
#include "latency_histogram_columns.h"
#include "launch_groups.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/cells.h"

TABLE_DECL(latency_histogram);

/* clang-format off */
#define MEASURES(_) \
	_(LATENCY, "latency", "start of the launch call until its first work starts") \
	_(CALL,    "call",    "length of the launch call") \
	_(WORK,    "work",    "length of the kernel, copy or set")
/* clang-format on */
static const struct column columns[] = {LATENCY_HISTOGRAM_COLUMNS(COLUMN_ROW)};
static const char *const measures[] = {
#define MEASURE_NAME(id, name, help) name,
	MEASURES(MEASURE_NAME)
#undef MEASURE_NAME
};
enum { MEASURE_COUNT = sizeof measures / sizeof *measures, BOUNDS = 48, FIRST_BOUND_NS = 100 };

struct bucket {
	int64_t count, total_ns, longest_ns;
	row_id longest;
};
struct histogram {
	const struct columns *c;
	int64_t bounds[BOUNDS]; /* bucket i: [bounds[i - 1], bounds[i]) */
	struct bucket at[MEASURE_COUNT][BOUNDS];
};

static void make_bounds(struct histogram *h)
{
	int64_t bound_ns = FIRST_BOUND_NS;
	for (int i = 0; i < BOUNDS; i++) {
		h->bounds[i] = bound_ns;
		bound_ns = i % 3 == 1 ? bound_ns / 2 * 5 : bound_ns * 2;
	}
	h->bounds[BOUNDS - 1] = INT64_MAX;
}

static int bucket_of(const struct histogram *h, int64_t ns)
{
	int lo = 0, hi = BOUNDS - 1;
	while (lo < hi) {
		int mid = (lo + hi) / 2;
		if (ns < h->bounds[mid])
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

static void count(struct histogram *h, int measure, int64_t ns, row_id r)
{
	struct bucket *b = &h->at[measure][bucket_of(h, ns)];
	if (!b->count++ || ns > b->longest_ns) {
		b->longest_ns = ns;
		b->longest = r;
	}
	b->total_ns += ns;
}

static void take(void *arg, const struct launched *x)
{
	struct histogram *h = arg;
	int64_t ns;
	if (!x->starts)
		return;
	for (int m = 0; m < MEASURE_COUNT; m++)
		if (launch_measured(h->c, x->work, (enum launch_measure)m, &ns))
			count(h, m, ns, x->work);
}

/* The first one met of the longest counts. */
static void add_up(struct histogram *h, const struct histogram *more)
{
	for (int i = 0; i < MEASURE_COUNT * BOUNDS; i++) {
		struct bucket *b = &h->at[i / BOUNDS][i % BOUNDS];
		const struct bucket *x = &more->at[i / BOUNDS][i % BOUNDS];
		if (x->count && (!b->count || x->longest_ns > b->longest_ns)) {
			b->longest_ns = x->longest_ns;
			b->longest = x->longest;
		}
		b->count += x->count;
		b->total_ns += x->total_ns;
	}
}

static void put_bucket(struct table *t, const struct histogram *h, int measure, int i, int64_t upto, int64_t all)
{
	const struct bucket *b = &h->at[measure][i];
	struct cell *row = table_row(t);
	cell_text(&row[COL_LATENCY_HISTOGRAM_MEASURE], measures[measure]);
	cell_int(&row[COL_LATENCY_HISTOGRAM_FROM], i ? h->bounds[i - 1] : 0);
	cell_int(&row[COL_LATENCY_HISTOGRAM_TO], h->bounds[i]);
	cell_int(&row[COL_LATENCY_HISTOGRAM_COUNT], b->count);
	cell_pct(&row[COL_LATENCY_HISTOGRAM_SHARE], b->count, all);
	cell_pct(&row[COL_LATENCY_HISTOGRAM_UPTO], upto, all);
	cell_int(&row[COL_LATENCY_HISTOGRAM_TOTAL], b->total_ns);
	if (!b->count)
		return;
	row_id rows[2] = {b->longest, h->c->link[b->longest]};
	table_evidence(t, 0, 0, rows, rows[1] == NONE_ID ? 1 : 2);
}

/* From the first bucket that holds something to the last, empty ones between them included. */
static void put_measure(struct table *t, const struct histogram *h, int measure)
{
	int64_t all = 0, upto = 0;
	for (int i = 0; i < BOUNDS; i++)
		all += h->at[measure][i].count;
	for (int i = 0; i < BOUNDS && upto < all; i++) {
		upto += h->at[measure][i].count;
		if (upto)
			put_bucket(t, h, measure, i, upto, all);
	}
}

static struct table *run_latency_histogram(const struct derived *d, const struct query *q, struct arena *mem,
					   struct progress *p, struct err *e)
{
	struct histogram *h = arena_alloc(mem, 2 * sizeof *h);
	struct halves halves = halves_of_devices(d);
	h->c = trace_columns(derived_trace(d));
	make_bounds(h);
	h[1] = h[0];
	if (!launch_walk(d, q, &halves, queue_read, p, &(struct launch_taker){take, &h[0], &h[1]}, 1, e))
		return NULL;
	add_up(h, &h[1]);
	struct table *t = table_new(mem, &latency_histogram_desc);
	query_bounds(q, derived_trace(d), &t->window_a_ns, &t->window_b_ns);
	for (int m = 0; m < MEASURE_COUNT; m++)
		put_measure(t, h, m);
	return t;
}

const struct table_desc latency_histogram_desc = {
	.name = "latency_histogram",
	.title = "Launch latencies",
	.help = "how long launches wait and how long their calls and their work take, in growing buckets",
	TABLE_COLUMNS(columns),
	.run = run_latency_histogram,
	.vs = {.key = COLUMN_LIST(COL_LATENCY_HISTOGRAM_FROM, COL_LATENCY_HISTOGRAM_MEASURE),
	       .sums = COLUMN_LIST(COL_LATENCY_HISTOGRAM_COUNT, COL_LATENCY_HISTOGRAM_TOTAL)},
};
