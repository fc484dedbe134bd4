#include "row_causes.h"
#include "thread_causes.h"
#include "model/analysis/derived/rows.h"
#include <string.h>

static bool launches_graph(const struct derived *d, row_id r)
{
	return strstr(trace_str(derived_trace(d), derived_columns(d)->name[r]), "Graph") != NULL;
}

/* Long enough to load code or make a context. */
static bool may_load(const struct derived *d, row_id call)
{
	return derived_columns(d)->dur_ns[call] >= DISPATCH_NS && !launches_graph(d, call);
}

row_id thread_call_ran_before(const struct derived *d, row_id call)
{
	enum { LOOKED_AT = 16384 };
	const struct columns *c = derived_columns(d);
	row_id work = c->link && may_load(d, call) ? c->link[call] : NONE_ID;
	if (work == NONE_ID)
		return NONE_ID;
	row_id first = trace_track(derived_trace(d), c->track[work])->first;
	row_id end = work - first > LOOKED_AT ? work - LOOKED_AT : first;
	for (row_id r = work; r > end; r--)
		if (c->name[r - 1] == c->name[work])
			return r - 1;
	return NONE_ID;
}

struct name_cause row_cause_of_call(const struct derived *d, row_id r, struct name_cause known)
{
	if (may_load(d, r) && thread_call_ran_before(d, r) == NONE_ID)
		return (struct name_cause){CAUSE_COMPILE, TRUST_LOADING};
	return known.section == CAUSE_LAUNCH ? known : (struct name_cause){CAUSE_LAUNCH, TRUST_CALL};
}

/* Of a track whose events come one after the other. */
static bool nothing_beside(const struct columns *c, const struct track_info *k, row_id r, int64_t a_ns, int64_t b_ns)
{
	bool first = r == k->first, last = r + 1 == k->first + k->n;
	return (first || (row_end(c, r - 1) <= a_ns && row_end(c, r - 1) < c->start_ns[r])) &&
	       (last || (c->start_ns[r + 1] >= b_ns && c->start_ns[r + 1] > row_end(c, r)));
}

bool thread_only_launches(const struct derived *d, row_id call, int64_t a_ns, int64_t b_ns, struct thread_piece *out)
{
	const struct columns *c = derived_columns(d);
	const struct track_info *k = trace_track(derived_trace(d), c->track[call]);
	if (k->n_rows != 1 || k->overlaps || c->kind[call] != KIND_RUNTIME || c->dur_ns[call] <= 0 ||
	    c->dur_ns[call] >= DISPATCH_NS || !nothing_beside(c, k, call, a_ns, b_ns) ||
	    graph_captures_on(d, c->track[call]) || row_is_marker(d, call))
		return false;
	struct name_cause cause = row_cause(d, call);
	*out = (struct thread_piece){c->start_ns[call], row_end(c, call), call,  call,
				     CAUSE_LAUNCH,      cause.trust,      false, false};
	return cause.section == CAUSE_LAUNCH;
}
