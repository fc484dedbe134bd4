#include "idle.h"
#include "model/store/base/memory.h"
#include "idle_calls.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/derived/lost.h"
#include "model/analysis/maths/intervals.h"
#include "model/analysis/query/cells.h"
#include <stdlib.h>

/* Which work begins the busy times [from, from + n) of a device. */
struct starters {
	row_id *row;
	uint32_t from, n;
	bool made;
};
struct idles {
	const struct derived *d;
	const struct query *q;
	struct idle_calls *calls;
	struct starters *starters; /* per device */
};

/* ---- the work that ends an idle time --------------------------------------------------------------------------------- */

static void find_starters(const struct derived *d, struct starters *s, const struct intervals *busy, uint32_t track)
{
	const struct columns *c = derived_columns(d);
	const struct track_info *k = trace_track(derived_trace(d), track);
	row_id end = (row_id)(k->first + k->n), r = s->n ? first_row_from(c, k, busy->at[s->from].a_ns) : end;
	for (uint32_t i = 0; i < s->n && r < end; i++) {
		int64_t at_ns = busy->at[s->from + i].a_ns;
		while (r < end && (c->start_ns[r] < at_ns || (c->start_ns[r] == at_ns && !row_is_work(c, r))))
			r++;
		if (r < end && c->start_ns[r] == at_ns && s->row[i] == NONE_ID)
			s->row[i] = r;
	}
}

/* Busy times that begin inside the window, and the one after it, which the last idle time inside waits for. */
static const struct starters *starters_of(struct idles *x, uint32_t device)
{
	struct starters *s = &x->starters[device];
	if (s->made)
		return s;
	const struct intervals *busy = derived_busy_device(x->d, device);
	uint32_t end = x->q->b_ns == INT64_MAX ? busy->n : intervals_after(busy, x->q->b_ns), tracks;
	s->from = x->q->a_ns == INT64_MIN ? 0 : intervals_after(busy, x->q->a_ns);
	s->n = (end < busy->n ? end + 1 : end) - s->from;
	s->made = true;
	s->row = must(malloc((s->n + (size_t)1) * sizeof *s->row));
	for (uint32_t i = 0; i < s->n; i++)
		s->row[i] = NONE_ID;
	const uint32_t *streams = device_streams(x->d, device, &tracks);
	for (uint32_t i = 0; i < tracks; i++)
		find_starters(x->d, s, busy, streams[i]);
	return s;
}

/* ---- one idle time --------------------------------------------------------------------------------------------------- */

static int64_t clamp(int64_t v, int64_t a, int64_t b)
{
	return v < a ? a : v > b ? b : v;
}

/* Before the launch call began: what the launching thread did; what no call of interest explains is the host's own. */
static void host_part(struct idles *x, uint32_t thread, int64_t a_ns, int64_t b_ns, struct idle_split *out)
{
	int64_t ns[CALL_KINDS], left_ns = b_ns - a_ns;
	if (!left_ns)
		return;
	idle_calls_within(x->calls, thread, a_ns, b_ns, ns);
	for (int i = 0; i < CALL_KINDS; i++)
		left_ns -= ns[i];
	out->ns[IDLE_INPUT] += ns[CALL_INPUT];
	out->ns[IDLE_SYNC] += ns[CALL_SYNC];
	out->ns[IDLE_COPY] += ns[CALL_COPY];
	out->ns[IDLE_HOST] += left_ns;
}

/* After the launch latency the work was held back: by copies of other devices, else by an event or another stream. */
static void held_part(struct idles *x, uint32_t device, int64_t a_ns, int64_t b_ns, struct idle_split *out)
{
	if (a_ns == b_ns)
		return;
	int64_t copying_ns = idle_copies_elsewhere(x->calls, device, a_ns, b_ns);
	out->ns[IDLE_COPY] += copying_ns;
	out->ns[IDLE_SYNC] += b_ns - a_ns - copying_ns;
}

/* [a, b) of an idle time that ends with `next` (NONE_ID: nothing follows). */
static void split_one(struct idles *x, uint32_t device, row_id next, int64_t a_ns, int64_t b_ns, struct idle_split *out)
{
	const struct columns *c = derived_columns(x->d);
	row_id launch = next == NONE_ID ? NONE_ID : c->link[next];
	uint32_t thread = launch != NONE_ID ? c->track[launch] : derived_launch_track(x->d, device);
	int64_t lost_ns;
	if (thread == NONE_ID || (next != NONE_ID && launch == NONE_ID) ||
	    lost_records(x->d, device, a_ns, b_ns, &lost_ns) != NONE_ID) {
		out->ns[IDLE_UNKNOWN] += b_ns - a_ns;
		return;
	}
	int64_t begun_ns = launch == NONE_ID ? b_ns : clamp(c->start_ns[launch], a_ns, b_ns);
	int64_t held_ns = launch == NONE_ID ? b_ns : clamp(row_end(c, launch) + IDLE_LATENCY_NS, begun_ns, b_ns);
	host_part(x, thread, a_ns, begun_ns, out);
	out->ns[IDLE_LATENCY] += held_ns - begun_ns;
	held_part(x, device, held_ns, b_ns, out);
}

static void take(struct idles *x, uint32_t device, row_id next, int64_t a_ns, int64_t b_ns, struct idle_split *out)
{
	if (a_ns >= b_ns || (x->q->filter && (next == NONE_ID || !event_wanted(x->d, x->q, next))))
		return;
	split_one(x, device, next, a_ns, b_ns, out);
	out->idle_ns += b_ns - a_ns;
	out->n++;
	if (b_ns - a_ns > out->longest_ns) {
		out->longest_ns = b_ns - a_ns;
		out->longest_row = next;
	}
}

void idle_between(struct idles *x, uint32_t device, int64_t a_ns, int64_t b_ns, struct idle_split *out)
{
	*out = (struct idle_split){.longest_row = NONE_ID};
	query_clip(x->q, &a_ns, &b_ns);
	const struct intervals *busy = derived_busy_device(x->d, device);
	const struct starters *s = starters_of(x, device);
	uint32_t i = intervals_after(busy, a_ns);
	for (; a_ns < b_ns && i < busy->n && busy->at[i].a_ns < b_ns; i++) {
		take(x, device, i - s->from < s->n ? s->row[i - s->from] : NONE_ID, a_ns, busy->at[i].a_ns, out);
		a_ns = busy->at[i].b_ns > a_ns ? busy->at[i].b_ns : a_ns;
	}
	take(x, device, i < busy->n && i - s->from < s->n ? s->row[i - s->from] : NONE_ID, a_ns, b_ns, out);
}

bool idle_extent(const struct derived *d, uint32_t device, int64_t *a_ns, int64_t *b_ns)
{
	const struct intervals *busy = derived_busy_device(d, device);
	if (!busy->n)
		return false;
	*a_ns = busy->at[0].a_ns;
	*b_ns = busy->at[busy->n - 1].b_ns;
	return true;
}

struct idles *idles_new(const struct derived *d, const struct query *q)
{
	struct idles *x = must(malloc(sizeof *x));
	size_t devices = trace_devices(derived_trace(d)) + (size_t)1;
	*x = (struct idles){d, q, idle_calls_new(d, q), must(malloc(devices * sizeof *x->starters))};
	for (size_t i = 0; i < devices; i++)
		x->starters[i] = (struct starters){0};
	return x;
}

void idles_free(struct idles *x)
{
	for (uint32_t i = 0; i < trace_devices(derived_trace(x->d)); i++)
		free(x->starters[i].row);
	free(x->starters);
	idle_calls_free(x->calls);
	free(x);
}
