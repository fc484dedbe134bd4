/* Tensor Cores: what could use them and does not, and what 16 bit would save elsewhere. */
#include "tensor_cores.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"

TABLE_DECL(tensor_cores);

/* clang-format off */
#define TENSOR_CORE_COLUMNS(_)                                                                                        \
	_(KERNEL,    "kernel",    TEXT, NONE,    "kernel name") \
	_(OP,        "op",        TEXT, NONE,    "framework op that launched it; of several, that of the longest kernel") \
	_(TOTAL,     "total_ns",  INT,  NS,      "their time inside the window") \
	_(STAKE,     "stake_ns",  INT,  NS,      "time that could be won at most: 2/3 of an unused one (the guide's 3x), half of one that moves bytes; null where it cannot be said or the device's compute capability is not known") \
	_(REASON,    "reason",    TEXT, NONE,    "fp32, fp32 without tf32, fp64, dimension (no multiple of 8; of 16 in 8 bit), layout, 32 bit, unknown") \
	_(DETAIL,    "detail",    TEXT, NONE,    "the dimension with its remainder, or the rows that begin between multiples of 8") \
	_(KIND,      "kind",      TEXT, NONE,    "unused: a product, convolution or attention on ordinary units; inefficient: uses Tensor Cores, but a dimension holds it back; bytes: memory-bound as a rule, and 16 bit would halve its bytes") \
	_(PRECISION, "precision", TEXT, NONE,    "of its inputs, by the kernel's name") \
	_(COUNT,     "count",     INT,  COUNT,   "kernels that start inside the window") \
	_(SHARE,     "share_pct", REAL, PERCENT, "total_ns as a share of the time of all kernels") \
	_(M,         "m",         INT,  COUNT,   "of a product M x K by K x N, where the trace tells shapes") \
	_(N,         "n",         INT,  COUNT,   "see m") \
	_(K,         "k",         INT,  COUNT,   "see m") \
	_(ADVICE,    "advice",    TEXT, NONE,    "what to do; only where the device is known to have Tensor Cores")
/* clang-format on */

enum tensor_core_column {
#define COLUMN_ENUM(id, name, type, unit, help) COL_##id,
	TENSOR_CORE_COLUMNS(COLUMN_ENUM)
#undef COLUMN_ENUM
		COL_COUNT_
};
static const struct column columns[] = {
#define COLUMN_ROW(id, name, type, unit, help) {name, CELL_##type, UNIT_##unit, help},
	TENSOR_CORE_COLUMNS(COLUMN_ROW)
#undef COLUMN_ROW
};

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
	cell_text(&row[COL_KERNEL], trace_str(t, x->name));
	cell_text(&row[COL_OP], x->op ? trace_str(t, x->op) : NULL);
	cell_text(&row[COL_KIND], tc_kind_word(x->kind));
	cell_text(&row[COL_PRECISION], precision_name(x->precision));
	cell_text(&row[COL_REASON], tc_reason_word(x->reason));
	cell_text(&row[COL_DETAIL], detail_of(x, out->mem));
	cell_int(&row[COL_COUNT], x->count);
	cell_int(&row[COL_TOTAL], x->total_ns);
	cell_int(&row[COL_STAKE], x->stake_ns);
	if (s->all_ns > 0)
		cell_real(&row[COL_SHARE], 100.0 * (double)x->total_ns / (double)s->all_ns);
	cell_int(&row[COL_M], x->dims.m);
	cell_int(&row[COL_N], x->dims.n);
	cell_int(&row[COL_K], x->dims.k);
	cell_text(&row[COL_ADVICE], s->device == TC_DEVICE_WITH ? tc_reason_advice(x->reason) : NULL);
	table_evidence(out, c->start_ns[x->longest], c->start_ns[x->longest] + x->longest_ns, &x->longest, 1);
}

static struct table *run_tensor_cores(const struct derived *d, const struct query *q, struct arena *mem,
				      struct progress *p, struct err *e)
{
	struct tensor_cores s;
	struct kernel_rules *rules = derived_rules_load(d, e);
	bool fine = rules && tensor_cores_make(d, q, rules, mem, p, &s, e);
	kernel_rules_free(rules);
	if (!fine)
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
	.help = "products that could use Tensor Cores and do not, with reason and time at stake, and what 16 bit would "
		"save elsewhere",
	TABLE_COLUMNS(columns),
	.run = run_tensor_cores,
	.first = COLUMN_LIST(COL_KERNEL, COL_REASON, COL_TOTAL, COL_DETAIL, COL_STAKE, COL_OP, COL_KIND, COL_PRECISION,
			     COL_COUNT, COL_SHARE),
	.report = {.intro = "products on ordinary units (unused), held back by a dimension (inefficient), and fp32 "
			    "kernels that 16 bit would halve (bytes)",
		   .brief = COLUMN_LIST(COL_KERNEL, COL_OP, COL_KIND, COL_REASON, COL_DETAIL, COL_COUNT, COL_TOTAL,
					COL_STAKE),
		   .wide = COLUMN_LIST(COL_KERNEL, COL_OP, COL_KIND, COL_PRECISION, COL_REASON, COL_DETAIL, COL_COUNT,
				       COL_TOTAL, COL_STAKE, COL_SHARE, COL_M, COL_N, COL_K)},
};
