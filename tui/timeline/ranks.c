#include "ranks.h"
#include "tui/screen/bars.h"
#include "tui/screen/theme.h"
#include "upright.h"

enum {
	LINE = 0x2503,
	MAP_SEEN = 0x2588,
	MAP_REST = 0x2502,
	STEP_BEGIN = 0x250A,
	LATEST_HERE = 0x25B6,
	LEAST_STEP_COLS = 6
};

/* ---- a row ---------------------------------------------------------------------------------------------------------- */

/* What a column shows of collectives: 0 where other work has more of it. */
static uint32_t call_glyph(const struct rank_marks *m, uint32_t device, int64_t a, int64_t b, bool patterns,
			   uint32_t level)
{
	int64_t call = intervals_within(&m->calls[device], a, b), wait = intervals_within(&m->waits[device], a, b);
	if (call * 2 < b - a)
		return 0;
	if (wait * 2 >= b - a)
		return RANKS_WAIT;
	return patterns ? RANKS_CALL : level;
}

static void draw_calls(const struct state *st, const struct rank_marks *m, struct surface *s,
		       const struct timeline_layout *l, int y, uint32_t device)
{
	const struct viewport *p = &st->view.port;
	for (uint32_t c = 0; c < p->cols; c++) {
		int64_t a = viewport_col_start(p, c), b = viewport_col_start(p, c + 1);
		uint32_t cp = call_glyph(m, device, a, b, st->patterns, surface_at(s, y, l->x + (int)c)->cp);
		if (cp)
			surface_put(s, y, l->x + (int)c, cp, INK_COLLECTIVE, PEN_SHAPE);
	}
}

/* First step of the host that begins at or after ts; steps are ordered by host, then time. */
static uint32_t step_from(const struct derived *d, uint32_t host, int64_t ts_ns)
{
	uint32_t lo = 0, hi = derived_steps(d);
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		const struct step *x = derived_step(d, mid);
		if (x->host < host || (x->host == host && x->start_ns < ts_ns))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Its own steps' begins, where they are some columns apart. */
static void draw_steps(const struct state *st, struct surface *s, const struct timeline_layout *l, int y, uint32_t host)
{
	const struct viewport *p = &st->view.port;
	int64_t last = -LEAST_STEP_COLS;
	uint32_t first = step_from(st->d, host, p->from_ns), end = first;
	for (; end < derived_steps(st->d) && derived_step(st->d, end)->host == host; end++) {
		int64_t at_ns = derived_step(st->d, end)->start_ns;
		if (!viewport_shows(p, at_ns))
			break;
		if (viewport_col_of(p, at_ns) - last < LEAST_STEP_COLS)
			return;
		last = viewport_col_of(p, at_ns);
	}
	for (uint32_t i = first; i < end; i++) {
		int x = l->x + (int)viewport_col_of(p, derived_step(st->d, i)->start_ns);
		if (surface_at(s, y, x)->cp == ' ')
			surface_put(s, y, x, STEP_BEGIN, INK_QUIET, 0);
	}
}

void ranks_draw_row(const struct state *st, struct surface *s, const struct timeline_layout *l, int y, uint32_t device)
{
	const struct rank_marks *m = timeline_ranks(st->jobs);
	if (m)
		draw_calls(st, m, s, l, y, device);
	draw_steps(st, s, l, y, trace_device(st->t, device)->host);
}

/* ---- the selected call ---------------------------------------------------------------------------------------------- */

/* The part of one device in the call, between the ends of the view. */
static void draw_part(const struct state *st, struct surface *s, const struct timeline_layout *l, int y, row_id r)
{
	const struct viewport *p = &st->view.port;
	const struct columns *c = trace_columns(st->t);
	int64_t a = c->start_ns[r], b = a + (c->dur_ns[r] ? c->dur_ns[r] : 1), end = p->from_ns + p->span_ns;
	if (b <= p->from_ns || a >= end)
		return;
	int from = l->x + (int)viewport_col_of(p, a > p->from_ns ? a : p->from_ns),
	    to = l->x + (int)viewport_col_of(p, (b < end ? b : end) - 1);
	for (int x = from; x <= to; x++) {
		const struct surface_cell *cell = surface_at(s, y, x);
		surface_put(s, y, x, cell->cp == ' ' ? RANKS_CALL : cell->cp, INK_EVENT_CHOSEN, PEN_SHAPE);
	}
}

static void draw_through(const struct state *st, struct surface *s, const struct timeline_layout *l, row_id last,
			 int top, int bottom, int y_last)
{
	int64_t at = trace_columns(st->t)->start_ns[last];
	if (!viewport_shows(&st->view.port, at))
		return;
	int x = l->x + (int)viewport_col_of(&st->view.port, at);
	for (int y = top; y <= bottom; y++)
		if (!upright_is_name(surface_at(s, y, x)))
			surface_put(s, y, x, LINE, INK_STRONG, 0);
	if (y_last)
		surface_put(s, y_last, x, LATEST_HERE, INK_WARN, 0);
}

void ranks_draw_call(const struct state *st, struct surface *s, const struct timeline_layout *l)
{
	const struct rank_marks *m = timeline_ranks(st->jobs);
	const struct collective *c = m && st->view.event != NONE_ID ? rank_marks_call(m, st->view.event) : NULL;
	if (!c || c->match == NONE_ID)
		return;
	const struct collective_match *call = &m->all->matches[c->match];
	bool late = collective_last_by_ns(m->all, call) > 0;
	int top = l->y_lanes + l->h_lanes, bottom = -1, y_last = 0;
	for (uint32_t i = 0; i < call->n; i++) {
		const struct columns *e = trace_columns(st->t);
		row_id r = m->all->at[call->members[i]].row;
		uint32_t lane = lanes_cover(&st->lanes, e->track[r], e->disp[r]);
		int off, y = lane == NONE_ID ? -1 : timeline_lane_y(st, l, lane, &off);
		if (y < 0)
			continue;
		if (!off)
			draw_part(st, s, l, y, r);
		y_last = late && !off && call->members[i] == call->last ? y : y_last;
		top = y < top ? y : top;
		bottom = y > bottom ? y : bottom;
	}
	draw_through(st, s, l, m->all->at[call->last].row, top, bottom, y_last);
}

/* ---- all rows ------------------------------------------------------------------------------------------------------- */

void ranks_draw_map(const struct state *st, struct surface *s, const struct timeline_layout *l)
{
	const struct rank_marks *m = timeline_ranks(st->jobs);
	uint32_t n = st->lanes.n, h = l->h_lanes > 0 ? (uint32_t)l->h_lanes : 0, top = st->view.top;
	bool scrolled = n > h;
	if (!st->lanes.groups.on || !n || !h)
		return;
	uint32_t all = scrolled ? n : h; /* a row each, as long as all of them are seen */
	for (uint32_t i = 0; scrolled && i < h; i++) {
		uint32_t lane = (uint32_t)((uint64_t)i * all / h);
		bool seen = lane >= top && lane < top + h;
		surface_put(s, l->y_lanes + (int)i, l->x - 1, seen ? MAP_SEEN : MAP_REST, seen ? INK_RANGE : INK_QUIET,
			    0);
	}
	uint32_t lane = m && m->latest != NONE_ID
				? lanes_cover(&st->lanes, st->lanes.groups.track[m->latest], DISP_GROUP)
				: NONE_ID;
	if (lane != NONE_ID)
		surface_put(s, l->y_lanes + (int)((uint64_t)lane * h / all), l->x - 1, RANKS_LATEST, INK_WARN, 0);
}
