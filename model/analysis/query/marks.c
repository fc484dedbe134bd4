#include "marks.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/order.h"

static bool host_has_markers(const struct derived *d, uint32_t from, uint32_t host)
{
	for (uint32_t i = from; i < derived_steps(d) && i < from + MARKS_MAX && derived_step(d, i)->host == host; i++)
		if (derived_step(d, i)->marker != NONE_ID)
			return true;
	return false;
}

static bool begins_before(const struct derived *d, uint32_t step, uint32_t host, int64_t ts_ns)
{
	const struct step *s = derived_step(d, step);
	return s->host < host || (s->host == host && s->start_ns < ts_ns);
}

/* First step of the list (by host, start) that begins at `ts` or later on the host. */
static uint32_t steps_from(const struct derived *d, uint32_t host, int64_t ts_ns)
{
	uint32_t lo = 0, hi = derived_steps(d);
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (begins_before(d, mid, host, ts_ns))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

uint32_t marks_step_from(const struct derived *d, uint32_t host, int64_t ts_ns, uint32_t *hint)
{
	uint32_t i = *hint, n = derived_steps(d);
	if (i <= n && (!i || begins_before(d, i - 1, host, ts_ns)) && (i == n || !begins_before(d, i, host, ts_ns)))
		return i;
	return *hint = steps_from(d, host, ts_ns);
}

void marks_of(const struct derived *d, uint32_t track, int64_t a_ns, int64_t b_ns, struct marks *out)
{
	const struct track_info *k = trace_track(derived_trace(d), track);
	*out = (struct marks){.at = out->at, .all = true};
	if (derived_inference(d, k->host)->inferred) /* nothing marks steps there */
		return;
	uint32_t end = steps_from(d, k->host, b_ns), back = end > MARKS_MAX ? end - MARKS_MAX : 0;
	uint32_t ahead = end < derived_steps(d) ? end + 1 : end; /* whose thread counts, too */
	out->all = !back || derived_step(d, back)->host != k->host || derived_step(d, back)->end_ns <= a_ns;
	out->any = host_has_markers(d, steps_from(d, k->host, INT64_MIN), k->host);
	for (uint32_t i = ahead; i-- > back;) {
		const struct step *s = derived_step(d, i);
		if (s->host != k->host || s->marker == NONE_ID || s->process != k->process)
			continue;
		out->on_track |= derived_columns(d)->track[s->marker] == track;
		if (i < end && s->end_ns > a_ns)
			out->at[out->n++] = (struct interval){s->start_ns, s->end_ns};
	}
}

bool marks_hold(const struct marks *m, int64_t ts_ns, int64_t *until_ns)
{
	bool inside = false;
	for (uint32_t i = 0; i < m->n; i++) {
		bool in = m->at[i].a_ns <= ts_ns && ts_ns < m->at[i].b_ns;
		inside |= in;
		if (in || m->at[i].a_ns > ts_ns)
			*until_ns = earlier(*until_ns, in ? m->at[i].b_ns : m->at[i].a_ns);
	}
	return inside;
}
