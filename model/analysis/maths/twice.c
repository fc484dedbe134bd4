#include "twice.h"
#include "order.h"
#include <stdbool.h>

struct covered {
	struct interval_list once, twice;
};
struct lists {
	void (*fill)(void *ctx, uint32_t i, struct interval_list *to);
	void *ctx;
};

/* The next pair of intervals that have time in common; false: there is none. */
static bool next_common(const struct interval_list *x, const struct interval_list *y, uint32_t *i, uint32_t *k)
{
	while (*i < x->n && *k < y->n) {
		const struct interval *v = &x->at[*i], *w = &y->at[*k];
		if (v->b_ns <= w->a_ns)
			++*i;
		else if (w->b_ns <= v->a_ns)
			++*k;
		else
			return true;
	}
	return false;
}

#define EACH_COMMON(x, y, i, k) \
	for (uint32_t i = 0, k = 0; next_common(x, y, &i, &k); (x)->at[i].b_ns < (y)->at[k].b_ns ? i++ : k++)

static void add_common(struct interval_list *out, const struct interval_list *x, const struct interval_list *y)
{
	EACH_COMMON(x, y, i, k)
	interval_add(out, later(x->at[i].a_ns, y->at[k].a_ns), earlier(x->at[i].b_ns, y->at[k].b_ns));
}

int64_t intervals_common_ns(const struct interval_list *x, const struct interval_list *y)
{
	int64_t sum_ns = 0;
	EACH_COMMON(x, y, i, k)
	sum_ns += earlier(x->at[i].b_ns, y->at[k].b_ns) - later(x->at[i].a_ns, y->at[k].a_ns);
	return sum_ns;
}

static void cover(const struct lists *l, uint32_t from, uint32_t to, struct covered *out)
{
	struct covered second = {0};
	struct interval_list common = {0};
	uint32_t middle = from + (to - from) / 2;
	if (to - from < 2) {
		if (from < to)
			l->fill(l->ctx, from, &out->once);
		return;
	}
	cover(l, from, middle, out);
	cover(l, middle, to, &second);
	add_common(&common, &out->once, &second.once);
	interval_list_take(&out->twice, &second.twice);
	interval_list_take(&out->twice, &common);
	interval_list_take(&out->once, &second.once);
}

void intervals_twice(struct interval_list *out, uint32_t n,
		     void (*fill)(void *ctx, uint32_t i, struct interval_list *to), void *ctx)
{
	struct covered all = {0};
	cover(&(struct lists){fill, ctx}, 0, n, &all);
	interval_list_free(&all.once);
	*out = all.twice;
}
