/* hosts: where the events come from and whether the clocks of the hosts agree. */
#include "clocks.h"
#include "comms.h"
#include "hosts_columns.h"
#include "model/analysis/query/cells.h"
#include "model/query.h"

TABLE_DECL(hosts);

static const struct column columns[] = {HOSTS_COLUMNS(COLUMN_ROW)};

static void host_row(const struct trace *t, const struct host_shift *h, const struct recordings *r, uint32_t host,
		     struct table *out)
{
	struct cell *row = table_row(out);
	int64_t devices = 0;
	for (uint32_t i = 0; i < trace_devices(t); i++)
		devices += trace_device(t, i)->host == host;
	cell_host(&row[COL_HOSTS_HOST], t, host);
	cell_rank(&row[COL_HOSTS_RANK], t, host);
	cell_int(&row[COL_HOSTS_DEVICES], devices);
	struct host_clock clock = host_clock(t, host);
	cell_text(&row[COL_HOSTS_AXIS], clock_method_word(clock.method));
	cell_int(&row[COL_HOSTS_PAIRS], h->pairs);
	cell_int(&row[COL_HOSTS_RESIDUAL], h->residual_ns);
	cell_int(&row[COL_HOSTS_SHIFT], clock.off_ns);
	cell_real(&row[COL_HOSTS_DRIFT], clock.drift_ppm);
	cell_int(&row[COL_HOSTS_RUN], r->run[host] + 1);
	cell_int(&row[COL_HOSTS_REPEATS], r->repeats[host] == NONE_ID ? UNKNOWN_I64 : r->repeats[host] + 1);
}

static struct table *run_hosts(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
			       struct err *e)
{
	/* collectives tell whether clocks agree, and one clock has none to agree with */
	static const struct host_shift alone = {.residual_ns = UNKNOWN_I64};
	const struct trace *t = derived_trace(d);
	const struct comms *comms = NULL;
	if (trace_hosts(t) > 1 && !(comms = comms_of(d, p, e)))
		return NULL;
	struct table *out = table_new(mem, &hosts_desc);
	query_bounds(q, t, &out->window_a_ns, &out->window_b_ns);
	struct recordings r = recordings_find(t, mem);
	for (uint32_t i = 0; i < trace_hosts(t); i++)
		host_row(t, comms ? &comms->x.axis.hosts[i] : &alone, &r, i, out);
	return out;
}

const struct table_desc hosts_desc = {
	.name = "hosts",
	.title = "Hosts",
	.help = "hosts and ranks of the trace, and whether their clocks agree",
	TABLE_COLUMNS(columns),
	.run = run_hosts,
	.first = COLUMN_LIST(COL_HOSTS_RANK, COL_HOSTS_HOST, COL_HOSTS_DEVICES, COL_HOSTS_AXIS, COL_HOSTS_SHIFT,
			     COL_HOSTS_PAIRS, COL_HOSTS_RESIDUAL, COL_HOSTS_RUN),
	.vs = {.why_not = "clocks concern one recording only"},
};
