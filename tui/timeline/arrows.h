/* tui/timeline/arrows.h - arrows between the selected event and what is tied to it: its launch or work, flows, producers, consumers.
 * An arrow bends once, in the row where it hides least; where its other end is out of sight, a hint at the edge says what it
 * is, how far away, and which key goes there. Cost: rows times columns for each of at most ARROWS ends. */
#ifndef STEPSCOPE_ARROWS_H
#define STEPSCOPE_ARROWS_H
#include "tui/explorer/timeline_layout.h"

/* Over the lanes that are drawn. Nothing while the selected event is out of sight. */
void arrows_draw(const struct state *st, struct surface *s, const struct timeline_layout *l);
#endif
