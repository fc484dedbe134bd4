/* tui/report/report_json.c - "stepscope.report/1": the five lines as strings, then the tables as "stepscope.table/1". */
#include "formats.h"
#include "model/analysis/derived/gap_place.h"
#include "model/analysis/gaps/verdict.h"
#include "tui/tables/table_write.h"
#include "tui/text/put.h"
#include <inttypes.h>
#include <string.h>

static void member(FILE *f, const char *key, const char *text)
{
	fprintf(f, "\"%s\":", key);
	put_json(f, text);
	fputs(",\n", f);
}

static const char *kind_word(enum window_kind k)
{
	static const char *const words[] = {
		[WINDOW_ALL] = "all", [WINDOW_TIME] = "time", [WINDOW_STEP] = "step", [WINDOW_GAP] = "gap"};
	return words[k];
}

static void put_window(FILE *f, struct content *c)
{
	const struct window *w = &c->req->window;
	fprintf(f, "\"window\":{\"kind\":\"%s\",\"text\":", kind_word(w->kind));
	put_json(f, scrub_sentence(c->scrub, w->text, &c->mem));
	fprintf(f, ",\"window_ns\":[%" PRId64 ",%" PRId64 "]},\n", w->a_ns, w->b_ns);
}

static void put_whole(FILE *f, const char *key, int64_t v)
{
	fprintf(f, ",\"%s\":", key);
	if (v == UNKNOWN_I64)
		fputs("null", f);
	else
		fprintf(f, "%" PRId64, v);
}

static void put_verdict(FILE *f, struct content *c, const struct gap *g)
{
	const struct derived *d = c->req->d;
	struct gap_verdict v;
	gap_verdict_of(d, g, &v);
	fputs(",\"cause\":", f);
	put_json(f, cause_word(v.cause));
	put_whole(f, "cause_ns", v.cause_ns);
	fprintf(f, ",\"confidence\":%.4f", v.confidence);
	put_whole(f, "lost_ns", v.lost_ns);
	fputs(",\"main_event\":", f);
	if (v.row != NONE_ID)
		put_json(f, scrub_event(c->scrub, derived_trace(d), v.row, &c->mem));
	else
		fputs("null", f);
	put_whole(f, "main_event_ns", v.row != NONE_ID ? v.row_ns : UNKNOWN_I64);
	put_whole(f, "main_event_id", v.row != NONE_ID ? (int64_t)v.row : UNKNOWN_I64);
}

static void put_focus(FILE *f, struct content *c)
{
	const struct gap *g = c->focus;
	if (!g) {
		fputs("\"focus_gap\":null,\n", f);
		return;
	}
	fprintf(f, "\"focus_gap\":{\"gap\":%" PRIu32 ",\"window_ns\":[%" PRId64 ",%" PRId64 "],\"dur_ns\":%" PRId64,
		g->id, g->start_ns, g->start_ns + g->dur_ns, g->dur_ns);
	struct gap_span span = {g->id, g->scope, g->start_ns, g->dur_ns};
	fputs(",\"gap_kind\":", f);
	put_json(f, gap_kind_word(derived_gap_place(c->req->d, &span).kind));
	put_verdict(f, c, g);
	fputs("},\n", f);
}

static void put_sources(FILE *f, const struct content *c)
{
	fputs("\"source\":[", f);
	for (int i = 0; i < c->req->n_paths; i++) {
		fputs(i ? "," : "", f);
		put_json(f, c->sources[i]);
	}
	fputs("],\n", f);
}

static void put_notes(FILE *f, const struct notes *n)
{
	fprintf(f,
		"\"ledger_counts\":{\"entries\":%" PRIu64 ",\"shown\":%" PRIu64 ",\"merged\":%" PRIu64
		",\"noted\":%" PRIu64 ",\"lost\":%" PRIu64 "},\n",
		n->entries, n->shown, n->merged, notes_noted(n), notes_of(n, NOTE_LOST));
}

/* One entry per section; "rows_total" tells when a table was cut. */
static void put_section(FILE *f, const struct content *c, const struct section *s)
{
	fputs("{\"title\":", f);
	put_json(f, s->title);
	fprintf(f, ",\"rows_total\":%" PRIu32 ",\"table\":", s->total);
	table_write(s->table, TABLE_JSON, f, c->sources, c->req->n_paths, 0);
	fputc('}', f);
}

void report_json(struct content *c, FILE *f)
{
	fputs("{\"schema\":\"stepscope.report/1\",", f);
	if (c->own_title)
		member(f, "title", c->own_title);
	if (c->note)
		member(f, "note", c->note);
	member(f, "looked_at", c->looked_at);
	member(f, "verdict", c->verdict);
	member(f, "numbers", c->numbers);
	member(f, "ledger", c->ledger);
	member(f, "command", c->command);
	put_sources(f, c);
	put_window(f, c);
	put_focus(f, c);
	put_notes(f, trace_notes(derived_trace(c->req->d)));
	fputs("\"sections\":[\n", f);
	for (uint32_t i = 0; i < c->n_sections; i++) {
		fputs(i ? ",\n" : "", f);
		put_section(f, c, &c->sections[i]);
	}
	fputs("]}\n", f);
}
