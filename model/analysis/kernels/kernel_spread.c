#include "kernel_spread.h"
#include "model/analysis/derived/derived.h"
#include "model/analysis/launches/launch_walk.h"
#include "model/analysis/maths/intervals.h"
#include "model/analysis/maths/quantile.h"
#include "model/analysis/names/launch_names.h"

struct spreading {
	const struct kernel_stats *stats;
	const struct derived *d;
	const struct columns *c;
	uint8_t *graph_names; /* by string id: 0 = not asked yet, 1 = no, 2 = yes */
	int64_t *durs;        /* place for those of the largest group */
	row_id last_link;
	bool last_graph;
};

static uint32_t largest_group(const struct kernel_stats *k)
{
	uint32_t most = 0;
	for (uint32_t i = 0; i < k->n; i++)
		most = k->from[i + 1] - k->from[i] > most ? k->from[i + 1] - k->from[i] : most;
	return most;
}

struct spreading *spreading_new(const struct kernel_stats *stats, struct arena *mem)
{
	struct spreading *s = arena_alloc(mem, sizeof *s);
	*s = (struct spreading){.stats = stats, .d = stats->d, .c = derived_columns(stats->d), .last_link = NONE_ID};
	s->graph_names = arena_alloc(mem, strings_count(trace_strings(derived_trace(s->d))) + (size_t)1);
	s->durs = arena_alloc(mem, (largest_group(stats) + (size_t)1) * sizeof *s->durs);
	return s;
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

struct kernel_spread spreading_streams(const struct spreading *s, uint32_t group)
{
	struct kernel_spread out = {0};
	uint32_t from = s->stats->from[group];
	add_streams(s, &out, &s->stats->rows[from], s->stats->from[group + 1] - from);
	return out;
}

struct kernel_spread spreading_group(struct spreading *s, uint32_t group)
{
	struct kernel_spread out = {.p50_ns = UNKNOWN_I64, .p95_ns = UNKNOWN_I64, .p99_ns = UNKNOWN_I64};
	const row_id *rows = &s->stats->rows[s->stats->from[group]];
	uint32_t n = s->stats->from[group + 1] - s->stats->from[group], inside = 0;
	for (uint32_t i = 0; i < n; i++) {
		row_id r = rows[i];
		if (!query_holds(&s->stats->q, s->c->start_ns[r]))
			continue;
		s->durs[inside++] = s->c->dur_ns[r];
		out.in_steps += derived_step_of(s->d, r) != NONE_ID;
		add_launch(s, &out, r);
	}
	add_streams(s, &out, rows, n);
	if (inside) {
		static const unsigned per_mille[] = {500, 950, 990};
		int64_t at_most_ns[3];
		quantiles_of(s->durs, inside, per_mille, at_most_ns, 3);
		out.p50_ns = at_most_ns[0];
		out.p95_ns = at_most_ns[1];
		out.p99_ns = at_most_ns[2];
	}
	return out;
}
