#include "op_groups.h"
#include "model/analysis/names/op_names.h"
#include <stdlib.h>

struct grouping {
	const struct op_stats *s;
	const struct derived *d;
	struct arena *mem;
	enum op_by by;
	enum op_place place;
};

/* ---- the group of an op ----------------------------------------------------------------------------------------------- */

static struct span or_none(const struct grouping *g, struct span s)
{
	const char *none = op_by_none(g->by);
	return s.n ? s : span_of(none);
}

/* Shapes say little without the op they are given to. */
static struct span with_shape(const struct grouping *g, const struct op_stat *op)
{
	struct span shape = or_none(g, op_key_text(&g->s->keys, op->key));
	const char *text = arena_printf(g->mem, "%.*s %.*s", (int)op->name.n, op->name.p, (int)shape.n, shape.p);
	return span_of(text);
}

static struct span group_name(const struct grouping *g, const struct op_stat *op)
{
	switch (g->by) {
	case OP_BY_TYPE:
		return or_none(g, op->type);
	case OP_BY_SCOPE:
		return or_none(g, op->key ? op_key_text(&g->s->keys, op->key) : op_scope(op->name));
	case OP_BY_SHAPE:
		return with_shape(g, op);
	case OP_BY_MODULE:
	case OP_BY_STACK:
		return or_none(g, op_key_text(&g->s->keys, op->key));
	default:
		return op->name;
	}
}

/* ---- sums ------------------------------------------------------------------------------------------------------------- */

static int by_name(const void *x, const void *y)
{
	return span_order(((const struct op_group *)x)->name, ((const struct op_group *)y)->name);
}

static int more_self(const void *x, const void *y)
{
	const struct op_group *a = x, *b = y;
	if (a->sum.self_ns != b->sum.self_ns)
		return a->sum.self_ns < b->sum.self_ns ? 1 : -1;
	return by_name(x, y);
}

static void add_side(const struct derived *d, struct op_side *to, const struct op_side *x)
{
	const int64_t *dur_ns = trace_columns(derived_trace(d))->dur_ns;
	if (x->longest != NONE_ID && (to->longest == NONE_ID || dur_ns[x->longest] > dur_ns[to->longest]))
		to->longest = x->longest;
	to->eager |= x->eager;
#define ADD(field) to->field += x->field
	ADD(occurrences);
	ADD(total_ns);
	ADD(self_ns);
	ADD(eager_ns);
	ADD(known_ns);
	ADD(placed);
	ADD(leaf_ns);
	ADD(counted);
	ADD(counted_ns);
	ADD(pieces);
	ADD(kernel_ns);
	ADD(tc_ns);
	ADD(work.flops);
	ADD(work.bytes);
	ADD(work.all_ns);
	ADD(work.flops_ns);
	ADD(work.bytes_ns);
	ADD(work.roof_flops);
	ADD(work.roof_bytes);
#undef ADD
}

static void add_group(const struct grouping *g, struct op_group *to, const struct op_group *x)
{
	if (!span_same(to->type, x->type))
		to->type = (struct span){"", 0};
	if (!to->shape)
		to->shape = x->shape;
	to->ops += x->ops;
	add_side(g->d, &to->sum, &x->sum);
}

static struct op_group *alone(const struct grouping *g, uint32_t *n)
{
	uint32_t *order = op_stats_order(g->s, g->place, g->mem, n);
	struct op_group *at = arena_alloc(g->mem, (*n + 1u) * sizeof *at);
	for (uint32_t i = 0; i < *n; i++) {
		const struct op_stat *op = &g->s->at[order[i]];
		const char *shape = g->by == OP_BY_SHAPE && op->key ? op_key_text(&g->s->keys, op->key).p : op->shape;
		at[i] = (struct op_group){group_name(g, op), op->type, shape, op->side[g->place], 1};
	}
	return at;
}

struct op_group *op_groups_make(const struct op_stats *s, enum op_by by, enum op_place place, const struct derived *d,
				struct arena *mem, uint32_t *n)
{
	struct grouping g = {s, d, mem, by, place};
	uint32_t all;
	struct op_group *at = alone(&g, &all);
	*n = all;
	if (by == OP_BY_OP)
		return at;
	qsort(at, all, sizeof *at, by_name);
	*n = 0;
	for (uint32_t i = 0; i < all; i++) {
		if (*n && by_name(&at[*n - 1], &at[i]) == 0)
			add_group(&g, &at[*n - 1], &at[i]);
		else
			at[(*n)++] = at[i];
	}
	qsort(at, *n, sizeof *at, more_self);
	return at;
}
