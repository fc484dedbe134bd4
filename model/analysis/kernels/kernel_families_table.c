/* kernel_families: the kernels of a window summed up by what they do. */
#include "kernel_families.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/cells.h"
#include <stdlib.h>

TABLE_DECL(kernel_families);

/* clang-format off */
#define FAMILY_COLUMNS(_)                                                                                              \
	_(FAMILY,  "family",     TEXT, NONE,    "what the kernels do, by their names, else their ops, and a rules file") \
	_(SHARE,   "share_pct",  REAL, PERCENT, "share of the time of all kernels")                                    \
	_(TOTAL,   "total_ns",   INT,  NS,      "time inside the window (cut at its edges)")                           \
	_(COUNT,   "count",      INT,  COUNT,   "kernels that start inside the window")                                \
	_(KERNELS, "kernels",    INT,  COUNT,   "different kernel names")                                              \
	_(AVG,     "avg_ns",     INT,  NS,      "mean whole duration of the counted ones, rounded down")               \
	_(PER_STEP,"per_step",   REAL, NONE,    "counted ones that belong to steps, per step that runs kernels in the window; null without steps") \
	_(TC,      "tc_pct",     REAL, PERCENT, "share of the family's time in kernels that run on Tensor Cores, as far as rules tell") \
	_(TC_UNKNOWN, "tc_unknown_pct", REAL, PERCENT, "share of the family's time in kernels of which rules do not tell it") \
	_(TOP,     "top_kernel", TEXT, NONE,    "kernel with the most time")                                           \
	_(WHAT,    "what",       TEXT, NONE,    "what belongs to the family")
/* clang-format on */

enum family_column {
#define COLUMN_ENUM(id, name, type, unit, help) COL_##id,
	FAMILY_COLUMNS(COLUMN_ENUM)
#undef COLUMN_ENUM
		COL_COUNT_
};
static const struct column columns[] = {
#define COLUMN_ROW(id, name, type, unit, help) {name, CELL_##type, UNIT_##unit, help},
	FAMILY_COLUMNS(COLUMN_ROW)
#undef COLUMN_ROW
};

struct family_sum {
	int64_t total_ns, whole_ns, tc_ns, tc_unknown_ns;
	uint64_t count, in_steps;
	uint32_t names;
	str_id last_name, top_name; /* groups of one name lie together */
	int64_t name_ns, top_ns;    /* of last_name so far; of the largest */
	const struct kernel_group *longest;
};

static void end_name(struct family_sum *f)
{
	if (!f->names || f->name_ns <= f->top_ns)
		return;
	f->top_ns = f->name_ns;
	f->top_name = f->last_name;
}

static void begin_name(struct family_sum *f, str_id name)
{
	if (f->names && f->last_name == name)
		return;
	end_name(f);
	f->names++;
	f->last_name = name;
	f->name_ns = 0;
}

static void add_group(struct family_sum *f, const struct kernel_group *k, const struct kernel_spread *s)
{
	begin_name(f, k->name);
	f->name_ns += k->total_ns;
	f->total_ns += k->total_ns;
	f->whole_ns += k->whole_ns;
	f->count += k->count;
	f->in_steps += s->in_steps;
	f->tc_ns += k->uses_tc == VERDICT_YES ? k->total_ns : 0;
	f->tc_unknown_ns += k->uses_tc == VERDICT_UNKNOWN ? k->total_ns : 0;
	if (!f->longest || k->total_ns > f->longest->total_ns)
		f->longest = k;
}

static void fill_row(struct cell *row, const struct family_sum *f, const struct kernel_stats *s, const struct trace *t)
{
	cell_pct(&row[COL_SHARE], f->total_ns, s->total_ns);
	cell_int(&row[COL_TOTAL], f->total_ns);
	cell_int(&row[COL_COUNT], (int64_t)f->count);
	cell_int(&row[COL_KERNELS], f->names);
	if (f->count)
		cell_int(&row[COL_AVG], f->whole_ns / (int64_t)f->count);
	if (s->steps && f->count)
		cell_real(&row[COL_PER_STEP], (double)f->in_steps / s->steps);
	cell_pct(&row[COL_TC], f->tc_ns, f->total_ns);
	cell_pct(&row[COL_TC_UNKNOWN], f->tc_unknown_ns, f->total_ns);
	cell_text(&row[COL_TOP], trace_str(t, f->top_name));
}

static void add_row(struct table *out, enum kernel_family id, struct family_sum *f, const struct kernel_stats *s,
		    const struct trace *t)
{
	if (!f->names)
		return;
	end_name(f);
	if (!f->top_name)
		f->top_name = f->last_name;
	struct cell *row = table_row(out);
	cell_text(&row[COL_FAMILY], kernel_family_word(id));
	cell_text(&row[COL_WHAT], kernel_family_help(id));
	fill_row(row, f, s, t);
	const struct kernel_group *k = f->longest;
	if (k->count)
		table_evidence(out, k->first_ns, k->last_end_ns, &k->longest, 1);
	else
		table_evidence(out, 0, 0, &k->longest, 1);
}

static struct table *run_kernel_families(const struct derived *d, const struct query *q, struct arena *mem,
					 struct progress *p, struct err *e)
{
	const struct trace *t = derived_trace(d);
	struct kernel_stats s;
	const uint8_t *family;
	if (!kernel_stats_spread(d, q, derived_rules(d), mem, p, &s, e) ||
	    !(family = kernel_stats_families(&s, d, mem, e)))
		return NULL;
	struct family_sum sums[FAMILY_COUNT] = {0};
	for (uint32_t i = 0; i < s.n; i++)
		add_group(&sums[family[i]], &s.groups[i], &s.spread[i]);
	struct table *out = table_new(mem, &kernel_families_desc);
	query_bounds(q, t, &out->window_a_ns, &out->window_b_ns);
	for (int f = 0; f < FAMILY_COUNT; f++)
		add_row(out, (enum kernel_family)f, &sums[f], &s, t);
	table_sort(out, COL_TOTAL, true);
	out->sort_col = COL_TOTAL;
	out->sort_desc = true;
	return out;
}

const struct table_desc kernel_families_desc = {
	.name = "kernel_families",
	.title = "Kernel families",
	.help = "kernels summed up by what they do: gemm, conv, attention, norm, copies and so on",
	TABLE_COLUMNS(columns),
	.run = run_kernel_families,
	.first = COLUMN_LIST(COL_FAMILY, COL_SHARE, COL_TOTAL, COL_COUNT, COL_KERNELS, COL_AVG, COL_TC, COL_TOP),
	.report = {.intro = "kernels summed up by what they do",
		   .brief = COLUMN_LIST(COL_FAMILY, COL_SHARE, COL_TOTAL, COL_COUNT, COL_KERNELS, COL_AVG, COL_TC,
					COL_TOP),
		   .wide = COLUMN_LIST(COL_FAMILY, COL_WHAT, COL_SHARE, COL_TOTAL, COL_COUNT, COL_KERNELS, COL_AVG,
				       COL_PER_STEP, COL_TC, COL_TC_UNKNOWN, COL_TOP),
		   .sort = COLUMN_LIST(COL_TOTAL)},
};
