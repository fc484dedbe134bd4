#include "timeline_layout.h"
#include "pane.h"

enum { SIDE_FROM = 160, SIDE_MOST = 44 }; /* columns of the screen, and of the statistics */

enum { LEGEND_FROM = 18, LEGEND_ALWAYS = 28 }; /* rows of the body: below the second, details take the legend's row */

struct timeline_layout timeline_layout(const struct state *st)
{
	struct timeline_layout l = {0};
	struct rect body = pane_body(st);
	l.gutter = st->cols / 5;
	l.gutter = l.gutter < 12 ? 12 : l.gutter > 30 ? 30 : l.gutter;
	l.x = l.gutter;
	l.w_side = st->no_side || st->cols < SIDE_FROM ? 0 : st->cols / 4 < SIDE_MOST ? st->cols / 4 : SIDE_MOST;
	l.x_side = body.w - l.w_side;
	l.cols = l.x_side - l.gutter;
	l.cols = l.cols > TIMELINE_MAX_COLS ? TIMELINE_MAX_COLS : l.cols;
	l.y_map = body.y;
	l.y_ruler = body.y + 1;
	l.y_steps = body.y + 2;
	l.y_lanes = body.y + 3;
	int most = body.h < 12 ? 2 : body.h / 3 < 7 ? 7 : body.h / 3 > 9 ? 9 : body.h / 3;
	bool selected = st->view.event != NONE_ID || st->view.gap || st->view.step != NONE_ID;
	bool legend = body.h >= (selected ? LEGEND_ALWAYS : LEGEND_FROM);
	l.h_panel = selected ? most : 2;
	l.y_panel = body.y + body.h - l.h_panel;
	l.y_legend = legend ? l.y_panel - 1 : 0;
	l.h_lanes = l.y_panel - l.y_lanes - legend;
	l.h_filled = body.h - 3 - most - (body.h >= LEGEND_ALWAYS);
	return l;
}

int timeline_lane_y(const struct state *st, const struct timeline_layout *l, uint32_t lane, int *off)
{
	int64_t at = (int64_t)lane - st->view.top;
	*off = at < 0 ? -1 : at >= l->h_lanes ? 1 : 0;
	return l->y_lanes + (*off < 0 ? 0 : *off > 0 ? l->h_lanes - 1 : (int)at);
}
