/* phases: device time of forward, loss, backward and optimizer, over the window and per step. */
#include "phases_columns.h"
#include "phases.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/cells.h"

TABLE_DECL(phases);

static const struct column columns[] = {PHASES_COLUMNS(COLUMN_ROW)};

static const char *by_text(const struct phase_sums *s)
{
	static const char *const words[PHASE_WAYS] = {NULL, "names", "links", "order"};
	int most = PHASE_BY_NOTHING;
	int64_t most_ns = 0;
	for (int i = PHASE_BY_NAME; i < PHASE_WAYS; i++)
		if (s->by_ns[i - PHASE_BY_NAME] > most_ns)
			most_ns = s->by_ns[(most = i) - PHASE_BY_NAME];
	return words[most];
}

struct phases_run {
	const struct derived *d;
	const struct phase_stats *stats;
	const struct phase_sums *at; /* of these */
};

static struct interval time_of(const struct phases_run *run, const struct phase_sums *s)
{
	return phase_sums_time(run->d, run->stats, s);
}

static int64_t work_of(const struct phase_sums *s)
{
	int64_t work_ns = 0;
	for (int i = 0; i < WORK_PHASES; i++)
		work_ns += s->ns[i];
	return work_ns;
}

static const char *step_of(const struct phases_run *run, const struct phase_sums *s)
{
	return s->step == NONE_ID ? "all" : derived_step(run->d, s->step)->label;
}

static void make_rest(const void *ctx, uint32_t i, struct made_row *out)
{
	const struct phases_run *run = ctx;
	const struct phase_sums *s = &run->at[i];
	const struct trace *t = derived_trace(run->d);
	struct cell *row = out->cells;
	int64_t work_ns = work_of(s);
	struct interval time = time_of(run, s);
	cell_text(&row[COL_PHASES_STEP], step_of(run, s));
	cell_rank(&row[COL_PHASES_RANK], t, trace_device(t, s->device)->host);
	cell_host(&row[COL_PHASES_HOST], t, trace_device(t, s->device)->host);
	cell_device(&row[COL_PHASES_DEVICE], t, s->device);
	cell_int(&row[COL_PHASES_START], time.a_ns);
	cell_int(&row[COL_PHASES_SPAN], time.b_ns - time.a_ns);
	cell_int(&row[COL_PHASES_WORK], work_ns);
	for (int k = 0; k < WORK_PHASES; k++) {
		cell_int(&row[COL_PHASES_FORWARD_NS + k], s->ns[k]);
		cell_pct(&row[COL_PHASES_FORWARD_PCT + k], s->ns[k], work_ns);
	}
	out->events[0] = s->longest;
	out->evidence = (struct evidence){time.a_ns, time.b_ns, out->events, s->longest != NONE_ID, NULL};
}

/* What readers ask first. */
static void make_by(const void *ctx, uint32_t i, struct made_row *out)
{
	const struct phases_run *run = ctx;
	cell_text(&out->cells[COL_PHASES_BY], by_text(&run->at[i]));
}

static const struct row_part row_parts[] = {
	{make_by, PART_BIT(COL_PHASES_BY), false},
	{make_rest, ~PART_BIT(COL_PHASES_BY), false},
};

#define PHASE_NS (((UINT64_C(1) << WORK_PHASES) - 1) << COL_PHASES_FORWARD_NS)

static void numbers_in(const void *ctx, const uint32_t *rows, uint32_t n, uint32_t column, int64_t *out)
{
	const struct phases_run *run = ctx;
	for (uint32_t i = 0; i < n; i++) {
		const struct phase_sums *s = &run->at[rows[i]];
		out[i] = column == COL_PHASES_DEVICE  ? device_known(derived_trace(run->d), s->device)
			 : column == COL_PHASES_START ? time_of(run, s).a_ns
			 : column == COL_PHASES_SPAN  ? time_of(run, s).b_ns - time_of(run, s).a_ns
			 : column == COL_PHASES_WORK  ? work_of(s)
						      : s->ns[column - COL_PHASES_FORWARD_NS];
	}
}

static void texts_in(const void *ctx, const uint32_t *rows, uint32_t n, uint32_t column, const char **out)
{
	const struct phases_run *run = ctx;
	for (uint32_t i = 0; i < n; i++)
		out[i] = column == COL_PHASES_STEP ? step_of(run, &run->at[rows[i]]) : by_text(&run->at[rows[i]]);
}

#define BITS(a, b) (PART_BIT(COL_PHASES_##a) | PART_BIT(COL_PHASES_##b))

static struct table *run_phases(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
				struct err *e)
{
	const struct phase_stats *stats = shared_part(&phase_stats_part, d, q, mem, p, e);
	if (!stats)
		return NULL;
	struct table *t = table_new(mem, &phases_desc);
	query_bounds(q, derived_trace(d), &t->window_a_ns, &t->window_b_ns);
	struct phases_run *run = arena_alloc(mem, sizeof *run);
	*run = (struct phases_run){d, stats, stats->at};
	table_made_parts(t, stats->n, row_parts, sizeof row_parts / sizeof *row_parts, run);
	table_made_numbers(t, numbers_in, PHASE_NS | BITS(DEVICE, START) | BITS(SPAN, WORK));
	table_made_texts(t, texts_in, BITS(STEP, BY));
	return t;
}

const struct table_desc phases_desc = {
	.name = "phases",
	.title = "Phases",
	.help = "device time of forward, loss, backward and optimizer, in total and per step",
	TABLE_COLUMNS(columns),
	.run = run_phases,
	.first = COLUMN_LIST(COL_PHASES_STEP, COL_PHASES_DEVICE, COL_PHASES_FORWARD_PCT, COL_PHASES_LOSS_PCT,
			     COL_PHASES_BACKWARD_PCT, COL_PHASES_OPTIMIZER_PCT, COL_PHASES_NO_PHASE_PCT,
			     COL_PHASES_FORWARD_NS, COL_PHASES_BACKWARD_NS, COL_PHASES_OPTIMIZER_NS, COL_PHASES_LOSS_NS,
			     COL_PHASES_NO_PHASE_NS, COL_PHASES_WORK, COL_PHASES_BY),
	.lead = 2,
	.report = {.intro = "device time by part of the training step, all in all and per step",
		   .brief = COLUMN_LIST(COL_PHASES_STEP, COL_PHASES_DEVICE, COL_PHASES_FORWARD_NS, COL_PHASES_LOSS_NS,
					COL_PHASES_BACKWARD_NS, COL_PHASES_OPTIMIZER_NS, COL_PHASES_NO_PHASE_NS,
					COL_PHASES_BY),
		   .wide = COLUMN_LIST(COL_PHASES_STEP, COL_PHASES_DEVICE, COL_PHASES_WORK, COL_PHASES_FORWARD_NS,
				       COL_PHASES_FORWARD_PCT, COL_PHASES_LOSS_NS, COL_PHASES_LOSS_PCT,
				       COL_PHASES_BACKWARD_NS, COL_PHASES_BACKWARD_PCT, COL_PHASES_OPTIMIZER_NS,
				       COL_PHASES_OPTIMIZER_PCT, COL_PHASES_NO_PHASE_NS, COL_PHASES_NO_PHASE_PCT,
				       COL_PHASES_BY)},
	.vs = {.key = COLUMN_LIST(COL_PHASES_RANK, COL_PHASES_DEVICE),
	       .sums = COLUMN_LIST(COL_PHASES_WORK, COL_PHASES_FORWARD_NS, COL_PHASES_LOSS_NS, COL_PHASES_BACKWARD_NS,
				   COL_PHASES_OPTIMIZER_NS, COL_PHASES_NO_PHASE_NS),
	       .of_all = COLUMN_LIST(COL_PHASES_STEP)},
};
