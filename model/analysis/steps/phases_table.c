/* phases: device time of forward, loss, backward and optimizer, over the window and per step. */
#include "phases.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/cells.h"

TABLE_DECL(phases);

/* clang-format off */
#define PHASE_COLUMNS(_)                                                                                               \
	_(STEP,   "step",         TEXT, NONE,    "step, or 'all': everything on the device inside the window")         \
	_(RANK,   "rank",         INT,  ID,      "rank of the distributed job")                                        \
	_(DEVICE, "device",       INT,  ID,      "GPU number as the producer counts")                                  \
	_(START,  "start_ns",     INT,  NS,      "first device work of the step; of all: inside the window")                                      \
	_(SPAN,   "span_ns",      INT,  NS,      "first to last device work of the step, whole")                       \
	_(WORK,   "work_ns",      INT,  NS,      "device work inside the window: kernels, copies and memsets, added up; the phases and other make all of it") \
	_(FORWARD_NS, "forward_ns", INT, NS,     "layers, by names, autograd's links, or because it comes before the first backward kernel of its step") \
	_(LOSS_NS, "loss_ns",     INT,  NS,      "loss functions, by names")                                           \
	_(BACKWARD_NS, "backward_ns", INT, NS,   "gradients, by names and autograd's links")                           \
	_(OPTIMIZER_NS, "optimizer_ns", INT, NS, "updates of parameters, clearing and scaling of gradients, by names") \
	_(OTHER_NS, "other_ns",   INT,  NS,      "nothing tells")                                                      \
	_(FORWARD_PCT, "forward_pct", REAL, PERCENT, "share of work_ns")                                               \
	_(LOSS_PCT, "loss_pct",   REAL, PERCENT, "share of work_ns")                                                   \
	_(BACKWARD_PCT, "backward_pct", REAL, PERCENT, "share of work_ns")                                             \
	_(OPTIMIZER_PCT, "optimizer_pct", REAL, PERCENT, "share of work_ns")                                           \
	_(OTHER_PCT, "other_pct", REAL, PERCENT, "share of work_ns")                                                   \
	_(BY,     "by",           TEXT, NONE,    "what told most of it: names, links (autograd) or order")
/* clang-format on */

enum phase_column {
#define COLUMN_ENUM(id, name, type, unit, help) COL_##id,
	PHASE_COLUMNS(COLUMN_ENUM)
#undef COLUMN_ENUM
		COL_COUNT_
};
static const struct column columns[] = {
#define COLUMN_ROW(id, name, type, unit, help) {name, CELL_##type, UNIT_##unit, help},
	PHASE_COLUMNS(COLUMN_ROW)
#undef COLUMN_ROW
};

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
	cell_text(&row[COL_STEP], s->step == NONE_ID ? "all" : derived_step(d, s->step)->label);
	cell_rank(&row[COL_RANK], tr, trace_device(tr, s->device)->host);
	cell_device(&row[COL_DEVICE], tr, s->device);
	cell_int(&row[COL_START], s->start_ns);
	cell_int(&row[COL_SPAN], s->end_ns - s->start_ns);
	cell_int(&row[COL_WORK], work_ns);
	for (int i = 0; i < WORK_PHASES; i++) {
		cell_int(&row[COL_FORWARD_NS + i], s->ns[i]);
		cell_pct(&row[COL_FORWARD_PCT + i], s->ns[i], work_ns);
	}
	cell_text(&row[COL_BY], by_text(s));
	table_evidence(t, s->start_ns, s->end_ns, &s->longest, s->longest != NONE_ID);
}

static struct table *run_phases(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
				struct err *e)
{
	struct phase_stats stats;
	if (!phase_stats_make(d, q, mem, p, &stats, e))
		return NULL;
	struct table *t = table_new(mem, &phases_desc);
	query_bounds(q, derived_trace(d), &t->window_a_ns, &t->window_b_ns);
	for (uint32_t i = 0; i < stats.n; i++)
		add_row(t, d, &stats.at[i]);
	return t;
}

const struct table_desc phases_desc = {
	.name = "phases",
	.title = "Phases",
	.help = "device time of forward, loss, backward and optimizer, all in all and per step",
	TABLE_COLUMNS(columns),
	.run = run_phases,
	.first = COLUMN_LIST(COL_STEP, COL_DEVICE, COL_FORWARD_PCT, COL_LOSS_PCT, COL_BACKWARD_PCT, COL_OPTIMIZER_PCT,
			     COL_OTHER_PCT, COL_FORWARD_NS, COL_BACKWARD_NS, COL_OPTIMIZER_NS, COL_LOSS_NS,
			     COL_OTHER_NS, COL_WORK, COL_BY),
	.report = {.intro = "device time by part of the training step, all in all and per step",
		   .brief = COLUMN_LIST(COL_STEP, COL_DEVICE, COL_FORWARD_NS, COL_LOSS_NS, COL_BACKWARD_NS,
					COL_OPTIMIZER_NS, COL_OTHER_NS, COL_BY),
		   .wide = COLUMN_LIST(COL_STEP, COL_DEVICE, COL_WORK, COL_FORWARD_NS, COL_FORWARD_PCT, COL_LOSS_NS,
				       COL_LOSS_PCT, COL_BACKWARD_NS, COL_BACKWARD_PCT, COL_OPTIMIZER_NS,
				       COL_OPTIMIZER_PCT, COL_OTHER_NS, COL_OTHER_PCT, COL_BY),
		   .sort = COLUMN_LIST(COL_WORK)},
};
