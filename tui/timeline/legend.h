/* tui/timeline/legend.h - one line that names the categories in view, each with a piece of its bar. What is in view is read off the
 * screen itself, so the line costs what the screen costs. */
#ifndef STEPSCOPE_LEGEND_H
#define STEPSCOPE_LEGEND_H
#include "tui/explorer/timeline_layout.h"

/* Of the lanes that are drawn. Nothing where the layout has no row for it. */
void legend_draw(struct surface *s, const struct timeline_layout *l);
#endif
