#include "cut.h"
#include "tui/text/words.h"
#include "model/columns.h"
#include "model/analysis/recorded/events_columns.h"
#include "model/analysis/recorded/tracks_columns.h"
#include <stdio.h>
#include <string.h>

TABLE_DECL(events);
TABLE_DECL(tracks);

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

/* Columns that name a file, a machine or a thread, and the kind of word that stands in for it. In any table, or in
 * one. */
static const char *redacted_kind(const struct table *t, const struct column *c)
{
	static const char *const anywhere[] = {COLUMN_HOST, COLUMN_THREAD, COLUMN_FILE};
	static const struct {
		const struct table_desc *table;
		uint8_t column;
		const char *kind;
	} names[] = {{&events_desc, COL_EVENTS_TRACK_NAME, COLUMN_THREAD},
		     {&tracks_desc, COL_TRACKS_GROUP, "group"},
		     {&tracks_desc, COL_TRACKS_NAME, COLUMN_THREAD}};
	for (size_t i = 0; i < sizeof anywhere / sizeof *anywhere; i++)
		if (strcmp(c->name, anywhere[i]) == 0)
			return anywhere[i];
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (t->desc == names[i].table && strcmp(c->name, t->desc->cols[names[i].column].name) == 0)
			return names[i].kind;
	return NULL;
}

static void fit_text(struct cell *cell, const char *kind, const struct cut *c, struct arena *mem)
{
	if (kind && c->redact && *cell->s)
		cell->s = words_hash(mem, kind, cell->s);
	if (c->text_cols > 0)
		cell->s = words_name(mem, cell->s, c->text_cols);
}

static void copy_row(struct table *to, const struct table *from, uint32_t row, const int *cols, const struct cut *c)
{
	struct cell *cells = table_row(to);
	for (uint32_t i = 0; i < to->n_cols; i++) {
		const struct column *column = &from->cols[cols[i]];
		cells[i] = *table_cell(from, row, (uint32_t)cols[i]);
		bool text = !cells[i].null && (column->type == CELL_TEXT && cells[i].type == CELL_TEXT) && cells[i].s;
		if (text)
			fit_text(&cells[i], redacted_kind(from, column), c, to->mem);
	}
	const struct evidence *e = table_evidence_of(from, row);
	table_evidence(to, e->a_ns, e->b_ns, e->rows, e->n);
}

/* Which of the columns tell nothing in any row that is kept: one pass, over as soon as all of them have told something. */
static void find_unknown(const struct table *t, const int *cols, uint32_t n, const struct cut *c, bool *unknown)
{
	uint32_t left = n;
	memset(unknown, t->n_rows > 0, n);
	for (uint32_t r = 0; r < t->n_rows && left; r++) {
		if (c->keep && !c->keep(t, r, c->word))
			continue;
		for (uint32_t i = 0; i < n; i++)
			if (unknown[i] && !table_cell(t, r, (uint32_t)cols[i])->null) {
				unknown[i] = false;
				left--;
			}
	}
}

const char *cut_unknown(const struct table *t, struct arena *mem)
{
	const char *names = "";
	int *all = arena_alloc(mem, (t->n_cols + 1) * sizeof *all);
	bool *unknown = arena_alloc(mem, t->n_cols + 1);
	find_unknown(t, all, chosen_columns(t, (struct column_list){0}, all), &(struct cut){0}, unknown);
	for (uint32_t c = 0; c < t->n_cols; c++)
		if (unknown[c] && strcmp(t->cols[c].name, COLUMN_CUT) != 0) /* whole is not unknown */
			names = arena_printf(mem, "%s%s%s", names, *names ? ", " : "", t->cols[c].name);
	return names;
}

/* Takes the unknown columns out of the choice. */
static uint32_t known_columns(const struct table *t, int *cols, uint32_t n, const struct cut *c, struct arena *mem)
{
	bool *unknown = arena_alloc(mem, n + 1);
	uint32_t kept = 0;
	find_unknown(t, cols, n, c, unknown);
	for (uint32_t i = 0; i < n; i++)
		if (!unknown[i])
			cols[kept++] = cols[i];
	return kept;
}

struct table *cut_table(const struct table *t, const struct cut *c, struct arena *mem, uint32_t *rows_total)
{
	int *from = arena_alloc(mem, (t->n_cols + 1) * sizeof *from);
	uint32_t n = chosen_columns(t, c->columns, from);
	if (c->drop_unknown)
		n = known_columns(t, from, n, c, mem);
	struct column *columns = arena_alloc(mem, (n + 1) * sizeof *columns);
	for (uint32_t i = 0; i < n; i++)
		columns[i] = t->cols[from[i]];
	struct table *out = table_like(mem, t, columns, n);
	out->sort_col = -1;
	for (uint32_t r = 0; r < t->n_rows; r++)
		if (!c->keep || c->keep(t, r, c->word))
			copy_row(out, t, r, from, c);
	if (rows_total)
		*rows_total = out->n_rows;
	if (c->rows == 0 || out->n_rows <= c->rows)
		return out;
	int sort = c->sort.n ? table_place(out, c->sort.at[0]) : -1;
	if (sort >= 0)
		table_sort(out, sort, true);
	table_top(out, c->rows);
	return out;
}

const struct cell *cut_value(const struct table *t, const char *key)
{
	const struct cell *v = key_cell(t, key);
	return v->null ? NULL : v;
}
