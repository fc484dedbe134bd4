#include "kernel_names.h"
#include "kernels_columns.h"
#include "model/store/base/grow.h"
#include "model/analysis/maths/rank.h"
#include "model/store/base/idmap.h"
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

/* Where the columns stand in the table `kernels`. */
struct source {
	const struct table *t;
	int at[KERNEL_NAMES_COLUMNS], eligible;
};
/* What the rows of one name add up to. */
struct named {
	int64_t total_ns, count, min_ns, max_ns;
	int64_t top_ns; /* the largest row, */
	uint32_t top;   /* of equal ones the first */
	uint32_t rows;
	bool one_op;
	bool could, known; /* some row could use Tensor Cores; of all of them it is known whether they could */
};
/* Until all rows are met. */
struct sum {
	const char *name, *op; /* op: of the row met first */
	struct named of;
};
/* Texts of the trace are one pointer each; equal ones of others come together in the end. */
struct sums {
	struct idmap index;
	struct sum *at;
	uint32_t n, cap;
};
/* What rows are made from. */
struct names {
	struct source source;
	int64_t all_ns;
	struct named *at;   /* in the order of their names */
	struct rank *order; /* longest first */
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

static struct sum sum_of_row(const struct source *s, uint32_t row)
{
	const struct cell *min = cell_of(s, row, KERNEL_NAMES_MIN), *max = cell_of(s, row, KERNEL_NAMES_MAX);
	const struct cell *could = s->eligible < 0 ? NULL : table_cell(s->t, row, (uint32_t)s->eligible);
	int64_t total_ns = number(s, row, KERNEL_NAMES_TOTAL);
	return (struct sum){.name = text(s, row, KERNEL_NAMES_NAME),
			    .op = text(s, row, KERNEL_NAMES_OP),
			    .of = {.total_ns = total_ns,
				   .count = number(s, row, KERNEL_NAMES_COUNT),
				   .min_ns = min->null ? INT64_MAX : min->i,
				   .max_ns = max->null ? INT64_MIN : max->i,
				   .top_ns = total_ns,
				   .top = row,
				   .rows = 1,
				   .one_op = true,
				   .could = could && !could->null && could->b,
				   .known = could && !could->null}};
}

/* The rows of y are of the same name. */
static void add(struct sum *to, const struct sum *from)
{
	struct named *x = &to->of;
	const struct named *y = &from->of;
	x->total_ns += y->total_ns;
	x->count += y->count;
	x->min_ns = y->min_ns < x->min_ns ? y->min_ns : x->min_ns;
	x->max_ns = y->max_ns > x->max_ns ? y->max_ns : x->max_ns;
	if (y->top_ns > x->top_ns || (y->top_ns == x->top_ns && y->top < x->top)) {
		x->top_ns = y->top_ns;
		x->top = y->top;
	}
	x->rows += y->rows;
	x->one_op = x->one_op && y->one_op && (to->op == from->op || strcmp(to->op, from->op) == 0);
	x->could = x->could || y->could;
	x->known = x->known && y->known;
}

static void add_row(struct sums *v, const struct source *s, uint32_t row)
{
	struct sum one = sum_of_row(s, row);
	uint32_t i = *idmap_put(&v->index, (uint64_t)(uintptr_t)one.name, v->n);
	if (i < v->n) {
		add(&v->at[i], &one);
		return;
	}
	GROW_ARRAY(v->at, v->n, v->cap);
	v->at[v->n++] = one;
}

static int by_name(const void *x, const void *y)
{
	const struct sum *a = x, *b = y;
	return strcmp(a->name, b->name);
}

static void join_equal_names(struct sums *v)
{
	uint32_t n = 0;
	if (v->n)
		qsort(v->at, v->n, sizeof *v->at, by_name);
	for (uint32_t i = 0; i < v->n; i++)
		if (n && strcmp(v->at[n - 1].name, v->at[i].name) == 0)
			add(&v->at[n - 1], &v->at[i]);
		else
			v->at[n++] = v->at[i];
	v->n = n;
}

/* No two are of one name. */
static int by_time(const void *x, const void *y, void *arg)
{
	const struct named *at = arg;
	const struct rank *a = x, *b = y;
	int64_t a_ns = at[a->id].total_ns, b_ns = at[b->id].total_ns;
	return a_ns != b_ns ? (a_ns > b_ns ? -1 : 1) : (a->id > b->id) - (a->id < b->id);
}

/* Of a name that comes from several ops one that could use Tensor Cores decides. */
static const char *tensor_cores(const struct source *s, const struct named *x)
{
	const struct cell *uses = cell_of(s, x->top, KERNEL_NAMES_TC);
	if (uses->null || uses->b)
		return uses->null ? NULL : "used";
	return x->could ? "could" : x->known ? "no" : NULL;
}

static void make_name(const void *ctx, uint32_t place, struct made_row *out)
{
	static const uint8_t same[] = {KERNEL_NAMES_PRECISION, KERNEL_NAMES_FAMILY, KERNEL_NAMES_NAME};
	const struct names *names = ctx;
	const struct source *s = &names->source;
	const struct named *x = &names->at[names->order[place].id];
	struct cell *row = out->cells;
	cell_real(&row[KERNEL_NAMES_SHARE], pct_of(x->total_ns, names->all_ns));
	cell_int(&row[KERNEL_NAMES_TOTAL], x->total_ns);
	cell_int(&row[KERNEL_NAMES_COUNT], x->count);
	cell_int(&row[KERNEL_NAMES_AVG], x->count ? x->total_ns / x->count : UNKNOWN_I64);
	cell_int(&row[KERNEL_NAMES_MIN], x->min_ns == INT64_MAX ? UNKNOWN_I64 : x->min_ns);
	cell_int(&row[KERNEL_NAMES_MAX], x->max_ns == INT64_MIN ? UNKNOWN_I64 : x->max_ns);
	cell_int(&row[KERNEL_NAMES_FORMS], x->rows);
	cell_text(&row[KERNEL_NAMES_TC], tensor_cores(s, x));
	for (size_t i = 0; i < sizeof same; i++)
		row[same[i]] = *cell_of(s, x->top, same[i]);
	if (x->one_op)
		row[KERNEL_NAMES_OP] = *cell_of(s, x->top, KERNEL_NAMES_OP);
}

static void make_evidence(const void *ctx, uint32_t place, struct made_row *out)
{
	const struct names *names = ctx;
	out->evidence = *table_evidence_of(names->source.t, names->at[names->order[place].id].top);
}

static const struct row_part row_parts[] = {
	{make_name, (UINT64_C(1) << KERNEL_NAMES_COLUMNS) - 1, false},
	{make_evidence, 0, false},
};

static struct source source_of(const struct table *kernels)
{
	struct source s = {.t = kernels, .eligible = table_place(kernels, COL_KERNELS_ELIGIBLE)};
	for (int c = 0; c < KERNEL_NAMES_COLUMNS; c++)
		s.at[c] = table_place(kernels, sources[c]);
	return s;
}

static void list_names(struct names *out, const struct sums *v, struct arena *mem)
{
	out->at = arena_alloc(mem, (v->n + (size_t)1) * sizeof *out->at);
	out->order = arena_alloc(mem, (v->n + (size_t)1) * sizeof *out->order);
	for (uint32_t i = 0; i < v->n; i++) {
		out->at[i] = v->at[i].of;
		out->all_ns += v->at[i].of.total_ns;
		out->order[i] = (struct rank){rank_size(v->at[i].of.total_ns), i};
	}
	rank_sort(out->order, v->n);
	rank_ties(out->order, v->n, RANK_LARGE, by_time, out->at);
}

struct table *kernels_by_name(const struct table *kernels, struct arena *mem)
{
	struct names *names = arena_alloc(mem, sizeof *names);
	struct table *out = table_new(mem, &kernel_names_desc);
	struct sums v = {0};
	names->source = source_of(table_view(kernels, mem));
	for (uint32_t r = 0; r < kernels->n_rows; r++)
		add_row(&v, &names->source, r);
	idmap_free(&v.index);
	join_equal_names(&v);
	list_names(names, &v, mem);
	free(v.at);
	table_made_parts(out, v.n, row_parts, sizeof row_parts / sizeof *row_parts, names);
	out->sort_col = KERNEL_NAMES_TOTAL;
	out->why_empty = kernels->why_empty;
	out->sort_desc = true;
	return out;
}
