/* tui/screen/grid.h - a table on the screen: which columns, how wide, aligned by type. Numbers are never cut; text is.
 * Measure: widths come from the heads and at most GRID_SAMPLE rows spread over the table, so a table of a million rows
 *          costs no more than a small one. */
#ifndef STEPSCOPE_GRID_H
#define STEPSCOPE_GRID_H
#include "surface.h"
#include "model/table.h"

enum { GRID_COLS = 48, GRID_SAMPLE = 400 };
struct grid {
	const struct table *t;
	uint32_t n;
	uint32_t n_all, left;    /* grid_init_all: columns before anything was left out; how many are scrolled away */
	uint32_t lead;           /* columns that stay while the others scroll, at least one */
	uint32_t col[GRID_COLS]; /* the table's column */
	int width[GRID_COLS];
	int sort_col; /* the table's column, -1 = none */
	bool sort_desc;
};
void grid_init(struct grid *g, const struct table *t, struct column_list columns);
/* All columns that carry information of their own, those that people look at first in front (cut: see table_first), those
 * without any value last. */
void grid_init_all(struct grid *g, const struct table *t, bool cut);
/* Makes everything fit into w columns, first column first; what does not fit is left out from the right. left: how many
 * columns after the lead are scrolled away. Where there is little room the lead gives way until one column more fits. */
void grid_fit(struct grid *g, int w, uint32_t left);
/* How many columns have no room on the right (after grid_fit of a grid with all columns). */
uint32_t grid_hidden(const struct grid *g);
/* The `left`, nearest to the one given, with which grid_fit shows the table's column `col`; g as grid_init_all made it. */
uint32_t grid_left_for(const struct grid *g, int w, uint32_t left, uint32_t col);
/* The table's column beside `col` on the screen, in direction +1 or -1, round the ends; g as grid_init_all made it. */
uint32_t grid_beside(const struct grid *g, uint32_t col, int direction);
int grid_column_at(const struct grid *g,
		   int x); /* the table's column that stands at x from the grid's left; -1 = none */
void grid_head(const struct grid *g, struct surface *s, int y, int x, int w);
/* Rows first, first + 1, ... of n, one below the other; names that differ are cut so that they look different. chosen: the
 * table's row that is selected, NONE_ID = none. Flags have their colour and always a word. */
void grid_rows(const struct grid *g, struct surface *s, struct rect r, uint32_t first, uint32_t chosen);
#endif
