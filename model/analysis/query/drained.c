#include "drained.h"
#include "model/analysis/derived/cause_names.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/order.h"
#include "model/analysis/names/launch_names.h"

/* The first row that starts after at_ns: mostly a few after the one asked for before. */
static row_id first_after(const struct columns *c, const struct track_info *k, int64_t at_ns, row_id *near)
{
	enum { FEW = 8 };
	row_id r = *near, end = (row_id)(k->first + k->n);
	bool goes_on = r > k->first && r <= end && c->start_ns[r - 1] <= at_ns;
	for (int i = 0; goes_on && r < end && i < FEW && c->start_ns[r] <= at_ns; i++)
		r++;
	if (!goes_on || (r < end && c->start_ns[r] <= at_ns))
		r = first_row_from(c, k, at_ns + 1);
	return *near = r;
}

/* The innermost event at that moment. Where events only nest it is the one that began last, or one around it. */
static row_id innermost_at(const struct derived *d, uint32_t track, int64_t at_ns, row_id *near)
{
	enum { CLIMBED = 16 };
	const struct columns *c = derived_columns(d);
	const struct track_info *k = trace_track(derived_trace(d), track);
	row_id r = k->overlaps || at_ns == INT64_MAX ? NONE_ID : first_after(c, k, at_ns, near);
	if (r == NONE_ID || r == k->first)
		return r == k->first ? NONE_ID : trace_innermost(derived_trace(d), track, at_ns);
	r--;
	for (int i = 0; r != NONE_ID && c->start_ns[r] + later(c->dur_ns[r], 1) <= at_ns; i++) {
		if (i == CLIMBED)
			return trace_innermost(derived_trace(d), track, at_ns);
		r = parent_of(d, r);
	}
	return r;
}

/* Since the thread's call before that waits, it has replayed a graph: one call launches the device's next work, whatever the host does before is
 * not part of launching it. */
static bool waits_for_replay(const struct derived *d, uint32_t track, row_id call)
{
	enum { BACK = 256 };
	const struct columns *c = derived_columns(d);
	uint64_t first = trace_track(derived_trace(d), track)->first;
	for (row_id r = call, n = 0; r-- > first && n < BACK; n++) {
		if (c->kind[r] != KIND_RUNTIME)
			continue;
		if (launch_is_graph(trace_str(derived_trace(d), c->name[r])))
			return true;
		if (cause_of_name(d, c->name[r]).section == CAUSE_SYNC && row_end(c, r) <= c->start_ns[call])
			return false;
	}
	return false;
}

row_id thread_drained_by(const struct derived *d, uint32_t track, int64_t at_ns, int64_t until_ns, row_id *near)
{
	const struct columns *c = derived_columns(d);
	bool thread = trace_track(derived_trace(d), track)->kind == TRACK_THREAD;
	row_id found = NONE_ID;
	for (row_id r = innermost_at(d, track, at_ns, near); r != NONE_ID; r = parent_of(d, r)) {
		bool ended = row_end(c, r) <= until_ns;
		if (ended && c->start_ns[r] < at_ns && cause_of_name(d, c->name[r]).section == CAUSE_SYNC)
			found = r;
		if (!ended && thread) /* what is around it ends no sooner: there may be thousands */
			break;
	}
	return found != NONE_ID && waits_for_replay(d, track, found) ? NONE_ID : found;
}
