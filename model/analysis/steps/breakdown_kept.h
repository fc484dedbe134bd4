/* model/analysis/steps/breakdown_kept.h - breakdowns of the steps of one query, kept: steps and input are both made of them.
 * Threads: any; two that ask for the same step at once both make it. */
#ifndef STEPSCOPE_BREAKDOWN_KEPT_H
#define STEPSCOPE_BREAKDOWN_KEPT_H
#include "breakdown.h"
#include "model/analysis/maths/intervals.h"
#include "model/analysis/maths/narrow.h"
#include "step_phase.h"
#include <stdatomic.h>

/* How long it is, then the classes; and when it begins, counted from the start of the step, which mostly is then. */
enum breakdown_time {
	BREAKDOWN_DUR,
	BREAKDOWN_CLASSES,
	BREAKDOWN_LATER = BREAKDOWN_CLASSES + TIME_COUNT,
	BREAKDOWN_TIMES
};
_Static_assert((int)BREAKDOWN_TIMES < 31, "a list of times has so many places");
/* A breakdown in the room of the classes that it has: there may be one for each of many steps. In words of 32 bits. */
struct breakdown_narrow {
	struct narrow times; /* which are kept, of the list of enum breakdown_time */
	uint32_t n_events : 31;
	uint32_t cut : 1;
	uint32_t kept[];
};
/* As it was before it was kept; s: the step. */
struct breakdown breakdown_widened(const struct breakdown_narrow *b, const struct step *s);
static inline int64_t breakdown_a_ns(const struct breakdown_narrow *b, const struct step *s)
{
	return s->start_ns + narrow_get(b->kept, b->times, BREAKDOWN_LATER);
}
/* How long the step is. */
static inline int64_t breakdown_dur_ns(const struct breakdown_narrow *b)
{
	return narrow_get(b->kept, b->times, BREAKDOWN_DUR);
}
/* Time of one class, 0 for a class that it does not have, and the rest of the step, which no class fills. */
static inline int64_t breakdown_class_ns(const struct breakdown_narrow *b, enum time_class class)
{
	return narrow_get(b->kept, b->times, BREAKDOWN_CLASSES + (unsigned)class);
}
static inline int64_t breakdown_other_ns(const struct breakdown_narrow *b)
{
	int64_t rest_ns = narrow_sum_of_rest(b->kept, b->times),
		later_ns = narrow_get(b->kept, b->times, BREAKDOWN_LATER);
	return breakdown_dur_ns(b) - (rest_ns - later_ns);
}
/* Bits: the classes that it has. */
static inline uint32_t breakdown_classes(const struct breakdown_narrow *b)
{
	return narrow_which(b->times) >> BREAKDOWN_CLASSES & ((1u << TIME_COUNT) - 1);
}

/* Where the next ones of one reader go: taken in pieces, as a lock for each breakdown would cost more than to copy it. */
struct breakdown_kept;
struct breakdown_room {
	struct breakdown_kept *of;
	uint32_t *at;
	size_t words; /* left */
};
/* That of one reader, who only lends it. */
struct breakdown_room *breakdowns_room(struct breakdowns *b);

/* 8 bytes per step and device, and what was asked for, while the query keeps what answers are made of (query/shared.h); NULL when it does not. */
struct breakdown_kept *breakdown_kept_of(const struct derived *d, const struct query *q);
/* The same in `mem`, for who needs one where the query keeps nothing. */
struct breakdown_kept *breakdown_kept_in(const struct derived *d, struct arena *mem);
/* For who is about to ask for all steps of the query, or for those of `only` (NULL: all): of a large trace two threads make them now, and
 * keep them in `mem` where the query keeps nothing, unless there are very many. NULL: nothing is kept. When it is cancelled some are missing. */
struct breakdown_kept *breakdowns_made(const struct derived *d, const struct query *q, const struct counted_steps *only,
				       struct arena *mem, struct progress *p);
/* As breakdown_pooled with the reference tool's semantics, else as breakdown_step, which is always true. kept: of the same
 * query as `b`; NULL makes it anew. */
bool breakdown_of(struct breakdowns *b, struct breakdown_kept *kept, uint32_t step, uint32_t device,
		  struct breakdown *out);
/* The same for who knows its breakdown_place. */
bool breakdown_of_place(struct breakdowns *b, struct breakdown_kept *kept, size_t place, uint32_t step, uint32_t device,
			struct breakdown *out);
/* That of a step that was asked for and is one, where it stays; NULL where it does not. kept may be NULL. */
const struct breakdown_narrow *breakdown_kept_at(struct breakdown_kept *kept, const struct derived *d, uint32_t step,
						 uint32_t device);
/* For lists of steps: 4 bytes for each, and where its breakdown stays. place: which of the parts of derived_step_devices, after them the
 * number of a step that is asked for without a device. */
typedef _Atomic(const struct breakdown_narrow *) breakdown_slot;
size_t breakdown_place(const struct derived *d, uint32_t step, uint32_t device);
/* breakdown_kept_at of a place. */
const struct breakdown_narrow *breakdown_kept_in_place(const struct breakdown_kept *kept, size_t place);
const breakdown_slot *breakdown_slots(const struct breakdown_kept *kept);
static inline const struct breakdown_narrow *breakdown_in_slot(const breakdown_slot *slot)
{
	return atomic_load_explicit(slot, memory_order_relaxed);
}

/* ---- what steps on many devices, or at one time, have in common: what their threads do. {0} -> again_is ... -> again_free. One thread. */

/* All that decides what threads do in a step's time, beside the threads themselves. */
struct again_time {
	struct interval whole, part; /* of the step, and of it what the window has */
	uint32_t host, process;
	bool by_time; /* derived_step_holds_by_time */
};
struct again {
	struct again_time time;
	uint32_t *threads, n, cap;
	bool asked, made;                    /* made: `at` is */
	struct interval_list at[TIME_COUNT]; /* what the threads do, */
	uint32_t has;                        /* bits: those that may hold something; */
	struct upto {
		struct intervals of; /* all of a class and of those before it, from the first one of hosts on */
		int64_t ns;          /* of these, */
		uint32_t near;       /* and where the question before was answered */
	} upto[TIME_COUNT];
	int last[TIME_COUNT];       /* whose entry holds for the class: its own, or that of one before it */
	uint32_t device;            /* asked about last, */
	struct breakdown of_device; /* and the answer */
};
/* Whether the question before this one was about the same time and threads; from now on this one is the one before. */
bool again_is(struct again *x, struct again_time time, const uint32_t *threads, uint32_t n);
/* `at` is filled: makes `upto`. */
void again_made(struct again *x);
/* Whether a list is so short beside it that again_covered costs less than to unite the two. */
bool again_is_longer(const struct again *x, const struct interval_list *with);
/* What `with` and threads cover together, by classes of hosts up to that one. */
int64_t again_covered(struct again *x, const struct interval_list *with, int class);
void again_free(struct again *x);
#endif
