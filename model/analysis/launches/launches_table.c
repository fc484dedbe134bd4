/* launches: calls that launch device work, and how long the work waits for them; by op, kernel, thread or call. */
#include "launches_columns.h"
#include "launch_cells.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"

TABLE_DECL(launches);

static const struct column columns[] = {LAUNCHES_COLUMNS(COLUMN_ROW)};
#define PLACE(id) [LAUNCH_CELL_##id] = COL_LAUNCHES_##id,
static const uint8_t places[] = {LAUNCH_CELLS(PLACE)};

/* What rows are made from. */
struct listing {
	const struct derived *d;
	const struct table *table; /* that they are made for */
	struct launch_groups all;
	const char **ops, **threads; /* by op, by track: written when they are read; NULL: none was */
};

static const struct launch_group *group_at(const struct listing *l, uint32_t row)
{
	return &l->all.at[l->all.order[row]];
}

static const char **text_at(const struct listing *l, const char ***texts, size_t n, uint32_t i)
{
	if (!*texts)
		*texts = arena_alloc(l->table->mem, (n + 1) * sizeof **texts);
	return &(*texts)[i];
}

static const char *op_text(const struct listing *l, uint32_t op)
{
	struct listing *w = (struct listing *)l; /* read by one thread at a time, like the table */
	const char **text = text_at(l, &w->ops, l->all.n_ops, op);
	const struct span *name = &l->all.ops[op].name;
	if (!*text)
		*text = arena_strndup(l->table->mem, name->p, name->n);
	return *text;
}

static const char *thread_text(const struct listing *l, uint32_t track)
{
	struct listing *w = (struct listing *)l;
	const struct trace *t = derived_trace(l->d);
	const char **text = text_at(l, &w->threads, trace_tracks(t), track);
	char label[256];
	if (!*text)
		*text = arena_strdup(l->table->mem, trace_track_label(t, track, label, sizeof label));
	return *text;
}

static void make_names(const void *ctx, uint32_t i, struct made_row *out)
{
	const struct listing *l = ctx;
	const struct launch_group *g = group_at(l, i);
	const struct trace *t = derived_trace(l->d);
	struct cell *row = out->cells;
	if (g->op != LAUNCH_MIXED && g->op != LAUNCH_NONE && l->all.ops[g->op].name.n)
		cell_text(&row[COL_LAUNCHES_OP], op_text(l, g->op));
	if (g->kernel != LAUNCH_MIXED)
		cell_text(&row[COL_LAUNCHES_KERNEL], trace_str(t, g->kernel));
	if (g->device != LAUNCH_MIXED) {
		cell_device(&row[COL_LAUNCHES_DEVICE], t, g->device);
		cell_host(&row[COL_LAUNCHES_HOST], t, trace_device(t, g->device)->host);
	}
	if (g->api != LAUNCH_MIXED && g->api != LAUNCH_NONE)
		cell_text(&row[COL_LAUNCHES_API], trace_str(t, g->api));
	if (g->thread != LAUNCH_MIXED && g->thread != LAUNCH_NONE)
		cell_text(&row[COL_LAUNCHES_THREAD], thread_text(l, g->thread));
}

static void make_latency(const void *ctx, uint32_t i, struct made_row *out)
{
	const struct listing *l = ctx;
	struct launch_spread latency = launch_latency_cells(out->cells, places, &l->all, l->all.order[i]);
	cell_int(&out->cells[COL_LAUNCHES_LATENCYMIN], latency.min_ns);
}

static void make_calls(const void *ctx, uint32_t i, struct made_row *out)
{
	const struct listing *l = ctx;
	launch_call_cells(out->cells, places, &l->all, l->all.order[i]);
}

static void put_evidence(struct made_row *out, const struct derived *d, const struct launch_group *g)
{
	const struct columns *c = trace_columns(derived_trace(d));
	row_id *rows = out->events;
	if (g->longest == NONE_ID)
		return;
	rows[0] = g->longest;
	rows[1] = c->link[g->longest];
	uint32_t n = rows[1] == NONE_ID ? 1 : 2;
	out->evidence =
		(struct evidence){c->start_ns[rows[n - 1]], c->start_ns[rows[0]] + c->dur_ns[rows[0]], rows, n, NULL};
}

static void make_sums(const void *ctx, uint32_t i, struct made_row *out)
{
	const struct listing *l = ctx;
	const struct launch_group *g = group_at(l, i);
	launch_sum_cells(out->cells, places, &l->all, l->all.order[i]);
	cell_pct(&out->cells[COL_LAUNCHES_SHARE], launch_group_ns(&l->all, g, LAUNCH_BOUND_NS), l->all.launch_bound_ns);
	put_evidence(out, l->d, g);
}

#define BITS(a, b, c) (PART_BIT(COL_LAUNCHES_##a) | PART_BIT(COL_LAUNCHES_##b) | PART_BIT(COL_LAUNCHES_##c))
static const struct row_part row_parts[] = {
	{make_names, BITS(OP, KERNEL, DEVICE) | BITS(HOST, API, THREAD), false},
	{make_latency, BITS(LATENCY50, LATENCY95, LATENCY99) | BITS(LATENCYMAX, LATENCYMIN, LATENCYMIN), false},
	{make_calls, BITS(CALL50, CALL99, CALLFAR) | PART_BIT(COL_LAUNCHES_WORK50), false},
	{make_sums, 0, false},
};

static struct table *run_launches(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
				  struct err *e)
{
	struct listing *l = arena_alloc(mem, sizeof *l);
	if (!launch_groups_make(d, q, mem, p, &l->all, e))
		return NULL;
	struct table *t = table_new(mem, &launches_desc);
	query_bounds(q, derived_trace(d), &t->window_a_ns, &t->window_b_ns);
	l->d = d;
	l->table = t;
	table_made_parts(t, l->all.n, row_parts, sizeof row_parts / sizeof *row_parts, l);
	t->sort_col = COL_LAUNCHES_BOUND;
	t->sort_desc = true;
	return t;
}

const struct table_desc launches_desc = {
	.name = "launches",
	.title = "Launches",
	.help = "launch calls: how long they take, how long work waits for them, and how long the device idles for "
		"them",
	TABLE_COLUMNS(columns),
	.by = launch_by_word,
	.run = run_launches,
	.first = COLUMN_LIST(COL_LAUNCHES_OP, COL_LAUNCHES_BOUND, COL_LAUNCHES_COUNT, COL_LAUNCHES_LATENCY50,
			     COL_LAUNCHES_LATENCY99, COL_LAUNCHES_KERNEL, COL_LAUNCHES_QUEUE, COL_LAUNCHES_CALL,
			     COL_LAUNCHES_UNLAUNCHED),
	.lead = 2,
	.report = {.intro = "by op, most idle time for launches first",
		   .brief = COLUMN_LIST(COL_LAUNCHES_OP, COL_LAUNCHES_KERNEL, COL_LAUNCHES_COUNT,
					COL_LAUNCHES_LATENCY50, COL_LAUNCHES_LATENCY99, COL_LAUNCHES_QUEUE,
					COL_LAUNCHES_BOUND, COL_LAUNCHES_CALL),
		   .wide = COLUMN_LIST(COL_LAUNCHES_OP, COL_LAUNCHES_KERNEL, COL_LAUNCHES_COUNT, COL_LAUNCHES_CALLS,
				       COL_LAUNCHES_CALL, COL_LAUNCHES_CALL50, COL_LAUNCHES_LATENCY50,
				       COL_LAUNCHES_LATENCY95, COL_LAUNCHES_LATENCY99, COL_LAUNCHES_QUEUE,
				       COL_LAUNCHES_BOUND, COL_LAUNCHES_UNLAUNCHED, COL_LAUNCHES_SHORT,
				       COL_LAUNCHES_GRAPHPCT)},
	.vs = {.key = COLUMN_LIST(COL_LAUNCHES_OP, COL_LAUNCHES_KERNEL),
	       .sums = COLUMN_LIST(COL_LAUNCHES_BOUND, COL_LAUNCHES_CALL, COL_LAUNCHES_COUNT)},
};
