/* tui/screen/ruler.h - time ticks at round numbers, exact: a tick stands in the column that contains its instant. */
#ifndef STEPSCOPE_RULER_H
#define STEPSCOPE_RULER_H
#include "surface.h"
#include "model/viewport.h"

/* Times at ticks: 1, 2 or 5 times a power of ten ns apart. */
void ruler_draw(struct surface *s, int y, int x, const struct viewport *v);
#endif
