/* tui/report/findings_list.c - the findings as a list: what stands in full, what is fine as one line. */
#include "content.h"
#include "model/store/base/units.h"
#include "tui/text/guide.h"
#include "tui/text/put.h"
#include <math.h>

static const char *text_or_none(const char *s)
{
	return s ? s : "";
}

/* "1 s at stake, confidence 0.95"; "" when neither is known. */
static const char *stake(const struct guide_item *x, char *buf, size_t size)
{
	char ns[UNITS_BUF];
	bool lost = finding_stands(x->state) && x->lost_ns != UNKNOWN_I64 && x->lost_ns > 0,
	     sure = !isnan(x->confidence);
	buf[0] = '\0';
	if (lost && sure)
		snprintf(buf, size, "%s at stake, confidence %.2f", fmt_ns(ns, x->lost_ns), x->confidence);
	else if (lost)
		snprintf(buf, size, "%s at stake", fmt_ns(ns, x->lost_ns));
	else if (sure)
		snprintf(buf, size, "confidence %.2f", x->confidence);
	return buf;
}

/* ---- Markdown ------------------------------------------------------------------------------------------------------ */

static void item_md(const struct guide_item *x, FILE *f)
{
	char more[96];
	fprintf(f, "- **%s ", guide_mark(x->state, false));
	put_md(f, text_or_none(x->title));
	fputs(":** ", f);
	put_md(f, text_or_none(x->sentence));
	if (*stake(x, more, sizeof more))
		fprintf(f, " (%s)", more);
	if (x->advice && x->state != FINDING_PASS) {
		fputs("  \n  ", f);
		put_md(f, x->advice);
	}
	fputc('\n', f);
}

void findings_md(const struct table *findings, FILE *f)
{
	char summary[160];
	fprintf(f, "%s.\n\n", guide_summary(findings, summary, sizeof summary));
	for (uint32_t row = 0; row < findings->n_rows; row++) {
		struct guide_item x = guide_item(findings, row);
		item_md(&x, f);
	}
}

/* ---- HTML ---------------------------------------------------------------------------------------------------------- */

static void element(FILE *f, const char *open, const char *text, const char *close)
{
	if (!text || !*text)
		return;
	fputs(open, f);
	put_html(f, text);
	fputs(close, f);
}

static void item_html(const struct guide_item *x, FILE *f)
{
	char more[96];
	fprintf(f, "<li class=\"f-%s\" title=\"", finding_state_name(x->state));
	put_html(f, x->formula);
	fprintf(f, "\"><span class=\"mark\" title=\"%s\">%s</span>", finding_state_name(x->state),
		guide_mark(x->state, false));
	element(f, "<b>", text_or_none(x->title), "</b> ");
	element(f, "<span>", text_or_none(x->sentence), "</span>");
	element(f, " <span class=\"stake\">", stake(x, more, sizeof more), "</span>");
	if (x->state != FINDING_PASS)
		element(f, "<div class=\"advice\">", x->advice, "</div>");
	if (x->state != FINDING_PASS)
		element(f, "<details><summary>formula</summary>", x->formula, "</details>");
	fputs("</li>\n", f);
}

/* The findings from `row` on that are alike: what is fine, or what is not. Returns the row after them. */
static uint32_t items_html(const struct table *findings, uint32_t row, bool fine, FILE *f)
{
	fputs("<ul class=\"findings\">\n", f);
	for (; row < findings->n_rows; row++) {
		struct guide_item x = guide_item(findings, row);
		if ((x.state == FINDING_PASS) != fine)
			break;
		item_html(&x, f);
	}
	fputs("</ul>\n", f);
	return row;
}

/* Worst first. Passed rules are folded. */
void findings_html(const struct table *findings, FILE *f)
{
	char summary[160];
	element(f, "<p class=\"intro\">", guide_summary(findings, summary, sizeof summary), "</p>\n");
	for (uint32_t row = 0; row < findings->n_rows;) {
		struct guide_item x = guide_item(findings, row);
		bool fine = x.state == FINDING_PASS;
		fputs(fine ? "<details class=\"fine\"><summary>what is fine</summary>\n" : "", f);
		row = items_html(findings, row, fine, f);
		fputs(fine ? "</details>\n" : "", f);
	}
}
