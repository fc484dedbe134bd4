/* fusion: what could be saved if runs of element-wise kernels were one kernel each. */
#include "fusion_columns.h"
#include "fusion.h"
#include "fusion_where.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/cells.h"

TABLE_DECL(fusion);

static const struct column columns[] = {FUSION_COLUMNS(COLUMN_ROW)};

/* Written when a row is first read. */
struct run_texts {
	const char *ops, *scope;
	bool made;
};
struct listing {
	struct table *table;
	const struct derived *d;
	struct fusion_stats stats;
	struct run_texts *texts; /* by place */
};

static const struct run_texts *texts_of(const struct listing *l, uint32_t place)
{
	const struct fusion_group *g = &l->stats.at[place];
	struct run_texts *x = &l->texts[place];
	if (!x->made)
		*x = (struct run_texts){fusion_ops(l->d, g->first, g->kernels, l->table->mem),
					fusion_scope(l->d, g->first, g->kernels, l->table->mem), true};
	return x;
}

static void fill_run(struct cell *row, const struct listing *l, uint32_t place)
{
	const struct fusion_group *g = &l->stats.at[place];
	const struct trace *t = derived_trace(l->d);
	cell_int(&row[COL_FUSION_KERNELS], g->kernels ? g->kernels : UNKNOWN_I64);
	if (!g->kernels)
		return;
	cell_text(&row[COL_FUSION_OPS], texts_of(l, place)->ops);
	cell_text(&row[COL_FUSION_ENCLOSED_BY], texts_of(l, place)->scope);
	cell_text(&row[COL_FUSION_FIRST_KERNEL], trace_str(t, trace_columns(t)->name[g->first]));
}

static void fill_evidence(struct made_row *out, const struct listing *l, const struct fusion_group *g)
{
	const struct columns *c = trace_columns(derived_trace(l->d));
	int64_t a_ns = c->start_ns[g->first];
	out->events[0] = g->first;
	out->evidence =
		(struct evidence){a_ns, a_ns + fusion_ns(&l->stats, g, FUSION_LONGEST_NS), out->events, 1, NULL};
}

static void make_run(const void *ctx, uint32_t place, struct made_row *out)
{
	const struct listing *l = ctx;
	const struct fusion_group *g = &l->stats.at[place];
	const struct trace *t = derived_trace(l->d);
	struct cell *row = out->cells;
	fill_run(row, l, place);
	cell_int(&row[COL_FUSION_COUNT], g->count);
	if (g->of_steps)
		cell_real(&row[COL_FUSION_PER_STEP], (double)g->in_steps / g->of_steps);
	cell_int(&row[COL_FUSION_IN_NS], fusion_ns(&l->stats, g, FUSION_IN_NS));
	cell_int(&row[COL_FUSION_BETWEEN], fusion_ns(&l->stats, g, FUSION_BETWEEN_NS));
	cell_int(&row[COL_FUSION_SAVED], fusion_ns(&l->stats, g, FUSION_SAVED_NS));
	cell_int(&row[COL_FUSION_IN_STEPS], g->in_steps);
	cell_int(&row[COL_FUSION_KERNELS_SAVED], fusion_ns(&l->stats, g, FUSION_KERNELS_SAVED_NS));
	cell_int(&row[COL_FUSION_KERNELS_SAVED_IN_STEPS], fusion_ns(&l->stats, g, FUSION_KERNELS_SAVED_IN_STEPS_NS));
	cell_int(&row[COL_FUSION_ALL_KERNELS], g->all_kernels);
	cell_int(&row[COL_FUSION_ALL_KERNELS_IN_STEPS], g->all_kernels_in_steps);
	cell_pct(&row[COL_FUSION_SAVED_PCT], fusion_ns(&l->stats, g, FUSION_SAVED_NS),
		 l->stats.kernels_ns + l->stats.between_ns);
	cell_int(&row[COL_FUSION_AVG], fusion_ns(&l->stats, g, FUSION_IN_NS) / g->all_kernels);
	cell_rank(&row[COL_FUSION_RANK], t, trace_device(t, g->device)->host);
	cell_host(&row[COL_FUSION_HOST], t, trace_device(t, g->device)->host);
	cell_device(&row[COL_FUSION_DEVICE], t, g->device);
	fill_evidence(out, l, g);
}

static struct table *run_fusion(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
				struct err *e)
{
	struct listing *l = arena_alloc(mem, sizeof *l);
	const struct fusion_stats *stats = shared_part(&fusion_stats_part, d, q, mem, p, e);
	if (!stats)
		return NULL;
	l->stats = *stats;
	struct table *t = table_new(mem, &fusion_desc);
	query_bounds(q, derived_trace(d), &t->window_a_ns, &t->window_b_ns);
	l->table = t;
	l->d = d;
	l->texts = arena_alloc(mem, (l->stats.n + 1u) * sizeof *l->texts);
	table_made(t, l->stats.n, make_run, l);
	t->sort_col = COL_FUSION_SAVED; /* the groups come in this order already */
	t->sort_desc = true;
	return t;
}

const struct table_desc fusion_desc = {
	.name = "fusion",
	.title = "Fusion",
	.help = "runs of element-wise kernels, and what fusing each into one kernel would save at most",
	TABLE_COLUMNS(columns),
	.run = run_fusion,
	.first = COLUMN_LIST(COL_FUSION_SAVED, COL_FUSION_SAVED_PCT, COL_FUSION_KERNELS, COL_FUSION_COUNT,
			     COL_FUSION_DEVICE, COL_FUSION_OPS, COL_FUSION_ENCLOSED_BY, COL_FUSION_IN_NS,
			     COL_FUSION_BETWEEN, COL_FUSION_PER_STEP, COL_FUSION_AVG),
	.lead = 3,
	.report = {.intro = "runs of element-wise kernels; saved: upper bound of what one kernel instead would save",
		   .brief = COLUMN_LIST(COL_FUSION_OPS, COL_FUSION_ENCLOSED_BY, COL_FUSION_KERNELS, COL_FUSION_COUNT,
					COL_FUSION_IN_NS, COL_FUSION_BETWEEN, COL_FUSION_SAVED, COL_FUSION_SAVED_PCT),
		   .wide = COLUMN_LIST(COL_FUSION_OPS, COL_FUSION_ENCLOSED_BY, COL_FUSION_KERNELS, COL_FUSION_COUNT,
				       COL_FUSION_IN_NS, COL_FUSION_BETWEEN, COL_FUSION_SAVED, COL_FUSION_SAVED_PCT),
		   .sort = COLUMN_LIST(COL_FUSION_SAVED)},
	.vs = {.key = COLUMN_LIST(COL_FUSION_RANK, COL_FUSION_DEVICE, COL_FUSION_OPS),
	       .sums = COLUMN_LIST(COL_FUSION_IN_NS, COL_FUSION_SAVED, COL_FUSION_COUNT)},
};
