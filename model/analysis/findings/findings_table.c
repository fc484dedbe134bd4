/* What the rules say, worst first. */
#include "findings_columns.h"
#include "findings.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"

TABLE_DECL(findings);

static const struct column columns[] = {FINDINGS_COLUMNS(COLUMN_ROW)};

static void add_where(struct table *t, struct cell *row, const struct derived *d, const struct finding *x)
{
	char label[96];
	if (x->device != NONE_ID)
		cell_text(&row[COL_FINDINGS_DEVICE_LABEL],
			  arena_strdup(t->mem, trace_device_label(derived_trace(d), x->device, label, sizeof label)));
	if (x->step != NONE_ID)
		cell_text(&row[COL_FINDINGS_STEP], derived_step(d, x->step)->label);
}

static void add_finding(struct table *t, const struct derived *d, const struct finding *x)
{
	struct cell *row = table_row(t);
	cell_text(&row[COL_FINDINGS_RULE], x->rule);
	cell_text(&row[COL_FINDINGS_SEVERITY], finding_state_name(x->state));
	add_where(t, row, d, x);
	cell_text(&row[COL_FINDINGS_SENTENCE], x->sentence);
	cell_real(&row[COL_FINDINGS_VALUE], x->value);
	cell_unit(&row[COL_FINDINGS_VALUE], x->unit);
	cell_text(&row[COL_FINDINGS_UNIT], unit_name(x->unit));
	cell_real(&row[COL_FINDINGS_THRESHOLD], x->threshold);
	cell_unit(&row[COL_FINDINGS_THRESHOLD], x->unit);
	cell_int(&row[COL_FINDINGS_IDLE], x->idle_ns);
	cell_int(&row[COL_FINDINGS_LOST], x->lost_ns);
	cell_int(&row[COL_FINDINGS_HELD], x->held_ns);
	cell_text(&row[COL_FINDINGS_HELD_STREAM], x->held_stream);
	cell_real(&row[COL_FINDINGS_CONFIDENCE], x->confidence);
	cell_text(&row[COL_FINDINGS_ADVICE], x->advice);
	cell_text(&row[COL_FINDINGS_FORMULA], x->formula);
	cell_text(&row[COL_FINDINGS_QUESTION], x->question);
	cell_text(&row[COL_FINDINGS_WAITS_FOR], x->waits_for);
	cell_text(&row[COL_FINDINGS_TITLE], x->title);
	cell_text(&row[COL_FINDINGS_ABOUT], x->about);
	table_evidence(t, x->evidence.a_ns, x->evidence.b_ns, x->evidence.rows, x->evidence.n);
	t->evidence[t->n_rows - 1].inputs = &x->inputs;
}

void findings_rows(const struct derived *d, struct findings *found, struct table *out)
{
	findings_sort(found);
	for (uint32_t i = 0; i < found->n; i++)
		add_finding(out, d, &found->at[i]);
}

static struct table *run_findings(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
				  struct err *e)
{
	struct findings found;
	if (!findings_make(d, q, mem, p, &found, e))
		return NULL;
	struct table *t = table_new(mem, &findings_desc);
	query_bounds(q, derived_trace(d), &t->window_a_ns, &t->window_b_ns);
	findings_rows(d, &found, t);
	return t;
}

const struct table_desc findings_desc = {
	.name = "findings",
	.title = "Findings",
	.help = "what the rules say, worst first: pass, info, warn, fail or cannot tell",
	TABLE_COLUMNS(columns),
	.run = run_findings,
	.first = COLUMN_LIST(COL_FINDINGS_SEVERITY, COL_FINDINGS_SENTENCE, COL_FINDINGS_VALUE, COL_FINDINGS_TITLE),
	.lead = 2,
	.vs = {.why_not = "'stepscope findings A --vs B' says what has become of each"},
};
