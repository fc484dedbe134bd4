#include "twice.h"
#include <stdbool.h>

struct covered {
	struct interval_list once, twice;
};
struct lists {
	void (*fill)(void *ctx, uint32_t i, struct interval_list *to);
	void *ctx;
};

static int64_t later(int64_t x_ns, int64_t y_ns)
{
	return x_ns > y_ns ? x_ns : y_ns;
}

static int64_t sooner(int64_t x_ns, int64_t y_ns)
{
	return x_ns < y_ns ? x_ns : y_ns;
}

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
	interval_add(out, later(x->at[i].a_ns, y->at[k].a_ns), sooner(x->at[i].b_ns, y->at[k].b_ns));
}

int64_t intervals_common_ns(const struct interval_list *x, const struct interval_list *y)
{
	int64_t sum_ns = 0;
	EACH_COMMON(x, y, i, k)
	sum_ns += sooner(x->at[i].b_ns, y->at[k].b_ns) - later(x->at[i].a_ns, y->at[k].a_ns);
	return sum_ns;
}

/* Puts what both cover into x, which gives up what it had, as y does. */
static void unite_into(struct interval_list *x, struct interval_list *y)
{
	struct interval_list both = {0};
	intervals_unite(&both, x, y);
	interval_list_free(x);
	interval_list_free(y);
	*x = both;
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
	unite_into(&out->twice, &second.twice);
	unite_into(&out->twice, &common);
	unite_into(&out->once, &second.once);
}

void intervals_twice(struct interval_list *out, uint32_t n,
		     void (*fill)(void *ctx, uint32_t i, struct interval_list *to), void *ctx)
{
	struct covered all = {0};
	cover(&(struct lists){fill, ctx}, 0, n, &all);
	interval_list_free(&all.once);
	*out = all.twice;
}
