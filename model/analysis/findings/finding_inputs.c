/* The numbers that a rule reads are handed over as it reads them: what the sentence says can be looked up where it stands. */
#include "finding_ctx.h"
#include "model/columns.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The next input of the rule that runs; one of that name that it handed over already is left as it is: NULL. */
static struct finding_input *next_input(struct finding_ctx *c, const char *name)
{
	uint64_t hash = idmap_hash(name, strlen(name), 0);
	for (uint32_t at; (at = *idmap_put(&c->input_places, hash, c->n_inputs)) != c->n_inputs; hash++)
		if (!strcmp(c->inputs[at].name, name))
			return NULL;
	c->inputs = arena_next_row(c->mem, c->inputs, c->n_inputs, sizeof *c->inputs);
	c->inputs[c->n_inputs] = (struct finding_input){.name = name, .value = NAN};
	return &c->inputs[c->n_inputs++];
}

struct finding_inputs inputs_taken(struct finding_ctx *c)
{
	struct finding_inputs taken = {c->inputs, c->n_inputs};
	c->inputs = NULL;
	c->n_inputs = 0;
	idmap_free(&c->input_places);
	return taken;
}

static const struct column *column_of(const struct table *t, uint32_t id)
{
	int place = t ? table_place(t, id) : -1;
	return place < 0 ? NULL : &t->cols[place];
}

static void place_input(struct finding_input *x, const struct table *t, uint32_t column, const char *rows)
{
	const struct column *k = column_of(t, column);
	x->table = t ? t->name : NULL;
	x->column = k ? k->name : NULL;
	x->unit = k ? k->unit : UNIT_NONE;
	x->rows = rows;
}

static const char *row_word(struct finding_ctx *c, uint32_t row)
{
	return arena_printf(c->mem, "row %u", row + 1);
}

/* ---- cells ---------------------------------------------------------------------------------------------------------- */

double from_cell(struct finding_ctx *c, const char *name, const struct table *t, uint32_t row, uint32_t column)
{
	double v = 0;
	bool known = row_real(t, row, column, &v);
	struct finding_input *x = next_input(c, name);
	if (x) {
		place_input(x, t, column, row_word(c, row));
		x->value = known ? v : NAN;
	}
	return known ? v : 0;
}

const char *from_text(struct finding_ctx *c, const char *name, const struct table *t, uint32_t row, uint32_t column)
{
	const char *text = row_text(t, row, column);
	struct finding_input *x = text ? next_input(c, name) : NULL;
	if (x) {
		place_input(x, t, column, row_word(c, row));
		x->text = text;
	}
	return text;
}

void from_key(struct finding_ctx *c, const struct table *t, const char *key)
{
	const struct cell *v = key_cell(t, key);
	struct finding_input *x =
		t && row_of_key(t, key) < t->n_rows ? next_input(c, key) : NULL; /* there may be no such row */
	double number;
	if (!x)
		return;
	place_input(x, t, KEYED_VALUE, arena_printf(c->mem, "key=%s", key));
	x->unit = v->unit;
	if (cell_number(v, &number))
		x->value = number;
	else
		x->text = v->null ? NULL : v->s;
}

/* ---- rows ----------------------------------------------------------------------------------------------------------- */

/* "word" among "word|other" of n bytes. */
static bool among(const char *word, const char *list, size_t n)
{
	size_t len = strlen(word);
	for (size_t at = 0, to; at <= n; at = to + 1) {
		for (to = at; to < n && list[to] != '|';)
			to++;
		if (to - at == len && !memcmp(list + at, word, len))
			return true;
	}
	return false;
}

static const char *cell_word(const struct table *t, uint32_t row, int column, char *buf, size_t size)
{
	const struct cell *v = table_cell(t, row, (uint32_t)column);
	if (v->null)
		return "null";
	if (v->type == CELL_TEXT)
		return v->s;
	if (v->type == CELL_BOOL)
		return v->b ? "true" : "false";
	snprintf(buf, size, "%.0f", v->type == CELL_REAL ? v->r : (double)v->i);
	return buf;
}

static bool compare(const struct cell *v, const char *word, char op, const char *to, size_t n)
{
	double number;
	if (op == '<')
		return cell_number(v, &number) && number < strtod(to, NULL);
	if (op == '~')
		return memmem(word, strlen(word), to, n) != NULL;
	return among(word, to, n) == (op == '=');
}

static int column_named(const struct table *t, const char *name, size_t n)
{
	for (uint32_t c = 0; c < t->n_cols; c++)
		if (t->cols[c].name[0] == name[0] && !strncmp(t->cols[c].name, name, n) && !t->cols[c].name[n])
			return (int)c;
	return -1;
}

/* A cell of numbers or flags is null or not, whatever it holds. */
static bool is_null_test(const struct cell *v, char op, const char *to, size_t n)
{
	return v->type != CELL_TEXT && (op == '=' || op == '!') && n == 4 && !memcmp(to, "null", n);
}

/* One condition of n bytes: "column=word|word", "column!=word", "column~part of a word", "column<number". */
static bool holds(const struct table *t, uint32_t row, const char *condition, size_t n)
{
	char buf[32];
	size_t len = strcspn(condition, "!=~<");
	char op = condition[len];
	int column = column_named(t, condition, len);
	len += op == '!' ? 2 : 1;
	if (column < 0)
		return false;
	const struct cell *v = table_cell(t, row, (uint32_t)column);
	if (is_null_test(v, op, condition + len, n - len))
		return v->null == (op == '=');
	const char *word =
		op == '<' ? "" : cell_word(t, row, column, buf, sizeof buf); /* a number is compared as it is */
	return compare(v, word, op, condition + len, n - len);
}

bool row_meets(const struct table *t, uint32_t row, const char *rows)
{
	static const char and[] = " and ";
	while (rows) {
		const char *next = strstr(rows, and);
		if (!holds(t, row, rows, next ? (size_t)(next - rows) : strlen(rows)))
			return false;
		rows = next ? next + strlen(and) : NULL;
	}
	return true;
}

double from_known(struct finding_ctx *c, const char *name, double value, const struct table *t, uint32_t column,
		  const char *rows)
{
	struct finding_input *x = t ? next_input(c, name) : NULL;
	if (x) {
		place_input(x, t, column, rows);
		x->value = value;
	}
	return value;
}

double from_rows(struct finding_ctx *c, const char *name, const struct table *t, uint32_t column, const char *rows)
{
	double sum = 0;
	for (uint32_t row = 0; t && row < t->n_rows; row++)
		sum += row_meets(t, row, rows) ? row_number(t, row, column) : 0;
	return from_known(c, name, sum, t, column, rows);
}

void from_counted(struct finding_ctx *c, const char *name, uint32_t n, const struct table *t, const char *rows)
{
	struct finding_input *x = t ? next_input(c, name) : NULL;
	if (x)
		*x = (struct finding_input){
			.name = name, .value = n, .unit = UNIT_COUNT, .table = t->name, .rows = rows};
}

uint32_t from_count(struct finding_ctx *c, const char *name, const struct table *t, const char *rows)
{
	uint32_t n = 0;
	for (uint32_t row = 0; t && row < t->n_rows; row++)
		n += row_meets(t, row, rows);
	from_counted(c, name, n, t, rows);
	return n;
}

void from_table(struct finding_ctx *c, struct finding_input input)
{
	struct finding_input *x = next_input(c, input.name);
	if (x)
		*x = input;
}

double made_of(struct finding_ctx *c, const char *name, double value, enum unit unit, const char *formula)
{
	struct finding_input *x = next_input(c, name);
	if (x) {
		x->value = value;
		x->unit = unit;
		x->made_of = formula;
	}
	return value;
}

/* ---- nothing to say --------------------------------------------------------------------------------------------------- */

void say_nothing(struct finding_ctx *c, const char *why)
{
	struct findings *f = c->out;
	f->silent = arena_next_row(f->mem, f->silent, f->n_silent, sizeof *f->silent);
	struct finding *x = &f->silent[f->n_silent++];
	*x = finding_blank(c->rule->word, c->rule->question, c->rule->title);
	x->why = why;
	x->inputs = inputs_taken(c);
}
