#include "attr_columns.h"
#include "model/store/base/memory.h"
#include "model/store/base/grow.h"
#include <stdlib.h>
#include <string.h>

enum { SCRATCH_BYTES = 1 << 20 }; /* attributes read since the scratch memory was last given back */

struct key {
	str_id name;
	bool typed;
	enum cell_type type;
	row_id last_row; /* the event that had it last: twice in one event makes it text */
	uint32_t column;
};
struct attr_columns {
	const struct trace *t;
	struct arena scratch;
	uint32_t *by_name; /* string id -> index + 1, 0 = no such key */
	struct key *keys;
	uint32_t n, cap;
};

struct attr_columns *attr_columns_new(const struct trace *t)
{
	struct attr_columns *a = calloc(1, sizeof *a);
	if (!a || !(a->by_name = calloc(strings_count(trace_strings(t)) + 1, sizeof *a->by_name)))
		memory_exhausted();
	a->t = t;
	return a;
}

void attr_columns_free(struct attr_columns *a)
{
	arena_free(&a->scratch);
	free(a->by_name);
	free(a->keys);
	free(a);
}

static struct key *key_of(struct attr_columns *a, str_id name)
{
	if (name >= strings_count(trace_strings(a->t)))
		return NULL;
	if (!a->by_name[name]) {
		GROW_ARRAY(a->keys, a->n, a->cap);
		a->keys[a->n++] = (struct key){.name = name, .last_row = NONE_ID};
		a->by_name[name] = a->n;
	}
	return &a->keys[a->by_name[name] - 1];
}

static enum cell_type type_of(const struct attr *v)
{
	switch (v->type) {
	case ATTR_INT:
		return v->i == UNKNOWN_I64 ? CELL_TEXT : CELL_INT;
	case ATTR_UINT:
		return v->u > INT64_MAX ? CELL_TEXT : CELL_INT;
	case ATTR_DOUBLE:
		return CELL_REAL;
	case ATTR_BOOL:
		return CELL_BOOL;
	default:
		return CELL_TEXT;
	}
}

/* Attributes of the event's start and end records, in scratch memory that lives until the next call. */
static uint32_t read_attrs(struct attr_columns *a, row_id r, struct attr *lists[2], size_t n[2])
{
	const attr_at at[2] = {number_at(trace_columns(a->t)->attrs, r), trace_end_attrs(a->t, r)};
	uint32_t got = 0;
	if (a->scratch.bytes > SCRATCH_BYTES)
		arena_free(&a->scratch);
	for (int i = 0; i < 2; i++)
		if (at[i] && attrs_read(trace_attrs(a->t), at[i], &a->scratch, &lists[got], &n[got]))
			got++;
	return got;
}

static void learn(struct attr_columns *a, row_id r, const struct attr *v)
{
	struct key *k = key_of(a, v->key);
	if (!k || v->type == ATTR_NULL)
		return;
	bool again = k->last_row == r, differs = k->typed && k->type != type_of(v);
	k->type = again || differs ? CELL_TEXT : type_of(v);
	k->typed = true;
	k->last_row = r;
}

void attr_columns_learn(struct attr_columns *a, row_id r)
{
	struct attr *lists[2];
	size_t n[2];
	uint32_t lists_n = read_attrs(a, r, lists, n);
	for (uint32_t l = 0; l < lists_n; l++)
		for (size_t i = 0; i < n[l]; i++)
			learn(a, r, &lists[l][i]);
}

static int compare_names(const void *pa, const void *pb, void *arg)
{
	const struct attr_columns *a = arg;
	return strcmp(trace_str(a->t, a->keys[*(const uint32_t *)pa].name),
		      trace_str(a->t, a->keys[*(const uint32_t *)pb].name));
}

const struct column *attr_columns_add(struct attr_columns *a, struct arena *mem, const struct column *own,
				      uint32_t n_own, uint32_t *n_all)
{
	struct column *all = arena_alloc(mem, (n_own + a->n) * sizeof *all);
	uint32_t *order = arena_alloc(mem, (a->n + 1) * sizeof *order);
	for (uint32_t i = 0; i < a->n; i++)
		order[i] = i;
	qsort_r(order, a->n, sizeof *order, compare_names, a);
	memcpy(all, own, n_own * sizeof *all);
	for (uint32_t i = 0; i < a->n; i++) {
		struct key *k = &a->keys[order[i]];
		k->column = n_own + i;
		all[k->column] = (struct column){.name = arena_printf(mem, "args.%s", trace_str(a->t, k->name)),
						 .type = k->typed ? k->type : CELL_TEXT,
						 .help = "attribute, as the producer wrote it"};
	}
	*n_all = n_own + a->n;
	return all;
}

/* Texts of the record itself lie in scratch memory and are copied. */
static void fill_text(struct attr_columns *a, const struct attr *v, struct cell *c, struct arena *mem)
{
	const char *text = attr_text(v, trace_strings(a->t), mem);
	text = text == v->p ? arena_strndup(mem, v->p, v->n) : text;
	cell_text(c, c->null ? text : arena_printf(mem, "%s; %s", c->s, text));
}

static void fill(struct attr_columns *a, const struct attr *v, struct cell *row, struct arena *mem)
{
	const struct key *k = key_of(a, v->key);
	if (!k || !k->typed || v->type == ATTR_NULL)
		return;
	struct cell *c = &row[k->column];
	if (k->type == CELL_TEXT)
		fill_text(a, v, c, mem);
	else if (k->type == CELL_REAL)
		cell_real(c, v->d);
	else if (k->type == CELL_BOOL)
		cell_bool(c, v->u != 0);
	else
		cell_int(c, v->type == ATTR_UINT ? (int64_t)v->u : v->i);
}

void attr_columns_fill(struct attr_columns *a, row_id r, struct cell *row, struct arena *mem)
{
	struct attr *lists[2];
	size_t n[2];
	uint32_t lists_n = read_attrs(a, r, lists, n);
	for (uint32_t l = 0; l < lists_n; l++)
		for (size_t i = 0; i < n[l]; i++)
			fill(a, &lists[l][i], row, mem);
}
