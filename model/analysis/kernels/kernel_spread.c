#include "kernel_spread.h"
#include "model/analysis/derived/derived.h"
#include "model/analysis/launches/launch_walk.h"
#include "model/analysis/maths/intervals.h"
#include "model/analysis/maths/quantile.h"
#include "model/store/base/memory.h"
#include "model/store/base/grow.h"
#include "model/analysis/names/launch_names.h"
#include <stdlib.h>

struct spreading {
	const struct derived *d;
	const struct query *q;
	const struct columns *c;
	uint8_t *graph_names; /* by string id: 0 = not asked yet, 1 = no, 2 = yes */
	uint8_t *steps;       /* seen */
	uint32_t n_steps;
	int64_t *durs;
	size_t cap;
	row_id last_link;
	bool last_graph;
};

static void *zeroed(size_t n)
{
	return must(calloc(n + 1, 1));
}

struct spreading *spreading_new(const struct derived *d, const struct query *q)
{
	struct spreading *s = zeroed(sizeof *s);
	*s = (struct spreading){.d = d, .q = q, .c = derived_columns(d), .last_link = NONE_ID};
	s->graph_names = zeroed(strings_count(trace_strings(derived_trace(d))));
	s->steps = zeroed(derived_steps(d));
	return s;
}

void spreading_free(struct spreading *s)
{
	if (!s)
		return;
	free(s->graph_names);
	free(s->steps);
	free(s->durs);
	free(s);
}

uint32_t spreading_steps(const struct spreading *s)
{
	return s->n_steps;
}

static bool by_graph(struct spreading *s, row_id link)
{
	if (link == s->last_link)
		return s->last_graph;
	str_id name = s->c->name[link];
	if (!s->graph_names[name])
		s->graph_names[name] = launch_is_graph(trace_str(derived_trace(s->d), name)) ? 2 : 1;
	s->last_link = link;
	s->last_graph = s->graph_names[name] == 2;
	return s->last_graph;
}

static void add_launch(struct spreading *s, struct kernel_spread *out, row_id r)
{
	row_id link = s->c->link[r];
	if (link == NONE_ID)
		return;
	out->launched++;
	out->by_graph += by_graph(s, link);
}

static void add_step(struct spreading *s, struct kernel_spread *out, row_id r)
{
	uint32_t step = derived_step_of(s->d, r);
	if (step == NONE_ID)
		return;
	out->in_steps++;
	s->n_steps += !s->steps[step];
	s->steps[step] = 1;
}

static bool differ(const struct device *a, const struct device *b)
{
	return a->cc_major != b->cc_major || a->cc_minor != b->cc_minor || a->sms != b->sms;
}

static void add_stream(const struct spreading *s, struct kernel_spread *out, uint32_t track, uint32_t device)
{
	const struct trace *t = derived_trace(s->d);
	if (!out->n_streams)
		out->device = device;
	out->mixed =
		out->mixed || (device != out->device && differ(trace_device(t, device), trace_device(t, out->device)));
	if (out->n_streams < SPREAD_STREAMS)
		out->streams[out->n_streams] = track;
	out->n_streams++;
}

/* Rows ascend, and rows of one track lie together: a track is looked up once. */
static void add_streams(const struct spreading *s, struct kernel_spread *out, const row_id *rows, size_t n)
{
	uint64_t end = 0;
	for (size_t i = 0; i < n; i++) {
		if (rows[i] < end)
			continue;
		uint32_t track = s->c->track[rows[i]];
		const struct track_info *k = trace_track(derived_trace(s->d), track);
		end = k->first + k->n;
		add_stream(s, out, track, k->device);
	}
}

struct kernel_spread spreading_group(struct spreading *s, const row_id *rows, size_t n)
{
	struct kernel_spread out = {.p50_ns = UNKNOWN_I64, .p95_ns = UNKNOWN_I64, .p99_ns = UNKNOWN_I64};
	size_t inside = 0;
	GROW_ARRAY(s->durs, n, s->cap);
	for (size_t i = 0; i < n; i++) {
		row_id r = rows[i];
		if (!query_holds(s->q, s->c->start_ns[r]))
			continue;
		s->durs[inside++] = s->c->dur_ns[r];
		add_step(s, &out, r);
		add_launch(s, &out, r);
	}
	add_streams(s, &out, rows, n);
	if (inside) {
		static const unsigned per_mille[] = {500, 950, 990};
		int64_t at_most_ns[3];
		quantiles_of(s->durs, (uint32_t)inside, per_mille, at_most_ns, 3);
		out.p50_ns = at_most_ns[0];
		out.p95_ns = at_most_ns[1];
		out.p99_ns = at_most_ns[2];
	}
	return out;
}
