/* collective_steps: what communication costs each step on each device. */
#include "comm_steps.h"
#include "collective_steps_columns.h"
#include "model/analysis/query/cells.h"
#include "model/analysis/steps/step_phase.h"

TABLE_DECL(collective_steps);

static const struct column columns[] = {COLLECTIVE_STEPS_COLUMNS(COLUMN_ROW)};

static void add_row(const struct derived *d, const struct comm_step *s, const struct counted_steps *counted,
		    struct table *out)
{
	const struct trace *t = derived_trace(d);
	struct cell *row = table_row(out);
	int64_t active_ns = s->transfer_ns == UNKNOWN_I64 ? s->sum_ns : s->transfer_ns;
	cell_text(&row[COL_COLLECTIVE_STEPS_STEP], derived_step(d, s->step)->label);
	cell_rank(&row[COL_COLLECTIVE_STEPS_RANK], t, trace_device(t, s->device)->host);
	cell_host(&row[COL_COLLECTIVE_STEPS_HOST], t, trace_device(t, s->device)->host);
	cell_device(&row[COL_COLLECTIVE_STEPS_DEVICE], t, s->device);
	cell_int(&row[COL_COLLECTIVE_STEPS_START], s->start_ns);
	cell_int(&row[COL_COLLECTIVE_STEPS_DUR], s->dur_ns);
	cell_int(&row[COL_COLLECTIVE_STEPS_CALLS], s->calls);
	cell_int(&row[COL_COLLECTIVE_STEPS_BYTES], s->bytes);
	cell_int(&row[COL_COLLECTIVE_STEPS_SMALLEST], s->smallest_bytes);
	cell_int(&row[COL_COLLECTIVE_STEPS_LARGEST], s->largest_bytes);
	cell_int(&row[COL_COLLECTIVE_STEPS_SUM], s->sum_ns);
	cell_int(&row[COL_COLLECTIVE_STEPS_EXPOSED], s->exposed.exposed_ns);
	cell_int(&row[COL_COLLECTIVE_STEPS_HIDDEN], s->sum_ns - s->exposed.exposed_ns);
	cell_text(&row[COL_COLLECTIVE_STEPS_EXPOSED_BY], exposed_word(exposed_most(&s->exposed)));
	for (int i = 0; i < EXPOSED_COUNT; i++)
		cell_int(&row[COL_COLLECTIVE_STEPS_BY_RANK + i], s->exposed.ns[i]);
	if (s->most) {
		const char *purpose = s->most->purpose;
		cell_text(&row[COL_COLLECTIVE_STEPS_MOST], purpose ? purpose : collective_op_word(s->most->is.op));
		cell_text(&row[COL_COLLECTIVE_STEPS_MOST_DTYPE], s->most->is.dtype);
	}
	cell_int(&row[COL_COLLECTIVE_STEPS_WAIT], s->wait_ns);
	cell_int(&row[COL_COLLECTIVE_STEPS_TRANSFER], s->transfer_ns);
	cell_int(&row[COL_COLLECTIVE_STEPS_LATE], s->late_ns);
	cell_int(&row[COL_COLLECTIVE_STEPS_EXPECTED], s->expected_ns);
	if (s->expected_ns > 0)
		cell_real(&row[COL_COLLECTIVE_STEPS_TIMES], (double)active_ns / (double)s->expected_ns);
	cell_text(&row[COL_COLLECTIVE_STEPS_DTYPE], s->expected_ns == UNKNOWN_I64 ? NULL : s->dtype);
	cell_int(&row[COL_COLLECTIVE_STEPS_JOINING], s->joining_ns);
	cell_int(&row[COL_COLLECTIVE_STEPS_SPLITTING], s->splitting_ns);
	cell_real(&row[COL_COLLECTIVE_STEPS_OVERHEAD], comm_step_overhead_pct(s, 1));
	cell_real(&row[COL_COLLECTIVE_STEPS_TWICE], comm_step_overhead_pct(s, 2));
	cell_bool(&row[COL_COLLECTIVE_STEPS_COUNTED], step_counts(counted, s->step));
	cell_text(&row[COL_COLLECTIVE_STEPS_PHASE], step_phase_name(derived_step_phase(d, s->step)));
	cell_int(&row[COL_COLLECTIVE_STEPS_BEHIND], s->behind_ns);
	table_evidence(out, s->start_ns, s->start_ns + s->dur_ns, NULL, 0);
}

static struct table *steps_table(const struct derived *d, const struct query *q, bool twice, struct arena *mem,
				 struct progress *p, struct err *e)
{
	struct comm_steps steps;
	struct table *out = table_new(mem, &collective_steps_desc);
	query_bounds(q, derived_trace(d), &out->window_a_ns, &out->window_b_ns);
	if (!comm_steps_find(d, q, twice, mem, p, &steps, e))
		return NULL;
	struct counted_steps counted = counted_steps(d, q);
	for (uint32_t i = 0; i < steps.n; i++)
		add_row(d, &steps.at[i], &counted, out);
	return out;
}

static struct table *run_collective_steps(const struct derived *d, const struct query *q, struct arena *mem,
					  struct progress *p, struct err *e)
{
	return steps_table(d, q, true, mem, p, e);
}

static bool make_bare(const struct derived *d, const struct query *q, void *out, struct arena *mem, struct progress *p,
		      struct err *e)
{
	const struct table *t = steps_table(d, q, false, mem, p, e);
	if (t)
		*(struct table *)out = *t;
	return t != NULL;
}

const struct shared_part collective_steps_part = {sizeof(struct table), make_bare};

const struct table_desc collective_steps_desc = {
	.name = "collective_steps",
	.title = "Communication per step",
	.help = "what communication costs each step: calls, bytes, exposed and hidden time, joining and splitting of "
		"gradients",
	TABLE_COLUMNS(columns),
	.run = run_collective_steps,
	.first = COLUMN_LIST(COL_COLLECTIVE_STEPS_STEP, COL_COLLECTIVE_STEPS_DEVICE, COL_COLLECTIVE_STEPS_CALLS,
			     COL_COLLECTIVE_STEPS_SUM, COL_COLLECTIVE_STEPS_EXPOSED, COL_COLLECTIVE_STEPS_WAIT,
			     COL_COLLECTIVE_STEPS_TRANSFER, COL_COLLECTIVE_STEPS_OVERHEAD, COL_COLLECTIVE_STEPS_BYTES),
	.report = {.brief = COLUMN_LIST(COL_COLLECTIVE_STEPS_STEP, COL_COLLECTIVE_STEPS_DEVICE,
					COL_COLLECTIVE_STEPS_CALLS, COL_COLLECTIVE_STEPS_SUM,
					COL_COLLECTIVE_STEPS_EXPOSED, COL_COLLECTIVE_STEPS_WAIT,
					COL_COLLECTIVE_STEPS_OVERHEAD, COL_COLLECTIVE_STEPS_TWICE),
		   .sort = COLUMN_LIST(COL_COLLECTIVE_STEPS_EXPOSED)},
	.vs = {.why_not = "single steps have none: collectives has their calls, place by place in the step"},
};
