#include "arrows.h"
#include "upright.h"
#include "model/analysis/recorded/event_links.h"
#include "model/store/base/units.h"
#include "tui/text/short_names.h"
#include "tui/text/utf8.h"
#include <stdlib.h>
#include <string.h>

enum { ARROWS = 8, HINT_NAME = 32, LINE_INK = INK_STRONG };
enum { ACROSS = 0x2501, DOWN = 0x2503, HEAD_UP = 0x25B2, HEAD_DOWN = 0x25BC, HEAD_RIGHT = 0x25B6, HEAD_LEFT = 0x25C0 };
enum { DOWN_RIGHT = 0x250F, DOWN_LEFT = 0x2513, UP_RIGHT = 0x2517, UP_LEFT = 0x251B };

/* One end on the screen; off_*: -1 or 1 where it lies beyond an edge, and then y and x are that edge. */
struct end {
	int y, x, off_y, off_x;
	bool tall; /* its row goes on in the next one */
};
struct canvas {
	const struct state *st;
	struct surface *s;
	const struct timeline_layout *l;
	uint64_t hinted; /* rows of the lanes that say something at an edge; bit 63: all from there on */
};

/* ---- where an event stands ---------------------------------------------------------------------------------------- */

static bool place(const struct canvas *v, row_id r, struct end *out)
{
	const struct columns *c = trace_columns(v->st->t);
	const struct viewport *p = &v->st->view.port;
	uint32_t lane = lanes_cover(&v->st->lanes, c->track[r], c->disp[r]);
	int64_t start = c->start_ns[r], end = start + c->dur_ns[r];
	if (lane == NONE_ID ||
	    v->st->lanes.at[lane].kind == LANE_DEVICE) /* a row for all of a device shows no events */
		return false;
	out->y = timeline_lane_y(v->st, v->l, lane, &out->off_y);
	out->off_x = start >= p->from_ns + p->span_ns ? 1 : start < p->from_ns && end <= p->from_ns ? -1 : 0;
	out->x = v->l->x + (int)viewport_col_of(p, start);
	out->tall = v->st->lanes.at[lane].tall && out->y + 1 < v->l->y_lanes + v->l->h_lanes;
	return true;
}

/* ---- lines -------------------------------------------------------------------------------------------------------- */

static void put(const struct canvas *v, int y, int x, uint32_t cp)
{
	surface_put(v->s, y, x, cp, LINE_INK, 0);
}

static int hides(const struct canvas *v, int y, int a, int b)
{
	int n = 0;
	for (int x = a < b ? a : b; x <= (a < b ? b : a); x++) {
		const struct surface_cell *c = surface_at(v->s, y, x);
		n += c && c->cp != ' ' && !upright_is_line(c);
	}
	return n;
}

/* The row between both ends where the way across hides least, near the head; the tail's own row when there is none between. */
static int bend_row(const struct canvas *v, struct end tail, struct end head)
{
	int step = tail.y < head.y ? -1 : 1, best = tail.y, least = INT32_MAX;
	for (int y = head.y + step; y != tail.y && head.y != tail.y; y += step) {
		int n = hides(v, y, tail.x, head.x);
		if (n >= least)
			continue;
		best = y;
		least = n;
	}
	return best;
}

static uint32_t corner(bool up, bool right)
{
	return up ? right ? UP_RIGHT : UP_LEFT : right ? DOWN_RIGHT : DOWN_LEFT;
}

/* Names stay readable: a line passes after them. */
static void put_line(const struct canvas *v, int y, int x, uint32_t cp)
{
	if (!upright_is_name(surface_at(v->s, y, x)))
		put(v, y, x, cp);
}

static void upright(const struct canvas *v, int x, int from, int to)
{
	for (int y = from < to ? from + 1 : to + 1; y < (from < to ? to : from); y++)
		put_line(v, y, x, DOWN);
}

/* From a row with one end to the bend, across, and on to the other end. In the tail's own row only blank cells are used. */
static void draw_way(const struct canvas *v, struct end tail, struct end head)
{
	int bend = tail.x == head.x ? tail.y : bend_row(v, tail, head);
	for (int x = (tail.x < head.x ? tail.x : head.x) + 1; x < (tail.x < head.x ? head.x : tail.x); x++)
		if (bend != tail.y || hides(v, bend, x, x) == 0)
			put_line(v, bend, x, ACROSS);
	upright(v, tail.x, tail.y, bend);
	upright(v, head.x, bend, head.y);
	if (bend == tail.y)
		return;
	put(v, bend, tail.x, corner(tail.y<bend, head.x> tail.x));
	put(v, bend, head.x, corner(head.y<bend, tail.x> head.x));
}

/* Beside the event that it points at, or on its start where there is no row between. */
static void draw_head(const struct canvas *v, struct end tail, struct end head)
{
	if (head.y == tail.y)
		put(v, head.y, head.x, head.x < tail.x ? HEAD_LEFT : HEAD_RIGHT);
	else if (head.y < tail.y)
		put(v, head.y + (head.y + 1 < tail.y), head.x, HEAD_UP);
	else
		put(v, head.y - (head.y - 1 > tail.y), head.x, HEAD_DOWN);
}

/* ---- hints at the edges ------------------------------------------------------------------------------------------- */

/* "[ cudaLaunchKernel, 3.200 us before" */
static void hint_text(const struct canvas *v, const struct event_link *link, char *buf, size_t size)
{
	const struct columns *c = trace_columns(v->st->t);
	char name[NAMES_BUF], away[UNITS_BUF];
	int64_t ns = c->start_ns[link->row] - c->start_ns[v->st->view.event];
	snprintf(buf, size, "%s %s, %s %s", link_kind_leads_in(link->kind) ? "[" : "]",
		 name_fit(trace_str(v->st->t, c->name[link->row]), HINT_NAME, name), fmt_ns(away, ns < 0 ? -ns : ns),
		 ns < 0 ? "before" : "later");
}

static void draw_hint(struct canvas *v, const struct event_link *link, struct end e)
{
	char text[NAMES_BUF];
	int left = v->l->x, right = v->l->x + v->l->cols - 1;
	int lane = e.y - v->l->y_lanes;
	uint64_t bit = UINT64_C(1) << (lane < 63 ? lane : 63);
	if (v->hinted & bit)
		return;
	v->hinted |= bit;
	hint_text(v, link, text, sizeof text);
	put(v, e.y, e.x, e.off_y < 0 ? HEAD_UP : e.off_y > 0 ? HEAD_DOWN : e.off_x < 0 ? HEAD_LEFT : HEAD_RIGHT);
	/* after the mark where there is room, else in front of it */
	int width = utf8_width(text), at = e.x + 2 + width <= right + 1 ? e.x + 2 : e.x - 1 - width;
	at = at < left ? left : at;
	int blank = e.x < at ? at - 1 : at + width;
	if (blank >= left && blank <= right)
		put(v, e.y, blank, ' ');
	surface_text(v->s, e.y, at, right + 1 - at, LINE_INK, 0, text);
}

/* ---- all of them -------------------------------------------------------------------------------------------------- */

/* What comes from below meets the lower cell of a row that is two high. */
static void meet(struct end *e, const struct end *other)
{
	e->y += e->tall && !e->off_y && other->y > e->y;
}

static void draw_arrow(const struct canvas *v, const struct event_link *link, struct end here, struct end other)
{
	bool in = link_kind_leads_in(link->kind);
	meet(&here, &other);
	meet(&other, &here);
	struct end tail = in ? other : here, head = in ? here : other;
	draw_way(v, tail, head);
	if (!head.off_x && !head.off_y)
		draw_head(v, tail, head);
}

void arrows_draw(const struct state *st, struct surface *s, const struct timeline_layout *l)
{
	struct canvas v = {.st = st, .s = s, .l = l};
	struct event_link links[ARROWS];
	struct end here, other;
	if (st->view.event == NONE_ID || !place(&v, st->view.event, &here) || here.off_x || here.off_y)
		return;
	uint32_t n = event_links_of(timeline_links(st->jobs), st->t, st->view.event, links, ARROWS);
	n = n < ARROWS ? n : ARROWS;
	/* the first one matters most: it is drawn last, over the others, and has the first word */
	for (uint32_t i = n; i-- > 0;)
		if (place(&v, links[i].row, &other))
			draw_arrow(&v, &links[i], here, other);
	for (uint32_t i = 0; i < n; i++)
		if (place(&v, links[i].row, &other) && (other.off_x || other.off_y))
			draw_hint(&v, &links[i], other);
}
