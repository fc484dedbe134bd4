/* The decision: the cause that most of the idle time has. */
#include "judge.h"
#include "thread_shares.h"
#include "model/analysis/causes/thread_causes.h"
#include "model/analysis/derived/cause_names.h"
#include "model/analysis/derived/derived.h"
#include "model/analysis/derived/pauses.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/order.h"
#include "model/analysis/maths/shares.h"
#include "model/store/base/memory.h"
#include <stdlib.h>

enum {
	OTHERS_PCT = 70, /* weight of other threads' events relative to the launching thread's */
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

/* Other streams may be busy then: what the host did is weighed, trust x time, and collectives on other streams with it. */
static void propose(struct candidate *best, enum cause cause, const struct cause_share *s, int pct)
{
	__int128 trusted = s->trusted / 100 * pct;
	if (s->ns > 0 && trusted > best->trusted)
		*best = (struct candidate){cause, s->ns, s->row_ns, trusted, s->row, s->owner};
}

static void propose_contention(struct candidate *best, const struct gap *g, const struct gap_evidence *e)
{
	int64_t hole_ns = e->hole_b_ns - e->hole_a_ns;
	__int128 trusted = (__int128)e->busy.ns * CONTENTION_TRUST;
	if (busy_threads_crowd(&e->busy) && share_at_least(hole_ns, g->dur_ns, CONTENTION_PCT) &&
	    e->hole_a_ns - g->start_ns <= g->dur_ns / 2 && trusted > best->trusted)
		*best = (struct candidate){CAUSE_CONTENTION, e->busy.ns, 0, trusted, NONE_ID, e->busy.row};
}

static struct candidate weigh(const struct gap *g, const struct gap_evidence *e)
{
	struct candidate best = {.row = NONE_ID};
	for (int c = 1; c < CAUSE_COUNT; c++)
		propose(&best, (enum cause)c, &e->own[c], 100);
	for (int c = 1; c < CAUSE_COUNT; c++)
		propose(&best, (enum cause)c, &e->others[c], OTHERS_PCT);
	propose(&best, CAUSE_PROFILER, &e->profiler, 100);
	propose(&best, CAUSE_COMMUNICATION, &e->collective, 100);
	propose_contention(&best, g, e);
	return best;
}

/* The evidence of the cause: the launching thread's where it holds half of its time or more, else what holds most. */
static const struct cause_share *share_of(const struct gap_evidence *e, enum cause cause, int64_t ns)
{
	const struct cause_share *best = &e->own[cause];
	if (best->ns < ns / 2 && e->others[cause].ns > best->ns)
		best = &e->others[cause];
	return cause == CAUSE_PROFILER && e->profiler.ns > best->ns ? &e->profiler : best;
}

/* Time that no event of the class itself fills: after a call that drained the queue, or while other threads are busy. */
static row_id owner_without_share(const struct gap_evidence *e, row_id row, enum cause cause)
{
	bool drained = cause == CAUSE_SYNC || cause == CAUSE_LOSS_SCALING;
	return cause == CAUSE_CONTENTION ? e->busy.row : drained && e->drained != NONE_ID ? e->drained : row;
}

static void split_alone(const struct derived *d, const struct gap *g, struct idle_split *out)
{
	struct query q = query_all();
	q.a_ns = g->start_ns;
	q.b_ns = g->start_ns + g->dur_ns;
	struct idles *idles = idles_new(d, &q, g->device);
	idle_between(idles, g->device, q.a_ns, q.b_ns, out);
	idles_free(idles);
}

/* Where work of no step ran beside it. */
static void take_share(struct candidate *best, int64_t ns, __int128 trusted)
{
	if (ns <= best->ns)
		return;
	best->ns = ns;
	best->trusted = trusted;
}

static struct candidate candidate_of(const struct gap *g, const struct gap_evidence *e, const struct idle_main *m,
				     __int128 trusted)
{
	struct candidate best = {(enum cause)m->cause, m->ns, 0, trusted, NONE_ID, NONE_ID};
	const struct cause_share *share = share_of(e, best.cause, best.ns);
	if (share->ns < best.ns / 2 && (best.cause == CAUSE_SYNC || best.cause == CAUSE_LOSS_SCALING) &&
	    e->drained != NONE_ID)
		share = &e->own[CAUSE_UNKNOWN]; /* most of it comes after the call */
	if (g->scope == GAP_STEP)
		take_share(&best, share->ns, share->trusted);
	best.owner = share->ns > 0 ? share->owner : owner_without_share(e, m->row, best.cause);
	best.row = share->ns > 0 ? share->row : NONE_ID;
	best.row_ns = share->ns > 0 ? share->row_ns : 0;
	return best;
}

/* Where an event is named that was chosen among others than those about this gap, it is asked for alone. */
static bool depends_on_rows(const struct idle_main *m, const struct candidate *best)
{
	return m->wider && (m->waits || best->row == NONE_ID);
}

static struct candidate candidate_in(const struct gap *g, const struct gap_evidence *e, const struct idle_split *s,
				     bool *depends)
{
	struct idle_main m = idle_main_of(s->part, (1u << CAUSE_COUNT) - 1, s->wider);
	struct candidate best = candidate_of(g, e, &m, m.cause ? s->part[m.cause].trusted : 0);
	*depends = depends_on_rows(&m, &best);
	return best;
}

/* What was found of a gap in one walk over all idle times. */
struct known {
	struct idle_main main;
	struct idle_own own;
};

/* False: it is not known. before: the part of the step before it, NULL: the gap is not between parts of steps. */
static bool known_after(const struct gap_judge *j, const struct step_device *before, int64_t a_ns, int64_t b_ns,
			struct known *out)
{
	uint32_t n;
	const struct step_device *parts = derived_step_devices(j->d, &n);
	uint32_t place = before ? (uint32_t)(before - parts) : NONE_ID;
	if (!j->known || !before || !j->known->mains[place].told || before->last_ns != a_ns ||
	    before[1].first_ns != b_ns)
		return false;
	out->main = idle_main_between(j->known, place);
	out->own = j->known->own ? j->known->own[place] : (struct idle_own){0};
	return true;
}

static bool known_between(const struct gap_judge *j, const struct gap *g, struct known *out)
{
	const struct step_device *before = derived_step_device(j->d, g->step_before, g->device);
	return g->scope == GAP_STEP && known_after(j, before, g->start_ns, g->start_ns + g->dur_ns, out);
}

static bool known_long(const struct gap_judge *j, const struct gap *g, struct known *out)
{
	uint32_t lo = 0, hi = j->known->n_longest;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		const struct idle_long *x = &j->known->longest[mid];
		if (x->device < g->device || (x->device == g->device && x->a_ns < g->start_ns))
			lo = mid + 1;
		else
			hi = mid;
	}
	const struct idle_long *x = lo < j->known->n_longest ? &j->known->longest[lo] : NULL;
	if (!x || x->device != g->device || x->a_ns != g->start_ns || x->b_ns != g->start_ns + g->dur_ns)
		return false;
	out->main = x->main;
	return true;
}

static bool known_main(const struct gap_judge *j, const struct gap *g, struct known *out)
{
	return j->known && (g->scope == GAP_STEP ? known_between(j, g, out) : known_long(j, g, out));
}

/* The cause with the most of the device's idle time in the gap, by the rules of idle.h. */
static struct candidate choose(const struct gap_judge *j, const struct gap *g, const struct gap_evidence *e)
{
	struct idle_split s;
	struct candidate best;
	bool depends = true;
	struct known known;
	if (known_main(j, g, &known)) {
		best = candidate_of(g, e, &known.main, known.main.trusted);
		depends = depends_on_rows(&known.main, &best);
	} else if (j->idles) {
		idle_between(j->idles, g->device, g->start_ns, g->start_ns + g->dur_ns, &s);
		best = candidate_in(g, e, &s, &depends);
	}
	if (!depends)
		return best;
	split_alone(j->d, g, &s);
	return candidate_in(g, e, &s, &depends);
}

static struct candidate judge(const struct gap_judge *j, const struct gap *g, const struct gap_evidence *e)
{
	struct candidate best = g->device == NONE_ID || g->scope == GAP_STREAM ? weigh(g, e) : choose(j, g, e);
	if (best.ns > g->dur_ns)
		best.ns = g->dur_ns;
	return best.owner != NONE_ID && share_at_least(best.ns, g->dur_ns, LEAST_PCT)
		       ? best
		       : (struct candidate){.row = NONE_ID};
}

/* The longest call of the driver below a frame or op that waits: there the host waited. NONE_ID: none was recorded. */
static row_id waiting_call(const struct derived *d, row_id frame)
{
	const struct columns *c = derived_columns(d);
	row_id longest = NONE_ID;
	struct event_iter it = event_iter(derived_trace(d), c->track[frame], c->start_ns[frame], row_end(c, frame),
					  KIND_BIT(KIND_RUNTIME));
	while (event_next(&it))
		if (c->start_ns[it.row] >= c->start_ns[frame] &&
		    cause_of_name(d, c->name[it.row]).section == CAUSE_SYNC &&
		    (longest == NONE_ID || c->dur_ns[it.row] > c->dur_ns[longest]))
			longest = it.row;
	return longest;
}

/* Names the call in which the host waited until the queue was dry; it may have ended before the gap. */
static bool find_waiting_call(const struct derived *d, const struct gap *g, const struct gap_evidence *e,
			      struct candidate *best)
{
	const struct columns *c = derived_columns(d);
	row_id call = best->owner == e->drained ? waiting_call(d, best->owner) : NONE_ID;
	if (call == NONE_ID)
		return false;
	int64_t inside_ns = row_end(c, call) - g->start_ns;
	best->row = call;
	best->row_ns = inside_ns > 0 ? inside_ns : 0;
	return true;
}

/* What the owner's thread did most: while the call that drained the queue waited on, or in the hole of the other thread. */
static void find_main_event(const struct derived *d, const struct gap *g, const struct gap_evidence *e,
			    struct candidate *best)
{
	const struct columns *c = derived_columns(d);
	int64_t a_ns = g->start_ns, b_ns = earlier(row_end(c, best->owner), g->start_ns + g->dur_ns);
	if (best->cause == CAUSE_HELD) { /* the work itself: what held it is nothing that the file holds */
		best->row = best->owner;
		return;
	}
	if (find_waiting_call(d, g, e, best))
		return;
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
	v->confidence = 0;
	v->row = largest->row;
	v->owner = largest->owner;
	v->row_ns = largest->ns;
	v->cause_ns = UNKNOWN_I64;
	v->lost_ns = gap_lost_ns(CAUSE_UNKNOWN, 0, 0);
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

static void put_sums(struct gap_verdict *out, const struct candidate *best, int64_t dur_ns)
{
	out->cause = best->cause;
	out->confidence = confidence_of(best, dur_ns);
	out->cause_ns = best->ns;
	out->lost_ns = gap_lost_ns(best->cause, best->ns, dur_ns);
}

void gap_judge_verdict(struct gap_judge *j, const struct gap *g, struct gap_verdict *out)
{
	const struct derived *d = j->d;
	gap_evidence_of(j, g, &out->evidence);
	if (lost(d, g, out))
		return;
	struct candidate best = judge(j, g, &out->evidence);
	if (best.cause == CAUSE_UNKNOWN) {
		unknown(out);
		return;
	}
	if (best.row == NONE_ID)
		find_main_event(d, g, &out->evidence, &best);
	if (best.row_ns > best.ns) /* the rest of its own time counts for other causes */
		best.row_ns = best.ns;
	put_sums(out, &best, g->dur_ns);
	out->row = best.row;
	out->owner = best.owner;
	out->row_ns = best.row_ns;
	out->thread = best.cause == CAUSE_HELD ? NONE_ID : derived_columns(d)->track[best.owner];
}

/* One cause has all of the gap, and there is no evidence of more: that is the launching thread's, or that of so many beside it. */
static bool has_all(const struct gap_judge *j, uint32_t thread, int64_t dur_ns, const struct idle_main *m,
		    uint32_t beside)
{
	uint32_t n;
	bool tells = m->row != NONE_ID && !m->wider && m->cause != CAUSE_CONTENTION;
	if (m->ns != dur_ns || !tells || thread == NONE_ID)
		return false;
	process_tracks(j->d, trace_track(derived_trace(j->d), thread)->process, &n);
	return n <= 1 + beside;
}

static bool is_lost(const struct gap_judge *j, uint32_t device, int64_t a_ns, int64_t b_ns)
{
	int64_t ns;
	return lost_records(j->d, device, a_ns, b_ns, &ns) != NONE_ID;
}

static bool is_lost_gap(const struct gap_judge *j, const struct gap *g)
{
	return is_lost(j, g->device, g->start_ns, g->start_ns + g->dur_ns);
}

/* What the main cause of a gap between steps tells by itself. thread: who launched the work after it. */
static bool sums_of(const struct gap_judge *j, const struct known *known, int64_t dur_ns, uint32_t thread,
		    struct gap_verdict *out)
{
	enum { BESIDE = 1 };
	const struct idle_main *m = &known->main;
	const struct idle_own *own = &known->own;
	struct candidate best = {(enum cause)m->cause, m->ns, 0, m->trusted, NONE_ID, NONE_ID};
	if (has_all(j, thread, dur_ns, m, BESIDE)) {
		put_sums(out, &best, dur_ns);
		return true;
	}
	if (!own->ns)
		return false;
	if (best.cause == CAUSE_SYNC && own->ns < best.ns / 2) /* a call may have drained the device */
		return false;
	take_share(&best, own->ns, own->trusted);
	best.ns = earlier(best.ns, dur_ns);
	if (!share_at_least(best.ns, dur_ns, LEAST_PCT))
		return false;
	put_sums(out, &best, dur_ns);
	return true;
}

bool gap_judge_sums(const struct gap_judge *j, const struct gap *g, struct gap_verdict *out)
{
	struct known known;
	return known_between(j, g, &known) && !is_lost_gap(j, g) &&
	       sums_of(j, &known, g->dur_ns, gap_thread(j->d, g), out);
}

bool gap_judge_step_sums(const struct gap_judge *j, const struct step_gap *g, struct gap_verdict *out)
{
	uint32_t n;
	struct known known;
	const struct step_device *before = g->part == NONE_ID ? NULL : derived_step_devices(j->d, &n) + g->part;
	if (!known_after(j, before, g->start_ns, g->end_ns, &known) || is_lost(j, g->device, g->start_ns, g->end_ns))
		return false;
	return sums_of(j, &known, g->end_ns - g->start_ns, work_thread(j->d, before[1].first_row, g->device), out);
}

static bool others_tell(enum cause cause)
{
	return cause == CAUSE_SYNC || cause == CAUSE_LOSS_SCALING || cause == CAUSE_PROFILER || cause == CAUSE_HELD ||
	       cause == CAUSE_COMMUNICATION;
}

/* The launching thread's own events tell the cause, and no other thread is asked, or there is none. */
static bool tells_alone(const struct gap_judge *j, const struct gap *g, const struct known *known)
{
	uint32_t n;
	const struct idle_main *m = &known->main;
	if (m->wider || others_tell((enum cause)m->cause) || !known->own.ns)
		return false;
	process_tracks(j->d, trace_track(derived_trace(j->d), gap_thread(j->d, g))->process, &n);
	return n == 1 || (__int128)known->own.trusted >= (__int128)g->dur_ns * EXPLAINED_PCT;
}

/* Where one cause has all of the gap and there is no other thread: who gives it to most of the launching one's time, else what tells it
 * longest. */
static bool owner_of_all(struct gap_judge *j, const struct gap *g, const struct idle_main *m, struct gap_verdict *out)
{
	enum cause cause = (enum cause)m->cause;
	int64_t until_ns = gap_host_until_ns(j->d, g);
	row_id owner = NONE_ID;
	if (others_tell(cause) || !has_all(j, gap_thread(j->d, g), g->dur_ns, m, 0) || is_lost_gap(j, g))
		return false;
	if (until_ns > g->start_ns &&
	    !thread_shares_owner_of_few(j, gap_thread(j->d, g), g->start_ns, until_ns, cause, &owner))
		return false;
	put_sums(out, &(struct candidate){cause, m->ns, 0, m->trusted, NONE_ID, NONE_ID}, g->dur_ns);
	out->owner = owner != NONE_ID ? owner : m->row;
	return true;
}

bool gap_judge_owner(struct gap_judge *j, const struct gap *g, struct gap_verdict *out)
{
	struct known known;
	const struct idle_main *m = &known.main;
	if (!known_between(j, g, &known))
		return false;
	if (!tells_alone(j, g, &known) || !gap_judge_sums(j, g, out))
		return owner_of_all(j, g, m, out);
	out->owner = thread_shares_owner(j, gap_thread(j->d, g), g->start_ns, gap_host_until_ns(j->d, g), out->cause);
	return out->owner != NONE_ID || owner_of_all(j, g, m, out);
}

void gap_verdict_of(const struct derived *d, const struct gap *g, struct gap_verdict *out)
{
	gap_verdict_knowing(d, NULL, g, out);
}

void gap_verdict_knowing(const struct derived *d, const struct idle_extents *known, const struct gap *g,
			 struct gap_verdict *out)
{
	struct gap_judge alone = {.d = d, .once = true, .known = known};
	gap_judge_verdict(&alone, g, out);
	thread_owners_free(alone.owners);
	thread_sweep_free(alone.spare);
}

struct gap_judge *gap_judge_new(const struct derived *d, int64_t a_ns, int64_t b_ns)
{
	struct gap_judge *j = must(malloc(sizeof *j));
	*j = (struct gap_judge){.d = d, .all = query_all()};
	j->all.a_ns = a_ns;
	j->all.b_ns = b_ns;
	j->idles = idles_for_each(d, &j->all);
	return j;
}

void gap_judge_knows(struct gap_judge *j, const struct idle_extents *known)
{
	j->known = j->idles ? known : NULL;
}

void gap_judge_free(struct gap_judge *j)
{
	if (j->idles)
		idles_free(j->idles);
	judge_sleepers_free(j);
	thread_blocks_free(j->blocks);
	thread_owners_free(j->owners);
	thread_sweep_free(j->spare);
	free(j);
}
