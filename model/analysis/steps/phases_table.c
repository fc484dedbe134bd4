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
	for (int i = PHASE_BY_NAME; i < PHASE_WAYS; i++)
		if (s->by_ns[i] > 0 && (most == PHASE_BY_NOTHING || s->by_ns[i] > s->by_ns[most]))
			most = i;
	return words[most];
}

static void add_row(struct table *t, const struct derived *d, const struct phase_sums *s)
{
	const struct trace *tr = derived_trace(d);
	struct cell *row = table_row(t);
	int64_t work_ns = 0;
	for (int i = 0; i < WORK_PHASES; i++)
		work_ns += s->ns[i];
	cell_text(&row[COL_PHASES_STEP], s->step == NONE_ID ? "all" : derived_step(d, s->step)->label);
	cell_rank(&row[COL_PHASES_RANK], tr, trace_device(tr, s->device)->host);
	cell_host(&row[COL_PHASES_HOST], tr, trace_device(tr, s->device)->host);
	cell_device(&row[COL_PHASES_DEVICE], tr, s->device);
	cell_int(&row[COL_PHASES_START], s->start_ns);
	cell_int(&row[COL_PHASES_SPAN], s->end_ns - s->start_ns);
	cell_int(&row[COL_PHASES_WORK], work_ns);
	for (int i = 0; i < WORK_PHASES; i++) {
		cell_int(&row[COL_PHASES_FORWARD_NS + i], s->ns[i]);
		cell_pct(&row[COL_PHASES_FORWARD_PCT + i], s->ns[i], work_ns);
	}
	cell_text(&row[COL_PHASES_BY], by_text(s));
	table_evidence(t, s->start_ns, s->end_ns, &s->longest, s->longest != NONE_ID);
}

static struct table *run_phases(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
				struct err *e)
{
	const struct phase_stats *stats = shared_part(&phase_stats_part, d, q, mem, p, e);
	if (!stats)
		return NULL;
	struct table *t = table_new(mem, &phases_desc);
	query_bounds(q, derived_trace(d), &t->window_a_ns, &t->window_b_ns);
	for (uint32_t i = 0; i < stats->n; i++)
		add_row(t, d, &stats->at[i]);
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
