/* tui/tables/column_head.h - names of columns as people read them above cells that carry their unit: "kernel_launch_ns" is "kernel launch". */
#ifndef STEPSCOPE_COLUMN_HEAD_H
#define STEPSCOPE_COLUMN_HEAD_H
#include "model/table.h"

enum { HEAD_BUF = 96 };
/* Without its unit; where another column of the table would then have the same name, with "time", "%" or "bytes" behind it. Returns buf. */
const char *column_head(const struct table *t, uint32_t col, char buf[static HEAD_BUF]);
/* Of a key, whose table mixes units: "step mean time", "input %". Returns buf. */
const char *key_head(const char *key, char buf[static HEAD_BUF]);
#endif
