/* model/analysis/maths/alternate.h - whether parts of a sequence are of two sorts that take turns: two networks that are trained one after
 * the other, of one shape, give parts that look the same but for what only one of them does.
 * Pure: no trace. Cost: of the tokens. */
#ifndef STEPSCOPE_ALTERNATE_H
#define STEPSCOPE_ALTERNATE_H
#include "period.h"

/* One name is in all even parts but one at most and in no odd one, another one in the odd parts likewise (what encloses a part may begin
 * before it, and so before the first); of both sorts there are four or more. What lies before the first part or behind the last one does not count. begin_ns: where the parts begin, and the end of the last one,
 * n_parts + 1 entries; tokens: in order of time, names below n_names. */
bool parts_alternate(const struct token *tokens, uint32_t n, uint32_t n_names, const int64_t *begin_ns,
		     uint32_t n_parts);
#endif
