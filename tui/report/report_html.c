/* tui/report/report_html.c - one file that needs nothing else: no network, no fonts, no scripts from elsewhere. The
 * policy in its head forbids even the attempt. */
#include "formats.h"
#include "svg.h"
#include "model/store/base/embed.h"
#include "tui/text/put.h"
#include "tui/text/utf8.h"
#include "tui/text/words.h"
#include "model/columns.h"
#include <inttypes.h>
#include <string.h>

EMBED(report_css, "tui/report/report.css");
EMBED(report_js, "tui/report/report.js");

static void element(FILE *f, const char *open, const char *text, const char *close)
{
	fputs(open, f);
	put_html(f, text);
	fputs(close, f);
}

static void put_head(const struct content *c, FILE *f)
{
	fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';style-src 'unsafe-inline';"
	      "script-src 'unsafe-inline'\">\n<meta name=\"color-scheme\" content=\"light dark\">\n"
	      "<meta name=\"generator\" content=\"stepscope " VERSION "\">\n",
	      f);
	element(f, "<title>", c->title, " - stepscope</title>\n<style>\n");
	fwrite(report_css, 1, EMBED_SIZE(report_css), f);
	fputs("</style>\n</head>\n<body>\n<main>\n", f);
}

static void put_cards(const struct content *c, FILE *f)
{
	fputs("<ul class=\"cards\">\n", f);
	for (uint32_t i = 0; i < c->n_cards; i++) {
		element(f, "<li><span class=\"l\">", c->cards[i].label, "</span>");
		element(f, "<span class=\"v\">", c->cards[i].value, "</span>");
		element(f, "<span class=\"s\">", c->cards[i].sub, "</span></li>\n");
	}
	fputs("</ul>\n", f);
}

static void put_lead(const struct content *c, FILE *f)
{
	element(f, "<p class=\"at\">", c->looked_at, "</p>\n");
	element(f, "<h1>", c->heading, "</h1>\n");
	element(f, "<p class=\"verdict\">", c->verdict, "</p>\n");
	if (c->n_cards)
		put_cards(c, f);
	else
		element(f, "<p>", c->numbers, "</p>\n");
	element(f, "<p class=\"small\">", c->ledger, "</p>\n");
	element(f, "<p class=\"small\">the same again: <code>", c->command, "</code></p>\n");
}

/* Exact value for sorting, empty for unknown. */
static void put_value(FILE *f, const struct cell *c)
{
	fputs(" data-v=\"", f);
	if (!c->null && c->type == CELL_INT)
		fprintf(f, "%" PRId64, c->i);
	else if (!c->null && c->type == CELL_REAL)
		fprintf(f, "%.17g", c->r);
	fputc('"', f);
}

static size_t without_unit(const char *name)
{
	static const char *const units[] = {"_ns", "_pct"};
	size_t n = strlen(name);
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		size_t u = strlen(units[i]);
		if (n > u && strcmp(name + n - u, units[i]) == 0)
			return n - u;
	}
	return n;
}

/* "kernel_launch_ns" -> "kernel launch": cells carry their unit. */
static void put_words(FILE *f, const char *name)
{
	size_t n = without_unit(name);
	for (size_t i = 0; i < n; i++)
		fputc(name[i] == '_' ? ' ' : name[i], f);
}

/* Keys that differ only in their unit stay apart: "kernels 16bit", "kernels 16bit %". The exact one, which scripts use,
 * is under the pointer. */
static void put_key(FILE *f, const char *key)
{
	const char *unit = key + without_unit(key);
	element(f, "<td class=\"t\" title=\"", key, "\">");
	put_words(f, key);
	fputs(strcmp(unit, "_ns") == 0 ? " time</td>" : *unit ? " %</td>" : "</td>", f);
}

enum { LONG_TEXT = 28, TEXT_COLS = 64 };

/* A C++ name can be longer than the page: what tells it apart is shown, all of it is under the pointer. */
static void put_text_fit(FILE *f, const char *text, int cols)
{
	struct arena mem = {0};
	if (utf8_width(text) <= cols) {
		element(f, ">", text, "</td>");
	} else {
		element(f, " title=\"", text, "\"");
		element(f, ">", words_name(&mem, text, cols), "</td>");
	}
	arena_free(&mem);
}

static void put_cell(FILE *f, const struct table *t, uint32_t row, uint32_t col)
{
	char buf[128];
	const struct cell *c = table_cell(t, row, col);
	bool number = cell_type_is_number(c->type);
	if (col == 0 && table_is_keys(t) && !c->null) {
		put_key(f, c->s);
		return;
	}
	const char *text = cell_format(t, row, col, buf, sizeof buf);
	fprintf(f, "<td class=\"%s%s\"", number ? "n" : strlen(text) > LONG_TEXT ? "t long" : "t", c->null ? " u" : "");
	if (number || c->null)
		put_value(f, c);
	put_text_fit(f, text, table_is_keys(t) || strcmp(t->cols[col].name, COLUMN_WHAT) == 0 ? INT32_MAX : TEXT_COLS);
}

/* The exact name stands in the list below the table. Beside a column "main_event" the column "main_event_ns" is "main event time". */
static void put_column_name(FILE *f, const struct table *t, uint32_t col)
{
	const char *name = t->cols[col].name;
	size_t n = without_unit(name);
	bool twin = false;
	for (uint32_t i = 0; i < t->n_cols; i++)
		twin = twin || (i != col && strlen(t->cols[i].name) == n && strncmp(t->cols[i].name, name, n) == 0);
	put_words(f, name);
	fputs(twin ? " time" : "", f);
}

static void put_table(FILE *f, const struct table *t)
{
	fprintf(f, "<div class=\"%s\"><table>\n<thead><tr>", table_is_keys(t) ? "scroll keys" : "scroll");
	for (uint32_t i = 0; i < t->n_cols; i++) {
		fprintf(f, "<th%s title=\"", cell_type_is_number(t->cols[i].type) ? " class=\"n\"" : "");
		put_html(f, t->cols[i].help);
		fputs("\">", f);
		put_column_name(f, t, i);
		fputs("</th>", f);
	}
	fputs("</tr></thead>\n<tbody>\n", f);
	for (uint32_t r = 0; r < t->n_rows; r++) {
		fputs("<tr>", f);
		for (uint32_t i = 0; i < t->n_cols; i++)
			put_cell(f, t, r, i);
		fputs("</tr>\n", f);
	}
	fputs("</tbody></table></div>\n", f);
}

static void put_formulas(FILE *f, const struct table *t, const char *unknown)
{
	fputs("<details><summary>What the columns mean</summary><ul>\n", f);
	for (uint32_t i = 0; i < t->n_cols; i++) {
		element(f, "<li><code>", t->cols[i].name, "</code> ");
		put_html(f, t->cols[i].help);
		fputs("</li>\n", f);
	}
	fputs("</ul></details>\n", f);
	if (*unknown)
		element(f, "<p class=\"small\">without a value in any row: ", unknown, "</p>\n");
}

/* Thirty tables need a way in. */
static void put_contents(const struct content *c, FILE *f)
{
	fputs("<nav class=\"toc\" aria-label=\"Sections\">", f);
	for (uint32_t i = 0; i < c->n_sections; i++) {
		fprintf(f, "%s<a href=\"#s%" PRIu32 "\">", i ? " " : "", i + 1);
		element(f, "", c->sections[i].title, "</a>");
	}
	fputs("</nav>\n", f);
}

static void put_section(FILE *f, const struct section *s, uint32_t number)
{
	fprintf(f, "<section id=\"s%" PRIu32 "\">\n", number);
	element(f, "<h2>", s->title, "</h2>\n");
	if (s->look == LOOK_GUIDE) {
		findings_html(s->source, f);
		fputs("</section>\n", f);
		return;
	}
	if (s->look == LOOK_BARS) {
		fputs("<div class=\"pic\">\n", f);
		bars_svg(s->source, f);
		fputs("</div>\n", f);
	}
	if (s->look == LOOK_OPS) {
		fputs("<div class=\"pic\">\n", f);
		op_pies_svg(s->charts, f);
		fputs("</div>\n", f);
	}
	if (s->look == LOOK_HISTOGRAMS) {
		fputs("<div class=\"pic\">\n", f);
		histograms_svg(s->source, f);
		fputs("</div>\n", f);
	}
	fputs("<p class=\"intro\">", f);
	put_html(f, s->intro);
	if (s->table->n_rows < s->total)
		fprintf(f, "%sthe first %" PRIu32 " of %" PRIu32 " rows", *s->intro ? "; " : "", s->table->n_rows,
			s->total);
	fputs("</p>\n", f);
	put_table(f, s->table);
	put_formulas(f, s->table, s->unknown);
	fputs("</section>\n", f);
}

void report_html(struct content *c, FILE *f)
{
	put_head(c, f);
	put_lead(c, f);
	fputs("<div class=\"pic\">\n", f);
	svg_write(f, c->picture, c->title, NULL, NULL, &c->mem);
	fputs("</div>\n", f);
	put_contents(c, f);
	for (uint32_t i = 0; i < c->n_sections; i++)
		put_section(f, &c->sections[i], i + 1);
	fputs("<footer>Written by stepscope " VERSION
	      ". Time counts from the trace's first event. Boxes tell their name and "
	      "time under the pointer; table heads sort.</footer>\n</main>\n<script>\n",
	      f);
	fwrite(report_js, 1, EMBED_SIZE(report_js), f);
	fputs("</script>\n</body>\n</html>\n", f);
}
