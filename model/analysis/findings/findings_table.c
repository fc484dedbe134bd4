/* What the rules say, worst first. */
#include "findings.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"

TABLE_DECL(findings);

/* clang-format off */
static const struct column columns[] = {
	{"rule",       CELL_TEXT, UNIT_NONE,    "stable word of the rule"},
	{"severity",   CELL_TEXT, UNIT_NONE,    "pass: fine; info: worth knowing; warn, fail: worth working on; unknown: the trace cannot tell"},
	{"device",     CELL_TEXT, UNIT_NONE,    "device it is about, if one"},
	{"step",       CELL_TEXT, UNIT_NONE,    "step it is about, if one"},
	{"sentence",   CELL_TEXT, UNIT_NONE,    "what was found, with its numbers"},
	{"value",      CELL_REAL, UNIT_NONE,    "the number that was judged, in the row's unit"},
	{"unit",       CELL_TEXT, UNIT_NONE,    "unit of value and threshold"},
	{"threshold",  CELL_REAL, UNIT_NONE,    "where the rule begins to speak"},
	{"lost_ns",    CELL_INT,  UNIT_NS,      "time that could be won at most"},
	{"confidence", CELL_REAL, UNIT_NONE,    "0 to 1 where something was judged; null for plain measurements"},
	{"advice",     CELL_TEXT, UNIT_NONE,    "what to do about it"},
	{"formula",    CELL_TEXT, UNIT_NONE,    "how the number is made, thresholds included"},
	{"question",   CELL_TEXT, UNIT_NONE,    "question of the guide it answers"},
	{"title",      CELL_TEXT, UNIT_NONE,    "the rule's subject"},
};
/* clang-format on */
enum {
	COL_RULE,

	COL_SEVERITY,
	COL_DEVICE,
	COL_STEP,
	COL_SENTENCE,
	COL_VALUE,
	COL_UNIT,
	COL_THRESHOLD,
	COL_LOST,
	COL_CONFIDENCE,
	COL_ADVICE,
	COL_FORMULA,
	COL_QUESTION,
	COL_TITLE,
	N_COLUMNS
};

static void add_where(struct table *t, struct cell *row, const struct derived *d, const struct finding *x)
{
	char label[96];
	if (x->device != NONE_ID)
		cell_text(&row[COL_DEVICE],
			  arena_strdup(t->mem, trace_device_label(derived_trace(d), x->device, label, sizeof label)));
	if (x->step != NONE_ID)
		cell_text(&row[COL_STEP], derived_step(d, x->step)->label);
}

static void add_finding(struct table *t, const struct derived *d, const struct finding *x)
{
	struct cell *row = table_row(t);
	cell_text(&row[COL_RULE], x->rule);
	cell_text(&row[COL_SEVERITY], finding_state_name(x->state));
	add_where(t, row, d, x);
	cell_text(&row[COL_SENTENCE], x->sentence);
	cell_real(&row[COL_VALUE], x->value);
	cell_unit(&row[COL_VALUE], x->unit);
	cell_text(&row[COL_UNIT], unit_name(x->unit));
	cell_real(&row[COL_THRESHOLD], x->threshold);
	cell_unit(&row[COL_THRESHOLD], x->unit);
	cell_int(&row[COL_LOST], x->lost_ns);
	cell_real(&row[COL_CONFIDENCE], x->confidence);
	cell_text(&row[COL_ADVICE], x->advice);
	cell_text(&row[COL_FORMULA], x->formula);
	cell_text(&row[COL_QUESTION], x->question);
	cell_text(&row[COL_TITLE], x->title);
	table_evidence(t, x->evidence.a_ns, x->evidence.b_ns, x->evidence.rows, x->evidence.n);
}

static struct table *run_findings(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
				  struct err *e)
{
	struct findings found;
	if (!findings_make(d, q, mem, p, &found, e))
		return NULL;
	findings_sort(&found);
	struct table *t = table_new(mem, &findings_desc);
	query_bounds(q, derived_trace(d), &t->window_a_ns, &t->window_b_ns);
	for (uint32_t i = 0; i < found.n; i++)
		add_finding(t, d, &found.at[i]);
	return t;
}

const struct table_desc findings_desc = {
	.name = "findings",
	.title = "Findings",
	.help = "what the rules of the guide say, worst first: pass, info, warn, fail or cannot tell",
	TABLE_COLUMNS(columns),
	.run = run_findings,
	.first = COLUMN_LIST(COL_SEVERITY, COL_SENTENCE, COL_VALUE, COL_TITLE),
};
