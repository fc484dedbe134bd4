/* model/analysis/steps/idle.h - what a device waited for while it did nothing: each ns has one cause, exact to the ns.
 * An idle time is what lies between two busy times of a device (no kernel, copy or memset on any stream). It ends with the
 * work N that starts first; L is the call that launched N, T its thread. (N without a recorded launch where others have one:
 * not recorded. Nothing follows: T is the thread that launches most of the device's work; no launches at all: the most trusted
 * of what any thread of the host does, at half its trust.)
 *   before L       what T does (thread_causes.h). Where T has nothing but Python frames or no event: what rules know of the
 *                  other threads of its process, then their frames; an empty stretch of half of the idle time that begins in its first half while
 *                  many threads are busy: thread contention. The profiler's cost on any thread stands before guesses.
 *   during L       what T does, launch latency where no rule tells
 *   after L        launch latency for IDLE_LATENCY_NS; then N stood ready: synchronisation where another device of the host works,
 *                  communication where T waits for other ranks; else held back from IDLE_READY_NS on, or of idle times from
 *                  IDLE_CROWD_NS on whose N was launched as long before it begins, whatever T does, and of
 *                  what is shorter synchronisation where T waits for the device, else not recorded. The event that tells that
 *                  something was held back is N.
 * Drained: T was in a call that waits for the device when the idle time began and had launched nothing after it. What else T
 *          does for as long as that call had waited, at most a millisecond, is synchronisation, or loss scaling where that call asks
 *          whether a gradient overflowed: by no more would T have been ahead without it.
 * Short:   an idle time up to IDLE_QUEUED_NS whose work had been launched before is the device's own latency between queued
 *          work; one up to IDLE_SHORT_NS, whose thread recorded nothing before L, is as short as a launch: launch latency.
 * Lost records of a live capture: no cause but that.
 * Life: idles_new -> idle_between any number of times -> idles_free. One thread. Cost: of the idle times asked about, and
 * once of the events inside the query's window on the threads that launch. */
#ifndef STEPSCOPE_IDLE_H
#define STEPSCOPE_IDLE_H
#include "model/analysis/derived/derived.h"
#include "model/analysis/maths/intervals.h"
#include "model/analysis/maths/narrow.h"
#include "model/analysis/rules/cause.h"
#include "model/analysis/query/shared.h"
#include "model/query.h"

enum {
	IDLE_LATENCY_NS = 20000,
	IDLE_QUEUED_NS = 10000,
	IDLE_SHORT_NS = 40000,
	IDLE_DRAINED_NS = 1000000,
	IDLE_CROWD_NS = 100000,
	IDLE_READY_NS = 1000000
};

struct idle_part {
	int64_t ns;
	__int128 trusted;   /* sum of trust (percent) x time: may lie years apart */
	row_id row;         /* the event that tells it longest at a stretch, NONE_ID = none, */
	int64_t row_ns;     /* and for how long */
	int64_t most_ns;    /* the most in one idle time, */
	int64_t a_ns, b_ns; /* which is this one */
};
/* Of a short idle time that ends with its launch: that work comes piece by piece is seen there, whatever its ops are called. `trust` at
 * least. */
void idle_part_seen(struct idle_part *p, int trust);
struct idle_split {
	struct idle_part part[CAUSE_COUNT]; /* add up to idle_ns */
	int64_t idle_ns;
	int64_t latency_ns; /* from the start of the launch until IDLE_LATENCY_NS after its end, whatever the cause */
	int64_t longest_ns;
	uint32_t n;         /* idle times */
	row_id longest_row; /* the work that ends the longest one, NONE_ID = nothing does */
	bool wider;         /* some `row` was chosen among events that lie outside of what was asked about */
};
struct idles;
struct cause_sums;
struct cause_range;
/* device: the only one that will be asked about; NONE_ID = any. */
struct idles *idles_new(const struct derived *d, const struct query *q, uint32_t device);
void idles_free(struct idles *x);
/* For many questions about short times of the whole trace, in their order: each is answered like one alone, but for `row` where the
 * answer says `wider`. NULL: that cannot be had, the answers would depend on each other. */
struct idles *idles_for_each(const struct derived *d, const struct query *all);
/* The questions of one struct idles do not depend on each other, whatever their order. */
bool idles_are_apart(const struct derived *d);
/* The device's idle time in [a, b), cut to the query's window. With a filter only the idle times that end with work that
 * matches count. */
void idle_between(struct idles *x, uint32_t device, int64_t a_ns, int64_t b_ns, struct idle_split *out);
/* Its latency_ns alone, found without a look at what threads do. */
int64_t idle_latency_between(struct idles *x, uint32_t device, int64_t a_ns, int64_t b_ns);
/* Of what lies in this time of the device the same is 0, as the last answer tells; empty: not known of any. */
struct interval idle_without_latency(const struct idles *x, uint32_t device);
/* A stretch of an idle time that was charged as sums of pieces of a line (causes/cause_sums.h). */
struct idle_drawn {
	const struct cause_sums *sums; /* NULL: there is none */
	const struct cause_range *range;
	uint32_t from, to;  /* pieces [from, to), */
	int64_t a_ns, b_ns; /* and when they are */
};
/* One idle time of them, as it was split. */
struct idle_time {
	uint32_t i;             /* the busy time of the device that ends it; as many as there are: none does */
	int64_t from_ns, to_ns; /* of it what counts */
	int64_t latency_ns;
	row_id next;                  /* the work that ends it */
	uint32_t used;                /* bits: parts that hold something */
	bool wider;                   /* as in idle_split */
	const struct idle_part *part; /* by cause; what is not used holds anything */
	const struct idle_charged
		*charged; /* stretches that tell the parts' times of any part of it; NULL: that is to be asked for */
	uint32_t n_charged;
	const struct idle_drawn *drawn; /* what was charged in sums, with `charged`: besides; NULL: nothing */
	struct interval latency;        /* where the launch latency lies, with `charged` */
};
typedef void idle_time_fn(void *arg, const struct idle_time *x);
/* idle_between, which tells of each idle time when it has been added up; `each` may ask for parts of it. */
void idle_each(struct idles *x, uint32_t device, int64_t a_ns, int64_t b_ns, idle_time_fn *each, void *arg,
	       struct idle_split *out);
/* What of the idle time that ends with the busy time i > 0 of the device lies in `part`, told as above; nothing if nothing of it counts. */
void idle_cut(struct idles *x, uint32_t device, uint32_t i, struct interval part, idle_time_fn *each, void *arg);
/* What idle_between says of times, without where. */
enum { IDLE_TIMES = CAUSE_COUNT + 2 };
struct idle_sums {
	union {
		struct {
			int64_t ns[CAUSE_COUNT]; /* add up to idle_ns */
			int64_t latency_ns, longest_ns;
		};
		int64_t times[IDLE_TIMES];
	};
	int64_t idle_ns;
	row_id longest_row;
	uint32_t n;
};
struct idle_sums idle_sums_of(const struct idle_split *s);
/* The same in the room of the times that it has, mostly 20 bytes or less: there may be many. */
struct idle_kept {
	struct narrow times; /* those of `times`, and how many idle times where that is not one */
	row_id longest_row;
	uint32_t kept[];
};
/* Where many are kept, one after the other: zeroed, but for `mem`. */
struct idle_room {
	struct arena *mem;
	uint32_t *at;
	size_t left; /* numbers */
};
/* may: bits of the causes that may have time. */
const struct idle_kept *idle_sums_keep(const struct idle_sums *s, uint32_t may, struct idle_room *room);
struct idle_sums idle_sums_kept(const struct idle_kept *k);
uint32_t idle_kept_causes(const struct idle_kept *k); /* bits: those that have time */
uint32_t idle_kept_n(const struct idle_kept *k);      /* how many idle times they are the sums of */
int64_t idle_kept_ns(const struct idle_kept *k, enum cause cause);
int64_t idle_kept_all_ns(const struct idle_kept *k); /* idle_ns, and so on */
int64_t idle_kept_latency_ns(const struct idle_kept *k);
int64_t idle_kept_longest_ns(const struct idle_kept *k);
/* The cause that most of the idle time in a stretch has; `row` as in idle_part. */
struct idle_main {
	int64_t ns, trusted;
	row_id row;
	uint8_t cause;
	bool told;  /* the window cuts nothing off */
	bool wider; /* as in idle_split */
	bool waits; /* some of it is synchronisation or loss scaling */
};
struct idle_main idle_main_of(const struct idle_part part[CAUSE_COUNT], uint32_t used,
			      bool wider); /* used: as in idle_time */
/* What of a stretch the thread that launches spends on its main cause by itself, until it has launched the work that follows. */
struct idle_own {
	int64_t ns, trusted; /* ns 0: not known */
};
/* idle_main beside sums that tell its `ns`. */
struct idle_main_kept {
	int64_t trusted;
	row_id row;
	uint8_t cause;
	bool told, wider, waits;
};
/* Told where one thread launches for many devices and nobody else could tell anything. next: the work that follows; drawn: what was charged of
 * the stretch in sums already, NULL is fine. */
struct idle_own idle_own_of(struct idles *x, row_id next, struct interval stretch, enum cause cause,
			    const struct idle_drawn *drawn);
/* One idle time between two works of a device, outside of the times between steps. */
struct idle_long {
	int64_t a_ns, b_ns;
	uint32_t device;
	struct idle_main main;
};
enum { IDLE_LONGEST = 4096 };
/* Idle sums from the first to the last work of each device that the window meets, and what one walk over all of its idle times tells
 * besides; a part of answers (query/shared.h). */
struct idle_extents {
	const struct idle_main_kept *mains; /* of what `between` tells, */
	const struct idle_own *own; /* likewise, where the first work of the next step ends it; NULL: of none of them */
	const struct idle_long *longest; /* up to twice IDLE_LONGEST, by device and time */
	uint32_t n_longest;
	const struct idle_split *of; /* by device */
	/* by place in derived_step_devices, NULL: yet to be asked for. Of the step's time; */
	const struct idle_kept *const *steps;
	const struct idle_kept *const *between; /* from the step's last work there to the first one of the next */
	struct idle_launches {
		uint32_t from, n;   /* busy times of the device; */
		const uint32_t *ns; /* launch latency in the idle time before each, IDLE_NOT_TOLD: to be asked for */
	} * launches;               /* by device */
};
enum { IDLE_NOT_TOLD = UINT32_MAX };
/* The main cause of what `between` tells; place: of the part before it in derived_step_devices. */
struct idle_main idle_main_between(const struct idle_extents *x, uint32_t place);
extern const struct shared_part idle_extents_part;
/* What this cause has of the idle time that ends with the busy time i > 0 of the device, cut to the query's window. */
int64_t idle_before(struct idles *x, uint32_t device, uint32_t i, enum cause cause);
/* From the first device work of the whole trace to the end of the last; false when there is none. */
bool idle_extent(const struct derived *d, uint32_t device, int64_t *a_ns, int64_t *b_ns);
#endif
