#include "cut.h"
#include "tui/text/words.h"
#include "model/columns.h"
#include "model/analysis/maths/largest.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t chosen_columns(const struct table *t, struct column_list list, int *out)
{
	uint32_t n = 0;
	if (!list.n)
		for (; n < t->n_cols; n++)
			out[n] = (int)n;
	for (uint32_t i = 0; i < list.n && n < t->n_cols; i++) {
		int col = table_place(t, list.at[i]);
		if (col >= 0)
			out[n++] = col;
	}
	return n;
}

static void fit_text(struct cell *cell, const struct cut *c, struct arena *mem)
{
	const char *whole = cell->s;
	if (c->text_cols > 0)
		cell->s = words_name(mem, whole, c->text_cols);
	if (cell->s == whole)
		cell->s = arena_strdup(mem, whole);
}

static void copy_row(struct table *to, const struct table *from, uint32_t row, const int *cols, const struct cut *c)
{
	struct cell *cells = table_row(to);
	for (uint32_t i = 0; i < to->n_cols; i++) {
		const struct column *column = &from->cols[cols[i]];
		cells[i] = *table_cell(from, row, (uint32_t)cols[i]);
		bool text = !cells[i].null && (column->type == CELL_TEXT && cells[i].type == CELL_TEXT) && cells[i].s;
		if (!text)
			continue;
		cells[i].s = scrub_cell(c->scrub, from, row, (uint32_t)cols[i], to->mem);
		fit_text(&cells[i], c, to->mem);
	}
	const struct evidence *e = table_evidence_of(from, row);
	table_evidence(to, e->a_ns, e->b_ns, e->rows, e->n);
}

/* ---- which rows ------------------------------------------------------------------------------------------------------ */

/* One row that stays, by its place and what it is ranked by. */
struct pick {
	struct cell key;
	uint32_t row;
};
struct cut_rows {
	const struct table *t;
	const struct pick *
		at; /* `n` of the `total` that are kept: all of them in their order, or the `max` largest, largest first */
	uint32_t n, max, total;
	int sort;      /* column of the key, -1 = the first ones stay */
	bool *unknown; /* per column: in every row that is kept */
	int *left;     /* those that are asked for and of which no value has been seen yet */
	uint32_t n_left;
};

static int larger_first(const void *x, const void *y)
{
	const struct pick *a = x, *b = y;
	int order = table_order(&a->key, &b->key, true);
	return order ? order : (a->row > b->row) - (a->row < b->row);
}

static int earlier_first(const void *x, const void *y)
{
	const struct pick *a = x, *b = y;
	return (a->row > b->row) - (a->row < b->row);
}

enum { LATE_LOOKS = 4096, ROWS_AT_ONCE = 256 };

/* Of numbers or texts, which are read by many. */
static bool any_at_once(const struct table *t, uint32_t col, const uint32_t *rows, uint32_t n)
{
	int64_t numbers[ROWS_AT_ONCE];
	const char *texts[ROWS_AT_ONCE];
	bool text = t->cols[col].type == CELL_TEXT, known = false;
	if (text)
		table_texts(t, col, rows, n, texts);
	else
		table_numbers(t, col, rows, n, numbers);
	for (uint32_t i = 0; i < n && !known; i++)
		known = text ? texts[i] != NULL : numbers[i] != UNKNOWN_I64;
	return known;
}

/* Whether one of the rows has a value there. */
static bool any_known(const struct table *t, uint32_t col, const uint32_t *rows, uint32_t n)
{
	bool known = !table_cell(t, rows[0], col)->null, any = table_is_keys(t); /* their values are of any type */
	enum cell_type type = t->cols[col].type;
	if (!known && !any && (type == CELL_INT || type == CELL_BOOL || (type == CELL_TEXT && !table_is_late(t, col))))
		return any_at_once(t, col, rows, n);
	for (uint32_t i = 1; i < n && !known; i++)
		known = !table_cell(t, rows[i], col)->null;
	return known;
}

/* Late columns are asked for the first rows only, the largest of a ranking. rows: those that follow the ones looked at so far. */
static void look_for_known(struct cut_rows *p, const uint32_t *rows, uint32_t n)
{
	uint32_t left = 0;
	for (uint32_t i = 0; i < p->n_left; i++) {
		uint32_t c = (uint32_t)p->left[i];
		bool over = p->total > LATE_LOOKS && table_is_late(p->t, c);
		p->unknown[c] = over || !any_known(p->t, c, rows, n);
		p->left[left] = (int)c;
		left += p->unknown[c] && !over;
	}
	p->n_left = left;
}

static struct pick pick_of(const struct cut_rows *p, uint32_t row)
{
	struct pick x = {.row = row, .key.null = true};
	if (p->sort >= 0)
		x.key = *table_cell(p->t, row, (uint32_t)p->sort);
	return x;
}

/* Those that come first are the ones to keep. */
static bool in_order(const struct cut_rows *p)
{
	return p->sort < 0 || (p->t->sort_col == p->sort && p->t->sort_desc);
}

static void offer_rows(const struct cut_rows *p, const uint32_t *rows, uint32_t n, struct largest *l)
{
	int64_t keys[ROWS_AT_ONCE];
	bool numbers = p->sort >= 0 && p->t->cols[p->sort].type == CELL_INT && !table_is_keys(p->t);
	if (numbers)
		table_numbers(p->t, (uint32_t)p->sort, rows, n, keys);
	for (uint32_t i = 0; i < n && (l->n < l->max || !in_order(p)); i++) {
		struct pick x = {.row = rows[i], .key.type = CELL_INT};
		if (numbers)
			cell_int(&x.key, keys[i]);
		else
			x = pick_of(p, rows[i]);
		largest_offer(l, &x);
	}
}

static void look_through(struct cut_rows *p, const struct cut_choice *c, struct largest *l)
{
	uint32_t rows[ROWS_AT_ONCE], n = 0;
	for (uint32_t r = 0; r < p->t->n_rows; r++) {
		if (!c->keep || c->keep(p->t, r, c->word))
			rows[n++] = r;
		if (!n || (n < ROWS_AT_ONCE && r + 1 < p->t->n_rows))
			continue;
		p->total += n;
		offer_rows(p, rows, n, l);
		look_for_known(p, rows, n);
		n = 0;
	}
}

const struct cut_rows *cut_rows(const struct table *t, const struct cut_choice *c, struct arena *mem)
{
	struct cut_rows *p = arena_alloc(mem, sizeof *p);
	*p = (struct cut_rows){.t = t, .max = c->max && c->max < t->n_rows ? c->max : t->n_rows};
	p->sort = c->sort.n ? table_place(t, c->sort.at[0]) : -1;
	p->unknown = arena_alloc(mem, (size_t)t->n_cols + 1);
	p->left = arena_alloc(mem, ((size_t)t->n_cols + 1) * sizeof *p->left);
	memset(p->unknown, t->n_rows > 0, t->n_cols);
	if (t->n_rows && !c->all_columns)
		p->n_left = chosen_columns(t, c->columns, p->left);
	struct largest l = largest_new(mem, p->max, sizeof(struct pick), larger_first);
	look_through(p, c, &l);
	p->at = largest_sorted(&l);
	p->n = l.n;
	if (p->sort < 0 || p->total == p->n)
		qsort(l.at, l.n, l.size, earlier_first);
	return p;
}

bool cut_any(const struct table *t, const struct cut_choice *c)
{
	for (uint32_t r = 0; r < t->n_rows; r++)
		if (!c->keep || c->keep(t, r, c->word))
			return true;
	return false;
}

uint32_t cut_total(const struct cut_rows *rows)
{
	return rows->total;
}

const char *cut_unknown(const struct cut_rows *rows, struct column_list columns, struct arena *mem)
{
	const struct table *t = rows->t;
	const char *names = "";
	int *cols = arena_alloc(mem, ((size_t)t->n_cols + 1) * sizeof *cols);
	uint32_t n = chosen_columns(t, columns, cols);
	for (uint32_t i = 0; i < n; i++) {
		const char *name = t->cols[cols[i]].name;
		if (rows->unknown[cols[i]] && strcmp(name, COLUMN_CUT) != 0) /* whole is not unknown */
			names = arena_printf(mem, "%s%s%s", names, *names ? ", " : "", name);
	}
	return names;
}

/* ---- the table ------------------------------------------------------------------------------------------------------- */

/* Takes the unknown columns out of the choice. */
static uint32_t known_columns(const struct cut_rows *rows, int *cols, uint32_t n)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < n; i++)
		if (!rows->unknown[cols[i]])
			cols[kept++] = cols[i];
	return kept;
}

/* The `n` largest of all that were picked, or all of them in their order. */
static const struct pick *largest(const struct cut_rows *rows, uint32_t n, struct arena *mem)
{
	if (rows->sort < 0 || n >= rows->total || rows->total > rows->n)
		return rows->at;
	struct pick *at = arena_alloc(mem, ((size_t)rows->n + 1) * sizeof *at);
	memcpy(at, rows->at, rows->n * sizeof *at);
	qsort(at, rows->n, sizeof *at, larger_first);
	return at;
}

struct table *cut_table(const struct table *t, const struct cut_rows *rows, const struct cut *c, struct arena *mem)
{
	int *from = arena_alloc(mem, ((size_t)t->n_cols + 1) * sizeof *from);
	uint32_t n = chosen_columns(t, c->columns, from), n_rows = c->rows && c->rows < rows->n ? c->rows : rows->n;
	if (c->drop_unknown)
		n = known_columns(rows, from, n);
	struct column *columns = arena_alloc(mem, ((size_t)n + 1) * sizeof *columns);
	for (uint32_t i = 0; i < n; i++)
		columns[i] = t->cols[from[i]];
	struct table *out = table_like(mem, t, columns, n);
	const struct pick *at = largest(rows, n_rows, mem);
	out->sort_col = -1;
	for (uint32_t i = 0; i < n_rows; i++)
		copy_row(out, t, at[i].row, from, c);
	return out;
}

const struct cell *cut_value(const struct table *t, const char *key)
{
	const struct cell *v = key_cell(t, key);
	return v->null ? NULL : v;
}
