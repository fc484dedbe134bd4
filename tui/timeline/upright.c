#include "upright.h"
#include "tui/text/utf8.h"

enum { LINE = 0x2502, DOTTED = 0x250A, GAP_DOT = 0x00B7, LEAST_STEP_COLS = 6 };

struct canvas {
	const struct state *st;
	struct surface *s;
	const struct timeline_layout *l;
	int end; /* the row below the last lane */
};

/* ---- cells -------------------------------------------------------------------------------------------------------- */

static bool is_gap_dot(const struct surface_cell *c)
{
	return c->ink == INK_GAP && (c->cp == GAP_DOT || c->cp == '.');
}

bool upright_is_name(const struct surface_cell *c)
{
	return c && !(c->pen & PEN_SHAPE) && c->cp > ' ' && c->cp < 0x2500 && !is_gap_dot(c);
}

bool upright_is_line(const struct surface_cell *c)
{
	return c && ((c->ink == INK_CURSOR && c->pen & PEN_SHAPE) || c->ink == INK_QUIET);
}

static bool is_blank(const struct surface_cell *c)
{
	return c->cp == ' ' || is_gap_dot(c);
}

/* Between two words. */
static bool is_in_name(const struct surface *s, int y, int x)
{
	return upright_is_name(surface_at(s, y, x - 1)) && upright_is_name(surface_at(s, y, x + 1));
}

static bool is_solid(const struct surface_cell *c)
{
	static const uint32_t fills[] = {0x2588, 0x2591, 0x2592, 0x2593};
	for (size_t i = 0; i < sizeof fills / sizeof *fills; i++)
		if (c->cp == fills[i] || c->cp == (uint32_t)(unsigned char)utf8_ascii(fills[i]))
			return c->pen & PEN_SHAPE;
	return false;
}

struct line {
	uint32_t cp;
	int ink, pen;
	bool on_bars; /* also on solid bars */
};

static void draw_line(const struct canvas *v, int64_t at_ns, const struct line *line)
{
	int x = v->l->x + (int)viewport_col_of(&v->st->view.port, at_ns);
	if (!viewport_shows(&v->st->view.port, at_ns))
		return;
	for (int y = v->l->y_lanes; y < v->end; y++) {
		const struct surface_cell *c = surface_at(v->s, y, x);
		if (c && is_blank(c) && !is_in_name(v->s, y, x))
			surface_put(v->s, y, x, line->cp, line->ink, line->pen);
		else if (c && line->on_bars && is_solid(c))
			surface_put(v->s, y, x, line->cp, line->ink, 0);
	}
}

/* ---- what goes through -------------------------------------------------------------------------------------------- */

static void draw_range(const struct canvas *v)
{
	const struct view *w = &v->st->view;
	const struct viewport *p = &w->port;
	if (!w->range || w->range_b_ns <= p->from_ns || w->range_a_ns >= p->from_ns + p->span_ns)
		return;
	int a = v->l->x + (int)viewport_col_of(p, w->range_a_ns),
	    b = v->l->x + (int)viewport_col_of(p, w->range_b_ns - 1);
	for (int y = v->l->y_lanes; y < v->end; y++) {
		for (int x = a; x <= b; x++) {
			const struct surface_cell *c = surface_at(v->s, y, x);
			bool edge = (x == a && w->range_a_ns >= p->from_ns) ||
				    (x == b && w->range_b_ns <= p->from_ns + p->span_ns);
			if (c && is_blank(c))
				surface_put(v->s, y, x, edge ? x == a ? '[' : ']' : c->cp, INK_RANGE_LANES, 0);
		}
	}
}

/* The first step that begins at ts or later, as an index into row_steps. */
static uint32_t step_from(const struct state *st, int64_t ts_ns)
{
	uint32_t low = 0, high = st->n_row_steps;
	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		if (derived_step(st->d, st->row_steps[mid])->start_ns < ts_ns)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* None where some would stand nearly side by side. */
static void draw_steps(const struct canvas *v)
{
	const struct state *st = v->st;
	const struct viewport *p = &st->view.port;
	uint32_t first = step_from(st, p->from_ns), end = first;
	int64_t last = -LEAST_STEP_COLS;
	for (; end < st->n_row_steps; end++) {
		int64_t at_ns = derived_step(st->d, st->row_steps[end])->start_ns;
		if (!viewport_shows(p, at_ns))
			break;
		if (viewport_col_of(p, at_ns) - last < LEAST_STEP_COLS)
			return;
		last = viewport_col_of(p, at_ns);
	}
	const struct line dotted = {DOTTED, INK_QUIET, 0, false}; /* bars stay whole */
	for (uint32_t i = first; i < end; i++)
		draw_line(v, derived_step(st->d, st->row_steps[i])->start_ns, &dotted);
}

void upright_draw(const struct state *st, struct surface *s, const struct timeline_layout *l)
{
	int off;
	if (!st->lanes.n)
		return;
	int last = timeline_lane_y(st, l, st->lanes.n - 1, &off);
	struct canvas v = {st, s, l, off < 0 ? l->y_lanes : last + 1};
	draw_range(&v);
	draw_line(&v, st->view.cursor_ns, &(struct line){LINE, INK_CURSOR, PEN_SHAPE, true});
	/* where the cursor stands, it stands on; several hosts have their own in their rows */
	if (!st->lanes.groups.on || trace_hosts(st->t) < 2)
		draw_steps(&v);
}
