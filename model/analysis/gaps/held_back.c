#include "held_back.h"
#include "model/analysis/derived/rows.h"

static row_id first_work_from(const struct derived *d, uint32_t device, int64_t ts_ns)
{
	const struct columns *c = derived_columns(d);
	uint32_t n;
	const uint32_t *streams = device_streams(d, device, &n);
	row_id first = NONE_ID;
	for (uint32_t i = 0; i < n; i++) {
		const struct track_info *k = trace_track(derived_trace(d), streams[i]);
		row_id r = first_row_from(c, k, ts_ns);
		while (r < k->first + k->n && !row_is_work(c, r))
			r++;
		if (r < k->first + k->n && (first == NONE_ID || c->start_ns[r] < c->start_ns[first]))
			first = r;
	}
	return first;
}

uint32_t held_back_stream(const struct derived *d, uint32_t device, row_id wait, int64_t end_ns)
{
	const struct columns *c = derived_columns(d);
	row_id work = wait == NONE_ID ? NONE_ID : first_work_from(d, device, end_ns);
	row_id launch = work == NONE_ID ? NONE_ID : c->link[work];
	bool held = launch != NONE_ID && c->kind[wait] == KIND_RUNTIME && c->track[launch] == c->track[wait] &&
		    row_end(c, launch) <= c->start_ns[wait];
	return held ? c->track[work] : NONE_ID;
}
