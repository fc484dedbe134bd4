#include "why.h"

enum { CAUSE_PCT = 10, RECORDED_PCT = 50, NAMES = 64 };

static bool has_host_events(const struct trace *t)
{
	for (uint32_t i = 0; i < trace_tracks(t); i++)
		if (trace_track(t, i)->kind == TRACK_THREAD && trace_track(t, i)->n > 0)
			return true;
	return false;
}

/* A step marker encloses everything and says nothing. */
static bool is_marker(const struct derived *d, row_id r)
{
	uint32_t step = derived_step_of(d, r);
	return step != NONE_ID && derived_step(d, step)->marker == r;
}

static int64_t recorded(const struct derived *d, uint32_t track, const struct gap *g)
{
	struct self_time self[NAMES];
	int64_t ns = 0;
	uint32_t n = derived_self_times(d, track, g->start_ns, g->start_ns + g->dur_ns, NAMES, self);
	for (uint32_t i = 0; i < n; i++)
		ns += is_marker(d, self[i].row) ? 0 : self[i].self_ns;
	return ns;
}

static bool at_least(int64_t part, int64_t whole, int pct)
{
	return (__int128)part * 100 >= (__int128)whole * pct;
}

struct why why_of(const struct derived *d, const struct gap *g)
{
	struct why w = {.kind = WHY_NOT_RECORDED};
	uint32_t track = g->device == NONE_ID ? NONE_ID : derived_launch_track(d, g->device);
	bool any = derived_gap_cause(d, g, &w.cause) && !is_marker(d, w.cause.row);
	if (!any) {
		w.cause = (struct gap_cause){.row = NONE_ID};
		if (!has_host_events(derived_trace(d)))
			w.kind = WHY_NO_HOST;
		else if (g->device != NONE_ID && track == NONE_ID)
			w.kind = WHY_NO_LAUNCH;
		return w;
	}
	w.recorded_ns = track == NONE_ID ? w.cause.self_ns : recorded(d, track, g);
	if (at_least(w.cause.self_ns, g->dur_ns, CAUSE_PCT) || at_least(w.recorded_ns, g->dur_ns, RECORDED_PCT))
		w.kind = WHY_CAUSE;
	return w;
}
