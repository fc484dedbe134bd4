/* steps as the TensorBoard plugin for PyTorch traces shows them: other columns, the same name. */
#include "steps_kineto_table.h"
#include "steps_kineto.h"
#include "model/analysis/query/cells.h"

/* clang-format off */
static const struct column columns[] = {
	{"step", CELL_TEXT, UNIT_NONE, "number of the ProfilerStep; 0 without ProfilerSteps: the whole trace is one step"},
	{"rank", CELL_INT, UNIT_ID, "rank of the distributed job"},
	{"start_ns", CELL_INT, UNIT_NS, "start of the ProfilerStep, or end of the step before if that is later"},
	{"dur_ns", CELL_INT, UNIT_NS, "until the end of the ProfilerStep, or of the last device work launched inside it if that is later"},
#define ROLE_COLUMN(id, name, help) {name, CELL_INT, UNIT_NS, help},
	KINETO_ROLES(ROLE_COLUMN)
#undef ROLE_COLUMN
	{"other_ns", CELL_INT, UNIT_NS, "nothing of the above"},
	{"host", CELL_TEXT, UNIT_NONE, "host of the step"},
	{"work", CELL_INT, UNIT_COUNT, "kernels, copies and memsets launched by runtime calls inside the step"},
	{"cut", CELL_BOOL, UNIT_NONE, "the window cuts the step; its times are those of the whole step"},
};
/* clang-format on */
enum { STEP, RANK, START_NS, DUR_NS, ROLE_NS, OTHER_NS = ROLE_NS + KINETO_COUNT, HOST, WORK, CUT };

static void step_row(const struct trace *t, const struct query *q, const struct kineto_step *s, struct table *out)
{
	struct cell *row = table_row(out);
	cell_text(&row[STEP], s->label);
	cell_rank(&row[RANK], t, s->host);
	cell_int(&row[START_NS], s->a_ns);
	cell_int(&row[DUR_NS], s->b_ns - s->a_ns);
	for (int i = 0; i < KINETO_COUNT; i++)
		cell_int(&row[ROLE_NS + i], s->ns[i]);
	cell_int(&row[OTHER_NS], s->other_ns);
	cell_host(&row[HOST], t, s->host);
	cell_int(&row[WORK], s->work);
	cell_bool(&row[CUT], s->a_ns < q->a_ns || s->b_ns > q->b_ns);
	table_evidence(out, s->a_ns, s->b_ns, &s->marker, s->marker != NONE_ID);
}

struct table *steps_kineto_table(const struct derived *d, const struct query *q, const struct table_desc *as,
				 struct arena *mem)
{
	struct table *out = table_with(mem, as, columns, sizeof columns / sizeof *columns);
	struct kineto_steps steps = kineto_steps(d);
	query_bounds(q, derived_trace(d), &out->window_a_ns, &out->window_b_ns);
	for (uint32_t i = 0; i < steps.n; i++) {
		const struct kineto_step *s = &steps.at[i];
		bool wanted = s->marker == NONE_ID || event_wanted(d, q, s->marker);
		if (wanted && s->b_ns > q->a_ns && s->a_ns < q->b_ns)
			step_row(derived_trace(d), q, s, out);
	}
	kineto_free(&steps);
	return out;
}
