/* Iterations without labels: a server that replays graphs copies its results to the host before the next turn. */
#include "iterations_private.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/names/launch_names.h"

enum { LEAST = 3 };

static bool copies_to_host(const struct derived *d, row_id launch)
{
	const row_id *work;
	uint32_t n = trace_launched(derived_trace(d), launch, &work);
	for (uint32_t i = 0; i < n; i++)
		if (derived_copy_kind(d, work[i]) == COPY_D2H)
			return true;
	return false;
}

/* A turn begins with the first graph that is launched after a copy to the host. */
static void look_at_track(const struct derived *d, const struct track_info *k, struct iteration_list *out,
			  struct progress_loop *loop)
{
	const struct columns *c = derived_columns(d);
	struct iteration *turn = NULL;
	uint32_t begun = out->n;
	bool returned = false;
	for (row_id r = (row_id)k->first; r < k->first + k->n && !progress_loop_cancelled(loop); r++) {
		if (c->kind[r] != KIND_RUNTIME || c->link[r] == NONE_ID)
			continue;
		if (!launch_is_graph(trace_str(derived_trace(d), c->name[r]))) {
			returned |= copies_to_host(d, r);
			continue;
		}
		if (!turn || returned)
			turn = iteration_add(d, out, r, row_end(c, r));
		turn->end_ns = row_end(c, r);
		returned = false;
	}
	if (out->n - begun < LEAST)
		out->n = begun;
}

/* Markers of steps say better what a turn is. */
static bool steps_are_marked(const struct derived *d)
{
	return derived_steps(d) && !derived_step(d, 0)->inferred;
}

bool iterations_by_graph(const struct derived *d, struct iteration_list *out, struct progress *p, struct err *e)
{
	const struct trace *t = derived_trace(d);
	struct progress_loop loop = {.progress = p};
	if (steps_are_marked(d))
		return true;
	for (uint32_t i = 0; i < trace_tracks(t) && !loop.cancelled; i++)
		if (derived_is_host_track(trace_track(t, i)))
			look_at_track(d, trace_track(t, i), out, &loop);
	return !loop.cancelled || err_usage(e, "cancelled");
}
