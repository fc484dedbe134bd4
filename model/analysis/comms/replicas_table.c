/* replicas: every device beside the others, per step, and who waits for whom. */
#include "replicas.h"
#include <math.h>
#include "model/analysis/derived/rows.h"
#include "model/analysis/query/cells.h"
#include "model/query.h"
#include "replicas_columns.h"

TABLE_DECL(replicas);

static const struct column columns[] = {REPLICAS_COLUMNS(COLUMN_ROW)};

void replica_late_cells(struct cell *row, const struct lateness *l)
{
	struct late_reason because = lateness_because(l);
	cell_int(&row[COL_REPLICAS_MATCHED], l->calls);
	if (!l->calls)
		return;
	cell_int(&row[COL_REPLICAS_WAIT], l->wait_ns);
	cell_int(&row[COL_REPLICAS_EXPOSED], l->exposed_ns);
	cell_int(&row[COL_REPLICAS_LAST], l->last);
	cell_int(&row[COL_REPLICAS_WAITED_FOR], l->waited_for_ns);
	cell_int(&row[COL_REPLICAS_LATE_BY], l->by_ns);
	cell_int(&row[COL_REPLICAS_ALONE], l->alone_ns);
	cell_text(&row[COL_REPLICAS_BECAUSE], because.words);
	if (l->judged || l->exposed_ns != UNKNOWN_I64)
		cell_int(&row[COL_REPLICAS_JUDGED], l->judged);
	if (because.words)
		cell_real(&row[COL_REPLICAS_BECAUSE_NS], because.ns);
}

static void replica_row(const struct trace *t, const struct replicas *all, const struct replica *r, struct table *out)
{
	struct cell *row = table_row(out);
	row_id main_event = r->late.calls ? lateness_because(&r->late).main : NONE_ID;
	cell_rank(&row[COL_REPLICAS_RANK], t, trace_device(t, r->device)->host);
	cell_host(&row[COL_REPLICAS_HOST], t, trace_device(t, r->device)->host);
	cell_device(&row[COL_REPLICAS_DEVICE], t, r->device);
	cell_int(&row[COL_REPLICAS_STEPS], r->steps);
	cell_real(&row[COL_REPLICAS_STEP], r->step_ns);
	cell_real(&row[COL_REPLICAS_OWN], r->step_ns - r->wait_ns);
	cell_int(&row[COL_REPLICAS_STEPS_NS], r->steps_ns);
	cell_int(&row[COL_REPLICAS_STEPS_WAIT], r->steps_wait_ns);
	cell_int(&row[COL_REPLICAS_STEPS_EXPOSED], r->steps_exposed_ns);
	cell_real(&row[COL_REPLICAS_COMPUTE], r->compute_ns);
	cell_real(&row[COL_REPLICAS_TO_MEAN],
		  r->together && all->compute_mean_ns > 0 ? r->compute_ns / all->compute_mean_ns : NAN);
	cell_real(&row[COL_REPLICAS_KERNELS], r->kernels);
	cell_real(&row[COL_REPLICAS_CALLS], r->calls);
	cell_int(&row[COL_REPLICAS_BUSY], r->busy_ns);
	if (r->together)
		cell_pct(&row[COL_REPLICAS_OVERLAP], r->shared_ns, r->busy_ns);
	replica_late_cells(row, &r->late);
	cell_real(&row[COL_REPLICAS_PACE], r->pace.ratio);
	cell_real(&row[COL_REPLICAS_EVEN], r->pace.even_pct);
	if (main_event != NONE_ID) {
		cell_text(&row[COL_REPLICAS_BECAUSE_IN], trace_str(t, trace_columns(t)->name[main_event]));
		const struct columns *c = trace_columns(t);
		table_evidence(out, c->start_ns[main_event], row_end(c, main_event), &main_event, 1);
	}
}

static struct table *run_replicas(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
				  struct err *e)
{
	struct replicas all;
	struct table *out = table_new(mem, &replicas_desc);
	query_bounds(q, derived_trace(d), &out->window_a_ns, &out->window_b_ns);
	if (!replicas_find(d, q, mem, p, &all, e))
		return NULL;
	table_reserve(out, all.n);
	for (uint32_t i = 0; i < all.n; i++)
		replica_row(derived_trace(d), &all, &all.at[i], out);
	return out;
}

const struct table_desc replicas_desc = {
	.name = "replicas",
	.title = "Replicas",
	.help = "devices compared: step time, compute and kernels per step, who is last at collectives and why",
	TABLE_COLUMNS(columns),
	.run = run_replicas,
	.first = COLUMN_LIST(COL_REPLICAS_RANK, COL_REPLICAS_DEVICE, COL_REPLICAS_STEP, COL_REPLICAS_COMPUTE,
			     COL_REPLICAS_TO_MEAN, COL_REPLICAS_WAIT, COL_REPLICAS_LAST, COL_REPLICAS_WAITED_FOR,
			     COL_REPLICAS_BECAUSE),
	.report = {.brief = COLUMN_LIST(COL_REPLICAS_RANK, COL_REPLICAS_DEVICE, COL_REPLICAS_STEP, COL_REPLICAS_COMPUTE,
					COL_REPLICAS_WAIT, COL_REPLICAS_LAST, COL_REPLICAS_BECAUSE),
		   .all_rows = true},
	.vs = {.key = COLUMN_LIST(COL_REPLICAS_RANK, COL_REPLICAS_DEVICE),
	       .sums = COLUMN_LIST(COL_REPLICAS_STEP, COL_REPLICAS_OWN, COL_REPLICAS_COMPUTE, COL_REPLICAS_KERNELS,
				   COL_REPLICAS_CALLS),
	       .whole = true,
	       .of_job = true},
};
