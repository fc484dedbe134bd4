#include "kernel_names.h"
#include "model/analysis/kernels/kernels_columns.h"
#include "model/store/base/memory.h"
#include "model/store/base/units.h"
#include <stdlib.h>
#include <string.h>

static const struct column columns[KERNEL_NAMES_COLUMNS] = {
	{"share_pct", CELL_REAL, UNIT_PERCENT, "of the time of all kernels"},
	{"total_ns", CELL_INT, UNIT_NS, "time of all kernels of this name"},
	{"count", CELL_INT, UNIT_COUNT, "how many"},
	{"avg_ns", CELL_INT, UNIT_NS, "total / count, rounded down"},
	{"min_ns", CELL_INT, UNIT_NS, "the shortest one"},
	{"max_ns", CELL_INT, UNIT_NS, "the longest one"},
	{"tc", CELL_TEXT, UNIT_NONE,
	 "Tensor Cores: used; could: its op could use them and it does not; no: neither; unknown where names do not "
	 "tell"},
	{"precision", CELL_TEXT, UNIT_NONE, "by its name"},
	{"op", CELL_TEXT, UNIT_NONE, "framework op that launched it; unknown where several did"},
	{"name", CELL_TEXT, UNIT_NONE, "kernel name"},
	{"forms", CELL_INT, UNIT_COUNT, "launch shapes and ops it comes in: rows of the table by shape"},
	{"family", CELL_TEXT, UNIT_NONE, "what it does, by its name, else the op of its largest part"},
};

/* Where they come from; the number of forms is counted here. */
static const uint8_t sources[KERNEL_NAMES_COLUMNS] = {
	[KERNEL_NAMES_SHARE] = COL_KERNELS_SHARE,   [KERNEL_NAMES_TOTAL] = COL_KERNELS_TOTAL,
	[KERNEL_NAMES_COUNT] = COL_KERNELS_COUNT,   [KERNEL_NAMES_AVG] = COL_KERNELS_AVG,
	[KERNEL_NAMES_MIN] = COL_KERNELS_MIN,       [KERNEL_NAMES_MAX] = COL_KERNELS_MAX,
	[KERNEL_NAMES_TC] = COL_KERNELS_USES_TC,    [KERNEL_NAMES_PRECISION] = COL_KERNELS_PRECISION,
	[KERNEL_NAMES_OP] = COL_KERNELS_OP,         [KERNEL_NAMES_NAME] = COL_KERNELS_NAME,
	[KERNEL_NAMES_FAMILY] = COL_KERNELS_FAMILY,
};

/* By name there are no launch shapes and nothing that follows from them. */
const struct table_desc kernel_names_desc = {
	.name = "kernels",
	.title = "Top kernels",
	TABLE_COLUMNS(columns),
	.first = COLUMN_LIST(KERNEL_NAMES_NAME, KERNEL_NAMES_TC, KERNEL_NAMES_PRECISION, KERNEL_NAMES_SHARE,
			     KERNEL_NAMES_TOTAL, KERNEL_NAMES_COUNT, KERNEL_NAMES_AVG, KERNEL_NAMES_MIN,
			     KERNEL_NAMES_MAX, KERNEL_NAMES_OP, KERNEL_NAMES_FAMILY),
	.lead = 3,
	.report = {.intro = "one row per name, longest first; the table 'kernels' tells their launch shapes and ops "
			    "(forms) apart",
		   .brief = COLUMN_LIST(KERNEL_NAMES_NAME, KERNEL_NAMES_COUNT, KERNEL_NAMES_TOTAL, KERNEL_NAMES_SHARE,
					KERNEL_NAMES_AVG, KERNEL_NAMES_TC, KERNEL_NAMES_PRECISION, KERNEL_NAMES_FAMILY,
					KERNEL_NAMES_FORMS),
		   .wide = COLUMN_LIST(KERNEL_NAMES_NAME, KERNEL_NAMES_COUNT, KERNEL_NAMES_TOTAL, KERNEL_NAMES_SHARE,
				       KERNEL_NAMES_AVG, KERNEL_NAMES_MIN, KERNEL_NAMES_MAX, KERNEL_NAMES_TC,
				       KERNEL_NAMES_PRECISION, KERNEL_NAMES_OP, KERNEL_NAMES_FAMILY,
				       KERNEL_NAMES_FORMS),
		   .sort = COLUMN_LIST(KERNEL_NAMES_TOTAL)},
};

/* Where the columns stand in the table `kernels`, and one of its rows. */
struct source {
	const struct table *t;
	int at[KERNEL_NAMES_COLUMNS], eligible;
};
struct part {
	const struct source *from;
	const char *name;
	int64_t total_ns;
	uint32_t row;
};

static const struct cell *cell_of(const struct source *s, uint32_t row, int column)
{
	static const struct cell unknown = {.null = true};
	return s->at[column] < 0 ? &unknown : table_cell(s->t, row, (uint32_t)s->at[column]);
}

static int64_t number(const struct source *s, uint32_t row, int column)
{
	const struct cell *c = cell_of(s, row, column);
	return c->null ? 0 : c->i;
}

static const char *text(const struct source *s, uint32_t row, int column)
{
	const struct cell *c = cell_of(s, row, column);
	return c->null ? "" : c->s;
}

/* By name; the largest part of a name first. */
static int by_name(const void *x, const void *y)
{
	const struct part *a = x, *b = y;
	int order = a->name == b->name ? 0 : strcmp(a->name, b->name);
	if (order || a->total_ns != b->total_ns)
		return order ? order : a->total_ns < b->total_ns ? 1 : -1;
	return a->row < b->row ? -1 : 1;
}

/* Of a name that comes from several ops one that could use Tensor Cores decides. */
static const char *tensor_cores(const struct part *parts, uint32_t first, uint32_t end)
{
	const struct source *s = parts[first].from;
	const struct cell *uses = cell_of(s, parts[first].row, KERNEL_NAMES_TC);
	bool known = s->eligible >= 0;
	if (uses->null || uses->b)
		return uses->null ? NULL : "used";
	for (uint32_t i = first; i < end && s->eligible >= 0; i++) {
		const struct cell *could = table_cell(s->t, parts[i].row, (uint32_t)s->eligible);
		if (!could->null && could->b)
			return "could";
		known = known && !could->null;
	}
	return known ? "no" : NULL;
}

/* The parts [first, end) have one name. */
static void add(struct table *out, const struct part *parts, uint32_t first, uint32_t end, int64_t all_ns)
{
	const struct source *s = parts[first].from;
	struct cell *row = table_row(out);
	int64_t total = 0, count = 0, least = INT64_MAX, most = INT64_MIN;
	bool one_op = true;
	const char *op = text(s, parts[first].row, KERNEL_NAMES_OP);
	for (uint32_t i = first; i < end; i++) {
		total += parts[i].total_ns;
		count += number(s, parts[i].row, KERNEL_NAMES_COUNT);
		const struct cell *min = cell_of(s, parts[i].row, KERNEL_NAMES_MIN),
				  *max = cell_of(s, parts[i].row, KERNEL_NAMES_MAX);
		least = !min->null && min->i < least ? min->i : least;
		most = !max->null && max->i > most ? max->i : most;
		one_op = one_op && strcmp(text(s, parts[i].row, KERNEL_NAMES_OP), op) == 0;
	}
	cell_real(&row[KERNEL_NAMES_SHARE], pct_of(total, all_ns));
	cell_int(&row[KERNEL_NAMES_TOTAL], total);
	cell_int(&row[KERNEL_NAMES_COUNT], count);
	cell_int(&row[KERNEL_NAMES_AVG], count ? total / count : UNKNOWN_I64);
	cell_int(&row[KERNEL_NAMES_MIN], least == INT64_MAX ? UNKNOWN_I64 : least);
	cell_int(&row[KERNEL_NAMES_MAX], most == INT64_MIN ? UNKNOWN_I64 : most);
	cell_int(&row[KERNEL_NAMES_FORMS], end - first);
	cell_text(&row[KERNEL_NAMES_TC], tensor_cores(parts, first, end));
	row[KERNEL_NAMES_PRECISION] = *cell_of(s, parts[first].row, KERNEL_NAMES_PRECISION);
	row[KERNEL_NAMES_FAMILY] = *cell_of(s, parts[first].row, KERNEL_NAMES_FAMILY);
	if (one_op)
		row[KERNEL_NAMES_OP] = *cell_of(s, parts[first].row, KERNEL_NAMES_OP);
	row[KERNEL_NAMES_NAME] = *cell_of(s, parts[first].row, KERNEL_NAMES_NAME);
	const struct evidence *e = table_evidence_of(s->t, parts[first].row);
	table_evidence(out, e->a_ns, e->b_ns, e->rows, e->n);
}

static struct source source_of(const struct table *kernels)
{
	struct source s = {.t = kernels, .eligible = table_place(kernels, COL_KERNELS_ELIGIBLE)};
	for (int c = 0; c < KERNEL_NAMES_COLUMNS; c++)
		s.at[c] = table_place(kernels, sources[c]);
	return s;
}

struct table *kernels_by_name(const struct table *kernels, struct arena *mem)
{
	struct source s = source_of(kernels);
	struct table *out = table_new(mem, &kernel_names_desc);
	struct part *parts = calloc(kernels->n_rows + 1, sizeof *parts);
	int64_t all_ns = 0;
	if (!parts)
		memory_exhausted();
	for (uint32_t r = 0; r < kernels->n_rows; r++) {
		parts[r] = (struct part){&s, text(&s, r, KERNEL_NAMES_NAME), number(&s, r, KERNEL_NAMES_TOTAL), r};
		all_ns += parts[r].total_ns;
	}
	qsort(parts, kernels->n_rows, sizeof *parts, by_name);
	for (uint32_t i = 0, end; i < kernels->n_rows; i = end) {
		const char *name = parts[i].name;
		for (end = i + 1; end < kernels->n_rows && strcmp(parts[end].name, name) == 0;)
			end++;
		add(out, parts, i, end, all_ns);
	}
	free(parts);
	table_sort(out, KERNEL_NAMES_TOTAL, true);
	out->sort_col = KERNEL_NAMES_TOTAL;
	out->sort_desc = true;
	return out;
}
