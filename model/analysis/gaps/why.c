#include "why.h"
#include "idle_advice.h"
#include "model/analysis/maths/shares.h"

enum { CAUSE_PCT = 10, RECORDED_PCT = 50 };

static bool has_host_events(const struct trace *t)
{
	for (uint32_t i = 0; i < trace_tracks(t); i++)
		if (trace_track(t, i)->kind == TRACK_THREAD && trace_track(t, i)->n > 0)
			return true;
	return false;
}

static enum why_kind kind_of(const struct derived *d, const struct gap *g, const struct why *w)
{
	const struct gap_verdict *v = &w->verdict;
	if (v->cause != CAUSE_UNKNOWN)
		return WHY_CAUSE;
	if (!w->main_event && !has_host_events(derived_trace(d)))
		return WHY_NO_HOST;
	if (!w->main_event && v->evidence.thread == NONE_ID)
		return WHY_NO_LAUNCH;
	bool named = w->main_event && (share_at_least(v->row_ns, g->dur_ns, CAUSE_PCT) ||
				       share_at_least(v->evidence.recorded_ns, g->dur_ns, RECORDED_PCT));
	return named ? WHY_CAUSE : WHY_NOT_RECORDED;
}

struct why why_of(const struct derived *d, const struct gap *g)
{
	struct why w = {.main_event = NULL};
	const struct trace *t = derived_trace(d);
	gap_verdict_of(d, g, &w.verdict);
	if (w.verdict.row != NONE_ID)
		w.main_event = trace_str(t, trace_columns(t)->name[w.verdict.row]);
	w.kind = kind_of(d, g, &w);
	return w;
}

const char *gap_advice(const struct derived *d, const struct gap *g, enum cause cause, row_id main)
{
	if (cause == CAUSE_UNKNOWN && gap_launched_before(d, g))
		return "The host had launched the work in time: see what other streams and devices do meanwhile, and "
		       "record synchronisation events, which tell what it waited for.";
	return idle_advice(d, cause, main);
}
