#include "idle_stretches.h"
#include "idle_one.h"
#include "breakdown.h"
#include "model/analysis/causes/cause_sums.h"
#include "model/analysis/maths/order.h"
#include "model/store/base/grow.h"
#include "model/store/base/memory.h"
#include <stdlib.h>

struct open_stretch {
	struct stretch x;
	uint32_t causes; /* bits: those that may have time; the times of others hold anything */
	struct idle_sums sums;
};

static inline struct stretch stretch_of(const struct idle_stretches *s, uint32_t place)
{
	struct stretch x = {.place = place};
	if (place < s->n_parts) {
		step_time(s->d, s->parts[place].step, s->device, &x.a_ns, &x.b_ns);
	} else {
		const struct step_device *before = &s->parts[place - s->n_parts];
		x.a_ns = before->last_ns;
		x.b_ns = before[1].first_ns;
	}
	query_clip(s->q, &x.a_ns, &x.b_ns);
	return x;
}

/* ---- what is between steps ------------------------------------------------------------------------------------------- */

/* Of the main cause, where its thread tells it. */
static struct idle_own own_between(const struct idle_stretches *s, uint32_t place, enum cause cause, row_id next,
				   const struct idle_drawn *drawn)
{
	const struct step_device *before = &s->parts[place];
	struct interval stretch = {before->last_ns, before[1].first_ns};
	if (cause == CAUSE_UNKNOWN || cause == CAUSE_CONTENTION || next != before[1].first_row)
		return (struct idle_own){0};
	return idle_own_of(s->idles, next, stretch, cause, drawn);
}

static struct idle_main_kept main_kept(const struct idle_part part[CAUSE_COUNT], uint32_t used, bool wider, bool told)
{
	struct idle_main m = idle_main_of(part, used, wider);
	return (struct idle_main_kept){m.trusted, m.row, m.cause, told, m.wider, m.waits};
}

static void settle_between(struct idle_stretches *s)
{
	struct idle_between *b = &s->between;
	if (b->place != NONE_ID) {
		struct idle_main_kept *m = &s->mains[b->place];
		*m = main_kept(b->part, b->used, b->wider, b->whole);
		if (s->own && m->told)
			s->own[b->place] = own_between(s, b->place, (enum cause)m->cause, b->next, NULL);
	}
	b->place = NONE_ID;
}

static void add_part(struct idle_between *b, enum cause cause, const struct idle_part *p)
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
static bool is_told(const struct step_device *before, const struct stretch *x)
{
	return before->last_ns == x->a_ns && before[1].first_ns == x->b_ns && !idle_is_too_long(x->a_ns, x->b_ns);
}

static void begin_between(struct idle_stretches *s, const struct stretch *x)
{
	struct idle_between *b = &s->between;
	settle_between(s);
	b->place = x->place - s->n_parts;
	b->used = 0;
	b->whole = is_told(&s->parts[b->place], x);
	b->wider = false;
}

static void add_to_between(struct idle_stretches *s, const struct stretch *x, const struct idle_time *t)
{
	struct idle_between *b = &s->between;
	if (x->place < s->n_parts)
		return;
	if (b->place != x->place - s->n_parts)
		begin_between(s, x);
	s->in_between = true;
	b->whole &= x->a_ns <= t->from_ns && t->to_ns <= x->b_ns;
	b->wider |= t->wider;
	b->next = t->next;
	for (uint32_t left = t->used; left; left &= left - 1)
		add_part(b, (enum cause)__builtin_ctz(left), &t->part[__builtin_ctz(left)]);
}

/* ---- sums ------------------------------------------------------------------------------------------------------------- */

static void note_longest(struct idle_sums *s, int64_t ns, row_id next)
{
	if (ns <= s->longest_ns)
		return;
	s->longest_ns = ns;
	s->longest_row = next;
}

/* These have time from now on. */
static void begin_causes(struct open_stretch *o, uint32_t causes)
{
	for (uint32_t left = causes & ~o->causes; left; left &= left - 1)
		o->sums.ns[__builtin_ctz(left)] = 0;
	o->causes |= causes;
}

static void add_time(void *open, const struct idle_time *t)
{
	struct open_stretch *o = open;
	begin_causes(o, t->used);
	for (uint32_t left = t->used; left; left &= left - 1)
		o->sums.ns[__builtin_ctz(left)] += t->part[__builtin_ctz(left)].ns;
	o->sums.idle_ns += t->to_ns - t->from_ns;
	o->sums.latency_ns += t->latency_ns;
	o->sums.n++;
	note_longest(&o->sums, t->to_ns - t->from_ns, t->next);
}

/* What causes had until some moments: until the one with which what was drawn of this idle time begins, until another one, and until the many
 * moments with which steps begin and end, on all devices mostly the same. */
enum { UNTIL_BEGIN, UNTIL_INSIDE, UNTIL_STEPS, UNTIL_BITS = 9 };

static struct cause_until *until_step(const struct idle_stretches *s, int64_t ts_ns)
{
	const uint64_t spread = 0x9E3779B97F4A7C15; /* 2^64 divided by the golden ratio */
	return s->until + UNTIL_STEPS + ((uint64_t)ts_ns * spread >> (64 - UNTIL_BITS));
}

/* Of causes that were drawn, what lies in [a, b). What was drawn begins or ends in most stretches. */
static void add_drawn(struct idle_stretches *s, const struct idle_drawn *drawn, int64_t a_ns, int64_t b_ns,
		      int64_t ns[CAUSE_COUNT])
{
	const struct cause_sums *sums = drawn->sums;
	a_ns = later(a_ns, drawn->a_ns);
	b_ns = earlier(b_ns, drawn->b_ns);
	if (a_ns >= b_ns)
		return;
	if (!s->until)
		s->until = must(calloc(UNTIL_STEPS + (1u << UNTIL_BITS), sizeof *s->until));
	bool begins = a_ns == drawn->a_ns, ends = b_ns == drawn->b_ns;
	const int64_t *begin = cause_sums_until(sums, drawn->from, drawn->a_ns, s->until + UNTIL_BEGIN);
	const int64_t *from = begins ? begin
				     : cause_sums_until(sums, drawn->from, a_ns,
							ends ? until_step(s, a_ns) : s->until + UNTIL_INSIDE);
	if (ends) {
		for (uint32_t i = 0; i < sums->n_causes; i++)
			ns[sums->causes[i]] += begin[i] + drawn->range->at[i].ns - from[i];
		return;
	}
	const int64_t *to = cause_sums_until(sums, drawn->from, b_ns, until_step(s, b_ns));
	for (uint32_t i = 0; i < sums->n_causes; i++)
		ns[sums->causes[i]] += to[i] - from[i];
}

/* What of it lies in the stretch. */
static void add_cut(struct idle_stretches *s, const struct idle_time *t, struct open_stretch *o)
{
	int64_t a_ns = later(o->x.a_ns, t->from_ns), b_ns = earlier(o->x.b_ns, t->to_ns);
	if (!t->charged) {
		idle_cut(s->idles, s->device, t->i, (struct interval){o->x.a_ns, o->x.b_ns}, add_time, o);
		return;
	}
	begin_causes(o, t->used | (t->drawn ? t->drawn->sums->any : 0));
	for (uint32_t i = 0; i < t->n_charged; i++) {
		const struct idle_charged *c = &t->charged[i];
		o->sums.ns[c->cause] += later(0, earlier(c->b_ns, b_ns) - later(c->a_ns, a_ns));
	}
	if (t->drawn)
		add_drawn(s, t->drawn, a_ns, b_ns, o->sums.ns);
	o->sums.idle_ns += b_ns - a_ns;
	o->sums.latency_ns += latency_met(t->latency, a_ns, b_ns);
	o->sums.n++;
	note_longest(&o->sums, b_ns - a_ns, t->next);
}

/* ---- the walk ---------------------------------------------------------------------------------------------------------- */

/* Those that lie between the device's first work and its last. */
static void look_ahead(const struct idle_stretches *s, struct stretches *of)
{
	while (of->next < of->end) {
		uint32_t i = of->next++;
		of->ahead = stretch_of(s, of->at ? of->at[i].id : of->place + i);
		if (of->ahead.a_ns < of->ahead.b_ns && of->ahead.a_ns >= s->first_ns && of->ahead.b_ns <= s->last_ns)
			return;
	}
	of->ahead.a_ns = INT64_MAX;
}

static void begin_stretch(struct open_stretch *o, const struct stretch *x)
{
	o->x = *x;
	o->causes = 0;
	o->sums.latency_ns = o->sums.longest_ns = o->sums.idle_ns = 0;
	o->sums.longest_row = NONE_ID;
	o->sums.n = 0;
}

static void open_those(struct idle_stretches *s, struct stretches *of, int64_t until_ns)
{
	for (; of->ahead.a_ns < until_ns; look_ahead(s, of)) {
		GROW_ARRAY(s->open, s->n_open, s->cap_open);
		begin_stretch(&s->open[s->n_open++], &of->ahead);
	}
}

static void open_until(struct idle_stretches *s, int64_t until_ns)
{
	open_those(s, &s->steps, until_ns);
	open_those(s, &s->others, until_ns);
}

/* Nothing more is added to it; the last one takes its place. */
static void close_stretch(struct idle_stretches *s, uint32_t k)
{
	const struct open_stretch *o = &s->open[k];
	s->sums[o->x.place] = idle_sums_keep(&o->sums, o->causes, &s->room);
	if (k != --s->n_open)
		s->open[k] = s->open[s->n_open];
}

static void add_to(struct idle_stretches *s, const struct idle_time *t, struct open_stretch *o)
{
	if (o->x.a_ns <= t->from_ns && t->to_ns <= o->x.b_ns)
		add_time(o, t);
	else
		add_cut(s, t, o);
}

/* Steps that begin before the idle time ends and end before the next one: they meet no other. */
static void add_short_steps(struct idle_stretches *s, const struct idle_time *t)
{
	struct stretches *of = &s->steps;
	int64_t next_ns = t->i < s->busy->n ? s->busy->at[t->i].b_ns : INT64_MAX;
	for (; of->ahead.a_ns < t->to_ns && of->ahead.b_ns <= next_ns; look_ahead(s, of)) {
		struct open_stretch o;
		begin_stretch(&o, &of->ahead);
		if (o.x.b_ns > t->from_ns)
			add_to(s, t, &o);
		s->sums[o.x.place] = idle_sums_keep(&o.sums, o.causes, &s->room);
	}
}

/* The idle time is all there is between two steps, as mostly. */
static void add_whole(struct idle_stretches *s, const struct stretch *x, const struct idle_time *t)
{
	uint32_t place = x->place - s->n_parts;
	struct idle_main_kept *m = &s->mains[place];
	struct idle_sums sums;
	settle_between(s);
	s->in_between = true;
	for (uint32_t left = t->used; left; left &= left - 1)
		sums.ns[__builtin_ctz(left)] = t->part[__builtin_ctz(left)].ns;
	sums.latency_ns = t->latency_ns;
	sums.longest_ns = t->to_ns - t->from_ns;
	sums.longest_row = t->next;
	sums.n = 1;
	s->sums[x->place] = idle_sums_keep(&sums, t->used, &s->room);
	*m = main_kept(t->part, t->used, t->wider, is_told(&s->parts[place], x));
	if (s->own && m->told)
		s->own[place] = own_between(s, place, (enum cause)m->cause, t->next, t->drawn);
}

void idle_stretches_add(struct idle_stretches *s, const struct idle_time *t)
{
	s->in_between = false;
	if (s->others.ahead.a_ns == t->from_ns && s->others.ahead.b_ns == t->to_ns) {
		add_whole(s, &s->others.ahead, t);
		look_ahead(s, &s->others);
	}
	if (!s->steps.at)
		add_short_steps(s, t);
	open_until(s, t->to_ns);
	for (uint32_t k = 0; k < s->n_open;) {
		struct open_stretch *o = &s->open[k];
		if (o->x.b_ns <= t->from_ns) {
			close_stretch(s, k);
			continue;
		}
		add_to_between(s, &o->x, t);
		add_to(s, t, o);
		k++;
	}
}

void idle_stretches_settle(struct idle_stretches *s)
{
	settle_between(s);
	open_until(s, INT64_MAX);
	while (s->n_open)
		close_stretch(s, 0);
}

void idle_stretches_rest(struct idle_stretches *s, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to; i++) {
		struct idle_split split;
		if (s->sums[i])
			continue;
		struct stretch x = stretch_of(s, i);
		if (x.a_ns >= x.b_ns)
			continue;
		idle_between(s->idles, s->device, x.a_ns, x.b_ns, &split);
		struct idle_sums sums = idle_sums_of(&split);
		s->sums[i] = idle_sums_keep(&sums, ~0u, &s->room);
	}
}

/* Of the steps parts[from .. to) and of what is between them. */
static bool in_order(const struct idle_stretches *s, uint32_t from, uint32_t to)
{
	int64_t begun_ns = INT64_MIN;
	for (uint32_t i = from; i < to; i++) {
		int64_t a_ns, b_ns;
		step_time(s->d, s->parts[i].step, s->device, &a_ns, &b_ns);
		if (a_ns < begun_ns || (i > from && s->parts[i].last_ns < s->parts[i - 1].last_ns))
			return false;
		begun_ns = a_ns;
	}
	return true;
}

static uint32_t put_in_order(struct idle_stretches *s, uint32_t from, uint32_t to)
{
	uint32_t n = 0;
	if (!s->mixed)
		s->mixed = must(malloc((2 * (size_t)s->n_parts + 1) * sizeof *s->mixed));
	for (uint32_t i = 2 * from; i + 1 < 2 * to; i++) {
		uint32_t place = i % 2 ? s->n_parts + i / 2 : i / 2;
		s->mixed[n++] = (struct moment){stretch_of(s, place).a_ns, place};
	}
	moments_sort(s->mixed, n);
	return n;
}

void idle_stretches_of(struct idle_stretches *s, uint32_t device, uint32_t from, uint32_t to)
{
	s->device = device;
	s->busy = derived_busy_device(s->d, device);
	s->steps = s->others = (struct stretches){0};
	if (!idle_extent(s->d, device, &s->first_ns, &s->last_ns))
		from = to;
	if (in_order(s, from, to)) {
		s->steps = (struct stretches){.next = from, .end = to};
		s->others = (struct stretches){.place = s->n_parts, .next = from, .end = to > from ? to - 1 : from};
	} else {
		s->steps = (struct stretches){.end = put_in_order(s, from, to)};
		s->steps.at = s->mixed;
	}
	look_ahead(s, &s->steps);
	look_ahead(s, &s->others);
}

void idle_stretches_open(struct idle_stretches *s)
{
	s->parts = derived_step_devices(s->d, &s->n_parts);
	s->between.place = NONE_ID;
}

void idle_stretches_free(struct idle_stretches *s)
{
	free(s->mixed);
	free(s->open);
	free(s->until);
}
