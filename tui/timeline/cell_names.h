/* tui/timeline/cell_names.h - what lies in the cell under the cursor when several events share it: how many, and the three names that
 * take most of it. Cost: CELL_LOOKED events at most; where there are more, the longest ones of parts of the cell are told. */
#ifndef STEPSCOPE_CELL_NAMES_H
#define STEPSCOPE_CELL_NAMES_H
#include "tui/explorer/state.h"

enum { CELL_LOOKED = 4096, CELL_NAMES = 3 };
/* "1,234 events: gemm 800 x, relu 300 x, add 134 x"; NULL when the cell of the current lane holds fewer than two. */
const char *cell_names(const struct state *st, char *buf, size_t size);
#endif
