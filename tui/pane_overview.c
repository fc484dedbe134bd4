/* tui/pane_overview.c - the first screen: headline numbers on the left; biggest gaps, kernels and devices on the right.
 * Every line stands for a row of a table, so Enter leads to its evidence like in any table. */
#include "grid.h"
#include "overview.h"
#include "pane.h"
#include "pane_timeline.h"
#include "../model/store/units.h"

enum { WIDE = 70, TIGHT = 34 }; /* columns of the right side */
enum section { HEADLINES, GAPS, KERNELS, DEVICES, SECTIONS };
static const struct {
	const char *title, *narrow, *wide; /* columns by the room there is */
} looks[SECTIONS] = {
	[HEADLINES] = {"Headline numbers", NULL, NULL},
	[GAPS] = {"Biggest gaps", NULL, "steps idle_ns share_pct device cause"},
	[KERNELS] = {"Top kernels", "share_pct total_ns name",
		     "share_pct total_ns count avg_ns uses_tc precision op name"},
	[DEVICES] = {"Devices", "device busy_pct kernels name", "device busy_pct idle_ns kernels name"},
};

static uint32_t index_of(const char *name)
{
	uint32_t n;
	const struct analysis *list = analysis_list(&n), *a = analysis_find(name);
	return a ? (uint32_t)(a - list) : 0;
}

/* The overview speaks about the whole trace; its tables are its own copies, so sorting here disturbs no pane. */
static struct table *whole(const struct state *st, const char *name)
{
	return tables_get(st->tables, index_of(name), true);
}

/* A trace without devices is explored by its threads and their events, one without kernels by its ops. */
static bool has_devices(const struct state *st)
{
	return trace_devices(st->t) > 0;
}

static struct table *table_of(const struct state *st, enum section i)
{
	switch (i) {
	case GAPS:
		return st->overview.gaps;
	case DEVICES:
		return has_devices(st) ? st->overview.devices : st->overview.events;
	case KERNELS:
		return !has_devices(st)            ? st->overview.threads
		       : !st->overview.has_kernels ? st->overview.ops
						   : st->overview.kernels;
	default:
		return whole(st, "overview");
	}
}

static void enter(struct state *st)
{
	static const char *const wanted[] = {"overview", "kernels", "trace", "devices"};
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
		tables_want(st->tables, index_of(wanted[i]), true);
	overview_gaps(st);
	overview_devices(st, whole(st, "devices"));
	overview_kernel_names(st, whole(st, "kernels"));
	overview_top(st);
}

/* ---- layout ------------------------------------------------------------------------------------------------------- */

struct place {
	struct rect r;     /* title, heads and rows */
	int head;          /* lines before the first row */
	uint32_t first, n; /* index of the first row among all that can be selected; rows shown */
};

static uint32_t rows_of(const struct state *st, enum section i)
{
	const struct headline *lines[HEADLINES_MAX];
	if (i == HEADLINES)
		return headlines(st, lines);
	const struct table *t = table_of(st, i);
	return t ? t->n_rows : 0;
}

static void place_right(const struct state *st, struct place *p, enum section i, const struct rect *column, int *y,
			int rows)
{
	uint32_t n = rows_of(st, i);
	rows = rows < 0 ? 0 : rows;
	p[i] = (struct place){{*y, column->x, 0, column->w}, 2, p[i - 1].first + p[i - 1].n, 0};
	p[i].n = n < (uint32_t)rows ? n : (uint32_t)rows;
	int shown = p[i].n ? (int)p[i].n : 1; /* "none" takes a line, too */
	p[i].r.h = shown + 2;
	*y += shown + 3;
}

/* Without devices and steps there are no gaps to speak of. */
static bool shows(const struct state *st, enum section i)
{
	return i != GAPS || has_devices(st) || rows_of(st, GAPS) > 0;
}

static void lay_out(const struct state *st, struct rect body, struct place *p)
{
	int left = body.w < 70 ? 30 : body.w < 100 ? 44 : body.w < 160 ? 46 : 56, y = body.y, bottom = body.y + body.h;
	struct rect right = {body.y, left, body.h, body.w - left - 1};
	uint32_t n = rows_of(st, HEADLINES), devices = rows_of(st, DEVICES);
	devices = devices < 1 ? 1 : devices > 8 ? 8 : devices;
	if (body.h < 30 && devices > 2)
		devices = has_devices(st) ? 2 : 6;
	p[HEADLINES] = (struct place){{body.y, 1, body.h, left - 4}, 1, 0, n};
	if ((int)n > body.h - 1)
		p[HEADLINES].n = (uint32_t)(body.h - 1);
	if (shows(st, GAPS))
		place_right(st, p, GAPS, &right, &y, body.h < 30 ? 4 : 6);
	else
		p[GAPS] = (struct place){{y, right.x, 0, right.w}, 2, p[HEADLINES].n, 0};
	place_right(st, p, KERNELS, &right, &y, bottom - y - 2 - (int)devices - 3);
	place_right(st, p, DEVICES, &right, &y, (int)devices);
}

/* ---- keys --------------------------------------------------------------------------------------------------------- */

static const struct table *headline_table(const struct state *st, const struct headline *h)
{
	return whole(st, h->when == SHOW_HOST ? "trace" : "overview");
}

static void open_headline(struct state *st, uint32_t i)
{
	const struct headline *lines[HEADLINES_MAX];
	if (i >= headlines(st, lines))
		return;
	const struct table *t = headline_table(st, lines[i]);
	uint32_t row = overview_row(t, lines[i]->key);
	if (t && row != NONE_ID)
		nav_evidence(st, table_evidence_of(t, row));
}

static void open_row(struct state *st, const struct place *p)
{
	uint32_t row = st->view.place.row;
	for (int i = 0; i < SECTIONS; i++) {
		if (row < p[i].first || row >= p[i].first + p[i].n)
			continue;
		if (i == HEADLINES)
			open_headline(st, row);
		else
			table_open_row(st, table_of(st, (enum section)i), row - p[i].first);
		return;
	}
}

static void select_row(struct state *st, const struct place *p, int64_t row)
{
	int64_t n = p[SECTIONS - 1].first + p[SECTIONS - 1].n;
	st->view.place.row = (uint32_t)(row < 0 || n == 0 ? 0 : row >= n ? n - 1 : row);
}

static void search(struct state *st, int direction)
{
	nav_push(st);
	nav_pane(st, PANE_TIMELINE, 0);
	nav_search(st, direction);
}

static void next_section(struct state *st, const struct place *p)
{
	for (int i = GAPS; i < SECTIONS; i++)
		if (p[i].n && p[i].first > st->view.place.row) {
			st->view.place.row = p[i].first;
			return;
		}
	st->view.place.row = 0;
}

static void act(struct state *st, enum action a)
{
	struct place p[SECTIONS];
	lay_out(st, pane_body(st), p);
	int64_t row = st->view.place.row;
	switch (a) {
	case ACT_LINE_OPEN:
		open_row(st, p);
		break;
	case ACT_LINE_NEXT:
	case ACT_LINE_PREV:
		select_row(st, p, row + (a == ACT_LINE_NEXT ? 1 : -1));
		break;
	case ACT_LINES_NEXT:
	case ACT_LINES_PREV:
		select_row(st, p, row + (a == ACT_LINES_NEXT ? 8 : -8));
		break;
	case ACT_LINE_FIRST:
	case ACT_LINE_LAST:
		select_row(st, p, a == ACT_LINE_FIRST ? 0 : INT32_MAX);
		break;
	case ACT_SIDE_LEFT:
		select_row(st, p, 0);
		break;
	case ACT_SIDE_RIGHT:
		next_section(st, p);
		break;
	default:
		search(st, a == ACT_SEARCH_NEXT ? 1 : -1);
		break;
	}
}

static void mouse(struct state *st, enum mouse_button what, int y, int x)
{
	struct place p[SECTIONS];
	lay_out(st, pane_body(st), p);
	if (what != BUTTON_CLICK) {
		act(st, what == BUTTON_WHEEL_UP ? ACT_LINE_PREV : ACT_LINE_NEXT);
		return;
	}
	for (int i = 0; i < SECTIONS; i++) {
		int row = y - p[i].r.y - p[i].head;
		if (x >= p[i].r.x && x < p[i].r.x + p[i].r.w && row >= 0 && row < (int)p[i].n)
			st->view.place.row = p[i].first + (uint32_t)row;
	}
}

/* ---- picture ------------------------------------------------------------------------------------------------------ */

static void draw_headlines(const struct state *st, struct surface *s, const struct place *p)
{
	const struct headline *lines[HEADLINES_MAX];
	const struct table *t = whole(st, "overview");
	headlines(st, lines);
	if (!t)
		surface_text(s, p->r.y + 1, p->r.x, p->r.w, INK_QUIET, 0, "working ...");
	for (uint32_t i = 0; t && i < p->n; i++)
		headline_draw(lines[i], headline_table(st, lines[i]), s, p->r.y + 1 + (int)i, p->r.x, p->r.w,
			      st->view.place.row == i);
}

/* What tells the gaps apart: the steps beside them if they lie between steps, devices where there are several. */
static const char *narrow_gaps(const struct state *st, int w)
{
	const struct table *t = st->overview.gaps;
	int share = t ? table_column(t, "share_pct") : -1;
	bool steps = share >= 0 && t->n_rows && !table_cell(t, 0, (uint32_t)share)->null;
	bool devices = trace_devices(st->t) > 1;
	if (!steps)
		return devices ? "device idle_ns cause" : "idle_ns cause";
	if (w < TIGHT)
		return "steps idle_ns cause";
	return devices ? "steps idle_ns device cause" : "steps idle_ns share_pct cause";
}

static const char *columns_of(const struct state *st, enum section i, int w)
{
	if (i == DEVICES && !has_devices(st))
		return w < WIDE ? "dur_ns name" : "dur_ns name where start_ns";
	if (i == KERNELS && !has_devices(st))
		return w < WIDE ? "share_pct busy_ns name" : "share_pct busy_ns events name";
	if (i == KERNELS && !st->overview.has_kernels)
		return w < TIGHT ? "share_pct name" : "share_pct total_ns count name";
	if (i == DEVICES && !st->overview.has_kernels)
		return "device busy_pct idle_ns name";
	if (w >= WIDE)
		return looks[i].wide;
	if (i == DEVICES && trace_sources(st->t) > 1) /* ranks have long names */
		return "device busy_pct name";
	if (i == KERNELS && w < TIGHT)
		return "share_pct name";
	return i == GAPS ? narrow_gaps(st, w) : looks[i].narrow;
}

static const char *nothing(const struct state *st, enum section i)
{
	if (!has_devices(st))
		return "none: nothing here lasts";
	return i == KERNELS ? "none in this trace" : "none";
}

static void draw_rows(const struct state *st, struct surface *s, enum section i, const struct place *p)
{
	const struct table *t = table_of(st, i);
	struct grid g;
	if (!t || t->n_rows == 0) {
		surface_text(s, p->r.y + 1, p->r.x, p->r.w, INK_QUIET, 0, t ? nothing(st, i) : "working ...");
		return;
	}
	grid_init(&g, t, columns_of(st, i, p->r.w));
	grid_fit(&g, p->r.w, 0);
	grid_head(&g, s, p->r.y + 1, p->r.x, p->r.w);
	for (uint32_t row = 0; row < p->n; row++)
		grid_row(&g, s, p->r.y + p->head + (int)row, p->r.x, p->r.w, row, st->view.place.row == p->first + row);
}

static const char *title_of(const struct state *st, enum section i)
{
	if (i == KERNELS && !has_devices(st))
		return "Busiest threads";
	if (i == KERNELS && !st->overview.has_kernels)
		return "Top ops";
	return i == DEVICES && !has_devices(st) ? "Longest events" : looks[i].title;
}

static void draw(const struct state *st, struct surface *s, struct rect body)
{
	struct place p[SECTIONS];
	lay_out(st, body, p);
	for (int i = 0; i < SECTIONS; i++) {
		if (!shows(st, (enum section)i))
			continue;
		surface_text(s, p[i].r.y, p[i].r.x, p[i].r.w, INK_HEAD, 0, title_of(st, (enum section)i));
		if (i == HEADLINES)
			draw_headlines(st, s, &p[i]);
		else
			draw_rows(st, s, (enum section)i, &p[i]);
	}
	surface_fill(s, (struct rect){body.y, p[GAPS].r.x - 2, body.h, 1}, 0x2502, INK_QUIET, 0);
}

/* What the selected line means. */
static void status(const struct state *st, char *buf, size_t size)
{
	const struct headline *lines[HEADLINES_MAX];
	uint32_t n = headlines(st, lines), i = st->view.place.row;
	char events[UNITS_BUF], span[UNITS_BUF];
	const struct table *t = i < n ? headline_table(st, lines[i]) : NULL;
	int col = t ? table_column(t, "help") : -1;
	uint32_t row = t ? overview_row(t, lines[i]->key) : NONE_ID;
	const struct cell *help = row != NONE_ID && col >= 0 ? table_cell(t, row, (uint32_t)col) : NULL;
	if (help && !help->null && *help->s)
		snprintf(buf, size, "%s", help->s);
	else
		snprintf(buf, size, "%s  %s events  %s", trace_sources(st->t) ? trace_source(st->t, 0).format : "",
			 fmt_count(events, (int64_t)trace_columns(st->t)->n), fmt_ns(span, trace_span_ns(st->t)));
}

const struct pane_ops pane_overview = {"Overview", SCOPE_OVERVIEW, enter, act, mouse, draw, status};
