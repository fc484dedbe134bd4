#include "twice.h"
#include "moments.h"
#include "model/store/base/first_from.h"
#include "model/store/base/memory.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Time goes by in parts, in each of which no list has more intervals than are at hand. What they cover is joined two by two, which
 * nearly always tells apart less and less: a walk that takes the next start or end of all lists chooses at random each time. Of very many lists
 * starts and ends are sorted. */
enum { AT_HAND_MOST = 256, AT_HAND_LEAST = 16, AT_HAND_OF_ALL = 1 << 14, TWICE = 2, SORTED_FROM = 64 };

/* From then on so many have an interval, until the next change; TWICE: two or more. The last one is at the end of time. */
struct change {
	int64_t ts_ns, cover;
};
struct list {
	struct interval *at; /* that are left, the first ones */
	uint32_t n, here;    /* how many; of these in the part of time under way */
	bool ended;          /* there are no others */
};
struct lists {
	uint32_t n, at_hand; /* at_hand: of each at most */
	uint32_t (*next)(void *ctx, uint32_t i, struct interval *to, uint32_t room);
	void *ctx;
	struct list *at;
	struct change *from, *to; /* of all lists one after the other, before they are joined and then */
	uint32_t *first;          /* where those of each start */
	size_t n_joined;          /* changes of all of them together */
};

static const struct change at_the_end = {INT64_MAX, 0};

/* Takes what there is room for. What is empty covers nothing. */
static void fill(const struct lists *s, uint32_t i)
{
	struct list *x = &s->at[i];
	while (x->n < s->at_hand && !x->ended) {
		struct interval *to = &x->at[x->n];
		uint32_t given = s->next(s->ctx, i, to, s->at_hand - x->n), kept = 0;
		for (uint32_t k = 0; k < given; k++) {
			struct interval v = to[k];
			to[kept] = v;
			kept += v.a_ns < v.b_ns;
		}
		x->n += kept;
		x->ended = given == 0;
	}
}

/* Until when all that is in any list is at hand. */
static int64_t known_until(const struct lists *s)
{
	int64_t until_ns = INT64_MAX;
	for (uint32_t i = 0; i < s->n; i++) {
		const struct list *x = &s->at[i];
		if (!x->ended && x->at[x->n - 1].a_ns < until_ns)
			until_ns = x->at[x->n - 1].a_ns;
	}
	return until_ns;
}

/* What a list covers before until_ns; returns what follows the changes. */
static struct change *changes_of(struct list *x, int64_t until_ns, struct change *to)
{
	const struct change *first = to;
	for (x->here = 0; x->here < x->n && x->at[x->here].a_ns < until_ns; x->here++) {
		struct interval v = x->at[x->here];
		if (to > first && to[-1].ts_ns == v.a_ns)
			to--;
		else
			*to++ = (struct change){v.a_ns, 1};
		*to++ = (struct change){v.b_ns < until_ns ? v.b_ns : until_ns, 0};
	}
	*to++ = at_the_end;
	return to;
}

/* Without branches but for the end: which of the two changes next is as good as random. Returns what follows. */
static struct change *join(const struct change *x, const struct change *y, struct change *to)
{
	int64_t cover_x = 0, cover_y = 0, last = 0, ts_ns;
	while ((ts_ns = x->ts_ns < y->ts_ns ? x->ts_ns : y->ts_ns) != INT64_MAX) {
		bool of_x = x->ts_ns == ts_ns, of_y = y->ts_ns == ts_ns;
		cover_x = of_x ? x->cover : cover_x;
		cover_y = of_y ? y->cover : cover_y;
		x += of_x;
		y += of_y;
		int64_t cover = cover_x + cover_y;
		cover = cover < TWICE ? cover : TWICE;
		*to = (struct change){ts_ns, cover};
		to += cover != last;
		last = cover;
	}
	*to++ = at_the_end;
	return to;
}

/* The changes of all lists, each of which ends with one at the end of time, in order of time. */
static size_t changes_in_order(const struct lists *s, struct moment *at)
{
	size_t n = 0;
	for (size_t i = 0; i < s->n_joined; i++)
		if (s->from[i].ts_ns != INT64_MAX)
			at[n++] = (struct moment){s->from[i].ts_ns, s->from[i].cover != 0};
	moments_sort(at, n);
	return n;
}

/* Of so many lists that joining them two by two would go through all more often than sorting does: starts and ends are counted. */
static void sort_all(struct lists *s)
{
	struct moment *at = must(malloc(s->n_joined * sizeof *at));
	struct change *to = s->from;
	size_t n = changes_in_order(s, at);
	int64_t covering = 0, last = 0;
	for (size_t i = 0; i < n;) {
		int64_t ts_ns = at[i].ts_ns;
		for (; i < n && at[i].ts_ns == ts_ns; i++)
			covering += at[i].id ? 1 : -1;
		int64_t cover = covering < TWICE ? covering : TWICE;
		*to = (struct change){ts_ns, cover};
		to += cover != last;
		last = cover;
	}
	*to++ = at_the_end;
	s->n_joined = (size_t)(to - s->from);
	free(at);
}

/* What all of them cover before until_ns. */
static const struct change *join_all(struct lists *s, int64_t until_ns)
{
	struct change *to = s->from;
	for (uint32_t i = 0; i < s->n; i++) {
		s->first[i] = (uint32_t)(to - s->from);
		to = changes_of(&s->at[i], until_ns, to);
	}
	s->n_joined = (size_t)(to - s->from);
	if (s->n > SORTED_FROM) {
		sort_all(s);
		return s->from;
	}
	for (uint32_t n = s->n; n > 1; n = (n + 1) / 2) {
		to = s->to;
		for (uint32_t i = 0; i < n; i += 2) {
			const struct change *y = i + 1 < n ? s->from + s->first[i + 1] : &at_the_end;
			struct change *begins = to;
			to = join(s->from + s->first[i], y, to);
			s->first[i / 2] = (uint32_t)(begins - s->to);
		}
		struct change *joined = s->to;
		s->n_joined = (size_t)(to - joined);
		s->to = s->from;
		s->from = joined;
	}
	return s->from;
}

/* The first change after ts_ns: near where many lists do not tell more changes than this one has, else far. */
static const struct change *behind(const struct change *x, const struct change *end, int64_t ts_ns)
{
	enum { STRIDE = sizeof *x / sizeof x->ts_ns };
	size_t step = 1;
	if (x->ts_ns > ts_ns)
		return x;
	for (; step < (size_t)(end - x) && x[step].ts_ns <= ts_ns; step *= 2)
		x += step;
	size_t near = step < (size_t)(end - x) ? step : (size_t)(end - x);
	return x + first_from(&x->ts_ns, STRIDE, 0, near, ts_ns + 1);
}

/* How much of what the list has in this part of time is covered twice. */
static int64_t shared_of(const struct list *x, int64_t until_ns, const struct change *all, size_t n)
{
	const struct change *end = all + n;
	int64_t sum_ns = 0, cover = 0;
	for (uint32_t i = 0; i < x->here; i++) {
		int64_t at_ns = x->at[i].a_ns, b_ns = x->at[i].b_ns < until_ns ? x->at[i].b_ns : until_ns;
		const struct change *from = behind(all, end, at_ns);
		cover = from > all ? from[-1].cover : cover;
		all = from;
		for (; all->ts_ns < b_ns; cover = all++->cover) {
			sum_ns += cover == TWICE ? all->ts_ns - at_ns : 0;
			at_ns = all->ts_ns;
		}
		sum_ns += cover == TWICE ? b_ns - at_ns : 0;
	}
	return sum_ns;
}

/* What ends later begins the next part of time. */
static void pass(struct list *x, int64_t until_ns)
{
	uint32_t done = x->here;
	if (done && x->at[done - 1].b_ns > until_ns)
		x->at[--done].a_ns = until_ns;
	x->n -= done;
	if (done)
		memmove(x->at, x->at + done, x->n * sizeof *x->at);
}

void intervals_shared(uint32_t n, uint32_t (*next)(void *ctx, uint32_t i, struct interval *to, uint32_t room),
		      void *ctx, int64_t *shared_ns)
{
	uint32_t at_hand = AT_HAND_OF_ALL / (n + 1);
	at_hand = at_hand < AT_HAND_LEAST ? AT_HAND_LEAST : at_hand > AT_HAND_MOST ? AT_HAND_MOST : at_hand;
	size_t room = n * (2 * (size_t)at_hand + 1) + 1;
	struct interval *at = must(malloc((n * (size_t)at_hand + 1) * sizeof *at));
	struct lists s = {n,
			  at_hand,
			  next,
			  ctx,
			  must(calloc(n + 1u, sizeof *s.at)),
			  must(malloc(room * sizeof *s.from)),
			  must(malloc(room * sizeof *s.to)),
			  must(malloc((n + 1u) * sizeof *s.first)),
			  0};
	memset(shared_ns, 0, n * sizeof *shared_ns);
	for (uint32_t i = 0; i < n; i++)
		s.at[i].at = at + (size_t)i * at_hand;
	for (int64_t until_ns = INT64_MIN; n && until_ns != INT64_MAX;) {
		for (uint32_t i = 0; i < n; i++)
			fill(&s, i);
		until_ns = known_until(&s);
		const struct change *all = join_all(&s, until_ns);
		for (uint32_t i = 0; i < n; i++) {
			shared_ns[i] += shared_of(&s.at[i], until_ns, all, s.n_joined);
			pass(&s.at[i], until_ns);
		}
	}
	free(at);
	free(s.at);
	free(s.from);
	free(s.to);
	free(s.first);
}
