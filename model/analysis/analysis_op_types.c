/* op_types: the ops of each side summed up by their type. */
#include "analysis.h"
#include "cells.h"
#include "op_stats.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
static const struct column columns[] = {
	{"host_or_device", CELL_TEXT, UNIT_NONE, "where the ops ran"},
	{"type", CELL_TEXT, UNIT_NONE, "kind of op; unknown: device work that belongs to no op"},
	{"ops", CELL_INT, UNIT_COUNT, "ops of that type"},
	{"occurrences", CELL_INT, UNIT_COUNT, "sum over its ops"},
	{"total_time", CELL_INT, UNIT_NS, "sum over its ops"},
	{"avg_time", CELL_REAL, UNIT_NS, "total_time / occurrences"},
	{"total_self_time", CELL_INT, UNIT_NS, "sum over its ops"},
	{"self_time_percent", CELL_REAL, UNIT_PERCENT, "share of the self time of all ops of that side"},
	{"pieces", CELL_INT, UNIT_COUNT, "kernels, copies and sets on devices; events on the host"},
};
/* clang-format on */
enum { SIDE, TYPE, OPS, OCCURRENCES, TOTAL, AVG, SELF, SELF_PCT, PIECES };

struct type_sum {
	struct span type;
	struct op_side sum;
	int64_t ops;
};

static int by_type(const void *x, const void *y)
{
	struct span a = ((const struct type_sum *)x)->type, b = ((const struct type_sum *)y)->type;
	int order = memcmp(a.p, b.p, a.n < b.n ? a.n : b.n);
	return order ? order : (a.n > b.n) - (a.n < b.n);
}

static int more_self(const void *x, const void *y)
{
	const struct type_sum *a = x, *b = y;
	if (a->sum.self_ns != b->sum.self_ns)
		return a->sum.self_ns < b->sum.self_ns ? 1 : -1;
	return by_type(x, y);
}

static void add(struct type_sum *into, const struct type_sum *x)
{
	struct op_side *s = &into->sum;
	into->ops += x->ops;
	s->occurrences += x->sum.occurrences;
	s->total_ns += x->sum.total_ns;
	s->self_ns += x->sum.self_ns;
	s->pieces += x->sum.pieces;
}

/* The types of one side, most self time first; *n of them. */
static struct type_sum *sum_up(const struct op_stats *s, enum op_place place, struct arena *mem, uint32_t *n)
{
	uint32_t all, *order = op_stats_order(s, place, mem, &all);
	struct type_sum *at = arena_alloc(mem, (all + 1u) * sizeof *at);
	for (uint32_t i = 0; i < all; i++)
		at[i] = (struct type_sum){s->at[order[i]].type, s->at[order[i]].side[place], 1};
	qsort(at, all, sizeof *at, by_type);
	*n = 0;
	for (uint32_t i = 0; i < all; i++) {
		if (*n && by_type(&at[*n - 1], &at[i]) == 0)
			add(&at[*n - 1], &at[i]);
		else
			at[(*n)++] = at[i];
	}
	qsort(at, *n, sizeof *at, more_self);
	return at;
}

static void put_type(struct table *out, enum op_place place, const struct type_sum *x, int64_t all_ns)
{
	struct cell *row = table_row(out);
	cell_text(&row[SIDE], place == OP_DEVICE ? "Device" : "Host");
	cell_text(&row[TYPE], x->type.n ? arena_strndup(out->mem, x->type.p, x->type.n) : NULL);
	cell_int(&row[OPS], x->ops);
	cell_int(&row[OCCURRENCES], x->sum.occurrences);
	cell_int(&row[TOTAL], x->sum.total_ns);
	cell_real(&row[AVG], x->sum.occurrences ? (double)x->sum.total_ns / (double)x->sum.occurrences : NAN);
	cell_int(&row[SELF], x->sum.self_ns);
	cell_pct(&row[SELF_PCT], x->sum.self_ns, all_ns);
	cell_int(&row[PIECES], x->sum.pieces);
}

struct table *analysis_op_types(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
				struct err *e)
{
	struct op_stats s;
	if (!op_stats_make(d, q, mem, p, &s, e))
		return NULL;
	struct table *out = table_new(mem, "op_types", "Op types", columns, sizeof columns / sizeof *columns);
	query_bounds(q, derived_trace(d), &out->window_a_ns, &out->window_b_ns);
	for (int place = OP_DEVICE; place < OP_PLACES; place++) {
		uint32_t n;
		const struct type_sum *at = sum_up(&s, (enum op_place)place, mem, &n);
		for (uint32_t i = 0; i < n; i++)
			put_type(out, (enum op_place)place, &at[i], s.self_ns[place]);
	}
	return out;
}
