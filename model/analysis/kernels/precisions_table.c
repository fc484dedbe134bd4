/* Precision of the kernels: how many, how long, and how much of it on Tensor Cores. */
#include "kernel_stats.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/cells.h"
#include "model/shared_columns.h"

TABLE_DECL(precisions);

/* clang-format off */
#define PRECISION_COLUMNS(_) \
	_(COL_PRECISION,  SHARED_PRECISION) \
	_(COL_COUNT,      SHARED_KERNELS) \
	_(COL_COUNT_PCT,  SHARED_KERNELS_PCT) \
	_(COL_TOTAL,      "total_ns",      INT,  NS,      "their time inside the window") \
	_(COL_SHARE,      SHARED_KERNEL_TIME_PCT) \
	_(COL_TC,         "tc_ns",         INT,  NS,      "of it on Tensor Cores (matrix cores)") \
	_(COL_NO_TC,      "no_tc_ns",      INT,  NS,      "of it on ordinary units") \
	_(COL_UNTOLD,     "tc_unknown_ns", INT,  NS,      "of it in kernels whose names do not say") \
	_(COL_ELIGIBLE,   "unused_ns",     INT,  NS,      "of no_tc_ns in kernels whose op could use Tensor Cores")
/* clang-format on */

enum precision_column { PRECISION_COLUMNS(COLUMN_ID) };
static const struct column columns[] = {PRECISION_COLUMNS(COLUMN_ROW)};

enum { CLASSES = PREC_OTHER + 1 };
struct sums {
	int64_t count, total_ns, unused_ns, by_tc_ns[VERDICT_UNKNOWN + 1];
};

static void add_up(const struct kernel_stats *k, struct sums of[CLASSES])
{
	for (uint32_t i = 0; i < k->n_kinds; i++) {
		const struct kernel_kind *g = &k->kinds[i];
		struct sums *s = &of[g->precision];
		s->count += (int64_t)g->count;
		s->total_ns += g->total_ns;
		s->by_tc_ns[g->uses_tc] += g->total_ns;
		if (g->eligible == VERDICT_YES && g->uses_tc == VERDICT_NO)
			s->unused_ns += g->total_ns;
	}
}

static void put(struct table *t, const struct kernel_stats *k, int precision, const struct sums *s)
{
	struct cell *row = table_row(t);
	cell_text(&row[COL_PRECISION], precision_name((enum precision)precision));
	cell_int(&row[COL_COUNT], s->count);
	cell_pct(&row[COL_COUNT_PCT], s->count, (int64_t)k->count);
	cell_int(&row[COL_TOTAL], s->total_ns);
	cell_pct(&row[COL_SHARE], s->total_ns, k->total_ns);
	cell_int(&row[COL_TC], s->by_tc_ns[VERDICT_YES]);
	cell_int(&row[COL_NO_TC], s->by_tc_ns[VERDICT_NO]);
	cell_int(&row[COL_UNTOLD], s->by_tc_ns[VERDICT_UNKNOWN]);
	cell_int(&row[COL_ELIGIBLE], s->unused_ns);
}

static struct table *make_table(const struct kernel_stats *k, struct arena *mem)
{
	struct table *t = table_new(mem, &precisions_desc);
	struct sums of[CLASSES] = {0};
	add_up(k, of);
	for (int p = 0; p < CLASSES; p++)
		if (of[p].count || of[p].total_ns)
			put(t, k, p, &of[p]);
	table_sort(t, COL_TOTAL, true);
	t->sort_col = COL_TOTAL;
	t->sort_desc = true;
	return t;
}

static struct table *run_precisions(const struct derived *d, const struct query *q, struct arena *mem,
				    struct progress *p, struct err *e)
{
	const struct kernel_stats *k = shared_part(&kernel_stats_part, d, q, mem, p, e);
	if (!k)
		return NULL;
	struct table *t = make_table(k, mem);
	query_bounds(q, derived_trace(d), &t->window_a_ns, &t->window_b_ns);
	return t;
}

const struct table_desc precisions_desc = {
	.name = "precisions",
	.title = "Precisions",
	.help = "kernels by precision: how many, how long, how much of it on Tensor Cores",
	TABLE_COLUMNS(columns),
	.run = run_precisions,
	.report = {.intro = "of the kernels' inputs, by their names",
		   .brief = COLUMN_LIST(COL_PRECISION, COL_COUNT, COL_TOTAL, COL_SHARE, COL_TC, COL_NO_TC, COL_UNTOLD,
					COL_ELIGIBLE)},
	.vs = {.key = COLUMN_LIST(COL_PRECISION), .sums = COLUMN_LIST(COL_TOTAL, COL_COUNT, COL_TC, COL_NO_TC)},
};
