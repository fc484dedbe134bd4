/* Time that host events of one thread spend themselves, not in what they call. */
#include "derived_data.h"
#include "model/store/base/idmap.h"
#include "model/analysis/maths/innermost.h"
#include "model/analysis/maths/intervals.h"
#include "model/analysis/maths/order.h"
#include "model/store/base/grow.h"
#include <stdlib.h>

static void open_event(const struct derived *d, row_id r, int64_t a_ns, int64_t b_ns, struct innermost *m)
{
	if (!self_sweep_leaves_out(d->pub.c, r))
		innermost_open(m, r, later(d->pub.c->start_ns[r], a_ns), earlier(row_end(d->pub.c, r), b_ns));
}

enum { OPEN_MAX = 256 };
/* What began before the sweep and lasts beyond its start, innermost first. All of it encloses the event that began last, or is that
 * event. NONE_ID when there is no room for so many. */
static uint32_t open_at(const struct self_sweep *s, const struct track_info *k, bool innermost_alone,
			row_id out[OPEN_MAX])
{
	const struct columns *c = s->d->pub.c;
	uint32_t n = 0, enough = NONE_ID; /* with the innermost one that spans the sweep */
	for (row_id r = s->next > k->first ? s->next - 1 : NONE_ID; r != NONE_ID; r = parent_of(s->d, r)) {
		if (row_end(c, r) <= s->a_ns)
			continue;
		if (n == OPEN_MAX)
			return enough;
		out[n++] = r;
		if (innermost_alone && enough == NONE_ID && row_end(c, r) >= s->b_ns && !self_sweep_leaves_out(c, r))
			enough = n;
		if (enough == n && n + c->depth[r] > OPEN_MAX)
			return enough;
	}
	return n;
}

/* Where events only nest, what is open when the time begins is found by one search and a climb. */
static bool begin_nested(struct self_sweep *s, const struct track_info *k, struct innermost *m, bool innermost_alone)
{
	row_id open[OPEN_MAX];
	s->next = first_row_from(s->d->pub.c, k, s->a_ns);
	s->end = (row_id)(k->first + k->n);
	uint32_t n = k->overlaps || s->a_ns >= s->b_ns ? NONE_ID : open_at(s, k, innermost_alone, open);
	if (n == NONE_ID)
		return false;
	while (n)
		open_event(s->d, open[--n], s->a_ns, s->b_ns, m);
	return true;
}

/* What lies before the innermost event around the time in the order of rows encloses it, too, or has ended. */
void leave_out_around(const struct derived *d, uint32_t track, int64_t a_ns, int64_t b_ns, struct event_iter *it)
{
	enum { DEEP = 64, CLIMB_MOST = 64 };
	const struct track_info *k = trace_track(d->pub.t, track);
	const struct columns *c = d->pub.c;
	if (k->overlaps || k->n_rows < DEEP)
		return;
	row_id first = first_row_from(c, k, a_ns), r = first > k->first ? first - 1 : NONE_ID;
	for (int i = 0; i < CLIMB_MOST && r != NONE_ID && row_end(c, r) < b_ns; i++)
		r = parent_of(d, r);
	if (r != NONE_ID && row_end(c, r) >= b_ns && r >= it->at)
		it->at = r + (uint64_t)1;
}

struct self_sweep self_sweep_begin(const struct derived *d, uint32_t track, int64_t a_ns, int64_t b_ns,
				   struct innermost *m, bool innermost_alone)
{
	struct self_sweep s = {.d = d, .a_ns = a_ns, .b_ns = b_ns};
	s.nested = begin_nested(&s, trace_track(d->pub.t, track), m, innermost_alone);
	if (!s.nested)
		s.it = event_iter(d->pub.t, track, a_ns, b_ns, KINDS_ALL);
	return s;
}

row_id self_sweep_next(struct self_sweep *s)
{
	if (!s->nested)
		return event_next(&s->it) ? s->it.row : NONE_ID;
	bool more = s->next < s->end && s->d->pub.c->start_ns[s->next] < s->b_ns;
	return more ? s->next++ : NONE_ID;
}

/* All of them at once. */
static void self_time_sweep(const struct derived *d, uint32_t track, int64_t a_ns, int64_t b_ns, struct innermost *m)
{
	struct self_sweep s = self_sweep_begin(d, track, a_ns, b_ns, m, false);
	for (row_id r; (r = self_sweep_next(&s)) != NONE_ID;)
		open_event(d, r, a_ns, b_ns, m);
	innermost_close_all(m);
}

/* ---- the one event --------------------------------------------------------------------------------------------------- */

struct largest {
	const struct derived *d;
	row_id row;
	int64_t self_ns;
};

/* A step marker says where the program is, not what it does: never the answer. */
static void take_largest(void *arg, uint32_t row, int64_t self_ns)
{
	struct largest *l = arg;
	if (row_is_marker(l->d, row) || self_ns <= 0)
		return;
	if (self_ns > l->self_ns || (self_ns == l->self_ns && row < l->row)) {
		l->row = row;
		l->self_ns = self_ns;
	}
}

row_id self_time_largest(const struct derived *d, uint32_t track, int64_t a_ns, int64_t b_ns, int64_t *self_ns)
{
	struct largest l = {d, NONE_ID, 0};
	*self_ns = 0;
	if (a_ns >= b_ns)
		return NONE_ID;
	struct innermost m = {.done = take_largest, .arg = &l};
	self_time_sweep(d, track, a_ns, b_ns, &m);
	*self_ns = l.self_ns;
	return l.row;
}

/* ---- by name ---------------------------------------------------------------------------------------------------------- */

struct by_name {
	const struct derived *d;
	struct idmap index; /* name -> place in at */
	struct self_time *at;
	int64_t *longest_ns;
	uint32_t n, cap;
};

static uint32_t name_place(struct by_name *b, str_id name)
{
	uint32_t *place = idmap_put(&b->index, name, b->n);
	if (*place < b->n)
		return *place;
	uint32_t cap = b->cap; /* both arrays have it */
	GROW_ARRAY(b->longest_ns, b->n, cap);
	GROW_ARRAY(b->at, b->n, b->cap);
	b->at[b->n] = (struct self_time){.row = NONE_ID, .name = name};
	b->longest_ns[b->n] = -1;
	return b->n++;
}

static void take_name(void *arg, uint32_t row, int64_t self_ns)
{
	struct by_name *b = arg;
	uint32_t i = name_place(b, b->d->pub.c->name[row]);
	int64_t dur_ns = b->d->pub.c->dur_ns[row];
	b->at[i].self_ns += self_ns;
	b->at[i].count++;
	if (dur_ns > b->longest_ns[i] || (dur_ns == b->longest_ns[i] && row < b->at[i].row)) {
		b->longest_ns[i] = dur_ns;
		b->at[i].row = row;
	}
}

static int larger_self(const void *x, const void *y)
{
	const struct self_time *a = x, *b = y;
	if (a->self_ns != b->self_ns)
		return a->self_ns < b->self_ns ? 1 : -1;
	return (a->row > b->row) - (a->row < b->row);
}

uint32_t derived_self_times(const struct derived *d, uint32_t track, int64_t a_ns, int64_t b_ns, uint32_t max,
			    struct self_time *out)
{
	struct by_name b = {.d = d};
	struct innermost m = {.done = take_name, .arg = &b};
	self_time_sweep(d, track, a_ns, b_ns, &m);
	if (b.n)
		qsort(b.at, b.n, sizeof *b.at, larger_self);
	uint32_t n = b.n < max ? b.n : max;
	for (uint32_t i = 0; i < n; i++)
		out[i] = b.at[i];
	free(b.at);
	free(b.longest_ns);
	idmap_free(&b.index);
	return n;
}
