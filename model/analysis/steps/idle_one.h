/* model/analysis/steps/idle_one.h - one idle time while it is split into causes (idle.h): what its thread does until it launches the work
 * that ends it (idle_host.c), which work that is (idle_starters.c), and all the rest (idle.c). Nobody else but who reads what it tells includes it.
 * Cost: of the blocks of causes in it (cause_sums.h) where one thread launches for many devices, else of the changes of the cause. */
#ifndef STEPSCOPE_IDLE_ONE_H
#define STEPSCOPE_IDLE_ONE_H
#include "idle.h"
#include "model/analysis/causes/cause_sums.h"
#include "model/analysis/causes/launcher_walk.h"
#include "model/analysis/maths/intervals.h"
#include "model/analysis/maths/order.h"

/* Which work begins the busy times [from, from + n) of a device: all are found at once when many were asked about. */
struct starters {
	row_id *row; /* NULL: each is sought by itself so far */
	uint32_t from, n, asked;
	bool begun;
};
/* An idle time that was gone through from end to end: a second question about a part of it need not. */
struct seen {
	uint32_t device;
	row_id launch;
	int64_t a_ns, b_ns;
	struct interval hole;
	bool any;
};
/* A stretch of an idle time that went to one cause. */
struct idle_charged {
	int64_t a_ns, b_ns;
	enum cause cause;
};
/* Where the launch latency of an idle time lies that was asked about last; i_above 0: none was. */
struct late {
	uint32_t device, i_above;
	struct interval at, idle; /* idle: the idle time */
	int64_t until_ns;         /* what holds of what ends by then: later `at` is not known yet */
};
struct idles {
	const struct derived *d;
	const struct query *q;
	struct cause_lines *lines;
	struct starters *starters; /* per device */
	struct seen seen;          /* the last one */
	bool any_lost;             /* a live capture lost records */
	struct late late;
	/* The busy time that the last question about latency alone found first, of whatever device. */
	uint32_t late_near;
	row_id drained_near;           /* thread_drained_by's */
	struct launcher_walk launcher; /* of what the thread did that launched last */
};

enum {
	TRUST_LATENCY = 60,
	TRUST_QUEUED = 50,
	TRUST_DRAINED = 70,
	TRUST_OTHERS = 50,
	TRUST_HELD = 90,
	TRUST_SEEN = 60,
	SEEN_NS = 1000000,
	CHARGED_MOST = 16, /* stretches of an idle time that are told */
	TRUST_CONTENTION = 70,
	HOST_PCT = 50, /* of events of whatever thread, where none is known to launch */
	CROWD_PCT = 50 /* an empty stretch that fills so much of the idle time */
};

/* The idle time [a, b) as a whole, and [from, to) of it, which counts. */
struct one {
	struct idles *x;
	struct idle_split *out;
	uint32_t device, thread, host; /* thread NONE_ID: not known */
	row_id next, launch;
	int64_t a_ns, b_ns, from_ns, to_ns;
	int64_t begun_ns, ended_ns; /* the launch, cut to the idle time */
	int64_t drained_ns;         /* until then what the thread does goes to the call that drained the queue */
	row_id drained;
	struct interval hole;       /* the longest stretch in which the thread records nothing; */
	bool hole_known;            /* before the host's part is looked at */
	bool call_asked, call_only; /* whether the launch is all that anybody could tell of: `call` */
	struct cause_at call;
	bool walks;              /* x->launcher reads what the thread does in it */
	bool latency_only;       /* nothing but out->latency_ns is asked for */
	struct interval latency; /* where that lies, whatever part is asked for */
	struct idle_charged charged[CHARGED_MOST];
	uint32_t n_charged;             /* more than there are: they do not tell what a part of it holds */
	struct idle_drawn drawn;        /* the stretch that was charged in sums */
	struct cause_range drawn_range; /* what it holds */
	uint32_t near;                  /* the piece of its thread's drawn line that was read last */
	uint32_t used;                  /* bits: parts that hold something */
	struct idle_part mine[CAUSE_COUNT];
};

/* What of [a, b) the launch latency fills. */
static inline int64_t latency_met(struct interval latency, int64_t a_ns, int64_t b_ns)
{
	return later(0, earlier(latency.b_ns, b_ns) - later(latency.a_ns, a_ns));
}
/* Of the device's busy times, about `asked` of which will be asked for. */
const struct starters *idle_starters_of(struct idles *x, uint32_t device, uint32_t asked);
/* idle_starter_at where they were not found all at once. */
row_id idle_starter_sought(const struct idles *x, const struct starters *s, uint32_t device, uint32_t i);
/* The work that begins the busy time i of the device; NONE_ID = none of the trace does, or the window has nothing of it. */
static inline row_id idle_starter_at(const struct idles *x, const struct starters *s, uint32_t device, uint32_t i)
{
	return s->row && i - s->from < s->n ? s->row[i - s->from] : idle_starter_sought(x, s, device, i);
}
/* What is held for the cause; empty at first. */
struct idle_part *idle_part_of(struct one *o, enum cause cause);
/* What of [a, b) counts goes to the cause; `row` tells it, NONE_ID = none. */
void idle_charge(struct one *o, enum cause cause, uint8_t trust, row_id row, int64_t a_ns, int64_t b_ns);
/* What is charged from now on cannot be told stretch by stretch, nor what was. */
void idle_charged_no_more(struct one *o);
/* The same of a piece of a line of causes. launching: during the launch or after it. */
void idle_charge_piece(struct one *o, const struct cause_at *p, bool launching, int64_t a_ns, int64_t b_ns);
/* All that the thread does in [a, b). */
void idle_host_part(struct one *o, int64_t a_ns, int64_t b_ns, bool launching);
/* The whole of it, where nothing tells which thread launches. */
void idle_any_thread(struct one *o);
/* Rows of a line were chosen from its whole stretch, of which another question may see less. */
void idle_note_wider(struct one *o, const struct cause_walk *w);
#endif
