/* What takes the time where no framework's profiler was at work, or neither devices nor ops of steps are recorded: events of threads by
 * the time of their own. */
#include "overview_parts.h"
#include "top.h"
#include "model/analysis/query/keyed.h"
#include "model/columns.h"
#include <string.h>

enum { TOP_NAMES = 5 };

static void put_name(struct table *t, const struct table *names, uint32_t row)
{
	const struct evidence *e = table_evidence_of(names, row);
	bool first = row == 0;
	keyed_text(t, arena_printf(t->mem, "top_event_%u", row + 1), table_cell(names, row, TOP_OP_NAME)->s,
		   first ? "Host events of this name take the most self time, over all threads." : NULL);
	table_evidence(t, e->a_ns, e->b_ns, e->rows, e->n);
	keyed_int(t, arena_printf(t->mem, "top_event_%u_ns", row + 1), UNIT_NS, table_cell(names, row, TOP_OP_TOTAL)->i,
		  first ? "That time: without events nested inside." : NULL);
	table_evidence(t, e->a_ns, e->b_ns, e->rows, e->n);
	keyed_real(t, arena_printf(t->mem, "top_event_%u_pct", row + 1), UNIT_PERCENT,
		   table_cell(names, row, TOP_OP_SHARE)->r,
		   first ? "Its share of the time of all events on threads." : NULL);
	table_evidence(t, e->a_ns, e->b_ns, e->rows, e->n);
}

static bool tells_ops(const struct table *overview)
{
	static const char first[] = "top_op_1";
	for (uint32_t row = 0; row < overview->n_rows; row++)
		if (!strcmp(column_text(overview, row, KEYED_KEY), first))
			return true;
	return false;
}

void overview_host(struct table *t, const struct derived *d)
{
	bool steps = derived_steps(d) > 0;
	if (top_from_framework(d) && (trace_devices(derived_trace(d)) > 0 || (steps && tells_ops(t))))
		return;
	struct top_req r = {.d = d, .a_ns = t->window_a_ns, .b_ns = t->window_b_ns, .works = steps};
	const struct table *names = top_names(&r, t->mem);
	for (uint32_t row = 0; row < names->n_rows && row < TOP_NAMES; row++)
		put_name(t, names, row);
}
