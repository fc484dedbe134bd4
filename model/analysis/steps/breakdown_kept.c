#include "breakdown_kept.h"
#include "model/analysis/derived/derived.h"
#include "model/analysis/query/halves.h"
#include "model/analysis/query/shared.h"
#include "model/store/base/grow.h"
#include "model/store/base/memory.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* ---- narrow --------------------------------------------------------------------------------------------------------------- */

struct breakdown breakdown_widened(const struct breakdown_narrow *b, const struct step *s)
{
	int64_t list[BREAKDOWN_TIMES] = {0}, a_ns = breakdown_a_ns(b, s);
	struct breakdown out = {.a_ns = a_ns,
				.b_ns = a_ns + breakdown_dur_ns(b),
				.other_ns = breakdown_other_ns(b),
				.classes = breakdown_classes(b),
				.n_events = b->n_events,
				.cut = b->cut};
	narrow_spread(b->kept, b->times, list);
	memcpy(out.ns, list + BREAKDOWN_CLASSES, sizeof out.ns);
	return out;
}

/* ---- kept ----------------------------------------------------------------------------------------------------------------- */

struct breakdown_kept {
	breakdown_slot *at; /* parts on devices, then steps without one; NULL: not made yet */
	struct arena *mem;
	pthread_mutex_t lock; /* of `mem` */
};
static const struct breakdown_narrow none; /* the step is none */

/* Some step is asked for without a device. */
static bool any_without_device(const struct derived *d)
{
	uint32_t n, step = 0;
	if (derived_public(d)->semantics == SEM_XPROF)
		return true;
	while (step < derived_steps(d) && derived_parts_of_step(d, step, &n) && n)
		step++;
	return step < derived_steps(d);
}

static void begin_kept(const struct derived *d, struct breakdown_kept *k, struct arena *mem)
{
	uint32_t parts;
	derived_step_devices(d, &parts);
	size_t n = (size_t)parts + (any_without_device(d) ? derived_steps(d) : 0) + 1;
	k->at = arena_alloc(mem, n * sizeof *k->at);
	pages_take(k->at, n * sizeof *k->at);
	k->mem = mem;
	k->lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

static bool make_part(const struct derived *d, const struct query *q, void *out, struct arena *mem, struct progress *p,
		      struct err *e)
{
	(void)q, (void)p, (void)e;
	begin_kept(d, out, mem);
	return true;
}

static const struct shared_part part = {sizeof(struct breakdown_kept), make_part};

struct breakdown_kept *breakdown_kept_of(const struct derived *d, const struct query *q)
{
	return shared_fits(q) ? (struct breakdown_kept *)shared_part(&part, d, q, NULL, NULL, NULL) : NULL;
}

struct breakdown_kept *breakdown_kept_in(const struct derived *d, struct arena *mem)
{
	struct breakdown_kept *k = arena_alloc(mem, sizeof *k);
	begin_kept(d, k, mem);
	return k;
}

const breakdown_slot *breakdown_slots(const struct breakdown_kept *kept)
{
	return kept->at;
}

size_t breakdown_place(const struct derived *d, uint32_t step, uint32_t device)
{
	uint32_t n;
	const struct step_device *all = derived_step_devices(d, &n),
				 *of = device == NONE_ID ? NULL : derived_step_device(d, step, device);
	return of ? (size_t)(of - all) : (size_t)n + step;
}

static const struct breakdown_narrow *look(const struct breakdown_kept *k, size_t at)
{
	return k ? atomic_load_explicit(&k->at[at], memory_order_acquire) : NULL;
}

static uint32_t *take_words(struct breakdown_kept *k, struct breakdown_room *room, size_t words)
{
	enum { PIECE = 256 }; /* a few dozen breakdowns */
	if (room->of != k || room->words < words) {
		pthread_mutex_lock(&k->lock);
		*room = (struct breakdown_room){k, arena_room_words(k->mem, PIECE * sizeof *room->at), PIECE};
		pthread_mutex_unlock(&k->lock);
	}
	room->at += words;
	room->words -= words;
	return room->at - words;
}

/* Times that are kept, one after the other. */
struct list {
	int64_t ns[BREAKDOWN_TIMES];
	uint64_t all;
	uint32_t bits, n;
};

static inline void add_time(struct list *x, int64_t ns, uint32_t bit)
{
	if (!ns)
		return;
	x->bits |= bit;
	x->all |= (uint64_t)ns;
	x->ns[x->n++] = ns;
}

/* In the room of what it has; breakdown_widened gives `b` again. */
static const struct breakdown_narrow *narrowed(struct breakdown_kept *k, struct breakdown_room *room,
					       const struct breakdown *b, const struct step *s)
{
	struct list x; /* of whose times only those that are kept are written */
	x.all = x.bits = x.n = 0;
	add_time(&x, b->b_ns - b->a_ns, 1u << BREAKDOWN_DUR);
	for (uint32_t left = b->classes; left; left &= left - 1)
		add_time(&x, b->ns[__builtin_ctz(left)], (left & -left) << BREAKDOWN_CLASSES);
	add_time(&x, b->a_ns - s->start_ns, 1u << BREAKDOWN_LATER);
	struct narrow times = narrow_made(x.bits, x.all);
	struct breakdown_narrow *out =
		(void *)take_words(k, room, sizeof *out / sizeof(uint32_t) + x.n * (narrow_wide(times) ? 2u : 1u));
	out->times = times;
	out->n_events = b->n_events & 0x7fffffff;
	out->cut = b->cut;
	for (uint32_t i = 0; i < x.n; i++)
		narrow_keep(out->kept, times, i, x.ns[i]);
	return out;
}

/* s: NULL: it is no step. Another thread that made the same at the same time wrote the same. */
static void keep(struct breakdown_kept *k, size_t at, struct breakdowns *by, const struct breakdown *b,
		 const struct step *s)
{
	const struct breakdown_narrow *made = s ? narrowed(k, breakdowns_room(by), b, s) : &none;
	atomic_store_explicit(&k->at[at], made, memory_order_release);
}

static bool make(struct breakdowns *b, size_t place, uint32_t step, uint32_t device, struct breakdown *out)
{
	const struct derived *d = breakdowns_derived(b);
	uint32_t n;
	const struct step_device *parts = derived_step_devices(d, &n);
	if (derived_public(d)->semantics == SEM_XPROF)
		return breakdown_pooled(b, step, out);
	if (place < n)
		breakdown_part(b, &parts[place], out);
	else
		breakdown_step(b, step, device, out);
	return true;
}

bool breakdown_of_place(struct breakdowns *b, struct breakdown_kept *kept, size_t place, uint32_t step, uint32_t device,
			struct breakdown *out)
{
	const struct breakdown_narrow *known = look(kept, place);
	const struct step *s = derived_step(breakdowns_derived(b), step);
	if (known && known != &none)
		*out = breakdown_widened(known, s);
	if (known)
		return known != &none;
	bool is_step = make(b, place, step, device, out);
	if (kept)
		keep(kept, place, b, out, is_step ? s : NULL);
	return is_step;
}

bool breakdown_of(struct breakdowns *b, struct breakdown_kept *kept, uint32_t step, uint32_t device,
		  struct breakdown *out)
{
	size_t place = breakdown_place(breakdowns_derived(b), step, device);
	return breakdown_of_place(b, kept, place, step, device, out);
}

const struct breakdown_narrow *breakdown_kept_in_place(const struct breakdown_kept *kept, size_t place)
{
	const struct breakdown_narrow *known = look(kept, place);
	return known == &none ? NULL : known;
}

const struct breakdown_narrow *breakdown_kept_at(struct breakdown_kept *kept, const struct derived *d, uint32_t step,
						 uint32_t device)
{
	return kept ? breakdown_kept_in_place(kept, breakdown_place(d, step, device)) : NULL;
}

/* ---- all of them, by two threads ---------------------------------------------------------------------------------------- */

struct maker {
	READER_APART const struct derived *d;
	const struct query *q;
	const struct counted_steps *only;
	struct progress *progress;
	struct breakdown_kept *kept;
	struct breakdowns *breakdowns; /* NULL: none was missing so far */
};

static void make_place(struct maker *x, size_t place, uint32_t step, uint32_t device)
{
	struct breakdown b;
	if (look(x->kept, place))
		return;
	if (!x->breakdowns)
		x->breakdowns = breakdown_new(x->d, x->q);
	breakdown_of_place(x->breakdowns, x->kept, place, step, device, &b);
}

static void make_step(struct maker *x, uint32_t step)
{
	bool pooled = derived_options(x->d)->semantics == SEM_XPROF;
	uint32_t all, n;
	const struct step_device *parts = derived_step_devices(x->d, &all);
	const uint32_t *of = derived_parts_of_step(x->d, step, &n);
	if ((x->q->by_step && (step < x->q->step_first || step > x->q->step_last)) ||
	    (x->only && !step_counts(x->only, step)))
		return;
	for (uint32_t k = 0; !pooled && k < n; k++)
		make_place(x, of[k], step, parts[of[k]].device);
	if (pooled || !n)
		make_place(x, breakdown_place(x->d, step, NONE_ID), step, NONE_ID);
}

static bool make_steps(void *reader, uint32_t from, uint32_t to)
{
	struct maker *x = reader;
	for (uint32_t i = from; i < to && !progress_cancelled(x->progress); i++)
		make_step(x, i);
	return true;
}

/* Who keeps nothing gets what few steps need. */
static struct breakdown_kept *kept_or_new(const struct derived *d, const struct query *q, struct arena *mem)
{
	enum { MOST_PARTS = 1 << 16 };
	uint32_t parts;
	struct breakdown_kept *kept = breakdown_kept_of(d, q);
	derived_step_devices(d, &parts);
	if (kept || (uint64_t)parts + derived_steps(d) > MOST_PARTS)
		return kept;
	return breakdown_kept_in(d, mem);
}

struct breakdown_kept *breakdowns_made(const struct derived *d, const struct query *q, const struct counted_steps *only,
				       struct arena *mem, struct progress *p)
{
	struct halves h = halves_of_steps(d);
	struct breakdown_kept *kept = halves_two(&h) ? kept_or_new(d, q, mem) : breakdown_kept_of(d, q);
	struct maker of[2];
	if (!kept || !halves_two(&h))
		return kept;
	for (int i = 0; i < 2; i++)
		of[i] = (struct maker){.d = d, .q = q, .only = only, .progress = p, .kept = kept};
	halves_read(&h, make_steps, &of[0], &of[1]);
	breakdown_free(of[0].breakdowns);
	breakdown_free(of[1].breakdowns);
	return kept;
}

/* ---- the question before ---------------------------------------------------------------------------------------------- */

static bool same_interval(struct interval x, struct interval y)
{
	return x.a_ns == y.a_ns && x.b_ns == y.b_ns;
}

static bool same_time(const struct again_time *x, const struct again_time *y)
{
	return same_interval(x->whole, y->whole) && same_interval(x->part, y->part) && x->host == y->host &&
	       x->process == y->process && x->by_time == y->by_time;
}

bool again_is(struct again *x, struct again_time time, const uint32_t *threads, uint32_t n)
{
	if (x->asked && same_time(&x->time, &time) && x->n == n &&
	    (!n || !memcmp(x->threads, threads, n * sizeof *threads)))
		return true;
	x->time = time;
	x->n = 0;
	for (uint32_t i = 0; i < n; i++) {
		GROW_ARRAY(x->threads, x->n, x->cap);
		x->threads[x->n++] = threads[i];
	}
	x->asked = true;
	x->made = false;
	return false;
}

static void again_drop(struct again *x)
{
	for (int i = 0; i < TIME_COUNT; i++) {
		intervals_free(&x->upto[i].of);
		x->upto[i] = (struct upto){0};
	}
}

/* Classes that the threads have nothing of add nothing to those before. */
void again_made(struct again *x)
{
	int last = TIME_INPUT_WAIT;
	again_drop(x);
	for (int i = TIME_INPUT_WAIT; i < TIME_COUNT; i++) {
		const struct intervals *before = &x->upto[last].of;
		struct interval_list both = {0}, sum = {.at = (struct interval *)before->at, .n = before->n};
		if (x->at[i].n) {
			intervals_unite(&both, &sum, &x->at[i]);
			x->upto[i] = (struct upto){.of = intervals_seal(&both)};
			x->upto[i].ns = intervals_total(&x->upto[i].of);
			last = i;
		}
		x->last[i] = last;
	}
	x->made = true;
}

bool again_is_longer(const struct again *x, const struct interval_list *with)
{
	enum { LOOK_UP = 16 }; /* costs as much as so many intervals that are gone through */
	return with->n < x->upto[x->last[TIME_COUNT - 1]].of.n / LOOK_UP;
}

/* Devices mostly work for a step one after the other, as they are launched. */
int64_t again_covered(struct again *x, const struct interval_list *with, int class)
{
	struct upto *u = &x->upto[x->last[class]];
	int64_t ns = u->ns;
	for (uint32_t i = 0; i < with->n; i++) {
		struct interval v = with->at[i];
		u->near = intervals_after_near(&u->of, u->near, v.a_ns);
		ns += v.b_ns - v.a_ns - intervals_within_from(&u->of, u->near, v.a_ns, v.b_ns);
	}
	return ns;
}

void again_free(struct again *x)
{
	again_drop(x);
	for (int i = 0; i < TIME_COUNT; i++)
		interval_list_free(&x->at[i]);
	free(x->threads);
}
