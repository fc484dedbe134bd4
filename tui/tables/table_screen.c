#include "table_screen.h"
#include "table_text.h"
#include "model/columns.h"
#include <string.h>

enum { LEAST_NAME = 28, LEAST_TEXT = 12, NAME_BUF = 64 };

/* Columns in the order in which they are shown; those after `n_shown` have no room. */
struct choice {
	const struct table *t;
	struct arena mem;
	uint32_t n, n_shown;
	uint32_t *col;
	bool *filled;     /* by the table's column: some row has a value */
	unsigned *widths; /* by the table's column */
};

static void find_filled(struct choice *c)
{
	for (uint32_t r = 0; r < c->t->n_rows; r++)
		for (uint32_t i = 0; i < c->t->n_cols; i++)
			c->filled[i] = c->filled[i] || !table_cell(c->t, r, i)->null;
}

/* ---- order ------------------------------------------------------------------------------------------------------ */

static bool chosen(const struct choice *c, uint32_t col)
{
	for (uint32_t i = 0; i < c->n; i++)
		if (c->col[i] == col)
			return true;
	return false;
}

/* Values of keys are printed with their unit: a column for it says nothing new. */
static void add(struct choice *c, uint32_t col)
{
	bool unit = table_is_keys(c->t) && (int)col == table_place(c->t, KEYED_UNIT);
	if (!unit && c->filled[col] && !chosen(c, col))
		c->col[c->n++] = col;
}

static void put_in_order(struct choice *c, const uint32_t *first, uint32_t n)
{
	c->n = 0;
	for (uint32_t i = 0; i < n; i++)
		add(c, first[i]);
	for (uint32_t i = 0; i < c->t->n_cols; i++)
		add(c, i);
}

/* ---- room ------------------------------------------------------------------------------------------------------- */

/* Numbers are never cut. Names give way down to what still tells them apart. */
static unsigned least_width(const struct choice *c, uint32_t col, bool name)
{
	unsigned head = (unsigned)strlen(c->t->cols[col].name), least = name ? LEAST_NAME : LEAST_TEXT;
	least = least > head ? least : head;
	return cell_type_is_number(c->t->cols[col].type) || c->widths[col] < least ? c->widths[col] : least;
}

static uint32_t fitting(const struct choice *c, unsigned width)
{
	unsigned used = 0;
	bool named = false;
	for (uint32_t i = 0; i < c->n; i++) {
		bool name = !named && !cell_type_is_number(c->t->cols[c->col[i]].type);
		named = named || name;
		used += least_width(c, c->col[i], name) + (i ? TABLE_TEXT_BETWEEN : 0);
		if (used > width)
			return i ? i : 1;
	}
	return c->n;
}

/* ---- the columns that are shown, as a table ----------------------------------------------------------------------- */

static struct table *shown(struct choice *c)
{
	struct column *cols = arena_alloc(&c->mem, (c->n_shown + 1) * sizeof *cols);
	for (uint32_t i = 0; i < c->n_shown; i++)
		cols[i] = c->t->cols[c->col[i]];
	struct table *out = table_bare(&c->mem, c->t->name, c->t->title, cols, c->n_shown);
	table_over(out, c->t, c->col, NULL, NULL);
	return out;
}

/* ---- what is not shown -------------------------------------------------------------------------------------------- */

static void put_word(FILE *out, const char *word, unsigned *at, unsigned width)
{
	unsigned n = (unsigned)strlen(word);
	if (*at && *at + 1 + n > width) {
		fputs("\n", out);
		*at = 0;
	}
	*at += (unsigned)fprintf(out, "%s%s", *at ? " " : "", word);
}

static void put_words(FILE *out, const char *text, unsigned *at, unsigned width)
{
	char word[NAME_BUF];
	while (*text) {
		size_t n = strcspn(text, " ");
		snprintf(word, sizeof word, "%.*s", (int)n, text);
		put_word(out, word, at, width);
		text += n + (text[n] == ' ');
	}
}

static void put_left_out(const struct choice *c, unsigned width, FILE *out)
{
	unsigned at = 0;
	char text[NAME_BUF];
	fputc('\n', out);
	snprintf(text, sizeof text, "%u more %s (--all-columns):", c->n - c->n_shown,
		 c->n - c->n_shown == 1 ? "column" : "columns");
	put_words(out, text, &at, width);
	for (uint32_t i = c->n_shown; i < c->n; i++) {
		snprintf(text, sizeof text, "%s%s", c->t->cols[c->col[i]].name, i + 1 < c->n ? "," : "");
		put_word(out, text, &at, width);
	}
	fputc('\n', out);
}

void table_screen(struct table *t, bool cut, unsigned width, FILE *out)
{
	struct choice c = {.t = t};
	c.col = arena_alloc(&c.mem, (t->n_cols + 1) * sizeof *c.col);
	c.filled = arena_alloc(&c.mem, (t->n_cols + 1) * sizeof *c.filled);
	c.widths = arena_alloc(&c.mem, (t->n_cols + 1) * sizeof *c.widths);
	table_text_widths(t, c.widths);
	find_filled(&c);
	put_in_order(&c, NULL, 0);
	if (fitting(&c, width) < c.n) {
		uint32_t *first = arena_alloc(&c.mem, (t->n_cols + 1) * sizeof *first);
		put_in_order(&c, first, table_first(t, cut, first, t->n_cols));
	}
	c.n_shown = fitting(&c, width);
	if (t->n_rows)
		table_text(shown(&c), out, width);
	else
		fprintf(out, "no rows: %s\n", t->why_empty ? t->why_empty : "this trace or window has none");
	if (t->n_rows && c.n_shown < c.n)
		put_left_out(&c, width, out);
	arena_free(&c.mem);
}
