#include "table_text.h"
#include "column_head.h"
#include "model/store/base/memory.h"
#include "tui/text/tone.h"
#include "tui/text/put.h"
#include "tui/text/utf8.h"
#include "tui/text/words.h"
#include <stdlib.h>
#include <string.h>

enum { BETWEEN = TABLE_TEXT_BETWEEN, TEXT_MIN = 12, FORMAT_BUF = 96 };

static const char *formatted(const struct table *t, uint32_t r, uint32_t c, char buf[FORMAT_BUF])
{
	return cell_format(t, r, c, buf, FORMAT_BUF);
}

static unsigned cols_of(const char *s)
{
	const char *from = s;
	while (*s >= ' ' && *s <= '~') /* nearly all there is */
		s++;
	unsigned cols = (unsigned)(s - from);
	for (uint32_t c; (c = utf8_next(&s));)
		cols += (unsigned)utf8_cols(c);
	return cols;
}

/* Numbers stand right-aligned; in key/value tables, whose column is text, everything stands left. */
static bool is_right(const struct table *t, uint32_t c)
{
	return cell_type_is_number(t->cols[c].type);
}

/* ---- how wide --------------------------------------------------------------------------------------------------- */

void table_text_widths(const struct table *t, unsigned *widths)
{
	char buf[FORMAT_BUF];
	for (uint32_t c = 0; c < t->n_cols; c++)
		widths[c] = cols_of(t->cols[c].name);
	for (uint32_t r = 0; r < t->n_rows; r++)
		for (uint32_t c = 0; c < t->n_cols; c++) {
			unsigned w = cols_of(formatted(t, r, c, buf));
			widths[c] = w > widths[c] ? w : widths[c];
		}
}

static unsigned line_width(const struct table *t, const unsigned *widths)
{
	unsigned sum = 0;
	for (uint32_t c = 0; c < t->n_cols; c++)
		sum += widths[c] + (c ? BETWEEN : 0);
	return sum;
}

static unsigned narrowest(const struct table *t, uint32_t c)
{
	unsigned head = cols_of(t->cols[c].name);
	return head > TEXT_MIN ? head : TEXT_MIN;
}

static int widest_text(const struct table *t, const unsigned *widths)
{
	int widest = -1;
	for (uint32_t c = 0; c < t->n_cols; c++) {
		bool shrinks = !is_right(t, c) && widths[c] > narrowest(t, c);
		if (shrinks && (widest < 0 || widths[c] > widths[widest]))
			widest = (int)c;
	}
	return widest;
}

/* One column at a time: the widest gives way down to the next one's width, so that all give way alike in the end. */
static void shrink(const struct table *t, unsigned *widths, unsigned width)
{
	int c;
	for (unsigned now = line_width(t, widths); now > width && (c = widest_text(t, widths)) >= 0; now--)
		widths[c]--;
}

/* ---- text ------------------------------------------------------------------------------------------------------- */

static void put_spaces(unsigned n, FILE *out)
{
	fprintf(out, "%*s", (int)n, "");
}

static void put_cut(const char *s, unsigned width, FILE *out)
{
	struct arena mem = {0};
	const char *shown = cols_of(s) > width ? words_end(&mem, s, (int)width) : s;
	unsigned cols = cols_of(shown);
	put_plain(out, shown);
	put_spaces(cols < width ? width - cols : 0, out);
	arena_free(&mem);
}

static void put_text_cell(const struct table *t, uint32_t c, const char *s, const unsigned *widths, FILE *out)
{
	bool last = c + 1 == t->n_cols;
	unsigned cols = cols_of(s);
	if (c)
		put_spaces(BETWEEN, out);
	if (is_right(t, c)) {
		put_spaces(cols < widths[c] ? widths[c] - cols : 0, out);
		put_plain(out, s);
	} else {
		put_cut(s, last && cols < widths[c] ? cols : widths[c], out); /* no blanks at the line's end */
	}
}

void table_text(const struct table *t, FILE *out, unsigned width)
{
	char buf[FORMAT_BUF];
	unsigned *widths = must(calloc(t->n_cols + 1, sizeof *widths));
	table_text_widths(t, widths);
	if (width)
		shrink(t, widths, width);
	fputs(tone(TONE_HEAD), out);
	for (uint32_t c = 0; c < t->n_cols; c++)
		put_text_cell(t, c, t->cols[c].name, widths, out);
	fprintf(out, "%s\n", tone(TONE_PLAIN));
	for (uint32_t r = 0; r < t->n_rows; r++) {
		for (uint32_t c = 0; c < t->n_cols; c++)
			put_text_cell(t, c, formatted(t, r, c, buf), widths, out);
		fputc('\n', out);
	}
	if (!t->n_rows)
		fprintf(out, "(no rows%s%s)\n", t->why_empty ? ": " : "", t->why_empty ? t->why_empty : "");
	free(widths);
}

/* ---- Markdown --------------------------------------------------------------------------------------------------- */

void table_text_md(const struct table *t, FILE *out)
{
	char buf[FORMAT_BUF], head[HEAD_BUF];
	for (uint32_t c = 0; c < t->n_cols; c++) {
		fputs(c ? " | " : "| ", out);
		put_md(out, column_head(t, c, head));
	}
	fputs(" |\n", out);
	for (uint32_t c = 0; c < t->n_cols; c++)
		fputs(is_right(t, c) ? "|---:" : "|---", out);
	fputs("|\n", out);
	for (uint32_t r = 0; r < t->n_rows; r++) {
		for (uint32_t c = 0; c < t->n_cols; c++) {
			fputs(c ? " | " : "| ", out);
			put_md(out, formatted(t, r, c, buf));
		}
		fputs(" |\n", out);
	}
}
