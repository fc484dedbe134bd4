/* Idle time by cause as a few numbers: kept of many stretches. */
#include "idle.h"

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

/* A main cause that is none has no time. */
struct idle_main idle_main_between(const struct idle_extents *x, uint32_t place)
{
	const struct idle_main_kept *m = &x->mains[place];
	const struct idle_kept *sums = x->between[place];
	int64_t ns = m->cause != CAUSE_UNKNOWN && sums ? idle_kept_ns(sums, (enum cause)m->cause) : 0;
	return (struct idle_main){ns, m->trusted, m->row, m->cause, m->told, m->wider, m->waits};
}

enum {
	ALL_CAUSES = (1u << CAUSE_COUNT) - 1,
	OTHER_TIMES = (1u << IDLE_TIMES) - 1 - ALL_CAUSES,
	LONGEST = 1u << (CAUSE_COUNT + 1),
	SEVERAL = 1u << IDLE_TIMES /* or none: how many stands behind the times */
};
_Static_assert(IDLE_TIMES < 31, "a list of times has so many places");

/* Times that need more than 32 bits. */
static size_t keep_wide(const struct idle_sums *s, struct idle_kept *k)
{
	uint32_t several = k->times.bits & SEVERAL;
	k->times = narrow_of(s->times, k->times.bits & ~SEVERAL);
	narrow_put(k->kept, k->times, s->times);
	if (several)
		narrow_keep(k->kept, k->times, narrow_before(k->times, IDLE_TIMES), s->n);
	k->times.bits |= several;
	return narrow_bytes(k->times) / sizeof *k->kept;
}

/* Gone through once: there may be many. */
const struct idle_kept *idle_sums_keep(const struct idle_sums *s, uint32_t may, struct idle_room *room)
{
	enum { HEAD = sizeof(struct idle_kept) / sizeof(uint32_t), MOST = HEAD + 2 * (IDLE_TIMES + 1), ROOM = 4000 };
	if (room->left < MOST) {
		room->at = arena_room_words(room->mem, ROOM * sizeof *room->at);
		room->left = ROOM;
	}
	struct idle_kept *k = (struct idle_kept *)room->at;
	uint32_t which = 0;
	size_t n = 0;
	uint64_t all = 0;
	/* the only one is the longest: what its causes add up to */
	uint32_t others = s->n == 1 ? OTHER_TIMES & ~LONGEST : OTHER_TIMES;
	for (uint32_t left = (may & ALL_CAUSES) | others; left; left &= left - 1) {
		int64_t ns = s->times[__builtin_ctz(left)];
		if (!ns)
			continue;
		k->kept[n++] = (uint32_t)ns;
		which |= left & -left;
		all |= (uint64_t)ns;
	}
	if (s->n != 1) {
		k->kept[n++] = s->n;
		which |= SEVERAL;
	}
	k->times.bits = which;
	k->longest_row = s->longest_row;
	if (all > UINT32_MAX)
		n = keep_wide(s, k);
	room->at += HEAD + n;
	room->left -= HEAD + n;
	return k;
}

uint32_t idle_kept_causes(const struct idle_kept *k)
{
	return k->times.bits & ALL_CAUSES;
}

uint32_t idle_kept_n(const struct idle_kept *k)
{
	return k->times.bits & SEVERAL ? (uint32_t)narrow_get(k->kept, k->times, IDLE_TIMES) : 1;
}

int64_t idle_kept_ns(const struct idle_kept *k, enum cause cause)
{
	return narrow_get(k->kept, k->times, cause);
}

/* Those of causes come first. */
int64_t idle_kept_all_ns(const struct idle_kept *k)
{
	return narrow_sum(k->kept, (struct narrow){k->times.bits & (ALL_CAUSES | NARROW_WIDE)});
}

int64_t idle_kept_latency_ns(const struct idle_kept *k)
{
	return narrow_get(k->kept, k->times, CAUSE_COUNT);
}

int64_t idle_kept_longest_ns(const struct idle_kept *k)
{
	return idle_kept_n(k) == 1 ? idle_kept_all_ns(k) : narrow_get(k->kept, k->times, CAUSE_COUNT + 1);
}

struct idle_sums idle_sums_kept(const struct idle_kept *k)
{
	struct idle_sums s = {.longest_row = k->longest_row, .n = idle_kept_n(k), .idle_ns = idle_kept_all_ns(k)};
	narrow_spread(k->kept, (struct narrow){k->times.bits & ~SEVERAL}, s.times);
	s.longest_ns = idle_kept_longest_ns(k);
	return s;
}

void idle_part_seen(struct idle_part *p, int trust)
{
	__int128 seen = (__int128)p->ns * trust;
	p->trusted = p->trusted > seen ? p->trusted : seen;
}
