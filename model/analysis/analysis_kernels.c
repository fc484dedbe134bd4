/* Kernel statistics: one row per kernel name, launch shape and op; section "GPU kernel stats" of the reference tool. */
#include "analysis.h"
#include "kernel_stats.h"
#include <stdlib.h>

/* clang-format off */
#define KERNEL_COLUMNS(_)                                                                                              \
	_(NAME,      "name",          TEXT, NONE,    "kernel name")                                                    \
	_(REGISTERS, "registers",     INT,  NONE,    "registers per thread")                                           \
	_(SMEM,      "smem_bytes",    INT,  BYTES,   "static and dynamic shared memory per block")                     \
	_(BLOCK,     "block",         TEXT, NONE,    "threads per block, x,y,z")                                       \
	_(GRID,      "grid",          TEXT, NONE,    "blocks, x,y,z")                                                  \
	_(OCCUPANCY, "occupancy_pct", REAL, PERCENT, "occupancy as the producer tells it (theoretical or estimated), mean weighted by duration; the first one seen with the xprof rules") \
	_(ELIGIBLE,  "tc_eligible",   BOOL, NONE,    "the op could use Tensor Cores, by the rules file; null when they cannot tell") \
	_(USES_TC,   "uses_tc",       BOOL, NONE,    "the kernel runs on Tensor Cores (matrix cores), by its name and the rules file; null when they cannot tell") \
	_(PRECISION, "precision",     TEXT, NONE,    "fp64, fp32, tf32, bf16, fp16, fp8, int8, other; by the name")    \
	_(OP,        "op",            TEXT, NONE,    "framework op that launched it")                                  \
	_(COUNT,     "count",         INT,  COUNT,   "kernels that start inside the window")                           \
	_(TOTAL,     "total_ns",      INT,  NS,      "time inside the window (cut at its edges)")                      \
	_(AVG,       "avg_ns",        INT,  NS,      "mean whole duration of the counted ones, rounded down")          \
	_(MIN,       "min_ns",        INT,  NS,      "shortest of the counted ones")                                   \
	_(MAX,       "max_ns",        INT,  NS,      "longest of the counted ones")                                    \
	_(SHARE,     "share_pct",     REAL, PERCENT, "share of the time of all kernels in the table")                  \
	_(COLLECTIVE,"collective",    BOOL, NONE,    "communication between devices, by the rules file") \
	_(TC_RULE,   "tc_rule",       TEXT, NONE,    "the rule that told uses_tc: rules file, line, how it matches the name") \
	_(TC_TRUST,  "tc_confidence", INT,  PERCENT, "how sure that rule is, as the rules file says")
/* clang-format on */

enum kernel_column {
#define COLUMN_ENUM(id, name, type, unit, help) COL_##id,
	KERNEL_COLUMNS(COLUMN_ENUM)
#undef COLUMN_ENUM
		COL_COUNT_
};
static const struct column columns[] = {
#define COLUMN_ROW(id, name, type, unit, help) {name, CELL_##type, UNIT_##unit, help},
	KERNEL_COLUMNS(COLUMN_ROW)
#undef COLUMN_ROW
};

static void cell_u32(struct cell *c, uint32_t v)
{
	cell_int(c, v == UNKNOWN_U32 ? UNKNOWN_I64 : (int64_t)v);
}

static void cell_verdict(struct cell *c, enum verdict v)
{
	if (v != VERDICT_UNKNOWN)
		cell_bool(c, v == VERDICT_YES);
}

/* What rows are made of when somebody reads them; written texts stay. */
struct dims_texts {
	const char *block, *grid;
};
struct listing {
	struct table *table;
	const struct trace *t;
	struct kernel_stats stats;
	struct dims_texts *texts; /* by place; made with the first row that is read */
	bool first_occupancy;
};

/* "x,y,z"; dimensions left out by the producer are 1. */
static void cell_dims(struct cell *c, struct arena *mem, const uint32_t dims[3], const char **text)
{
	if (dims[0] == UNKNOWN_U32)
		return;
	uint32_t y = dims[1] == UNKNOWN_U32 ? 1 : dims[1], z = dims[2] == UNKNOWN_U32 ? 1 : dims[2];
	if (!*text)
		*text = arena_printf(mem, "%u,%u,%u", dims[0], y, z);
	cell_text(c, *text);
}

static void cell_smem(struct cell *c, const struct kernel_info *info)
{
	uint32_t fixed = info->static_smem_bytes, dynamic = info->dynamic_smem_bytes;
	if (fixed == UNKNOWN_U32 && dynamic == UNKNOWN_U32)
		return;
	cell_int(c, (int64_t)(fixed == UNKNOWN_U32 ? 0 : fixed) + (dynamic == UNKNOWN_U32 ? 0 : dynamic));
}

static void fill_launch(struct cell *row, struct arena *mem, const struct kernel_info *info, struct dims_texts *texts)
{
	if (!info)
		return;
	cell_u32(&row[COL_REGISTERS], info->registers);
	cell_smem(&row[COL_SMEM], info);
	cell_dims(&row[COL_BLOCK], mem, info->block, &texts->block);
	cell_dims(&row[COL_GRID], mem, info->grid, &texts->grid);
}

static void fill_times(struct cell *row, const struct kernel_group *g, int64_t all_ns)
{
	cell_int(&row[COL_COUNT], (int64_t)g->count);
	cell_int(&row[COL_TOTAL], g->total_ns);
	if (all_ns > 0)
		cell_real(&row[COL_SHARE], 100.0 * (double)g->total_ns / (double)all_ns);
	if (!g->count)
		return;
	cell_int(&row[COL_AVG], g->whole_ns / (int64_t)g->count);
	cell_int(&row[COL_MIN], g->min_ns);
	cell_int(&row[COL_MAX], g->max_ns);
}

static void fill_verdicts(struct cell *row, const struct kernel_group *g, bool first_occupancy)
{
	cell_real(&row[COL_OCCUPANCY], kernel_group_occupancy(g, first_occupancy));
	cell_verdict(&row[COL_ELIGIBLE], g->eligible);
	cell_verdict(&row[COL_USES_TC], g->uses_tc);
	cell_text(&row[COL_PRECISION], precision_name(g->precision));
	cell_bool(&row[COL_COLLECTIVE], g->collective);
	cell_text(&row[COL_TC_RULE], g->tc_rule);
	if (g->tc_rule)
		cell_int(&row[COL_TC_TRUST], g->tc_trust);
}

static void fill_evidence(struct made_row *out, const struct kernel_group *g)
{
	uint32_t n = 0;
	out->events[n++] = g->longest;
	if (g->first != g->longest)
		out->events[n++] = g->first;
	if (g->last != g->longest && g->last != g->first)
		out->events[n++] = g->last;
	if (g->count)
		out->evidence = (struct evidence){g->first_ns, g->last_end_ns, out->events, n};
	else
		out->evidence = (struct evidence){0, 0, out->events, 1};
}

static struct dims_texts *texts_of(const struct listing *l, uint32_t place)
{
	struct listing *w = (struct listing *)l; /* read by one thread at a time, like the table */
	if (!w->texts)
		w->texts = arena_alloc(l->table->mem, (l->stats.n + 1) * sizeof *l->texts);
	return &w->texts[place];
}

static void make_group(const void *ctx, uint32_t place, struct made_row *out)
{
	const struct listing *l = ctx;
	const struct kernel_group *g = kernel_stats_at(&l->stats, place);
	struct cell *row = out->cells;
	cell_text(&row[COL_NAME], trace_str(l->t, g->name));
	cell_text(&row[COL_OP], g->op ? trace_str(l->t, g->op) : NULL);
	fill_launch(row, l->table->mem, g->info, texts_of(l, place));
	fill_verdicts(row, g, l->first_occupancy);
	fill_times(row, g, l->stats.total_ns);
	fill_evidence(out, g);
}

static struct table *make_table(const struct derived *d, const struct query *q, const struct kernel_rules *rules,
				struct arena *mem, struct progress *p, struct err *e)
{
	struct listing *l = arena_alloc(mem, sizeof *l);
	if (!kernel_stats_make(d, q, rules, mem, p, &l->stats, e))
		return NULL;
	struct table *t = table_new(mem, "kernels", "Kernels", columns, COL_COUNT_);
	query_bounds(q, derived_trace(d), &t->window_a_ns, &t->window_b_ns);
	l->table = t;
	l->t = derived_trace(d);
	l->first_occupancy = kernel_rules_first_occupancy(rules);
	table_made(t, l->stats.n, make_group, l);
	t->sort_col = COL_TOTAL; /* the groups come in this order already, ties by their key */
	t->sort_desc = true;
	return t;
}

struct table *analysis_kernels(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
			       struct err *e)
{
	struct kernel_rules *rules = derived_rules_load(d, e);
	if (!rules)
		return NULL;
	struct table *t = make_table(d, q, rules, mem, p, e);
	kernel_rules_free_but_texts(rules, mem);
	return t;
}
