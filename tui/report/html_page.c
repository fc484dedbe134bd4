/* A page that needs nothing else: no network, no fonts, no scripts from elsewhere. The policy in its head forbids even the attempt. */
#include "html_page.h"
#include "model/columns.h"
#include "model/store/base/arena.h"
#include "model/store/base/digits.h"
#include "model/store/base/embed.h"
#include "model/store/base/spans.h"
#include "model/store/base/units.h"
#include "tui/tables/column_head.h"
#include "tui/text/put.h"
#include "tui/text/utf8.h"
#include "tui/text/words.h"
#include <inttypes.h>
#include <string.h>

EMBED(report_css, "tui/report/report.css");
EMBED(report_js, "tui/report/report.js");
EMBED(picture_js, "tui/report/picture.js");

void html_element(FILE *f, const char *open, const char *text, const char *close)
{
	fputs(open, f);
	put_html(f, text);
	fputs(close, f);
}

void html_open(FILE *f, const char *title)
{
	fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';style-src 'unsafe-inline';"
	      "script-src 'unsafe-inline'\">\n<meta name=\"color-scheme\" content=\"light dark\">\n"
	      "<meta name=\"generator\" content=\"stepscope " VERSION "\">\n",
	      f);
	html_element(f, "<title>", title, " - stepscope</title>\n<style>\n");
	fwrite(report_css, 1, EMBED_SIZE(report_css), f);
	fputs("</style>\n</head>\n<body>\n<main>\n", f);
}

void html_close(FILE *f, const char *said)
{
	html_element(f, "<footer>Written by stepscope " VERSION ". ", said, "</footer>\n</main>\n<script>\n");
	fwrite(report_js, 1, EMBED_SIZE(report_js), f);
	fwrite(picture_js, 1, EMBED_SIZE(picture_js), f);
	fputs("</script>\n</body>\n</html>\n", f);
}

/* Exact value for sorting, empty for unknown. */
static void put_value(FILE *f, const struct cell *c)
{
	char real[DIGITS_BUF];
	fputs(" data-v=\"", f);
	if (!c->null && c->type == CELL_INT)
		fprintf(f, "%" PRId64, c->i);
	else if (!c->null && c->type == CELL_REAL)
		fwrite(real, 1, (size_t)(digits_real(real, c->r) - real), f);
	fputc('"', f);
}

/* Keys that differ only in their unit stay apart: "kernels 16bit", "kernels 16bit %". The exact one, which scripts use,
 * is under the pointer. */
static void put_key(FILE *f, const char *key)
{
	char head[HEAD_BUF];
	html_element(f, "<td class=\"t\" title=\"", key, "\">");
	html_element(f, "", key_head(key, head), "</td>");
}

enum { LONG_TEXT = 28, TEXT_COLS = 64, MOST_TITLE_BYTES = 1 << 14 };

/* All of the text under the pointer, unless it is longer than anybody reads: a page is to be sent. */
static void put_title(FILE *f, const char *text, struct arena *mem)
{
	size_t n = strlen(text), shown = MOST_TITLE_BYTES;
	if (n <= MOST_TITLE_BYTES) {
		html_element(f, " title=\"", text, "\"");
		return;
	}
	while (((unsigned char)text[shown] & 0xc0) == 0x80) /* not inside a character */
		shown--;
	html_element(f, " title=\"", arena_strndup(mem, text, shown), "\xe2\x80\xa6");
	fprintf(f, " (%zu bytes)\"", n);
}

/* A C++ name can be longer than the page: what tells it apart is shown, the rest is under the pointer. */
static void put_text_fit(FILE *f, const char *text, int cols)
{
	struct arena mem = {0};
	if (utf8_fits(text, cols)) {
		html_element(f, ">", text, "</td>");
	} else {
		put_title(f, text, &mem);
		html_element(f, ">", words_name(&mem, text, cols), "</td>");
	}
	arena_free(&mem);
}

/* Columns of sentences, which are shown as a whole. */
static bool is_sentence(const char *column)
{
	static const char *const sentences[] = {COLUMN_WHAT, "sentence", "advice", "before_sentence", "after_sentence"};
	return TEXT_IS_ONE_OF(column, sentences);
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
	put_text_fit(f, text, table_is_keys(t) || is_sentence(t->cols[col].name) ? INT32_MAX : TEXT_COLS);
}

/* The exact name of a column goes with it, for who copies the table; it stands in the list below, too. */
static void put_heads(FILE *f, const struct table *t)
{
	char head[HEAD_BUF];
	fputs("<thead><tr>", f);
	for (uint32_t i = 0; i < t->n_cols; i++) {
		fprintf(f, "<th scope=\"col\"%s", cell_type_is_number(t->cols[i].type) ? " class=\"n\"" : "");
		html_element(f, " data-c=\"", t->cols[i].name, "\" title=\"");
		put_html(f, t->cols[i].help);
		html_element(f, "\">", column_head(t, i, head), "</th>");
	}
	fputs("</tr></thead>\n<tbody>\n", f);
}

/* look: class of the box around it */
static void put_table(FILE *f, const struct table *t, uint32_t rows, const char *look, const char *caption)
{
	enum { MANY_COLUMNS = 14 };
	const char *width = table_is_keys(t) ? " keys" : t->n_cols > MANY_COLUMNS ? " many" : "";
	fprintf(f, "<div class=\"scroll %s%s\"><table data-t=\"%s\">\n", look, width, t->name);
	html_element(f, "<caption>", caption, "</caption>\n");
	put_heads(f, t);
	for (uint32_t r = 0; r < rows; r++) {
		fputs("<tr>", f);
		for (uint32_t i = 0; i < t->n_cols; i++)
			put_cell(f, t, r, i);
		fputs("</tr>\n", f);
	}
	fputs("</tbody>", f);
}

/* Its last line, and its end. more: rows that it lacks. */
static void put_foot(FILE *f, const struct table *t, uint32_t more, const char *where)
{
	char count[UNITS_BUF];
	if (more)
		fprintf(f, "\n<tfoot><tr><td colspan=\"%" PRIu32 "\">%s more rows%s</td></tr></tfoot>", t->n_cols,
			fmt_count(count, more), where);
	fputs("</table></div>\n", f);
}

void html_table(FILE *f, const struct table *t, const char *caption, uint32_t total)
{
	char where[96];
	snprintf(where, sizeof where, ": stepscope table %s TRACE", t->name);
	put_table(f, t, t->n_rows, "whole", caption);
	put_foot(f, t, total - t->n_rows, where);
}

void html_folded_table(FILE *f, const struct table *t, const char *caption, uint32_t total)
{
	enum { FIRST_ROWS = 6, WORTH_FOLDING = 10 };
	char shown[UNITS_BUF], all[UNITS_BUF], first[128];
	if (t->n_rows < WORTH_FOLDING) {
		html_table(f, t, caption, total);
		return;
	}
	snprintf(first, sizeof first, "%s: the first rows", caption);
	put_table(f, t, FIRST_ROWS, "first", first);
	put_foot(f, t, total - FIRST_ROWS, "");
	fputs("<details class=\"rows\"><summary>", f);
	if (t->n_rows < total)
		fprintf(f, "the first %s of %s rows", fmt_count(shown, t->n_rows), fmt_count(all, total));
	else
		fprintf(f, "all %s rows", fmt_count(all, total));
	fputs("</summary>\n", f);
	html_table(f, t, caption, total);
	fputs("</details>\n", f);
}

void html_columns(FILE *f, const struct table *t)
{
	fputs("<details><summary>What the columns mean</summary><ul>\n", f);
	for (uint32_t i = 0; i < t->n_cols; i++) {
		html_element(f, "<li><code>", t->cols[i].name, "</code> ");
		put_html(f, t->cols[i].help);
		fputs("</li>\n", f);
	}
	fputs("</ul></details>\n", f);
}
