/* tui/panes/memory_programs.h - the other face of the Memory pane: what compiled XLA programs need, as the compiler planned it. */
#ifndef STEPSCOPE_PANES_MEMORY_PROGRAMS_H
#define STEPSCOPE_PANES_MEMORY_PROGRAMS_H
#include "tui/explorer/pane.h"

/* The programs are listed: they are what has been chosen, or nothing but them is recorded. `words`: how many ways there are to group
 * blocks; the programs are one more. */
bool programs_shown(const struct state *st, unsigned words);
bool programs_known(const struct state *st);                /* the trace tells of any */
const struct table *programs_table(const struct state *st); /* the list: xla_memory; NULL while it is not ready */
void programs_enter(struct state *st);
int programs_list_y(struct rect body);
int programs_list_height(const struct state *st, struct rect body);
/* The heap of the selected program in the order of the program, the list, and its largest buffers at the peak. */
void programs_draw(const struct state *st, struct surface *s, struct rect body);
#endif
