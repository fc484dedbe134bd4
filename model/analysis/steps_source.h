/* model/analysis/steps_source.h - where the steps come from; for inferred ones what was found, else why nothing was. */
#ifndef STEPSCOPE_STEPS_SOURCE_H
#define STEPSCOPE_STEPS_SOURCE_H
#include "../table.h"
#include "derived.h"

/* Appends its rows to a table of keys and values (keyed.h). */
void steps_source_rows(struct table *t, const struct derived *d);
#endif
