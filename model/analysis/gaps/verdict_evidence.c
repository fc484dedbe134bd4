/* What happened during a gap, collected once for every verdict. */
#include "judge.h"
#include "model/analysis/query/drained.h"
#include "model/analysis/query/host_threads.h"
#include "thread_shares.h"
#include "model/analysis/causes/thread_causes.h"
#include "model/analysis/derived/cause_names.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/intervals.h"
#include "model/analysis/maths/order.h"
#include "model/store/base/memory.h"
#include <stdlib.h>

static void note_overflow(const struct derived *d, struct gap_evidence *out, const struct gap *g)
{
	struct cause_share *sync = &out->own[CAUSE_SYNC], *loss = &out->own[CAUSE_LOSS_SCALING];
	row_id from = sync->ns ? sync->owner : out->drained;
	if (from == NONE_ID || !asks_for_overflow(d, from, g->start_ns - g->dur_ns))
		return;
	cause_share_add(loss, from, sync->ns, 95);
	cause_share_main(loss, sync->row, sync->row_ns);
	*sync = (struct cause_share){.row = NONE_ID, .owner = NONE_ID};
	out->asks_overflow = from;
}

/* ---- the other threads ------------------------------------------------------------------------------------------------ */

/* Crowds take the cores in long idle times only (steps/idle.h), or where other streams may be busy. */
static bool crowd_matters(const struct gap_judge *j, const struct gap *g)
{
	return !j->idles || g->scope != GAP_DEVICE || g->dur_ns >= IDLE_CROWD_NS;
}

static struct awake *threads_of(struct gap_judge *j, uint32_t host)
{
	const uint32_t *tracks;
	if (!j->awake)
		j->awake = must(calloc(trace_hosts(derived_trace(j->d)) + (size_t)1, sizeof *j->awake));
	if (!j->awake[host]) {
		uint32_t n = host_threads(j->d, host, &tracks);
		j->awake[host] = awake_new(j->d, tracks, n);
	}
	return j->awake[host];
}

void judge_sleepers_free(struct gap_judge *j)
{
	for (uint32_t i = 0; j->awake && i < trace_hosts(derived_trace(j->d)); i++)
		awake_free(j->awake[i]);
	free(j->awake);
}

static void look_at_threads(struct gap_judge *j, const struct gap *g, struct gap_evidence *out)
{
	const struct derived *d = j->d;
	const struct track_info *own = trace_track(derived_trace(d), out->thread);
	bool crowd = crowd_matters(j, g);
	uint32_t n, *alone = NULL;
	const uint32_t *tracks;
	if (j->once || host_threads_come_and_go(d, own->host)) {
		n = host_threads_in(d, own->host, g->start_ns, out->until_ns, &alone);
		tracks = alone;
	} else {
		tracks = awake_tracks(threads_of(j, own->host), g->start_ns, out->until_ns, &n);
	}
	for (uint32_t i = 0; i < n; i++) {
		if (tracks[i] == out->thread)
			continue;
		if (crowd)
			busy_threads_add(d, tracks[i], out->hole_a_ns, out->hole_b_ns, &out->busy);
		if (trace_track(derived_trace(d), tracks[i])->process == own->process &&
		    !cause_input_thread(d, tracks[i]))
			thread_shares_beside(j, tracks[i], g->start_ns, out->until_ns, out);
	}
	free(alone);
}

/* ---- devices and the profiler --------------------------------------------------------------------------------------- */

static void look_at_collectives(const struct derived *d, const struct gap *g, struct gap_evidence *out)
{
	uint32_t n;
	const uint32_t *tracks = device_streams(d, g->device, &n);
	int64_t end_ns = g->start_ns + g->dur_ns;
	for (uint32_t i = 0; i < n; i++) {
		struct event_iter it = event_iter(derived_trace(d), tracks[i], g->start_ns, end_ns,
						  KIND_BIT(KIND_KERNEL) | KIND_BIT(KIND_DEVICE_OTHER));
		while (tracks[i] != g->track && event_next(&it))
			if (derived_is_collective(d, it.row))
				cause_share_add_alone(&out->collective, it.row,
						      earlier(end_ns, row_end(derived_columns(d), it.row)) -
							      later(g->start_ns, derived_columns(d)->start_ns[it.row]),
						      90);
	}
	out->collective.ns = earlier(out->collective.ns, g->dur_ns);
}

static void look_at_profiler(const struct derived *d, const struct gap *g, uint32_t host, struct gap_evidence *out)
{
	uint32_t n;
	const row_id *rows = cause_overheads(d, &n);
	int64_t end_ns = g->start_ns + g->dur_ns, seen_ns = g->start_ns;
	for (uint32_t i = cause_overheads_from(d, seen_ns); i < n && derived_columns(d)->start_ns[rows[i]] < end_ns;
	     i++) {
		int64_t a_ns = later(seen_ns, derived_columns(d)->start_ns[rows[i]]),
			b_ns = earlier(end_ns, row_end(derived_columns(d), rows[i]));
		if (b_ns <= a_ns || trace_track(derived_trace(d), derived_columns(d)->track[rows[i]])->host != host ||
		    !cause_overhead(d, rows[i]))
			continue;
		cause_share_add_alone(&out->profiler, rows[i], b_ns - a_ns, 95);
		seen_ns = b_ns;
	}
}

/* ---- all of it --------------------------------------------------------------------------------------------------------- */

static row_id launch_after(const struct derived *d, const struct gap *g)
{
	return g->device != NONE_ID ? derived_columns(d)->link[g->after] : NONE_ID;
}

bool gap_launched_before(const struct derived *d, const struct gap *g)
{
	row_id launch = launch_after(d, g);
	return launch != NONE_ID && row_end(derived_columns(d), launch) <= g->start_ns;
}

int64_t gap_host_until_ns(const struct derived *d, const struct gap *g)
{
	row_id launch = launch_after(d, g);
	int64_t end_ns = g->start_ns + g->dur_ns;
	return launch != NONE_ID ? earlier(end_ns, row_end(derived_columns(d), launch)) : end_ns;
}

/* What nothing but a frame tells explains little: the thread may wait in it for what another thread does, as for autograd's. */
static bool may_be_told_by_frames(enum cause c)
{
	return c == CAUSE_PYTHON || c == CAUSE_HOST_COMPUTE || c == CAUSE_HOST_WORK;
}

static bool mostly_explained(const struct gap_evidence *e, int64_t dur_ns)
{
	__int128 half = (__int128)dur_ns * EXPLAINED_PCT;
	bool explained = e->profiler.trusted >= half;
	for (int i = 0; i < CAUSE_COUNT && !explained; i++)
		explained = e->own[i].ns && e->own[i].trusted >= half && !may_be_told_by_frames((enum cause)i);
	return explained;
}

static void look_at_host(struct gap_judge *j, const struct gap *g, struct gap_evidence *out)
{
	const struct derived *d = j->d;
	if (out->launched_before)
		return;
	thread_shares_launching(j, out->thread, g->start_ns, out->until_ns, out);
	row_id near = NONE_ID;
	out->drained = thread_drained_by(d, out->thread, g->start_ns, out->until_ns, &near);
	note_overflow(d, out, g);
	if (!mostly_explained(out, g->dur_ns))
		look_at_threads(j, g, out);
}

void gap_evidence_of(struct gap_judge *j, const struct gap *g, struct gap_evidence *out)
{
	const struct derived *d = j->d;
	gap_evidence_empty(out, g->start_ns);
	out->thread = gap_thread(d, g);
	out->until_ns = gap_host_until_ns(d, g);
	out->launched_before = out->until_ns <= g->start_ns;
	look_at_profiler(d, g, trace_track(derived_trace(d), derived_columns(d)->track[g->after])->host, out);
	if (g->device != NONE_ID && g->scope != GAP_DEVICE && derived_any_collective(d))
		look_at_collectives(d, g, out);
	if (g->device != NONE_ID && g->scope == GAP_STEP)
		out->foreign_ns =
			intervals_within(derived_busy_device(d, g->device), g->start_ns, g->start_ns + g->dur_ns);
	if (out->thread != NONE_ID)
		look_at_host(j, g, out);
}
