/* Steps that the file itself names: every event carries its group. A group becomes a step when it has a marker or device
 * work; groups of helper functions on the host alone are no steps (steps_settle drops them). */
#include "derived_data.h"
#include "model/store/base/idmap.h"
#include <string.h>

/* 0 = no marker. More is better: explicit root, named by the producer, carries a number. */
static int marker_rank(const struct derived *d, row_id r)
{
	const struct host_info *h = d->pub.c->detail[r] ? trace_host_detail(d->pub.t, r) : NULL;
	if (h && h->root_level != UNKNOWN_I64 && h->root_level > 0)
		return 4;
	if (h && h->step_name)
		return 3;
	if (!strcmp(trace_str(d->pub.t, d->pub.c->name[r]), "TraceContext"))
		return 2;
	return h && h->step_num != UNKNOWN_I64 ? 1 : 0;
}

struct groups {
	struct derived *d;
	uint32_t host;
	struct idmap steps; /* group -> step */
};

static uint32_t step_of_group(struct groups *g, uint32_t process, int32_t group)
{
	struct derived *d = g->d;
	uint32_t *step = idmap_put(&g->steps, (uint64_t)group, d->pub.n_steps);
	if (*step < d->pub.n_steps)
		return *step;
	struct step s = {.number = group, .marker = NONE_ID, .host = g->host, .process = process};
	return steps_add(d, &s);
}

static void offer_marker(struct derived *d, uint32_t step, row_id r)
{
	struct step *s = &d->pub.steps[step];
	int rank = marker_rank(d, r);
	int have = s->marker != NONE_ID ? marker_rank(d, s->marker) : 0;
	if (rank > have || (rank && rank == have && d->pub.c->dur_ns[r] > d->pub.c->dur_ns[s->marker]))
		s->marker = r;
}

static void read_track(struct groups *g, const struct track_info *k)
{
	struct derived *d = g->d;
	bool host = derived_is_host_track(k);
	for (row_id r = (row_id)k->first; r < k->first + k->n; r++) {
		int32_t group = step_group_at(d->pub.c->group, r);
		if (group < 0)
			continue;
		uint32_t step = step_of_group(g, k->process, group);
		d->pub.step_of[r] = step;
		if (host)
			offer_marker(d, step, r);
	}
}

/* A marker gives the step its name, number and extent; without one steps_settle takes the members' hull. */
static void adopt_markers(struct derived *d, uint32_t first)
{
	for (uint32_t i = first; i < d->pub.n_steps; i++) {
		if (d->pub.steps[i].marker == NONE_ID)
			continue;
		struct step s = step_of_marker(d, d->pub.steps[i].host, d->pub.steps[i].marker);
		if (s.number == UNKNOWN_I64)
			s.number = d->pub.steps[i].number;
		d->pub.steps[i] = s;
	}
}

void groups_read(struct derived *d, uint32_t host)
{
	struct groups g = {.d = d, .host = host};
	uint32_t first = d->pub.n_steps;
	for (uint32_t i = 0; i < trace_tracks(d->pub.t); i++) {
		const struct track_info *k = trace_track(d->pub.t, i);
		if (k->host == host &&
		    (derived_is_host_track(k) || (k->kind == TRACK_STREAM && !k->derived_by_producer)))
			read_track(&g, k);
	}
	adopt_markers(d, first);
	d->style[host] = STYLE_GROUPS;
	idmap_free(&g.steps);
}
