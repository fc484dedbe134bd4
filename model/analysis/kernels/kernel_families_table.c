/* kernel_families: the kernels of a window summed up by what they do. */
#include "kernel_families_columns.h"
#include "kernel_families.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/cells.h"
#include <stdlib.h>

TABLE_DECL(kernel_families);

static const struct column columns[] = {KERNEL_FAMILIES_COLUMNS(COLUMN_ROW)};

struct family_sum {
	int64_t total_ns, whole_ns, tc_ns, tc_unknown_ns;
	uint64_t count, in_steps;
	uint32_t names;
	str_id last_name, top_name; /* kinds of one name lie together */
	int64_t name_ns, top_ns;    /* of last_name so far; of the largest */
	const struct kernel_kind *longest;
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

static void add_kind(struct family_sum *f, const struct kernel_stats *s, const struct kernel_kind *k)
{
	begin_name(f, k->name);
	f->name_ns += k->total_ns;
	f->total_ns += k->total_ns;
	f->whole_ns += k->whole_ns;
	f->count += k->count;
	f->in_steps += k->in_steps;
	f->tc_ns += k->uses_tc == VERDICT_YES ? k->total_ns : 0;
	f->tc_unknown_ns += k->uses_tc == VERDICT_UNKNOWN ? k->total_ns : 0;
	f->longest = kernel_kind_longer(s, f->longest, k);
}

static void fill_row(struct cell *row, const struct family_sum *f, const struct kernel_stats *s, const struct trace *t)
{
	cell_pct(&row[COL_KERNEL_FAMILIES_SHARE], f->total_ns, s->total_ns);
	cell_int(&row[COL_KERNEL_FAMILIES_TOTAL], f->total_ns);
	cell_int(&row[COL_KERNEL_FAMILIES_COUNT], (int64_t)f->count);
	cell_int(&row[COL_KERNEL_FAMILIES_KERNELS], f->names);
	if (f->count)
		cell_int(&row[COL_KERNEL_FAMILIES_AVG], f->whole_ns / (int64_t)f->count);
	if (s->steps && f->count)
		cell_real(&row[COL_KERNEL_FAMILIES_PER_STEP], (double)f->in_steps / s->steps);
	cell_pct(&row[COL_KERNEL_FAMILIES_TC], f->tc_ns, f->total_ns);
	cell_pct(&row[COL_KERNEL_FAMILIES_TC_UNKNOWN], f->tc_unknown_ns, f->total_ns);
	cell_text(&row[COL_KERNEL_FAMILIES_TOP], trace_str(t, f->top_name));
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
	cell_text(&row[COL_KERNEL_FAMILIES_FAMILY], kernel_family_word(id));
	cell_text(&row[COL_KERNEL_FAMILIES_WHAT], kernel_family_help(id));
	fill_row(row, f, s, t);
	uint32_t top = kernel_kind_top(s, f->longest);
	if (top == NONE_ID)
		return;
	struct kernel_group k = kernel_stats_group(s, top);
	if (k.count)
		table_evidence(out, k.first_ns, k.last_end_ns, &k.longest, 1);
	else
		table_evidence(out, 0, 0, &k.longest, 1);
}

static struct table *families_table(const struct derived *d, const struct query *q, const struct kernel_stats *s,
				    const uint8_t *family, struct arena *mem)
{
	const struct trace *t = derived_trace(d);
	struct family_sum sums[FAMILY_COUNT] = {0};
	for (uint32_t i = 0; i < s->n_kinds; i++)
		add_kind(&sums[family[i]], s, &s->kinds[i]);
	struct table *out = table_new(mem, &kernel_families_desc);
	query_bounds(q, t, &out->window_a_ns, &out->window_b_ns);
	for (int f = 0; f < FAMILY_COUNT; f++)
		add_row(out, (enum kernel_family)f, &sums[f], s, t);
	table_sort(out, COL_KERNEL_FAMILIES_TOTAL, true);
	out->sort_col = COL_KERNEL_FAMILIES_TOTAL;
	out->sort_desc = true;
	return out;
}

static struct table *run_kernel_families(const struct derived *d, const struct query *q, struct arena *mem,
					 struct progress *p, struct err *e)
{
	const struct kernel_stats *bare = shared_part(&kernel_stats_part, d, q, mem, p, e);
	const uint8_t *family = bare ? kernel_stats_families(bare, d, q, mem, e) : NULL;
	if (!family)
		return NULL;
	struct kernel_stats s = *bare;
	kernel_stats_make_longest(&s, family, FAMILY_COUNT, mem);
	return families_table(d, q, &s, family, mem);
}

static bool make_bare(const struct derived *d, const struct query *q, void *out, struct arena *mem, struct progress *p,
		      struct err *e)
{
	const struct kernel_stats *s = shared_part(&kernel_stats_part, d, q, mem, p, e);
	const uint8_t *family = s ? kernel_stats_families(s, d, q, mem, e) : NULL;
	if (family)
		*(struct table *)out = *families_table(d, q, s, family, mem);
	return family != NULL;
}

const struct shared_part kernel_families_part = {sizeof(struct table), make_bare};

const struct table_desc kernel_families_desc = {
	.name = "kernel_families",
	.title = "Kernel families",
	.help = "kernels summed by what they do: gemm, conv, attention, norm, copies and so on",
	TABLE_COLUMNS(columns),
	.run = run_kernel_families,
	.first = COLUMN_LIST(COL_KERNEL_FAMILIES_FAMILY, COL_KERNEL_FAMILIES_SHARE, COL_KERNEL_FAMILIES_TOTAL,
			     COL_KERNEL_FAMILIES_COUNT, COL_KERNEL_FAMILIES_KERNELS, COL_KERNEL_FAMILIES_AVG,
			     COL_KERNEL_FAMILIES_TC, COL_KERNEL_FAMILIES_TOP),
	.lead = 2,
	.report = {.intro = "kernels summed up by what they do",
		   .brief =
			   COLUMN_LIST(COL_KERNEL_FAMILIES_FAMILY, COL_KERNEL_FAMILIES_SHARE, COL_KERNEL_FAMILIES_TOTAL,
				       COL_KERNEL_FAMILIES_COUNT, COL_KERNEL_FAMILIES_KERNELS, COL_KERNEL_FAMILIES_AVG,
				       COL_KERNEL_FAMILIES_TC, COL_KERNEL_FAMILIES_TOP),
		   .wide = COLUMN_LIST(COL_KERNEL_FAMILIES_FAMILY, COL_KERNEL_FAMILIES_WHAT, COL_KERNEL_FAMILIES_SHARE,
				       COL_KERNEL_FAMILIES_TOTAL, COL_KERNEL_FAMILIES_COUNT,
				       COL_KERNEL_FAMILIES_KERNELS, COL_KERNEL_FAMILIES_AVG,
				       COL_KERNEL_FAMILIES_PER_STEP, COL_KERNEL_FAMILIES_TC,
				       COL_KERNEL_FAMILIES_TC_UNKNOWN, COL_KERNEL_FAMILIES_TOP),
		   .sort = COLUMN_LIST(COL_KERNEL_FAMILIES_TOTAL)},
	.vs = {.rows = &kernel_families_part,
	       .key = COLUMN_LIST(COL_KERNEL_FAMILIES_FAMILY),
	       .sums = COLUMN_LIST(COL_KERNEL_FAMILIES_TOTAL, COL_KERNEL_FAMILIES_COUNT)},
};
