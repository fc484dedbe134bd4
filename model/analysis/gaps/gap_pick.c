/* Which gaps get a verdict: all between steps, of the others the longest. */
#include "verdict.h"
#include "model/analysis/maths/order.h"
#include "model/analysis/maths/rank.h"
#include "model/analysis/query/cells.h"
#include "model/query.h"
#include "model/store/base/grow.h"

static bool wanted(const struct derived *d, const struct query *q, uint32_t id)
{
	struct gap g;
	if (!q->filter || !derived_gap_at(d, id, &g))
		return true;
	return event_wanted(d, q, g.before) || event_wanted(d, q, g.after);
}

static void take(struct gap_pick *pick, uint32_t id, int64_t a_ns, int64_t b_ns)
{
	pick->ids[pick->n++] = id;
	pick->a_ns = earlier(pick->a_ns, a_ns);
	pick->b_ns = later(pick->b_ns, b_ns);
}

static void take_steps(const struct derived *d, const struct query *q, struct gap_pick *pick)
{
	const struct step_gaps all = derived_step_gaps(d);
	int64_t least_ns = later(1, q->min_gap_ns);
	for (uint32_t i = 0; i < all.n; i++) {
		const struct step_gap g = step_gap_of(&all, i);
		if (g.start_ns < q->b_ns && g.end_ns > q->a_ns && g.end_ns - g.start_ns >= least_ns && wanted(d, q, i))
			take(pick, i, g.start_ns, g.end_ns);
	}
}

/* ---- the longest of very many ------------------------------------------------------------------------------------------- */

/* Idle intervals as they come, the longest of them kept in a room for few: what is shorter than `enough` others is only counted. */
struct longest {
	struct rank *at;
	uint32_t n, room, enough;
	uint32_t least;         /* size, once there are enough: of the others only longer ones are kept */
	uint32_t seen, outside; /* outside: of gaps between steps */
	struct arena *mem;
	uint32_t first;   /* id of the first one, */
	uint8_t *in_step; /* and from it on a bit of each that lies in a gap between steps; NULL: none is */
};

static void note_in_step(struct longest *l, const struct derived *d, uint32_t id)
{
	if (!l->in_step) {
		l->first = derived_step_gap_count(d);
		l->in_step = arena_alloc(l->mem, (derived_gap_count(d) - l->first) / 8 + (size_t)1);
	}
	l->in_step[(id - l->first) / 8] |= (uint8_t)(1u << (id - l->first) % 8);
}

static bool is_in_step(const struct longest *l, uint32_t id)
{
	return l->in_step && l->in_step[(id - l->first) / 8] >> (id - l->first) % 8 & 1;
}

/* Leaves enough of the longest, and as much room beside them. */
static void longest_cut(struct longest *l)
{
	l->n = rank_largest(l->at, l->n, l->enough);
	l->least = l->at[0].size;
	for (uint32_t i = 1; i < l->n; i++)
		l->least = l->at[i].size < l->least ? l->at[i].size : l->least;
	if (l->n > l->room / 2)
		GROW_ARRAY(l->at, l->room, l->room);
}

static void longest_add(struct longest *l, int64_t dur_ns, uint32_t id)
{
	uint32_t size = rank_size(dur_ns);
	l->seen++;
	if (size <= l->least)
		return;
	GROW_ARRAY(l->at, l->n, l->room);
	l->at[l->n++] = (struct rank){size, id};
	if (l->n == l->room && l->n / 2 >= l->enough)
		longest_cut(l);
}

/* All idle intervals of devices, the longest first; where they lie is noted when they are looked through first. */
static void look_through(const struct derived *d, const struct query *q, struct longest *idle, bool first)
{
	struct gap_iter it = gap_iter_idle(d, q->a_ns, q->b_ns);
	idle->n = idle->seen = idle->least = 0;
	for (struct gap_span g; gap_next(&it, &g) && g.scope == GAP_DEVICE;) {
		if (g.dur_ns < q->min_gap_ns || g.dur_ns <= 0)
			continue;
		longest_add(idle, g.dur_ns, g.id);
		bool inside = first && gap_last_in_step_gap(&it, &g);
		if (inside)
			note_in_step(idle, d, g.id);
		idle->outside += first && !inside;
	}
	rank_sort(idle->at, idle->n);
}

struct gap_pick gap_pick(const struct derived *d, const struct query *q, uint32_t most_idle, struct arena *mem)
{
	enum { MORE = 8 };
	struct gap_pick pick = {
		.ids = arena_alloc(mem, (derived_step_gap_count(d) + (size_t)most_idle + 1) * sizeof *pick.ids),
		.a_ns = INT64_MAX,
		.b_ns = INT64_MIN};
	struct longest idle = {.enough = 2 * most_idle, .mem = mem};
	uint32_t at = 0;
	take_steps(d, q, &pick);
	if (q->a_ns == INT64_MIN && q->b_ns == INT64_MAX && gaps_all_in_step_gaps(d, later(1, q->min_gap_ns)))
		return pick;
	look_through(d, q, &idle, true);
	if (!idle.outside) /* no more of them are looked at */
		at = idle.seen;
	for (uint32_t kept = 0; at < idle.seen && kept < most_idle; at++) {
		if (at == idle.n) { /* few of them were wanted: the same ones come first among more */
			idle.enough = idle.enough < idle.seen / MORE ? idle.enough * MORE : idle.seen;
			look_through(d, q, &idle, false);
		}
		if (is_in_step(&idle, idle.at[at].id) || !wanted(d, q, idle.at[at].id))
			continue;
		struct gap_span g = derived_gap_span(d, idle.at[at].id);
		take(&pick, g.id, g.start_ns, g.start_ns + g.dur_ns);
		kept++;
	}
	pick.left_out = idle.seen - at;
	free(idle.at);
	return pick;
}
