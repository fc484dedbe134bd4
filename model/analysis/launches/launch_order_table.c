/* launch_order: which device is launched first, which one idles until another was, and by how many threads. */
#include "launch_order.h"
#include "launch_order_columns.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/query/cells.h"
#include "model/table.h"

TABLE_DECL(launch_order);

static const struct column columns[] = {LAUNCH_ORDER_COLUMNS(COLUMN_ROW)};

static void put_device(struct table *out, const struct derived *d, const struct device_order *o)
{
	const struct trace *t = derived_trace(d);
	struct cell *row = table_row(out);
	cell_rank(&row[COL_LAUNCH_ORDER_RANK], t, trace_device(t, o->device)->host);
	cell_host(&row[COL_LAUNCH_ORDER_HOST], t, trace_device(t, o->device)->host);
	cell_device(&row[COL_LAUNCH_ORDER_DEVICE], t, o->device);
	cell_int(&row[COL_LAUNCH_ORDER_THREADS], o->threads);
	cell_bool(&row[COL_LAUNCH_ORDER_SHARED], o->shared);
	cell_int(&row[COL_LAUNCH_ORDER_LAUNCHES], o->launches);
	cell_int(&row[COL_LAUNCH_ORDER_STEPS], o->steps);
	if (!o->steps)
		return;
	cell_int(&row[COL_LAUNCH_ORDER_FIRST], o->first);
	cell_int(&row[COL_LAUNCH_ORDER_LATE], o->late);
	cell_int(&row[COL_LAUNCH_ORDER_LATE_BY], o->late_by_ns);
	cell_device(&row[COL_LAUNCH_ORDER_BEHIND], t, o->behind);
	cell_int(&row[COL_LAUNCH_ORDER_IDLE], o->begin_idle_ns);
	cell_int(&row[COL_LAUNCH_ORDER_WAITING], o->waiting_ns);
	cell_int(&row[COL_LAUNCH_ORDER_STEPS_NS], o->steps_ns);
	cell_text(&row[COL_LAUNCH_ORDER_CAUSE], o->cause == CAUSE_COUNT ? NULL : cause_word(o->cause));
	const row_id events[] = {o->latest, o->cause_row};
	if (o->latest != NONE_ID)
		table_evidence(out, o->latest_from_ns, row_end(derived_columns(d), o->latest), events,
			       o->cause_row == NONE_ID ? 1 : 2);
}

static struct table *run_launch_order(const struct derived *d, const struct query *q, struct arena *mem,
				      struct progress *p, struct err *e)
{
	struct launch_order all;
	if (!launch_order_find(d, q, mem, p, &all, e))
		return NULL;
	struct table *out = table_new(mem, &launch_order_desc);
	query_bounds(q, derived_trace(d), &out->window_a_ns, &out->window_b_ns);
	table_reserve(out, all.n);
	for (uint32_t i = 0; i < all.n; i++)
		put_device(out, d, &all.at[i]);
	return out;
}

const struct table_desc launch_order_desc = {
	.name = "launch_order",
	.title = "Launch order",
	.help = "on which device of a host the first work of a step is launched, which one idles until then, and how "
		"many threads launch",
	TABLE_COLUMNS(columns),
	.run = run_launch_order,
	.first = COLUMN_LIST(COL_LAUNCH_ORDER_RANK, COL_LAUNCH_ORDER_DEVICE, COL_LAUNCH_ORDER_THREADS,
			     COL_LAUNCH_ORDER_LATE, COL_LAUNCH_ORDER_STEPS, COL_LAUNCH_ORDER_LATE_BY,
			     COL_LAUNCH_ORDER_BEHIND, COL_LAUNCH_ORDER_IDLE, COL_LAUNCH_ORDER_WAITING),
	.report = {.brief = COLUMN_LIST(COL_LAUNCH_ORDER_RANK, COL_LAUNCH_ORDER_DEVICE, COL_LAUNCH_ORDER_THREADS,
					COL_LAUNCH_ORDER_LATE, COL_LAUNCH_ORDER_LATE_BY, COL_LAUNCH_ORDER_BEHIND,
					COL_LAUNCH_ORDER_IDLE),
		   .all_rows = true},
	.vs = {.key = COLUMN_LIST(COL_LAUNCH_ORDER_RANK, COL_LAUNCH_ORDER_DEVICE),
	       .sums = COLUMN_LIST(COL_LAUNCH_ORDER_LATE_BY, COL_LAUNCH_ORDER_IDLE, COL_LAUNCH_ORDER_THREADS),
	       .whole = true},
};
