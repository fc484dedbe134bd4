/* tui/report/report_md.c - Markdown for issues and pull requests: narrow tables, details folded. */
#include "formats.h"
#include "model/store/base/units.h"
#include "model/store/files/text_stream.h"
#include "tui/tables/table_write.h"
#include "tui/text/put.h"
#include "tui/text/words.h"
#include <stdlib.h>
#include <string.h>

enum { LANES_COLS = 110 };

/* Two blanks at the end keep the five lines apart where newlines alone would not. */
static void line(FILE *f, const char *label, const char *text)
{
	fprintf(f, "**%s:** ", label);
	put_md(f, text);
	fputs("  \n", f);
}

/* A code span: its fence is longer than any run of backticks inside. */
static void code(FILE *f, const char *text)
{
	int longest = 0, run = 0;
	for (const char *p = text; *p; p++) {
		run = *p == '`' ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	char fence[64];
	int n = longest + 1 < 60 ? longest + 1 : 60;
	memset(fence, '`', (size_t)n);
	fence[n] = '\0';
	fprintf(f, "%s%s", fence, longest ? " " : "");
	put_plain(f, text);
	fprintf(f, "%s%s", longest ? " " : "", fence);
}

static void put_formulas(FILE *f, const struct table *t)
{
	fputs("\n<details><summary>What the columns mean</summary>\n\n", f);
	for (uint32_t i = 0; i < t->n_cols; i++) {
		fputs("- ", f);
		code(f, t->cols[i].name);
		fputs(": ", f);
		put_md(f, t->cols[i].help);
		fputc('\n', f);
	}
	fputs("\n</details>\n", f);
}

/* How much of it is written. */
struct measure {
	bool meanings;     /* of the columns, below each table */
	uint32_t rows;     /* of a table at most */
	uint32_t sections; /* the first so many */
};

enum { OPEN_SECTIONS = 2 }; /* the others are folded: of a comment the first lines are read */

static void put_head(FILE *f, const struct section *s, bool folded)
{
	if (folded)
		fprintf(f, "\n<details><summary>%s</summary>\n", s->title);
	fprintf(f, "\n### %s\n\n", s->title);
}

static void put_section(FILE *f, const struct section *s, const struct measure *m, bool ascii)
{
	struct table shown = *s->table;
	shown.n_rows = shown.n_rows < m->rows ? shown.n_rows : m->rows;
	if (*s->intro)
		fprintf(f, "%s%s\n\n", s->intro, shown.n_rows < s->total ? "" : ".");
	char first[UNITS_BUF], all[UNITS_BUF];
	if (shown.n_rows < s->total)
		fprintf(f, "The first %s of %s rows.\n\n", fmt_count(first, shown.n_rows), fmt_count(all, s->total));
	if (s->look == LOOK_GUIDE) {
		findings_md(s->source, f);
		return;
	}
	if (s->look == LOOK_BARS) {
		fputs("```text\n", f);
		bars_text(s->source, s->mix, f, LANES_COLS);
		fputs("```\n\n", f);
	}
	if (s->look == LOOK_OPS) {
		fputs("```text\n", f);
		op_pies_text(s->charts, f);
		fputs("```\n\n", f);
	}
	if (s->look == LOOK_HISTOGRAMS) {
		fputs("```text\n", f);
		histograms_text(s->source, f, LANES_COLS);
		fputs("```\n\n", f);
	}
	if (s->look == LOOK_MEMORY) {
		fputs("```text\n", f);
		memory_curves_text(s->source, f, LANES_COLS, ascii);
		fputs("```\n\n", f);
	}
	table_write(&shown, TABLE_MD, f, NULL, 0, 0);
	if (m->meanings)
		put_formulas(f, s->table);
}

static void put_title(struct content *c, FILE *f)
{
	if (!c->own_title)
		return;
	fputs("## ", f);
	put_md(f, c->own_title);
	fputs("\n\n", f);
}

static void put_again(struct content *c, FILE *f)
{
	fputs("**To reproduce:** ", f);
	code(f, c->command);
	fputc('\n', f);
}

/* What fits a chat message: names and verdicts can be long. */
static void write_brief(struct content *c, FILE *f)
{
	enum { LINE_COLS = 280, VERDICT_COLS = 640 };
	put_title(c, f);
	line(f, "Looked at", words_end(&c->mem, c->looked_at, LINE_COLS));
	line(f, "Verdict", words_end(&c->mem, c->verdict, VERDICT_COLS));
	line(f, "Numbers", words_end(&c->mem, c->numbers, LINE_COLS));
	if (c->advice)
		line(f, "What to do", words_end(&c->mem, c->advice, LINE_COLS));
	if (c->note)
		line(f, "Note", words_end(&c->mem, c->note, LINE_COLS));
	put_again(c, f);
}

static void write_page(struct content *c, const struct measure *m, FILE *f)
{
	put_title(c, f);
	line(f, "Looked at", c->looked_at);
	line(f, "Verdict", c->verdict);
	line(f, "Numbers", c->numbers);
	line(f, "Ledger", c->ledger);
	put_again(c, f);
	if (c->note) {
		fputc('\n', f);
		line(f, "Note", c->note);
	}
	if (c->advice) {
		fputc('\n', f);
		line(f, "What to do", c->advice);
	}
	fputs("\n```text\n", f);
	text_lanes(c->picture, f, LANES_COLS, c->req->ascii, &c->mem);
	fputs("```\n", f);
	for (uint32_t i = 0; i < c->n_sections && i < m->sections; i++) {
		put_head(f, &c->sections[i], i >= OPEN_SECTIONS);
		put_section(f, &c->sections[i], m, c->req->ascii);
		fputs(i >= OPEN_SECTIONS ? "\n</details>\n" : "", f);
	}
	if (m->sections < c->n_sections)
		fprintf(f, "\nLeft out because of their length: %u sections; the HTML report has them.\n",
			c->n_sections - m->sections);
	if (!m->meanings)
		fputs("\nWhat the columns mean is explained in the HTML report and in `stepscope table NAME TRACE "
		      "--format json`.\n",
		      f);
	fputs("\nWritten by stepscope " VERSION ".\n", f);
}

/* Its bytes as it would be written; 0 when memory is out. */
static size_t length_of(struct content *c, const struct measure *m)
{
	struct text_stream s;
	size_t n = 0;
	FILE *f = text_stream_open(&s);
	if (!f)
		return 0;
	write_page(c, m, f);
	free(text_stream_close(&s, &n));
	return n;
}

/* Comments of issues and pull requests hold 65,536 characters: meanings of columns go first, then rows, then the last sections. */
void report_md(struct content *c, FILE *f)
{
	enum { MOST_BYTES = 65536, WITH_HASHES = MOST_BYTES / 5 * 4, ALL = UINT32_MAX };
	/* what stands for a short path is longer than the path (hide_paths.c) */
	const size_t most = c->req->redact ? WITH_HASHES : MOST_BYTES;
	static const struct measure steps[] = {
		{true, ALL, ALL}, {false, ALL, ALL}, {false, 8, ALL}, {false, 5, ALL}, {false, 3, ALL}};
	struct measure m = steps[0];
	if (c->req->brief) {
		write_brief(c, f);
		return;
	}
	for (size_t i = 1; i < sizeof steps / sizeof *steps && length_of(c, &m) >= most; i++)
		m = steps[i];
	for (m.sections = c->n_sections; m.sections > 1 && length_of(c, &m) >= most;)
		m.sections--;
	write_page(c, &m, f);
}
