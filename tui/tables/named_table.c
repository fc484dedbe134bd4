#include "named_table.h"
#include "model/analysis/gaps/gaps_columns.h"
#include "model/analysis/kernels/fusion_columns.h"
#include "model/analysis/kernels/kernel_families_columns.h"
#include "model/analysis/kernels/kernels_columns.h"
#include "model/analysis/kernels/tensor_cores_columns.h"
#include "model/analysis/launches/launches_columns.h"
#include "model/analysis/kernels/kernel_families.h"
#include "model/analysis/names/kernel_name.h"
#include <stdint.h>
#include <string.h>

TABLE_DECL(kernels);
TABLE_DECL(kernel_families);
TABLE_DECL(launches);
TABLE_DECL(tensor_cores);
TABLE_DECL(gaps);
TABLE_DECL(fusion);

enum { TELLS_NO_OP = UINT8_MAX };
/* clang-format off */
/*  table,                 column of names,                column that tells the op or TELLS_NO_OP */
static const struct {
	const struct table_desc *table;
	uint8_t name, op;
} columns[] = {
	{&kernels_desc,         COL_KERNELS_NAME,               COL_KERNELS_OP},
	{&kernel_families_desc, COL_KERNEL_FAMILIES_TOP,        TELLS_NO_OP},
	{&launches_desc,        COL_LAUNCHES_KERNEL,            COL_LAUNCHES_OP},
	{&tensor_cores_desc,    COL_TENSOR_CORES_KERNEL,        COL_TENSOR_CORES_OP},
	{&gaps_desc,            COL_GAPS_BEFORE,                TELLS_NO_OP},
	{&gaps_desc,            COL_GAPS_AFTER,                 TELLS_NO_OP},
	{&fusion_desc,          COL_FUSION_FIRST_KERNEL,                TELLS_NO_OP},
};
/* clang-format on */

enum { MOST_COLUMNS = 4, SAID_SLOTS = 1024 };
struct said {
	const char *name, *op, *text;
};
struct naming {
	const struct table *t;
	struct arena *mem;
	enum kernel_names names;
	struct family_rules *rules;
	uint32_t n;
	int name[MOST_COLUMNS], op[MOST_COLUMNS];
	const char **said; /* by row and column */
	struct said before[SAID_SLOTS];
};

bool kernel_names_parse(const char *word, enum kernel_names *out)
{
	static const char *const words[] = {[NAMES_FULL] = "full", [NAMES_SHORT] = "short", [NAMES_FAMILY] = "family"};
	for (int i = NAMES_FULL; i <= NAMES_FAMILY; i++)
		if (strcmp(word, words[i]) == 0) {
			*out = (enum kernel_names)i;
			return true;
		}
	return false;
}

/* Making a name readable takes much more memory than the name. */
static const char *say_name(const struct naming *s, const char *name, const char *op)
{
	if (s->names == NAMES_FAMILY)
		return kernel_family_word(family_of(s->rules, name, op));
	struct arena scratch = {0};
	const char *said =
		s->names == NAMES_FULL ? kernel_name_full(&scratch, name) : kernel_name_short(&scratch, name);
	if (said != name)
		said = arena_strdup(s->mem, said);
	arena_free(&scratch);
	return said;
}

/* Rows of one name mostly follow from one text: said once. Families depend on the op as well. */
static const char *said_before(struct naming *s, const char *name, const char *op)
{
	struct said *slot = &s->before[((uintptr_t)name >> 2 ^ (uintptr_t)op >> 7) % SAID_SLOTS];
	if (slot->name != name || slot->op != op)
		*slot = (struct said){name, op, say_name(s, name, op)};
	return slot->text;
}

static const char *text_of(const struct naming *s, uint32_t row, int column)
{
	const struct cell *c = column < 0 ? NULL : table_cell(s->t, row, (uint32_t)column);
	return c && !c->null ? c->s : NULL;
}

static void say_all(struct naming *s)
{
	for (uint32_t row = 0; row < s->t->n_rows; row++)
		for (uint32_t i = 0; i < s->n; i++) {
			const char *name = text_of(s, row, s->name[i]), *op = text_of(s, row, s->op[i]);
			if (name)
				s->said[(size_t)row * s->n + i] = said_before(s, name, op ? op : "");
		}
}

static void make(const void *ctx, uint32_t row, struct made_row *out)
{
	const struct naming *s = ctx;
	for (uint32_t i = 0; i < s->n; i++)
		cell_text(&out->cells[s->name[i]], s->said[(size_t)row * s->n + i]);
}

static void find_columns(struct naming *s)
{
	for (size_t i = 0; i < sizeof columns / sizeof *columns && s->n < MOST_COLUMNS; i++) {
		int name = columns[i].table != s->t->desc ? -1 : table_place(s->t, columns[i].name);
		if (name < 0 || s->t->cols[name].type != CELL_TEXT)
			continue;
		s->op[s->n] = columns[i].op == TELLS_NO_OP ? -1 : table_place(s->t, columns[i].op);
		s->name[s->n++] = name;
	}
}

static struct table *renamed(struct naming *s)
{
	const struct table *t = s->t;
	s->said = arena_alloc(s->mem, ((size_t)t->n_rows * s->n + 1) * sizeof *s->said);
	say_all(s);
	struct table *out = table_like(s->mem, t, t->cols, t->n_cols);
	uint32_t *from = table_same_columns(t, s->mem);
	for (uint32_t i = 0; i < s->n; i++)
		from[s->name[i]] = NONE_ID;
	table_over(out, t, from, make, s);
	return out;
}

struct table *named_table(struct table *t, const struct derived *d, enum kernel_names names, struct arena *mem,
			  struct err *e)
{
	struct naming *s = arena_alloc(mem, sizeof *s);
	*s = (struct naming){.t = t, .mem = mem, .names = names};
	find_columns(s);
	if (names == NAMES_RECORDED || !s->n || !t->n_rows)
		return t;
	if (names == NAMES_FAMILY && !(s->rules = family_rules_load(derived_options(d)->own_families, e)))
		return NULL;
	struct table *out = renamed(s);
	bool sound = !s->rules || family_rules_sound(s->rules, e);
	family_rules_free(s->rules);
	return sound ? out : NULL;
}
