/* model/analysis/maths/intervals.h - building sorted, disjoint intervals: append in start order, unite two lists, seal.
 * Life:    zero-initialise -> interval_add / intervals_unite -> intervals_seal (or interval_list_free).
 * Points:  an interval of length 0 is kept when nothing else covers it: it splits idle time and adds none.
 * Memory:  out of memory ends the program (memory.h), as in arenas. */
#ifndef STEPSCOPE_INTERVALS_H
#define STEPSCOPE_INTERVALS_H
#include <stddef.h>
#include <stdint.h>

struct interval {
	int64_t a_ns, b_ns;
};
/* Disjoint, sorted, merged when they touch or overlap. before_ns[i] = covered time before interval i * INTERVALS_SUM. */
enum { INTERVALS_SUM = 16 };
struct intervals {
	const struct interval *at;
	const int64_t *before_ns;
	uint32_t n;
};
int64_t intervals_total(const struct intervals *v);
int64_t intervals_within(const struct intervals *v, int64_t a_ns, int64_t b_ns); /* covered time of [a, b), O(log n) */
/* index of the first interval that ends after ts (may equal n) */
uint32_t intervals_after(const struct intervals *v, int64_t ts_ns);
/* The same, for questions that mostly follow each other in time: `near` is the answer before, any number will do. */
uint32_t intervals_after_near(const struct intervals *v, uint32_t near, int64_t ts_ns);
/* intervals_within for who knows intervals_after of a_ns: `first` */
int64_t intervals_within_from(const struct intervals *v, uint32_t first, int64_t a_ns, int64_t b_ns);

/* The first of at[i .. n) that begins at ts or later, n if none does; sooner found the nearer it is to i. */
uint32_t intervals_from_afar(const struct interval *at, uint32_t i, uint32_t n, int64_t ts_ns);
static inline uint32_t intervals_from(const struct interval *at, uint32_t i, uint32_t n, int64_t ts_ns)
{
	if (i >= n || at[i].a_ns >= ts_ns)
		return i;
	return i + 1 == n || at[i + 1].a_ns >= ts_ns ? i + 1 : intervals_from_afar(at, i, n, ts_ns);
}

struct interval_list {
	struct interval *at;
	uint32_t n, cap;
};
void interval_list_grow(struct interval_list *l); /* for interval_add */
/* Room for n in all, for who knows how many there are at most: what stays empty is not touched, and sealing gives it back. */
void interval_list_expect(struct interval_list *l, uint32_t n);
/* a must not be smaller than the a of the call before; merges with the last interval when they touch or overlap. */
static inline void interval_add(struct interval_list *l, int64_t a_ns, int64_t b_ns)
{
	struct interval *last = l->n ? &l->at[l->n - 1] : NULL;
	if (last && a_ns <= last->b_ns) {
		last->b_ns = b_ns > last->b_ns ? b_ns : last->b_ns;
		return;
	}
	if (l->n == l->cap)
		interval_list_grow(l);
	l->at[l->n++] = (struct interval){a_ns, b_ns};
}
void intervals_unite(struct interval_list *out, const struct interval_list *x, const struct interval_list *y);
/* Adds to `out` what x covers and y does not; `out` may hold nothing that begins later. */
void intervals_without(struct interval_list *out, const struct interval_list *x, const struct interval_list *y);
/* Puts what both cover into `all`; `more` is empty then. */
void interval_list_take(struct interval_list *all, struct interval_list *more);
/* The same, and `more` stays: of the intervals of all only those after where `more` begins are gone through. room: any list, overwritten. */
void interval_list_join(struct interval_list *all, const struct interval_list *more, struct interval_list *room);
/* The union of many lists, none of which is gone through once for every other one: O(all log lists). Zero-initialise -> interval_sum_add
 * any number of times -> interval_sum_end, which leaves it as it was at first. */
struct interval_sum {
	struct interval_list level[32]; /* of 2^i lists, or empty */
	uint64_t n_taken;               /* intervals that were gone through so far */
};
void interval_sum_add(struct interval_sum *s, struct interval_list *l); /* takes the list over and leaves it empty */
struct interval_list interval_sum_end(struct interval_sum *s);
int64_t interval_list_total(const struct interval_list *l);
/* Time of `more` that l does not cover: what the total grows by when the two are joined. */
int64_t interval_list_uncovered(const struct interval_list *l, const struct interval_list *more);
void interval_list_free(struct interval_list *l);
/* Takes the list over and adds the running totals; freed by intervals_free. */
struct intervals intervals_seal(struct interval_list *l);
void intervals_free(struct intervals *v);

#endif
