#include "table.h"
#include "finding.h"
#include "row_maker.h"
#include "model/store/base/memory.h"
#include "model/store/base/units.h"
#include "columns.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const unit_names[UNIT_UNITS] = {
	[UNIT_NONE] = "none",       [UNIT_NS] = "ns",       [UNIT_BYTES] = "bytes",
	[UNIT_PERCENT] = "percent", [UNIT_COUNT] = "count", [UNIT_BYTES_PER_S] = "bytes_per_s",
	[UNIT_FLOPS] = "flops",     [UNIT_ID] = "id",       [UNIT_CONFIDENCE] = "none",
};

const char *unit_name(enum unit u)
{
	return (unsigned)u < UNIT_UNITS ? unit_names[u] : "none";
}

/* ---- building --------------------------------------------------------------------------------------------------- */

struct table *table_bare(struct arena *mem, const char *name, const char *title, const struct column *cols,
			 uint32_t n_cols)
{
	struct table *t = arena_alloc(mem, sizeof *t);
	t->mem = mem;
	t->name = name;
	t->title = title;
	t->cols = cols;
	t->n_cols = n_cols;
	t->sort_col = -1;
	return t;
}

struct table *table_with(struct arena *mem, const struct table_desc *desc, const struct column *cols, uint32_t n_cols)
{
	struct table *t = table_bare(mem, desc->name, desc->title, cols, n_cols);
	t->desc = desc;
	return t;
}

struct table *table_new(struct arena *mem, const struct table_desc *desc)
{
	return table_with(mem, desc, desc->cols, desc->n_cols);
}

struct table *table_like(struct arena *mem, const struct table *like, const struct column *cols, uint32_t n_cols)
{
	struct table *t = table_bare(mem, like->name, like->title, cols, n_cols);
	t->desc = like->desc;
	t->sort_col = like->sort_col;
	t->sort_desc = like->sort_desc;
	t->window_a_ns = like->window_a_ns;
	t->window_b_ns = like->window_b_ns;
	t->why_empty = like->why_empty;
	return t;
}

void table_reserve(struct table *t, uint32_t n)
{
	if (n <= t->cap_rows)
		return;
	size_t row_bytes = t->n_cols * sizeof *t->cells;
	t->cells = arena_grow(t->mem, t->cells, t->cap_rows * row_bytes, n * row_bytes);
	t->evidence = arena_grow(t->mem, t->evidence, t->cap_rows * sizeof *t->evidence, n * sizeof *t->evidence);
	t->cap_rows = n;
}

struct cell *table_row(struct table *t)
{
	if (t->n_rows == t->cap_rows)
		table_reserve(t, t->cap_rows ? t->cap_rows * 2 : 16); /* two arrays with one capacity */
	struct cell *row = t->cells + (size_t)t->n_rows * t->n_cols;
	for (uint32_t c = 0; c < t->n_cols; c++)
		row[c] = (struct cell){.null = true, .type = t->cols[c].type};
	t->evidence[t->n_rows] = (struct evidence){0};
	t->n_rows++;
	return row;
}

void cell_int(struct cell *c, int64_t v)
{
	c->type = CELL_INT;
	c->null = v == UNKNOWN_I64;
	c->i = v;
}

void cell_real(struct cell *c, double v)
{
	c->type = CELL_REAL;
	c->null = isnan(v);
	c->r = v;
}

void cell_text(struct cell *c, const char *s)
{
	c->type = CELL_TEXT;
	c->null = !s;
	c->s = s;
}

void cell_bool(struct cell *c, bool v)
{
	c->type = CELL_BOOL;
	c->null = false;
	c->b = v;
}

void cell_unit(struct cell *c, enum unit u)
{
	c->unit = u;
}

void table_evidence(struct table *t, int64_t a_ns, int64_t b_ns, const row_id *rows, uint32_t n)
{
	if (!t->n_rows)
		return;
	row_id *copy = n ? arena_alloc(t->mem, n * sizeof *copy) : NULL;
	if (n)
		memcpy(copy, rows, n * sizeof *copy);
	t->evidence[t->n_rows - 1] = (struct evidence){a_ns, b_ns, copy, n, NULL};
}

static void copy_row(struct table *out, const struct table *t, uint32_t row)
{
	const struct cell *from = table_cells(t, row);
	const struct evidence *e = table_evidence_of(t, row);
	struct cell *cells = table_row(out);
	memcpy(cells, from, t->n_cols * sizeof *cells);
	for (uint32_t c = 0; c < t->n_cols; c++)
		if (!cells[c].null && cells[c].type == CELL_TEXT && cells[c].s)
			cells[c].s = arena_strdup(out->mem, cells[c].s);
	table_evidence(out, e->a_ns, e->b_ns, e->rows, e->n);
	if (e->inputs)
		out->evidence[out->n_rows - 1].inputs = finding_inputs_copy(e->inputs, out->mem);
}

/* Columns of a table's own may have been named for it. */
static const struct column *columns_copy(const struct table *t, struct arena *mem)
{
	struct column *cols = arena_alloc(mem, (t->n_cols + (size_t)1) * sizeof *cols);
	for (uint32_t i = 0; i < t->n_cols; i++) {
		cols[i] = t->cols[i];
		cols[i].name = arena_strdup(mem, t->cols[i].name);
		cols[i].help = arena_strdup(mem, t->cols[i].help);
	}
	return cols;
}

struct table *table_copy(const struct table *t, struct arena *mem)
{
	bool own = !t->desc || t->cols != t->desc->cols;
	struct table *out = table_like(mem, t, own ? columns_copy(t, mem) : t->cols, t->n_cols);
	table_reserve(out, t->n_rows);
	for (uint32_t row = 0; row < t->n_rows; row++)
		copy_row(out, t, row);
	return out;
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

const struct cell *table_cell(const struct table *t, uint32_t row, uint32_t col)
{
	return t->maker ? row_maker_cell(t, row, col) : &t->cells[(size_t)row * t->n_cols + col];
}

int64_t cell_int_known(const struct cell *c)
{
	if (c->null || c->type == CELL_REAL)
		return UNKNOWN_I64;
	return c->type == CELL_BOOL ? c->b : c->type == CELL_TEXT ? 1 : c->i;
}

const char *cell_text_known(const struct cell *c)
{
	return c->null || c->type != CELL_TEXT ? NULL : c->s;
}

void table_numbers(const struct table *t, uint32_t col, const uint32_t *rows, uint32_t n, int64_t *out)
{
	if (t->maker)
		row_maker_numbers(t, col, rows, n, out);
	else
		for (uint32_t i = 0; i < n; i++)
			out[i] = cell_int_known(&t->cells[(size_t)rows[i] * t->n_cols + col]);
}

void table_texts(const struct table *t, uint32_t col, const uint32_t *rows, uint32_t n, const char **out)
{
	if (t->maker)
		row_maker_texts(t, col, rows, n, out);
	else
		for (uint32_t i = 0; i < n; i++)
			out[i] = cell_text_known(&t->cells[(size_t)rows[i] * t->n_cols + col]);
}

bool table_is_zero(const struct table *t, uint32_t col)
{
	return t->maker && row_maker_is_zero(t, col);
}

struct text_at {
	const char *text;
	uint32_t at;
};

static int by_text(const void *x, const void *y)
{
	return strcmp(((const struct text_at *)x)->text, ((const struct text_at *)y)->text);
}

static void sort_ranks(const struct table *t, uint32_t col, const uint32_t *rows, uint32_t n, int64_t *out)
{
	struct text_at *v = must(malloc((n + (size_t)1) * sizeof *v));
	int64_t rank = 0;
	for (uint32_t i = 0; i < n; i++) {
		table_texts(t, col, &rows[i], 1, &v[i].text);
		v[i].text = v[i].text ? v[i].text : "";
		v[i].at = i;
	}
	if (n)
		qsort(v, n, sizeof *v, by_text);
	for (uint32_t i = 0; i < n; i++) {
		rank += i && strcmp(v[i - 1].text, v[i].text) != 0;
		out[v[i].at] = rank;
	}
	free(v);
}

void table_ranks(const struct table *t, uint32_t col, const uint32_t *rows, uint32_t n, int64_t *out)
{
	if (!t->maker || !row_maker_ranks(t, col, rows, n, out))
		sort_ranks(t, col, rows, n, out);
}

const struct cell *table_cells(const struct table *t, uint32_t row)
{
	return t->maker ? row_maker_cells(t, row) : &t->cells[(size_t)row * t->n_cols];
}

void table_read(const struct table *t, uint32_t row, struct cell *cells)
{
	if (t->maker)
		row_maker_read(t, row, cells);
	else
		memcpy(cells, &t->cells[(size_t)row * t->n_cols], t->n_cols * sizeof *cells);
}

const struct evidence *table_evidence_of(const struct table *t, uint32_t row)
{
	return t->maker ? row_maker_evidence(t, row) : &t->evidence[row];
}

bool table_is_late(const struct table *t, uint32_t col)
{
	return t->maker && row_maker_is_late(t, col);
}

int table_column(const struct table *t, const char *name)
{
	for (uint32_t c = 0; c < t->n_cols; c++)
		if (!strcmp(t->cols[c].name, name))
			return (int)c;
	return -1;
}

int table_place(const struct table *t, uint32_t id)
{
	if (!t->desc || t->cols == t->desc->cols)
		return id < t->n_cols ? (int)id : -1;
	if (id >= t->desc->n_cols)
		return -1;
	const char *name = t->desc->cols[id].name; /* columns are copied with their names, and some are left out */
	for (uint32_t c = id < t->n_cols ? id + 1 : t->n_cols; c; c--)
		if (t->cols[c - 1].name == name)
			return (int)(c - 1);
	return table_column(t, name);
}

uint32_t table_first(const struct table *t, bool cut, uint32_t *out, uint32_t room)
{
	uint32_t n = 0;
	for (uint32_t i = 0; t->desc && i < t->desc->first.n && n < room; i++) {
		int col = table_place(t, t->desc->first.at[i]);
		if (col >= 0 && (cut || strcmp(t->cols[col].name, COLUMN_CUT) != 0))
			out[n++] = (uint32_t)col;
	}
	return n;
}

/* The cell's own, else the column's. */
static enum unit table_unit(const struct table *t, uint32_t row, uint32_t col)
{
	enum unit own = table_cell(t, row, col)->unit;
	return own ? own : t->cols[col].unit;
}

bool cell_type_is_number(enum cell_type type)
{
	return type == CELL_INT || type == CELL_REAL;
}

bool table_is_keys(const struct table *t)
{
	return t->n_cols >= 2 && strcmp(t->cols[0].name, COLUMN_KEY) == 0;
}

int64_t cell_whole(const struct cell *c)
{
	return c->type == CELL_REAL ? llround(c->r) : c->i;
}

/* ---- order ------------------------------------------------------------------------------------------------------ */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Compares the numbers at *a and *b and moves both after them. Any length: no conversion that could overflow. */
static int compare_digits(const char **a, const char **b)
{
	while (**a == '0')
		++*a;
	while (**b == '0')
		++*b;
	size_t na = 0, nb = 0;
	while (is_digit((*a)[na]))
		na++;
	while (is_digit((*b)[nb]))
		nb++;
	int order = na != nb ? (na < nb ? -1 : 1) : memcmp(*a, *b, na);
	*a += na;
	*b += nb;
	return order;
}

static int compare_text(const char *a, const char *b)
{
	const char *whole_a = a, *whole_b = b;
	while (*a && *b) {
		if (is_digit(*a) && is_digit(*b)) {
			int order = compare_digits(&a, &b);
			if (order)
				return order;
		} else if (*a != *b) {
			return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
		} else {
			a++;
			b++;
		}
	}
	if (*a || *b)
		return *a ? 1 : -1;
	return strcmp(whole_a, whole_b); /* "07" and "7" differ after all */
}

static double as_real(const struct cell *c)
{
	return c->type == CELL_INT ? (double)c->i : c->type == CELL_BOOL ? c->b : c->r;
}

static int compare_values(const struct cell *a, const struct cell *b)
{
	if (a->type == CELL_TEXT && b->type == CELL_TEXT)
		return compare_text(a->s, b->s);
	if (a->type == CELL_TEXT || b->type == CELL_TEXT)
		return a->type == CELL_TEXT ? 1 : -1; /* key/value tables: numbers before words */
	if (a->type == CELL_INT && b->type == CELL_INT)
		return (a->i > b->i) - (a->i < b->i);
	double x = as_real(a), y = as_real(b);
	return (x > y) - (x < y);
}

int table_order(const struct cell *a, const struct cell *b, bool desc)
{
	if (a->null || b->null)
		return a->null - b->null;
	return desc ? compare_values(b, a) : compare_values(a, b);
}

/* The column in one piece: sorting then touches nothing else of the rows. */
struct order {
	const struct cell *keys;
	bool desc;
};

static int compare_rows(const void *pa, const void *pb, void *arg)
{
	const struct order *o = arg;
	uint32_t ra = *(const uint32_t *)pa, rb = *(const uint32_t *)pb;
	int order = table_order(&o->keys[ra], &o->keys[rb], o->desc);
	return order ? order : (ra > rb) - (ra < rb);
}

static void permute(struct table *t, const uint32_t *from)
{
	size_t n = t->n_rows, row_bytes = t->n_cols * sizeof *t->cells;
	struct cell *cells = arena_alloc(t->mem, n * row_bytes);
	struct evidence *evidence = arena_alloc(t->mem, n * sizeof *evidence);
	for (size_t i = 0; i < n; i++) {
		memcpy(cells + i * t->n_cols, t->cells + (size_t)from[i] * t->n_cols, row_bytes);
		evidence[i] = t->evidence[from[i]];
	}
	t->cells = cells;
	t->evidence = evidence;
	t->cap_rows = t->n_rows;
}

void table_sort(struct table *t, int col, bool desc)
{
	if (col < 0 || (uint32_t)col >= t->n_cols || t->n_rows < 2)
		return;
	uint32_t *from = must(malloc(t->n_rows * sizeof *from));
	struct cell *keys = must(malloc(t->n_rows * sizeof *keys));
	for (uint32_t i = 0; i < t->n_rows; i++) {
		from[i] = i;
		keys[i] = *table_cell(t, i, (uint32_t)col);
	}
	qsort_r(from, t->n_rows, sizeof *from, compare_rows, &(struct order){keys, desc});
	if (t->maker)
		row_maker_permute(t, from);
	else
		permute(t, from);
	free(keys);
	free(from);
}

void table_top(struct table *t, uint32_t top)
{
	if (top && top < t->n_rows)
		t->n_rows = top;
}

/* ---- what a person reads ---------------------------------------------------------------------------------------- */

static const char *format_int(char *buf, size_t size, int64_t v, enum unit u)
{
	switch (u) {
	case UNIT_NS:
		return fmt_ns(buf, v);
	case UNIT_BYTES:
		return fmt_bytes(buf, v);
	case UNIT_COUNT:
		return fmt_count(buf, v);
	case UNIT_PERCENT:
		return fmt_pct(buf, (double)v);
	case UNIT_BYTES_PER_S:
		return fmt_rate(buf, (double)v);
	case UNIT_FLOPS:
		return fmt_flops(buf, (double)v);
	default:
		snprintf(buf, size, "%lld", (long long)v);
		return buf;
	}
}

static bool fits_int(double v)
{
	return v > -9.2e18 && v < 9.2e18;
}

/* Four digits are what a person reads; from a thousand on all digits before the point stay. */
static const char *format_plain(char *buf, size_t size, double v)
{
	if (fabs(v) >= 1e3 && fabs(v) < 1e9)
		return fmt_count(buf, llround(v));
	snprintf(buf, size, "%.4g", v);
	return buf;
}

static const char *format_real(char *buf, size_t size, double v, enum unit u)
{
	switch (u) {
	case UNIT_PERCENT:
		return fmt_pct(buf, v);
	case UNIT_BYTES_PER_S:
		return fmt_rate(buf, v);
	case UNIT_FLOPS:
		return fmt_flops(buf, v);
	case UNIT_CONFIDENCE:
		snprintf(buf, size, "%.2f", v);
		return buf;
	case UNIT_NS:
	case UNIT_BYTES:
		if (fits_int(v))
			return format_int(buf, size, llround(v), u);
		break;
	default:
		break;
	}
	return format_plain(buf, size, v);
}

const char *cell_format(const struct table *t, uint32_t row, uint32_t col, char *buf, size_t size)
{
	const struct cell *c = table_cell(t, row, col);
	if (c->null)
		return "-";
	switch (c->type) {
	case CELL_INT:
		return format_int(buf, size, c->i, table_unit(t, row, col));
	case CELL_REAL:
		return format_real(buf, size, c->r, table_unit(t, row, col));
	case CELL_BOOL:
		return c->b ? "yes" : "no";
	case CELL_TEXT:
		break;
	}
	return c->s;
}
