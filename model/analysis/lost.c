#include "lost.h"
#include <string.h>

#define LANE "lost records"

static bool is_lane(const struct trace *t, uint32_t track, uint32_t device, str_id lane)
{
	const struct track_info *i = trace_track(t, track);
	return i->kind == TRACK_STREAM_LANE && i->device == device && i->lane == lane;
}

static row_id longest(const struct trace *t, uint32_t track, int64_t a_ns, int64_t b_ns, int64_t *ns)
{
	const struct columns *c = trace_columns(t);
	struct event_iter it = event_iter(t, track, a_ns, b_ns, KINDS_ALL);
	row_id found = NONE_ID;
	while (event_next(&it)) {
		int64_t from = c->start_ns[it.row], to = from + c->dur_ns[it.row];
		int64_t inside = (to < b_ns ? to : b_ns) - (from > a_ns ? from : a_ns);
		if (inside > *ns) {
			*ns = inside;
			found = it.row;
		}
	}
	return found;
}

row_id lost_records(const struct derived *d, uint32_t device, int64_t a_ns, int64_t b_ns, int64_t *ns)
{
	const struct trace *t = derived_trace(d);
	*ns = 0;
	if (device == NONE_ID || trace_notes(t)->at[NOTE_PRODUCER_DROPPED].count == 0)
		return NONE_ID;
	str_id lane = strings_find(trace_strings(t), LANE, strlen(LANE));
	for (uint32_t i = 0; lane && i < trace_tracks(t); i++)
		if (is_lane(t, i, device, lane))
			return longest(t, i, a_ns, b_ns, ns);
	return NONE_ID;
}
