/* idle: per device and step, what the device waited for while it did nothing. */
#include "breakdown.h"
#include "idle.h"
#include "model/analysis/compat/idle_hta_table.h"
#include "model/analysis/maths/shares.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/cells.h"

TABLE_DECL(idle);

/* clang-format off */
static const struct column columns[] = {
	{"step", CELL_TEXT, UNIT_NONE, "the step's number; all: from the first device work of the trace to the end of the last, what lies between steps included"},
	{"rank", CELL_INT, UNIT_ID, "rank of the distributed job"},
	{"device", CELL_INT, UNIT_ID, "GPU number"},
	{"start_ns", CELL_INT, UNIT_NS, "begin of the step time, as in the table of steps"},
	{"dur_ns", CELL_INT, UNIT_NS, "step time, as in the table of steps"},
	{"idle_ns", CELL_INT, UNIT_NS, "time of it without a kernel, copy or memset on any stream of the device: the sum of the parts"},
	{"idle_pct", CELL_REAL, UNIT_PERCENT, "idle_ns / dur_ns"},
#define PART_NS(id, name, label, formula) {name "_ns", CELL_INT, UNIT_NS, formula},
	IDLE_PARTS(PART_NS)
#undef PART_NS
#define PART_PCT(id, name, label, formula) {name "_pct", CELL_REAL, UNIT_PERCENT, name "_ns / idle_ns, in tenths that add up to 100.0"},
	IDLE_PARTS(PART_PCT)
#undef PART_PCT
	{"intervals", CELL_INT, UNIT_COUNT, "idle times, those at the edges of the step included"},
	{"longest_ns", CELL_INT, UNIT_NS, "the longest of them"},
	{"host", CELL_TEXT, UNIT_NONE, "host of the device"},
	{"cut", CELL_BOOL, UNIT_NONE, "the window cuts the step: its times are the part inside"},
};
/* clang-format on */
enum {
	STEP,
	RANK,
	DEVICE,
	START_NS,
	DUR_NS,
	IDLE_NS,
	IDLE_PCT,
	PART_NS,
	PART_PCT = PART_NS + IDLE_COUNT,
	INTERVALS = PART_PCT + IDLE_COUNT,
	LONGEST_NS,
	HOST,
	CUT
};

struct idle_run {
	const struct derived *d;
	const struct query *q;
	struct idles *idles;
	struct table *out;
};

static void split_cells(struct cell *row, const struct idle_split *s)
{
	double parts[IDLE_COUNT], pct[IDLE_COUNT];
	for (int i = 0; i < IDLE_COUNT; i++)
		parts[i] = (double)s->ns[i];
	shares_pct(parts, IDLE_COUNT, pct);
	for (int i = 0; i < IDLE_COUNT; i++) {
		cell_int(&row[PART_NS + i], s->ns[i]);
		cell_real(&row[PART_PCT + i], pct[i]);
	}
	cell_int(&row[IDLE_NS], s->idle_ns);
	cell_int(&row[INTERVALS], s->n);
	cell_int(&row[LONGEST_NS], s->longest_ns);
}

static void idle_row(struct idle_run *run, const char *step, uint32_t device, int64_t a_ns, int64_t b_ns)
{
	const struct trace *t = derived_trace(run->d);
	struct idle_split s;
	bool cut = a_ns < run->q->a_ns || b_ns > run->q->b_ns;
	query_clip(run->q, &a_ns, &b_ns);
	if (a_ns >= b_ns)
		return;
	idle_between(run->idles, device, a_ns, b_ns, &s);
	if (run->q->filter && !s.n)
		return;
	struct cell *row = table_row(run->out);
	cell_text(&row[STEP], step);
	cell_rank(&row[RANK], t, trace_device(t, device)->host);
	cell_device(&row[DEVICE], t, device);
	cell_int(&row[START_NS], a_ns);
	cell_int(&row[DUR_NS], b_ns - a_ns);
	split_cells(row, &s);
	cell_pct(&row[IDLE_PCT], s.idle_ns, b_ns - a_ns);
	cell_host(&row[HOST], t, trace_device(t, device)->host);
	cell_bool(&row[CUT], cut);
	table_evidence(run->out, a_ns, b_ns, &s.longest_row, s.longest_row != NONE_ID);
}

static void all_rows(struct idle_run *run)
{
	int64_t a_ns, b_ns;
	for (uint32_t device = 0; device < trace_devices(derived_trace(run->d)); device++)
		if (idle_extent(run->d, device, &a_ns, &b_ns))
			idle_row(run, "all", device, a_ns, b_ns);
}

static void step_rows(struct idle_run *run, uint32_t step)
{
	int64_t a_ns, b_ns;
	if (run->q->by_step && (step < run->q->step_first || step > run->q->step_last))
		return;
	for (uint32_t device = 0; device < trace_devices(derived_trace(run->d)); device++) {
		if (!derived_step_device(run->d, step, device))
			continue;
		step_time(run->d, step, device, &a_ns, &b_ns);
		idle_row(run, derived_step(run->d, step)->label, device, a_ns, b_ns);
	}
}

static struct table *run_idle(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
			      struct err *e)
{
	if (derived_options(d)->semantics == SEM_HTA)
		return idle_hta_table(d, q, &idle_desc, mem);
	struct idle_run run = {d, q, idles_new(d, q), NULL};
	run.out = table_new(mem, &idle_desc);
	query_bounds(q, derived_trace(d), &run.out->window_a_ns, &run.out->window_b_ns);
	all_rows(&run);
	bool cancelled = progress_cancelled(p);
	for (uint32_t i = 0; i < derived_steps(d) && !cancelled; i++) {
		step_rows(&run, i);
		cancelled = progress_cancelled(p);
	}
	idles_free(run.idles);
	if (!cancelled)
		return run.out;
	err_usage(e, "cancelled");
	return NULL;
}

const struct table_desc idle_desc = {
	.name = "idle",
	.title = "Idle time",
	.help = "what each device waited for while it did nothing: host, launch, synchronisation, input, copies",
	TABLE_COLUMNS(columns),
	.run = run_idle,
	.first = COLUMN_LIST(STEP, DEVICE, DUR_NS, IDLE_NS, IDLE_PCT, PART_PCT + IDLE_INPUT, PART_PCT + IDLE_HOST,
			     PART_PCT + IDLE_LATENCY, PART_PCT + IDLE_SYNC, PART_PCT + IDLE_COPY,
			     PART_PCT + IDLE_UNKNOWN),
};
