/* hosts: where the events come from and whether the clocks of the hosts agree. */
#include "clocks.h"
#include "comms.h"
#include "model/analysis/query/cells.h"
#include "model/query.h"
#include "model/shared_columns.h"

TABLE_DECL(hosts);

/* clang-format off */
static const struct column columns[] = {
	COLUMN_ROW(HOST, SHARED_HOST)
	COLUMN_ROW(RANK, SHARED_RANK)
	{"devices", CELL_INT, UNIT_COUNT, "devices of the host with events in the trace"},
	{"axis", CELL_TEXT, UNIT_NONE, "what puts the host on the one axis of timeline and tables: recorded times; collectives, which end on all ranks at once, where recorded times do not agree with that; by hand: --shift; own axis: recorded times tell nothing, and each rank begins at 0"},
	{"axis_pairs", CELL_INT, UNIT_COUNT, "calls of collectives with other hosts whose ends were compared; null or 0: nothing tests the clocks"},
	{"axis_residual_ns", CELL_INT, UNIT_NS, "median distance of the ends of its calls from the middle end of the same call on all hosts, on that axis"},
	{"axis_shift_ns", CELL_INT, UNIT_NS, "what is taken off its recorded times, at its first such call; 0: nothing"},
	{"axis_drift_ppm", CELL_REAL, UNIT_NONE, "by how many millionths its clock runs faster than that of the first host; 0 unless there are calls enough to tell"},
	{"run", CELL_INT, UNIT_ID, "recordings that overlap in time are one run, numbered from 1 in order of time; means over several runs mix them: open one at a time"},
	{"repeats_host", CELL_INT, UNIT_ID, "row of this table, from 1 on, whose recording it holds once more: leave one of the files away; null: none"},
};
/* clang-format on */
enum { HOST, RANK, DEVICES, AXIS, PAIRS, RESIDUAL, SHIFT, DRIFT, RUN, REPEATS };

static void host_row(const struct trace *t, const struct rank_axis *x, const struct recordings *r, uint32_t host,
		     struct table *out)
{
	const struct host_shift *h = &x->hosts[host];
	struct cell *row = table_row(out);
	int64_t devices = 0;
	for (uint32_t i = 0; i < trace_devices(t); i++)
		devices += trace_device(t, i)->host == host;
	cell_host(&row[HOST], t, host);
	cell_rank(&row[RANK], t, host);
	cell_int(&row[DEVICES], devices);
	struct host_clock clock = host_clock(t, host);
	cell_text(&row[AXIS], clock_method_word(clock.method));
	cell_int(&row[PAIRS], h->pairs);
	cell_int(&row[RESIDUAL], h->residual_ns);
	cell_int(&row[SHIFT], clock.off_ns);
	cell_real(&row[DRIFT], clock.drift_ppm);
	cell_int(&row[RUN], r->run[host] + 1);
	cell_int(&row[REPEATS], r->repeats[host] == NONE_ID ? UNKNOWN_I64 : r->repeats[host] + 1);
}

static struct table *run_hosts(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
			       struct err *e)
{
	const struct comms *comms = comms_of(d, p, e);
	if (!comms)
		return NULL;
	struct table *out = table_new(mem, &hosts_desc);
	query_bounds(q, derived_trace(d), &out->window_a_ns, &out->window_b_ns);
	struct recordings r = recordings_find(derived_trace(d), mem);
	for (uint32_t i = 0; i < trace_hosts(derived_trace(d)); i++)
		host_row(derived_trace(d), &comms->x.axis, &r, i, out);
	return out;
}

const struct table_desc hosts_desc = {
	.name = "hosts",
	.title = "Hosts",
	.help = "hosts and ranks of the trace, and whether their clocks agree",
	TABLE_COLUMNS(columns),
	.run = run_hosts,
	.first = COLUMN_LIST(RANK, HOST, DEVICES, AXIS, SHIFT, PAIRS, RESIDUAL, RUN),
};
