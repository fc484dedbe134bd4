/* pipeline_stages: stages that hand tensors on by sends and receives, and how long each stands idle or waits. */
#include "pipeline.h"
#include "model/analysis/query/cells.h"
#include "model/table.h"
#include "pipeline_columns.h"

TABLE_DECL(pipeline_stages);

static const struct column columns[] = {PIPELINE_COLUMNS(COLUMN_ROW)};

static void put_stage(struct table *out, const struct trace *t, uint32_t number, const struct stage *s)
{
	struct cell *row = table_row(out);
	cell_int(&row[COL_PIPELINE_STAGE], number);
	cell_rank(&row[COL_PIPELINE_RANK], t, trace_device(t, s->device)->host);
	cell_host(&row[COL_PIPELINE_HOST], t, trace_device(t, s->device)->host);
	cell_device(&row[COL_PIPELINE_DEVICE], t, s->device);
	cell_int(&row[COL_PIPELINE_STEPS], s->steps);
	cell_int(&row[COL_PIPELINE_STEPS_NS], s->steps_ns);
	cell_int(&row[COL_PIPELINE_COMPUTE], s->compute_ns);
	cell_int(&row[COL_PIPELINE_BUBBLE], s->bubble_ns);
	cell_pct(&row[COL_PIPELINE_PCT], s->bubble_ns, s->steps_ns);
	cell_int(&row[COL_PIPELINE_SENDS], s->sends);
	cell_int(&row[COL_PIPELINE_RECEIVES], s->receives);
	cell_int(&row[COL_PIPELINE_SENT], s->sent_bytes);
}

static struct table *run_pipeline_stages(const struct derived *d, const struct query *q, struct arena *mem,
					 struct progress *p, struct err *e)
{
	struct stages all;
	if (!stages_find(d, q, mem, p, &all, e))
		return NULL;
	struct table *out = table_new(mem, &pipeline_stages_desc);
	query_bounds(q, derived_trace(d), &out->window_a_ns, &out->window_b_ns);
	for (uint32_t i = 0; i < all.n; i++)
		put_stage(out, derived_trace(d), i, &all.at[i]);
	return out;
}

const struct table_desc pipeline_stages_desc = {
	.name = "pipeline_stages",
	.title = "Stages of the pipeline",
	.help = "pipeline stages that pass tensors on by sends and receives, and how much of their steps is bubble",
	TABLE_COLUMNS(columns),
	.run = run_pipeline_stages,
	.report = {.brief = COLUMN_LIST(COL_PIPELINE_STAGE, COL_PIPELINE_RANK, COL_PIPELINE_DEVICE, COL_PIPELINE_STEPS,
					COL_PIPELINE_COMPUTE, COL_PIPELINE_BUBBLE, COL_PIPELINE_PCT),
		   .all_rows = true},
	.vs = {.key = COLUMN_LIST(COL_PIPELINE_RANK, COL_PIPELINE_DEVICE),
	       .sums = COLUMN_LIST(COL_PIPELINE_BUBBLE, COL_PIPELINE_COMPUTE, COL_PIPELINE_SENT),
	       .of_job = true},
};
