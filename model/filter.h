/* model/filter.h - which events: a PCRE2 pattern on the name and/or field conditions.
 * Language: conditions joined by blanks (and). `name=/regex/i`, `name=text` (substring, smart case), `kind=kernel`,
 *           `track=/regex/`, `stream=7`, `device=0`, `step=5`, `dur>1ms`, `dur<=20us`, `corr=123`, `op=/regex/`,
 *           `!` before a condition negates it; a bare word or /regex/ means name. One list describes all fields.
 * Owner:    filter_new -> filter_free. Threads: a filter may be used by one thread at a time. */
#ifndef STEPSCOPE_FILTER_H
#define STEPSCOPE_FILTER_H
#include "store/err.h"
#include "store/trace.h"

struct filter;
struct filter *filter_new(const char *text, struct err *e); /* NULL and a usage error naming the place otherwise */
void filter_free(struct filter *f);
const char *filter_text(const struct filter *f);
/* step_of: step label of the event for `step=` (may be NULL: such conditions then match nothing). */
bool filter_match(const struct filter *f, const struct trace *t, row_id r, const char *step_label);
#endif
