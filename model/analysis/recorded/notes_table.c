/* The ledger as a table: what the import met that it could not simply show. */
#include "notes_columns.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"

TABLE_DECL(notes);

static const struct column columns[] = {NOTES_COLUMNS(COLUMN_ROW)};

static void add_note(struct table *t, const struct trace *trace, enum note_id id)
{
	const struct note *n = &trace_notes(trace)->at[id];
	const struct note_info *info = note_info(id);
	struct cell *row = table_row(t);
	cell_text(&row[COL_NOTES_NOTE], info->name);
	cell_text(&row[COL_NOTES_SEVERITY], note_severity_name(info->severity));
	cell_int(&row[COL_NOTES_COUNT], (int64_t)n->count);
	cell_int(&row[COL_NOTES_FIRST], n->first_at < 0 ? UNKNOWN_I64 : n->first_at);
	cell_unit(&row[COL_NOTES_FIRST], UNIT_ID); /* an address, not an amount */
	cell_text(&row[COL_NOTES_HELP], info->help);
	if (n->first_source < trace_sources(trace))
		cell_text(&row[COL_NOTES_FILE], trace_source(trace, n->first_source).path);
	cell_bool(&row[COL_NOTES_ACCOUNTS], info->accounts);
}

static void add_severity(struct table *t, const struct trace *trace, enum note_severity severity)
{
	for (int id = 0; id < NOTE_COUNT; id++)
		if (trace_notes(trace)->at[id].count && note_info((enum note_id)id)->severity == severity)
			add_note(t, trace, (enum note_id)id);
}

static struct table *run_notes(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
			       struct err *e)
{
	(void)q, (void)p, (void)e;
	const struct trace *trace = derived_trace(d);
	trace_check_rest(trace);
	struct table *t = table_new(mem, &notes_desc);
	t->window_b_ns = trace_span_ns(trace);
	for (int severity = NOTE_LOST; severity >= NOTE_INFO; severity--)
		add_severity(t, trace, (enum note_severity)severity);
	return t;
}

const struct table_desc notes_desc = {
	.name = "notes",
	.title = "Notes",
	.help = "the ledger: what the import could not simply show",
	TABLE_COLUMNS(columns),
	.run = run_notes,
	.report = {.intro = "the ledger: what the import could not simply show",
		   .brief = COLUMN_LIST(COL_NOTES_NOTE, COL_NOTES_SEVERITY, COL_NOTES_COUNT, COL_NOTES_HELP),
		   .all_rows = true},
	.vs = {.why_not = "notes concern one file only"},
};
