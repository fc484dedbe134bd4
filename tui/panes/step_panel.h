/* tui/panes/step_panel.h - the selected step in numbers: parts beside the mean of all, idle time by what it waited for, and the gap
 * before it with its verdict. */
#ifndef STEPSCOPE_STEP_PANEL_H
#define STEPSCOPE_STEP_PANEL_H
#include "tui/explorer/pane.h"
#include "tui/tables/step_mix.h"

int step_panel_rows(const struct state *st, const struct table *steps, int w); /* what it would like to have */
void step_panel(const struct state *st, const struct table *steps, const struct step_mix *m, struct surface *s,
		struct rect r);
void step_formulas(struct state *st, const struct table *steps); /* into the reader */
/* The gap that ends where this row's step begins, on its device; false when there is none. */
bool step_gap_before(const struct state *st, const struct table *steps, uint32_t row, struct gap *out);
#endif
