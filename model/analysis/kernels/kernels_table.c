/* Kernel statistics: one row per kernel name, launch shape and op; section "GPU kernel stats" of the reference tool. */
#include "kernels_columns.h"
#include "tensor_cores.h"
#include "kernel_families.h"
#include "kernel_names.h"
#include "kernel_spread.h"
#include "kernel_stats.h"
#include "occupancy.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/cells.h"
#include "model/store/base/digits.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

TABLE_DECL(kernels);

static const struct column columns[] = {KERNELS_COLUMNS(COLUMN_ROW)};

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
	struct spreading *spreading;
	struct kernel_said said;                            /* of the kinds */
	struct dims_texts *texts;                           /* by place; made with the first row that is read */
	bool first_occupancy, as_told, many_devices, no_tc; /* no_tc: tc_no_question */
	uint32_t last;                                      /* place of the row that was read last, + 1, */
	struct kernel_group group;                          /* and what it is made of, where that was asked for: */
	struct kernel_spread streams;
	uint32_t group_of, streams_of; /* place + 1 */
};

/* "x,y,z"; dimensions left out by the producer are 1. */
static const char *dims_text(struct arena *mem, const uint32_t dims[3])
{
	char buf[3 * DIGITS_BUF], *end = buf;
	for (int i = 0; i < 3; i++) {
		if (i)
			*end++ = ',';
		end = digits_u64(end, dims[i] == UNKNOWN_U32 ? 1 : dims[i]);
	}
	return arena_strndup(mem, buf, (size_t)(end - buf));
}

static void cell_dims(struct cell *c, struct arena *mem, const uint32_t dims[3], const char **text)
{
	if (dims[0] == UNKNOWN_U32)
		return;
	if (!*text)
		*text = dims_text(mem, dims);
	cell_text(c, *text);
}

static void fill_smem(struct cell *row, const struct kernel_info *info)
{
	uint32_t fixed = info->static_smem_bytes, dynamic = info->dynamic_smem_bytes;
	bool both = fixed != UNKNOWN_U32 && dynamic != UNKNOWN_U32;
	if (both) {
		cell_int(&row[COL_KERNELS_SMEM], (int64_t)fixed + dynamic);
		cell_int(&row[COL_KERNELS_STATIC], fixed);
		cell_int(&row[COL_KERNELS_DYNAMIC], dynamic);
	} else {
		cell_u32(&row[COL_KERNELS_SMEM], fixed != UNKNOWN_U32 ? fixed : dynamic);
	}
}

static void fill_launch(struct cell *row, struct arena *mem, const struct kernel_info *info, struct dims_texts *texts)
{
	if (!info)
		return;
	cell_u32(&row[COL_KERNELS_REGISTERS], info->registers);
	fill_smem(row, info);
	cell_dims(&row[COL_KERNELS_BLOCK], mem, info->block, &texts->block);
	cell_dims(&row[COL_KERNELS_GRID], mem, info->grid, &texts->grid);
}

/* Recorders that say 0 could not tell: they refuse blocks with more than 48 KiB of shared memory, or round. */
static void fill_occupancy(const struct listing *l, struct cell *row, const struct kernel_group *g, double computed)
{
	double told = kernel_group_occupancy(g, l->first_occupancy);
	bool given = l->as_told ? !isnan(told) : told > 0;
	double shown = given || l->as_told ? told : computed;
	cell_real(&row[COL_KERNELS_OCCUPANCY], isnan(shown) ? told : shown);
	if (given || !isnan(computed))
		cell_text(&row[COL_KERNELS_OCC_BY], given || l->as_told || isnan(computed) ? "given" : "computed");
}

static void fill_waves(struct cell *row, const struct waves *w)
{
	cell_real(&row[COL_KERNELS_BLOCKS_SM], w->blocks_per_sm);
	cell_real(&row[COL_KERNELS_WAVES], w->waves);
	cell_real(&row[COL_KERNELS_TAIL], w->tail_pct);
	cell_real(&row[COL_KERNELS_TAIL_LOSS], w->tail_loss_pct);
}

static const char *limited_by(const struct occupancy *o, const struct waves *w)
{
	if (w->waves < 1)
		return "grid";
	return o->full ? NULL : occupancy_limit_word(o->limit);
}

/* What the launch makes of the device. */
struct fit {
	struct occupancy occupancy;
	struct waves waves;
	bool fits; /* occupancy is known */
};

static struct fit fit_of(const struct listing *l, const struct kernel_info *info, const struct kernel_spread *s)
{
	const struct device *d = trace_device(l->t, s->device);
	struct fit f = {.waves = {NAN, NAN, NAN, NAN, NAN}};
	f.fits = info && !s->mixed && occupancy_of(l->t, d, info, &f.occupancy);
	if (info && !s->mixed)
		waves_of(d, info, f.fits ? &f.occupancy : NULL, &f.waves);
	return f;
}

static double fit_occupancy_pct(const struct fit *f)
{
	return !f->fits ? NAN : isnan(f->waves.occupancy_pct) ? f->occupancy.pct : f->waves.occupancy_pct;
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

static void fill_spread(const struct listing *l, struct cell *row, const struct kernel_spread *s)
{
	cell_int(&row[COL_KERNELS_P50], s->p50_ns);
	cell_int(&row[COL_KERNELS_P95], s->p95_ns);
	cell_int(&row[COL_KERNELS_P99], s->p99_ns);
	if (l->stats.steps && s->p50_ns != UNKNOWN_I64)
		cell_real(&row[COL_KERNELS_PER_STEP], (double)s->in_steps / l->stats.steps);
	cell_int(&row[COL_KERNELS_STREAMS], s->n_streams);
	cell_pct(&row[COL_KERNELS_GRAPH], s->by_graph, s->launched);
}

static void fill_verdicts(const struct listing *l, struct cell *row, const struct kernel_kind *g)
{
	cell_text(&row[COL_KERNELS_PRECISION], precision_name(g->precision));
	cell_bool(&row[COL_KERNELS_COLLECTIVE], g->collective);
	if (l->no_tc)
		return;
	cell_verdict(&row[COL_KERNELS_ELIGIBLE], g->eligible);
	cell_verdict(&row[COL_KERNELS_USES_TC], g->uses_tc);
	const struct kernel_facts *facts = derived_kernel_facts(l->stats.d, g->name);
	const char *rule = kernel_facts_rule(derived_rules(l->stats.d), facts);
	cell_text(&row[COL_KERNELS_TC_RULE], rule);
	if (rule)
		cell_int(&row[COL_KERNELS_TC_TRUST], facts->tc_trust);
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
		out->evidence = (struct evidence){g->first_ns, g->last_end_ns, out->events, n, NULL};
	else
		out->evidence = (struct evidence){0, 0, out->events, 1, NULL};
}

/* ---- what rows are read from: anywhere in the trace ----------------------------------------------------------------------- */

/* The first few kernels of the group at a place, as far as the trace is asked for them. */
static void fetch_kernels(const struct listing *l, uint32_t place)
{
	enum { FEW = 4 };
	const struct columns *c = trace_columns(l->t);
	uint32_t id = kernel_stats_at(&l->stats, place), end = l->stats.from[id + 1];
	for (uint32_t i = l->stats.from[id]; i < end && i < l->stats.from[id] + FEW; i++) {
		row_id r = l->stats.rows[i];
		__builtin_prefetch(&c->start_ns[r]);
		__builtin_prefetch(&c->dur_ns[r]);
		__builtin_prefetch(&c->kind[r]);
		__builtin_prefetch(&c->detail[r]);
		__builtin_prefetch(&c->track[r]);
		__builtin_prefetch(&c->link[r]);
	}
}

static void fetch_facts(const struct listing *l, uint32_t place)
{
	const struct kernel_info *k =
		trace_kernel(l->t, l->stats.rows[l->stats.from[kernel_stats_at(&l->stats, place)]]);
	__builtin_prefetch(k);
	__builtin_prefetch(k ? &k->hlo : NULL);
}

/* Rows come by their total, so that each one's kernels lie elsewhere: what rows to come need is fetched, step by step. */
static uint32_t reading(const struct listing *l, uint32_t place)
{
	enum { FACTS = 8, KERNELS = 16, ROWS = 24, GROUPS = 32 };
	struct listing *w = (struct listing *)l; /* read by one thread at a time, like the table */
	const struct kernel_stats *s = &l->stats;
	uint32_t id = kernel_stats_at(s, place);
	bool next = place == l->last && place + GROUPS < s->n;
	w->last = place + 1;
	if (!next)
		return id;
	uint32_t far = kernel_stats_at(s, place + GROUPS);
	__builtin_prefetch(&s->from[far]);
	__builtin_prefetch(&s->group_ns[far]);
	__builtin_prefetch(&s->kind_of[far]);
	__builtin_prefetch(&s->rows[s->from[kernel_stats_at(s, place + ROWS)]]);
	fetch_kernels(l, place + KERNELS);
	fetch_facts(l, place + FACTS);
	return id;
}

static const struct kernel_group *group_at(const struct listing *l, uint32_t place)
{
	struct listing *w = (struct listing *)l;
	uint32_t id = reading(l, place);
	if (l->group_of != place + 1)
		w->group = kernel_stats_group(&l->stats, id);
	w->group_of = place + 1;
	return &l->group;
}

static const struct kernel_spread *streams_at(const struct listing *l, uint32_t place)
{
	struct listing *w = (struct listing *)l;
	uint32_t id = reading(l, place);
	if (l->streams_of != place + 1)
		w->streams = spreading_streams(l->spreading, id);
	w->streams_of = place + 1;
	return &l->streams;
}

static struct dims_texts *texts_of(const struct listing *l, uint32_t place)
{
	struct listing *w = (struct listing *)l;
	if (!w->texts)
		w->texts = arena_alloc(l->table->mem, (l->stats.n + 1) * sizeof *l->texts);
	return &w->texts[place];
}

/* ---- parts of a row, from what is kept to what its kernels must be read for -------------------------------------------- */

static void make_kind(const void *ctx, uint32_t place, struct made_row *out)
{
	const struct listing *l = ctx;
	uint32_t kind = l->stats.kind_of[reading(l, place)];
	const struct kernel_kind *k = &l->stats.kinds[kind];
	cell_text(&out->cells[COL_KERNELS_NAME], trace_str(l->t, k->name));
	cell_text(&out->cells[COL_KERNELS_OP], k->op ? trace_str(l->t, k->op) : NULL);
	cell_text(&out->cells[COL_KERNELS_FAMILY], kernel_family_word((enum kernel_family)l->said.family[kind]));
	cell_text(&out->cells[COL_KERNELS_COPYING], copying_word((enum copying)l->said.copying[kind]));
	fill_verdicts(l, out->cells, k);
}

static void make_total(const void *ctx, uint32_t place, struct made_row *out)
{
	const struct listing *l = ctx;
	int64_t ns = l->stats.group_ns[reading(l, place)], all_ns = l->stats.total_ns;
	cell_int(&out->cells[COL_KERNELS_TOTAL], ns);
	if (all_ns > 0)
		cell_real(&out->cells[COL_KERNELS_SHARE], 100.0 * (double)ns / (double)all_ns);
}

static void make_times(const void *ctx, uint32_t place, struct made_row *out)
{
	const struct listing *l = ctx;
	const struct kernel_group *g = group_at(l, place);
	cell_int(&out->cells[COL_KERNELS_COUNT], (int64_t)g->count);
	if (!g->count)
		return;
	cell_int(&out->cells[COL_KERNELS_AVG], g->whole_ns / (int64_t)g->count);
	cell_int(&out->cells[COL_KERNELS_MIN], g->min_ns);
	cell_int(&out->cells[COL_KERNELS_MAX], g->max_ns);
}

static const struct kernel_info *info_at(const struct listing *l, uint32_t place)
{
	return trace_kernel(l->t, l->stats.rows[l->stats.from[reading(l, place)]]);
}

static void make_launch(const void *ctx, uint32_t place, struct made_row *out)
{
	const struct listing *l = ctx;
	fill_launch(out->cells, l->table->mem, info_at(l, place), texts_of(l, place));
}

static void make_fit(const void *ctx, uint32_t place, struct made_row *out)
{
	const struct listing *l = ctx;
	struct fit f = fit_of(l, info_at(l, place), streams_at(l, place));
	fill_waves(out->cells, &f.waves);
	if (!f.fits)
		return;
	cell_real(&out->cells[COL_KERNELS_THEORETICAL], f.occupancy.pct);
	cell_text(&out->cells[COL_KERNELS_LIMITED_BY], limited_by(&f.occupancy, &f.waves));
}

static void make_streams(const void *ctx, uint32_t place, struct made_row *out)
{
	const struct listing *l = ctx;
	const char **text = &texts_of(l, place)->stream;
	if (!*text)
		*text = stream_text(l, streams_at(l, place));
	cell_text(&out->cells[COL_KERNELS_STREAM], *text);
}

static void make_rest(const void *ctx, uint32_t place, struct made_row *out)
{
	const struct listing *l = ctx;
	const struct kernel_group *g = group_at(l, place);
	struct kernel_spread spread = spreading_group(l->spreading, kernel_stats_at(&l->stats, place));
	struct fit fit = fit_of(l, g->info, &spread);
	fill_occupancy(l, out->cells, g, fit_occupancy_pct(&fit));
	fill_spread(l, out->cells, &spread);
	fill_evidence(out, g);
}

/* ---- columns that are read in many rows: from what is kept ---------------------------------------------------------------- */

static const struct kernel_kind *kind_at(const struct listing *l, uint32_t place)
{
	return &l->stats.kinds[l->stats.kind_of[kernel_stats_at(&l->stats, place)]];
}

static void totals_in(const void *ctx, const uint32_t *places, uint32_t n, uint32_t column, int64_t *out)
{
	const struct listing *l = ctx;
	(void)column;
	for (uint32_t i = 0; i < n; i++)
		out[i] = l->stats.group_ns[kernel_stats_at(&l->stats, places[i])];
}

static void names_in(const void *ctx, const uint32_t *places, uint32_t n, uint32_t column, const char **out)
{
	const struct listing *l = ctx;
	(void)column;
	for (uint32_t i = 0; i < n; i++)
		out[i] = trace_str(l->t, kind_at(l, places[i])->name);
}

static void name_ranks_in(const void *ctx, const uint32_t *places, uint32_t n, uint32_t column, int64_t *out)
{
	const struct listing *l = ctx;
	(void)column;
	for (uint32_t i = 0; i < n; i++)
		out[i] = kind_at(l, places[i])->name_rank;
}

#define BITS(a, b, c) (PART_BIT(a) | PART_BIT(b) | PART_BIT(c))
static const struct row_part row_parts[] = {
	{make_kind,
	 BITS(COL_KERNELS_NAME, COL_KERNELS_OP, COL_KERNELS_FAMILY) |
		 BITS(COL_KERNELS_ELIGIBLE, COL_KERNELS_USES_TC, COL_KERNELS_PRECISION) |
		 BITS(COL_KERNELS_COLLECTIVE, COL_KERNELS_TC_RULE, COL_KERNELS_TC_TRUST) |
		 PART_BIT(COL_KERNELS_COPYING),
	 false},
	{make_total, PART_BIT(COL_KERNELS_TOTAL) | PART_BIT(COL_KERNELS_SHARE), false},
	{make_times, BITS(COL_KERNELS_COUNT, COL_KERNELS_AVG, COL_KERNELS_MIN) | PART_BIT(COL_KERNELS_MAX), false},
	{make_launch,
	 BITS(COL_KERNELS_REGISTERS, COL_KERNELS_SMEM, COL_KERNELS_STATIC) |
		 BITS(COL_KERNELS_DYNAMIC, COL_KERNELS_BLOCK, COL_KERNELS_GRID),
	 false},
	{make_fit,
	 BITS(COL_KERNELS_BLOCKS_SM, COL_KERNELS_WAVES, COL_KERNELS_TAIL) |
		 BITS(COL_KERNELS_TAIL_LOSS, COL_KERNELS_THEORETICAL, COL_KERNELS_LIMITED_BY),
	 false},
	{make_streams, PART_BIT(COL_KERNELS_STREAM), false},
	{make_rest, 0, false},
};

static struct table *run_shapes(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
				struct err *e)
{
	struct listing *l = arena_alloc(mem, sizeof *l);
	const struct kernel_stats *stats = shared_part(&kernel_groups_part, d, q, mem, p, e);
	if (!stats || !kernel_stats_said(stats, d, q, mem, &l->said, e))
		return NULL;
	struct table *t = table_new(mem, &kernels_desc);
	query_bounds(q, derived_trace(d), &t->window_a_ns, &t->window_b_ns);
	l->stats = *stats;
	l->table = t;
	l->t = derived_trace(d);
	l->spreading = spreading_new(&l->stats, mem);
	l->first_occupancy = kernel_rules_first_occupancy(derived_rules(d));
	l->as_told = derived_options(d)->semantics == SEM_XPROF || derived_options(d)->semantics == SEM_KINETO;
	l->many_devices = trace_devices(l->t) > 1;
	l->no_tc = tc_no_question(d);
	table_made_parts(t, l->stats.n, row_parts, sizeof row_parts / sizeof *row_parts, l);
	table_made_numbers(t, totals_in, PART_BIT(COL_KERNELS_TOTAL));
	table_made_texts(t, names_in, PART_BIT(COL_KERNELS_NAME));
	table_made_ranks(t, name_ranks_in, PART_BIT(COL_KERNELS_NAME));
	t->sort_col = COL_KERNELS_TOTAL; /* the groups come in this order already, ties by their key */
	t->sort_desc = true;
	return t;
}

static const char *by_word(unsigned i)
{
	static const char *const words[] = {"shape", "name"};
	return i < sizeof words / sizeof *words ? words[i] : NULL;
}

static struct table *run_kernels(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
				 struct err *e)
{
	struct query plain = *q;
	bool by_name = q->by && !strcmp(q->by, by_word(1));
	if (q->by && !by_name && strcmp(q->by, by_word(0)) != 0) {
		err_usage(e, "kernels are grouped --by shape or name, not '%.40s'", q->by);
		return NULL;
	}
	plain.by = NULL;
	struct table *t = run_shapes(d, &plain, mem, p, e);
	if (!t || !by_name)
		return t;
	struct table *names = kernels_by_name(t, mem);
	names->window_a_ns = t->window_a_ns;
	names->window_b_ns = t->window_b_ns;
	return names;
}

/* By kind alone: shapes of launches do not tell rows apart in another run, and need not be grouped. */
static bool make_kind_rows(const struct derived *d, const struct query *q, void *out, struct arena *mem,
			   struct progress *p, struct err *e)
{
	const struct kernel_stats *s = shared_part(&kernel_stats_part, d, q, mem, p, e);
	const struct trace *t = derived_trace(d);
	if (!s)
		return false;
	struct table *rows = table_new(mem, &kernels_desc);
	for (uint32_t i = 0; i < s->n_kinds; i++) {
		const struct kernel_kind *k = &s->kinds[i];
		struct cell *row = table_row(rows);
		cell_text(&row[COL_KERNELS_NAME], trace_str(t, k->name));
		cell_text(&row[COL_KERNELS_OP], k->op ? trace_str(t, k->op) : NULL);
		cell_int(&row[COL_KERNELS_TOTAL], k->total_ns);
		cell_int(&row[COL_KERNELS_COUNT], (int64_t)k->count);
	}
	table_sort(rows, COL_KERNELS_TOTAL, true);
	*(struct table *)out = *rows;
	return true;
}

static const struct shared_part kind_rows = {sizeof(struct table), make_kind_rows};

const struct table_desc kernels_desc = {
	.name = "kernels",
	.title = "Kernels",
	.help = "kernel statistics, with Tensor Core use and precision",
	TABLE_COLUMNS(columns),
	.run = run_kernels,
	.by = by_word,
	.first = COLUMN_LIST(COL_KERNELS_NAME, COL_KERNELS_USES_TC, COL_KERNELS_PRECISION, COL_KERNELS_SHARE,
			     COL_KERNELS_TOTAL, COL_KERNELS_COUNT, COL_KERNELS_AVG, COL_KERNELS_OCCUPANCY,
			     COL_KERNELS_LIMITED_BY, COL_KERNELS_WAVES, COL_KERNELS_TAIL_LOSS, COL_KERNELS_BLOCK,
			     COL_KERNELS_GRID, COL_KERNELS_MIN, COL_KERNELS_MAX, COL_KERNELS_OP, COL_KERNELS_FAMILY,
			     COL_KERNELS_PER_STEP, COL_KERNELS_P50, COL_KERNELS_P95, COL_KERNELS_P99),
	.lead = 3,
	.report = {.intro = "how launches fill the device: blocks that fit at once, waves of them, places that the "
			    "last wave leaves empty",
		   .brief = COLUMN_LIST(COL_KERNELS_NAME, COL_KERNELS_GRID, COL_KERNELS_BLOCK, COL_KERNELS_COUNT,
					COL_KERNELS_TOTAL, COL_KERNELS_OCCUPANCY, COL_KERNELS_LIMITED_BY,
					COL_KERNELS_WAVES, COL_KERNELS_TAIL_LOSS),
		   .wide = COLUMN_LIST(
			   COL_KERNELS_NAME, COL_KERNELS_OP, COL_KERNELS_GRID, COL_KERNELS_BLOCK, COL_KERNELS_REGISTERS,
			   COL_KERNELS_SMEM, COL_KERNELS_COUNT, COL_KERNELS_TOTAL, COL_KERNELS_AVG, COL_KERNELS_P50,
			   COL_KERNELS_P99, COL_KERNELS_PER_STEP, COL_KERNELS_BLOCKS_SM, COL_KERNELS_WAVES,
			   COL_KERNELS_TAIL, COL_KERNELS_TAIL_LOSS, COL_KERNELS_OCCUPANCY, COL_KERNELS_THEORETICAL,
			   COL_KERNELS_OCC_BY, COL_KERNELS_LIMITED_BY, COL_KERNELS_STREAM, COL_KERNELS_GRAPH),
		   .sort = COLUMN_LIST(COL_KERNELS_TOTAL)},
	.vs = {.rows = &kind_rows,
	       .key = COLUMN_LIST(COL_KERNELS_OP, COL_KERNELS_NAME),
	       .sums = COLUMN_LIST(COL_KERNELS_TOTAL, COL_KERNELS_COUNT),
	       .last_may_change = true},
};
