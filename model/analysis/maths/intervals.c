#include "intervals.h"
#include "order.h"
#include "model/store/base/grow.h"
#include "model/store/base/first_from.h"
#include "model/store/base/memory.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void interval_list_grow(struct interval_list *l)
{
	GROW_ARRAY(l->at, l->n, l->cap);
}

void interval_list_expect(struct interval_list *l, uint32_t n)
{
	if (n <= l->cap)
		return;
	l->at = must(reallocarray(l->at, n, sizeof *l->at));
	l->cap = n;
}

/* Intervals of one list, of which only the first ones can meet what `out` holds. */
static void add_run(struct interval_list *out, const struct interval *at, uint32_t n)
{
	for (; n && out->n && at->a_ns <= out->at[out->n - 1].b_ns; n--, at++)
		interval_add(out, at->a_ns, at->b_ns);
	if (!n)
		return;
	GROW_ARRAY(out->at, out->n + n - 1, out->cap);
	memcpy(out->at + out->n, at, n * sizeof *at);
	out->n += n;
}

/* Of the long list what lies between two of the short one goes over as it stands. */
static void unite_runs(struct interval_list *out, const struct interval_list *many, const struct interval_list *few)
{
	uint32_t from = 0;
	for (uint32_t i = 0; i < few->n; i++) {
		uint32_t to = intervals_from(many->at, from, many->n, few->at[i].a_ns);
		add_run(out, many->at + from, to - from);
		interval_add(out, few->at[i].a_ns, few->at[i].b_ns);
		from = to;
	}
	add_run(out, many->at + from, many->n - from);
}

void intervals_unite(struct interval_list *out, const struct interval_list *x, const struct interval_list *y)
{
	enum { MANY = 4 };
	uint32_t i = 0, k = 0;
	if (x->n / MANY >= y->n || y->n / MANY >= x->n) {
		unite_runs(out, x->n >= y->n ? x : y, x->n >= y->n ? y : x);
		return;
	}
	while (i < x->n || k < y->n) {
		bool take_x = k == y->n || (i < x->n && x->at[i].a_ns <= y->at[k].a_ns);
		const struct interval *v = take_x ? &x->at[i++] : &y->at[k++];
		interval_add(out, v->a_ns, v->b_ns);
	}
}

void intervals_without(struct interval_list *out, const struct interval_list *x, const struct interval_list *y)
{
	uint32_t at = 0;
	for (uint32_t i = 0; i < x->n; i++) {
		int64_t a_ns = x->at[i].a_ns, b_ns = x->at[i].b_ns;
		while (at < y->n && y->at[at].b_ns <= a_ns)
			at++;
		for (uint32_t k = at; k < y->n && y->at[k].a_ns < b_ns; k++) {
			if (y->at[k].a_ns > a_ns)
				interval_add(out, a_ns, y->at[k].a_ns);
			a_ns = y->at[k].b_ns > a_ns ? y->at[k].b_ns : a_ns;
		}
		if (a_ns < b_ns)
			interval_add(out, a_ns, b_ns);
	}
}

void interval_list_take(struct interval_list *all, struct interval_list *more)
{
	struct interval_list both = {0};
	if (!all->n) { /* a list that interval_add made is united already */
		both = *more;
		*more = (struct interval_list){0};
	} else {
		intervals_unite(&both, all, more);
	}
	interval_list_free(all);
	interval_list_free(more);
	*all = both;
}

/* One more, before some of the list: the place of those that it touches, or a place of its own. */
static void put_among(struct interval_list *l, struct interval v)
{
	uint32_t at = l->n, end;
	while (at && l->at[at - 1].a_ns > v.a_ns)
		at--;
	if (at && l->at[at - 1].b_ns >= v.a_ns)
		v.a_ns = l->at[--at].a_ns;
	for (end = at; end < l->n && l->at[end].a_ns <= v.b_ns; end++)
		v.b_ns = l->at[end].b_ns > v.b_ns ? l->at[end].b_ns : v.b_ns;
	if (end == at) {
		if (l->n == l->cap)
			interval_list_grow(l);
		for (uint32_t i = l->n; i > at; i--)
			l->at[i] = l->at[i - 1];
	} else if (end > at + 1) {
		memmove(l->at + at + 1, l->at + end, (l->n - end) * sizeof *l->at);
	}
	l->n += at + 1 - end;
	l->at[at] = v;
}

/* What begins before `more` stays where it is: mostly that is all there is. */
void interval_list_join(struct interval_list *all, const struct interval_list *more, struct interval_list *room)
{
	enum { FEW = 8 };
	uint32_t lo = 0, hi = all->n;
	bool after = !hi || !more->n || all->at[hi - 1].a_ns <= more->at[0].a_ns;
	if (after && more->n == 1) {
		interval_add(all, more->at[0].a_ns, more->at[0].b_ns);
		return;
	}
	if (after) {
		add_run(all, more->at, more->n);
		return;
	}
	if (hi <= FEW && more->n <= FEW) {
		for (uint32_t i = 0; i < more->n; i++)
			put_among(all, more->at[i]);
		return;
	}
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (all->at[mid].a_ns > more->at[0].a_ns)
			hi = mid;
		else
			lo = mid + 1;
	}
	room->n = 0;
	add_run(room, all->at + lo, all->n - lo);
	all->n = lo;
	intervals_unite(all, room, more);
}

/* Into *x; *y is empty afterwards. */
static void unite_into(struct interval_sum *s, struct interval_list *x, struct interval_list *y)
{
	s->n_taken += (uint64_t)x->n + y->n;
	interval_list_take(x, y);
}

void interval_sum_add(struct interval_sum *s, struct interval_list *l)
{
	enum { LEVELS = sizeof s->level / sizeof *s->level };
	struct interval_list sum = *l;
	int i = 0;
	*l = (struct interval_list){0};
	if (!sum.n) {
		interval_list_free(&sum);
		return;
	}
	for (; i + 1 < LEVELS && s->level[i].n; i++)
		unite_into(s, &sum, &s->level[i]);
	if (s->level[i].n)
		unite_into(s, &s->level[i], &sum);
	else
		s->level[i] = sum;
}

struct interval_list interval_sum_end(struct interval_sum *s)
{
	struct interval_list sum = {0};
	for (size_t i = 0; i < sizeof s->level / sizeof *s->level; i++)
		if (s->level[i].n && sum.n)
			unite_into(s, &sum, &s->level[i]);
		else if (s->level[i].n)
			sum = s->level[i];
	*s = (struct interval_sum){0};
	return sum;
}

int64_t interval_list_total(const struct interval_list *l)
{
	int64_t sum = 0;
	for (uint32_t i = 0; i < l->n; i++)
		sum += l->at[i].b_ns - l->at[i].a_ns;
	return sum;
}

int64_t interval_list_uncovered(const struct interval_list *l, const struct interval_list *more)
{
	int64_t ns = 0;
	uint32_t at = 0;
	for (uint32_t i = 0; i < more->n; i++) {
		struct interval v = more->at[i];
		ns += v.b_ns - v.a_ns;
		while (at < l->n && l->at[at].b_ns <= v.a_ns)
			at++;
		for (uint32_t k = at; k < l->n && l->at[k].a_ns < v.b_ns; k++)
			ns -= earlier(l->at[k].b_ns, v.b_ns) - later(l->at[k].a_ns, v.a_ns);
	}
	return ns;
}

void interval_list_free(struct interval_list *l)
{
	free(l->at);
	*l = (struct interval_list){0};
}

struct intervals intervals_seal(struct interval_list *l)
{
	if (!l->n)
		interval_list_free(l);
	struct interval *at = l->n ? must(realloc(l->at, l->n * sizeof *at)) : NULL;
	int64_t sum_ns = 0, *before_ns = must(malloc((l->n / INTERVALS_SUM + 1) * sizeof *before_ns));
	for (uint32_t i = 0; i < l->n; i++) {
		if (i % INTERVALS_SUM == 0)
			before_ns[i / INTERVALS_SUM] = sum_ns;
		sum_ns += at[i].b_ns - at[i].a_ns;
	}
	if (l->n % INTERVALS_SUM == 0)
		before_ns[l->n / INTERVALS_SUM] = sum_ns;
	struct intervals v = {at, before_ns, l->n};
	*l = (struct interval_list){0};
	return v;
}

void intervals_free(struct intervals *v)
{
	free((void *)v->at);
	free((void *)v->before_ns);
	*v = (struct intervals){0};
}

/* Covered time before interval i, which may be n. */
static int64_t sum_before(const struct intervals *v, uint32_t i)
{
	uint32_t from = i / INTERVALS_SUM;
	int64_t sum_ns = v->before_ns[from];
	for (uint32_t k = from * INTERVALS_SUM; k < i; k++)
		sum_ns += v->at[k].b_ns - v->at[k].a_ns;
	return sum_ns;
}

int64_t intervals_total(const struct intervals *v)
{
	return v->n ? sum_before(v, v->n) : 0;
}

uint32_t intervals_from_afar(const struct interval *at, uint32_t i, uint32_t n, int64_t ts_ns)
{
	uint32_t step = 1;
	if (i >= n || at[i].a_ns >= ts_ns)
		return i;
	while (step < n - i && at[i + step].a_ns < ts_ns) {
		i += step;
		step *= 2;
	}
	for (uint32_t end = step < n - i ? i + step : n; i + 1 < end;) {
		uint32_t mid = i + (end - i) / 2;
		if (at[mid].a_ns < ts_ns)
			i = mid;
		else
			end = mid;
	}
	return i + 1;
}

/* The first of at[i ..) that ends after ts_ns. */
static uint32_t after_from(const struct intervals *v, uint32_t i, int64_t ts_ns)
{
	enum { STRIDE = sizeof *v->at / sizeof v->at->b_ns };
	if (ts_ns == INT64_MAX || i >= v->n)
		return v->n;
	return (uint32_t)first_from(&v->at->b_ns, STRIDE, i, v->n, ts_ns + 1);
}

uint32_t intervals_after(const struct intervals *v, int64_t ts_ns)
{
	return after_from(v, 0, ts_ns);
}

uint32_t intervals_after_near(const struct intervals *v, uint32_t near, int64_t ts_ns)
{
	enum { FEW = 4 };
	if (near >= v->n || (near && v->at[near - 1].b_ns > ts_ns))
		near = 0;
	for (uint32_t end = v->n - near > FEW ? near + FEW : v->n; near < end; near++)
		if (v->at[near].b_ns > ts_ns)
			return near;
	return after_from(v, near, ts_ns);
}

/* What an interval, the first that ends after ts_ns, covers before it. */
static int64_t covered_of(const struct intervals *v, uint32_t i, int64_t ts_ns)
{
	return i < v->n && v->at[i].a_ns < ts_ns ? ts_ns - v->at[i].a_ns : 0;
}

/* Of whole intervals by their running totals, and the parts at both ends. Mostly few lie between these. */
static int64_t within_several(const struct intervals *v, uint32_t first, int64_t a_ns, int64_t b_ns)
{
	enum { FEW = 8 };
	uint32_t i = first;
	int64_t sum_ns = -covered_of(v, first, a_ns);
	for (; i < v->n && i - first < FEW && v->at[i].b_ns <= b_ns; i++)
		sum_ns += v->at[i].b_ns - v->at[i].a_ns;
	if (i < v->n && v->at[i].b_ns <= b_ns) {
		i = after_from(v, i, b_ns);
		sum_ns = sum_before(v, i) - sum_before(v, first) - covered_of(v, first, a_ns);
	}
	return sum_ns + covered_of(v, i, b_ns);
}

/* Mostly it is none of them, or a part of one. */
int64_t intervals_within_from(const struct intervals *v, uint32_t first, int64_t a_ns, int64_t b_ns)
{
	if (first >= v->n || a_ns >= b_ns || v->at[first].a_ns >= b_ns)
		return 0;
	if (v->at[first].b_ns >= b_ns)
		return b_ns - later(v->at[first].a_ns, a_ns);
	if (first + 1 == v->n || v->at[first + 1].a_ns >= b_ns)
		return v->at[first].b_ns - later(v->at[first].a_ns, a_ns);
	return within_several(v, first, a_ns, b_ns);
}

int64_t intervals_within(const struct intervals *v, int64_t a_ns, int64_t b_ns)
{
	return v->n && a_ns < b_ns ? intervals_within_from(v, intervals_after(v, a_ns), a_ns, b_ns) : 0;
}
