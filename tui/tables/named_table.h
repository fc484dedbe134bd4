/* tui/tables/named_table.h - a table with its kernel names at the chosen length: full C++ names fill screens.
 * Which columns of which tables hold such names is a list in named_table.c. */
#ifndef STEPSCOPE_NAMED_TABLE_H
#define STEPSCOPE_NAMED_TABLE_H
#include "model/analysis/derived/derived.h"
#include "model/store/base/err.h"
#include "model/table.h"

enum kernel_names { NAMES_RECORDED, NAMES_FULL, NAMES_SHORT, NAMES_FAMILY };
/* "full", "short", "family"; false: another word. */
bool kernel_names_parse(const char *word, enum kernel_names *out);
/* The table itself where nothing changes; else one in `mem`, of which `t` must outlive it. NULL with `e`. */
struct table *named_table(struct table *t, const struct derived *d, enum kernel_names names, struct arena *mem,
			  struct err *e);
#endif
