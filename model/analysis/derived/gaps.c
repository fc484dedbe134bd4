/* Idle time: found once on first use. When a device or stream idles is what its busy time leaves, so that only the events
 * on both sides are kept (8 bytes per idle interval). */
#include "gaps.h"
#include "model/store/base/memory.h"
#include "derived_data.h"
#include "pauses.h"
#include "model/analysis/maths/intervals.h"
#include "model/analysis/maths/moments.h"
#include <stdlib.h>

/* ---- between steps ----------------------------------------------------------------------------------------------------- */

/* In the order in which they are found: device by device, those of hosts last. */
static void add_step_gap(struct derived *d, const struct step_gap *g)
{
	struct gap_store *s = &d->gaps;
	struct interval pause;
	if (g->end_ns <= g->start_ns)
		return; /* overlapped */
	if (derived_pause_in(d, d->pub.steps[g->step_after].host, g->start_ns, g->end_ns, &pause))
		return; /* steps that nobody recorded lie between */
	if (g->part == NONE_ID)
		s->steps.of_hosts[s->n_of_hosts] = *g;
	else
		s->of_device[g->device + 1]++;
	s->steps.at[s->steps.n++] = g->part == NONE_ID ? s->steps.n_parts + s->n_of_hosts++ : g->part;
}

static void device_step_gaps(struct derived *d)
{
	for (uint32_t i = 0; i + 1 < d->pub.n_parts; i++) {
		const struct step_device *a = &d->pub.parts[i], *b = a + 1;
		struct step_gap g = {a->last_ns, b->first_ns, a->device, a->step, b->step, i};
		if (a->device == b->device)
			add_step_gap(d, &g);
	}
}

/* Hosts whose steps have no device work: between the markers of each process. */
static void host_step_gaps(struct derived *d, const bool *on_device)
{
	uint32_t n_processes = trace_processes(d->pub.t);
	uint32_t *latest = must(malloc(((size_t)n_processes + 1) * sizeof *latest));
	for (uint32_t i = 0; i < n_processes; i++)
		latest[i] = NONE_ID;
	for (uint32_t i = 0; i < d->pub.n_steps; i++) {
		const struct step *b = &d->pub.steps[i];
		if (on_device[b->host] || b->marker == NONE_ID || b->process >= n_processes)
			continue;
		const struct step *a = latest[b->process] != NONE_ID ? &d->pub.steps[latest[b->process]] : NULL;
		uint32_t before = latest[b->process];
		latest[b->process] = i;
		if (!a)
			continue;
		struct step_gap g = {a->end_ns, b->start_ns, NONE_ID, before, i, NONE_ID};
		add_step_gap(d, &g);
	}
	free(latest);
}

static bool in_order(const struct step_gaps *s)
{
	int64_t before_ns = INT64_MIN;
	for (uint32_t i = 0; i < s->n; i++) {
		int64_t start_ns = step_gap_of(s, i).start_ns;
		if (start_ns < before_ns)
			return false;
		before_ns = start_ns;
	}
	return true;
}

/* Those of one device stand in order. */
static void order_step_gaps(struct step_gaps *s)
{
	if (in_order(s))
		return;
	struct moment *at = must(malloc(s->n * sizeof *at));
	for (uint32_t i = 0; i < s->n; i++)
		at[i] = (struct moment){step_gap_of(s, i).start_ns, s->at[i]};
	moments_sort(at, s->n);
	for (uint32_t i = 0; i < s->n; i++)
		s->at[i] = at[i].id;
	free(at);
}

/* Which of them each device has: of_device says how many the device before has. */
static void index_step_gaps(struct derived *d)
{
	struct gap_store *s = &d->gaps;
	uint32_t devices = trace_devices(d->pub.t);
	s->ids = must(malloc(s->steps.n * sizeof *s->ids));
	/* shifted by one: once filled, from[device - 1] is where the device begins, which is of_device[device] */
	uint32_t *from = s->of_device + 1;
	for (uint32_t i = 0, sum = 0; i <= devices; i++) {
		uint32_t n = from[i];
		from[i] = sum;
		sum += n;
	}
	for (uint32_t i = 0; i < s->steps.n; i++) {
		uint32_t device = step_gap_of(&s->steps, i).device;
		if (device != NONE_ID)
			s->ids[from[device]++] = i;
	}
}

static void find_step_gaps(struct derived *d)
{
	struct gap_store *s = &d->gaps;
	bool *on_device = arena_alloc(&d->mem, trace_hosts(d->pub.t) + 1);
	size_t of_hosts = 0;
	for (uint32_t i = 0; i < d->pub.n_parts; i++)
		on_device[d->pub.steps[d->pub.parts[i].step].host] = true;
	for (uint32_t i = 0; i < d->pub.n_steps; i++)
		of_hosts += !on_device[d->pub.steps[i].host];
	s->steps = (struct step_gaps){.n_parts = d->pub.n_parts, .parts = d->pub.parts};
	s->steps.at = must(malloc((d->pub.n_parts + of_hosts + 1) * sizeof *s->steps.at));
	s->steps.of_hosts = must(malloc((of_hosts + 1) * sizeof *s->steps.of_hosts));
	s->of_device = arena_alloc(&d->mem, (trace_devices(d->pub.t) + (size_t)2) * sizeof *s->of_device);
	device_step_gaps(d);
	host_step_gaps(d, on_device);
	order_step_gaps(&s->steps);
	index_step_gaps(d);
}

/* What of a gap on a device its steps' parts there tell, else their markers. */
static struct gap between_steps(const struct derived *d, uint32_t id)
{
	const struct step_gap x = step_gap_of(&d->gaps.steps, id);
	const struct step *before = &d->pub.steps[x.step_before], *after = &d->pub.steps[x.step_after];
	const struct step_device *a = x.part != NONE_ID ? &d->pub.parts[x.part] : NULL, *b = a ? a + 1 : NULL;
	bool inferred = before->inferred || after->inferred;
	return (struct gap){.id = id,
			    .scope = GAP_STEP,
			    .device = x.device,
			    .track = NONE_ID,
			    .step_before = x.step_before,
			    .step_after = x.step_after,
			    .before = a ? a->last_row : before->marker,
			    .after = b ? b->first_row : after->marker,
			    .start_ns = x.start_ns,
			    .dur_ns = x.end_ns - x.start_ns,
			    .period_ns = b ? b->first_ns - a->first_ns : after->start_ns - before->start_ns,
			    .marker_gap_ns = inferred ? UNKNOWN_I64 : after->start_ns - before->end_ns};
}

/* ---- between work ------------------------------------------------------------------------------------------------------ */

/* Offers the work of one stream for both sides of the `count` idle times that end where busy[1 ..] begin: before it what ends last of
 * the work that begins after the idle time before, after it the longest of what begins there. */
static void stream_pairs(const struct derived *d, uint32_t track, const struct interval *busy, uint32_t count,
			 struct gap_pair *out)
{
	const struct columns *c = d->pub.c;
	const struct track_info *k = trace_track(d->pub.t, track);
	row_id end = (row_id)(k->first + k->n);
	uint32_t g = 1; /* busy time that begins at the row or after it */
	for (row_id r = first_row_from(c, k, busy[0].a_ns); r < end && c->start_ns[r] <= busy[count].a_ns; r++) {
		g = intervals_from(busy, g, count + 1, c->start_ns[r]);
		if (!row_is_work(c, r))
			continue;
		bool begins = busy[g].a_ns == c->start_ns[r];
		row_id *after = begins ? &out[g - 1].after : NULL;
		row_id *before = begins && g == count ? NULL : &out[begins ? g : g - 1].before;
		if (after && (*after == NONE_ID || c->dur_ns[r] > c->dur_ns[*after]))
			*after = r;
		if (before && (*before == NONE_ID || row_end(c, r) > row_end(c, *before)))
			*before = r;
	}
}

/* The pairs of `count` idle times of a run from number `from` on. */
static void run_pairs(const struct derived *d, const struct gap_run *run, uint32_t from, uint32_t count,
		      struct gap_pair *out)
{
	uint32_t n = 1;
	if (!count)
		return;
	const uint32_t *tracks = run->scope == GAP_STREAM ? &run->track : device_streams(d, run->device, &n);
	for (uint32_t g = 0; g < count; g++)
		out[g] = (struct gap_pair){NONE_ID, NONE_ID};
	for (uint32_t i = 0; i < n; i++)
		stream_pairs(d, tracks[i], run->busy + from, count, out);
}

static void add_run(struct gap_store *s, enum gap_scope scope, uint32_t device, uint32_t track,
		    const struct interval *busy, uint32_t n)
{
	s->runs[s->n_runs++] = (struct gap_run){scope, device, track, s->steps.n + s->n_idle, n, busy};
	s->n_idle += n;
	s->pairs[scope].end = s->steps.n + s->n_idle;
	s->n_candidates += scope == GAP_DEVICE ? n : 0;
}

/* Between two pauses of the profiler each. */
static void add_runs(struct derived *d, enum gap_scope scope, uint32_t device, uint32_t track,
		     const struct intervals *busy)
{
	const struct intervals *pauses = derived_pauses(d, trace_device(d->pub.t, device)->host);
	uint32_t from = 0;
	for (uint32_t i = 0; i < pauses->n; i++) {
		uint32_t next = intervals_from(busy->at, from, busy->n, pauses->at[i].b_ns);
		if (next > from && next < busy->n) {
			add_run(&d->gaps, scope, device, track, busy->at + from, next - from - 1);
			from = next;
		}
	}
	uint32_t left = busy->n - from;
	add_run(&d->gaps, scope, device, track, left ? busy->at + from : NULL, left ? left - 1 : 0);
}

/* Devices first, then streams: the order of the ids. */
static void find_runs(struct derived *d)
{
	struct gap_store *s = &d->gaps;
	uint32_t n_devices = trace_devices(d->pub.t), n;
	size_t runs = 0;
	for (uint32_t dev = 0; dev < n_devices; dev++) {
		size_t pieces = derived_pauses(d, trace_device(d->pub.t, dev)->host)->n + (size_t)1;
		device_streams(d, dev, &n);
		runs += pieces * (n + (size_t)1);
	}
	s->runs = arena_alloc(&d->mem, (runs + 1) * sizeof *s->runs);
	s->pairs[GAP_DEVICE].first = s->steps.n;
	for (uint32_t dev = 0; dev < n_devices; dev++)
		add_runs(d, GAP_DEVICE, dev, NONE_ID, &d->busy_device[dev]);
	s->pairs[GAP_STREAM].first = s->steps.n + s->n_idle;
	for (uint32_t dev = 0; dev < n_devices; dev++) {
		const uint32_t *tracks = device_streams(d, dev, &n);
		for (uint32_t i = 0; i < n; i++)
			add_runs(d, GAP_STREAM, dev, tracks[i], &d->busy_track[tracks[i]]);
	}
}

static struct gap_pair *pairs_build(const struct derived *d, enum gap_scope scope)
{
	const struct gap_store *s = &d->gaps;
	const struct gap_pairs *p = &s->pairs[scope];
	struct gap_pair *at = must(malloc((p->end - p->first) * sizeof *at));
	for (uint32_t i = 0; i < s->n_runs; i++)
		if (s->runs[i].scope == scope)
			run_pairs(d, &s->runs[i], 0, s->runs[i].n, at + (s->runs[i].first - p->first));
	return at;
}

static const struct gap_pair *pairs_made(struct derived *d, enum gap_scope scope)
{
	struct gap_pairs *p = &d->gaps.pairs[scope];
	pthread_mutex_lock(&d->lazy_lock);
	struct gap_pair *at = atomic_load_explicit(&p->at, memory_order_relaxed);
	if (!at) {
		at = pairs_build(d, scope);
		atomic_store_explicit(&p->at, at, memory_order_release);
	}
	pthread_mutex_unlock(&d->lazy_lock);
	return at;
}

/* Ranking and listing do without them. Searched for one by one until so many were asked for that having all pays: those of devices
 * and of streams apart, as few ask for the latter. */
static struct gap_pair pair_of(const struct derived *d, const struct gap_run *run, uint32_t id)
{
	enum { WORTH_IT = 128, AS_ONE = 8 };
	struct derived *w = (struct derived *)d;
	uint32_t streams = 1;
	struct gap_pairs *p = &w->gaps.pairs[run->scope];
	uint32_t i = id - p->first;
	const struct gap_pair *pairs = atomic_load_explicit(&p->at, memory_order_acquire);
	if (pairs)
		return pairs[i];
	/* a search walks rows of every stream of the device; all pairs together cost one walk over all work */
	if (run->scope == GAP_DEVICE)
		device_streams(d, run->device, &streams);
	if (atomic_fetch_add_explicit(&p->asked, 1 + streams / AS_ONE, memory_order_relaxed) >=
	    (p->end - p->first) / WORTH_IT)
		return pairs_made(w, run->scope)[i];
	struct gap_pair pair;
	run_pairs(d, run, id - run->first, 1, &pair);
	return pair;
}

/* ---- the list ---------------------------------------------------------------------------------------------------------- */

static const struct gap_run *run_of(const struct gap_store *s, uint32_t id)
{
	uint32_t lo = 0, hi = s->n_runs;
	while (lo + 1 < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (s->runs[mid].first <= id)
			lo = mid;
		else
			hi = mid;
	}
	return &s->runs[lo];
}

static struct gap_span idle_span(const struct gap_run *run, uint32_t id)
{
	const struct interval *busy = &run->busy[id - run->first];
	return (struct gap_span){id, run->scope, busy[0].b_ns, busy[1].a_ns - busy[0].b_ns};
}

static struct gap_span step_span(const struct gap_store *s, uint32_t id)
{
	const struct step_gap g = step_gap_of(&s->steps, id);
	return (struct gap_span){id, GAP_STEP, g.start_ns, g.end_ns - g.start_ns};
}

struct gap_span gaps_span(const struct gap_store *s, uint32_t id)
{
	if (id < s->steps.n)
		return step_span(s, id);
	return idle_span(run_of(s, id), id);
}

static struct gap idle_gap(const struct derived *d, uint32_t id)
{
	const struct gap_run *run = run_of(&d->gaps, id);
	struct gap_pair pair = pair_of(d, run, id);
	struct gap_span span = idle_span(run, id);
	return (struct gap){.id = id,
			    .scope = run->scope,
			    .device = run->device,
			    .track = run->track,
			    .step_before = NONE_ID,
			    .step_after = NONE_ID,
			    .before = pair.before,
			    .after = pair.after,
			    .start_ns = span.start_ns,
			    .dur_ns = span.dur_ns,
			    .period_ns = UNKNOWN_I64,
			    .marker_gap_ns = UNKNOWN_I64};
}

bool gaps_get(const struct derived *d, uint32_t id, struct gap *out)
{
	const struct gap_store *s = &d->gaps;
	if (id >= s->steps.n + s->n_idle)
		return false;
	*out = id < s->steps.n ? between_steps(d, id) : idle_gap(d, id);
	return true;
}

static void build(struct derived *d)
{
	struct gap_store *s = &d->gaps;
	find_step_gaps(d);
	s->n_candidates = s->steps.n;
	find_runs(d);
	/* last: readers that see it see all of the above */
	atomic_store_explicit(&s->built, true, memory_order_release);
}

/* The overlay is read-only for everybody else; gaps are the part that is made on demand, under its lock. */
static __attribute__((noinline)) void make_gaps(struct derived *d)
{
	pthread_mutex_lock(&d->gap_lock);
	if (!atomic_load_explicit(&d->gaps.built, memory_order_relaxed))
		build(d);
	pthread_mutex_unlock(&d->gap_lock);
}

/* Asked for by every question about a gap. */
static inline const struct gap_store *gaps_of(const struct derived *d)
{
	struct derived *w = (struct derived *)d;
	if (!atomic_load_explicit(&w->gaps.built, memory_order_acquire))
		make_gaps(w);
	return &d->gaps;
}

uint32_t derived_gap_count(const struct derived *d)
{
	const struct gap_store *s = gaps_of(d);
	return s->steps.n + s->n_idle;
}

bool derived_gap_at(const struct derived *d, uint32_t id, struct gap *out)
{
	gaps_of(d);
	return gaps_get(d, id, out);
}

void gaps_free(struct derived *d)
{
	free(d->gaps.steps.at);
	free(d->gaps.steps.of_hosts);
	free(d->gaps.ids);
	for (int scope = 0; scope < GAP_SCOPES; scope++)
		free(atomic_load(&d->gaps.pairs[scope].at));
	free(d->gaps.ranked);
	free(d->gaps.longest);
}

/* ---- those of a window ------------------------------------------------------------------------------------------------- */

/* Ids of the run's gaps that end after a and start before b: [*first, *end). */
static void run_within(const struct gap_run *run, int64_t a_ns, int64_t b_ns, uint32_t *first, uint32_t *end)
{
	uint32_t lo = 0, hi = run->n;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (run->busy[mid + 1].a_ns > a_ns)
			hi = mid;
		else
			lo = mid + 1;
	}
	*first = run->first + lo;
	for (hi = run->n; lo < hi;) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (run->busy[mid].b_ns < b_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	*end = run->first + lo;
}

struct gap_iter gap_iter_idle(const struct derived *d, int64_t a_ns, int64_t b_ns)
{
	struct gap_iter it = {.gaps = gaps_of(d), .a_ns = a_ns, .b_ns = b_ns};
	for (uint32_t i = 0, first, end; i < it.gaps->n_runs; i++) {
		run_within(&it.gaps->runs[i], a_ns, b_ns, &first, &end);
		it.left += end - first;
	}
	return it;
}

struct gap_iter gap_iter(const struct derived *d, int64_t a_ns, int64_t b_ns)
{
	struct gap_iter it = gap_iter_idle(d, a_ns, b_ns);
	it.end = it.gaps->steps.n;
	it.left += it.end;
	return it;
}

bool gap_next(struct gap_iter *it, struct gap_span *out)
{
	const struct gap_store *s = it->gaps;
	for (; it->at < it->end && it->at < s->steps.n; it->at++) {
		const struct step_gap g = step_gap_of(&s->steps, it->at);
		if (g.start_ns >= it->b_ns || g.end_ns <= it->a_ns)
			continue;
		*out = step_span(s, it->at++);
		return true;
	}
	while (it->at >= it->end) {
		if (it->run == s->n_runs)
			return false;
		run_within(&s->runs[it->run++], it->a_ns, it->b_ns, &it->at, &it->end);
	}
	*out = idle_span(&s->runs[it->run - 1], it->at++);
	return true;
}

/* ---- why ----------------------------------------------------------------------------------------------------------------- */

/* The thread that launched it, else the one that launches most for the device. */
uint32_t work_thread(const struct derived *d, row_id work, uint32_t device)
{
	row_id launch = d->pub.c->link[work];
	return launch != NONE_ID ? d->pub.c->track[launch] : d->launch_track[device];
}

uint32_t gap_thread(const struct derived *d, const struct gap *g)
{
	return g->device == NONE_ID ? d->pub.c->track[g->after] : work_thread(d, g->after, g->device);
}

bool derived_main_event(const struct derived *d, const struct gap *g, struct gap_main_event *out)
{
	*out = (struct gap_main_event){.row = NONE_ID};
	int64_t self_ns;
	row_id row = lost_records(d, g->device, g->start_ns, g->start_ns + g->dur_ns, &self_ns);
	if (row != NONE_ID) { /* whether the device idled is not known */
		*out = (struct gap_main_event){row, trace_str(d->pub.t, d->pub.c->name[row]), self_ns};
		return true;
	}
	uint32_t track = gap_thread(d, g);
	if (track == NONE_ID)
		return false;
	row = self_time_largest(d, track, g->start_ns, g->start_ns + g->dur_ns, &self_ns);
	if (row == NONE_ID)
		return false;
	*out = (struct gap_main_event){row, trace_str(d->pub.t, d->pub.c->name[row]), self_ns};
	return true;
}

uint32_t derived_step_gap_count(const struct derived *d)
{
	return gaps_of(d)->steps.n;
}

struct step_gaps derived_step_gaps(const struct derived *d)
{
	return gaps_of(d)->steps;
}

struct gap_span derived_gap_span(const struct derived *d, uint32_t id)
{
	return gaps_span(gaps_of(d), id);
}

/* NULL: those of its scope are not made. */
static const struct gap_pair *kept_pair(const struct gap_store *s, uint32_t id)
{
	const struct gap_pairs *p = &s->pairs[id < s->pairs[GAP_STREAM].first ? GAP_DEVICE : GAP_STREAM];
	const struct gap_pair *at = atomic_load_explicit(&p->at, memory_order_acquire);
	return at ? &at[id - p->first] : NULL;
}

void derived_gap_ahead(const struct derived *d, uint32_t far, uint32_t near)
{
	const struct gap_store *s = gaps_of(d);
	if (far < s->steps.n || near < s->steps.n)
		return;
	const struct gap_run *run = run_of(s, far);
	__builtin_prefetch(&run->busy[far - run->first]);
	__builtin_prefetch(kept_pair(s, far));
	const struct gap_pair *pair = kept_pair(s, near);
	if (!pair)
		return;
	__builtin_prefetch(&d->pub.c->name[pair->before]);
	__builtin_prefetch(&d->pub.c->name[pair->after]);
}

struct gap_lane derived_gap_lane(const struct derived *d, uint32_t id)
{
	const struct gap_store *s = gaps_of(d);
	if (id < s->steps.n) {
		const struct step_gap g = step_gap_of(&s->steps, id);
		return (struct gap_lane){g.device, NONE_ID,
					 g.device != NONE_ID ? trace_device(d->pub.t, g.device)->host
							     : d->pub.steps[g.step_after].host};
	}
	const struct gap_run *run = run_of(s, id);
	return (struct gap_lane){run->device, run->track, trace_device(d->pub.t, run->device)->host};
}

uint32_t gap_in_step_gap(const struct derived *d, const struct gap_span *span)
{
	gaps_of(d);
	return gaps_around(d, span);
}

uint32_t gaps_device(const struct gap_store *s, uint32_t id)
{
	return run_of(s, id)->device;
}
