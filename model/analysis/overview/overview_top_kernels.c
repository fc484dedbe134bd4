/* The kernels that take most time, by name: as screens list them, not by launch shape. */
#include "overview_parts.h"
#include "model/analysis/kernels/kernel_stats.h"
#include "model/analysis/query/keyed.h"
#include "model/store/base/memory.h"
#include <inttypes.h>
#include <stdlib.h>

enum { TOP = 5 };

/* All kinds of one name: kinds[first .. first + n). */
struct named {
	uint32_t first, n;
	int64_t total_ns;
	row_id longest; /* of those that start inside the window; NONE_ID: none does */
	int64_t max_ns, a_ns, b_ns;
};

static struct named named_from(const struct kernel_stats *s, uint32_t first)
{
	struct named x = {.first = first, .longest = NONE_ID, .a_ns = INT64_MAX, .b_ns = INT64_MIN};
	while (first + x.n < s->n_kinds && s->kinds[first + x.n].name == s->kinds[first].name)
		x.total_ns += s->kinds[first + x.n++].total_ns;
	return x;
}

/* Longest first, of equal ones the first name. */
static uint32_t longest_names(const struct kernel_stats *s, struct named top[TOP])
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < s->n_kinds;) {
		struct named x = named_from(s, i);
		uint32_t at = n;
		i += x.n;
		for (; at && top[at - 1].total_ns < x.total_ns; at--)
			if (at < TOP)
				top[at] = top[at - 1];
		if (at < TOP)
			top[at] = x;
		n += n < TOP;
	}
	return n;
}

static void take(struct named *x, row_id r, int64_t start_ns, int64_t dur_ns)
{
	if (x->longest == NONE_ID || dur_ns > x->max_ns) {
		x->longest = r;
		x->max_ns = dur_ns;
	}
	x->a_ns = start_ns < x->a_ns ? start_ns : x->a_ns;
	x->b_ns = start_ns + dur_ns > x->b_ns ? start_ns + dur_ns : x->b_ns;
}

static void find_longest(const struct kernel_stats *s, struct named *top, uint32_t n)
{
	const struct columns *c = derived_columns(s->d);
	uint8_t *place = must(
		calloc(s->n_kinds + (size_t)1, sizeof *place)); /* of a kind's name, from 1 on; 0 = none of these */
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < top[i].n; k++)
			place[top[i].first + k] = (uint8_t)(i + 1);
	for (size_t i = 0; i < s->n_kernels; i++) {
		uint8_t at = place[s->kernels[i].kind];
		row_id r = s->kernels[i].row;
		if (at && query_holds(&s->q, c->start_ns[r]))
			take(&top[at - 1], r, c->start_ns[r], c->dur_ns[r]);
	}
	free(place);
}

/* The op of all of them; NULL: there are several, or none is known. */
static const char *op_of(const struct kernel_stats *s, const struct named *x)
{
	str_id op = s->kinds[x->first].op;
	for (uint32_t k = 1; k < x->n; k++)
		if (s->kinds[x->first + k].op != op)
			return NULL;
	return op ? trace_str(derived_trace(s->d), op) : NULL;
}

void overview_top_kernels(struct table *t, const struct kernel_stats *s)
{
	struct named top[TOP];
	uint32_t n = longest_names(s, top);
	find_longest(s, top, n);
	for (uint32_t i = 0; i < n; i++) {
		const struct named *x = &top[i];
		bool any = x->longest != NONE_ID;
		int64_t a_ns = any ? x->a_ns : 0, b_ns = any ? x->b_ns : 0;
		keyed_text(t, arena_printf(t->mem, "top_kernel_%" PRIu32, i + 1),
			   trace_str(derived_trace(s->d), s->kinds[x->first].name), op_of(s, x));
		table_evidence(t, a_ns, b_ns, &x->longest, any);
		keyed_int(t, arena_printf(t->mem, "top_kernel_%" PRIu32 "_ns", i + 1), UNIT_NS, x->total_ns,
			  "Total time of the kernels of this name.");
		table_evidence(t, a_ns, b_ns, &x->longest, any);
	}
}
