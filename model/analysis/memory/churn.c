#include "churn.h"
#include <string.h>
#include "model/analysis/derived/rows.h"
#include "model/analysis/names/allocation_names.h"
#include "model/analysis/query/windowed.h"
#include "model/analysis/steps/step_phase.h"
#include "model/store/base/arena.h"

enum { MOST_CALLS = 32 };
struct names {
	str_id at[MOST_CALLS];
	unsigned n;
};

static struct names names_met(const struct trace *t)
{
	struct names found = {.n = 0};
	for (unsigned i = 0; allocation_call(i) && found.n < MOST_CALLS; i++) {
		const char *z = allocation_call(i);
		str_id id = strings_find(trace_strings(t), z, strlen(z));
		if (id)
			found.at[found.n++] = id;
	}
	return found;
}

static bool has_name(const struct names *x, str_id name)
{
	for (unsigned i = 0; i < x->n; i++)
		if (x->at[i] == name)
			return true;
	return false;
}

static void add(struct churn *x, const struct windowed *w, bool steady)
{
	const struct columns *c = w->c;
	int64_t ns = windowed_clipped(w);
	x->calls++;
	x->ns += ns;
	x->steady_calls += steady;
	x->steady_ns += steady ? ns : 0;
	bool better = steady != x->steady ? steady : x->longest == NONE_ID || c->dur_ns[w->row] > c->dur_ns[x->longest];
	if (better) {
		x->longest = w->row;
		x->steady = steady;
	}
}

bool churn_find(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
		struct churn **by_process, struct err *e)
{
	const struct trace *t = derived_trace(d);
	struct names names = names_met(t);
	struct windowed w = windowed_open(d, q, p);
	struct counted_steps counted = counted_steps(d, q);
	struct churn *all = *by_process = names.n ? arena_alloc(mem, (trace_processes(t) + 1) * sizeof *all) : NULL;
	for (uint32_t i = 0; all && i < trace_processes(t); i++)
		all[i].longest = NONE_ID;
	for (uint32_t i = 0; all && i < trace_tracks(t); i++) {
		const struct track_info *k = trace_track(t, i);
		if (k->process == NONE_ID)
			continue;
		windowed_track(&w, i, KIND_BIT(KIND_RUNTIME));
		while (windowed_next(&w)) {
			uint32_t step = derived_step_of(d, w.row);
			if (windowed_starts(&w) && has_name(&names, w.c->name[w.row]))
				add(&all[k->process], &w, step != NONE_ID && step_counts(&counted, step));
		}
	}
	return windowed_done(&w, e);
}
