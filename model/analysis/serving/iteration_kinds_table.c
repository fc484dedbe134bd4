/* iteration_kinds: iterations of one kind with one number of requests, one row for each: what can be compared with another run. */
#include "iteration_kinds_columns.h"
#include "iterations.h"
#include "model/analysis/query/cells.h"
#include "model/query.h"

TABLE_DECL(iteration_kinds);

static const struct column columns[] = {ITERATION_KINDS_COLUMNS(COLUMN_ROW)};

static void add_group(struct table *out, const struct derived *d, const struct iterations *v,
		      const struct iteration_group *g)
{
	struct cell *row = table_row(out);
	const struct iteration *longest = &v->at[g->longest];
	cell_text(&row[COL_ITERATION_KINDS_KIND], iteration_kind_name(g->kind));
	cell_int(&row[COL_ITERATION_KINDS_REQUESTS], g->requests);
	cell_device(&row[COL_ITERATION_KINDS_DEVICE], derived_trace(d), g->device);
	if (g->device != NONE_ID)
		cell_host(&row[COL_ITERATION_KINDS_HOST], derived_trace(d),
			  trace_device(derived_trace(d), g->device)->host);
	cell_int(&row[COL_ITERATION_KINDS_COUNT], g->n);
	cell_int(&row[COL_ITERATION_KINDS_MEAN], g->dur_ns / g->n);
	cell_int(&row[COL_ITERATION_KINDS_WORKS], g->device_ns / g->n);
	cell_pct(&row[COL_ITERATION_KINDS_IDLE_PCT], g->dur_ns - g->device_ns, g->dur_ns);
	cell_int(&row[COL_ITERATION_KINDS_BETWEEN], g->whole ? g->between_ns / g->n : UNKNOWN_I64);
	if (g->tokens != UNKNOWN_I64 && g->dur_ns > 0)
		cell_real(&row[COL_ITERATION_KINDS_RATE], (double)g->tokens * 1e9 / (double)g->dur_ns);
	table_evidence(out, longest->first_ns, longest->first_ns + longest->dur_ns, &longest->marker, 1);
}

static struct table *run_iteration_kinds(const struct derived *d, const struct query *q, struct arena *mem,
					 struct progress *p, struct err *e)
{
	const struct iterations *v = iterations_of(d, p, e);
	uint32_t n;
	if (!v)
		return NULL;
	struct table *out = table_new(mem, &iteration_kinds_desc);
	query_bounds(q, derived_trace(d), &out->window_a_ns, &out->window_b_ns);
	struct iteration_group *groups = iteration_groups(v, q->a_ns, q->b_ns, mem, &n);
	for (uint32_t i = 0; i < n; i++)
		add_group(out, d, v, &groups[i]);
	return out;
}

const struct table_desc iteration_kinds_desc = {
	.name = "iteration_kinds",
	.title = "Kinds of iterations",
	.help = "iterations of one kind with one number of requests: their means, next to those of another run with "
		"--vs",
	TABLE_COLUMNS(columns),
	.run = run_iteration_kinds,
	.lead = 2,
	.vs = {.key = COLUMN_LIST(COL_ITERATION_KINDS_KIND, COL_ITERATION_KINDS_REQUESTS, COL_ITERATION_KINDS_DEVICE),
	       .sums = COLUMN_LIST(COL_ITERATION_KINDS_MEAN, COL_ITERATION_KINDS_WORKS, COL_ITERATION_KINDS_BETWEEN,
				   COL_ITERATION_KINDS_RATE, COL_ITERATION_KINDS_COUNT),
	       .whole = true,
	       .all_time = true},
};
