/* The event around each event, by one pass over every track: analyses climb from a million launches, and a search for every
 * rung is what they would spend their time on. Made when it pays; 2 bytes per event, for most lie few rows after the event
 * around them.
 * Mostly it is what trace_parent finds, the event around it on the same lane. On threads it is more: clocks are rounded, so one op
 * may end after the next has begun, and lanes would cut such an op off from the calls that it makes. */
#include "derived_data.h"
#include "model/store/base/both.h"
#include "model/store/base/memory.h"
#include "model/store/base/grow.h"
#include <stdlib.h>

enum { DISPLAY_ROWS = 1 << 16 };

/* Of some rows of a track, in memory that the next ones use again. */
struct track_parents {
	row_id first, end, *of; /* of[r - first] */
	uint32_t cap;
};

static row_id *parent_at(const struct track_parents *p, row_id r)
{
	return &p->of[r - p->first];
}

/* An event lies in the latest one on the display row above its own. */
static void lane_parents(const struct columns *c, row_id *latest, const struct track_parents *parents)
{
	for (row_id r = parents->first; r < parents->end; r++) {
		uint16_t disp = c->disp[r];
		*parent_at(parents, r) = c->depth[r] && disp ? latest[disp - 1] : NONE_ID;
		latest[disp] = r;
	}
}

/* ---- threads whose events overlap --------------------------------------------------------------------------------- */

/* Events that have begun, in order; those that have ended go when there are twice as many as were open the last time, so that a
 * staircase of overlaps costs a constant per event. */
struct open_events {
	row_id *at;
	uint32_t n, cap, sweep_at;
};

static void open_add(struct open_events *o, const struct columns *c, row_id r)
{
	enum { SWEEP_LEAST = 64 };
	if (o->n >= o->sweep_at) {
		uint32_t n = 0;
		for (uint32_t i = 0; i < o->n; i++)
			if (row_end(c, o->at[i]) > c->start_ns[r])
				o->at[n++] = o->at[i];
		o->n = n;
		o->sweep_at = n * 2 > SWEEP_LEAST ? n * 2 : SWEEP_LEAST;
	}
	GROW_ARRAY(o->at, o->n, o->cap);
	o->at[o->n++] = r;
}

/* The event that began last of those that enclose `r`; instants enclose nothing. */
static row_id open_around(const struct open_events *o, const struct columns *c, row_id r)
{
	enum { LOOKS = 64 }; /* then the lane's answer will do */
	uint32_t looks = 0;
	for (uint32_t i = o->n; i > 0 && looks < LOOKS; i--, looks++)
		if (row_end(c, o->at[i - 1]) > c->start_ns[r] && row_end(c, o->at[i - 1]) >= row_end(c, r))
			return o->at[i - 1];
	return NONE_ID;
}

static void overlapping_parents(const struct columns *c, const struct track_parents *parents)
{
	struct open_events open = {0};
	for (row_id r = parents->first; r < parents->end; r++) {
		row_id around = open_around(&open, c, r);
		if (around != NONE_ID)
			*parent_at(parents, r) = around;
		open_add(&open, c, r);
	}
	free(open.at);
}

/* ---- events of one length ------------------------------------------------------------------------------------------- */

static bool tied(const struct columns *c, row_id a, row_id b)
{
	return c->start_ns[a] == c->start_ns[b] && c->dur_ns[a] == c->dur_ns[b] && c->dur_ns[a] > 0;
}

/* A call lies in what is as long as itself, whichever the file names first: ops make calls, calls make no ops. */
static bool out_of_order(const struct columns *c, row_id call, row_id next)
{
	return c->kind[call] == KIND_RUNTIME && c->kind[next] != KIND_RUNTIME && tied(c, call, next);
}

/* Parents within the run of events of one length that holds [first, end): calls last. */
static void order_run(const struct columns *c, row_id first, row_id end, const struct track_parents *parents)
{
	row_id around = *parent_at(parents, first);
	for (int calls = 0; calls < 2; calls++)
		for (row_id r = first; r < end; r++)
			if ((c->kind[r] == KIND_RUNTIME) == (calls == 1)) {
				*parent_at(parents, r) = around;
				around = r;
			}
}

static void tied_parents(const struct columns *c, const struct track_parents *parents)
{
	row_id end = parents->end, first = parents->first;
	for (row_id r = first; r + 1 < end; r++) {
		if (!tied(c, first, r))
			first = r;
		if (!out_of_order(c, r, r + 1))
			continue;
		while (r + 1 < end && tied(c, first, r + 1))
			r++;
		order_run(c, first, r + 1, parents);
	}
}

/* ---- all ------------------------------------------------------------------------------------------------------------- */

/* Of the rows of [first, the next one's first) that say PARENT_FAR. Rows so far after their parent follow one another: few runs do. */
struct far_run {
	row_id first, parent;
};
struct parents {
	uint16_t *up; /* per event: see struct derived_public; what is far a run says */
	struct far_run *runs;
	uint32_t n_runs, cap;
};
static void keep_far(struct parents *p, row_id r, row_id parent)
{
	p->up[r] = PARENT_FAR;
	if (p->n_runs && p->runs[p->n_runs - 1].parent == parent)
		return;
	GROW_ARRAY(p->runs, p->n_runs, p->cap);
	p->runs[p->n_runs++] = (struct far_run){r, parent};
}

/* Parents lie before their children, but for calls that are as long as their op: those are far. */
static void keep_parents(struct parents *p, const struct track_parents *parents)
{
	for (row_id r = parents->first; r < parents->end; r++) {
		row_id parent = *parent_at(parents, r);
		if (parent == NONE_ID)
			continue;
		if (parent < r && r - parent < PARENT_FAR)
			p->up[r] = (uint16_t)(r - parent);
		else
			keep_far(p, r, parent);
	}
}

static row_id kept_parent(const struct parents *p, row_id r)
{
	if (p->up[r] != PARENT_FAR)
		return p->up[r] ? r - p->up[r] : NONE_ID;
	uint32_t lo = 0, hi = p->n_runs; /* runs[lo] begins at r or before it, runs[hi] after it */
	while (hi - lo > 1) {
		uint32_t mid = lo + (hi - lo) / 2;
		*(p->runs[mid].first <= r ? &lo : &hi) = mid;
	}
	return p->runs[lo].parent;
}

/* Half of the tracks, with far runs of its own. */
struct building {
	const struct derived *d;
	struct parents half[2];
	uint32_t middle; /* track */
};

static bool has_parents(const struct track_info *k)
{
	return k->n > 1 && (k->kind == TRACK_THREAD || k->n_rows > 1);
}

/* Rows that fit into the cache, and those as long as the last of them; all of a thread whose events overlap. */
static void next_rows(const struct columns *c, const struct track_info *k, struct track_parents *parents)
{
	enum { AT_A_TIME = 1 << 15 };
	row_id end = (row_id)(k->first + k->n);
	bool whole = k->kind == TRACK_THREAD && k->overlaps;
	parents->first = parents->end;
	parents->end = whole || end - parents->first <= AT_A_TIME ? end : parents->first + AT_A_TIME;
	while (parents->end < end && tied(c, parents->end - 1, parents->end))
		parents->end++;
	if (parents->end - parents->first <= parents->cap)
		return;
	free(parents->of);
	parents->cap = parents->end - parents->first;
	parents->of = must(malloc(parents->cap * sizeof *parents->of));
}

static void build_rows(const struct derived *d, const struct track_info *k, row_id *latest,
		       const struct track_parents *parents, struct parents *out)
{
	lane_parents(d->pub.c, latest, parents);
	if (k->kind == TRACK_THREAD && k->overlaps)
		overlapping_parents(d->pub.c, parents);
	if (k->kind == TRACK_THREAD)
		tied_parents(d->pub.c, parents);
	keep_parents(out, parents);
}

static bool build_tracks(const struct derived *d, struct parents *out, uint32_t from, uint32_t to)
{
	struct track_parents parents = {0};
	row_id *latest = must(malloc(DISPLAY_ROWS * sizeof *latest));
	for (uint32_t i = from; i < to; i++) {
		const struct track_info *k = trace_track(d->pub.t, i);
		if (!has_parents(k))
			continue;
		for (uint32_t row = 0; row < k->n_rows && row < DISPLAY_ROWS; row++)
			latest[row] = NONE_ID;
		for (parents.end = (row_id)k->first; parents.end < k->first + k->n;) {
			next_rows(d->pub.c, k, &parents);
			build_rows(d, k, latest, &parents, out);
		}
	}
	free(latest);
	free(parents.of);
	return true;
}

static bool first_half(void *ctx)
{
	struct building *b = ctx;
	return build_tracks(b->d, &b->half[0], 0, b->middle);
}

static bool second_half(void *ctx)
{
	struct building *b = ctx;
	return build_tracks(b->d, &b->half[1], b->middle, trace_tracks(b->d->pub.t));
}

/* The track with which the second half of the rows begins. */
static uint32_t middle_track(const struct trace *t)
{
	uint32_t i = 0;
	while (i < trace_tracks(t) && trace_track(t, i)->first < trace_columns(t)->n / 2)
		i++;
	return i;
}

static struct parents *parents_build(const struct derived *d)
{
	enum { WORTH_A_THREAD = 1 << 18 }; /* rows */
	struct parents *out = must(calloc(1, sizeof *out));
	uint16_t *up = large_zeroed(d->pub.c->n + 1, sizeof *up);
	struct building b = {d, {{.up = up}, {.up = up}}, middle_track(d->pub.t)};
	both(d->pub.c->n < WORTH_A_THREAD ? 1 : 2, first_half, second_half, &b);
	*out = b.half[0];
	for (uint32_t i = 0; i < b.half[1].n_runs; i++) {
		GROW_ARRAY(out->runs, out->n_runs, out->cap);
		out->runs[out->n_runs++] = b.half[1].runs[i];
	}
	free(b.half[1].runs);
	return out;
}

void parents_free(struct parents *p)
{
	if (!p)
		return;
	free(p->up);
	free(p->runs);
	free(p);
}

static struct parents *parents_made(struct derived *d)
{
	pthread_mutex_lock(&d->lazy_lock);
	struct parents *parents = atomic_load_explicit(&d->parents, memory_order_relaxed);
	if (!parents) {
		parents = parents_build(d);
		atomic_store_explicit(&d->parents, parents, memory_order_release);
		atomic_store_explicit(&d->pub.up, parents->up, memory_order_release);
	}
	pthread_mutex_unlock(&d->lazy_lock);
	return parents;
}

/* A search by lane would not do. */
static bool needs_all(const struct derived *d, row_id r)
{
	const struct columns *c = d->pub.c;
	const struct track_info *k = trace_track(d->pub.t, c->track[r]);
	if (k->kind != TRACK_THREAD)
		return false;
	if (c->kind[r] == KIND_RUNTIME)
		return k->overlaps || (r + 1 < k->first + k->n && tied(c, r, r + 1));
	return k->overlaps || (r > k->first && out_of_order(c, r - 1, r));
}

row_id parent_sought(const struct derived *d, row_id r)
{
	enum { WORTH_IT = 128 }; /* a search costs as much as a pass over so many events */
	struct derived *w = (struct derived *)d;
	struct parents *parents = atomic_load_explicit(&w->parents, memory_order_acquire);
	if (parents)
		return kept_parent(parents, r);
	bool cheap = atomic_fetch_add_explicit(&w->parents_asked, 1, memory_order_relaxed) < d->pub.c->n / WORTH_IT;
	if (cheap && !needs_all(d, r))
		return trace_parent(d->pub.t, r);
	return kept_parent(parents_made(w), r);
}
