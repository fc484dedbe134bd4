#include "busy_threads.h"
#include "host_threads.h"
#include "model/analysis/derived/cause_names.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/order.h"
#include "model/analysis/maths/shares.h"
#include <stdlib.h>

enum {
	THREADS_PCT = 50,  /* share of the time that makes a thread busy over it */
	INPUT_THREADS = 4, /* fewer busy threads leave a core for the launching one; */
	ANY_THREADS = 16   /* threads that prepare no input: more, as they may work for the launching one */
};

enum thread_does thread_does(const struct derived *d, row_id r)
{
	const struct columns *c = derived_columns(d);
	if (c->kind[r] == KIND_PYTHON || c->kind[r] == KIND_PROFILE || row_is_marker(d, r))
		return DOES_NOTHING;
	switch (cause_of_name(d, c->name[r]).section) {
	case SAYS_NOTHING:
		return DOES_NOTHING;
	case CAUSE_SYNC:
	case CAUSE_HOST_WAIT:
	case CAUSE_WAITING:
		return DOES_WAIT;
	case CAUSE_INPUT_WORKER:
	case CAUSE_INPUT:
		return DOES_INPUT;
	default:
		return cause_input_thread(d, c->track[r]) ? DOES_INPUT : DOES_OTHER;
	}
}

bool thread_launches_most(const struct derived *d, uint32_t track)
{
	for (uint32_t i = 0; i < trace_devices(derived_trace(d)); i++)
		if (derived_launch_track(d, i) == track)
			return true;
	return false;
}

/* Of a thread whose events follow each other, by the first and the last: most of very many threads do something at another time. */
static bool may_be_busy(const struct derived *d, const struct track_info *k, int64_t a_ns, int64_t b_ns)
{
	const struct columns *c = derived_columns(d);
	if (!k->n || k->n_rows != 1 || k->overlaps)
		return k->n > 0;
	int64_t from_ns = later(a_ns, c->start_ns[k->first]),
		until_ns = earlier(b_ns, row_end(c, (row_id)(k->first + k->n - 1)));
	return share_at_least(until_ns - from_ns, b_ns - a_ns, THREADS_PCT);
}

void busy_threads_add(const struct derived *d, uint32_t track, int64_t a_ns, int64_t b_ns, struct busy_threads *out)
{
	struct bin bin;
	int64_t span_ns = b_ns - a_ns;
	const struct trace *t = derived_trace(d);
	if (span_ns <= 0 || !may_be_busy(d, trace_track(t, track), a_ns, b_ns) ||
	    !derived_is_thread(t, trace_track(t, track)))
		return;
	trace_bins(t, track, 0, a_ns, span_ns, 1, &bin);
	if (!share_at_least(bin.busy_ns, span_ns, THREADS_PCT) || bin.longest == NONE_ID)
		return;
	enum thread_does does = thread_does(d, bin.longest);
	bool input = does == DOES_INPUT;
	if (does == DOES_NOTHING || does == DOES_WAIT || (!input && thread_launches_most(d, track)))
		return;
	out->input += input;
	out->other += !input;
	out->ns = later(out->ns, bin.busy_ns);
	if (out->row == NONE_ID || derived_columns(d)->dur_ns[bin.longest] > derived_columns(d)->dur_ns[out->row])
		out->row = bin.longest;
}

bool busy_threads_crowd(const struct busy_threads *b)
{
	return b->input >= INPUT_THREADS || b->input + b->other >= ANY_THREADS;
}

struct busy_threads busy_threads_beside(const struct derived *d, uint32_t own, int64_t a_ns, int64_t b_ns)
{
	const struct trace *t = derived_trace(d);
	struct busy_threads out = {.row = NONE_ID};
	uint32_t host = trace_track(t, own)->host;
	if (host_threads_come_and_go(d, host)) {
		uint32_t *tracks, n = host_threads_in(d, host, a_ns, b_ns, &tracks);
		for (uint32_t i = 0; i < n; i++)
			if (tracks[i] != own)
				busy_threads_add(d, tracks[i], a_ns, b_ns, &out);
		free(tracks);
		return out;
	}
	for (uint32_t i = 0; i < trace_tracks(t); i++) {
		const struct track_info *k = trace_track(t, i);
		if (i != own && k->host == host)
			busy_threads_add(d, i, a_ns, b_ns, &out);
	}
	return out;
}
