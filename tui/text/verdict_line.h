/* tui/text/verdict_line.h - the findings in one line: what matters most, then what comes next. It says no number of its own. */
#ifndef STEPSCOPE_VERDICT_LINE_H
#define STEPSCOPE_VERDICT_LINE_H
#include "model/finding.h"

/* Of the table 'findings', which comes worst first:
 *   fails and warnings  "input-bound: 33.9 % of the step waits for input; then: Tensor Cores unused"; of findings with the
 *                       same advice only the first; more than one comes next only where `cols` columns have room
 *   abstentions only    what cannot be told, in their words
 *   else                what keeps the devices busy
 * state: of what it begins with. The text lies in `mem`, the table or is constant. */
const char *verdict_line(const struct table *findings, int cols, enum finding_state *state, struct arena *mem);
#endif
