/* roofline: device work by op against what the device can do at its operations per byte. */
#include "roofline_columns.h"
#include "op_groups.h"
#include "roofline.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include <math.h>
#include <stdlib.h>

TABLE_DECL(roofline);

static const struct column columns[] = {ROOFLINE_COLUMNS(COLUMN_ROW)};

struct line {
	const struct op_group *group;
	struct roofline roof;
	int64_t time_ns, lost_ns;
};

static struct line line_of(const struct op_group *g)
{
	const struct op_work *w = &g->sum.work;
	struct line x = {g, roofline_of(w), w->flops_ns > w->bytes_ns ? w->flops_ns : w->bytes_ns, UNKNOWN_I64};
	double share = x.roof.share_pct;
	if (!isnan(share))
		x.lost_ns = share < 100 ? llround((double)x.time_ns * (1 - share / 100)) : 0;
	return x;
}

/* Most time to win first, then those that nothing is known about by their time. */
static int more_lost(const void *x, const void *y)
{
	const struct line *a = x, *b = y;
	if (a->lost_ns != b->lost_ns)
		return a->lost_ns < b->lost_ns ? 1 : -1;
	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? 1 : -1;
	return (a->group > b->group) - (a->group < b->group);
}

static void put_line(struct table *t, const struct line *x, const struct columns *c)
{
	const struct op_group *g = x->group;
	const struct op_work *w = &g->sum.work;
	struct cell *row = table_row(t);
	row_id longest = g->sum.longest;
	cell_text(&row[COL_ROOFLINE_OP], arena_strndup(t->mem, g->name.p, g->name.n));
	cell_text(&row[COL_ROOFLINE_TYPE], g->type.n ? arena_strndup(t->mem, g->type.p, g->type.n) : NULL);
	cell_text(&row[COL_ROOFLINE_BOUND_BY], x->roof.bound_by);
	cell_real(&row[COL_ROOFLINE_SHARE], x->roof.share_pct);
	cell_int(&row[COL_ROOFLINE_TIME], x->time_ns);
	cell_int(&row[COL_ROOFLINE_ABOVE_ROOF], x->lost_ns);
	cell_real(&row[COL_ROOFLINE_RATE], x->roof.flop_rate);
	cell_real(&row[COL_ROOFLINE_ROOF], x->roof.roof_flops);
	cell_real(&row[COL_ROOFLINE_PEAK], x->roof.peak_flops);
	cell_real(&row[COL_ROOFLINE_BYTE_RATE], x->roof.byte_rate);
	cell_real(&row[COL_ROOFLINE_PEAK_BYTES], x->roof.peak_bytes);
	cell_real(&row[COL_ROOFLINE_INTENSITY], x->roof.intensity);
	cell_real(&row[COL_ROOFLINE_RIDGE], x->roof.ridge);
	cell_real(&row[COL_ROOFLINE_FLOPS], w->flops_ns ? w->flops : NAN);
	cell_real(&row[COL_ROOFLINE_BYTES], w->bytes_ns ? w->bytes : NAN);
	cell_text(&row[COL_ROOFLINE_NOTE], roofline_note(&x->roof));
	cell_int(&row[COL_ROOFLINE_RUNS], g->sum.occurrences);
	if (longest != NONE_ID)
		table_evidence(t, c->start_ns[longest], c->start_ns[longest] + c->dur_ns[longest], &longest, 1);
}

static void put_rest(struct table *t, int64_t rest_ns)
{
	struct cell *row = table_row(t);
	cell_text(&row[COL_ROOFLINE_OP], "(cost unknown)");
	cell_int(&row[COL_ROOFLINE_TIME], rest_ns);
}

static void put_lines(struct table *t, const struct op_group *at, uint32_t n, const struct columns *c)
{
	struct line *lines = arena_alloc(t->mem, (n + 1u) * sizeof *lines);
	uint32_t known = 0;
	int64_t rest_ns = 0;
	for (uint32_t i = 0; i < n; i++) {
		struct line x = line_of(&at[i]);
		rest_ns += at[i].sum.work.all_ns - x.time_ns;
		if (x.time_ns)
			lines[known++] = x;
	}
	qsort(lines, known, sizeof *lines, more_lost);
	for (uint32_t i = 0; i < known; i++)
		put_line(t, &lines[i], c);
	if (rest_ns > 0)
		put_rest(t, rest_ns);
}

static struct table *run_roofline(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
				  struct err *e)
{
	const struct op_stats *s;
	enum op_by by;
	uint32_t n;
	if (!op_by_parse(q->by, &by, e) || !(s = shared_part(&op_stats_by_part, d, q, mem, p, e)))
		return NULL;
	struct table *t = table_new(mem, &roofline_desc);
	query_bounds(q, derived_trace(d), &t->window_a_ns, &t->window_b_ns);
	const struct op_group *at = op_groups_make(s, by, OP_DEVICE, d, mem, &n);
	put_lines(t, at, n, trace_columns(derived_trace(d)));
	return t;
}

const struct table_desc roofline_desc = {
	.name = "roofline",
	.title = "Roofline",
	.help = "device work by op, compared with what the device can do at its operations per byte",
	TABLE_COLUMNS(columns),
	.by = op_by_at,
	.run = run_roofline,
	.first = COLUMN_LIST(COL_ROOFLINE_OP, COL_ROOFLINE_BOUND_BY, COL_ROOFLINE_SHARE, COL_ROOFLINE_TIME,
			     COL_ROOFLINE_ABOVE_ROOF, COL_ROOFLINE_RATE, COL_ROOFLINE_ROOF, COL_ROOFLINE_BYTE_RATE,
			     COL_ROOFLINE_INTENSITY),
	.lead = 2,
	.report = {.intro =
			   "ops of known arithmetic or traffic against what the device can do, most time to save first",
		   .brief = COLUMN_LIST(COL_ROOFLINE_OP, COL_ROOFLINE_BOUND_BY, COL_ROOFLINE_SHARE, COL_ROOFLINE_TIME,
					COL_ROOFLINE_ABOVE_ROOF, COL_ROOFLINE_RATE, COL_ROOFLINE_BYTE_RATE,
					COL_ROOFLINE_INTENSITY),
		   .wide = COLUMN_LIST(COL_ROOFLINE_OP, COL_ROOFLINE_BOUND_BY, COL_ROOFLINE_SHARE, COL_ROOFLINE_TIME,
				       COL_ROOFLINE_ABOVE_ROOF, COL_ROOFLINE_RATE, COL_ROOFLINE_ROOF, COL_ROOFLINE_PEAK,
				       COL_ROOFLINE_BYTE_RATE, COL_ROOFLINE_PEAK_BYTES, COL_ROOFLINE_INTENSITY,
				       COL_ROOFLINE_RIDGE, COL_ROOFLINE_FLOPS, COL_ROOFLINE_BYTES, COL_ROOFLINE_RUNS)},
	.vs = {.key = COLUMN_LIST(COL_ROOFLINE_TYPE, COL_ROOFLINE_OP),
	       .sums = COLUMN_LIST(COL_ROOFLINE_TIME, COL_ROOFLINE_ABOVE_ROOF, COL_ROOFLINE_FLOPS, COL_ROOFLINE_BYTES)},
};
