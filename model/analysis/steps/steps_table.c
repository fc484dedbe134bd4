/* steps: one row per step and device, and where its time went. */
#include "steps_columns.h"
#include "breakdown_kept.h"
#include "step_phase.h"
#include "model/analysis/compat/steps_kineto_table.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/cells.h"

TABLE_DECL(steps);

static const struct column columns[] = {STEPS_COLUMNS(COLUMN_ROW)};

static void breakdown_cells(struct cell *row, const struct breakdown *b)
{
	cell_int(&row[COL_STEPS_START_NS], b->a_ns);
	cell_int(&row[COL_STEPS_DUR_NS], b->b_ns - b->a_ns);
	cell_int(&row[COL_STEPS_COMPUTE_NS], b->ns[TIME_COMPUTE]);
	cell_int(&row[COL_STEPS_D2D_NS], b->ns[TIME_D2D]);
	cell_int(&row[COL_STEPS_COLLECTIVES_NS], b->ns[TIME_COLLECTIVES]);
	cell_int(&row[COL_STEPS_HOST_NS], b->ns[TIME_HOST]);
	cell_int(&row[COL_STEPS_LAUNCH_NS], b->ns[TIME_LAUNCH]);
	cell_int(&row[COL_STEPS_INPUT_NS], b->ns[TIME_INPUT_WAIT] + b->ns[TIME_INPUT_COPY]);
	cell_int(&row[COL_STEPS_INPUT_COPY_NS], b->ns[TIME_INPUT_COPY]);
	cell_int(&row[COL_STEPS_OUTPUT_NS], b->ns[TIME_OUTPUT]);
	cell_int(&row[COL_STEPS_COMPILE_NS], b->ns[TIME_COMPILE]);
	cell_int(&row[COL_STEPS_OTHER_NS], b->other_ns);
	cell_bool(&row[COL_STEPS_CUT], b->cut);
}

struct steps_run {
	const struct derived *d;
	const struct query *q;
	struct breakdowns *breakdowns;
	struct breakdown_kept *kept;
	struct table *out;
	bool pooled; /* one row per step for all devices of its host, as the reference tool has it */
	struct counted_steps counted;
};

/* A filter keeps the rows in which something matches: the marker or what the breakdown looks at. */
static bool kept(const struct steps_run *run, const struct step *s, const struct breakdown *b)
{
	return !run->q->filter || b->n_events || (s->marker != NONE_ID && event_wanted(run->d, run->q, s->marker));
}

/* Device work of the step on all devices. */
static uint32_t work_anywhere(const struct derived *d, uint32_t i)
{
	uint32_t all, n, sum = 0;
	const struct step_device *parts = derived_step_devices(d, &all);
	const uint32_t *of = derived_parts_of_step(d, i, &n);
	for (uint32_t k = 0; k < n; k++)
		sum += parts[of[k]].n_work;
	return sum;
}

static void idle_cell(struct cell *row, const struct derived *d, uint32_t device, const struct breakdown *b)
{
	int64_t length_ns = b->b_ns - b->a_ns;
	cell_pct(&row[COL_STEPS_IDLE_PCT],
		 length_ns - intervals_within(derived_busy_device(d, device), b->a_ns, b->b_ns), length_ns);
}

static bool outside(const struct steps_run *run, const struct breakdown *b)
{
	return b->b_ns <= run->q->a_ns || b->a_ns >= run->q->b_ns || (b->cut && b->a_ns >= b->b_ns);
}

static void step_row(struct steps_run *run, uint32_t i, uint32_t device)
{
	const struct trace *t = derived_trace(run->d);
	const struct step *s = derived_step(run->d, i);
	const struct step_device *part = derived_step_device(run->d, i, device);
	struct breakdown b;
	if (!breakdown_of(run->breakdowns, run->kept, i, device, &b))
		return;
	if (outside(run, &b) || !kept(run, s, &b))
		return;
	struct cell *row = table_row(run->out);
	cell_text(&row[COL_STEPS_STEP], s->label);
	cell_text(&row[COL_STEPS_NAME], *s->name ? s->name : NULL);
	cell_text(&row[COL_STEPS_SOURCE], s->inferred ? "inferred" : s->marker == NONE_ID ? "group" : "marker");
	cell_rank(&row[COL_STEPS_RANK], t, s->host);
	cell_device(&row[COL_STEPS_DEVICE], t, device);
	breakdown_cells(row, &b);
	cell_host(&row[COL_STEPS_HOST], t, s->host);
	cell_int(&row[COL_STEPS_WORK], part ? part->n_work : run->pooled ? work_anywhere(run->d, i) : 0);
	if (part)
		idle_cell(row, run->d, device, &b);
	if (derived_options(run->d)->semantics == SEM_STEPSCOPE)
		cell_bool(&row[COL_STEPS_COUNTED], step_counts(&run->counted, i));
	cell_text(&row[COL_STEPS_PHASE], step_phase_name(derived_step_phase(run->d, i)));
	row_id rows[2] = {s->marker, part ? part->first_row : NONE_ID};
	uint32_t skip = s->marker == NONE_ID, n = part ? 2 : 1;
	table_evidence(run->out, s->start_ns, s->members_end_ns, rows + skip, n - skip);
}

static void step_rows(struct steps_run *run, uint32_t i)
{
	uint32_t all, n;
	const struct step_device *parts = derived_step_devices(run->d, &all);
	const uint32_t *of = derived_parts_of_step(run->d, i, &n);
	if (run->q->by_step && (i < run->q->step_first || i > run->q->step_last))
		return;
	for (uint32_t k = 0; !run->pooled && k < n; k++)
		step_row(run, i, parts[of[k]].device);
	if (run->pooled || !n)
		step_row(run, i, NONE_ID);
}

static struct table *run_steps(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
			       struct err *e)
{
	if (derived_options(d)->semantics == SEM_KINETO)
		return steps_kineto_table(d, q, &steps_desc, mem);
	struct steps_run run = {.d = d, .q = q, .breakdowns = breakdown_new(d, q), .counted = counted_steps(d, q)};
	run.kept = breakdowns_made(d, q, NULL, mem, p);
	run.pooled = derived_options(d)->semantics == SEM_XPROF;
	run.out = table_new(mem, &steps_desc);
	query_bounds(q, derived_trace(d), &run.out->window_a_ns, &run.out->window_b_ns);
	bool cancelled = false;
	uint32_t parts;
	derived_step_devices(d, &parts);
	if (!q->windowed) /* all of them: a table that grows leaves its smaller selves behind */
		table_reserve(run.out, parts > derived_steps(d) ? parts : derived_steps(d));
	for (uint32_t i = 0; i < derived_steps(d) && !cancelled; i++) {
		step_rows(&run, i);
		cancelled = progress_cancelled(p);
	}
	breakdown_free(run.breakdowns);
	if (!cancelled)
		return run.out;
	err_usage(e, "cancelled");
	return NULL;
}

const struct table_desc steps_desc = {
	.name = "steps",
	.title = "Steps",
	.help = "step time per step and device, with its breakdown",
	TABLE_COLUMNS(columns),
	.run = run_steps,
	.first = COLUMN_LIST(COL_STEPS_STEP, COL_STEPS_CUT, COL_STEPS_DEVICE, COL_STEPS_DUR_NS, COL_STEPS_COMPUTE_NS,
			     COL_STEPS_INPUT_NS, COL_STEPS_LAUNCH_NS, COL_STEPS_HOST_NS, COL_STEPS_OTHER_NS),
	.lead = 4,
	.report = {.brief = COLUMN_LIST(COL_STEPS_STEP, COL_STEPS_CUT, COL_STEPS_DEVICE, COL_STEPS_DUR_NS,
					COL_STEPS_COMPUTE_NS, COL_STEPS_LAUNCH_NS, COL_STEPS_INPUT_NS,
					COL_STEPS_HOST_NS, COL_STEPS_OTHER_NS),
		   .wide = COLUMN_LIST(COL_STEPS_STEP, COL_STEPS_CUT, COL_STEPS_RANK, COL_STEPS_DEVICE,
				       COL_STEPS_START_NS, COL_STEPS_DUR_NS, COL_STEPS_COMPUTE_NS, COL_STEPS_D2D_NS,
				       COL_STEPS_COLLECTIVES_NS, COL_STEPS_HOST_NS, COL_STEPS_LAUNCH_NS,
				       COL_STEPS_INPUT_NS, COL_STEPS_OUTPUT_NS, COL_STEPS_COMPILE_NS,
				       COL_STEPS_OTHER_NS),
		   .sort = COLUMN_LIST(COL_STEPS_DUR_NS)},
	.vs = {.why_not = "single steps have none: step_parts has their means, and --step N --vs-step M compares two "
			  "steps"},
};
