/* tui/report/report_html.c - one file that needs nothing else, see html_page.h. */
#include "formats.h"
#include "html_page.h"
#include "svg.h"
#include "tui/text/put.h"
#include <inttypes.h>
#include <string.h>

/* Those that are read first; the other numbers in a line of their own. */
static void put_cards(struct content *c, FILE *f)
{
	enum { CARDS_SHOWN = 3 };
	if (!c->n_cards) {
		html_element(f, "<p>", c->numbers, "</p>\n");
		return;
	}
	fputs("<ul class=\"cards\">\n", f);
	for (uint32_t i = 0; i < c->n_cards && i < CARDS_SHOWN; i++) {
		html_element(f, "<li><span class=\"l\">", c->cards[i].label, "</span>");
		html_element(f, "<span class=\"v\">", c->cards[i].value, "</span>");
		html_element(f, "<span class=\"s\">", c->cards[i].sub, "</span></li>\n");
	}
	fputs("</ul>\n", f);
	if (c->n_cards > CARDS_SHOWN &&
	    c->req->window.kind == WINDOW_GAP) /* else devices, of which the tables tell all */
		html_element(f, "<p class=\"more\">", cards_line(c, CARDS_SHOWN), "</p>\n");
}

/* What is read in ten seconds. */
static void put_lead(struct content *c, FILE *f)
{
	html_element(f, "<p class=\"at\">", c->looked_at, "</p>\n");
	html_element(f, "<h1>", c->own_title ? c->own_title : c->heading, "</h1>\n");
	if (c->own_title)
		html_element(f, "<p class=\"lead\">", c->heading, "</p>\n");
	html_element(f, "<p class=\"verdict\">", c->facts, "</p>\n");
	if (c->note)
		html_element(f, "<p class=\"note\">", c->note, "</p>\n");
	put_cards(c, f);
	fputs("<div class=\"pic\">\n", f);
	svg_write(f, c->picture, c->title, NULL, NULL, &c->mem);
	fputs("</div>\n", f);
	if (c->advice)
		html_element(f, "<p class=\"do\"><strong>What to do:</strong> ", c->advice, "</p>\n");
	html_element(f, "<p class=\"small\">to reproduce: <code>", c->command, "</code></p>\n");
	html_element(f, "<p class=\"small\">", c->ledger, "</p>\n");
}

/* Thirty tables need a way in. */
static void put_contents(const struct content *c, FILE *f)
{
	fputs("<nav class=\"toc\" aria-label=\"Sections\">", f);
	for (uint32_t i = 0; i < c->n_sections; i++) {
		fprintf(f, "%s<a href=\"#s%" PRIu32 "\">", i ? " " : "", i + 1);
		html_element(f, "", c->sections[i].title, "</a>");
	}
	fputs("</nav>\n", f);
}

static void put_section(FILE *f, const struct section *s, uint32_t number)
{
	fprintf(f, "<section id=\"s%" PRIu32 "\">\n", number);
	html_element(f, "<h2>", s->title, "</h2>\n");
	if (s->look == LOOK_GUIDE) {
		findings_html(s->source, f);
		fputs("</section>\n", f);
		return;
	}
	if (s->look == LOOK_BARS) {
		fputs("<div class=\"pic\">\n", f);
		bars_svg(s->source, s->mix, f);
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
	if (s->look == LOOK_MEMORY) {
		fputs("<div class=\"pic\">\n", f);
		memory_curves_svg(s->source, f);
		fputs("</div>\n", f);
	}
	fputs("<p class=\"intro\">", f);
	put_html(f, s->intro);
	fputs("</p>\n", f);
	html_folded_table(f, s->table, s->title, s->total);
	html_columns(f, s->table);
	if (*s->unknown)
		html_element(f, "<p class=\"small\">without a value in any row: ", s->unknown, "</p>\n");
	fputs("</section>\n", f);
}

void report_html(struct content *c, FILE *f)
{
	html_open(f, c->own_title ? c->own_title : c->title);
	put_lead(c, f);
	if (c->n_sections)
		put_contents(c, f);
	for (uint32_t i = 0; i < c->n_sections; i++)
		put_section(f, &c->sections[i], i + 1);
	html_close(f, "Times count from the trace's first event. Click a table head to sort; the box above a longer "
		      "table filters its rows.");
}
