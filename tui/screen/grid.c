#include "grid.h"
#include "theme.h"
#include "tui/tables/column_head.h"
#include "tui/text/fit_names.h"
#include "tui/text/short_names.h"
#include "tui/text/utf8.h"
#include "model/columns.h"
#include <stdio.h>
#include <string.h>

enum {
	GAP = 2,
	LEAST_TEXT = 8,
	NAME_COLS = 12,
	MAX_TEXT = 400,
	CELL_BUF = 192,
	HEAD_GAIN = 4
}; /* NAME_COLS: room in which a name can be cut well */

/* In key/value tables the value is printed with its unit, so a column for it says nothing new. */
static bool redundant(const struct table *t, uint32_t col)
{
	return table_is_keys(t) && (int)col == table_place(t, KEYED_UNIT);
}

static bool is_text(const struct grid *g, uint32_t i)
{
	enum cell_type type = g->t->cols[g->col[i]].type;
	return type == CELL_TEXT || type == CELL_BOOL;
}

/* Columns that answer a question of their pane: their words have a colour, and what is unknown is asked. with: a column that
 * must be true, where the word says more then. */
static const struct flag {
	const char *column, *word, *with, *says;
	int ink;
} flags[] = {
	{"tc", "used", NULL, NULL, INK_GOOD},
	{"tc", "could", NULL, NULL, INK_WARN},
	{"tc", "no", NULL, NULL, INK_QUIET},
	{"uses_tc", "yes", NULL, "used", INK_GOOD},
	{"uses_tc", "no", "tc_eligible", "could", INK_WARN},
	{"uses_tc", "no", NULL, NULL, INK_QUIET},
};

static bool is_flag(const struct table *t, uint32_t col)
{
	bool flag = false;
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
		flag = flag || strcmp(t->cols[col].name, flags[i].column) == 0;
	return flag && !cell_type_is_number(t->cols[col].type);
}

static bool is_true(const struct table *t, uint32_t row, const char *column)
{
	for (uint32_t c = 0; c < t->n_cols; c++)
		if (strcmp(t->cols[c].name, column) == 0) {
			const struct cell *cell = table_cell(t, row, c);
			return !cell->null && cell->b;
		}
	return false;
}

/* The flag that the cell shows, NULL = none. */
static const struct flag *flag_of(const struct grid *g, uint32_t row, uint32_t i, const char *text)
{
	for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
		if (strcmp(g->t->cols[g->col[i]].name, flags[k].column) == 0 && strcmp(text, flags[k].word) == 0 &&
		    (!flags[k].with || is_true(g->t, row, flags[k].with)))
			return &flags[k];
	return NULL;
}

static int ink_of(const struct grid *g, uint32_t row, uint32_t i)
{
	char buf[CELL_BUF];
	if (table_cell(g->t, row, g->col[i])->null)
		return INK_QUIET;
	const struct flag *f = is_flag(g->t, g->col[i])
				       ? flag_of(g, row, i, cell_format(g->t, row, g->col[i], buf, sizeof buf))
				       : NULL;
	return f ? f->ink : INK_TEXT;
}

/* A cell as it is read. */
static const char *cell_text_of(const struct grid *g, uint32_t row, uint32_t i, char buf[static CELL_BUF])
{
	bool flag = is_flag(g->t, g->col[i]);
	if (flag && table_cell(g->t, row, g->col[i])->null)
		return "?";
	const char *text = cell_format(g->t, row, g->col[i], buf, CELL_BUF);
	const struct flag *f = flag ? flag_of(g, row, i, text) : NULL;
	if (f && f->says)
		return f->says;
	return g->col[i] == 0 && table_is_keys(g->t) ? key_head(text, buf) : text;
}

/* What the widest number of a unit takes as a rule: not every row is looked at, and a number must not be cut. */
static int usual_width(enum unit u)
{
	switch (u) {
	case UNIT_NS:
	case UNIT_BYTES:
	case UNIT_BYTES_PER_S:
		return 10; /* 999.999 ms, 1023.9 MiB, 99.99 GB/s */
	case UNIT_PERCENT:
		return 6; /* 99.9 % */
	default:
		return 0;
	}
}

static void measure(struct grid *g, uint32_t i)
{
	char buf[CELL_BUF];
	int w = utf8_width(column_head(g->t, g->col[i], buf)) + (g->sort_col == (int)g->col[i]);
	uint32_t every = g->t->n_rows / GRID_SAMPLE + 1;
	for (uint32_t row = 0; row < g->t->n_rows; row += every) {
		int cell = utf8_width(cell_text_of(g, row, i, buf));
		w = cell > w ? cell : w;
	}
	if (every > 1 && w < usual_width(g->t->cols[g->col[i]].unit))
		w = usual_width(g->t->cols[g->col[i]].unit);
	g->width[i] = w > MAX_TEXT ? MAX_TEXT : w;
}

/* Another head begins as this one does, for so many cells. */
static bool reads_alike(const struct grid *g, uint32_t i, int cells)
{
	char head[HEAD_BUF], other[HEAD_BUF];
	column_head(g->t, g->col[i], head);
	for (uint32_t k = 0; k < g->n; k++)
		if (k != i && !strncmp(head, column_head(g->t, g->col[k], other), (size_t)cells))
			return true;
	return false;
}

/* What is said in each row is worth more than a long head over short words, unless it would read as another one. */
static void cut_head(struct grid *g, uint32_t i)
{
	char buf[CELL_BUF];
	int cells = LEAST_TEXT;
	uint32_t every = g->t->n_rows / GRID_SAMPLE + 1;
	for (uint32_t row = 0; row < g->t->n_rows; row += every) {
		int cell = utf8_width(cell_text_of(g, row, i, buf));
		cells = cell > cells ? cell : cells;
	}
	if (g->width[i] - cells >= HEAD_GAIN && !reads_alike(g, i, cells - 1))
		g->width[i] = cells;
}

void grid_init(struct grid *g, const struct table *t, struct column_list columns)
{
	*g = (struct grid){.t = t, .sort_col = -1, .lead = 1};
	for (uint32_t i = 0; i < columns.n && g->n < GRID_COLS; i++) {
		int col = table_place(t, columns.at[i]);
		if (col >= 0)
			g->col[g->n++] = (uint32_t)col;
	}
}

static bool has_column(const struct grid *g, uint32_t col)
{
	for (uint32_t i = 0; i < g->n; i++)
		if (g->col[i] == col)
			return true;
	return false;
}

static bool has_value(const struct table *t, uint32_t col)
{
	uint32_t every = t->n_rows / GRID_SAMPLE + 1;
	for (uint32_t row = 0; row < t->n_rows; row += every)
		if (!table_cell(t, row, col)->null)
			return true;
	return t->n_rows == 0;
}

/* Where all there is lies on one device or host, a column for it tells no rows apart. */
static bool one_place(const struct table *t, uint32_t col)
{
	static const char *const places[] = {COLUMN_DEVICE, COLUMN_RANK, COLUMN_HOST};
	char first[192], other[192];
	bool place = false;
	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		place = place || strcmp(t->cols[col].name, places[i]) == 0;
	if (!place || t->n_rows < 2)
		return false;
	snprintf(first, sizeof first, "%s", cell_format(t, 0, col, other, sizeof other));
	uint32_t every = t->n_rows / GRID_SAMPLE + 1;
	for (uint32_t row = every; row < t->n_rows; row += every)
		if (strncmp(first, cell_format(t, row, col, other, sizeof other), sizeof first - 1) != 0)
			return false;
	return true;
}

/* The first column names the row and stays while the others scroll: where it is empty the first text takes its place. */
static void name_first(struct grid *g)
{
	uint32_t i = 0;
	while (i < g->n && (!is_text(g, i) || !has_value(g->t, g->col[i])))
		i++;
	if (has_value(g->t, g->col[0]) || i == g->n)
		return;
	uint32_t name = g->col[i];
	memmove(g->col + 1, g->col, i * sizeof *g->col);
	g->col[0] = name;
}

/* Columns that say nothing take no room from those that do: they come last, and belong to the lead no more. */
static void empty_last(struct grid *g)
{
	uint32_t empty[GRID_COLS], n = 0, kept = 1, lead = 1;
	for (uint32_t i = 1; i < g->n; i++) {
		bool tells = has_value(g->t, g->col[i]) && (is_flag(g->t, g->col[i]) || !one_place(g->t, g->col[i]));
		if (tells)
			g->col[kept++] = g->col[i];
		else
			empty[n++] = g->col[i];
		lead += tells && i < g->lead;
	}
	memcpy(g->col + kept, empty, n * sizeof *empty);
	g->lead = lead;
}

/* How many of the first columns the table's descriptor names as those that stay. */
static uint32_t lead_of(const struct table *t, bool cut)
{
	uint32_t n = 0;
	for (uint32_t i = 0; t->desc && i < t->desc->lead && i < t->desc->first.n; i++) {
		int col = table_place(t, t->desc->first.at[i]);
		n += col >= 0 && (cut || strcmp(t->cols[col].name, COLUMN_CUT) != 0);
	}
	return n ? n : 1;
}

void grid_init_all(struct grid *g, const struct table *t, bool cut)
{
	*g = (struct grid){.t = t, .sort_col = -1, .lead = lead_of(t, cut)};
	g->n = table_first(t, cut, g->col, GRID_COLS);
	for (uint32_t c = 0; c < t->n_cols && g->n < GRID_COLS; c++)
		if (!redundant(t, c) && !has_column(g, c))
			g->col[g->n++] = c;
	g->n_all = g->n;
	if (!g->n)
		return;
	name_first(g);
	empty_last(g);
}

/* Text gives way first: the widest text column shrinks until everything fits or it reaches its least width. */
static int total_width(const struct grid *g)
{
	int total = 0;
	for (uint32_t i = 0; i < g->n; i++)
		total += g->width[i] + (i ? GAP : 0);
	return total;
}

/* The first column names the row: rather one number less than a name that could be any. */
static int least_width(const struct grid *g, uint32_t i, int w)
{
	int least = i == 0 && !table_is_keys(g->t) ? w * 2 / 5 : w / 4;
	return least > LEAST_TEXT ? least : LEAST_TEXT;
}

static bool shrink_widest(struct grid *g, int by, int w)
{
	int widest = -1;
	for (uint32_t i = 0; i < g->n; i++)
		if (is_text(g, i) && g->width[i] > least_width(g, i, w) &&
		    (widest < 0 || g->width[i] > g->width[widest]))
			widest = (int)i;
	if (widest < 0)
		return false;
	int least = least_width(g, (uint32_t)widest, w);
	/* a column never shrinks below the next widest text in one go: several share the loss */
	int step = by > 4 ? 4 : by;
	g->width[widest] -= g->width[widest] - step < least ? g->width[widest] - least : step;
	return true;
}

static void scroll(struct grid *g, uint32_t left)
{
	uint32_t others = g->n > g->lead ? g->n - g->lead : 0;
	if (left >= others)
		left = others ? others - 1 : 0;
	for (uint32_t i = g->lead; left && i + left < g->n; i++)
		g->col[i] = g->col[i + left];
	g->n -= left;
	g->left = left;
}

uint32_t grid_hidden(const struct grid *g)
{
	return g->n_all > g->left + g->n ? g->n_all - g->left - g->n : 0;
}

/* One column beside the lead is always there: the row's name gives way first, then the lead from its right. */
static void squeeze_lead(struct grid *g, int w)
{
	int more = total_width(g) - w;
	if (g->n == g->lead + 1 && more > 0 && is_text(g, 0) && g->width[0] > LEAST_TEXT)
		g->width[0] = g->width[0] - more > LEAST_TEXT ? g->width[0] - more : LEAST_TEXT;
	while (g->n > 2 && g->lead > 1 && total_width(g) > w) {
		g->col[g->lead - 1] = g->col[g->lead];
		g->width[g->lead - 1] = g->width[g->lead];
		g->lead--;
		g->n--;
	}
	while (g->n > 1 && total_width(g) > w)
		g->n--;
	if (g->n == 1 && g->width[0] > w)
		g->width[0] = w;
}

/* What is left over goes to the text that was cut. */
static void widen(struct grid *g, int w)
{
	for (int before = -1; total_width(g) < w && total_width(g) != before;) {
		before = total_width(g);
		for (uint32_t i = 0; i < g->n && total_width(g) < w; i++) {
			struct grid full = *g;
			int room = w - total_width(g);
			measure(&full, i);
			int missing = full.width[i] - g->width[i];
			if (is_text(g, i) && missing > 0)
				g->width[i] += missing < room ? missing : room;
		}
	}
}

void grid_fit(struct grid *g, int w, uint32_t left)
{
	scroll(g, left);
	for (uint32_t i = 0; i < g->n; i++)
		measure(g, i);
	for (uint32_t i = 0; i < g->n && total_width(g) > w; i++)
		if (is_text(g, i))
			cut_head(g, i);
	while (total_width(g) > w && shrink_widest(g, total_width(g) - w, w))
		;
	while (g->n > g->lead + 1 && total_width(g) > w)
		g->n--;
	squeeze_lead(g, w);
	widen(g, w);
}

uint32_t grid_left_for(const struct grid *g, int w, uint32_t left, uint32_t col)
{
	uint32_t at = 0;
	while (at < g->n && g->col[at] != col)
		at++;
	if (at == g->n)
		return left;
	uint32_t most = at < g->lead ? 0 : at - g->lead;
	left = left < most || at < g->lead ? left : most;
	for (; left < most; left++) {
		struct grid fitted = *g;
		grid_fit(&fitted, w, left);
		if (has_column(&fitted, col))
			break;
	}
	return left;
}

uint32_t grid_beside(const struct grid *g, uint32_t col, int direction)
{
	uint32_t at = 0;
	while (at < g->n && g->col[at] != col)
		at++;
	if (at == g->n)
		return g->col[direction > 0 ? 0 : g->n - 1];
	return g->col[(at + (direction > 0 ? 1 : g->n - 1)) % g->n];
}

/* Sentences are read from their start; of names both ends tell. */
static bool is_prose(const struct grid *g, uint32_t i)
{
	static const char *const columns[] = {COLUMN_HELP, COLUMN_WHAT, COLUMN_ADVICE, COLUMN_DETAIL, COLUMN_SENTENCE};
	bool prose = table_is_keys(g->t) && (int)g->col[i] == table_place(g->t, KEYED_VALUE);
	for (size_t k = 0; k < sizeof columns / sizeof *columns; k++)
		prose = prose || strcmp(g->t->cols[g->col[i]].name, columns[k]) == 0;
	return prose && is_text(g, i);
}

static void put(const struct grid *g, struct surface *s, int y, int x, int w, uint32_t i, int ink, const char *text)
{
	char buf[NAMES_BUF];
	int room = g->width[i] < w ? g->width[i] : w;
	if (is_prose(g, i))
		text = utf8_cut(text, room, buf, sizeof buf);
	else if (is_text(g, i))
		text = room >= NAME_COLS ? name_fit(text, room, buf) : name_reduce(text, room, buf);
	if (is_text(g, i) || table_is_keys(g->t))
		surface_text(s, y, x, room, ink, 0, text);
	else
		surface_text_right(s, y, x, room, ink, 0, text);
}

/* The mark of the order stands even where the head has no room for its name. */
int grid_column_at(const struct grid *g, int x)
{
	for (uint32_t i = 0; i < g->n; i++) {
		if (x >= 0 && x < g->width[i])
			return (int)g->col[i];
		x -= g->width[i] + GAP;
	}
	return -1;
}

void grid_head(const struct grid *g, struct surface *s, int y, int x, int w)
{
	char buf[HEAD_BUF], cut[HEAD_BUF], marked[HEAD_BUF + 4];
	int at = x;
	for (uint32_t i = 0; i < g->n; i++) {
		bool sorted = g->sort_col == (int)g->col[i];
		const char *text = column_head(g->t, g->col[i], buf);
		snprintf(marked, sizeof marked, "%s%s", utf8_cut(text, g->width[i] - sorted, cut, sizeof cut),
			 !sorted        ? ""
			 : g->sort_desc ? "\xe2\x86\x93"
					: "\xe2\x86\x91");
		put(g, s, y, at, x + w - at, i, INK_HEAD, marked);
		at += g->width[i] + GAP;
	}
}

/* Texts of one column, those of names so that they can be distinguished. */
static void column_texts(const struct grid *g, uint32_t i, uint32_t first, uint32_t n, const char **texts,
			 struct arena *mem)
{
	char buf[CELL_BUF];
	const char **names = arena_alloc(mem, (n + 1) * sizeof *names);
	for (uint32_t k = 0; k < n; k++)
		names[k] = arena_strdup(mem, cell_text_of(g, first + k, i, buf));
	if (is_text(g, i) && !is_prose(g, i) && g->width[i] >= NAME_COLS)
		names_fit(names, n, g->width[i], texts, mem);
	else
		memcpy(texts, names, n * sizeof *texts);
}

void grid_rows(const struct grid *g, struct surface *s, struct rect r, uint32_t first, uint32_t chosen)
{
	struct arena mem = {0};
	uint32_t n = first < g->t->n_rows ? g->t->n_rows - first : 0;
	int at = r.x;
	n = n > (uint32_t)(r.h < 0 ? 0 : r.h) ? (uint32_t)r.h : n;
	const char **texts = arena_alloc(&mem, (n + 1) * sizeof *texts);
	if (chosen >= first && chosen - first < n)
		surface_fill(s, (struct rect){r.y + (int)(chosen - first), r.x, 1, r.w}, ' ', INK_SELECTED, 0);
	for (uint32_t i = 0; i < g->n; i++) {
		column_texts(g, i, first, n, texts, &mem);
		for (uint32_t k = 0; k < n; k++) {
			int ink = first + k == chosen ? INK_SELECTED : ink_of(g, first + k, i);
			put(g, s, r.y + (int)k, at, r.x + r.w - at, i, ink, texts[k]);
		}
		at += g->width[i] + GAP;
	}
	arena_free(&mem);
}
