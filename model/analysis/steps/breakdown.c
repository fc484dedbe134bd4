#include "breakdown.h"
#include "model/store/base/grow.h"
#include "model/store/base/memory.h"
#include "breakdown_class.h"
#include "breakdown_kept.h"
#include "breakdown_spans.h"
#include "model/analysis/causes/thread_causes.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/intervals.h"
#include "model/analysis/maths/order.h"
#include "model/analysis/query/awake.h"
#include "model/analysis/query/step_threads.h"
#include "model/analysis/query/uncovered.h"
#include <stdlib.h>
#include <string.h>

enum { MANY_DEVICES = 16 };
struct breakdowns {
	const struct derived *d;
	const struct query *q;
	struct classes *classes;
	bool xprof;
	struct interval *spans; /* of each step, as the reference tool counts: breakdown_spans.h */
	struct step_threads *threads_of;
	struct step_threads_found threads; /* of the step under way */
	struct awake **streams;            /* per device: those that work in a time */
	bool members_only;                 /* of the step under way */
	bool by_time;                      /* likewise: derived_step_holds_by_time */
	bool any_event;                    /* likewise: whatever event there is counts */
	struct interval_list all[TIME_COUNT], track[TIME_COUNT], spare;
	struct interval_list *to;             /* of the track under way: `track`, or `all` while that holds nothing */
	uint32_t on_track, in_all;            /* bits: those of `to` and of `all` that may hold something */
	struct interval_list covered;         /* by the classes settled so far */
	bool hides;                           /* nobody asks what a host does in time that is covered */
	struct thread_waits waits;            /* of the thread under way */
	struct interval_list ops, comms;      /* of the host in the step under way: what computes, and collectives */
	uint32_t *comm_tracks, n_comm_tracks; /* threads that hold such collectives */
	struct again again;
	struct breakdown_room room; /* for those that are kept */
};

/* ---- collecting ------------------------------------------------------------------------------------------------------ */

static inline void take_until(struct breakdowns *b, row_id r, int64_t b_ns, enum time_class class,
			      const struct breakdown *out)
{
	if (class == TIME_NONE)
		return;
	int64_t a_ns = derived_columns(b->d)->start_ns[r];
	b->on_track |= 1u << class;
	interval_add(&b->to[class], a_ns > out->a_ns ? a_ns : out->a_ns, b_ns < out->b_ns ? b_ns : out->b_ns);
}

static inline void take(struct breakdowns *b, row_id r, enum time_class class, const struct breakdown *out)
{
	take_until(b, r, row_end(derived_columns(b->d), r), class, out);
}

static void swap_lists(struct interval_list *x, struct interval_list *y)
{
	struct interval_list old = *x;
	*x = *y;
	*y = old;
}

/* Into `all`; `more` stays. Most lists are empty. */
static void unite(struct breakdowns *b, struct interval_list *all, const struct interval_list *more)
{
	if (more->n)
		interval_list_join(all, more, &b->spare);
}

/* The same of what is not needed any more. */
static void unite_all(struct breakdowns *b, struct interval_list *all, struct interval_list *more)
{
	if (all->n)
		unite(b, all, more);
	else
		swap_lists(all, more);
	more->n = 0;
}

/* Mostly one track is all there is: what it holds is what all hold. */
static inline void open_track(struct breakdowns *b)
{
	b->to = b->in_all ? b->track : b->all;
}

/* A track's events came in order: its lists join those of the tracks before. */
static inline void close_track(struct breakdowns *b)
{
	for (uint32_t left = b->to == b->track ? b->on_track : 0; left; left &= left - 1)
		unite_all(b, &b->all[__builtin_ctz(left)], &b->track[__builtin_ctz(left)]);
	b->in_all |= b->on_track;
	b->on_track = 0;
}

static bool passes(const struct breakdowns *b, row_id r, uint32_t step)
{
	if (b->members_only && derived_step_of(b->d, r) != step)
		return false;
	if (b->xprof && !row_in_group(b->d, r))
		return false;
	if (!b->q->filter)
		return true;
	uint32_t of = derived_step_of(b->d, r);
	return filter_match(b->q->filter, r, of == NONE_ID ? NULL : derived_step(b->d, of)->label);
}

static inline bool wanted(const struct breakdowns *b, row_id r, uint32_t step)
{
	return b->any_event || passes(b, r, step);
}

static void begin_step(struct breakdowns *b, bool members_only)
{
	b->members_only = members_only;
	b->any_event = !members_only && !b->xprof && !b->q->filter;
}

/* part: the step's on the device, NULL: it has none there. */
static void take_device(struct breakdowns *b, uint32_t step, uint32_t device, const struct step_device *part,
			struct breakdown *out)
{
	uint32_t n;
	const uint32_t *tracks = awake_streams(&b->streams[device], b->d, device, out->a_ns, out->b_ns, &n);
	for (uint32_t i = 0; i < n; i++) {
		struct event_iter it = event_iter_near(derived_trace(b->d), tracks[i], out->a_ns, out->b_ns, KINDS_WORK,
						       part ? part->last_row : NONE_ID);
		open_track(b);
		while (event_next(&it)) {
			if (!wanted(b, it.row, step))
				continue;
			take(b, it.row,
			     b->xprof ? device_class_xprof(b->classes, it.row) : device_class(b->classes, it.row), out);
			out->n_events++;
		}
		close_track(b);
	}
}

/* Events come in order of their start: what an earlier one covers is told. */
static void take_waits(struct breakdowns *b, row_id r, const struct breakdown *out, int64_t *told_ns)
{
	const struct columns *c = derived_columns(b->d);
	int64_t a_ns = later(c->start_ns[r], later(out->a_ns, *told_ns)), b_ns = earlier(row_end(c, r), out->b_ns);
	thread_waits_add(b->d, c->track[r], a_ns, b_ns, &b->waits);
	*told_ns = later(*told_ns, b_ns);
}

/* Of the thread under way: it does nothing else while it waits. */
static void close_waits(struct breakdowns *b)
{
	if (b->waits.input.n) {
		unite_all(b, &b->all[TIME_INPUT_WAIT], &b->waits.input);
		b->in_all |= 1u << TIME_INPUT_WAIT;
	}
	if (b->waits.others.n) {
		b->spare.n = 0;
		intervals_without(&b->spare, &b->to[TIME_HOST], &b->waits.others);
		swap_lists(&b->to[TIME_HOST], &b->spare);
	}
	b->waits.others.n = 0;
}

static void take_thread(struct breakdowns *b, uint32_t step, uint32_t track, struct breakdown *out, int64_t a_ns,
			int64_t b_ns)
{
	struct event_iter it = event_iter_near(derived_trace(b->d), track, out->a_ns, out->b_ns,
					       KINDS_HOST_TIME | KIND_BIT(KIND_PYTHON), b->threads.launch);
	const struct columns *c = derived_columns(b->d);
	leave_out_around(b->d, track, a_ns, b_ns, &it);
	struct cover cover = {b->covered.at, b->covered.at + (b->hides ? b->covered.n : 0), out->a_ns, out->b_ns};
	bool waits;
	int64_t told_ns = INT64_MIN;
	open_track(b);
	while (uncovered_next(c, &it, &cover)) {
		/* before anything is asked about names: of markers each step may have one of its own */
		if ((c->start_ns[it.row] <= a_ns && row_end(c, it.row) >= b_ns) || row_is_marker(b->d, it.row))
			continue;
		enum time_class class = host_class(b->classes, it.row, b->by_time, &waits);
		if ((!waits && c->kind[it.row] == KIND_PYTHON) || !wanted(b, it.row, step))
			continue;
		if (waits)
			take_waits(b, it.row, out, &told_ns);
		take(b, it.row, class, out);
		out->n_events++;
	}
	close_waits(b);
	close_track(b);
}

/* ---- collectives that run on the host -------------------------------------------------------------------------------- */

/* Into `out` what one thread does of one sort, cut to the step. */
static void add_rows(struct breakdowns *b, uint32_t step, uint32_t track, bool comms, const struct breakdown *of,
		     struct interval_list *out)
{
	struct interval_list one = {0};
	struct event_iter it = event_iter(derived_trace(b->d), track, of->a_ns, of->b_ns, KINDS_HOST_TIME);
	while (event_next(&it)) {
		const struct columns *c = derived_columns(b->d);
		if ((comms ? is_host_collective(b->d, c->name[it.row]) : is_host_compute(b->d, it.row)) &&
		    wanted(b, it.row, step))
			interval_add(&one, later(c->start_ns[it.row], of->a_ns), earlier(row_end(c, it.row), of->b_ns));
	}
	unite(b, out, &one);
	interval_list_free(&one);
}

/* What of the collectives no op of the step's threads hides. */
static void take_exposed(struct breakdowns *b)
{
	open_track(b);
	intervals_without(&b->to[TIME_COLLECTIVES], &b->comms, &b->ops);
	b->on_track |= 1u << TIME_COLLECTIVES;
	close_track(b);
}

static void take_host_collectives(struct breakdowns *b, uint32_t step, const struct breakdown *out)
{
	const struct step *s = derived_step(b->d, step);
	b->ops.n = b->comms.n = 0;
	for (uint32_t i = 0; i < b->n_comm_tracks; i++) {
		const struct track_info *k = trace_track(derived_trace(b->d), b->comm_tracks[i]);
		if (k->host == s->host && k->process == s->process)
			add_rows(b, step, b->comm_tracks[i], true, out, &b->comms);
	}
	for (uint32_t i = 0; b->comms.n && i < b->threads.n; i++)
		add_rows(b, step, b->threads.tracks[i], false, out, &b->ops);
	take_exposed(b);
}

/* ---- the answer ------------------------------------------------------------------------------------------------------ */

/* What is covered with class i, too; nobody asks for the cover of all classes but for how long it is. */
static int64_t covered_with(struct breakdowns *b, int i, bool last, struct again *beside, int64_t before_ns)
{
	if (last && !beside) {
		before_ns += interval_list_uncovered(&b->covered, &b->all[i]);
		b->all[i].n = 0;
		return before_ns;
	}
	unite_all(b, &b->covered, &b->all[i]);
	return beside ? again_covered(beside, &b->covered, i) : interval_list_total(&b->covered);
}

/* Classes [from, to), after those before them, which cover `before_ns`; what is covered now, and what is not. `beside`: what threads do is
 * there and not in `all`, NULL = all is in `all`. */
static int64_t settle_classes(struct breakdowns *b, int from, int to, struct again *beside, int64_t before_ns,
			      struct breakdown *out)
{
	uint32_t asked = (1u << to) - (1u << from), some = (b->in_all | (beside ? beside->has : 0)) & asked;
	b->in_all &= ~asked;
	for (; some; some &= some - 1) {
		int i = __builtin_ctz(some);
		if (!b->all[i].n && !(beside && beside->at[i].n))
			continue;
		bool last = to == TIME_COUNT && !(some & (some - 1));
		int64_t now_ns = covered_with(b, i, last, beside, before_ns);
		out->ns[i] = now_ns - before_ns;
		out->classes |= 1u << i;
		before_ns = now_ns;
	}
	out->other_ns = out->b_ns - out->a_ns - before_ns;
	return before_ns;
}

/* settle_classes of the only one that has anything, before all others. */
static int64_t settle_alone(struct breakdowns *b, uint32_t class, struct breakdown *out)
{
	swap_lists(&b->covered, &b->all[class]);
	b->in_all &= ~(1u << class);
	out->ns[class] = interval_list_total(&b->covered);
	out->classes |= b->covered.n ? 1u << class : 0;
	out->other_ns = out->b_ns - out->a_ns - out->ns[class];
	return out->ns[class];
}

/* The classes that come before the first one of hosts: nothing that a host does takes time from them. A filter asks about every event. */
static int64_t settle_device(struct breakdowns *b, struct breakdown *out)
{
	b->covered.n = 0;
	b->hides = !b->q->filter;
	uint32_t some = b->in_all & ((1u << TIME_INPUT_WAIT) - 1);
	if (some && !(some & (some - 1)))
		return settle_alone(b, (uint32_t)__builtin_ctz(some), out);
	return settle_classes(b, 0, TIME_INPUT_WAIT, NULL, 0, out);
}

/* The part of [a, b) inside the window; false when the window has none of it. */
static bool open_window(const struct query *q, int64_t a_ns, int64_t b_ns, struct breakdown *out)
{
	*out = (struct breakdown){.a_ns = a_ns, .b_ns = b_ns};
	query_clip(q, &out->a_ns, &out->b_ns);
	out->cut = out->a_ns > a_ns || out->b_ns < b_ns;
	if (out->b_ns < out->a_ns)
		out->b_ns = out->a_ns;
	return !out->cut || out->b_ns > out->a_ns;
}

static void take_threads(struct breakdowns *b, uint32_t step, struct breakdown *out, int64_t a_ns, int64_t b_ns)
{
	for (uint32_t i = 0; i < b->threads.n; i++)
		take_thread(b, step, b->threads.tracks[i], out, a_ns, b_ns);
}

/* What the threads do, kept when it is asked for a second time in a row: a step on hundreds of devices has one thread. NULL: it was added
 * to what else there is. */
static struct again *take_threads_again(struct breakdowns *b, uint32_t step, struct breakdown *out, int64_t a_ns,
					int64_t b_ns)
{
	struct again *x = &b->again;
	if (!x->made) {
		uint32_t of_device = b->in_all;
		b->hides = false;
		b->in_all = 0;
		for (int i = 0; i < TIME_COUNT; i++) {
			x->at[i].n = 0;
			swap_lists(&b->all[i], &x->at[i]);
		}
		take_threads(b, step, out, a_ns, b_ns);
		for (int i = 0; i < TIME_COUNT; i++)
			swap_lists(&b->all[i], &x->at[i]);
		x->has = b->in_all;
		b->in_all = of_device;
		again_made(x);
	}
	if (again_is_longer(x, &b->covered))
		return x;
	for (int i = 0; i < TIME_COUNT; i++)
		unite(b, &b->all[i], &x->at[i]);
	b->in_all |= x->has;
	return NULL;
}

/* The question is about the time and threads of the one before. Which events are members or pass a filter is asked of each. */
static bool is_again(struct breakdowns *b, uint32_t step, int64_t a_ns, int64_t b_ns, const struct breakdown *out)
{
	const struct step *s = derived_step(b->d, step);
	if (!b->any_event)
		return b->again.asked = false;
	struct again_time time = {.whole = {a_ns, b_ns},
				  .part = {out->a_ns, out->b_ns},
				  .host = s->host,
				  .process = s->process,
				  .by_time = b->by_time};
	return again_is(&b->again, time, b->threads.tracks, b->threads.n);
}

/* More questions about its time will come, mostly of one thread. */
static bool is_on_many(const struct breakdowns *b, uint32_t step)
{
	uint32_t n;
	derived_parts_of_step(b->d, step, &n);
	return b->again.asked && n > MANY_DEVICES;
}

static void add_all(struct breakdowns *b, uint32_t step, uint32_t device, const struct step_device *part,
		    struct interval whole, bool again, struct breakdown *out)
{
	if (device != NONE_ID)
		take_device(b, step, device, part, out);
	int64_t device_ns = settle_device(b, out);
	struct again *beside = NULL;
	if (again)
		beside = take_threads_again(b, step, out, whole.a_ns, whole.b_ns);
	else
		take_threads(b, step, out, whole.a_ns, whole.b_ns);
	if (b->n_comm_tracks)
		take_host_collectives(b, step, out);
	settle_classes(b, TIME_INPUT_WAIT, TIME_COUNT, beside, device_ns, out);
}

/* The time to split, of which `whole` is cut to the window; false: that has none of it. */
static bool begin_split(struct breakdowns *b, uint32_t step, uint32_t device, bool around, struct interval *whole,
			struct breakdown *out)
{
	step_time(b->d, step, device, &whole->a_ns, &whole->b_ns);
	whole->a_ns = around ? earlier(whole->a_ns, b->q->a_ns) : whole->a_ns;
	whole->b_ns = around ? later(whole->b_ns, b->q->b_ns) : whole->b_ns;
	b->by_time = derived_step_holds_by_time(b->d, step);
	begin_step(b, derived_step(b->d, step)->marker == NONE_ID && !b->by_time);
	bool any = open_window(b->q, whole->a_ns, whole->b_ns, out);
	out->cut |= derived_step(b->d, step)->cut;
	return any;
}

static void break_down(struct breakdowns *b, uint32_t step, uint32_t device, const struct step_device *part,
		       bool around, struct breakdown *out)
{
	struct interval whole;
	if (!begin_split(b, step, device, around, &whole, out))
		return;
	b->threads = step_threads_of(b->threads_of, step, device, part, around);
	bool again = is_again(b, step, whole.a_ns, whole.b_ns, out), cut = out->cut;
	if (again && b->again.device == device)
		*out = b->again.of_device;
	else
		add_all(b, step, device, part, whole, again || is_on_many(b, step), out);
	out->cut = cut;
	b->again.device = device;
	b->again.of_device = *out;
}

void breakdown_step(struct breakdowns *b, uint32_t step, uint32_t device, struct breakdown *out)
{
	break_down(b, step, device, derived_step_device(b->d, step, device), false, out);
}

void breakdown_part(struct breakdowns *b, const struct step_device *part, struct breakdown *out)
{
	break_down(b, part->step, part->device, part, false, out);
}

static struct query part_of(const struct query *window, int64_t a_ns, int64_t b_ns)
{
	struct query part = *window;
	part.a_ns = later(a_ns, window->a_ns);
	part.b_ns = earlier(b_ns, window->b_ns);
	return part;
}

void breakdown_around(struct breakdowns *b, uint32_t step, uint32_t device, int64_t a_ns, int64_t b_ns,
		      struct breakdown *out)
{
	const struct query *window = b->q, part = part_of(window, a_ns, b_ns);
	b->q = &part;
	break_down(b, step, device, derived_step_device(b->d, step, device), true, out);
	b->q = window;
}

void breakdown_device_around(struct breakdowns *b, uint32_t step, uint32_t device, int64_t a_ns, int64_t b_ns,
			     struct breakdown *out)
{
	struct interval whole;
	const struct query *window = b->q, part = part_of(window, a_ns, b_ns);
	b->q = &part;
	if (begin_split(b, step, device, true, &whole, out)) {
		take_device(b, step, device, derived_step_device(b->d, step, device), out);
		settle_device(b, out);
		for (int i = TIME_INPUT_WAIT; i < TIME_COUNT; i++)
			b->all[i].n = 0;
	}
	b->q = window;
}

/* ---- as the reference tool breaks steps down --------------------------------------------------------------------------- */

static void take_any_thread(struct breakdowns *b, uint32_t step, uint32_t track, struct breakdown *out)
{
	struct event_iter it = event_iter(derived_trace(b->d), track, out->a_ns, out->b_ns, KINDS_ALL);
	open_track(b);
	while (event_next(&it)) {
		if (row_is_marker(b->d, it.row) || !wanted(b, it.row, step))
			continue;
		take_until(b, it.row, class_end_xprof(b->classes, it.row), host_class_xprof(b->classes, it.row), out);
		out->n_events++;
	}
	close_track(b);
}

static void take_any_device(struct breakdowns *b, uint32_t step, uint32_t host, struct breakdown *out)
{
	for (uint32_t i = 0; i < trace_devices(derived_trace(b->d)); i++)
		if (trace_device(derived_trace(b->d), i)->host == host)
			take_device(b, step, i, derived_step_device(b->d, step, i), out);
}

bool breakdown_pooled(struct breakdowns *b, uint32_t step, struct breakdown *out)
{
	const struct step *s = derived_step(b->d, step);
	bool work = host_has_work(b->d, s->host);
	struct interval span = work ? b->spans[step] : (struct interval){s->start_ns, s->end_ns};
	if (!work && !class_marks_step_xprof(b->d, s->marker))
		return false;
	if (span.a_ns > span.b_ns || !open_window(b->q, span.a_ns, span.b_ns, out))
		return false;
	begin_step(b, true);
	if (work)
		take_any_device(b, step, s->host, out);
	for (uint32_t i = 0; !work && i < trace_tracks(derived_trace(b->d)); i++)
		if (trace_track(derived_trace(b->d), i)->host == s->host &&
		    derived_is_host_track(trace_track(derived_trace(b->d), i)))
			take_any_thread(b, step, i, out);
	settle_classes(b, TIME_INPUT_WAIT, TIME_COUNT, NULL, settle_device(b, out), out);
	return b->q->filter || out->ns[work ? TIME_COMPUTE : TIME_HOST] > 0;
}

struct breakdowns *breakdown_new(const struct derived *d, const struct query *q)
{
	size_t devices = trace_devices(derived_trace(d)) + 1u;
	struct breakdowns *b = must(malloc(sizeof *b));
	*b = (struct breakdowns){.d = d, .q = q, .classes = classes_new(d)};
	b->xprof = derived_options(d)->semantics == SEM_XPROF;
	if (!b->xprof)
		b->comm_tracks = host_collective_tracks(d, &b->n_comm_tracks);
	b->spans = b->xprof ? longest_spans(d) : NULL;
	b->threads_of = step_threads_new(d);
	b->streams = must(calloc(devices, sizeof *b->streams));
	return b;
}

struct breakdown_room *breakdowns_room(struct breakdowns *b)
{
	return &b->room;
}

const struct derived *breakdowns_derived(const struct breakdowns *b)
{
	return b->d;
}

void breakdown_free(struct breakdowns *b)
{
	if (!b)
		return;
	for (int i = 0; i < TIME_COUNT; i++) {
		interval_list_free(&b->all[i]);
		interval_list_free(&b->track[i]);
	}
	interval_list_free(&b->covered);
	interval_list_free(&b->spare);
	interval_list_free(&b->waits.input);
	interval_list_free(&b->waits.others);
	interval_list_free(&b->ops);
	interval_list_free(&b->comms);
	free(b->comm_tracks);
	again_free(&b->again);
	classes_free(b->classes);
	for (uint32_t i = 0; i < trace_devices(derived_trace(b->d)); i++)
		awake_free(b->streams[i]);
	free(b->streams);
	free(b->spans);
	step_threads_free(b->threads_of);
	free(b);
}
