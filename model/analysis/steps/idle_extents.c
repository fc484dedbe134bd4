/* Idle time of each device from its first work to its last, and in the same walk that of its steps and before each of its busy times. */
#include "idle_one.h"
#include "idle_stretches.h"
#include "model/analysis/derived/pauses.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/intervals.h"
#include "model/analysis/maths/largest.h"
#include "model/analysis/maths/order.h"
#include "model/analysis/query/halves.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>

struct walk {
	READER_APART const struct derived *d;
	const struct query *q;
	struct progress *progress;
	struct idle_extents *made;
	bool apart;       /* idles_are_apart */
	struct arena mem; /* of what is kept of the devices */
	struct idles *idles;
	uint32_t device;
	struct idle_stretches stretches;
	struct largest longest; /* struct idle_long */
	struct idle_launches *launches;
	uint32_t *launch_ns;
};

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
	if (w->stretches.in_between || !t->i || t->i >= busy->n || busy->at[t->i - 1].b_ns != x.a_ns ||
	    busy->at[t->i].a_ns != x.b_ns || idle_is_too_long(x.a_ns, x.b_ns))
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
	idle_stretches_add(&w->stretches, t);
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
		idle_stretches_of(&w->stretches, device, from, to);
	}
	idle_each(w->idles, device, a_ns, b_ns, w->apart ? take : NULL, w, (struct idle_split *)&w->made->of[device]);
	if (!w->apart)
		return;
	idle_stretches_settle(&w->stretches);
	idle_stretches_rest(&w->stretches, from, to);
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

static void walk_open(struct walk *w, const struct walk *like)
{
	*w = *like;
	w->idles = idles_new(w->d, w->q, NONE_ID);
	w->longest = largest_new(&w->mem, IDLE_LONGEST, sizeof(struct idle_long), longer_first);
	w->stretches.idles = w->idles;
	w->stretches.room.mem = &w->mem;
	idle_stretches_open(&w->stretches);
}

static void walk_free(struct walk *w, struct arena *mem)
{
	if (!w->idles)
		return;
	idle_stretches_free(&w->stretches);
	idles_free(w->idles);
	arena_adopt(mem, &w->mem);
}

/* What they find of the n parts of steps is the answer's. */
static struct idle_stretches stretches_for(const struct derived *d, const struct query *q, uint32_t n,
					   struct idle_extents *made, struct arena *mem)
{
	struct idle_stretches s = {.d = d, .q = q};
	made->mains = s.mains = arena_alloc(mem, (n + (size_t)1) * sizeof *s.mains);
	if (cause_lines_at_once(d))
		made->own = s.own = arena_room(mem, (n + (size_t)1) * sizeof *s.own);
	s.sums = arena_alloc(mem, (2 * (size_t)n + 1) * sizeof *s.sums);
	made->steps = s.sums;
	made->between = s.sums + n;
	return s;
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
	like.stretches = stretches_for(d, q, n, made, mem);
	made->of = arena_alloc(mem, devices * sizeof *made->of);
	made->launches = arena_alloc(mem, devices * sizeof *made->launches);
	for (int i = 0; i < 1 + halves_two(&h); i++)
		walk_open(&of[i], &like);
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
