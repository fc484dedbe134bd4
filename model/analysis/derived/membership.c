/* Which step an event belongs to, and what a step has on each device. */
#include "derived_data.h"
#include "model/store/base/grow.h"
#include "model/analysis/maths/innermost.h"
#include "model/analysis/maths/order.h"
#include "model/analysis/maths/seek.h"
#include <stdlib.h>

/* ---- host events: the innermost marker of their process that contains their start --------------------------------------- */

struct piece {
	int64_t a_ns, b_ns;
	uint32_t step;
};
struct pieces {
	struct piece *at; /* NULL: the pieces are these steps */
	const uint32_t *steps;
	const struct step *all; /* by their ids */
	uint32_t n, cap;
};

static inline struct piece piece_at(const struct pieces *v, uint32_t i)
{
	if (v->at)
		return v->at[i];
	const struct step *s = &v->all[v->steps[i]];
	return (struct piece){s->start_ns, s->end_ns, v->steps[i]};
}
static inline int64_t piece_end(const void *list, uint32_t i)
{
	return piece_at(list, i).b_ns;
}

static void add_piece(void *arg, uint32_t step, int64_t a_ns, int64_t b_ns)
{
	struct pieces *v = arg;
	GROW_ARRAY(v->at, v->n, v->cap);
	v->at[v->n++] = (struct piece){a_ns, b_ns, step};
}

static int step_time_order(const struct step *a, const struct step *b)
{
	if (a->start_ns != b->start_ns)
		return a->start_ns < b->start_ns ? -1 : 1;
	/* of steps that begin together the outer one first, so that the inner one opens inside of it */
	if (a->end_ns != b->end_ns)
		return a->end_ns > b->end_ns ? -1 : 1;
	return (a->marker > b->marker) - (a->marker < b->marker);
}
static int by_process_and_time(const void *x, const void *y, void *arg)
{
	const struct derived *d = arg;
	const struct step *a = &d->pub.steps[*(const uint32_t *)x], *b = &d->pub.steps[*(const uint32_t *)y];
	return a->process != b->process ? (a->process < b->process ? -1 : 1) : step_time_order(a, b);
}

/* Rows and pieces are both in order of time, so both are walked once; of a track of few rows the pieces between are passed over. */
static void contain_track(struct derived *d, const struct track_info *k, const struct pieces *v)
{
	uint32_t p = 0;
	struct piece at = piece_at(v, 0);
	for (row_id r = (row_id)k->first; r < k->first + k->n; r++) {
		int64_t start_ns = d->pub.c->start_ns[r];
		if (at.b_ns <= start_ns) {
			p = seek_later(v, p + 1, v->n, start_ns, piece_end);
			if (p == v->n)
				return;
			at = piece_at(v, p);
		}
		bool member = k->kind != TRACK_STREAM || row_is_work(d->pub.c, r);
		if (member && at.a_ns <= start_ns && d->pub.step_of[r] == NONE_ID)
			d->pub.step_of[r] = at.step;
	}
}

/* Steps that were inferred from when devices work hold the host's device work by time, too. */
static bool holds_track(const struct derived *d, const struct step *s, const struct track_info *k)
{
	bool device = s->inferred && d->inference[s->host].by_device_time && k->kind == TRACK_STREAM;
	if (!device && !derived_is_host_track(k))
		return false;
	return s->inferred ? k->host == s->host : k->process == s->process;
}

/* What starts inside: in the process, or in the whole host when the steps are no events of one. */
static void contain_tracks(struct derived *d, const struct step *s, const struct pieces *v)
{
	uint32_t n = trace_tracks(d->pub.t);
	const uint32_t *tracks = s->inferred || s->process == NONE_ID ? NULL : process_tracks(d, s->process, &n);
	for (uint32_t i = 0; i < n; i++) {
		const struct track_info *k = trace_track(d->pub.t, tracks ? tracks[i] : i);
		if (tracks || holds_track(d, s, k))
			contain_track(d, k, v);
	}
}

/* Each ends before the next one begins. */
static bool follow_each_other(const struct derived *d, const uint32_t *steps, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++)
		if (d->pub.steps[steps[i - 1]].end_ns > d->pub.steps[steps[i]].start_ns)
			return false;
	return true;
}

static void contain_process(struct derived *d, const uint32_t *steps, uint32_t n)
{
	struct pieces v = {.steps = steps, .all = d->pub.steps, .n = n};
	if (!follow_each_other(d, steps, n)) {
		v.n = 0;
		struct innermost m = {.piece = add_piece, .arg = &v};
		for (uint32_t i = 0; i < n; i++)
			innermost_open(&m, steps[i], d->pub.steps[steps[i]].start_ns, d->pub.steps[steps[i]].end_ns);
		innermost_close_all(&m);
	}
	if (v.n)
		contain_tracks(d, &d->pub.steps[steps[0]], &v);
	free(v.at);
}

void contain_members(struct derived *d, uint32_t host)
{
	uint32_t *order = must(malloc(d->pub.n_steps * sizeof *order)), n = 0;
	for (uint32_t i = 0; i < d->pub.n_steps; i++)
		if (d->pub.steps[i].host == host)
			order[n++] = i;
	if (n)
		sort_if_needed_r(order, n, sizeof *order, by_process_and_time, d);
	for (uint32_t from = 0, to; from < n; from = to) {
		for (to = from + 1; to < n && d->pub.steps[order[to]].process == d->pub.steps[order[from]].process;)
			to++;
		contain_process(d, order + from, to - from);
	}
	free(order);
}

/* ---- device work: the step of its launch; without a launch the latest step begun on its device -------------------------- */

struct begin {
	int64_t at_ns;
	uint32_t step;
};
struct begins {
	struct begin *at;
	uint32_t n;
};
struct begins_found {
	struct begins work, markers; /* of the device's work; of the host's markers */
	uint32_t *place;             /* per step: its place in `work`, NONE_ID = not begun */
	uint32_t markers_host;       /* whose `markers` are; NONE_ID: nobody's */
};

static inline int64_t begin_moment(const void *list, uint32_t i)
{
	return ((const struct begins *)list)->at[i].at_ns;
}

/* Work begins a step on its device when it is the first of it there, whichever stream it runs on. */
static void note_begin(struct begins_found *f, uint32_t step, int64_t start_ns)
{
	uint32_t *place = &f->place[step];
	if (*place == NONE_ID) {
		*place = f->work.n;
		f->work.at[f->work.n++] = (struct begin){start_ns, step};
	} else if (start_ns < f->work.at[*place].at_ns) {
		f->work.at[*place].at_ns = start_ns;
	}
}

static int begin_order(const void *x, const void *y)
{
	const struct begin *a = x, *b = y;
	return a->at_ns != b->at_ns ? (a->at_ns < b->at_ns ? -1 : 1) : (a->step > b->step) - (a->step < b->step);
}

/* Steps of launched work of one stream; true when some work there has no launch (or shall follow its neighbours). */
static bool follow_launches(struct derived *d, const struct track_info *k)
{
	bool open = false;
	for (row_id r = (row_id)k->first; r < k->first + k->n; r++) {
		if (!row_is_work(d->pub.c, r))
			continue;
		uint32_t *step = &d->pub.step_of[r];
		if (*step == NONE_ID && d->pub.c->link[r] != NONE_ID)
			*step = d->pub.step_of[d->pub.c->link[r]];
		if (*step == NONE_ID)
			open |= d->pub.c->link[r] == NONE_ID || d->opts.semantics == SEM_XPROF;
	}
	return open;
}

static void note_begins(const struct derived *d, const struct track_info *k, struct begins_found *f)
{
	for (row_id r = (row_id)k->first; r < k->first + k->n; r++)
		if (row_is_work(d->pub.c, r) && d->pub.step_of[r] != NONE_ID)
			note_begin(f, d->pub.step_of[r], d->pub.c->start_ns[r]);
}

static void follow_neighbours(struct derived *d, const struct track_info *k, const struct begins *b)
{
	uint32_t next = 0;
	for (row_id r = (row_id)k->first; r < k->first + k->n; r++) {
		next = seek_later(b, next, b->n, d->pub.c->start_ns[r], begin_moment);
		/* a launch outside of all steps keeps its work outside, but for the reference tool */
		bool open = d->pub.c->link[r] == NONE_ID || d->opts.semantics == SEM_XPROF;
		if (next && open && d->pub.step_of[r] == NONE_ID && row_is_work(d->pub.c, r))
			d->pub.step_of[r] = b->at[next - 1].step;
	}
}

static void begins_sort(struct begins *b)
{
	if (b->n)
		sort_if_needed(b->at, b->n, sizeof *b->at, begin_order);
}

static struct begin *room_for_begins(const struct derived *d)
{
	return must(malloc(d->pub.n_steps * sizeof(struct begin)));
}

static void find_begins(const struct derived *d, const uint32_t *streams, uint32_t n, struct begins_found *f)
{
	if (!f->place) {
		f->work.at = room_for_begins(d);
		f->place = must(malloc(d->pub.n_steps * sizeof *f->place));
		for (uint32_t i = 0; i < d->pub.n_steps; i++)
			f->place[i] = NONE_ID;
	}
	for (uint32_t i = 0; i < f->work.n; i++) /* of the device before */
		f->place[f->work.at[i].step] = NONE_ID;
	f->work.n = 0;
	for (uint32_t i = 0; i < n; i++)
		note_begins(d, trace_track(d->pub.t, streams[i]), f);
	begins_sort(&f->work);
}

/* A device none of whose work has a launch in a step: its steps begin with their markers. */
static const struct begins *marker_begins(const struct derived *d, uint32_t host, struct begins_found *f)
{
	if (f->markers_host == host)
		return &f->markers;
	if (!f->markers.at)
		f->markers.at = room_for_begins(d);
	f->markers_host = host;
	f->markers.n = 0;
	for (uint32_t i = 0; i < d->pub.n_steps; i++) {
		const struct step *s = &d->pub.steps[i];
		if (s->host == host && (s->marker != NONE_ID || s->inferred))
			f->markers.at[f->markers.n++] = (struct begin){s->start_ns, i};
	}
	begins_sort(&f->markers);
	return &f->markers;
}

static void members_of_device(struct derived *d, uint32_t device, struct begins_found *f)
{
	uint32_t n;
	const uint32_t *tracks = device_streams(d, device, &n);
	bool open = false;
	for (uint32_t i = 0; i < n; i++)
		open |= follow_launches(d, trace_track(d->pub.t, tracks[i]));
	if (!open) /* mostly */
		return;
	find_begins(d, tracks, n, f);
	const struct begins *b = f->work.n ? &f->work : marker_begins(d, trace_device(d->pub.t, device)->host, f);
	for (uint32_t i = 0; i < n; i++)
		follow_neighbours(d, trace_track(d->pub.t, tracks[i]), b);
}

void device_members(struct derived *d)
{
	struct begins_found f = {.markers_host = NONE_ID};
	for (uint32_t i = 0; d->pub.n_steps && i < trace_devices(d->pub.t); i++)
		if (d->style[trace_device(d->pub.t, i)->host] != STYLE_NONE)
			members_of_device(d, i, &f);
	free(f.work.at);
	free(f.markers.at);
	free(f.place);
}

/* ---- order ------------------------------------------------------------------------------------------------------------- */

static bool has_device_work(const struct derived *d, uint32_t host)
{
	for (uint32_t i = 0; i < trace_devices(d->pub.t); i++) {
		uint32_t n;
		if (trace_device(d->pub.t, i)->host == host && (device_streams(d, i, &n), n))
			return true;
	}
	return false;
}

/* Extents from members; has_work[step] is set for steps with device work. */
static void measure(struct derived *d, bool *has_work)
{
	for (uint32_t i = 0; i < d->pub.n_steps; i++) {
		struct step *s = &d->pub.steps[i];
		if (s->marker == NONE_ID && !s->inferred) {
			s->start_ns = INT64_MAX;
			s->end_ns = INT64_MIN;
		}
		s->members_end_ns = s->end_ns;
	}
	for (row_id r = 0; r < d->pub.c->n; r++) {
		if (d->pub.step_of[r] == NONE_ID)
			continue;
		struct step *s = &d->pub.steps[d->pub.step_of[r]];
		int64_t end_ns = row_end(d->pub.c, r);
		if (row_is_work(d->pub.c, r))
			has_work[d->pub.step_of[r]] = true;
		if (end_ns > s->members_end_ns)
			s->members_end_ns = end_ns;
		if (s->marker == NONE_ID && !s->inferred && d->pub.c->start_ns[r] < s->start_ns)
			s->start_ns = d->pub.c->start_ns[r];
	}
	for (uint32_t i = 0; i < d->pub.n_steps; i++)
		if (d->pub.steps[i].marker == NONE_ID && !d->pub.steps[i].inferred)
			d->pub.steps[i].end_ns = d->pub.steps[i].members_end_ns;
}

static int by_host_and_time(const void *x, const void *y, void *arg)
{
	const struct derived *d = arg;
	const struct step *a = &d->pub.steps[*(const uint32_t *)x], *b = &d->pub.steps[*(const uint32_t *)y];
	if (a->host != b->host)
		return a->host < b->host ? -1 : 1;
	int order = step_time_order(a, b);
	return order ? order : (a->number > b->number) - (a->number < b->number);
}

/* Steps that were found in order stay where they are. */
static void renumber(struct derived *d, const uint32_t *order, uint32_t n)
{
	uint32_t kept = 0;
	while (kept < n && order[kept] == kept)
		kept++;
	if (kept == d->pub.n_steps)
		return;
	uint32_t *fresh = must(malloc(d->pub.n_steps * sizeof *fresh));
	struct step *sorted = must(malloc((n + (size_t)1) * sizeof *sorted));
	for (uint32_t i = 0; i < d->pub.n_steps; i++)
		fresh[i] = NONE_ID;
	for (uint32_t i = 0; i < n; i++) {
		fresh[order[i]] = i;
		sorted[i] = d->pub.steps[order[i]];
	}
	for (row_id r = 0; r < d->pub.c->n; r++)
		if (d->pub.step_of[r] != NONE_ID)
			d->pub.step_of[r] = fresh[d->pub.step_of[r]];
	free(fresh);
	free(d->pub.steps);
	d->pub.steps = sorted;
	d->pub.n_steps = n;
}

/* The reference tool keeps only groups that it sees on the host and on a device. */
static bool is_step(const struct derived *d, const struct step *s, bool has_work)
{
	bool both = d->opts.semantics == SEM_XPROF && d->style[s->host] != STYLE_CONTAIN && has_device_work(d, s->host);
	/* without work a marker, or what was inferred, still stands for a step; a number that nothing ran under does not */
	return has_work || (!both && (s->marker != NONE_ID || s->inferred));
}

void steps_settle(struct derived *d)
{
	bool *has_work = arena_alloc(&d->mem, d->pub.n_steps + 1);
	measure(d, has_work);
	uint32_t *order = must(malloc(d->pub.n_steps * sizeof *order)), n = 0;
	for (uint32_t i = 0; i < d->pub.n_steps; i++)
		if (is_step(d, &d->pub.steps[i], has_work[i]))
			order[n++] = i;
	if (n)
		sort_if_needed_r(order, n, sizeof *order, by_host_and_time, d);
	renumber(d, order, n);
	free(order);
}
