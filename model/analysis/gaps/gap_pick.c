/* Which gaps get a verdict: all between steps, of the others the longest. */
#include "verdict.h"
#include "model/analysis/derived/derived_data.h"
#include "model/analysis/maths/rank.h"
#include "model/analysis/query/cells.h"
#include "model/query.h"

/* The step gap of the device that holds [a, b), if any: they are sorted by their start. */
static bool inside_step_gap(const struct gap_store *s, uint32_t device, uint32_t n_devices, const struct gap_span *span)
{
	uint32_t lo = 0, hi = s->n_steps;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (s->steps[mid].start_ns <= span->start_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (uint32_t looked = 0; lo-- > 0 && looked < 2 * n_devices; looked++) {
		const struct gap *g = &s->steps[lo];
		if (g->device == device && span->start_ns + span->dur_ns <= g->start_ns + g->dur_ns)
			return true;
	}
	return false;
}

static uint32_t device_of(const struct gap_store *s, uint32_t id)
{
	for (uint32_t i = s->n_runs; i-- > 0;)
		if (s->runs[i].first <= id)
			return s->runs[i].device;
	return NONE_ID;
}

static bool wanted(const struct derived *d, const struct query *q, uint32_t id)
{
	struct gap g;
	if (!q->filter || !derived_gap_at(d, id, &g))
		return true;
	return event_wanted(d, q, g.before) || event_wanted(d, q, g.after);
}

struct gap_pick gap_pick(const struct derived *d, const struct query *q, uint32_t most_idle, struct arena *mem)
{
	struct gap_iter it = gap_iter(d, q->a_ns, q->b_ns);
	const struct gap_store *s = it.gaps;
	struct gap_pick pick = {.ids = arena_alloc(mem, (s->n_steps + (size_t)most_idle + 1) * sizeof *pick.ids)};
	struct arena work = {0};
	struct rank *idle = arena_alloc(&work, (it.left + (size_t)1) * sizeof *idle);
	uint32_t n_idle = 0;
	for (struct gap_span g; gap_next(&it, &g) && g.scope != GAP_STREAM;) {
		if (g.dur_ns < q->min_gap_ns || g.dur_ns <= 0)
			continue;
		if (g.scope == GAP_STEP && wanted(d, q, g.id))
			pick.ids[pick.n++] = g.id;
		else if (g.scope == GAP_DEVICE)
			idle[n_idle++] = (struct rank){rank_size(g.dur_ns), g.id};
	}
	rank_sort(idle, n_idle);
	uint32_t n_devices = trace_devices(d->t), at = 0, kept = 0;
	for (; at < n_idle && kept < most_idle; at++) {
		struct gap_span g = gaps_span(s, idle[at].id);
		if (inside_step_gap(s, device_of(s, g.id), n_devices, &g) || !wanted(d, q, g.id))
			continue;
		pick.ids[pick.n++] = g.id;
		kept++;
	}
	pick.left_out = n_idle - at;
	arena_free(&work);
	return pick;
}
