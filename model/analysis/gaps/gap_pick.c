/* Which gaps get a verdict: all between steps, of the others the longest. */
#include "verdict.h"
#include "model/analysis/maths/order.h"
#include "model/analysis/maths/rank.h"
#include "model/analysis/query/cells.h"
#include "model/query.h"

static bool wanted(const struct derived *d, const struct query *q, uint32_t id)
{
	struct gap g;
	if (!q->filter || !derived_gap_at(d, id, &g))
		return true;
	return event_wanted(d, q, g.before) || event_wanted(d, q, g.after);
}

static void take(struct gap_pick *pick, const struct gap_span *g)
{
	pick->ids[pick->n++] = g->id;
	pick->a_ns = earlier(pick->a_ns, g->start_ns);
	pick->b_ns = later(pick->b_ns, g->start_ns + g->dur_ns);
}

struct gap_pick gap_pick(const struct derived *d, const struct query *q, uint32_t most_idle, struct arena *mem)
{
	struct gap_iter it = gap_iter(d, q->a_ns, q->b_ns);
	struct gap_pick pick = {
		.ids = arena_alloc(mem, (derived_step_gap_count(d) + (size_t)most_idle + 1) * sizeof *pick.ids),
		.a_ns = INT64_MAX,
		.b_ns = INT64_MIN};
	struct arena work = {0};
	struct rank *idle = arena_alloc(&work, (it.left + (size_t)1) * sizeof *idle);
	uint32_t n_idle = 0;
	for (struct gap_span g; gap_next(&it, &g) && g.scope != GAP_STREAM;) {
		if (g.dur_ns < q->min_gap_ns || g.dur_ns <= 0)
			continue;
		if (g.scope == GAP_STEP && wanted(d, q, g.id))
			take(&pick, &g);
		else if (g.scope == GAP_DEVICE)
			idle[n_idle++] = (struct rank){rank_size(g.dur_ns), g.id};
	}
	uint32_t at = 0, kept = 0, sorted = 0;
	for (; at < n_idle && kept < most_idle; at++) {
		if (at == sorted) {
			uint32_t more =
				rank_largest(idle + at, n_idle - at, most_idle + at); /* twice as many each time */
			rank_sort(idle + at, more);
			sorted += more;
		}
		struct gap_span g = derived_gap_span(d, idle[at].id);
		if (gap_in_step_gap(d, &g) != NONE_ID || !wanted(d, q, g.id))
			continue;
		take(&pick, &g);
		kept++;
	}
	pick.left_out = n_idle - at;
	arena_free(&work);
	return pick;
}
