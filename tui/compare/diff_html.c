/* A comparison as one page: the answer, where it comes from as bars, both runs on one scale, findings, and all rows. */
#include "diff.h"
#include "model/store/base/units.h"
#include "tui/report/cut.h"
#include "tui/report/html_page.h"
#include "tui/report/svg.h"
#include "tui/text/put.h"
#include "tui/text/window.h"
#include <math.h>

enum { BAR_W = 1120, BAR_LABEL = 190, BAR_TEXT = 130, BAR_ROW = 26, BAR_H = 16, ROWS_SHOWN = 200 };

static void put_card(FILE *f, const char *label, const char *value, const char *sub)
{
	html_element(f, "<li><span class=\"l\">", label, "</span>");
	html_element(f, "<span class=\"v\">", value, "</span>");
	html_element(f, "<span class=\"s\">", sub, "</span></li>\n");
}

static void put_cards(FILE *f, const struct diff *x, struct arena *mem)
{
	char a[UNITS_BUF], b[UNITS_BUF];
	const struct step_change *c = &x->step;
	fputs("<ul class=\"cards\">\n", f);
	put_card(f, arena_printf(mem, "A, %u steps", (unsigned)x->a.step.n), fmt_ns(a, c->a_ns), x->a.label);
	put_card(f, arena_printf(mem, "B, %u steps", (unsigned)x->b.step.n), fmt_ns(b, c->b_ns), x->b.label);
	put_card(f, "Change", isnan(diff_pct(x)) ? "-" : arena_printf(mem, "%+.1f %%", diff_pct(x)),
		 c->b_ns <= c->a_ns ? "less time" : "more time");
	fputs("</ul>\n", f);
}

/* ---- the waterfall --------------------------------------------------------------------------------------------------- */

struct bars {
	FILE *f;
	double per_ns; /* width of one */
	uint32_t row;
};

static void put_bar(struct bars *b, const char *label, const char *css, int64_t from_ns, int64_t to_ns,
		    const char *text)
{
	int y = (int)b->row * BAR_ROW;
	int64_t lo = from_ns < to_ns ? from_ns : to_ns, hi = from_ns < to_ns ? to_ns : from_ns;
	double x = BAR_LABEL + (double)lo * b->per_ns, w = (double)(hi - lo) * b->per_ns;
	fprintf(b->f, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">", BAR_LABEL - 10, y + BAR_H - 3);
	put_html(b->f, label);
	fprintf(b->f, "</text><rect class=\"%s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\"/>", css, x,
		y, w > 1 ? w : 1, BAR_H);
	fprintf(b->f, "<text x=\"%.1f\" y=\"%d\">", x + w + 6, y + BAR_H - 3);
	put_html(b->f, text);
	fputs("</text>\n", b->f);
	b->row++;
}

/* From A over the parts, each beginning where the one before ended, to B. */
static void put_waterfall(FILE *f, const struct diff *x, struct arena *mem)
{
	const struct step_change *c = &x->step;
	uint32_t order[CHANGE_PARTS];
	char buf[UNITS_BUF];
	int64_t most = c->a_ns > c->b_ns ? c->a_ns : c->b_ns, at = c->a_ns, peak = most;
	change_ranked(c, order);
	uint32_t rows = 2; /* A and B */
	for (uint32_t i = 0; i < c->n; i++)
		rows += c->part[i].a_ns != c->part[i].b_ns;
	for (uint32_t i = 0; i < c->n; i++)
		peak = (at += c->part[order[i]].b_ns - c->part[order[i]].a_ns) > peak ? at : peak;
	struct bars b = {f, peak > 0 ? (double)(BAR_W - BAR_LABEL - BAR_TEXT) / (double)peak : 0, 0};
	fputs("<div class=\"pic\">\n", f);
	put_svg_open(f, BAR_W, (int)rows * BAR_ROW, "Where the change comes from");
	fputs("<style>.wa{fill:#75808d}.wl{fill:#2e9363}.wm{fill:#b81830}text{font:12.5px "
	      "system-ui,sans-serif;fill:currentColor}</style>\n",
	      f);
	put_bar(&b, "A", "wa", 0, c->a_ns, fmt_ns(buf, c->a_ns));
	at = c->a_ns;
	for (uint32_t i = 0; i < c->n; i++) {
		const struct change_part *p = &c->part[order[i]];
		int64_t ns = p->b_ns - p->a_ns;
		if (ns)
			put_bar(&b, p->label, ns > 0 ? "wm" : "wl", at, at + ns, diff_change_text(ns, mem));
		at += ns;
	}
	put_bar(&b, "B", "wa", 0, c->b_ns, fmt_ns(buf, c->b_ns));
	fputs("</svg>\n</div>\n", f);
}

/* ---- both runs ------------------------------------------------------------------------------------------------------- */

/* A step of the stretch, from its start and as long as the longer one of both, so that both have one scale. */
static void put_picture(FILE *f, const char *letter, const struct compare_side *s, int64_t length_ns, struct arena *mem)
{
	struct window w = window_of_time(s->d, s->shown_ns, s->shown_ns + length_ns);
	struct picture_req r = {.d = s->d, .window = &w};
	html_element(f, "<h2>", arena_printf(mem, "%s: %s", letter, s->label), "</h2>\n<div class=\"pic\">\n");
	svg_write(f, picture_new(&r, mem), s->label, NULL, NULL, mem);
	fputs("</div>\n", f);
}

static void put_pictures(FILE *f, const struct diff *x, struct arena *mem)
{
	int64_t length_ns = x->step.a_ns > x->step.b_ns ? x->step.a_ns : x->step.b_ns;
	if (x->step.of != CHANGE_OF_STEPS && x->step.of != CHANGE_OF_MEDIANS)
		return;
	put_picture(f, "A", &x->a, length_ns, mem);
	put_picture(f, "B", &x->b, length_ns, mem);
}

/* ---- lists ----------------------------------------------------------------------------------------------------------- */

static void put_findings(FILE *f, const struct diff *d, struct arena *mem)
{
	const struct changed_findings *found = &d->findings;
	static const struct {
		const char *css, *mark;
	} look[] = {[FINDING_GONE] = {"f-pass", "-"},       [FINDING_NEW] = {"f-fail", "+"},
		    [FINDING_WORSE] = {"f-fail", "\u2191"}, [FINDING_BETTER] = {"f-pass", "\u2193"},
		    [FINDING_STAYS] = {"f-info", "="},      [FINDING_CANNOT_TELL] = {"f-unknown", "?"}};
	if (found->n)
		fputs("<h2>Findings</h2>\n<ul class=\"findings\">\n", f);
	for (uint32_t i = 0; i < found->n; i++) {
		const struct changed_finding *x = &found->at[i];
		fprintf(f, "<li class=\"%s\"><span class=\"mark\">%s</span>", look[x->change].css,
			look[x->change].mark);
		html_element(f, "<b>", arena_printf(mem, "%s: %s", diff_finding_word(d, x->change), x->title), "</b> ");
		html_element(f, "", diff_finding_text(x), "</li>\n");
	}
	fputs(found->n ? "</ul>\n" : "", f);
}

static void put_lines(FILE *f, const struct diff_req *r, const struct diff *x, struct arena *mem)
{
	const char *lines[] = {diff_waits(x, mem), diff_noise(x, mem), diff_per_sample(x, mem), diff_scaling(x, mem),
			       diff_lost(x, mem)};
	for (uint32_t i = 0; i < x->work.n; i++)
		html_element(f, "<p class=\"small\">not the same ",
			     arena_printf(mem, "%s: %s, %s", x->work.at[i].what, x->work.at[i].a, x->work.at[i].b),
			     "</p>\n");
	for (uint32_t i = 0; i < sizeof lines / sizeof *lines; i++)
		if (lines[i])
			html_element(f, "<p>", diff_arrows(lines[i], mem), "</p>\n");
	for (uint32_t i = 0; i < x->n_gates; i++)
		html_element(f, "<p>", arena_printf(mem, "gate %s: %s", x->gates[i].gate->text, x->gates[i].sentence),
			     "</p>\n");
	html_element(f, "<p class=\"small\">to reproduce: <code>", diff_command(r, mem), "</code></p>\n");
}

static void put_table(FILE *f, const struct table *t, uint32_t total)
{
	html_element(f, "<h2>", t->title, "</h2>\n");
	if (t->n_rows < total)
		fprintf(f, "<p class=\"intro\">the %u largest changes of %u rows</p>\n", (unsigned)t->n_rows,
			(unsigned)total);
	html_table(f, t, t->title, t->n_rows);
	html_columns(f, t);
}

/* Without the columns that no row has a value in. */
static void put_known(FILE *f, const struct table *t, struct arena *mem)
{
	const struct cut cut = {.rows = ROWS_SHOWN, .drop_unknown = true};
	put_table(f, cut_table(t, cut_rows(t, &(struct cut_choice){0}, mem), &cut, mem), t->n_rows);
}

/* What has room side by side: the rest is in the sentence, and in JSON. */
static void put_advice(FILE *f, const struct table *t, struct arena *mem)
{
	const struct cut cut = {
		.columns = COLUMN_LIST(ADVICE_TITLE, ADVICE_DONE, ADVICE_SENTENCE, ADVICE_BROUGHT_NS, ADVICE_TEXT)};
	const struct cut_choice all = {.all_columns = true};
	if (t->n_rows)
		put_table(f, cut_table(t, cut_rows(t, &all, mem), &cut, mem), t->n_rows);
}

static void put_tables(FILE *f, const struct diff *x, struct arena *mem)
{
	for (uint32_t i = 0; i < DIFF_SHOWN; i++) {
		if (x->tables[i])
			put_known(f, x->tables[i], mem);
	}
	if (x->sequence.changes->n_rows)
		put_known(f, x->sequence.changes, mem);
}

void diff_html(const struct diff_req *r, const struct diff *x, FILE *out)
{
	struct arena mem = {0};
	html_open(out, arena_printf(&mem, "%s and %s", x->a.label, x->b.label));
	html_element(out, "<p class=\"at\">", arena_printf(&mem, "A: %s \u2192 B: %s", x->a.label, x->b.label),
		     "</p>\n");
	html_element(out, "<h1>", diff_arrows(diff_verdict(x, DIFF_COLS_ALL, &mem), &mem), "</h1>\n");
	if (x->step.of != CHANGE_OF_NOTHING)
		put_cards(out, x, &mem);
	put_lines(out, r, x, &mem);
	if (x->step.n)
		put_waterfall(out, x, &mem);
	put_findings(out, x, &mem);
	put_advice(out, x->advice, &mem);
	put_pictures(out, x, &mem);
	put_tables(out, x, &mem);
	html_close(out, "Point at a box to see its name and time; click a table head to sort.");
	arena_free(&mem);
}
