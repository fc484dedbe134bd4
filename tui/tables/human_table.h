/* tui/tables/human_table.h - a table as a person reads it. The column `device` says "GPU 0" or "rank 3 GPU 3" like every
 * screen, where scripts get the number; `cut` says "part" where the window cuts a row. */
#ifndef STEPSCOPE_HUMAN_TABLE_H
#define STEPSCOPE_HUMAN_TABLE_H
#include "model/analysis/derived/derived.h"
#include "model/table.h"

/* Rows are turned when they are read; `t` must outlive the result. A table with nothing to turn is returned itself.
 * redact: hosts in device names become hashes. */
struct table *human_table(struct table *t, const struct derived *d, bool redact, struct arena *mem);
/* The way back for files that programs read: the rows of `human` as they now stand, with the cells of `raw`. */
const struct table *machine_table(const struct table *human, const struct table *raw, struct arena *mem);
#endif
