/* Idle time: found once on first use, kept as pairs of events (8 bytes per idle interval). */
#include "gaps.h"
#include "derived_data.h"
#include "intervals.h"
#include <stdlib.h>

/* ---- between steps ----------------------------------------------------------------------------------------------------- */

static void add_step_gap(struct derived *d, const struct gap *g)
{
	struct gap_store *s = &d->gaps;
	if (g->dur_ns <= 0)
		return; /* overlapped */
	s->steps[s->n_steps] = *g;
	s->steps[s->n_steps++].marker_gap_ns = d->steps[g->step_after].start_ns - d->steps[g->step_before].end_ns;
}

static void device_step_gaps(struct derived *d)
{
	for (uint32_t i = 0; i + 1 < d->n_parts; i++) {
		const struct step_device *a = &d->parts[i], *b = a + 1;
		if (a->device != b->device)
			continue;
		add_step_gap(d, &(struct gap){.scope = GAP_STEP,
					      .device = a->device,
					      .track = NONE_ID,
					      .step_before = a->step,
					      .step_after = b->step,
					      .before = a->last_row,
					      .after = b->first_row,
					      .start_ns = a->last_ns,
					      .dur_ns = b->first_ns - a->last_ns,
					      .period_ns = b->first_ns - a->first_ns});
	}
}

/* Hosts whose steps have no device work: between the markers of each process. */
static void host_step_gaps(struct derived *d)
{
	uint32_t n_processes = trace_processes(d->t);
	uint32_t *latest = grow_or_abort(NULL, ((size_t)n_processes + 1) * sizeof *latest);
	bool *on_device = arena_alloc(&d->mem, trace_hosts(d->t) + 1);
	for (uint32_t i = 0; i < n_processes; i++)
		latest[i] = NONE_ID;
	for (uint32_t i = 0; i < d->n_parts; i++)
		on_device[d->steps[d->parts[i].step].host] = true;
	for (uint32_t i = 0; i < d->n_steps; i++) {
		const struct step *b = &d->steps[i];
		if (on_device[b->host] || b->marker == NONE_ID || b->process >= n_processes)
			continue;
		const struct step *a = latest[b->process] != NONE_ID ? &d->steps[latest[b->process]] : NULL;
		uint32_t before = latest[b->process];
		latest[b->process] = i;
		if (!a)
			continue;
		add_step_gap(d, &(struct gap){.scope = GAP_STEP,
					      .device = NONE_ID,
					      .track = NONE_ID,
					      .step_before = before,
					      .step_after = i,
					      .before = a->marker,
					      .after = b->marker,
					      .start_ns = a->end_ns,
					      .dur_ns = b->start_ns - a->end_ns,
					      .period_ns = b->start_ns - a->start_ns});
	}
	free(latest);
}

static int step_gap_order(const void *x, const void *y)
{
	const struct gap *a = x, *b = y;
	if (a->start_ns != b->start_ns)
		return a->start_ns < b->start_ns ? -1 : 1;
	return (a->device > b->device) - (a->device < b->device);
}

/* ---- between work ------------------------------------------------------------------------------------------------------ */

struct pair_list {
	struct gap_pair *at;
	uint32_t n, cap;
};

static void add_pair(struct pair_list *l, row_id before, row_id after)
{
	if (l->n == l->cap) {
		l->cap = l->cap ? l->cap * 2 : 256;
		l->at = grow_or_abort(l->at, l->cap * sizeof *l->at);
	}
	l->at[l->n++] = (struct gap_pair){before, after};
}

struct reader {
	row_id at, end;
};

/* Moves over the work that starts before `until`, keeping the one that ends last. */
static void pass(const struct derived *d, struct reader *w, int64_t until, row_id *last)
{
	for (; w->at < w->end && d->c->start_ns[w->at] < until; w->at++)
		if (kind_is_work(d->c->kind[w->at]) &&
		    (*last == NONE_ID || row_end(d->c, w->at) > row_end(d->c, *last)))
			*last = w->at;
}

/* The work that starts exactly at `ts`: the longest. */
static void starting(const struct derived *d, struct reader w, int64_t ts, row_id *first)
{
	for (; w.at < w.end && d->c->start_ns[w.at] == ts; w.at++)
		if (kind_is_work(d->c->kind[w.at]) && (*first == NONE_ID || d->c->dur_ns[w.at] > d->c->dur_ns[*first]))
			*first = w.at;
}

static void idle_between(const struct derived *d, const uint32_t *tracks, uint32_t n, const struct intervals *busy,
			 struct pair_list *out)
{
	struct reader *readers = grow_or_abort(NULL, n * sizeof *readers);
	for (uint32_t i = 0; i < n; i++) {
		const struct track_info *k = trace_track(d->t, tracks[i]);
		readers[i] = (struct reader){(row_id)k->first, (row_id)(k->first + k->n)};
	}
	row_id before = NONE_ID;
	for (uint32_t g = 0; g + 1 < busy->n; g++) {
		row_id after = NONE_ID;
		for (uint32_t i = 0; i < n; i++) {
			pass(d, &readers[i], busy->at[g + 1].a_ns, &before);
			starting(d, readers[i], busy->at[g + 1].a_ns, &after);
		}
		add_pair(out, before, after);
	}
	free(readers);
}

static void idle_build(struct derived *d)
{
	struct pair_list device = {0}, stream = {0};
	for (uint32_t dev = 0; dev < trace_devices(d->t); dev++) {
		uint32_t n;
		const uint32_t *tracks = device_streams(d, dev, &n);
		idle_between(d, tracks, n, &d->busy_device[dev], &device);
		for (uint32_t i = 0; i < n; i++)
			idle_between(d, &tracks[i], 1, &d->busy_track[tracks[i]], &stream);
	}
	d->gaps.device = device.at;
	d->gaps.n_device = device.n;
	d->gaps.stream = stream.at;
	d->gaps.n_stream = stream.n;
}

/* ---- the list ---------------------------------------------------------------------------------------------------------- */

static struct gap expand(const struct derived *d, enum gap_scope scope, const struct gap_pair *p)
{
	uint32_t track = d->c->track[p->after];
	struct gap g = {.scope = scope, .before = p->before, .after = p->after};
	g.device = trace_track(d->t, track)->device;
	g.track = scope == GAP_STREAM ? track : NONE_ID;
	g.step_before = g.step_after = NONE_ID;
	g.start_ns = row_end(d->c, p->before);
	g.dur_ns = d->c->start_ns[p->after] - g.start_ns;
	g.period_ns = g.marker_gap_ns = UNKNOWN_I64;
	return g;
}

static bool gap_at(const struct derived *d, uint32_t id, struct gap *out)
{
	const struct gap_store *s = &d->gaps;
	if (id < s->n_steps)
		*out = s->steps[id];
	else if (id - s->n_steps < s->n_device)
		*out = expand(d, GAP_DEVICE, &s->device[id - s->n_steps]);
	else if (id - s->n_steps - s->n_device < s->n_stream)
		*out = expand(d, GAP_STREAM, &s->stream[id - s->n_steps - s->n_device]);
	else
		return false;
	out->id = id;
	return true;
}

static int longest_first(const void *x, const void *y, void *arg)
{
	struct gap a, b;
	gap_at(arg, *(const uint32_t *)x, &a);
	gap_at(arg, *(const uint32_t *)y, &b);
	if (a.dur_ns != b.dur_ns)
		return a.dur_ns < b.dur_ns ? 1 : -1;
	return (a.id > b.id) - (a.id < b.id);
}

static void rank_build(struct derived *d)
{
	struct gap_store *s = &d->gaps;
	s->n_ranked = s->n_steps ? s->n_steps : s->n_device;
	s->ranked = grow_or_abort(NULL, s->n_ranked * sizeof *s->ranked);
	for (uint32_t i = 0; i < s->n_ranked; i++)
		s->ranked[i] = i; /* step gaps, or without any the device's, come first in the list */
	if (s->n_ranked)
		qsort_r(s->ranked, s->n_ranked, sizeof *s->ranked, longest_first, d);
}

static void build(struct derived *d)
{
	struct gap_store *s = &d->gaps;
	s->steps = grow_or_abort(NULL, ((size_t)d->n_parts + d->n_steps) * sizeof *s->steps);
	device_step_gaps(d);
	host_step_gaps(d);
	if (s->n_steps)
		qsort(s->steps, s->n_steps, sizeof *s->steps, step_gap_order);
	for (uint32_t i = 0; i < s->n_steps; i++)
		s->steps[i].id = i;
	idle_build(d);
	rank_build(d);
	s->built = true;
}

/* The overlay is read-only for everybody else; gaps are the part that is made on demand, behind its lock. */
static const struct gap_store *gaps_of(const struct derived *d)
{
	struct derived *w = (struct derived *)d;
	pthread_mutex_lock(&w->gap_lock);
	if (!w->gaps.built)
		build(w);
	pthread_mutex_unlock(&w->gap_lock);
	return &d->gaps;
}

uint32_t derived_gap_count(const struct derived *d)
{
	const struct gap_store *s = gaps_of(d);
	return s->n_steps + s->n_device + s->n_stream;
}

bool derived_gap_at(const struct derived *d, uint32_t id, struct gap *out)
{
	gaps_of(d);
	return gap_at(d, id, out);
}

const struct gap *derived_gaps(const struct derived *d, uint32_t *n)
{
	struct derived *w = (struct derived *)d;
	*n = derived_gap_count(d);
	pthread_mutex_lock(&w->gap_lock);
	if (!w->gaps.all) {
		w->gaps.all = grow_or_abort(NULL, *n * sizeof *w->gaps.all);
		for (uint32_t i = 0; i < *n; i++)
			gap_at(d, i, &w->gaps.all[i]);
	}
	pthread_mutex_unlock(&w->gap_lock);
	return w->gaps.all;
}

void gaps_free(struct derived *d)
{
	free(d->gaps.steps);
	free(d->gaps.device);
	free(d->gaps.stream);
	free(d->gaps.ranked);
	free(d->gaps.all);
}

const struct gap *derived_gap_ranked(const struct derived *d, uint32_t k, int64_t a_ns, int64_t b_ns)
{
	const struct gap_store *s = gaps_of(d);
	for (uint32_t i = 0; i < s->n_ranked; i++) {
		struct gap g;
		gap_at(d, s->ranked[i], &g);
		if (g.start_ns >= b_ns || g.start_ns + g.dur_ns <= a_ns || k--)
			continue;
		uint32_t n;
		return s->n_steps ? &s->steps[s->ranked[i]] : &derived_gaps(d, &n)[s->ranked[i]];
	}
	return NULL;
}

/* ---- why ----------------------------------------------------------------------------------------------------------------- */

/* The thread that launched the first work after the gap, else the one that launches most for the device. */
static uint32_t thread_behind(const struct derived *d, const struct gap *g)
{
	if (g->device == NONE_ID)
		return d->c->track[g->after];
	row_id launch = d->c->link[g->after];
	return launch != NONE_ID ? d->c->track[launch] : d->launch_track[g->device];
}

bool derived_gap_cause(const struct derived *d, const struct gap *g, struct gap_cause *out)
{
	*out = (struct gap_cause){.row = NONE_ID};
	uint32_t track = thread_behind(d, g);
	if (track == NONE_ID)
		return false;
	int64_t self_ns;
	row_id row = self_time_largest(d, track, g->start_ns, g->start_ns + g->dur_ns, &self_ns);
	if (row == NONE_ID)
		return false;
	*out = (struct gap_cause){row, trace_str(d->t, d->c->name[row]), self_ns};
	return true;
}
