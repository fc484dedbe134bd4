/* idle: per device and step, what the device waited for while it did nothing. */
#include "breakdown.h"
#include "idle.h"
#include "idle_columns.h"
#include "step_phase.h"
#include "model/analysis/compat/idle_hta_table.h"
#include "model/analysis/maths/shares.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/cells.h"

TABLE_DECL(idle);

/* clang-format off */
#define PART_NS(id, name, word, loses, what, ...) {name "_ns", CELL_INT, UNIT_NS, word ": " what},
#define PART_PCT(id, name, word, loses, what, ...) {name "_pct", CELL_REAL, UNIT_PERCENT, name "_ns / idle_ns; all of them add up to 100"},
/* clang-format on */
_Static_assert((int)CAUSE_COUNT <= (int)SHARES_MAX, "shares of all causes are worked out together");
static const struct column columns[] = {IDLE_COLUMNS(COLUMN_ROW) CAUSES(PART_NS) CAUSES(PART_PCT)
						IDLE_MORE_COLUMNS(COLUMN_ROW)};

struct idle_run {
	const struct derived *d;
	const struct query *q;
	struct idles *idles;
	struct counted_steps counted;
	struct table *out;
	const struct idle_extents *extents;
};

static void split_cells(struct cell *row, const struct idle_sums *s)
{
	double parts[CAUSE_COUNT], pct[CAUSE_COUNT];
	for (int i = 0; i < CAUSE_COUNT; i++)
		parts[i] = (double)s->ns[i];
	shares_pct(parts, CAUSE_COUNT, pct);
	for (int i = 0; i < CAUSE_COUNT; i++) {
		cell_int(&row[COL_IDLE_PART_NS + i], s->ns[i]);
		cell_real(&row[COL_IDLE_PART_PCT + i], pct[i]);
	}
	cell_int(&row[COL_IDLE_IDLE_NS], s->idle_ns);
	cell_int(&row[COL_IDLE_INTERVALS], s->n);
	cell_int(&row[COL_IDLE_LONGEST_NS], s->longest_ns);
}

/* The row, NULL where the window leaves nothing of it. of: what is known of [a, b). */
static struct cell *idle_row(struct idle_run *run, const char *step, bool counted, uint32_t device, int64_t a_ns,
			     int64_t b_ns, struct idle_sums s)
{
	const struct trace *t = derived_trace(run->d);
	bool cut = a_ns < run->q->a_ns || b_ns > run->q->b_ns;
	query_clip(run->q, &a_ns, &b_ns);
	if (a_ns >= b_ns)
		return NULL;
	if (!s.told) {
		struct idle_split split;
		idle_between(run->idles, device, a_ns, b_ns, &split);
		s = idle_sums_of(&split);
	}
	if (run->q->filter && !s.n)
		return NULL;
	struct cell *row = table_row(run->out);
	cell_text(&row[COL_IDLE_STEP], step);
	cell_rank(&row[COL_IDLE_RANK], t, trace_device(t, device)->host);
	cell_device(&row[COL_IDLE_DEVICE], t, device);
	cell_int(&row[COL_IDLE_START_NS], a_ns);
	cell_int(&row[COL_IDLE_DUR_NS], b_ns - a_ns);
	split_cells(row, &s);
	cell_pct(&row[COL_IDLE_IDLE_PCT], s.idle_ns, b_ns - a_ns);
	cell_host(&row[COL_IDLE_HOST], t, trace_device(t, device)->host);
	cell_bool(&row[COL_IDLE_CUT], cut);
	cell_bool(&row[COL_IDLE_COUNTED], counted);
	table_evidence(run->out, a_ns, b_ns, &s.longest_row, s.longest_row != NONE_ID);
	return row;
}

static void all_rows(struct idle_run *run)
{
	int64_t a_ns, b_ns;
	for (uint32_t device = 0; device < trace_devices(derived_trace(run->d)); device++)
		if (idle_extent(run->d, device, &a_ns, &b_ns))
			idle_row(run, "all", false, device, a_ns, b_ns, idle_sums_of(&run->extents->of[device]));
}

static void step_rows(struct idle_run *run, uint32_t step)
{
	uint32_t n;
	const struct step_device *parts = derived_step_devices(run->d, &n);
	int64_t a_ns, b_ns;
	if (run->q->by_step && (step < run->q->step_first || step > run->q->step_last))
		return;
	for (uint32_t device = 0; device < trace_devices(derived_trace(run->d)); device++) {
		const struct step_device *part = derived_step_device(run->d, step, device);
		if (!part)
			continue;
		step_time(run->d, step, device, &a_ns, &b_ns);
		struct cell *row = idle_row(run, derived_step(run->d, step)->label, step_counts(&run->counted, step),
					    device, a_ns, b_ns, run->extents->steps[part - parts]);
		if (row && derived_step(run->d, step)->cut)
			cell_bool(&row[COL_IDLE_CUT], true);
		a_ns = part->first_ns;
		b_ns = part->last_ns;
		query_clip(run->q, &a_ns, &b_ns);
		if (row)
			cell_int(&row[COL_IDLE_WORK_SPAN], b_ns > a_ns ? b_ns - a_ns : 0);
	}
}

static struct table *run_idle(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
			      struct err *e)
{
	if (derived_options(d)->semantics == SEM_HTA)
		return idle_hta_table(d, q, &idle_desc, mem);
	const struct idle_extents *extents = shared_part(&idle_extents_part, d, q, mem, p, e);
	if (!extents)
		return NULL;
	struct idle_run run = {d, q, idles_new(d, q, NONE_ID), counted_steps(d, q), NULL, extents};
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
	.help = "what each device waited for while it did nothing: every ns has one cause",
	TABLE_COLUMNS(columns),
	.run = run_idle,
	.first = COLUMN_LIST(COL_IDLE_STEP, COL_IDLE_DEVICE, COL_IDLE_DUR_NS, COL_IDLE_IDLE_NS, COL_IDLE_IDLE_PCT,
			     COL_IDLE_PART_PCT + CAUSE_INPUT, COL_IDLE_PART_PCT + CAUSE_PYTHON,
			     COL_IDLE_PART_PCT + CAUSE_LAUNCH, COL_IDLE_PART_PCT + CAUSE_HOST_COMPUTE,
			     COL_IDLE_PART_PCT + CAUSE_SYNC, COL_IDLE_PART_PCT + CAUSE_ALLOCATOR,
			     COL_IDLE_PART_PCT + CAUSE_COMPILE, COL_IDLE_PART_PCT + CAUSE_UNKNOWN),
	.lead = 4,
	.vs = {.why_not = "single idle times have none: idle_causes has their sums"},
};
