#include "alone.h"
#include "moments.h"
#include "order.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>

/* Time goes by in parts, in each of which no list has more intervals than are at hand. Lists are laid over one another, one after the other:
 * what two of them cover needs no look at a third one. Where that grows long beside the lists, as of devices that take turns, all intervals of
 * the part are gone through in order of time instead. */
enum { AT_HAND_MOST = 1024, AT_HAND_LEAST = 16, AT_HAND_OF_ALL = 1 << 16, LONG = 8 };

/* Who has an interval from then on, until the next change: one list, or */
enum { NOBODY = -1, SEVERAL = -2 };
struct change {
	int64_t ts_ns, who;
};
/* Of a list, what lies in the part of time under way: intervals [next, end). */
struct walk {
	uint32_t next, end;
	const struct interval
		*still; /* all of the list, where they lie in its time and no axis moves them; else NULL */
};
struct layers {
	const struct placed_lists *of;
	struct walk *at;           /* per list */
	int64_t from_ns, until_ns; /* the part of time */
	struct changes {
		struct change *at;
		size_t room;
	} group, grown;   /* the lists so far, and with one more */
	uint32_t n_group; /* changes */
	int64_t *alone_ns;
};

/* Ends them: at the end of time. */
static const struct change at_the_end = {INT64_MAX, NOBODY};

/* ---- intervals where they lie ------------------------------------------------------------------------------------------- */

static inline int64_t on_axis(const struct layers *s, uint32_t i, int64_t ts_ns)
{
	const struct placed_intervals *x = &s->of->at[i];
	ts_ns = ts_ns < x->a_ns ? x->a_ns : ts_ns > x->b_ns ? x->b_ns : ts_ns;
	return s->of->axis ? s->of->axis(s->of->ctx, i, ts_ns) : ts_ns;
}

static inline int64_t begin_of(const struct layers *s, uint32_t i, uint32_t k)
{
	return on_axis(s, i, s->of->at[i].at[k].a_ns);
}

static inline int64_t end_of(const struct layers *s, uint32_t i, uint32_t k)
{
	return on_axis(s, i, s->of->at[i].at[k].b_ns);
}

/* The first of the intervals [k, end) of a list that ends after ts_ns, far from k. */
static uint32_t ends_after_far(const struct layers *s, uint32_t i, uint32_t k, uint32_t end, int64_t ts_ns)
{
	uint32_t step = 1;
	for (; step < end - k && end_of(s, i, k + step) <= ts_ns; step *= 2)
		k += step;
	uint32_t hi = step < end - k ? k + step : end;
	while (hi - k > 1) {
		uint32_t mid = k + (hi - k) / 2;
		if (end_of(s, i, mid) <= ts_ns)
			k = mid;
		else
			hi = mid;
	}
	return hi;
}

/* The same, mostly k or the next one. */
static inline uint32_t ends_after(const struct layers *s, uint32_t i, uint32_t k, uint32_t end, int64_t ts_ns)
{
	for (int near = 0; near < 2; near++, k++)
		if (k >= end || end_of(s, i, k) > ts_ns)
			return k;
	return k >= end || end_of(s, i, k) > ts_ns ? k : ends_after_far(s, i, k, end, ts_ns);
}

/* ---- parts of time -------------------------------------------------------------------------------------------------------- */

/* From where the part before ended until no list has more than at_hand intervals. False: there is no time left. */
static bool next_part(struct layers *s, uint32_t at_hand)
{
	s->from_ns = s->until_ns;
	s->until_ns = INT64_MAX;
	bool left = false;
	for (uint32_t i = 0; i < s->of->n; i++) {
		struct walk *w = &s->at[i];
		uint32_t n = s->of->at[i].n;
		w->next = ends_after(s, i, w->next, n, s->from_ns);
		left |= w->next < n;
		w->end = n - w->next > at_hand ? w->next + at_hand : n;
		int64_t more_ns = w->end < n ? begin_of(s, i, w->end) : INT64_MAX;
		s->until_ns = more_ns < s->until_ns ? more_ns : s->until_ns;
	}
	if (left && s->until_ns <= s->from_ns) /* a clock that stands still */
		s->until_ns = s->from_ns + 1;
	return left;
}

/* Those of the list that begin in the part. */
static uint32_t count_in_part(const struct layers *s, uint32_t i)
{
	uint32_t lo = s->at[i].next, hi = s->at[i].end;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (begin_of(s, i, mid) < s->until_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo - s->at[i].next;
}

/* ---- a list over others ------------------------------------------------------------------------------------------------------ */

static inline struct change *put(const struct change *first, struct change *to, int64_t ts_ns, int64_t who)
{
	if (to > first && to[-1].who == who)
		return to;
	*to = (struct change){ts_ns, who};
	return to + 1;
}

/* The time v, in which so far `who` has intervals, with those of list i from *k on. */
static struct change *lay_over(const struct layers *s, uint32_t i, uint32_t *k, struct interval v, int64_t who,
			       struct change *to)
{
	int64_t at_ns = v.a_ns;
	for (; *k < s->at[i].end && at_ns < v.b_ns; ++*k) {
		int64_t a_ns = begin_of(s, i, *k), b_ns = end_of(s, i, *k);
		if (a_ns >= v.b_ns)
			break;
		if (a_ns > at_ns)
			to = put(s->grown.at, to, at_ns, who);
		at_ns = a_ns > at_ns ? a_ns : at_ns;
		if (b_ns > at_ns)
			to = put(s->grown.at, to, at_ns, who == NOBODY ? (int64_t)i : SEVERAL);
		at_ns = b_ns > at_ns ? b_ns : at_ns;
		if (b_ns >= v.b_ns)
			break;
	}
	return at_ns < v.b_ns ? put(s->grown.at, to, at_ns, who) : to;
}

/* A list that no axis moves and nothing cuts is looked at where it lies: mostly none of its intervals reaches into the time that no other has. */
static inline bool passes_by(const struct interval *at, uint32_t *k, uint32_t end, struct interval v)
{
	*k += *k < end && at[*k].b_ns <= v.a_ns;
	return *k < end && at[*k].b_ns > v.a_ns && at[*k].a_ns >= v.b_ns;
}

/* `grown` gets room for what a list that has `here` intervals in the part makes of the group: a change where each begins and ends, and one
 * more where it reaches into the part. */
static void make_room(struct layers *s, uint32_t here)
{
	size_t most = s->n_group + 2 * ((size_t)here + 1);
	if (most <= s->grown.room)
		return;
	free(s->grown.at);
	s->grown.room = 2 * most;
	s->grown.at = must(malloc(s->grown.room * sizeof *s->grown.at));
}

static void swap_groups(struct layers *s)
{
	struct changes old = s->group;
	s->group = s->grown;
	s->grown = old;
}

static void add_list(struct layers *s, uint32_t i, uint32_t here)
{
	make_room(s, here);
	uint32_t k = s->at[i].next, end = s->at[i].end;
	const struct interval *still = s->at[i].still;
	int64_t until_ns = s->until_ns;
	struct change *to = s->grown.at;
	for (const struct change *x = s->group.at; x->ts_ns < until_ns; x++) {
		struct interval v = {x->ts_ns, x[1].ts_ns < until_ns ? x[1].ts_ns : until_ns};
		if (x->who == SEVERAL || (still && passes_by(still, &k, end, v))) {
			to = put(s->grown.at, to, v.a_ns, x->who);
			continue;
		}
		k = ends_after(s, i, k, end, v.a_ns);
		if (k >= end || begin_of(s, i, k) >= v.b_ns)
			to = put(s->grown.at, to, v.a_ns, x->who);
		else
			to = lay_over(s, i, &k, v, x->who, to);
	}
	*to++ = at_the_end;
	s->n_group = (uint32_t)(to - s->grown.at);
	swap_groups(s);
}

/* ---- lists that take turns ------------------------------------------------------------------------------------------------ */

/* An interval of a list that lies in the part of time under way, or some of it. */
struct piece {
	uint32_t list, k;
};

static struct interval piece_time(const struct layers *s, uint32_t list, uint32_t k)
{
	return (struct interval){later(begin_of(s, list, k), s->from_ns), earlier(end_of(s, list, k), s->until_ns)};
}

/* Those of the list, from n on; how many there are then. */
static uint32_t gather(const struct layers *s, uint32_t i, struct piece *at, struct moment *begins, uint32_t n)
{
	for (uint32_t k = s->at[i].next; k < s->at[i].end; k++) {
		struct interval x = piece_time(s, i, k);
		if (x.a_ns >= x.b_ns)
			continue;
		at[n] = (struct piece){i, k};
		begins[n] = (struct moment){x.a_ns, n};
		n++;
	}
	return n;
}

/* In order of their begin. From where two of them have ended, at most one of those that began goes on: the one that ends last. */
static void add_in_order(const struct layers *s, const struct piece *at, const struct moment *begins, uint32_t n)
{
	struct interval last = {INT64_MIN, INT64_MIN};
	uint32_t last_list = 0;
	int64_t two_ns = INT64_MIN; /* until here there are two */
	for (uint32_t i = 0; i <= n; i++) {
		const struct piece *p = i < n ? &at[begins[i].id] : NULL;
		int64_t from_ns = later(last.a_ns, two_ns), to_ns = p ? earlier(last.b_ns, begins[i].ts_ns) : last.b_ns;
		if (to_ns > from_ns)
			s->alone_ns[last_list] += to_ns - from_ns;
		if (!p)
			return;
		struct interval x = piece_time(s, p->list, p->k);
		if (x.b_ns > last.b_ns) {
			two_ns = last.b_ns;
			last = x;
			last_list = p->list;
		} else {
			two_ns = later(two_ns, x.b_ns);
		}
	}
}

static void part_in_order(const struct layers *s)
{
	size_t most = 1;
	uint32_t n = 0;
	for (uint32_t i = 0; i < s->of->n; i++)
		most += s->at[i].end - s->at[i].next;
	struct piece *at = must(malloc(most * sizeof *at));
	struct moment *begins = must(malloc(most * sizeof *begins));
	for (uint32_t i = 0; i < s->of->n; i++)
		n = gather(s, i, at, begins, n);
	moments_sort(begins, n);
	add_in_order(s, at, begins, n);
	free(at);
	free(begins);
}

/* False: lists take turns, and what was laid over one another grows with each. */
static bool lay_all(struct layers *s)
{
	size_t laid = 0, lists = 0;
	s->n_group = 0;
	make_room(s, 0);
	swap_groups(s);
	s->group.at[0] = (struct change){s->from_ns, NOBODY};
	s->group.at[1] = at_the_end;
	s->n_group = 2;
	for (uint32_t i = 0; i < s->of->n; i++) {
		uint32_t here = count_in_part(s, i);
		if (!here)
			continue;
		if (s->n_group * lists > LONG * 2 * laid)
			return false;
		add_list(s, i, here);
		laid += here;
		lists++;
	}
	return true;
}

static void part_alone(struct layers *s)
{
	if (!lay_all(s)) {
		part_in_order(s);
		return;
	}
	for (const struct change *x = s->group.at; x->ts_ns != INT64_MAX; x++)
		if (x->who >= 0)
			s->alone_ns[x->who] += earlier(x[1].ts_ns, s->until_ns) - x->ts_ns;
}

static const struct interval *lies_still(const struct placed_intervals *x)
{
	return x->n && x->at[0].a_ns >= x->a_ns && x->at[x->n - 1].b_ns <= x->b_ns ? x->at : NULL;
}

void intervals_alone(const struct placed_lists *lists, int64_t *alone_ns)
{
	uint32_t n = lists->n, at_hand = AT_HAND_OF_ALL / (n + 1);
	at_hand = at_hand < AT_HAND_LEAST ? AT_HAND_LEAST : at_hand > AT_HAND_MOST ? AT_HAND_MOST : at_hand;
	struct layers s = {.of = lists,
			   .at = must(calloc(n + (size_t)1, sizeof *s.at)),
			   .until_ns = INT64_MIN,
			   .alone_ns = alone_ns};
	memset(alone_ns, 0, n * sizeof *alone_ns);
	for (uint32_t i = 0; i < n; i++)
		s.at[i].still = lists->axis ? NULL : lies_still(&lists->at[i]);
	while (next_part(&s, at_hand) && !(lists->stop && lists->stop(lists->ctx)))
		part_alone(&s);
	free(s.group.at);
	free(s.grown.at);
	free(s.at);
}
