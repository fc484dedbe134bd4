#include "kernel_names.h"
#include "kernels_columns.h"
#include "model/analysis/maths/rank.h"
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
	 "say"},
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
	.report = {.intro = "one row per name, longest first; the table 'kernels' has their launch shapes and ops "
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
/* The rows of one name: names.rows[from .. from + n), in their order. What else they add up to is worked out when it is read. */
struct named {
	int64_t total_ns;
	uint32_t from, n;
};
/* What rows are made from. */
struct names {
	struct source source;
	int64_t all_ns;
	struct named *at; /* in the order of their names */
	uint32_t *order;  /* longest first */
	uint32_t *rows;   /* of the source */
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

enum { ROWS_AT_ONCE = 256 };

/* What the rows of each rank add up to; `from`: one of them. */
static void add_up(struct names *names, const int64_t *rank, const uint32_t *rows, uint32_t n_rows)
{
	int64_t ns[ROWS_AT_ONCE];
	uint32_t total = (uint32_t)names->source.at[KERNEL_NAMES_TOTAL];
	for (uint32_t i = 0, more; i < n_rows; i += more) {
		more = n_rows - i < ROWS_AT_ONCE ? n_rows - i : ROWS_AT_ONCE;
		table_numbers(names->source.t, total, &rows[i], more, ns);
		for (uint32_t k = 0; k < more; k++) {
			struct named *x = &names->at[rank[i + k]];
			x->total_ns += ns[k] == UNKNOWN_I64 ? 0 : ns[k];
			x->n++;
			x->from = i + k;
		}
	}
}

static const char *name_of(const struct names *names, const struct named *x)
{
	const char *name = NULL;
	table_texts(names->source.t, (uint32_t)names->source.at[KERNEL_NAMES_NAME], &x->from, 1, &name);
	return name ? name : "";
}

/* Those that have rows, each name once: texts of the trace can differ behind a 0. What each rank becomes goes to `becomes`. */
static uint32_t join_equal_names(struct names *names, uint32_t ranks, uint32_t *becomes)
{
	const char *before = NULL;
	uint32_t n = 0;
	for (uint32_t i = 0; i < ranks; i++) {
		struct named x = names->at[i];
		if (!x.n)
			continue;
		const char *name = name_of(names, &x);
		if (!before || strcmp(before, name) != 0) {
			names->at[n++] = x;
		} else {
			names->at[n - 1].total_ns += x.total_ns;
			names->at[n - 1].n += x.n;
		}
		before = name;
		becomes[i] = n - 1;
	}
	return n;
}

/* No two are of one name. */
static int by_time(const void *x, const void *y, void *arg)
{
	const struct named *at = arg;
	const struct rank *a = x, *b = y;
	int64_t a_ns = at[a->id].total_ns, b_ns = at[b->id].total_ns;
	return a_ns != b_ns ? (a_ns > b_ns ? -1 : 1) : (a->id > b->id) - (a->id < b->id);
}

/* What the rows of a name add up to. */
struct sum {
	int64_t count, min_ns, max_ns;
	int64_t top_ns; /* the largest row, */
	uint32_t top;   /* of equal ones the first */
	bool one_op;
	bool could, known; /* some row could use Tensor Cores; of all of them it is known whether they could */
};

static void add_row(struct sum *x, const struct source *s, uint32_t row)
{
	const struct cell *min = cell_of(s, row, KERNEL_NAMES_MIN), *max = cell_of(s, row, KERNEL_NAMES_MAX);
	const struct cell *could = s->eligible < 0 ? NULL : table_cell(s->t, row, (uint32_t)s->eligible);
	int64_t total_ns = number(s, row, KERNEL_NAMES_TOTAL);
	x->count += number(s, row, KERNEL_NAMES_COUNT);
	x->min_ns = !min->null && min->i < x->min_ns ? min->i : x->min_ns;
	x->max_ns = !max->null && max->i > x->max_ns ? max->i : x->max_ns;
	x->could = x->could || (could && !could->null && could->b);
	x->known = x->known && could && !could->null;
	if (total_ns > x->top_ns) {
		x->top_ns = total_ns;
		x->top = row;
	}
}

static uint32_t first_row(const struct names *names, const struct named *x)
{
	return names->rows[x->from];
}

static struct sum sum_of(const struct names *names, const struct named *x)
{
	struct sum sum = {.min_ns = INT64_MAX,
			  .max_ns = INT64_MIN,
			  .top_ns = INT64_MIN,
			  .top = first_row(names, x),
			  .one_op = true,
			  .known = true};
	const char *op = text(&names->source, sum.top, KERNEL_NAMES_OP);
	for (uint32_t i = x->from; i < x->from + x->n; i++) {
		add_row(&sum, &names->source, names->rows[i]);
		sum.one_op = sum.one_op && strcmp(op, text(&names->source, names->rows[i], KERNEL_NAMES_OP)) == 0;
	}
	return sum;
}

/* Of a name that comes from several ops one that could use Tensor Cores decides. */
static const char *tensor_cores(const struct source *s, const struct sum *x)
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
	const struct named *x = &names->at[names->order[place]];
	struct sum sum = sum_of(names, x);
	struct cell *row = out->cells;
	cell_real(&row[KERNEL_NAMES_SHARE], pct_of(x->total_ns, names->all_ns));
	cell_int(&row[KERNEL_NAMES_TOTAL], x->total_ns);
	cell_int(&row[KERNEL_NAMES_COUNT], sum.count);
	cell_int(&row[KERNEL_NAMES_AVG], sum.count ? x->total_ns / sum.count : UNKNOWN_I64);
	cell_int(&row[KERNEL_NAMES_MIN], sum.min_ns == INT64_MAX ? UNKNOWN_I64 : sum.min_ns);
	cell_int(&row[KERNEL_NAMES_MAX], sum.max_ns == INT64_MIN ? UNKNOWN_I64 : sum.max_ns);
	cell_int(&row[KERNEL_NAMES_FORMS], x->n);
	cell_text(&row[KERNEL_NAMES_TC], tensor_cores(s, &sum));
	for (size_t i = 0; i < sizeof same; i++)
		row[same[i]] = *cell_of(s, sum.top, same[i]);
	if (sum.one_op)
		row[KERNEL_NAMES_OP] = *cell_of(s, sum.top, KERNEL_NAMES_OP);
}

static void make_evidence(const void *ctx, uint32_t place, struct made_row *out)
{
	const struct names *names = ctx;
	uint32_t top = sum_of(names, &names->at[names->order[place]]).top;
	out->evidence = *table_evidence_of(names->source.t, top);
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

/* The rows of each name together. */
static void deal_rows(struct names *names, const int64_t *rank, const uint32_t *becomes, uint32_t n_rows, uint32_t n)
{
	for (uint32_t i = 0, from = 0; i < n; i++) {
		names->at[i].from = from;
		from += names->at[i].n;
		names->at[i].n = 0;
	}
	for (uint32_t r = 0; r < n_rows; r++) {
		struct named *x = &names->at[becomes[rank[r]]];
		names->rows[x->from + x->n++] = r;
	}
}

static void rank_names(struct names *names, uint32_t n, struct arena *mem)
{
	struct rank *order = must(malloc((n + (size_t)1) * sizeof *order));
	for (uint32_t i = 0; i < n; i++) {
		names->all_ns += names->at[i].total_ns;
		order[i] = (struct rank){rank_size(names->at[i].total_ns), i};
	}
	rank_sort(order, n);
	rank_ties(order, n, RANK_LARGE, by_time, names->at);
	names->order = rank_ids(order, n, mem);
}

static size_t most_ranks(const int64_t *rank, uint32_t n)
{
	int64_t most = -1;
	for (uint32_t i = 0; i < n; i++)
		most = rank[i] > most ? rank[i] : most;
	return (size_t)(most + 1);
}

/* Returns how many. */
static uint32_t list_names(struct names *names, uint32_t n_rows, struct arena *mem)
{
	names->rows = arena_alloc(mem, (n_rows + (size_t)1) * sizeof *names->rows);
	for (uint32_t r = 0; r < n_rows; r++)
		names->rows[r] = r;
	int64_t *rank = must(malloc((n_rows + (size_t)1) * sizeof *rank));
	table_ranks(names->source.t, (uint32_t)names->source.at[KERNEL_NAMES_NAME], names->rows, n_rows, rank);
	size_t ranks = most_ranks(rank, n_rows);
	names->at = arena_alloc(mem, (ranks + 1) * sizeof *names->at);
	uint32_t *becomes = must(malloc((ranks + 1) * sizeof *becomes));
	add_up(names, rank, names->rows, n_rows);
	uint32_t n = join_equal_names(names, (uint32_t)ranks, becomes);
	deal_rows(names, rank, becomes, n_rows, n);
	free(becomes);
	free(rank);
	rank_names(names, n, mem);
	return n;
}

struct table *kernels_by_name(const struct table *kernels, struct arena *mem)
{
	struct names *names = arena_alloc(mem, sizeof *names);
	struct table *out = table_new(mem, &kernel_names_desc);
	names->source = source_of(table_view(kernels, mem));
	uint32_t n = list_names(names, kernels->n_rows, mem);
	table_made_parts(out, n, row_parts, sizeof row_parts / sizeof *row_parts, names);
	out->sort_col = KERNEL_NAMES_TOTAL;
	out->why_empty = kernels->why_empty;
	out->sort_desc = true;
	return out;
}
