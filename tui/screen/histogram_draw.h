/* tui/screen/histogram_draw.h - the table latency_histogram as bars on the screen: one row per bucket. Where buckets outnumber the
 * rows, neighbours are added up. */
#ifndef STEPSCOPE_HISTOGRAM_DRAW_H
#define STEPSCOPE_HISTOGRAM_DRAW_H
#include "surface.h"
#include "tui/tables/histogram.h"

void histogram_draw(const struct table *t, struct histogram_part h, struct surface *s, struct rect r);
#endif
