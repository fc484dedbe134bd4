/* tui/report/report_md.c - Markdown for issues and pull requests: narrow tables, details folded. */
#include "formats.h"
#include "tui/tables/table_write.h"
#include "tui/text/put.h"
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

static void put_section(FILE *f, const struct section *s)
{
	fprintf(f, "\n### %s\n\n", s->title);
	if (*s->intro)
		fprintf(f, "%s%s\n\n", s->intro, s->table->n_rows < s->total ? "" : ".");
	if (s->table->n_rows < s->total)
		fprintf(f, "The first %u of %u rows.\n\n", s->table->n_rows, s->total);
	if (s->look == LOOK_GUIDE) {
		findings_md(s->source, f);
		return;
	}
	if (s->look == LOOK_BARS) {
		fputs("```text\n", f);
		bars_text(s->source, f, LANES_COLS);
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
	table_write(s->table, TABLE_MD, f, NULL, 0, 0);
	put_formulas(f, s->table);
}

void report_md(struct content *c, FILE *f)
{
	line(f, "Looked at", c->looked_at);
	line(f, "Verdict", c->verdict);
	line(f, "Numbers", c->numbers);
	line(f, "Ledger", c->ledger);
	fputs("**Again:** ", f);
	code(f, c->command);
	fputs("\n\n```text\n", f);
	text_lanes(c->picture, f, LANES_COLS, c->req->ascii, &c->mem);
	fputs("```\n", f);
	for (uint32_t i = 0; i < c->n_sections; i++)
		put_section(f, &c->sections[i]);
	fputs("\nWritten by stepscope " VERSION ".\n", f);
}
