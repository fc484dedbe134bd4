#include "op_paired.h"
#include "model/store/base/grow.h"
#include <stdlib.h>

struct point { /* start or end of an op */
	int64_t at_ns;
	uint32_t op;
	bool end;
};

void op_paired_add(struct op_paired *v, int64_t a_ns, int64_t b_ns, row_id row, uint32_t op)
{
	GROW_ARRAY(v->at, v->n, v->cap);
	if (!v->n)
		v->first_ns = a_ns, v->last_ns = b_ns;
	v->first_ns = a_ns < v->first_ns ? a_ns : v->first_ns;
	v->last_ns = b_ns > v->last_ns ? b_ns : v->last_ns;
	v->at[v->n++] = (struct op_pair){a_ns, b_ns, 0, row, op};
}

static int point_order(const void *x, const void *y)
{
	const struct point *a = x, *b = y;
	if (a->at_ns != b->at_ns)
		return a->at_ns < b->at_ns ? -1 : 1;
	if (a->op != b->op)
		return a->op < b->op ? -1 : 1;
	return a->end - b->end;
}

static struct point *points_of(const struct op_paired *v)
{
	struct point *at = must(malloc((2 * (size_t)v->n + 1) * sizeof *at));
	for (size_t i = 0; i < v->n; i++) {
		at[2 * i] = (struct point){v->at[i].a_ns, (uint32_t)i, false};
		at[2 * i + 1] = (struct point){v->at[i].b_ns, (uint32_t)i, true};
	}
	qsort(at, 2 * (size_t)v->n, sizeof *at, point_order);
	return at;
}

/* Takes op i off, and what lies above it; false when it is gone already. */
static bool pop_to(uint32_t *stack, uint32_t *depth, uint32_t i)
{
	while (*depth)
		if (stack[--*depth] == i)
			return true;
	return false;
}

int64_t op_paired_sum(struct op_paired *v, void (*take)(void *arg, const struct op_pair *x, int64_t self_ns), void *arg)
{
	struct point *at = points_of(v);
	uint32_t *stack = must(malloc((v->n + (size_t)1) * sizeof *stack)), depth = 0;
	int64_t sum_ns = 0;
	for (size_t i = 0; i < 2 * (size_t)v->n; i++) {
		if (!at[i].end) {
			stack[depth++] = at[i].op;
			continue;
		}
		if (!pop_to(stack, &depth, at[i].op))
			continue;
		const struct op_pair *x = &v->at[at[i].op];
		int64_t length_ns = x->b_ns - x->a_ns, self_ns = length_ns - x->children_ns;
		if (depth)
			v->at[stack[depth - 1]].children_ns += length_ns;
		sum_ns += self_ns;
		take(arg, x, self_ns);
	}
	free(at);
	free(stack);
	v->n = 0;
	return sum_ns;
}

void op_paired_free(struct op_paired *v)
{
	free(v->at);
	*v = (struct op_paired){0};
}
