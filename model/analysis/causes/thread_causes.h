/* model/analysis/causes/thread_causes.h - what a host thread does at each moment, as classes of rules/causes.rules.
 * Owner:  of the events that enclose a moment the most trusted one owns it, of equals the innermost; step markers never count.
 *         What holds a whole step says where a program is, not why it waits, and owns nothing.
 * Calls:  one of the runtime that takes a millisecond or more and neither waits, copies nor launches a graph loads code or builds
 *         a context: compilation. So does a first call of an op that takes ten times as long as most later ones (first_calls.h),
 *         and what runs while a graph is captured.
 * Others: what no rule knows is host work outside the graph where it lies outside of every step marker of its process, else host
 *         compute; Python frames are Python overhead. On threads that do not launch only frames count, and less than all that rules
 *         know: those of a thread that launches at some time or has step markers, and of any while they change within a millisecond.
 * Cost:   of the events that meet the time asked about. Threads: any number. */
#ifndef STEPSCOPE_THREAD_CAUSES_H
#define STEPSCOPE_THREAD_CAUSES_H
#include "model/analysis/derived/derived.h"
#include "model/analysis/maths/intervals.h"
#include "model/analysis/rules/cause.h"

/* Time that one event holds for one reason. */
struct thread_piece {
	int64_t a_ns, b_ns;
	row_id row;       /* the innermost event */
	row_id owner;     /* the event that tells the cause: `row` itself where no rule does */
	enum cause cause; /* CAUSE_UNKNOWN: nothing tells */
	uint8_t trust;    /* 0-100 */
	bool frame;       /* only a Python frame tells: another thread may do the work meanwhile */
	bool worker;      /* prepares input for other threads */
};
struct thread_causes {
	void (*piece)(void *arg, const struct thread_piece *p); /* disjoint, in order of time, markers left out */
	/* May be NULL: what an event spends itself on one cause, told when it ends or goes on with another one; markers left out. */
	void (*own)(void *arg, row_id row, enum cause cause, int64_t own_ns);
	void (*done)(void *arg, row_id row, int64_t self_ns); /* may be NULL; markers left out */
	void *arg;
	struct thread_owners *owners; /* NULL: none are kept */
};
/* Who owns what is inside of events that are open on launching threads, for who asks about many times of them: thousands of events
 * around each of these are gone through once then, not each time. Events without time of their own may not be `done` then.
 * One thread. */
struct thread_owners;
struct thread_owners *thread_owners_new(void);
void thread_owners_free(struct thread_owners *o); /* NULL is fine */
/* When a thread waits: for input, which it may also prepare itself; for the device, or in a call of Python that waits for somebody else. */
struct thread_waits {
	struct interval_list input, others;
};
/* Adds what of [a, b) the sweep gives to these, the thread taken as one that launches; questions come in order of time. */
void thread_waits_add(const struct derived *d, uint32_t track, int64_t a_ns, int64_t b_ns, struct thread_waits *out);
/* A step of its process lies wholly inside the event. */
bool thread_event_holds_step(const struct derived *d, row_id r);
/* Of a runtime call that takes so long that it may load code: the last work of the same name on the same stream before its own, which tells
 * that the code was there; as far back as is looked. NONE_ID: a short call, or there is none. */
row_id thread_call_ran_before(const struct derived *d, row_id call);
/* What a call of the runtime launches for, of a thread that records nothing else in [a, b) and at both ends of the call; false where that is not
 * so, or cannot be told by the call alone. */
bool thread_only_launches(const struct derived *d, row_id call, int64_t a_ns, int64_t b_ns, struct thread_piece *out);
/* What the thread does in [a, b), event by event, for who may stop before the end. One thread. thread_sweep_next: false when that was the last one and all
 * is told; thread_sweep_until goes on, by one event at least, until all before a moment later than until_ns is told. thread_sweep_told_ns: all pieces
 * before this moment are told; INT64_MIN = no event was met yet. */
struct thread_sweep;
/* used: one whose memory serves again and that is none afterwards; NULL: there is none. */
struct thread_sweep *thread_sweep_new(struct thread_sweep *used, const struct derived *d, uint32_t track, int64_t a_ns,
				      int64_t b_ns, bool launching, const struct thread_causes *out);
bool thread_sweep_next(struct thread_sweep *s);
bool thread_sweep_until(struct thread_sweep *s, int64_t until_ns);
int64_t thread_sweep_told_ns(const struct thread_sweep *s);
void thread_sweep_free(struct thread_sweep *s);
#endif
