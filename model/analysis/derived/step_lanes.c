/* Steps from the lane that the producer draws for them above the streams of a device ("Steps" in TensorFlow's and JAX's traces):
 * events named by the step, from its first to its last work on that device. One name on several devices is one step. Work belongs
 * to the step in whose event it starts, host events to the step whose launches were last begun before them. */
#include "derived_data.h"
#include "model/store/base/grow.h"
#include "model/store/base/idmap.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>

struct lanes {
	struct derived *d;
	uint32_t host, first; /* first of its steps */
	struct idmap steps;   /* text -> step */
};

static bool is_step_lane(const struct derived *d, const struct track_info *k, uint32_t host)
{
	return k->host == host && k->kind == TRACK_STREAM_LANE && k->n &&
	       !strcmp(trace_str(d->pub.t, k->lane), "Steps");
}

static uint32_t step_named(struct lanes *v, str_id name)
{
	struct derived *d = v->d;
	uint32_t step = *idmap_put(&v->steps, name, d->pub.n_steps);
	if (step < d->pub.n_steps)
		return step;
	struct step s = {.number = UNKNOWN_I64, .marker = NONE_ID, .host = v->host, .process = NONE_ID};
	s.start_ns = INT64_MAX;
	s.end_ns = INT64_MIN;
	step_name_from(d, &s, trace_str(d->pub.t, name));
	return steps_add(d, &s);
}

/* A host event's moment that belongs to the step. */
static void stretch(struct step *s, int64_t a_ns, int64_t b_ns)
{
	s->start_ns = a_ns < s->start_ns ? a_ns : s->start_ns;
	s->end_ns = b_ns > s->end_ns ? b_ns : s->end_ns;
}

static void take_launch(struct lanes *v, row_id r, uint32_t step)
{
	struct derived *d = v->d;
	row_id launch = d->pub.c->link[r];
	if (launch == NONE_ID)
		return;
	struct step *s = &d->pub.steps[step];
	stretch(s, d->pub.c->start_ns[launch], row_end(d->pub.c, launch));
	if (s->process == NONE_ID)
		s->process = trace_track(d->pub.t, d->pub.c->track[launch])->process;
}

/* The lane and one stream of its device: both are in order of time. */
static void walk(struct lanes *v, const struct track_info *lane, const struct track_info *stream)
{
	const struct columns *c = v->d->pub.c;
	row_id at = (row_id)lane->first, end = (row_id)(lane->first + lane->n);
	for (row_id r = (row_id)stream->first; r < stream->first + stream->n; r++) {
		while (at < end && row_end(c, at) <= c->start_ns[r])
			at++;
		if (at == end)
			return;
		if (c->start_ns[at] > c->start_ns[r] || !row_is_work(c, r))
			continue;
		v->d->pub.step_of[r] = step_named(v, c->name[at]);
		take_launch(v, r, v->d->pub.step_of[r]);
	}
}

static void read_lane(struct lanes *v, const struct track_info *lane)
{
	uint32_t n;
	const uint32_t *tracks = device_streams(v->d, lane->device, &n);
	for (uint32_t i = 0; i < n; i++)
		walk(v, lane, trace_track(v->d->pub.t, tracks[i]));
}

static int by_start(const void *x, const void *y)
{
	const struct step *a = *(const struct step *const *)x, *b = *(const struct step *const *)y;
	return a->start_ns != b->start_ns ? (a->start_ns < b->start_ns ? -1 : 1) : (a > b) - (a < b);
}

/* Between two steps the host does what the one before still needs. A step without a launch has no host events. */
static void close_ranks(struct lanes *v)
{
	struct derived *d = v->d;
	uint32_t n = 0;
	struct step **order = must(malloc((d->pub.n_steps - v->first) * sizeof(struct step *)));
	for (uint32_t i = v->first; i < d->pub.n_steps; i++) {
		struct step *s = &d->pub.steps[i];
		if (s->process != NONE_ID)
			order[n++] = s;
		else
			s->start_ns = s->end_ns = 0;
	}
	qsort(order, n, sizeof *order, by_start);
	for (uint32_t i = 0; i + 1 < n; i++)
		order[i]->end_ns = order[i + 1]->start_ns;
	free(order);
}

bool lanes_read(struct derived *d, uint32_t host)
{
	struct lanes v = {.d = d, .host = host, .first = d->pub.n_steps};
	for (uint32_t i = 0; i < trace_device_tracks(d->pub.t); i++)
		if (is_step_lane(d, trace_track(d->pub.t, i), host))
			read_lane(&v, trace_track(d->pub.t, i));
	idmap_free(&v.steps);
	if (d->pub.n_steps == v.first)
		return false;
	close_ranks(&v);
	d->style[host] = STYLE_CONTAIN;
	contain_members(d, host);
	return true;
}
