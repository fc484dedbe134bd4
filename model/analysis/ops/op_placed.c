#include "op_placed.h"
#include <stdlib.h>

const char *op_sort_text(enum op_sort sort)
{
	static const char *const words[] = {[OP_COMPUTE] = "compute-intensive", [OP_HOST_ONLY] = "host only"};
	return sort == OP_ORDINARY ? NULL : words[sort];
}

static int by_type(const void *x, const void *y)
{
	const struct op_placed *a = x, *b = y;
	int order = span_order(a->type, b->type);
	if (order)
		return order;
	return a->self_ns != b->self_ns ? (a->self_ns < b->self_ns ? 1 : -1) : span_order(a->name, b->name);
}

static int more_self(const void *x, const void *y)
{
	const struct op_placed *a = x, *b = y;
	return a->self_ns != b->self_ns ? (a->self_ns < b->self_ns ? 1 : -1) : span_order(a->type, b->type);
}

/* Every op that runs on the host, as a group of its own. */
static uint32_t alone(const struct op_stats *s, struct op_placed *at, int64_t *whole_ns)
{
	uint32_t n = 0;
	*whole_ns = 0;
	for (uint32_t i = 0; i < s->n; i++) {
		const struct op_stat *op = &s->at[i];
		const struct op_side *x = &op->side[OP_HOST];
		if (!op->lack)
			*whole_ns += x->counted_ns + op->side[OP_DEVICE].counted_ns;
		if (!op->lack && x->counted)
			at[n++] = (struct op_placed){.type = op->type.n ? op->type : op->name,
						     .name = op->name,
						     .ops = 1,
						     .runs = x->counted,
						     .self_ns = x->counted_ns,
						     .longest = x->longest};
	}
	return n;
}

struct op_placed *op_placed_make(const struct op_stats *s, const struct op_rules *rules, struct arena *mem, uint32_t *n,
				 int64_t *whole_ns)
{
	struct op_placed *at = arena_alloc(mem, (s->n + 1u) * sizeof *at);
	uint32_t all = alone(s, at, whole_ns);
	qsort(at, all, sizeof *at, by_type);
	*n = 0;
	for (uint32_t i = 0; i < all; i++) {
		struct op_placed *last = *n ? &at[*n - 1] : NULL;
		if (!last || span_order(last->type, at[i].type) != 0) {
			at[i].sort = op_rules_ask(rules, at[i].name, at[i].type);
			at[(*n)++] = at[i];
			continue;
		}
		last->ops++;
		last->runs += at[i].runs;
		last->self_ns += at[i].self_ns;
	}
	qsort(at, *n, sizeof *at, more_self);
	return at;
}
