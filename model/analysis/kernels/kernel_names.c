#include "kernel_names.h"
#include "kernels_columns.h"
#include "model/store/base/grow.h"
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
struct sum {
	const char *name, *op; /* op: of the row met first */
	int64_t total_ns, count, min_ns, max_ns;
	int64_t top_ns; /* the largest row, */
	uint32_t top;   /* of equal ones the first */
	uint32_t rows;
	bool one_op;
	bool could, known; /* some row could use Tensor Cores; of all of them it is known whether they could */
};
/* Texts of the trace are one pointer each; equal ones of others come together in the end. */
struct sums {
	struct idmap index;
	struct sum *at;
	uint32_t n, cap;
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
			    .total_ns = total_ns,
			    .count = number(s, row, KERNEL_NAMES_COUNT),
			    .min_ns = min->null ? INT64_MAX : min->i,
			    .max_ns = max->null ? INT64_MIN : max->i,
			    .top_ns = total_ns,
			    .top = row,
			    .rows = 1,
			    .one_op = true,
			    .could = could && !could->null && could->b,
			    .known = could && !could->null};
}

/* The rows of y are of the same name. */
static void add(struct sum *x, const struct sum *y)
{
	x->total_ns += y->total_ns;
	x->count += y->count;
	x->min_ns = y->min_ns < x->min_ns ? y->min_ns : x->min_ns;
	x->max_ns = y->max_ns > x->max_ns ? y->max_ns : x->max_ns;
	if (y->top_ns > x->top_ns || (y->top_ns == x->top_ns && y->top < x->top)) {
		x->top_ns = y->top_ns;
		x->top = y->top;
	}
	x->rows += y->rows;
	x->one_op = x->one_op && y->one_op && (x->op == y->op || strcmp(x->op, y->op) == 0);
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
static int by_time(const void *x, const void *y)
{
	const struct sum *a = x, *b = y;
	return a->total_ns != b->total_ns ? (a->total_ns > b->total_ns ? -1 : 1) : strcmp(a->name, b->name);
}

/* Of a name that comes from several ops one that could use Tensor Cores decides. */
static const char *tensor_cores(const struct source *s, const struct sum *x)
{
	const struct cell *uses = cell_of(s, x->top, KERNEL_NAMES_TC);
	if (uses->null || uses->b)
		return uses->null ? NULL : "used";
	return x->could ? "could" : x->known ? "no" : NULL;
}

static void put_name(struct table *out, const struct source *s, const struct sum *x, int64_t all_ns)
{
	static const uint8_t same[] = {KERNEL_NAMES_PRECISION, KERNEL_NAMES_FAMILY, KERNEL_NAMES_NAME};
	struct cell *row = table_row(out);
	cell_real(&row[KERNEL_NAMES_SHARE], pct_of(x->total_ns, all_ns));
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
	const struct evidence *e = table_evidence_of(s->t, x->top);
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
	struct sums v = {0};
	int64_t all_ns = 0;
	for (uint32_t r = 0; r < kernels->n_rows; r++)
		add_row(&v, &s, r);
	join_equal_names(&v);
	for (uint32_t i = 0; i < v.n; i++)
		all_ns += v.at[i].total_ns;
	idmap_free(&v.index);
	if (v.n)
		qsort(v.at, v.n, sizeof *v.at, by_time);
	table_reserve(out, v.n);
	for (uint32_t i = 0; i < v.n; i++)
		put_name(out, &s, &v.at[i], all_ns);
	free(v.at);
	out->sort_col = KERNEL_NAMES_TOTAL;
	out->sort_desc = true;
	return out;
}
