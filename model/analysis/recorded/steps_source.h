/* model/analysis/recorded/steps_source.h - where the steps come from; for inferred ones what was found, else why nothing was. */
#ifndef STEPSCOPE_STEPS_SOURCE_H
#define STEPSCOPE_STEPS_SOURCE_H
#include "model/analysis/derived/derived.h"
#include "model/table.h"

/* Appends its rows to a table of keys and values (keyed.h). */
void steps_source_rows(struct table *t, const struct derived *d);
#endif
