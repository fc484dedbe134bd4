/* The decision: one candidate per verdict, the one with the most trusted time wins. */
#include "verdict.h"
#include "model/analysis/derived/derived.h"
#include "model/analysis/derived/lost.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/shares.h"

enum {
	OTHERS_PCT = 70,      /* weight of other threads' events relative to the launching thread's */
	DRAINED_TRUST = 70,   /* "the queue ran dry" */
	DRAINED_NS = 1000000, /* its most: a host refills the queue in that time; longer idle time has another cause */
	INPUT_THREADS = 4,    /* fewer busy threads leave a core for the launching one; */
	ANY_THREADS = 16,     /* threads that prepare no input: more, as they may work for the launching one */
	CONTENTION_TRUST = 70,
	CONTENTION_PCT = 50, /* the hole fills so much of the gap, and begins in its first half */
	LEAST_PCT = 10       /* below that nothing is explained */
};

struct candidate {
	enum cause cause;
	int64_t ns, row_ns;
	__int128 trusted;
	row_id row, owner;
};

static void propose(struct candidate *best, enum cause cause, const struct cause_share *s, int pct)
{
	__int128 trusted = s->trusted / 100 * pct;
	if (s->ns > 0 && trusted > best->trusted)
		*best = (struct candidate){cause, s->ns, s->row_ns, trusted, s->row, s->owner};
}

/* Time that no event of the class itself fills; the main event is found when it has won. */
static void propose_time(struct candidate *best, enum cause cause, row_id owner, int64_t ns, int trust)
{
	__int128 trusted = (__int128)ns * trust;
	if (ns > 0 && trusted > best->trusted)
		*best = (struct candidate){cause, ns, 0, trusted, NONE_ID, owner};
}

/* The host waited until the device had nothing left, so what it does next cannot overlap with work. */
static void propose_drained(struct candidate *best, const struct gap *g, const struct gap_evidence *e)
{
	enum cause cause = e->asks_overflow != NONE_ID ? CAUSE_LOSS_SCALING : CAUSE_SYNC;
	int64_t ns = e->until_ns - g->start_ns;
	if (e->drained != NONE_ID)
		propose_time(best, cause, e->drained, ns < DRAINED_NS ? ns : DRAINED_NS, DRAINED_TRUST);
}

static void propose_contention(struct candidate *best, const struct gap *g, const struct gap_evidence *e)
{
	int64_t hole_ns = e->hole_b_ns - e->hole_a_ns;
	bool many = e->input_threads >= INPUT_THREADS || e->input_threads + e->other_threads >= ANY_THREADS;
	if (many && share_at_least(hole_ns, g->dur_ns, CONTENTION_PCT) && e->hole_a_ns - g->start_ns <= g->dur_ns / 2)
		propose_time(best, CAUSE_CONTENTION, e->busy_row, e->busy_ns, CONTENTION_TRUST);
}

static struct candidate choose(const struct gap *g, const struct gap_evidence *e)
{
	struct candidate best = {.row = NONE_ID};
	for (int c = 1; c < CAUSE_COUNT; c++)
		propose(&best, (enum cause)c, &e->own[c], 100);
	for (int c = 1; c < CAUSE_COUNT; c++)
		propose(&best, (enum cause)c, &e->others[c], OTHERS_PCT);
	propose(&best, CAUSE_PROFILER, &e->profiler, 100);
	propose(&best, CAUSE_COMMUNICATION, &e->collective, 100);
	propose_drained(&best, g, e);
	propose_contention(&best, g, e);
	if (best.ns > g->dur_ns)
		best.ns = g->dur_ns;
	return share_at_least(best.ns, g->dur_ns, LEAST_PCT) ? best : (struct candidate){.row = NONE_ID};
}

/* What the owner's thread did most: while the call that drained the queue waited on, or in the hole of the other thread. */
static void find_main_event(const struct derived *d, const struct gap *g, const struct gap_evidence *e,
			    struct candidate *best)
{
	const struct columns *c = derived_columns(d);
	int64_t a_ns = g->start_ns, b_ns = row_end(c, best->owner);
	if (best->cause == CAUSE_CONTENTION) {
		a_ns = e->hole_a_ns;
		b_ns = e->hole_b_ns;
	}
	best->row = self_time_largest(d, c->track[best->owner], a_ns, b_ns, &best->row_ns);
	if (best->row == NONE_ID)
		best->row = best->owner;
}

/* Several threads may add up to more than the gap. */
static double confidence_of(const struct candidate *best, int64_t dur_ns)
{
	double confidence = (double)best->trusted / 100.0 / (double)dur_ns;
	return confidence > 0.99 ? 0.99 : confidence;
}

static void unknown(struct gap_verdict *v)
{
	const struct cause_share *largest = &v->evidence.largest;
	v->cause = CAUSE_UNKNOWN;
	v->row = largest->row;
	v->owner = largest->owner;
	v->row_ns = largest->ns;
	v->cause_ns = UNKNOWN_I64;
	v->lost_ns = UNKNOWN_I64;
	v->thread = v->evidence.thread;
}

/* What the program did there is not known, whatever else was recorded. */
static bool lost(const struct derived *d, const struct gap *g, struct gap_verdict *v)
{
	int64_t ns;
	row_id row = lost_records(d, g->device, g->start_ns, g->start_ns + g->dur_ns, &ns);
	if (row == NONE_ID)
		return false;
	struct candidate found = {.cause = CAUSE_LOST, .trusted = (__int128)ns * 100};
	v->cause = CAUSE_LOST;
	v->confidence = confidence_of(&found, g->dur_ns);
	v->row = v->owner = row;
	v->row_ns = v->cause_ns = ns;
	v->lost_ns = UNKNOWN_I64;
	v->thread = NONE_ID;
	return true;
}

void gap_verdict_of(const struct derived *d, const struct gap *g, struct gap_verdict *out)
{
	*out = (struct gap_verdict){.row = NONE_ID, .owner = NONE_ID};
	gap_evidence_of(d, g, &out->evidence);
	if (lost(d, g, out))
		return;
	struct candidate best = choose(g, &out->evidence);
	if (best.cause == CAUSE_UNKNOWN) {
		unknown(out);
		return;
	}
	if (best.row == NONE_ID)
		find_main_event(d, g, &out->evidence, &best);
	out->cause = best.cause;
	out->confidence = confidence_of(&best, g->dur_ns);
	out->row = best.row;
	out->owner = best.owner;
	out->row_ns = best.row_ns;
	out->cause_ns = best.ns;
	out->lost_ns = cause_loses(best.cause) == LOSES_GAP ? g->dur_ns : best.ns;
	out->thread = derived_columns(d)->track[best.owner];
}
