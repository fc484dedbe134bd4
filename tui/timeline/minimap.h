/* tui/timeline/minimap.h - the whole trace in one row, whatever the view is: how busy the devices are, and over that where all of them
 * idle, the chosen gap, findings, search hits and the edges of the view. Each mark has a glyph of its own. Cost: columns times devices,
 * and the rows of the table of findings. */
#ifndef STEPSCOPE_MINIMAP_H
#define STEPSCOPE_MINIMAP_H
#include "tui/explorer/timeline_layout.h"

enum { MAP_GAP = 0x00B7, MAP_FINDING = '!', MAP_HIT = '*' };
/* Into the first row of the layout. */
void minimap_draw(const struct state *st, struct surface *s, const struct timeline_layout *l);
#endif
