/* tests/fuzz/tables.h - every table of a trace, for targets that end in one. In a file of its own: what is private to the
 * store and what analyses know do not go into one translation unit. */
#ifndef STEPSCOPE_FUZZ_TABLES_H
#define STEPSCOPE_FUZZ_TABLES_H
#include "model/store/trace/trace.h"

/* And throws them away; keeps no reference. Weak: a target may be linked with the store alone, and then makes none. */
__attribute__((weak)) void make_tables(struct trace *t);
#endif
