/* tui/pane_overview.c - the first screen: headline numbers on the left; biggest gaps, kernels and devices on the right.
 * Every line is a row of an analysis, so Enter leads to its evidence like in any table. */
#include "grid.h"
#include "pane.h"
#include "pane_timeline.h"
#include "../model/store/units.h"
#include <string.h>

struct section {
	const char *analysis, *title, *columns;
	const char *sort; /* column, largest first; NULL = as it comes */
	int most;         /* rows at most, 0 = whatever fits */
	bool left;
};
static const struct section sections[] = {
	{"overview", "Headline numbers", "key value", NULL, 0, true},
	{"gaps", "Biggest gaps", "before after device dur_ns share_pct cause", "dur_ns", 6, false},
	{"kernels", "Top kernels", "name count total_ns avg_ns", "total_ns", 0, false},
	{"devices", "Devices", "device name kernels busy_ns idle_ns", NULL, 4, false},
};
enum { N_SECTIONS = sizeof sections / sizeof *sections };

static uint32_t index_of(const char *name)
{
	uint32_t n;
	const struct analysis *list = analysis_list(&n), *a = analysis_find(name);
	return a ? (uint32_t)(a - list) : 0;
}

/* The overview speaks about the whole trace; its tables are its own copies, so sorting here disturbs no pane. */
static struct table *table_of(const struct state *st, int section)
{
	return tables_get(st->tables, index_of(sections[section].analysis), true);
}

static void enter(struct state *st)
{
	for (int i = 0; i < N_SECTIONS; i++) {
		tables_want(st->tables, index_of(sections[i].analysis), true);
		struct table *t = table_of(st, i);
		int col = t && sections[i].sort ? table_column(t, sections[i].sort) : -1;
		if (col >= 0 && (t->sort_col != col || !t->sort_desc)) {
			table_sort(t, col, true);
			t->sort_col = col;
			t->sort_desc = true;
		}
	}
}

/* ---- layout ------------------------------------------------------------------------------------------------------- */

struct place {
	struct rect r;     /* title, heads and rows */
	uint32_t first, n; /* index of the first row among all rows that can be selected; rows shown */
};

static int left_width(const struct rect *body)
{
	return body->w < 100 ? body->w * 2 / 5 : body->w < 160 ? 44 : 56;
}

static int rows_wanted(const struct state *st, int i)
{
	const struct table *t = table_of(st, i);
	int n = t ? (int)t->n_rows : 1;
	if (sections[i].most && n > sections[i].most)
		n = sections[i].most;
	return n;
}

/* Rows for the section without a limit of its own: what the others leave. */
static int rows_left(const struct state *st, const struct rect *body)
{
	int left = body->h, titles = 0;
	for (int i = 0; i < N_SECTIONS; i++) {
		if (sections[i].left)
			continue;
		titles += 3;
		left -= sections[i].most ? rows_wanted(st, i) : 0;
	}
	return left - titles + 1 > 2 ? left - titles + 1 : 2;
}

static void lay_out(const struct state *st, struct rect body, struct place *out)
{
	int left = left_width(&body), y = body.y, spare = rows_left(st, &body);
	uint32_t first = 0;
	for (int i = 0; i < N_SECTIONS; i++) {
		const struct table *t = table_of(st, i);
		int rows = rows_wanted(st, i);
		if (sections[i].left) {
			out[i].r = (struct rect){body.y, body.x + 1, body.h, left - 3};
			rows = rows < body.h - 1 ? rows : body.h - 1;
		} else {
			rows = !sections[i].most && rows > spare ? spare : rows;
			out[i].r = (struct rect){y, left, rows + 2, body.w - left - 1};
			y += rows + 3;
		}
		out[i].first = first;
		out[i].n = t ? (uint32_t)rows : 0;
		first += out[i].n;
	}
}

static uint32_t all_rows(const struct place *p)
{
	return p[N_SECTIONS - 1].first + p[N_SECTIONS - 1].n;
}

/* ---- keys --------------------------------------------------------------------------------------------------------- */

static void open_row(struct state *st, const struct place *p)
{
	uint32_t row = st->view.place.row;
	for (int i = 0; i < N_SECTIONS; i++)
		if (row >= p[i].first && row < p[i].first + p[i].n) {
			table_open_row(st, table_of(st, i), row - p[i].first);
			return;
		}
}

static void act(struct state *st, enum action a)
{
	struct place p[N_SECTIONS];
	lay_out(st, pane_body(st), p);
	int64_t n = all_rows(p), row = st->view.place.row;
	switch (a) {
	case ACT_OPEN:
		open_row(st, p);
		return;
	case ACT_ROW_DOWN:
		row++;
		break;
	case ACT_ROW_UP:
		row--;
		break;
	case ACT_PAGE_DOWN:
		row += 8;
		break;
	case ACT_PAGE_UP:
		row -= 8;
		break;
	case ACT_ROW_FIRST:
		row = 0;
		break;
	case ACT_ROW_LAST:
		row = n - 1;
		break;
	case ACT_SEARCH_NEXT:
	case ACT_SEARCH_PREV:
		nav_push(st);
		nav_pane(st, PANE_TIMELINE, 0);
		nav_search(st, a == ACT_SEARCH_NEXT ? 1 : -1);
		return;
	default:
		state_say(st, INK_STATUS, "sorting and scrolling columns work in the tables: 3, 5 and :table NAME");
		return;
	}
	st->view.place.row = (uint32_t)(row < 0 || n == 0 ? 0 : row >= n ? n - 1 : row);
}

static void mouse(struct state *st, enum mouse_button what, int y, int x)
{
	struct place p[N_SECTIONS];
	lay_out(st, pane_body(st), p);
	if (what != BUTTON_CLICK) {
		act(st, what == BUTTON_WHEEL_UP ? ACT_ROW_UP : ACT_ROW_DOWN);
		return;
	}
	for (int i = 0; i < N_SECTIONS; i++) {
		int head = sections[i].left ? 1 : 2, row = y - p[i].r.y - head;
		if (x >= p[i].r.x && x < p[i].r.x + p[i].r.w && row >= 0 && row < (int)p[i].n)
			st->view.place.row = p[i].first + (uint32_t)row;
	}
}

/* ---- picture ------------------------------------------------------------------------------------------------------ */

static void draw_section(const struct state *st, struct surface *s, int i, const struct place *p, int bottom)
{
	const struct table *t = table_of(st, i);
	int y = p->r.y, head = sections[i].left ? 1 : 2;
	if (y >= bottom)
		return;
	surface_text(s, y, p->r.x, p->r.w, INK_HEAD, 0, sections[i].title);
	if (!t) {
		surface_text(s, y + 1, p->r.x, p->r.w, INK_QUIET, 0, "working ...");
		return;
	}
	if (t->n_rows == 0)
		surface_text(s, y + 1, p->r.x, p->r.w, INK_QUIET, 0, "none in this trace");
	struct grid g;
	grid_init(&g, t, sections[i].columns);
	grid_fit(&g, p->r.w, 0);
	if (!sections[i].left && t->n_rows)
		grid_head(&g, s, y + 1, p->r.x, p->r.w);
	for (uint32_t row = 0; row < p->n && y + head + (int)row < bottom; row++)
		grid_row(&g, s, y + head + (int)row, p->r.x, p->r.w, row, st->view.place.row == p->first + row);
}

static void draw(const struct state *st, struct surface *s, struct rect body)
{
	struct place p[N_SECTIONS];
	lay_out(st, body, p);
	for (int i = 0; i < N_SECTIONS; i++)
		draw_section(st, s, i, &p[i], body.y + body.h);
	int x = left_width(&body) - 2;
	surface_fill(s, (struct rect){body.y, x, body.h, 1}, 0x2502, INK_QUIET, 0);
}

const struct pane_ops pane_overview = {"Overview", SCOPE_TABLE, enter, act, mouse, draw};
