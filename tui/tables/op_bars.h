/* tui/tables/op_bars.h - shares of self time as bars: by type and by op, on devices and on the host; the largest first, the
 * rest as one. The same for panes and reports. */
#ifndef STEPSCOPE_OP_BARS_H
#define STEPSCOPE_OP_BARS_H
#include "model/table.h"

enum { OP_CHARTS = 4, OP_BARS = 8 };
struct op_chart {
	const char *title; /* "Devices, by type" */
	struct op_bar {
		char name[96];
		double pct;
	} bars[OP_BARS];
	int n;
	bool ready, more; /* there are more than these */
};
/* Of the tables 'ops' and 'op_types', however they are sorted; NULL = not there yet. */
void op_bars_collect(const struct table *ops, const struct table *types, struct op_chart out[OP_CHARTS]);
/* How many bars are shown where there is room for `lines` of them, and what the others have together; 0 = nothing. */
int op_bars_shown(const struct op_chart *c, int lines, double *rest_pct);
#endif
