/* Tensor Cores: what could use them and does not, and what 16 bit would save elsewhere. */
#include "tensor_cores_columns.h"
#include "tensor_cores.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"

TABLE_DECL(tensor_cores);

static const struct column columns[] = {TENSOR_CORES_COLUMNS(COLUMN_ROW)};

static const char *detail_of(const struct tc_row *x, struct arena *mem)
{
	const struct tc_dims *d = &x->dims;
	if (d->wrong == 's')
		return d->rest ? arena_printf(mem, "rows begin %u past a multiple of %u elements", d->rest, d->factor)
			       : "no side of an operand lies together";
	if (!d->wrong)
		return x->reason == TC_LAYOUT ? "channels are not the innermost dimension (NCHW)" : NULL;
	int64_t v = d->wrong == 'n' ? d->n : d->wrong == 'k' ? d->k : d->m;
	return arena_printf(mem, "%c = %lld, %lld mod %u = %u", d->wrong - 'a' + 'A', (long long)v, (long long)v,
			    d->factor, d->rest);
}

static void put_row(struct table *out, const struct trace *t, const struct tensor_cores *s, const struct tc_row *x)
{
	const struct columns *c = trace_columns(t);
	struct cell *row = table_row(out);
	cell_text(&row[COL_TENSOR_CORES_KERNEL], trace_str(t, x->name));
	cell_text(&row[COL_TENSOR_CORES_OP], x->op ? trace_str(t, x->op) : NULL);
	cell_text(&row[COL_TENSOR_CORES_PROBLEM], tc_kind_word(x->kind));
	cell_text(&row[COL_TENSOR_CORES_PRECISION], precision_name(x->precision));
	cell_text(&row[COL_TENSOR_CORES_REASON], tc_reason_word(x->reason));
	cell_text(&row[COL_TENSOR_CORES_DETAIL], detail_of(x, out->mem));
	cell_int(&row[COL_TENSOR_CORES_COUNT], x->count);
	cell_int(&row[COL_TENSOR_CORES_TOTAL], x->total_ns);
	cell_int(&row[COL_TENSOR_CORES_STAKE], x->stake_ns);
	if (s->all_ns > 0)
		cell_real(&row[COL_TENSOR_CORES_SHARE], 100.0 * (double)x->total_ns / (double)s->all_ns);
	cell_int(&row[COL_TENSOR_CORES_M], x->dims.m);
	cell_int(&row[COL_TENSOR_CORES_N], x->dims.n);
	cell_int(&row[COL_TENSOR_CORES_K], x->dims.k);
	cell_text(&row[COL_TENSOR_CORES_ADVICE], s->device == TC_DEVICE_WITH ? tc_reason_advice(x->reason) : NULL);
	table_evidence(out, c->start_ns[x->longest], c->start_ns[x->longest] + x->longest_ns, &x->longest, 1);
}

static struct table *run_tensor_cores(const struct derived *d, const struct query *q, struct arena *mem,
				      struct progress *p, struct err *e)
{
	struct tensor_cores s;
	if (!tensor_cores_make(d, q, mem, p, &s, e))
		return NULL;
	struct table *t = table_new(mem, &tensor_cores_desc);
	query_bounds(q, derived_trace(d), &t->window_a_ns, &t->window_b_ns);
	table_reserve(t, s.n);
	for (uint32_t i = 0; i < s.n; i++)
		put_row(t, derived_trace(d), &s, &s.at[i]);
	return t;
}

const struct table_desc tensor_cores_desc = {
	.name = "tensor_cores",
	.title = "Tensor Cores",
	.help = "matrix products that could use Tensor Cores and do not, why, the time at stake, and what 16 bit would "
		"save elsewhere",
	TABLE_COLUMNS(columns),
	.run = run_tensor_cores,
	.first = COLUMN_LIST(COL_TENSOR_CORES_KERNEL, COL_TENSOR_CORES_REASON, COL_TENSOR_CORES_TOTAL,
			     COL_TENSOR_CORES_DETAIL, COL_TENSOR_CORES_STAKE, COL_TENSOR_CORES_OP,
			     COL_TENSOR_CORES_PROBLEM, COL_TENSOR_CORES_PRECISION, COL_TENSOR_CORES_COUNT,
			     COL_TENSOR_CORES_SHARE),
	.lead = 2,
	.report = {.intro = "products on ordinary units (unused), held back by a dimension (inefficient), and fp32 "
			    "kernels that 16 bit would halve (bytes)",
		   .brief = COLUMN_LIST(COL_TENSOR_CORES_KERNEL, COL_TENSOR_CORES_OP, COL_TENSOR_CORES_PROBLEM,
					COL_TENSOR_CORES_REASON, COL_TENSOR_CORES_DETAIL, COL_TENSOR_CORES_COUNT,
					COL_TENSOR_CORES_TOTAL, COL_TENSOR_CORES_STAKE),
		   .wide = COLUMN_LIST(COL_TENSOR_CORES_KERNEL, COL_TENSOR_CORES_OP, COL_TENSOR_CORES_PROBLEM,
				       COL_TENSOR_CORES_PRECISION, COL_TENSOR_CORES_REASON, COL_TENSOR_CORES_DETAIL,
				       COL_TENSOR_CORES_COUNT, COL_TENSOR_CORES_TOTAL, COL_TENSOR_CORES_STAKE,
				       COL_TENSOR_CORES_SHARE, COL_TENSOR_CORES_M, COL_TENSOR_CORES_N,
				       COL_TENSOR_CORES_K)},
	.vs = {.key = COLUMN_LIST(COL_TENSOR_CORES_OP, COL_TENSOR_CORES_REASON, COL_TENSOR_CORES_KERNEL),
	       .sums = COLUMN_LIST(COL_TENSOR_CORES_TOTAL, COL_TENSOR_CORES_STAKE, COL_TENSOR_CORES_COUNT)},
};
