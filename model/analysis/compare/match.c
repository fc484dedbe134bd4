#include "match.h"
#include "loose_name.h"
#include "model/columns.h"
#include "model/store/base/both.h"
#include "model/store/base/grow.h"
#include "model/store/base/idmap.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A row of one side, or several of equal keys. */
struct group {
	const char *key, *loose,
		*before; /* all keys; the last one loosely; those before the last, NULL where one is empty */
	uint64_t last;   /* the last key as a number */
	struct match_row row;
	uint32_t with; /* group of the other side, NONE_ID = none yet */
	enum match_how how;
};
struct side {
	struct group *at;
	uint32_t n;
};

const char *match_word(enum match_how m)
{
	static const char *const words[] = {[MATCH_SAME] = "same",
					    [MATCH_NUMBERS] = "other numbers",
					    [MATCH_OTHER] = "replaced",
					    [MATCH_ONLY_A] = "only A",
					    [MATCH_ONLY_B] = "only B"};
	return words[m];
}

static uint64_t hash_of(const char *text)
{
	return idmap_hash(text, strlen(text), 0);
}

/* ---- keys ------------------------------------------------------------------------------------------------------------ */

static const char *cell_key(const struct table *t, uint32_t row, uint32_t id, struct arena *mem)
{
	const struct cell *c = column_cell(t, row, id);
	int place = table_place(t, id);
	enum cell_type type = place < 0 ? CELL_TEXT : t->cols[place].type;
	if (c->null)
		return "";
	return type == CELL_TEXT ? c->s
				 : arena_printf(mem, "%" PRId64, type == CELL_BOOL ? (int64_t)c->b : cell_whole(c));
}

static const char *joined(struct arena *mem, const char *before, const char *last)
{
	return arena_printf(mem, "%s\x1f%s", before, last);
}

static bool tells_nothing(const struct column *c, const struct match_how_to *how)
{
	return how->one_device && (!strcmp(c->name, COLUMN_DEVICE) || !strcmp(c->name, COLUMN_RANK));
}

static void make_keys(const struct table_desc *desc, const struct table *t, uint32_t row,
		      const struct match_how_to *how, struct group *g, struct arena *mem)
{
	const struct column_list *key = &desc->vs.key;
	const char *before = "", *last = "";
	bool known = true;
	for (uint32_t i = 0; i < key->n; i++) {
		bool nothing = tells_nothing(&desc->cols[key->at[i]], how);
		const char *text = nothing ? "" : cell_key(t, row, key->at[i], mem);
		if (i + 1 == key->n)
			last = text;
		else
			before = joined(mem, before, text);
		known &= i + 1 == key->n || *text;
	}
	g->last = hash_of(last);
	g->key = joined(mem, before, last);
	g->loose = joined(mem, before, loose_name(mem, last));
	g->before = desc->vs.last_may_change && known ? before : NULL;
}

static void add_sums(const struct table_desc *desc, const struct table *t, uint32_t row, struct group *g)
{
	for (uint32_t i = 0; i < desc->vs.sums.n; i++) {
		const struct cell *c = column_cell(t, row, desc->vs.sums.at[i]);
		int place = table_place(t, desc->vs.sums.at[i]);
		if (c->null || place < 0)
			continue;
		g->row.sum[i] += t->cols[place].type == CELL_REAL ? c->r : (double)c->i;
		g->row.known |= 1u << i;
	}
}

static int by_sum(const void *a, const void *b)
{
	const struct group *x = a, *y = b;
	if (x->row.sum[0] != y->row.sum[0])
		return x->row.sum[0] < y->row.sum[0] ? 1 : -1;
	return strcmp(x->key, y->key);
}

static bool is_compared(const struct table_desc *desc, const struct table *t, uint32_t row)
{
	const struct cell *c = desc->vs.of_all.n ? column_cell(t, row, desc->vs.of_all.at[0]) : NULL;
	return !c || (!c->null && !strcmp(c->s, "all"));
}

/* One number for all that tells a row apart: what stands in its keys, without their texts, as a table may have a row for every shape in
 * which a kernel was launched. */
static uint64_t keys_hash(const struct table_desc *desc, const struct table *t, uint32_t row,
			  const struct match_how_to *how)
{
	uint64_t hash = 0;
	for (uint32_t i = 0; i < desc->vs.key.n; i++) {
		const struct cell *c = column_cell(t, row, desc->vs.key.at[i]);
		int place = table_place(t, desc->vs.key.at[i]);
		if (c->null || tells_nothing(&desc->cols[desc->vs.key.at[i]], how)) {
			hash = idmap_hash("", 0, hash);
		} else if (place < 0 || t->cols[place].type == CELL_TEXT) {
			hash = idmap_hash(c->s, strlen(c->s), hash);
		} else {
			int64_t whole = t->cols[place].type == CELL_BOOL ? (int64_t)c->b : cell_whole(c);
			hash = idmap_hash(&whole, sizeof whole, hash);
		}
	}
	return hash;
}

/* Rows of one side, which each thread reads into an arena of its own. */
struct grouping {
	const struct table_desc *desc;
	const struct table *t;
	const struct match_how_to *how;
	struct arena *mem;
	struct side *out;
};

/* The rows of a table with their keys, equal ones added up, the largest first. */
static struct side side_of(const struct grouping *g)
{
	const struct table_desc *desc = g->desc;
	const struct table *t = g->t;
	const struct match_how_to *how = g->how;
	struct side s = {0};
	uint32_t cap = 0;
	struct idmap map = {0};
	for (uint32_t row = 0; row < t->n_rows; row++) {
		if (!is_compared(desc, t, row))
			continue;
		uint32_t at = *idmap_put(&map, keys_hash(desc, t, row, how), s.n);
		if (at == s.n) {
			GROW_ARRAY(s.at, s.n, cap);
			s.at[s.n++] = (struct group){.row.row = row, .with = NONE_ID};
			make_keys(desc, t, row, how, &s.at[at], g->mem);
		}
		add_sums(desc, t, row, &s.at[at]);
	}
	idmap_free(&map);
	if (s.n)
		qsort(s.at, s.n, sizeof *s.at, by_sum);
	return s;
}

static bool group_a(void *ctx)
{
	const struct grouping *g = ctx;
	*g[0].out = side_of(&g[0]);
	return true;
}

static bool group_b(void *ctx)
{
	const struct grouping *g = ctx;
	*g[1].out = side_of(&g[1]);
	return true;
}

static void group_both(const struct table_desc *desc, const struct table *a, const struct table *b,
		       const struct match_how_to *how, struct side *before, struct side *after, struct arena *mem)
{
	enum { WORTH_A_THREAD = 10000 };
	struct arena made = {0};
	struct grouping g[2] = {{desc, a, how, mem, before}, {desc, b, how, &made, after}};
	both(a != b && a->n_rows + b->n_rows > WORTH_A_THREAD ? 2 : 1, group_a, group_b, g);
	arena_adopt(mem, &made);
}

/* ---- matching ---------------------------------------------------------------------------------------------------------- */

typedef const char *key_of(const struct group *g);

static const char *whole_key(const struct group *g)
{
	return g->key;
}

static const char *loose_key(const struct group *g)
{
	return g->loose;
}

static const char *key_before(const struct group *g)
{
	return g->before;
}

static bool joins(const struct group *g, key_of *key)
{
	return g->with == NONE_ID && key(g);
}

/* Of the groups that are left those with equal keys, in their order on both sides. */
static void join(struct side *a, struct side *b, key_of *key, enum match_how how, struct arena *mem)
{
	struct idmap first = {0}; /* of B's groups: key -> the next one with it */
	uint32_t *next = arena_alloc(mem, (b->n + (size_t)1) * sizeof *next);
	for (uint32_t i = b->n; i-- > 0;) {
		if (!joins(&b->at[i], key))
			continue;
		uint32_t *head = idmap_put(&first, hash_of(key(&b->at[i])), NONE_ID);
		next[i] = *head;
		*head = i;
	}
	for (uint32_t i = 0; i < a->n; i++) {
		uint32_t *head = joins(&a->at[i], key) ? idmap_put(&first, hash_of(key(&a->at[i])), NONE_ID) : NULL;
		if (!head || *head == NONE_ID)
			continue;
		struct group *other = &b->at[*head];
		a->at[i].with = *head;
		a->at[i].how = how;
		other->with = i;
		*head = next[*head];
	}
	idmap_free(&first);
}

/* The first one that is left with this last key; NONE_ID: none is. */
static uint32_t left_with(const struct side *s, const char *last)
{
	uint64_t key = hash_of(last);
	for (uint32_t i = 0; i < s->n; i++)
		if (s->at[i].with == NONE_ID && s->at[i].last == key)
			return i;
	return NONE_ID;
}

static void join_pairs(struct side *a, struct side *b, const struct match_how_to *how)
{
	for (uint32_t i = 0; i < how->n_pairs; i++) {
		uint32_t x = left_with(a, how->pairs[i].before), y = left_with(b, how->pairs[i].after);
		if (x == NONE_ID || y == NONE_ID)
			continue;
		a->at[x].with = y;
		a->at[x].how = MATCH_OTHER;
		b->at[y].with = x;
	}
}

static int by_change(const void *a, const void *b)
{
	const struct match *x = a, *y = b;
	double cx = fabs(x->change), cy = fabs(y->change);
	if (cx != cy)
		return cx < cy ? 1 : -1;
	double tx = x->a.sum[0] + x->b.sum[0], ty = y->a.sum[0] + y->b.sum[0];
	return tx != ty ? (tx < ty ? 1 : -1) : strcmp(x->key, y->key);
}

static struct matches gather(const struct side *a, const struct side *b, struct arena *mem)
{
	static const struct match_row none = {.row = NONE_ID};
	struct matches out = {.at = arena_alloc(mem, ((size_t)a->n + b->n + 1) * sizeof *out.at)};
	for (uint32_t i = 0; i < a->n; i++) {
		const struct group *g = &a->at[i];
		bool both = g->with != NONE_ID;
		out.at[out.n++] = (struct match){both ? g->how : MATCH_ONLY_A, g->row, both ? b->at[g->with].row : none,
						 0, g->key};
	}
	for (uint32_t i = 0; i < b->n; i++)
		if (b->at[i].with == NONE_ID)
			out.at[out.n++] = (struct match){MATCH_ONLY_B, none, b->at[i].row, 0, b->at[i].key};
	return out;
}

struct matches match_rows(const struct table_desc *desc, const struct table *a, const struct table *b,
			  const struct match_how_to *how, struct arena *mem)
{
	struct side before, after;
	group_both(desc, a, b, how, &before, &after, mem);
	join(&before, &after, whole_key, MATCH_SAME, mem);
	join(&before, &after, loose_key, MATCH_NUMBERS, mem);
	if (desc->vs.last_may_change) {
		join(&before, &after, key_before, MATCH_OTHER, mem);
		join_pairs(&before, &after, how);
	}
	struct matches out = gather(&before, &after, mem);
	free(before.at);
	free(after.at);
	for (uint32_t i = 0; i < out.n; i++)
		out.at[i].change = out.at[i].b.sum[0] / how->per[1] - out.at[i].a.sum[0] / how->per[0];
	qsort(out.at, out.n, sizeof *out.at, by_change);
	return out;
}
