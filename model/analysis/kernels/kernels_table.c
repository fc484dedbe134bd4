/* Kernel statistics: one row per kernel name, launch shape and op; section "GPU kernel stats" of the reference tool. */
#include "kernel_families.h"
#include "kernel_stats.h"
#include "occupancy.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/cells.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

TABLE_DECL(kernels);

/* clang-format off */
#define KERNEL_COLUMNS(_)                                                                                              \
	_(NAME,      "name",          TEXT, NONE,    "kernel name")                                                    \
	_(REGISTERS, "registers",     INT,  NONE,    "registers per thread")                                           \
	_(SMEM,      "smem_bytes",    INT,  BYTES,   "static and dynamic shared memory per block")                     \
	_(BLOCK,     "block",         TEXT, NONE,    "threads per block, x,y,z")                                       \
	_(GRID,      "grid",          TEXT, NONE,    "blocks, x,y,z")                                                  \
	_(OCCUPANCY, "occupancy_pct", REAL, PERCENT, "threads on the multiprocessors, of those they can hold: as the producer tells it (theoretical or estimated; mean weighted by duration, the first one seen with the xprof rules), else computed; see occupancy_by") \
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
	_(COLLECTIVE,"collective",    BOOL, NONE,    "communication between devices, by the rules file")            \
	_(FAMILY,    "family",        TEXT, NONE,    "what the kernel does: gemm, conv, attention, ...; by its name, else its op, and a rules file") \
	_(P50,       "p50_ns",        INT,  NS,      "median whole duration of the counted ones (nearest rank)")       \
	_(P95,       "p95_ns",        INT,  NS,      "95 of 100 of the counted ones take no longer")                   \
	_(P99,       "p99_ns",        INT,  NS,      "99 of 100 of the counted ones take no longer")                   \
	_(PER_STEP,  "per_step",      REAL, NONE,    "counted ones that belong to steps, per step that runs kernels in the window; null without steps") \
	_(BLOCKS_SM, "blocks_per_sm", REAL, NONE,    "blocks of the grid per multiprocessor of the device")            \
	_(WAVES,     "waves",         REAL, NONE,    "blocks of the grid / blocks that fit on the device at once")     \
	_(TAIL,      "tail_pct",      REAL, PERCENT, "places for blocks that the last wave leaves empty")              \
	_(TAIL_LOSS, "tail_loss_pct", REAL, PERCENT, "the same, of the places of all waves: what the tail can cost at most") \
	_(THEORETICAL, "theoretical_pct", REAL, PERCENT, "occupancy with as many blocks as fit, by the rules of the compute capability, registers, shared memory and block size") \
	_(OCC_BY,    "occupancy_by",  TEXT, NONE,    "where occupancy_pct is from: given (by the producer) or computed (theoretical, less where the grid is too small for the device)") \
	_(LIMITED_BY, "limited_by",   TEXT, NONE,    "what keeps more blocks off a multiprocessor: block size, registers, shared memory, blocks per SM; grid where it is too small for one wave; null where nothing limits") \
	_(STREAM,    "stream",        TEXT, NONE,    "streams it runs on: the first ones; device:stream where the trace has several devices") \
	_(STREAMS,   "streams",       INT,  COUNT,   "how many streams it runs on")                                    \
	_(GRAPH,     "graph_pct",     REAL, PERCENT, "counted ones launched by replaying a graph, of those whose launch is known") \
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

/* What rows are made from when they are read; texts written once are kept. */
struct dims_texts {
	const char *block, *grid, *stream;
};
struct listing {
	struct table *table;
	const struct trace *t;
	struct kernel_stats stats;
	const uint8_t *family;    /* of the groups */
	struct dims_texts *texts; /* by place; made with the first row that is read */
	bool first_occupancy, as_told, many_devices;
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

/* Recorders that say 0 could not tell: they refuse blocks with more than 48 KiB of shared memory, or round. */
static void fill_occupancy(const struct listing *l, struct cell *row, const struct kernel_group *g, double computed)
{
	double told = kernel_group_occupancy(g, l->first_occupancy);
	bool given = l->as_told ? !isnan(told) : told > 0;
	double shown = given || l->as_told ? told : computed;
	cell_real(&row[COL_OCCUPANCY], isnan(shown) ? told : shown);
	if (given || !isnan(computed))
		cell_text(&row[COL_OCC_BY], given || l->as_told || isnan(computed) ? "given" : "computed");
}

static void fill_waves(struct cell *row, const struct waves *w)
{
	cell_real(&row[COL_BLOCKS_SM], w->blocks_per_sm);
	cell_real(&row[COL_WAVES], w->waves);
	cell_real(&row[COL_TAIL], w->tail_pct);
	cell_real(&row[COL_TAIL_LOSS], w->tail_loss_pct);
}

static const char *limited_by(const struct occupancy *o, const struct waves *w)
{
	if (w->waves < 1)
		return "grid";
	return o->full ? NULL : occupancy_limit_word(o->limit);
}

/* What the launch makes of the device. */
static void fill_fit(const struct listing *l, struct cell *row, const struct kernel_group *g,
		     const struct kernel_spread *s)
{
	const struct device *d = trace_device(l->t, s->device);
	struct occupancy o;
	struct waves w = {NAN, NAN, NAN, NAN, NAN};
	bool fits = g->info && !s->mixed && occupancy_of(l->t, d, g->info, &o);
	if (g->info && !s->mixed)
		waves_of(d, g->info, fits ? &o : NULL, &w);
	fill_waves(row, &w);
	if (fits) {
		cell_real(&row[COL_THEORETICAL], o.pct);
		cell_text(&row[COL_LIMITED_BY], limited_by(&o, &w));
	}
	fill_occupancy(l, row, g, !fits ? NAN : isnan(w.occupancy_pct) ? o.pct : w.occupancy_pct);
}

static const char *stream_text(const struct listing *l, const struct kernel_spread *s)
{
	struct arena *mem = l->table->mem;
	const char *text = "";
	for (uint32_t i = 0; i < s->n_streams && i < SPREAD_STREAMS; i++) {
		const struct track_info *k = trace_track(l->t, s->streams[i]);
		const char *device = l->many_devices
					     ? arena_printf(mem, "%" PRId64 ":", trace_device(l->t, k->device)->ordinal)
					     : "";
		text = arena_printf(mem, "%s%s%s%" PRId64, text, i ? " " : "", device, k->key);
	}
	uint32_t more = s->n_streams > SPREAD_STREAMS ? s->n_streams - SPREAD_STREAMS : 0;
	return more ? arena_printf(mem, "%s +%" PRIu32, text, more) : text;
}

static void fill_spread(const struct listing *l, struct cell *row, const struct kernel_spread *s, const char **stream)
{
	cell_int(&row[COL_P50], s->p50_ns);
	cell_int(&row[COL_P95], s->p95_ns);
	cell_int(&row[COL_P99], s->p99_ns);
	if (l->stats.steps && s->p50_ns != UNKNOWN_I64)
		cell_real(&row[COL_PER_STEP], (double)s->in_steps / l->stats.steps);
	if (!*stream)
		*stream = stream_text(l, s);
	cell_text(&row[COL_STREAM], *stream);
	cell_int(&row[COL_STREAMS], s->n_streams);
	cell_pct(&row[COL_GRAPH], s->by_graph, s->launched);
}

static void fill_verdicts(struct cell *row, const struct kernel_group *g)
{
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
	const struct kernel_spread *spread = &l->stats.spread[l->stats.order[place].id];
	struct dims_texts *texts = texts_of(l, place);
	struct cell *row = out->cells;
	cell_text(&row[COL_NAME], trace_str(l->t, g->name));
	cell_text(&row[COL_OP], g->op ? trace_str(l->t, g->op) : NULL);
	fill_launch(row, l->table->mem, g->info, texts);
	fill_verdicts(row, g);
	fill_times(row, g, l->stats.total_ns);
	cell_text(&row[COL_FAMILY], kernel_family_word((enum kernel_family)l->family[l->stats.order[place].id]));
	fill_fit(l, row, g, spread);
	fill_spread(l, row, spread, &texts->stream);
	fill_evidence(out, g);
}

static struct table *make_table(const struct derived *d, const struct query *q, const struct kernel_rules *rules,
				struct arena *mem, struct progress *p, struct err *e)
{
	struct listing *l = arena_alloc(mem, sizeof *l);
	if (!kernel_stats_spread(d, q, rules, mem, p, &l->stats, e) ||
	    !(l->family = kernel_stats_families(&l->stats, d, mem, e)))
		return NULL;
	struct table *t = table_new(mem, &kernels_desc);
	query_bounds(q, derived_trace(d), &t->window_a_ns, &t->window_b_ns);
	l->table = t;
	l->t = derived_trace(d);
	l->first_occupancy = kernel_rules_first_occupancy(rules);
	l->as_told = derived_options(d)->semantics == SEM_XPROF || derived_options(d)->semantics == SEM_KINETO;
	l->many_devices = trace_devices(l->t) > 1;
	table_made(t, l->stats.n, make_group, l);
	t->sort_col = COL_TOTAL; /* the groups come in this order already, ties by their key */
	t->sort_desc = true;
	return t;
}

static struct table *run_kernels(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
				 struct err *e)
{
	struct kernel_rules *rules = derived_rules_load(d, e);
	if (!rules)
		return NULL;
	struct table *t = make_table(d, q, rules, mem, p, e);
	kernel_rules_free_but_texts(rules, mem);
	return t;
}

const struct table_desc kernels_desc = {
	.name = "kernels",
	.title = "Kernels",
	.help = "kernel statistics with Tensor Core use and precision",
	TABLE_COLUMNS(columns),
	.run = run_kernels,
	.first = COLUMN_LIST(COL_NAME, COL_SHARE, COL_TOTAL, COL_COUNT, COL_AVG, COL_OCCUPANCY, COL_LIMITED_BY,
			     COL_WAVES, COL_TAIL_LOSS, COL_BLOCK, COL_GRID, COL_MIN, COL_MAX, COL_USES_TC,
			     COL_PRECISION, COL_OP, COL_FAMILY, COL_PER_STEP, COL_P50, COL_P95, COL_P99),
	.report = {.intro = "how launches fill the device: blocks that fit at once, waves of them, places that the "
			    "last wave leaves empty",
		   .brief = COLUMN_LIST(COL_NAME, COL_GRID, COL_BLOCK, COL_COUNT, COL_TOTAL, COL_OCCUPANCY,
					COL_LIMITED_BY, COL_WAVES, COL_TAIL_LOSS),
		   .wide = COLUMN_LIST(COL_NAME, COL_OP, COL_GRID, COL_BLOCK, COL_REGISTERS, COL_SMEM, COL_COUNT,
				       COL_TOTAL, COL_AVG, COL_P50, COL_P99, COL_PER_STEP, COL_BLOCKS_SM, COL_WAVES,
				       COL_TAIL, COL_TAIL_LOSS, COL_OCCUPANCY, COL_THEORETICAL, COL_OCC_BY,
				       COL_LIMITED_BY, COL_STREAM, COL_GRAPH),
		   .sort = COLUMN_LIST(COL_TOTAL)},
};
