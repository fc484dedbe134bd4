/* tui/report/histograms.c - the distributions of launch latency, calls and work: as lines of characters and as SVG. */
#include "content.h"
#include "model/store/base/units.h"
#include "tui/tables/histogram.h"
#include "tui/text/put.h"

static const struct {
	const char *measure, *title;
	unsigned colour;
} panels[] = {{"latency", "launch latency", 0xcf7a22},
	      {"call", "launch calls", 0xb8586c},
	      {"work", "kernels, copies, sets", 0x3f74b5}};
enum { PANELS = sizeof panels / sizeof *panels, LABEL_COLS = 11, COUNT_COLS = 11, PCT_COLS = 8, MAX_BAR = 60 };

static double largest_share(const struct table *t, struct histogram_part h)
{
	double largest = 0;
	for (uint32_t i = 0; i < h.n; i++) {
		double share = histogram_bar(t, h.first + i, 1).share_pct;
		largest = share > largest ? share : largest;
	}
	return largest > 0 ? largest : 1;
}

/* ---- characters ------------------------------------------------------------------------------------------------------- */

static void put_line(FILE *f, const struct histogram_bar *b, double largest, int room)
{
	char label[64], count[UNITS_BUF], pct[UNITS_BUF];
	int n = (int)(b->share_pct / largest * room + 0.5);
	fprintf(f, "%*s%*s%*s |", LABEL_COLS, histogram_label(b, label, sizeof label), COUNT_COLS,
		fmt_count(count, b->count), PCT_COLS, fmt_pct(pct, b->share_pct));
	for (int i = 0; i < n || (i == 0 && b->count); i++)
		fputc('#', f);
	fputc('\n', f);
}

void histograms_text(const struct table *t, FILE *f, int cols)
{
	int room = cols - LABEL_COLS - COUNT_COLS - PCT_COLS - 2;
	room = room > MAX_BAR ? MAX_BAR : room < 10 ? 10 : room;
	for (size_t i = 0; i < PANELS; i++) {
		struct histogram_part h = histogram_find(t, panels[i].measure);
		if (!h.n)
			continue;
		fprintf(f, "%s\n", panels[i].title);
		for (uint32_t k = 0; k < h.n; k++) {
			struct histogram_bar b = histogram_bar(t, h.first + k, 1);
			put_line(f, &b, largest_share(t, h), room);
		}
	}
}

/* ---- SVG -------------------------------------------------------------------------------------------------------------- */

enum {
	WIDTH = 1200,
	PANEL_W = 400,
	HEAD_H = 26,
	ROW_H = 18,
	LABEL_X = 86,
	COUNT_X = 150,
	PCT_X = 205,
	BAR_X = 212,
	BAR_W = 175
};

static void put_bar(FILE *f, const struct histogram_bar *b, double largest, unsigned colour, int x, int y)
{
	char label[64], count[UNITS_BUF], pct[UNITS_BUF];
	double w = b->share_pct / largest * BAR_W;
	histogram_label(b, label, sizeof label);
	fprintf(f, "<text text-anchor=\"end\" x=\"%d\" y=\"%d\">%s%s</text>", x + LABEL_X, y + 12,
		*label == '>' ? "&gt;" : "", *label == '>' ? label + 1 : label);
	fprintf(f, "<text class=\"bd\" text-anchor=\"end\" x=\"%d\" y=\"%d\">%s</text>", x + COUNT_X, y + 12,
		fmt_count(count, b->count));
	fprintf(f, "<text class=\"mu\" text-anchor=\"end\" x=\"%d\" y=\"%d\">%s</text>", x + PCT_X, y + 12,
		fmt_pct(pct, b->share_pct));
	if (b->count)
		fprintf(f,
			"<rect x=\"%d\" y=\"%d\" width=\"%.2f\" height=\"%d\" fill=\"#%06x\"><title>%s: %s "
			"(%s)</title></rect>",
			x + BAR_X, y + 1, w < 1 ? 1 : w, ROW_H - 4, colour, *label == '>' ? label + 1 : label, count,
			pct);
	fputc('\n', f);
}

static void put_panel(FILE *f, const struct table *t, struct histogram_part h, size_t i)
{
	int x = (int)i * PANEL_W;
	double largest = largest_share(t, h);
	fprintf(f, "<text class=\"bd\" x=\"%d\" y=\"16\">%s</text>\n", x + 8, panels[i].title);
	for (uint32_t k = 0; k < h.n; k++) {
		struct histogram_bar b = histogram_bar(t, h.first + k, 1);
		put_bar(f, &b, largest, panels[i].colour, x, HEAD_H + (int)k * ROW_H);
	}
}

void histograms_svg(const struct table *t, FILE *f)
{
	uint32_t most = 0;
	for (size_t i = 0; i < PANELS; i++) {
		struct histogram_part h = histogram_find(t, panels[i].measure);
		most = h.n > most ? h.n : most;
	}
	int height = HEAD_H + (int)most * ROW_H + 8;
	put_svg_open(f, WIDTH, height, "distribution of launch latencies, launch calls and device work");
	for (size_t i = 0; i < PANELS; i++)
		put_panel(f, t, histogram_find(t, panels[i].measure), i);
	fputs("</svg>\n", f);
}
