/* tui/timeline/ranks.h - what the rows of several devices show of collectives: where each is in one, where it waits there for others,
 * the call of the selected collective on all devices, and, beside the labels, all rows in one column.
 * All but the last need what a worker finds (timeline_ranks): until then there is none of it. Cost: rows times columns. */
#ifndef STEPSCOPE_RANKS_H
#define STEPSCOPE_RANKS_H
#include "tui/explorer/timeline_layout.h"

enum { RANKS_WAIT = 0x2591, RANKS_CALL = 0x2592, RANKS_LATEST = '!' };
/* Over the busy time of the device's row. */
void ranks_draw_row(const struct state *st, struct surface *s, const struct timeline_layout *l, int y, uint32_t device);
/* A line where the last device has entered the call of the selected collective, through the rows of its devices. */
void ranks_draw_call(const struct state *st, struct surface *s, const struct timeline_layout *l);
/* One column between labels and time axis for all lanes: which part of them is seen, and the device that the others wait for most. */
void ranks_draw_map(const struct state *st, struct surface *s, const struct timeline_layout *l);
#endif
