/* tui/report/op_pies.c - who takes the self time, by type and by op: what others draw as pies, as bars of characters and as
 * SVG. */
#include "content.h"
#include "model/store/base/units.h"
#include "tui/text/put.h"
#include "tui/text/short_names.h"
#include "tui/text/utf8.h"

enum { NAME_COLS = 34, BAR_COLS = 40 };
enum { WIDTH = 1200, PANEL_W = 300, HEAD_H = 26, ROW_H = 18, NAME_X = 158, PCT_X = 205, BAR_X = 210, BAR_W = 80 };
static const unsigned colours[OP_CHARTS] = {0x3f74b5, 0x3f74b5, 0x5a8f4e, 0x5a8f4e};

/* ---- characters ----------------------------------------------------------------------------------------------------------- */

static void put_line(FILE *f, const char *name, double pct)
{
	char fit[NAMES_BUF], text[UNITS_BUF];
	const char *shown = name_fit(name, NAME_COLS, fit);
	fputs("  ", f);
	put_plain(f, shown);
	fprintf(f, "%*s%8s |", NAME_COLS - utf8_width(shown), "", fmt_pct(text, pct));
	int n = (int)(pct / 100 * BAR_COLS + 0.5);
	for (int i = 0; i < n || (i == 0 && pct > 0); i++)
		fputc('#', f);
	fputc('\n', f);
}

void op_pies_text(const struct op_chart charts[OP_CHARTS], FILE *f)
{
	for (int i = 0; i < OP_CHARTS; i++) {
		double rest;
		int n = op_bars_shown(&charts[i], OP_BARS, &rest);
		if (n)
			fprintf(f, "%s\n", charts[i].title);
		for (int k = 0; k < n; k++)
			put_line(f, charts[i].bars[k].name, charts[i].bars[k].pct);
		if (rest > 0)
			put_line(f, "Other", rest);
	}
}

/* ---- SVG ------------------------------------------------------------------------------------------------------------------ */

static void put_bar(FILE *f, const char *name, double pct, unsigned colour, int x, int y)
{
	char fit[NAMES_BUF], text[UNITS_BUF];
	double w = pct / 100 * BAR_W;
	fprintf(f, "<text text-anchor=\"end\" x=\"%d\" y=\"%d\">", x + NAME_X, y + 12);
	put_html(f, name_fit(name, 22, fit));
	fprintf(f, "</text><text class=\"mu\" text-anchor=\"end\" x=\"%d\" y=\"%d\">%s</text>", x + PCT_X, y + 12,
		fmt_pct(text, pct));
	fprintf(f, "<rect x=\"%d\" y=\"%d\" width=\"%.2f\" height=\"%d\" fill=\"#%06x\"><title>", x + BAR_X, y + 1,
		w < 1 ? 1 : w, ROW_H - 4, colour);
	put_html(f, name);
	fprintf(f, ": %s</title></rect>\n", text);
}

static void put_chart(FILE *f, const struct op_chart *c, unsigned colour, int x)
{
	double rest;
	int n = op_bars_shown(c, OP_BARS, &rest);
	if (n)
		fprintf(f, "<text class=\"bd\" x=\"%d\" y=\"16\">%s</text>\n", x + 8, c->title);
	for (int i = 0; i < n; i++)
		put_bar(f, c->bars[i].name, c->bars[i].pct, colour, x, HEAD_H + i * ROW_H);
	if (rest > 0)
		put_bar(f, "Other", rest, 0x999999, x, HEAD_H + n * ROW_H);
}

void op_pies_svg(const struct op_chart charts[OP_CHARTS], FILE *f)
{
	int most = 0;
	for (int i = 0; i < OP_CHARTS; i++)
		most = charts[i].n > most ? charts[i].n : most;
	int height = HEAD_H + (most + 1) * ROW_H + 8;
	put_svg_open(f, WIDTH, height, "self time by type and by op, on devices and on the host");
	for (int i = 0; i < OP_CHARTS; i++)
		put_chart(f, &charts[i], colours[i], i * PANEL_W);
	fputs("</svg>\n", f);
}
