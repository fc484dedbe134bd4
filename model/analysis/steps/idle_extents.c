/* Idle time of each device from its first work to its last, and in the same walk that of its steps and before each of its busy times. */
#include "idle_one.h"
#include "breakdown.h"
#include "model/analysis/causes/cause_sums.h"
#include "model/analysis/derived/pauses.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/intervals.h"
#include "model/analysis/maths/largest.h"
#include "model/analysis/maths/moments.h"
#include "model/analysis/maths/order.h"
#include "model/analysis/query/halves.h"
#include "model/store/base/grow.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>

/* The time of a step on the device, or between it and the next one, cut to the window. */
struct stretch {
	int64_t a_ns, b_ns;
	uint32_t place; /* of its sums */
};
/* One that the walk is in. */
struct open_stretch {
	struct stretch x;
	uint32_t causes; /* bits: those that may have time */
	struct idle_sums sums;
};
struct walk {
	READER_APART const struct derived *d;
	const struct query *q;
	struct progress *progress;
	struct idle_extents *made;
	bool apart;       /* idles_are_apart */
	struct arena mem; /* of what is kept of the devices */
	struct idles *idles;
	uint32_t device;
	struct moment *at; /* stretches by their start, each with the place of its sums; */
	uint32_t n, next;  /* the first that has not begun */
	struct open_stretch *open;
	uint32_t n_open, cap_open;
	const struct idle_kept **sums; /* of steps, then of what is between them, by place in derived_step_devices */
	struct idle_main *mains;       /* of what is between them, */
	struct idle_own *own;          /* NULL: it is told of none; */
	struct between {               /* the one that the walk is in: they follow each other */
		uint32_t place, used;
		row_id next;                        /* the work that ends it */
		bool whole, wider;                  /* whole: all of it is known */
		struct idle_part part[CAUSE_COUNT]; /* what is not used holds anything */
	} between;
	bool in_between;        /* the idle time at hand meets one of these */
	struct largest longest; /* struct idle_long */
	struct idle_launches *launches;
	uint32_t *launch_ns;
};

/* ---- of idle.c ------------------------------------------------------------------------------------------------------- */

static void find_starters(const struct derived *d, uint32_t track, const struct interval *busy, uint32_t n, row_id *row)
{
	const struct columns *c = derived_columns(d);
	const struct track_info *k = trace_track(derived_trace(d), track);
	row_id end = (row_id)(k->first + k->n), r = n ? first_row_from(c, k, busy->a_ns) : end;
	for (uint32_t i = 0; r < end && i < n; r++) {
		i = intervals_from(busy, i, n, c->start_ns[r]);
		if (i < n && busy[i].a_ns == c->start_ns[r] && row[i] == NONE_ID && row_is_work(c, r))
			row[i] = r;
	}
}

void idle_starters(const struct derived *d, uint32_t device, const struct interval *busy, uint32_t n, row_id *row)
{
	uint32_t tracks;
	const uint32_t *streams = device_streams(d, device, &tracks);
	for (uint32_t i = 0; i < n; i++)
		row[i] = NONE_ID;
	for (uint32_t i = 0; i < tracks; i++)
		find_starters(d, streams[i], busy, n, row);
}

struct idle_sums idle_sums_of(const struct idle_split *s)
{
	struct idle_sums v = {.idle_ns = s->idle_ns,
			      .latency_ns = s->latency_ns,
			      .longest_ns = s->longest_ns,
			      .longest_row = s->longest_row,
			      .n = s->n};
	for (int i = 0; i < CAUSE_COUNT; i++)
		v.ns[i] = s->part[i].ns;
	return v;
}

/* ---- steps ----------------------------------------------------------------------------------------------------------- */

static void note_longest(struct idle_sums *s, int64_t ns, row_id next)
{
	if (ns <= s->longest_ns)
		return;
	s->longest_ns = ns;
	s->longest_row = next;
}

/* Of equal causes the first. */
struct idle_main idle_main_of(const struct idle_part part[CAUSE_COUNT], uint32_t used, bool wider)
{
	struct idle_main m = {.row = NONE_ID, .wider = wider};
	for (uint32_t left = used & ~(1u << CAUSE_UNKNOWN); left; left &= left - 1) {
		uint8_t cause = (uint8_t)__builtin_ctz(left);
		const struct idle_part *p = &part[cause];
		m.waits |= p->ns && (cause == CAUSE_SYNC || cause == CAUSE_LOSS_SCALING);
		if (p->ns <= m.ns)
			continue;
		m.ns = p->ns;
		m.trusted = (int64_t)p->trusted;
		m.row = p->row;
		m.cause = cause;
	}
	return m;
}

/* Its trust may need more than 64 bits. */
static bool is_too_long(int64_t a_ns, int64_t b_ns)
{
	return b_ns - a_ns >= INT64_MAX / 200;
}

/* Of the main cause, where its thread tells it. */
static struct idle_own own_between(const struct walk *w, uint32_t place, enum cause cause)
{
	uint32_t n;
	const struct step_device *before = derived_step_devices(w->d, &n) + place;
	struct interval stretch = {before->last_ns, before[1].first_ns};
	if (cause == CAUSE_UNKNOWN || cause == CAUSE_CONTENTION)
		return (struct idle_own){0};
	return idle_own_of(w->idles, w->between.next, stretch, cause);
}

static void settle_between(struct walk *w)
{
	struct between *b = &w->between;
	if (b->place != NONE_ID) {
		struct idle_main *m = &w->mains[b->place];
		*m = idle_main_of(b->part, b->used, b->wider);
		m->told = b->whole;
		if (w->own && m->told)
			w->own[b->place] = own_between(w, b->place, (enum cause)m->cause);
	}
	b->place = NONE_ID;
}

static void add_part(struct between *b, enum cause cause, const struct idle_part *p)
{
	struct idle_part *sum = &b->part[cause];
	if (!(b->used >> cause & 1))
		*sum = (struct idle_part){.row = NONE_ID};
	b->used |= 1u << cause;
	sum->ns += p->ns;
	sum->trusted += p->trusted;
	if (p->row_ns > sum->row_ns) {
		sum->row = p->row;
		sum->row_ns = p->row_ns;
	}
}

/* What the window cuts is not told, nor what is too long. */
static void add_to_between(struct walk *w, const struct stretch *x, const struct idle_time *t)
{
	uint32_t n;
	const struct step_device *parts = derived_step_devices(w->d, &n);
	struct between *b = &w->between;
	if (x->place < n)
		return;
	if (b->place != x->place - n) {
		const struct step_device *before = &parts[x->place - n];
		settle_between(w);
		b->place = x->place - n;
		b->used = 0;
		b->whole =
			before->last_ns == x->a_ns && before[1].first_ns == x->b_ns && !is_too_long(x->a_ns, x->b_ns);
		b->wider = false;
	}
	w->in_between = true;
	b->whole &= x->a_ns <= t->from_ns && t->to_ns <= x->b_ns;
	b->wider |= t->wider;
	b->next = t->next;
	for (uint32_t left = t->used; left; left &= left - 1)
		add_part(b, (enum cause)__builtin_ctz(left), &t->part[__builtin_ctz(left)]);
}

static void add_time(void *sums, const struct idle_time *t)
{
	struct idle_sums *s = sums;
	for (uint32_t left = t->used; left; left &= left - 1)
		s->ns[__builtin_ctz(left)] += t->part[__builtin_ctz(left)].ns;
	s->idle_ns += t->to_ns - t->from_ns;
	s->latency_ns += t->latency_ns;
	s->n++;
	note_longest(s, t->to_ns - t->from_ns, t->next);
}

/* What of it lies in the stretch. */
static void add_cut(struct walk *w, const struct idle_time *t, const struct stretch *x, struct idle_sums *s)
{
	int64_t a_ns = later(x->a_ns, t->from_ns), b_ns = earlier(x->b_ns, t->to_ns);
	if (!t->charged) {
		idle_cut(w->idles, w->device, t->i, (struct interval){x->a_ns, x->b_ns}, add_time, s);
		return;
	}
	for (uint32_t i = 0; i < t->n_charged; i++) {
		const struct idle_charged *c = &t->charged[i];
		s->ns[c->cause] += later(0, earlier(c->b_ns, b_ns) - later(c->a_ns, a_ns));
	}
	if (t->drawn)
		cause_sums_add(t->drawn, later(t->drawn_a_ns, a_ns), earlier(t->drawn_b_ns, b_ns), s->ns);
	s->idle_ns += b_ns - a_ns;
	s->latency_ns += latency_met(t->latency, a_ns, b_ns);
	s->n++;
	note_longest(s, b_ns - a_ns, t->next);
}

static struct stretch stretch_of(const struct walk *w, uint32_t place)
{
	uint32_t n;
	const struct step_device *parts = derived_step_devices(w->d, &n);
	struct stretch x = {.place = place};
	if (place < n)
		step_time(w->d, parts[place].step, w->device, &x.a_ns, &x.b_ns);
	else
		x = (struct stretch){parts[place - n].last_ns, parts[place - n + 1].first_ns, place};
	query_clip(w->q, &x.a_ns, &x.b_ns);
	return x;
}

static void open_stretches(struct walk *w, int64_t until_ns)
{
	for (; w->next < w->n && w->at[w->next].ts_ns < until_ns; w->next++) {
		GROW_ARRAY(w->open, w->n_open, w->cap_open);
		struct open_stretch *o = &w->open[w->n_open++];
		*o = (struct open_stretch){stretch_of(w, w->at[w->next].id), 0, {.longest_row = NONE_ID}};
	}
}

/* Nothing more is added to it; the last one takes its place. */
static void close_stretch(struct walk *w, uint32_t k)
{
	const struct open_stretch *o = &w->open[k];
	w->sums[o->x.place] = idle_sums_keep(&o->sums, o->causes, &w->mem);
	if (k != --w->n_open)
		w->open[k] = w->open[w->n_open];
}

static void add_to_steps(struct walk *w, const struct idle_time *t)
{
	w->in_between = false;
	open_stretches(w, t->to_ns);
	for (uint32_t k = 0; k < w->n_open;) {
		const struct stretch *x = &w->open[k].x;
		if (x->b_ns <= t->from_ns) {
			close_stretch(w, k);
			continue;
		}
		add_to_between(w, x, t);
		w->open[k].causes |= t->used;
		if (x->a_ns <= t->from_ns && t->to_ns <= x->b_ns)
			add_time(&w->open[k].sums, t);
		else
			add_cut(w, t, x, &w->open[k].sums);
		k++;
	}
}

static void close_all(struct walk *w)
{
	open_stretches(w, INT64_MAX);
	while (w->n_open)
		close_stretch(w, 0);
}

/* Of a stretch that lies between the device's first work and its last. */
static void add_stretch(struct walk *w, uint32_t place)
{
	int64_t first_ns, last_ns;
	struct stretch x = stretch_of(w, place);
	if (x.a_ns < x.b_ns && idle_extent(w->d, w->device, &first_ns, &last_ns) && x.a_ns >= first_ns &&
	    x.b_ns <= last_ns)
		w->at[w->n++] = (struct moment){x.a_ns, place};
}

/* Those of the device's steps, of parts[from .. to), and what is between them. */
static void find_stretches(struct walk *w, uint32_t from, uint32_t to)
{
	uint32_t n;
	derived_step_devices(w->d, &n);
	w->n = w->next = w->n_open = 0;
	for (uint32_t i = from; i < to; i++) {
		add_stretch(w, i);
		if (i + 1 < to)
			add_stretch(w, n + i);
	}
	moments_sort(w->at, w->n);
}

/* ---- busy times ------------------------------------------------------------------------------------------------------ */

static void note_launch(struct walk *w, const struct idle_time *t)
{
	if (t->i < w->launches->from || t->i - w->launches->from >= w->launches->n)
		return;
	int64_t ns = t->used >> CAUSE_LAUNCH & 1 ? t->part[CAUSE_LAUNCH].ns : 0;
	w->launch_ns[t->i - w->launches->from] = ns < IDLE_NOT_TOLD ? (uint32_t)ns : IDLE_NOT_TOLD;
}

static void find_busy(struct walk *w, struct arena *mem)
{
	const struct intervals *busy = derived_busy_device(w->d, w->device);
	uint32_t end = w->q->b_ns == INT64_MAX ? busy->n : intervals_after(busy, w->q->b_ns);
	w->launches->from = w->q->a_ns == INT64_MIN ? 0 : intervals_after(busy, w->q->a_ns);
	w->launches->n = (end < busy->n ? end + 1 : end) - w->launches->from;
	w->launches->ns = w->launch_ns = arena_alloc(mem, (w->launches->n + (size_t)1) * sizeof *w->launch_ns);
}

/* ---- the longest ----------------------------------------------------------------------------------------------------- */

static int by_place(const void *x, const void *y)
{
	const struct idle_long *a = x, *b = y;
	if (a->device != b->device)
		return a->device < b->device ? -1 : 1;
	return a->a_ns < b->a_ns ? -1 : a->a_ns > b->a_ns;
}

static int longer_first(const void *x, const void *y)
{
	const struct idle_long *a = x, *b = y;
	int64_t a_ns = a->b_ns - a->a_ns, b_ns = b->b_ns - b->a_ns;
	return a_ns != b_ns ? (a_ns > b_ns ? -1 : 1) : by_place(x, y);
}

/* Those that the window does not cut. */
static void note_long(struct walk *w, const struct idle_time *t)
{
	const struct intervals *busy = derived_busy_device(w->d, w->device);
	struct idle_long x = {t->from_ns, t->to_ns, w->device, {0}};
	if (w->in_between || !t->i || t->i >= busy->n || busy->at[t->i - 1].b_ns != x.a_ns ||
	    busy->at[t->i].a_ns != x.b_ns || is_too_long(x.a_ns, x.b_ns))
		return;
	const struct idle_long *least = (const struct idle_long *)w->longest.at;
	if (w->longest.n == w->longest.max && longer_first(least, &x) < 0)
		return;
	x.main = idle_main_of(t->part, t->used, t->wider);
	x.main.told = true;
	largest_offer(&w->longest, &x);
}

static void join_longest(struct idle_extents *made, const struct walk of[2], struct arena *mem)
{
	struct idle_long *all = arena_alloc(mem, (of[0].longest.n + of[1].longest.n + (size_t)1) * sizeof *all);
	for (int i = 0; i < 2; i++) {
		if (of[i].longest.n)
			memcpy(all + made->n_longest, of[i].longest.at, of[i].longest.n * sizeof *all);
		made->n_longest += of[i].longest.n;
	}
	if (made->n_longest)
		qsort(all, made->n_longest, sizeof *all, by_place);
	made->longest = all;
}

/* ---- all of it ------------------------------------------------------------------------------------------------------- */

/* What ends with no work of its own, or is filtered away, has no launch latency. */
static void take(void *arg, const struct idle_time *t)
{
	struct walk *w = arg;
	note_launch(w, t);
	add_to_steps(w, t);
	note_long(w, t);
}

/* A window that ends or begins in a pause of the profiler: where the device's work does. */
static void leave_pauses_out(const struct walk *w, uint32_t device, int64_t *a_ns, int64_t *b_ns)
{
	const struct intervals *off = derived_off(w->d, device);
	for (uint32_t i = 0; i < off->n; i++) {
		*a_ns = off->at[i].a_ns <= w->q->a_ns && w->q->a_ns < off->at[i].b_ns ? off->at[i].b_ns : *a_ns;
		*b_ns = off->at[i].a_ns < w->q->b_ns && w->q->b_ns <= off->at[i].b_ns ? off->at[i].a_ns : *b_ns;
	}
}

/* Of steps that reach out of the device's first work and last. */
static void ask_for_the_rest(struct walk *w, uint32_t from, uint32_t to)
{
	uint32_t n;
	const struct step_device *parts = derived_step_devices(w->d, &n);
	for (uint32_t i = from; i < to; i++) {
		struct idle_split s;
		int64_t a_ns, b_ns;
		if (w->sums[i])
			continue;
		step_time(w->d, parts[i].step, w->device, &a_ns, &b_ns);
		query_clip(w->q, &a_ns, &b_ns);
		if (a_ns >= b_ns)
			continue;
		idle_between(w->idles, w->device, a_ns, b_ns, &s);
		struct idle_sums sums = idle_sums_of(&s);
		w->sums[i] = idle_sums_keep(&sums, ~0u, &w->mem);
	}
}

static void walk_device(struct walk *w, uint32_t device, uint32_t from, uint32_t to)
{
	int64_t a_ns, b_ns;
	if (!idle_extent(w->d, device, &a_ns, &b_ns) || a_ns >= w->q->b_ns || b_ns <= w->q->a_ns)
		return;
	leave_pauses_out(w, device, &a_ns, &b_ns);
	w->device = device;
	w->launches = &w->made->launches[device];
	if (w->apart) {
		find_busy(w, &w->mem);
		find_stretches(w, from, to);
	}
	idle_each(w->idles, device, a_ns, b_ns, w->apart ? take : NULL, w, (struct idle_split *)&w->made->of[device]);
	settle_between(w);
	close_all(w);
	if (w->apart)
		ask_for_the_rest(w, from, to);
}

/* One after the other: a device's own are all the memory that its questions need. */
static bool walk_devices(void *reader, uint32_t first, uint32_t end)
{
	struct walk *w = reader;
	uint32_t n, from = 0, to;
	const struct step_device *parts = derived_step_devices(w->d, &n);
	while (from < n && parts[from].device < first)
		from++;
	for (uint32_t i = first; i < end && !progress_cancelled(w->progress); i++, from = to) {
		for (to = from; to < n && parts[to].device == i;)
			to++;
		walk_device(w, i, from, to);
	}
	return !progress_cancelled(w->progress);
}

static void walk_open(struct walk *w, const struct walk *like, uint32_t parts)
{
	*w = *like;
	w->idles = idles_new(w->d, w->q, NONE_ID);
	w->between.place = NONE_ID;
	w->longest = largest_new(&w->mem, IDLE_LONGEST, sizeof(struct idle_long), longer_first);
	w->at = must(malloc((2 * (size_t)parts + 1) * sizeof *w->at));
}

static void walk_free(struct walk *w, struct arena *mem)
{
	if (!w->idles)
		return;
	free(w->at);
	free(w->open);
	idles_free(w->idles);
	arena_adopt(mem, &w->mem);
}

static bool make_extents(const struct derived *d, const struct query *q, void *out, struct arena *mem,
			 struct progress *p, struct err *e)
{
	uint32_t n;
	struct idle_extents *made = out;
	size_t devices = trace_devices(derived_trace(d)) + (size_t)1;
	struct walk like = {.d = d, .q = q, .progress = p, .made = made, .apart = idles_are_apart(d)}, of[2] = {0};
	derived_step_devices(d, &n);
	struct halves h = halves_of_devices(d);
	if (!like.apart) /* one line may be drawn for two devices */
		h.middle = h.end;
	made->mains = like.mains = arena_alloc(mem, (n + (size_t)1) * sizeof *like.mains);
	if (cause_lines_at_once(d))
		made->own = like.own = arena_alloc(mem, (n + (size_t)1) * sizeof *like.own);
	made->of = arena_alloc(mem, devices * sizeof *made->of);
	made->launches = arena_alloc(mem, devices * sizeof *made->launches);
	like.sums = arena_alloc(mem, (2 * (size_t)n + 1) * sizeof *like.sums);
	made->steps = like.sums;
	made->between = like.sums + n;
	for (int i = 0; i < 1 + halves_two(&h); i++)
		walk_open(&of[i], &like, n);
	bool whole = halves_read(&h, walk_devices, &of[0], &of[1]);
	join_longest(made, of, mem);
	walk_free(&of[0], mem);
	walk_free(&of[1], mem);
	return whole || err_usage(e, "cancelled");
}

const struct shared_part idle_extents_part = {sizeof(struct idle_extents), make_extents};

bool idle_extent(const struct derived *d, uint32_t device, int64_t *a_ns, int64_t *b_ns)
{
	const struct intervals *busy = derived_busy_device(d, device);
	if (!busy->n)
		return false;
	*a_ns = busy->at[0].a_ns;
	*b_ns = busy->at[busy->n - 1].b_ns;
	return true;
}

static bool one_thread_has_markers(const struct derived *d)
{
	for (uint32_t i = 0, last = NONE_ID; i < derived_steps(d); i++) {
		const struct step *s = derived_step(d, i), *before = last == NONE_ID ? s : derived_step(d, last);
		if (s->marker == NONE_ID)
			continue;
		if (last != NONE_ID && s->host == before->host &&
		    derived_columns(d)->track[s->marker] != derived_columns(d)->track[before->marker])
			return false;
		last = i;
	}
	return true;
}

/* Whether a thread carries markers is told by those near a question, and matters for Python frames: the same for all questions only
 * where each host has them on one thread of one process, or where there are no frames. */
bool idles_are_apart(const struct derived *d)
{
	const struct columns *c = derived_columns(d);
	return one_thread_has_markers(d) || !memchr(c->kind, KIND_PYTHON, c->n);
}

struct idles *idles_for_each(const struct derived *d, const struct query *all)
{
	return idles_are_apart(d) ? idles_new(d, all, NONE_ID) : NULL;
}

void idle_part_seen(struct idle_part *p, int trust)
{
	__int128 seen = (__int128)p->ns * trust;
	p->trusted = p->trusted > seen ? p->trusted : seen;
}
