/* model/analysis/gaps/verdict.h - why a device idles: the verdict on a gap, with its evidence and how sure it is.
 * Evidence: what the launching thread did until it launched the work after the gap (self time by the classes of
 *          rules/causes.rules), then what other threads of its process did, calls that drained the queue, collectives,
 *          the profiler's own cost, and which threads were busy while the launching one recorded nothing.
 * Decision: each verdict collects trust x time from its events; the largest sum wins, and its share of the gap is the
 *          confidence. When the best one fills less than a tenth of the gap the verdict is "unknown", and the sentence
 *          says what to record. Step markers never count as cause. Where a live capture lost records there is no verdict:
 *          the device may have been busy.
 * Lost:    time of the gap that the verdict's events fill. Host work outside the graph costs the whole gap: the device
 *          would not have waited at all had the host not left the graph.
 * Cost:    of the host events about the gap, on demand; nothing is kept. Threads: any number. */
#ifndef STEPSCOPE_VERDICT_H
#define STEPSCOPE_VERDICT_H
#include "model/analysis/derived/gaps.h"
#include "model/analysis/rules/cause.h"
#include "model/analysis/query/busy_threads.h"
#include "model/store/base/arena.h"

/* Events of one class inside the gap. An event gives its class to the events in it: what a DataLoader calls is input. */
struct cause_share {
	__int128 trusted; /* sum of trust (percent) x self time: may lie years apart */
	int64_t ns;       /* self time of all */
	int64_t row_ns;   /* of `row` */
	int64_t owner_ns; /* of the events of `owner`, those in it included */
	int64_t run_ns;   /* what run_owner has so far */
	row_id row;       /* main event: the one with the most self time */
	row_id owner;     /* the event that gives its class to the most time */
	row_id run_owner; /* while adding up: the owner before */
};
struct gap_evidence {
	uint32_t thread;                     /* launching thread's track, NONE_ID = not known */
	int64_t until_ns;                    /* the host's part of the gap ends here: the launch of the work after it */
	bool launched_before;                /* that launch was over when the gap began: the host had done its part */
	struct cause_share own[CAUSE_COUNT]; /* launching thread */
	struct cause_share others[CAUSE_COUNT]; /* other threads of its process that prepare no input */
	struct cause_share largest;             /* of the launching thread, of whatever class */
	int64_t recorded_ns;                    /* launching thread: time with any event but markers */
	int64_t hole_a_ns, hole_b_ns;           /* its longest time without any */
	struct busy_threads busy;               /* others over that hole */
	row_id drained;                         /* call that waited for the device when the gap began, NONE_ID = none */
	row_id asks_overflow;          /* of the calls that wait, the one that asks whether a gradient overflowed */
	struct cause_share collective; /* collectives on the device inside the gap */
	struct cause_share profiler;   /* the profiler's own cost, any thread of the host */
	int64_t foreign_ns;            /* step gaps: device work inside the gap that belongs to no step */
};
struct gap_verdict {
	enum cause cause;
	double confidence; /* 0-1; 0 when unknown */
	row_id row;        /* main event, of that class; when unknown the thread's largest event; NONE_ID = none */
	int64_t row_ns;    /* own (self) time of that event inside the gap; NONE_ID: 0 */
	row_id owner;      /* what names the class: the main event or one around it; NONE_ID where row is */
	int64_t cause_ns;  /* time of the gap that events of the class fill; UNKNOWN_I64 when unknown */
	int64_t lost_ns;   /* <= gap; UNKNOWN_I64 when unknown */
	uint32_t thread;   /* where that happened, NONE_ID = nowhere */
	struct gap_evidence evidence;
};
struct idle_extents;
void gap_verdict_of(const struct derived *d, const struct gap *g, struct gap_verdict *out);
/* The same, where it is known what a walk over all idle times found (steps/idle.h), asked for without a filter; NULL: it is not. */
void gap_verdict_knowing(const struct derived *d, const struct idle_extents *known, const struct gap *g,
			 struct gap_verdict *out);
/* The same verdict on each of many gaps, in one sweep over the threads: fast where the gaps of a scope and device come in order of
 * time. Its evidence leaves out which threads are busy (`busy`) where that could not decide.
 * Life: gap_judge_new -> gap_judge_verdict any number of times -> gap_judge_free. One thread. */
struct gap_judge;
struct gap_judge *gap_judge_new(const struct derived *d, int64_t a_ns, int64_t b_ns); /* no gap reaches out of [a, b) */
/* What is known of them need not be found again; as for gap_verdict_knowing. */
void gap_judge_knows(struct gap_judge *j, const struct idle_extents *known);
void gap_judge_free(struct gap_judge *j);
void gap_judge_verdict(struct gap_judge *j, const struct gap *g, struct gap_verdict *out);
/* Of it cause, confidence, cause_ns and lost_ns alone, where what is known tells them without a look at any thread: nothing else of `out` is
 * written then. False: it does not. */
bool gap_judge_sums(const struct gap_judge *j, const struct gap *g, struct gap_verdict *out);
/* The same of a gap between steps. */
bool gap_judge_step_sums(const struct gap_judge *j, const struct step_gap *g, struct gap_verdict *out);
/* The same and `owner`, where few looks at the launching thread tell it. */
bool gap_judge_owner(struct gap_judge *j, const struct gap *g, struct gap_verdict *out);
/* What is lost to a cause that fills cause_ns of a gap; UNKNOWN_I64 when nothing is known. */
static inline int64_t gap_lost_ns(enum cause cause, int64_t cause_ns, int64_t gap_ns)
{
	enum cause_loses loses = cause_loses(cause);
	return loses == LOSES_NOTHING ? UNKNOWN_I64 : loses == LOSES_GAP ? gap_ns : cause_ns;
}
/* What sentences say beside the pair; UNKNOWN_I64 where it does not apply. Time of the gap until the work after it was launched in
 * which the launching thread recorded nothing; until when in the gap the call lasted that drained the queue; how long before the gap
 * the work after it had been launched. */
int64_t gap_unrecorded_ns(const struct gap *g, const struct gap_verdict *v);
int64_t gap_drained_until_ns(const struct derived *d, const struct gap *g, const struct gap_verdict *v);
int64_t gap_launched_ahead_ns(const struct derived *d, const struct gap *g, const struct gap_verdict *v);
/* The launch of the work after the gap is known and was over when the gap began: the host had done its part. */
bool gap_launched_before(const struct derived *d, const struct gap *g);
/* The pair that is said wherever a verdict is, the class with its time and its main event with that event's own time:
 * "Python overhead 7.089 ms (99.8 %), most in _set_context 1.091 ms"; "maybe ..." below a confidence of one half; "cannot
 * tell, largest event X 1.000 ms (7.0 %)" when unknown. `name`: the main event as it is shown; NULL leaves it out. */
const char *gap_cause_words(const struct gap *g, const struct gap_verdict *v, const char *name, struct arena *mem);
const char *gap_class_words(const struct gap_verdict *v,
			    struct arena *mem); /* what that begins with: "Python overhead" */
/* `before` and then "confidence 0.60"; "" when unknown. */
const char *gap_confidence_words(const struct gap_verdict *v, const char *before, struct arena *mem);
/* One sentence with that pair and where it was, without capital and full stop; names are cut to a line's length. */
const char *gap_verdict_sentence(const struct derived *d, const struct gap *g, const struct gap_verdict *v,
				 struct arena *mem);

/* ---- which gaps ------------------------------------------------------------------------------------------------------ */

/* Step gaps and idle intervals of devices that meet the window, each idle time once: intervals inside a step gap of their
 * device are left out, shorter ones than least_ns too, and the longest `most_idle` of the rest are kept. */
struct gap_pick {
	uint32_t *ids;
	uint32_t n;
	uint32_t left_out;  /* idle intervals beyond most_idle */
	int64_t a_ns, b_ns; /* from the first one's begin to the last one's end */
};
struct query;
/* The gaps of the query's window, in `mem`. */
struct gap_pick gap_pick(const struct derived *d, const struct query *q, uint32_t most_idle, struct arena *mem);
#endif
