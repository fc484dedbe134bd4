#include "op_charts.h"
#include "model/analysis/ops/op_keys.h"
#include "model/store/base/units.h"
#include "tui/screen/bars.h"
#include "tui/text/short_names.h"
#include <stdio.h>
#include <string.h>

enum { PCT_COLS = 9, NARROW_BARS = 3, WIDE_BARS = OP_BARS, WIDE_FROM = 140, ROWS_FOR_TABLE = 8 };

/* ---- which table ---------------------------------------------------------------------------------------------------------- */

static const char *shown_name(const struct state *st)
{
	return st->view.pane == PANE_TABLE ? analysis_at(st->view.analysis)->name : "";
}

static bool has_charts(const struct state *st)
{
	return strcmp(shown_name(st), "ops") == 0;
}

bool ops_shown(const struct state *st)
{
	return has_charts(st) || strcmp(shown_name(st), "roofline") == 0;
}

static const char *by_word(const struct state *st)
{
	return st->view.place.by ? op_by_word((enum op_by)st->view.place.by) : NULL;
}

static bool is_grouped(const struct state *st)
{
	return st->view.place.by || st->view.place.idle;
}

struct table *ops_table(const struct state *st)
{
	if (!is_grouped(st))
		return tables_get(st->tables, st->view.analysis, false);
	return tables_grouped(st->tables, st->view.analysis, by_word(st), st->view.place.idle);
}

void ops_want(struct state *st)
{
	if (is_grouped(st))
		tables_want_grouped(st->tables, st->view.analysis, by_word(st), st->view.place.idle);
	if (!has_charts(st))
		return;
	pane_want(st, "op_types");
	op_bars_collect(pane_table_named(st, "ops"), pane_table_named(st, "op_types"), st->op_charts);
}

/* ---- how it is shown ------------------------------------------------------------------------------------------------------ */

void ops_turn_groups(struct state *st)
{
	struct table_place *p = &st->view.place;
	*p = (struct table_place){
		.sort_col = -1, .by = (uint8_t)((p->by + 1) % OP_BY_COUNT), .idle = p->idle, .plain = p->plain};
	ops_want(st);
}

void ops_turn_idle(struct state *st)
{
	struct table_place *p = &st->view.place;
	if (!has_charts(st)) {
		state_say(st, INK_STATUS, "only the table ops has rows for idle time");
		return;
	}
	*p = (struct table_place){.sort_col = -1, .by = p->by, .idle = !p->idle, .plain = p->plain};
	ops_want(st);
}

void ops_turn_charts(struct state *st)
{
	st->view.place.plain = !st->view.place.plain;
}

const char *ops_form_words(const struct state *st, char *buf, size_t size)
{
	const struct table_place *p = &st->view.place;
	snprintf(buf, size, "; by %s (o: %s)%s", op_by_word((enum op_by)p->by),
		 op_by_word((enum op_by)((p->by + 1) % OP_BY_COUNT)),
		 !has_charts(st) ? ""
		 : p->idle       ? ", with idle time (i)"
				 : ", without idle time (i)");
	return buf;
}

/* ---- bars ------------------------------------------------------------------------------------------------------------------- */

static int lines_of_chart(int w)
{
	return 1 + (w >= WIDE_FROM ? WIDE_BARS : NARROW_BARS) + 1; /* head, bars, the rest */
}

int op_charts_rows(const struct state *st, struct rect body)
{
	if (!has_charts(st) || st->view.place.plain)
		return 0;
	int rows = lines_of_chart(body.w) * (body.w >= WIDE_FROM ? 1 : 2) + 1;
	return body.h >= rows + ROWS_FOR_TABLE ? rows : 0;
}

static void draw_line(struct surface *s, struct rect r, const char *name, double pct, int ink)
{
	char fit[NAMES_BUF], text[UNITS_BUF];
	int name_w = (r.w - PCT_COLS) * 3 / 5, bar_w = r.w - PCT_COLS - name_w - 1;
	surface_text(s, r.y, r.x, name_w, ink, 0, name_fit(name, name_w, fit));
	bars_share(s, r.y, r.x + name_w + 1, bar_w, pct / 100);
	surface_text_right(s, r.y, r.x + name_w + 1 + bar_w, PCT_COLS, INK_STRONG, 0, fmt_pct(text, pct));
}

static void draw_chart(const struct op_chart *c, struct surface *s, struct rect r)
{
	double rest;
	int n = op_bars_shown(c, r.h - 2, &rest);
	surface_text(s, r.y, r.x, r.w, INK_HEAD, 0, c->title);
	if (!n)
		surface_text(s, r.y + 1, r.x, r.w, INK_QUIET, 0, c->ready ? "none recorded" : "working it out ...");
	for (int i = 0; i < n; i++)
		draw_line(s, (struct rect){r.y + 1 + i, r.x, 1, r.w}, c->bars[i].name, c->bars[i].pct, INK_TEXT);
	if (rest > 0)
		draw_line(s, (struct rect){r.y + r.h - 1, r.x, 1, r.w}, "Other", rest, INK_QUIET);
}

void op_charts_draw(const struct state *st, struct surface *s, struct rect r)
{
	int across = r.w >= WIDE_FROM ? OP_CHARTS : 2, w = r.w / across, h = lines_of_chart(r.w);
	for (int i = 0; i < OP_CHARTS; i++)
		draw_chart(&st->op_charts[i], s, (struct rect){r.y + i / across * h, r.x + i % across * w, h, w - 2});
}
