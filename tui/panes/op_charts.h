/* tui/panes/op_charts.h - the ops table as people look at it: grouped as chosen, with bars above it - self time by type and by op,
 * on devices and on the host, the largest first and the rest as one. */
#ifndef STEPSCOPE_OP_CHARTS_H
#define STEPSCOPE_OP_CHARTS_H
#include "tui/explorer/pane.h"

/* The table pane shows a table of ops: it can be grouped, and idle time can be rows. */
bool ops_shown(const struct state *st);
struct table *ops_table(const struct state *st); /* NULL while it is not ready */
void ops_want(struct state *st);
void ops_turn_groups(struct state *st);
void ops_turn_idle(struct state *st);
void ops_turn_charts(struct state *st);
const char *ops_form_words(const struct state *st, char *buf, size_t size); /* "; by type (o: by scope)" */
/* Rows that the bars take above the table, 0 = none. */
int op_charts_rows(const struct state *st, struct rect body);
void op_charts_draw(const struct state *st, struct surface *s, struct rect r);
#endif
