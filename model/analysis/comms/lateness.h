/* model/analysis/comms/lateness.h - which device the others wait for, how often, by how much, and why it is late.
 * Calls:    those of all ranks of a group; a receive waits for its send as the program wants it (traffic/pipeline.h).
 * Last:     the member of a matched call that started last, alone: the others' waits at it are on its account.
 * Because:  of the calls with the most waiting (JUDGED_MOST, or as many as have MEMBERS_MOST members), what each member did between
 *           the end of its call before, or the start of its step, and its start: time by class (steps/breakdown.h), in which no collective waits. The last one's time less the
 *           mean of the others', class by class, and its later start add up to its lateness. (Since the start of the step, where half of
 *           its lateness or more is compute that the others ran beside the calls before, while they waited; since the last call of the steps before, where its later start would make half of it or more.) The class with most of it is the
 *           reason where it makes half of it or more. Where classes of what the host does together make half of it, the cause of
 *           idle time (steps/idle.h) that is longer by half of it goes before classes that do not say what the host did. Else
 *           nothing is named. SEMANTICS.md, 16. */
#ifndef STEPSCOPE_LATENESS_H
#define STEPSCOPE_LATENESS_H
#include "comms.h"
#include "model/analysis/rules/cause.h"
#include "model/analysis/steps/breakdown.h"
#include "model/analysis/steps/idle.h"

/* Classes of time, and two more. */
enum { LATE_OTHER = TIME_COUNT, LATE_BEGIN, LATE_CLASSES };
/* Of a device that computes longer than the others (pace.h): nobody asked, or it is not told; the same kernels each take longer on it, at a like
 * rate; most of it is kernels that it runs more often; most of it is kernels that take longer. */
enum late_compute { LATE_UNASKED, LATE_SLOW, LATE_MORE, LATE_LONGER };
/* What a device computes per step, and with how many kernels; compute_ns NAN: it is compared with none. `compute` by these alone: beside the mean of
 * the others half of its longer compute or more are kernels that it runs more often, each as long as theirs are on average. */
struct late_work {
	double compute_ns, kernels;
	enum late_compute compute; /* out */
};
void late_work_compare(struct late_work *at, uint32_t n);
struct lateness {
	uint32_t calls, last;        /* matched calls in the window; those at which it was last */
	int64_t wait_ns, exposed_ns; /* its own waits; of these, without compute beside them (exposed.h) */
	int64_t waited_for_ns;       /* the others' waits at calls at which it was last, added up */
	int64_t by_ns;               /* by how much it was last then, added up */
	int64_t alone_ns; /* of waited_for_ns, what they would not have waited, had it started with the last but one */
	double class_ns[LATE_CLASSES]; /* of the calls judged: more than the mean of the others */
	double judged_ns;              /* their sum */
	uint32_t judged;               /* how many calls */
	double cause_ns[CAUSE_COUNT];  /* idle time by cause, likewise; where the host may be the reason, else 0 */
	row_id main[CAUSE_COUNT];      /* the event of the host that tells each longest at a stretch; NONE_ID = none */
	int64_t main_ns[CAUSE_COUNT];
	enum late_compute compute; /* why it computes longer, where that is the reason */
};
/* From when on what the members of a call did is split: the call before or the start of the step, the start of the step, the last call
 * of the steps before. */
enum late_since { LATE_SINCE_CALL, LATE_SINCE_STEP, LATE_SINCE_EARLIER };
/* What a recording tells of a collective, by its own clock. */
struct late_call {
	int64_t start_ns, end_ns;
	int64_t step_ns;                     /* when its step began on its device; UNKNOWN_I64: it has none */
	int64_t exposed_ns, exposed_wait_ns; /* of it, and of its wait, what no compute hides; UNKNOWN_I64 */
	bool asked;                          /* calls of which it is the last count */
};
/* Where the time before calls is told: a trace, or a summary. Places are those of x->at. */
struct late_source {
	const struct collectives *x;
	uint32_t devices;
	int64_t base_ns; /* a moment near to all others: as doubles they are exact beside it */
	void *ctx;
	struct late_call (*call)(void *ctx, uint32_t i);
	/* From from_ns to the start of the call: time by class, and in none. False: it is not told. `device_alone`: time of classes from
	 * TIME_INPUT_WAIT on may be told as time in none. */
	bool (*split)(void *ctx, uint32_t i, enum late_since since, int64_t from_ns, bool device_alone,
		      double ns[LATE_OTHER + 1]);
	/* Its idle time by cause. `row` of each: whatever the source calls its main event, NONE_ID = none. */
	void (*idle)(void *ctx, uint32_t i, enum late_since since, int64_t from_ns, struct idle_split *out);
	bool at_once; /* all classes are found as fast as those of the device alone */
};
/* The time before a collective on its device, by the recording's clock: since the call before, or the start of the step; since the start of the
 * step, and what compute ran beside the calls in that; since the last call of the steps before. */
struct late_before {
	int64_t start_ns;
	int64_t call_ns, step_ns, computed_ns; /* call_ns UNKNOWN_I64: no step */
	int64_t earlier_ns;                    /* INT64_MIN: there was none */
	bool first;                            /* of its step */
};
/* By place in x->at, in `mem`. */
struct late_before *lateness_before(const struct late_source *from, struct arena *mem);
/* A trace as a source; `q` and `comms` must outlive it. For late_trace_free. */
struct late_source *late_trace_new(const struct derived *d, const struct query *q, const struct comms *comms);
void late_trace_free(struct late_source *s);
/* What the step of the call did on its device in [from_ns, to_ns). */
void late_trace_between(const struct late_source *s, const struct collective *c, int64_t from_ns, int64_t to_ns,
			double ns[LATE_OTHER + 1], struct idle_split *out);
/* By device, in `mem`; of no use once `p` was cancelled. */
struct lateness *lateness_of(const struct late_source *from, struct arena *mem, struct progress *p);
/* The same of a trace; false with `e` when it was cancelled. */
bool lateness_find(const struct derived *d, const struct query *q, const struct comms *comms, struct arena *mem,
		   struct progress *p, struct lateness **out, struct err *e);
struct late_reason {
	const char *words; /* "it waits longer for its input"; NULL: nothing makes half of its lateness */
	double ns;         /* by how much longer, of the calls judged */
	row_id main;       /* the event of its host that most of that lies in; NONE_ID: none is known */
};
struct late_reason lateness_because(const struct lateness *l);
/* Of its words: what to do about it, NULL: nothing in particular; the cause of idle time that they stand for, CAUSE_COUNT: none. */
const char *lateness_advice(const char *words);
enum cause lateness_cause(const char *words);
bool lateness_is_of_compute(
	const char *words); /* it computes longer, and not because the same kernels each take longer on it */
/* What to do about a device on which the same kernels each take longer. */
extern const char lateness_slow_advice[];
/* By how much the last of a match started after the one before it. */
int64_t collective_last_by_ns(const struct collectives *x, const struct collective_match *m);
/* What its other members would not have waited, had the last one started with the one before it. */
int64_t collective_late_alone_ns(const struct collectives *x, const struct collective_match *m);
#endif
