/* tui/tables/column_head.h - the one place that says what people read above a column: "kernel_launch_ns" is "kernel launch", as cells carry their
 * unit. Screens, Markdown and HTML have the same heads; CSV, JSON and text for scripts have the columns' names.
 * Threads: any. Errors: none; what is longer than HEAD_BUF is cut. */
#ifndef STEPSCOPE_COLUMN_HEAD_H
#define STEPSCOPE_COLUMN_HEAD_H
#include "model/table.h"

enum { HEAD_BUF = 96 };
/* Without its unit, unless columns of the table differ in nothing else: the first of what has none, a time, bytes, a share goes without
 * a word, the others say "time", "bytes", "%". Returns buf, the caller's. */
const char *column_head(const struct table *t, uint32_t col, char buf[static HEAD_BUF]);
/* Of a key, whose table mixes units: "step mean", "input %", "peak bytes". Returns buf, the caller's. */
const char *key_head(const char *key, char buf[static HEAD_BUF]);
#endif
