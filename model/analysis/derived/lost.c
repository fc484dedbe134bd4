#include "lost.h"
#include "model/analysis/maths/shares.h"
#include <string.h>

enum { LEAST_PCT = 10 };

#define LANE "lost records"

static bool is_lane(const struct trace *t, uint32_t track, uint32_t device, str_id lane)
{
	const struct track_info *i = trace_track(t, track);
	return i->kind == TRACK_STREAM_LANE && i->device == device && i->lane == lane;
}

/* Stretches come in order of time and may overlap: each ns counts once. */
static row_id longest(const struct trace *t, uint32_t track, int64_t a_ns, int64_t b_ns, int64_t *ns)
{
	const struct columns *c = trace_columns(t);
	struct event_iter it = event_iter(t, track, a_ns, b_ns, KINDS_ALL);
	row_id found = NONE_ID;
	int64_t most_ns = 0, seen_ns = a_ns;
	while (event_next(&it)) {
		int64_t from_ns = c->start_ns[it.row], to_ns = from_ns + c->dur_ns[it.row];
		from_ns = from_ns > seen_ns ? from_ns : seen_ns;
		to_ns = to_ns < b_ns ? to_ns : b_ns;
		if (to_ns <= from_ns)
			continue;
		*ns += to_ns - from_ns;
		seen_ns = to_ns;
		if (to_ns - from_ns > most_ns) {
			most_ns = to_ns - from_ns;
			found = it.row;
		}
	}
	return found;
}

row_id lost_records(const struct derived *d, uint32_t device, int64_t a_ns, int64_t b_ns, int64_t *ns)
{
	const struct trace *t = derived_trace(d);
	row_id found = NONE_ID;
	*ns = 0;
	if (device == NONE_ID || trace_notes(t)->at[NOTE_PRODUCER_DROPPED].count == 0)
		return NONE_ID;
	str_id lane = strings_find(trace_strings(t), LANE, strlen(LANE));
	for (uint32_t i = 0; lane && found == NONE_ID && i < trace_tracks(t); i++)
		if (is_lane(t, i, device, lane))
			found = longest(t, i, a_ns, b_ns, ns);
	return share_at_least(*ns, b_ns - a_ns, LEAST_PCT) ? found : NONE_ID;
}
