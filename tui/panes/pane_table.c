/* tui/panes/pane_table.c - any analysis as a table: scroll, sort, search, and Enter to where its numbers come from. */
#include "pane_table.h"
#include "op_charts.h"
#include "pane_registry.h"
#include "pane_timeline.h"
#include "model/analysis/derived/gap_place.h"
#include "model/store/base/units.h"
#include "tui/explorer/reader.h"
#include "tui/screen/grid.h"
#include "tui/screen/wrap.h"
#include "model/analysis/gaps/gaps_columns.h"
#include "model/analysis/recorded/tracks_columns.h"
#include "model/analysis/steps/steps_columns.h"
#include <string.h>

TABLE_DECL(gaps);
TABLE_DECL(steps);
TABLE_DECL(tracks);

static bool window_cuts(const struct state *st)
{
	return st->window.kind != WINDOW_ALL && st->window.kind != WINDOW_STEP;
}

static bool table_has_names(const struct state *st)
{
	return st->view.pane == PANE_TABLE && tables_by_name(st->tables, st->view.analysis, false);
}

static const char families[] = "kernel_families";

/* Gaps of one kind, see :gaps; NULL = all, and in other tables. */
static const char *gaps_of_kind(const struct state *st)
{
	bool gaps = st->view.pane == PANE_TABLE && strcmp(analysis_at(st->view.analysis)->name, "gaps") == 0;
	return gaps && st->view.place.by ? analysis_by("gaps", st->view.place.by - 1u) : NULL;
}

static struct table *table_shown(const struct state *st)
{
	if (ops_shown(st))
		return ops_table(st);
	if (gaps_of_kind(st))
		return tables_grouped(st->tables, st->view.analysis, gaps_of_kind(st), false);
	enum kernel_form form = table_has_names(st) ? st->view.place.form : FORM_SHAPES;
	if (form == FORM_NAMES)
		return tables_by_name(st->tables, st->view.analysis, false);
	return form == FORM_FAMILIES ? pane_table_named(st, families)
				     : tables_get(st->tables, st->view.analysis, false);
}

/* What stands above the table's head. */
static int rows_above(const struct state *st, struct rect body)
{
	return 1 + op_charts_rows(st, body);
}

static int rows_on_screen(const struct state *st)
{
	struct rect body = pane_body(st);
	int h = body.h - rows_above(st, body) - 1;
	return h > 1 ? h : 1;
}

static int current_sort(const struct state *st, const struct table *t)
{
	return st->view.place.sort_col >= 0 ? st->view.place.sort_col : t->sort_col;
}

static int columns_wide(const struct state *st)
{
	return pane_body(st).w - 2;
}

static struct grid all_columns(const struct state *st, const struct table *t)
{
	const struct table_place *p = &st->view.place;
	struct grid g;
	grid_init_all(&g, t, window_cuts(st));
	g.sort_col = current_sort(st, t);
	g.sort_desc = p->sort_col >= 0 ? p->sort_desc : t->sort_desc;
	return g;
}

static struct grid fitted(const struct state *st, const struct table *t, int w)
{
	struct grid g = all_columns(st, t);
	grid_fit(&g, w, st->view.place.left);
	return g;
}

static void clamp_place(struct state *st)
{
	struct table *t = table_shown(st);
	struct table_place *p = &st->view.place;
	uint32_t n = t ? t->n_rows : 0, h = (uint32_t)rows_on_screen(st);
	if (!t)
		return;
	if (p->row >= n)
		p->row = n ? n - 1 : 0;
	if (p->row < p->top)
		p->top = p->row;
	if (p->row >= p->top + h)
		p->top = p->row - h + 1;
	if (!p->left)
		return;
	/* at least one column beside the lead */
	struct grid g = all_columns(st, t);
	if (p->left + g.lead + 1 > g.n_all)
		p->left = g.n_all > g.lead + 1 ? g.n_all - g.lead - 1 : 0;
}

static void show_column(struct state *st, const struct table *t, uint32_t col)
{
	struct grid g = all_columns(st, t);
	st->view.place.left = grid_left_for(&g, columns_wide(st), st->view.place.left, col);
}

static void sort_table(struct table *t, int col, bool desc)
{
	table_sort(t, col, desc);
	t->sort_col = col;
	t->sort_desc = desc;
}

/* A table that was made again after the question changed keeps the order the user chose. */
static void enter(struct state *st)
{
	const struct table_place *p = &st->view.place;
	/* also when another form of it is shown: the rows of names are made of this one */
	tables_want(st->tables, st->view.analysis, false);
	if (table_has_names(st) && p->form == FORM_FAMILIES)
		pane_want(st, families);
	if (ops_shown(st))
		ops_want(st);
	if (gaps_of_kind(st))
		tables_want_grouped(st->tables, st->view.analysis, gaps_of_kind(st), false);
	struct table *t = table_shown(st);
	if (t && p->sort_col >= 0 && (t->sort_col != p->sort_col || t->sort_desc != p->sort_desc))
		sort_table(t, p->sort_col, p->sort_desc);
	clamp_place(st);
}

/* One kernel name in a thousand launch shapes is one row first; families and shapes are a key away. */
static void turn_names(struct state *st)
{
	struct table_place *p = &st->view.place;
	if (ops_shown(st)) {
		ops_turn_groups(st);
		return;
	}
	if (!table_has_names(st)) {
		state_say(st, INK_STATUS, "this table has one form only");
		return;
	}
	/* other rows and other columns: row, scrolling and order of the old form mean nothing in the new one */
	*p = (struct table_place){.sort_col = -1, .form = (p->form + 1) % FORM_COUNT};
	enter(st);
}

/* ---- Enter: a row's evidence -------------------------------------------------------------------------------------- */

/* Gaps and steps are places with a name of their own: they are selected, not only shown. */
static bool open_gap(struct state *st, const struct table *t, uint32_t row)
{
	const struct cell *c = column_cell(t, row, COL_GAPS_GAP);
	if (t->desc != &gaps_desc)
		return false;
	if (c->null || c->type != CELL_INT || c->i < 0 || c->i >= UINT32_MAX)
		return false;
	const struct gap *g = derived_gap_kept(st->d, (uint32_t)c->i);
	if (!g)
		return false;
	nav_push(st);
	nav_pane(st, PANE_TIMELINE, 0);
	nav_gap(st, g);
	return true;
}

static bool open_step(struct state *st, const struct table *t, uint32_t row)
{
	const char *label = column_text(t, row, COL_STEPS_STEP);
	uint32_t first, last;
	if (t->desc != &steps_desc || !label || !derived_find_steps(st->d, label, &first, &last, NULL))
		return false;
	nav_push(st);
	nav_pane(st, PANE_TIMELINE, 0);
	nav_step(st, first);
	return true;
}

/* A lane is selected as a whole. */
static bool open_track(struct state *st, const struct table *t, uint32_t row)
{
	const struct cell *c = column_cell(t, row, COL_TRACKS_TRACK);
	if (t->desc != &tracks_desc)
		return false;
	uint32_t lane = c->null || c->type != CELL_INT ? NONE_ID : lanes_find(&st->lanes, (uint32_t)c->i, 0);
	if (lane == NONE_ID)
		return false;
	nav_push(st);
	nav_pane(st, PANE_TIMELINE, 0);
	st->view.lane = lane;
	nav_lane(st, 0);
	return true;
}

void table_open_row(struct state *st, const struct table *t, uint32_t row)
{
	/* what the row is decides where Enter leads; else the events that its numbers come from */
	if (row >= t->n_rows || open_gap(st, t, row) || open_step(st, t, row) || open_track(st, t, row))
		return;
	nav_evidence(st, table_evidence_of(t, row));
}

/* ---- keys --------------------------------------------------------------------------------------------------------- */

static void sort_by(struct state *st, struct table *t, uint32_t col)
{
	struct table_place *p = &st->view.place;
	/* numbers are mostly asked for largest first, names from A */
	if ((int)col != p->sort_col)
		p->sort_desc = cell_type_is_number(t->cols[col].type);
	p->sort_col = (int)col;
	sort_table(t, (int)col, p->sort_desc);
	p->row = p->top = 0;
	show_column(st, t, col);
}

/* The next column as they stand on the screen. */
static void sort_beside(struct state *st, struct table *t, int direction)
{
	struct grid g = all_columns(st, t);
	if (g.n)
		sort_by(st, t, grid_beside(&g, (uint32_t)current_sort(st, t), direction));
}

static void sort_act(struct state *st, enum action a)
{
	struct table *t = table_shown(st);
	struct table_place *p = &st->view.place;
	if (!t)
		return;
	if (a != ACT_SORT_TURN) {
		sort_beside(st, t, a == ACT_SORT_NEXT ? 1 : -1);
		return;
	}
	/* before the user has sorted, the table's own order is what is turned */
	bool desc = p->sort_col >= 0 ? p->sort_desc : t->sort_desc;
	p->sort_col = current_sort(st, t) >= 0 ? current_sort(st, t) : 0;
	p->sort_desc = !desc;
	sort_table(t, p->sort_col, p->sort_desc);
	show_column(st, t, (uint32_t)p->sort_col);
}

static void table_select(struct state *st, uint32_t row)
{
	st->view.place.row = row;
	clamp_place(st);
}

static void move(struct state *st, int64_t rows)
{
	struct table *t = table_shown(st);
	struct table_place *p = &st->view.place;
	int64_t row = (int64_t)p->row + rows, last = t && t->n_rows ? (int64_t)t->n_rows - 1 : 0;
	p->row = (uint32_t)(row < 0 ? 0 : row > last ? last : row);
}

static void scroll_columns(struct state *st, bool right)
{
	const struct table *t = table_shown(st);
	struct table_place *p = &st->view.place;
	if (!t)
		return;
	struct grid g = fitted(st, t, columns_wide(st));
	if (right ? !grid_hidden(&g) : !p->left)
		state_say(st, INK_STATUS, right ? "no more columns on the right" : "no more columns on the left");
	else
		p->left += right ? 1 : UINT32_MAX;
}

static void turn_idle(struct state *st)
{
	if (ops_shown(st))
		ops_turn_idle(st);
	else
		state_say(st, INK_STATUS, "this table has no rows for idle time");
}

static void turn_picture(struct state *st)
{
	if (ops_shown(st) && !tab_turns(st))
		ops_turn_charts(st);
	else
		tab_turn(st);
}

static void tell_columns(struct state *st)
{
	const struct table *t = table_shown(st);
	if (!t) {
		state_say(st, INK_STATUS, "the table is still being computed");
		return;
	}
	reader_clear(&st->reader, "Columns");
	reader_add(&st->reader, INK_HEAD, NULL, "what each column means and how it is made");
	reader_columns(&st->reader, t);
	st->mode = MODE_READER;
}

/* To another row; false when the action is another one. */
static bool move_act(struct state *st, enum action a)
{
	int page = rows_on_screen(st) - 1;
	switch (a) {
	case ACT_ROW_DOWN:
		move(st, 1);
		return true;
	case ACT_ROW_UP:
		move(st, -1);
		return true;
	case ACT_PAGE_DOWN:
		move(st, page);
		return true;
	case ACT_PAGE_UP:
		move(st, -page);
		return true;
	case ACT_ROW_FIRST:
		st->view.place.row = 0;
		return true;
	case ACT_ROW_LAST:
		move(st, INT32_MAX);
		return true;
	default:
		return false;
	}
}

/* Changes which rows and columns there are, and in what order, or says what they mean. */
static void look_act(struct state *st, enum action a)
{
	switch (a) {
	case ACT_COL_LEFT:
	case ACT_COL_RIGHT:
		scroll_columns(st, a == ACT_COL_RIGHT);
		break;
	case ACT_NAMES:
		turn_names(st);
		break;
	case ACT_IDLE:
		turn_idle(st);
		break;
	case ACT_COLUMNS_TOLD:
		tell_columns(st);
		break;
	case ACT_PICTURE:
		turn_picture(st);
		break;
	case ACT_SORT_PREV:
	case ACT_SORT_NEXT:
	case ACT_SORT_TURN:
		sort_act(st, a);
		break;
	case ACT_SEARCH_NEXT:
	case ACT_SEARCH_PREV:
		seek_row(st, a == ACT_SEARCH_NEXT ? 1 : -1);
		break;
	default:
		break;
	}
}

static void act(struct state *st, enum action a)
{
	struct table *t = table_shown(st);
	if (a == ACT_OPEN) {
		if (t)
			table_open_row(st, t, st->view.place.row);
		return;
	}
	if (!move_act(st, a))
		look_act(st, a);
	clamp_place(st);
}

/* A click on a column's head sorts by it; on the one that is sorted by, it turns the order round. */
static void click_head(struct state *st, struct table *t, int x)
{
	struct grid g = fitted(st, t, columns_wide(st));
	int col = grid_column_at(&g, x - 1);
	if (col >= 0 && col == current_sort(st, t))
		sort_act(st, ACT_SORT_TURN);
	else if (col >= 0)
		sort_by(st, t, (uint32_t)col);
}

static void mouse(struct state *st, enum mouse_button what, int y, int x)
{
	struct table_place *p = &st->view.place;
	struct table *t = table_shown(st);
	int row = y - pane_body(st).y - rows_above(st, pane_body(st)) - 1;
	if (what != BUTTON_CLICK)
		move(st, what == BUTTON_WHEEL_UP ? -3 : 3);
	else if (t && row == -1)
		click_head(st, t, x);
	else if (t && row >= 0 && p->top + (uint32_t)row < t->n_rows) {
		p->row = p->top + (uint32_t)row;
		st->hit_row = true;
	}
	clamp_place(st);
}

/* ---- picture ------------------------------------------------------------------------------------------------------ */

static void draw_waiting(const struct state *st, struct surface *s, struct rect body, const struct table_desc *a)
{
	char text[640];
	if (tables_want(st->tables, st->view.analysis, false) == TABLE_FAILED)
		surface_text(s, body.y, 1, body.w - 2, INK_BAD, 0,
			     err_text(tables_error(st->tables, st->view.analysis, false), text, sizeof text));
	else
		surface_printf(s, body.y, 1, body.w - 2, INK_QUIET, 0, "working out %s ...", a->title);
}

static const char *form_words(const struct state *st, char *buf, size_t size)
{
	if (ops_shown(st))
		return ops_form_words(st, buf, size);
	if (gaps_of_kind(st)) {
		snprintf(buf, size, "; %s only", gap_kind_word((enum gap_kind)(st->view.place.by - 1)));
		return buf;
	}
	if (!table_has_names(st))
		return "";
	static const char *const words[FORM_COUNT] = {[FORM_NAMES] = "; by name (o: by launch shape and op)",
						      [FORM_SHAPES] = "; by launch shape and op (o: by family)",
						      [FORM_FAMILIES] = "; by family (o: by name)"};
	return words[st->view.place.form];
}

/* What the table is, and on the right how many columns have no room. */
static void draw_title(const struct state *st, struct surface *s, struct rect body, const struct grid *g)
{
	uint32_t hidden = grid_hidden(g);
	const struct table_desc *a = analysis_at(st->view.analysis);
	char form[96], more[32] = "";
	if (hidden)
		snprintf(more, sizeof more, "l: +%u column%s", hidden, hidden == 1 ? "" : "s");
	else if (g->left)
		snprintf(more, sizeof more, "h: back");
	int room = body.w - 2 - (*more ? (int)strlen(more) + 2 : 0);
	const char *turned = form_words(st, form, sizeof form); /* what tells more than the long sentence */
	surface_printf(s, body.y, 1, room, INK_QUIET, 0, "%s%s", *turned ? a->title : a->help, turned);
	surface_text_right(s, body.y, 1, body.w - 2, INK_QUIET, 0, more);
}

static void draw_rows(const struct state *st, struct surface *s, struct rect body, const struct grid *g)
{
	const struct table_place *p = &st->view.place;
	grid_head(g, s, body.y, 1, body.w - 2);
	grid_rows(g, s, (struct rect){body.y + 1, 1, body.h - 1, body.w - 2}, p->top, p->row);
	if (g->t->n_rows == 0)
		wrap_text(s, (struct rect){body.y + 2, 1, 0, body.w - 2}, INK_QUIET,
			  g->t->why_empty ? g->t->why_empty : "nothing here: no rows in this trace or window", body.y,
			  body.y + body.h);
}

static void draw(const struct state *st, struct surface *s, struct rect body)
{
	const struct table *t = table_shown(st);
	int above = rows_above(st, body);
	struct grid g = {0};
	if (t)
		g = fitted(st, t, body.w - 2);
	draw_title(st, s, body, &g);
	if (op_charts_rows(st, body))
		op_charts_draw(st, s, (struct rect){body.y + 1, 1, 0, body.w - 1});
	body.y += above;
	body.h -= above;
	if (t)
		draw_rows(st, s, body, &g);
	else
		draw_waiting(st, s, body, analysis_at(st->view.analysis));
}

/* Where we are, and the row's name at full length: on the screen it may be cut. */
static void status(const struct state *st, char *buf, size_t size)
{
	const struct table *t = table_shown(st);
	char at[UNITS_BUF], n[UNITS_BUF], name[192];
	uint32_t row = st->view.place.row;
	buf[0] = 0;
	if (!t || row >= t->n_rows)
		return;
	int col = table_column(t, COLUMN_NAME);
	col = col < 0 ? table_column(t, COLUMN_HELP) : col;
	col = col < 0 ? table_column(t, COLUMN_WHAT) : col;
	snprintf(buf, size, "%s of %s   %s", fmt_count(at, row + 1), fmt_count(n, t->n_rows),
		 col < 0 ? "" : cell_format(t, row, (uint32_t)col, name, sizeof name));
}

/* Until it is known how many rows there are, keys are offered as if there were some. */
static uint32_t items(const struct state *st)
{
	const struct table *t = table_shown(st);
	return t ? t->n_rows : UINT32_MAX;
}

/* Some have no room, on one side or the other. */
static bool scrolls_columns(const struct state *st)
{
	const struct table *t = table_shown(st);
	if (!t || st->view.place.left)
		return true;
	struct grid g = fitted(st, t, columns_wide(st));
	return grid_hidden(&g) > 0;
}

/* Tables of kernels and ops can be grouped; those of ops have idle time and bars. */
static bool knows(const struct state *st, enum action a)
{
	bool ops = ops_shown(st);
	if (a == ACT_COL_LEFT)
		return scrolls_columns(st);
	return a == ACT_NAMES ? ops || table_has_names(st) : (a == ACT_PICTURE || a == ACT_IDLE) && ops;
}

const struct pane_ops pane_table = {.title = "Table",
				    .scope = SCOPE_TABLE,
				    .enter = enter,
				    .act = act,
				    .mouse = mouse,
				    .draw = draw,
				    .status = status,
				    .knows = knows,
				    .items = items,
				    .shown = table_shown,
				    .select = table_select};
