#include "lateness.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Calls, and members of them together: what is looked at does not grow with the job. */
enum { JUDGED_MOST = 256, MEMBERS_MOST = 4096 };

static const char *const class_words[LATE_CLASSES] = {
	[TIME_OUTPUT] = "it copies more to the host",
	[TIME_D2D] = "it copies more on the device",
	[TIME_INPUT_WAIT] = "it waits longer for its input",
	[TIME_COLLECTIVES] = "other communication takes longer",
	[TIME_LAUNCH] = "its launch calls take longer",
	[TIME_INPUT_COPY] = "it copies more to the device",
	[TIME_COMPILE] = "its host compiles",
	[TIME_HOST] = "its host works longer",
	[LATE_OTHER] = "it idles longer for nothing that is recorded",
	[LATE_BEGIN] = "its step begins later",
};
static const char *const cause_words[CAUSE_COUNT] = {
	[CAUSE_INPUT] = "it waits longer for its input",
	[CAUSE_HOST_WORK] = "its host works longer outside steps",
	[CAUSE_LOSS_SCALING] = "its loss scaling takes longer",
	[CAUSE_CONTENTION] = "other threads keep its launching thread from its core",
	[CAUSE_SYNC] = "its host waits longer for its device",
	[CAUSE_COMPILE] = "its host compiles",
	[CAUSE_ALLOCATOR] = "its driver takes longer to allocate and free memory",
	[CAUSE_COMMUNICATION] = "its host waits longer for other ranks",
	[CAUSE_HOST_WAIT] = "its host sits longer in calls that wait",
	[CAUSE_LAUNCH] = "its host hands over work more slowly",
	[CAUSE_HOST_COMPUTE] = "its host works longer",
	[CAUSE_COPIES] = "its host sits longer in calls that copy",
	[CAUSE_PYTHON] = "its Python interpreter takes longer",
	[CAUSE_PROFILER] = "its profiler takes longer",
	[CAUSE_HELD] = "its work is held back longer",
	[CAUSE_LOST] = "records of it are lost",
};

static const char *const compute_words[] = {
	[LATE_UNASKED] = "it computes longer",
	[LATE_SLOW] = "the same kernels each take longer on it",
	[LATE_MORE] = "it runs more kernels",
	[LATE_LONGER] = "its kernels take longer",
};

const char lateness_slow_advice[] =
	"Its work is that of the others, so look at its clock, power limit and temperature (nvidia-smi -q -d "
	"CLOCK,POWER,TEMPERATURE,PERFORMANCE or rocm-smi), and at what else uses that GPU.";

static const char *const class_advice[LATE_CLASSES] = {
	[TIME_INPUT_WAIT] =
		"Look at that rank's input: its shard of the data, its workers and cores, its disk and network.",
	[TIME_OUTPUT] =
		"Let it fetch and save no more than the others, less often, or asynchronously into pinned memory.",
	[TIME_INPUT_COPY] = "Let it copy no more than the others, ahead of time and from pinned memory.",
};

static const char *const compute_advice[] = {
	[LATE_UNASKED] = "Give it the same share of the work as the others: see in the table 'kernels' of each whether "
			 "it runs more "
			 "kernels, or longer ones.",
	[LATE_SLOW] = lateness_slow_advice,
	[LATE_MORE] = "Give it as much to do as the others: samples, layers, experts, and what it alone computes "
		      "(losses, metrics, "
		      "evaluation).",
	[LATE_LONGER] = "Give it the same share of the work as the others (longer sequences, larger batches). Where it "
			"runs the same "
			"kernels and each takes longer, look at its clock, power and temperature, and at what else "
			"uses that GPU.",
};

/* sum: of all, this one included. */
static enum late_compute compute_of(const struct late_work *own, const struct late_work *sum, uint32_t n)
{
	double others_ns = (sum->compute_ns - own->compute_ns) / (n - 1),
	       others = (sum->kernels - own->kernels) / (n - 1), longer_ns = own->compute_ns - others_ns;
	if (!(longer_ns > 0) || !(others > 0))
		return LATE_UNASKED;
	return (own->kernels - others) * others_ns / others * 2 >= longer_ns ? LATE_MORE : LATE_LONGER;
}

void late_work_compare(struct late_work *at, uint32_t n)
{
	struct late_work sum = {0};
	uint32_t known = 0;
	for (uint32_t i = 0; i < n; i++) {
		at[i].compute = LATE_UNASKED;
		if (isnan(at[i].compute_ns))
			continue;
		known++;
		sum.compute_ns += at[i].compute_ns;
		sum.kernels += at[i].kernels;
	}
	for (uint32_t i = 0; known > 1 && i < n; i++)
		if (!isnan(at[i].compute_ns))
			at[i].compute = compute_of(&at[i], &sum, known);
}

static int compute_said(const char *words)
{
	for (int i = LATE_UNASKED; i <= LATE_LONGER; i++)
		if (!strcmp(compute_words[i], words))
			return i;
	return -1;
}

const char *lateness_advice(const char *words)
{
	int compute = compute_said(words);
	if (compute >= 0)
		return compute_advice[compute];
	for (int i = 0; i < LATE_CLASSES; i++)
		if (class_advice[i] && !strcmp(class_words[i], words))
			return class_advice[i];
	return NULL;
}

bool lateness_is_of_compute(const char *words)
{
	int compute = compute_said(words);
	return compute >= 0 && compute != LATE_SLOW;
}

enum cause lateness_cause(const char *words)
{
	for (int i = 0; i < CAUSE_COUNT; i++)
		if (cause_words[i] && !strcmp(cause_words[i], words))
			return (enum cause)i;
	return CAUSE_COUNT;
}

/* Classes that tell of the host at most that it worked. */
static bool says_little(int class)
{
	return class == TIME_LAUNCH || class == TIME_HOST || class == LATE_OTHER;
}

static double of_host(const struct lateness *l)
{
	return l->class_ns[TIME_LAUNCH] + l->class_ns[TIME_HOST] + l->class_ns[TIME_COMPILE] +
	       l->class_ns[TIME_INPUT_WAIT] + l->class_ns[LATE_OTHER];
}

static bool is_half(const struct lateness *l, double ns)
{
	return l->judged_ns > 0 && ns * 2 >= l->judged_ns;
}

static int most_of(const double *ns, int n)
{
	int most = 0;
	for (int i = 1; i < n; i++)
		if (ns[i] > ns[most])
			most = i;
	return most;
}

struct late_reason lateness_because(const struct lateness *l)
{
	int class = most_of(l->class_ns, LATE_CLASSES), cause = most_of(l->cause_ns, CAUSE_COUNT);
	bool told = is_half(l, l->class_ns[class]);
	if (cause_words[cause] && is_half(l, l->cause_ns[cause]) && (!told || says_little(class)))
		return (struct late_reason){cause_words[cause], l->cause_ns[cause], l->main[cause]};
	const char *words = class == TIME_COMPUTE ? compute_words[l->compute] : class_words[class];
	return told ? (struct late_reason){words, l->class_ns[class], NONE_ID} : (struct late_reason){NULL, 0, NONE_ID};
}

int64_t collective_last_by_ns(const struct collectives *x, const struct collective_match *m)
{
	int64_t before = INT64_MIN;
	for (uint32_t i = 0; i < m->n; i++)
		if (m->members[i] != m->last && x->at[m->members[i]].start_ns > before)
			before = x->at[m->members[i]].start_ns;
	return m->last_start_ns - before;
}

static int64_t before(int64_t ts_ns, const struct collective *c)
{
	int64_t until_ns = ts_ns < c->end_ns ? ts_ns : c->end_ns;
	return until_ns > c->start_ns ? until_ns - c->start_ns : 0;
}

int64_t collective_late_alone_ns(const struct collectives *x, const struct collective_match *m)
{
	int64_t ns = 0, last_but_one_ns = m->last_start_ns - collective_last_by_ns(x, m);
	for (uint32_t i = 0; i < m->n; i++) {
		const struct collective *c = &x->at[m->members[i]];
		ns += before(m->last_start_ns, c) - before(last_but_one_ns, c);
	}
	return ns;
}

/* ---- counting ----------------------------------------------------------------------------------------------------------- */

struct judged {
	int64_t waiting_ns;
	uint32_t match;
};
struct finder {
	const struct late_source *from;
	const struct collectives *x;
	struct lateness *of; /* by device */
	struct judged *calls;
	uint32_t n_calls;
	double *rest_ns; /* by device: at the calls that it was last at, its time in classes that threads may tell */
	bool *threads;   /* by device: they may be the reason, and all classes are found out */
	const struct late_before *before; /* by collective */
};

static void count_match(struct finder *f, uint32_t match)
{
	const struct collective_match *m = &f->x->matches[match];
	struct lateness *last = &f->of[f->x->at[m->last].device];
	int64_t waiting_ns = 0;
	for (uint32_t i = 0; i < m->n; i++) {
		const struct collective *c = &f->x->at[m->members[i]];
		struct lateness *l = &f->of[c->device];
		int64_t wait_ns = collective_wait_ns(f->x, c);
		l->calls++;
		l->wait_ns += wait_ns;
		collective_add(&l->exposed_ns, f->from->call(f->from->ctx, m->members[i]).exposed_wait_ns);
		waiting_ns += wait_ns;
	}
	int64_t by_ns = collective_last_by_ns(f->x, m);
	last->last += by_ns > 0;
	last->waited_for_ns += by_ns > 0 ? waiting_ns : 0;
	last->by_ns += by_ns;
	last->alone_ns += collective_late_alone_ns(f->x, m);
	f->calls[f->n_calls++] = (struct judged){by_ns > 0 ? waiting_ns : 0, match};
}

/* ---- why ------------------------------------------------------------------------------------------------------------------ */

/* Of a device while calls are walked in order of time. */
struct walked {
	int64_t ended_ns, earlier_ns; /* when its call before ended, and the last call of the steps before it */
	int64_t computed_ns;          /* what compute ran beside its calls since its step began */
	uint32_t step;
};

struct late_before *lateness_before(const struct late_source *from, struct arena *mem)
{
	const struct collectives *x = from->x;
	struct walked *at = arena_alloc(mem, (from->devices + 1) * sizeof *at);
	struct late_before *out = arena_alloc(mem, (x->n + 1) * sizeof *out);
	for (uint32_t i = 0; i < from->devices; i++)
		at[i] = (struct walked){INT64_MIN, INT64_MIN, 0, NONE_ID};
	for (uint32_t i = 0; i < x->n; i++) {
		const struct collective *c = &x->at[i];
		struct walked *w = &at[c->device];
		struct late_call call = from->call(from->ctx, i);
		bool first = c->step != w->step;
		if (first) {
			w->computed_ns = 0;
			w->earlier_ns = w->ended_ns;
		}
		w->step = c->step;
		out[i] = (struct late_before){call.start_ns,  UNKNOWN_I64,   call.step_ns,
					      w->computed_ns, w->earlier_ns, first};
		if (call.step_ns != UNKNOWN_I64)
			out[i].call_ns = w->ended_ns > call.step_ns ? w->ended_ns : call.step_ns;
		if (call.exposed_ns != UNKNOWN_I64)
			w->computed_ns += c->end_ns - c->start_ns - call.exposed_ns;
		w->ended_ns = call.end_ns > w->ended_ns ? call.end_ns : w->ended_ns;
	}
	return out;
}

static bool has_steps(const struct finder *f, const struct collective_match *m)
{
	for (uint32_t i = 0; i < m->n; i++)
		if (f->before[m->members[i]].call_ns == UNKNOWN_I64)
			return false;
	return true;
}

/* Half of the lateness or more is compute that the others ran beside the calls before, while they waited there: since those calls the last one
 * has to compute what they have after them. The whole step so far tells who took longer, and for what. */
static bool by_step(const struct finder *f, const struct collective_match *m)
{
	double others_ns = 0, others_start_ns = 0;
	for (uint32_t i = 0; i < m->n; i++) {
		if (m->members[i] == m->last)
			continue;
		others_ns += (double)f->before[m->members[i]].computed_ns / (m->n - 1);
		others_start_ns += (double)(f->x->at[m->members[i]].start_ns - m->last_start_ns) / (m->n - 1);
	}
	return 2 * (others_ns - (double)f->before[m->last].computed_ns) >= -others_start_ns;
}

static int64_t begin_of(const struct finder *f, uint32_t member, enum late_since since)
{
	const struct late_before *b = &f->before[member];
	return since == LATE_SINCE_EARLIER ? b->earlier_ns : since == LATE_SINCE_STEP ? b->step_ns : b->call_ns;
}

/* The same on the common axis. */
static int64_t begin_on_axis(const struct finder *f, uint32_t member, enum late_since since)
{
	return begin_of(f, member, since) + f->x->at[member].start_ns - f->before[member].start_ns;
}

/* The last one's later start makes half of its lateness or more, and what made it late lies before the step. */
static bool begins_late(const struct finder *f, const struct collective_match *m, enum late_since since)
{
	double begin_ns = 0, start_ns = 0;
	for (uint32_t i = 0; i < m->n; i++) {
		uint32_t member = m->members[i];
		if (f->before[member].earlier_ns == INT64_MIN)
			return false;
		begin_ns += (double)(begin_on_axis(f, m->last, since) - begin_on_axis(f, member, since)) / (m->n - 1);
		start_ns += (double)(m->last_start_ns - f->x->at[member].start_ns) / (m->n - 1);
	}
	return 2 * begin_ns >= start_ns;
}

static enum late_since since_when(const struct finder *f, const struct collective_match *m)
{
	enum late_since since = by_step(f, m) ? LATE_SINCE_STEP : LATE_SINCE_CALL;
	return begins_late(f, m, since) ? LATE_SINCE_EARLIER : since;
}

static bool split(struct finder *f, uint32_t member, enum late_since since, bool device_alone, double out[LATE_CLASSES])
{
	if (!f->from->split(f->from->ctx, member, since, begin_of(f, member, since), device_alone, out))
		return false;
	/* on the common axis, on which the others began, too */
	out[LATE_BEGIN] = (double)(begin_on_axis(f, member, since) - f->from->base_ns);
	return true;
}

static void judge(struct finder *f, const struct collective_match *m, bool device_alone)
{
	double last[LATE_CLASSES], one[LATE_CLASSES], others[LATE_CLASSES] = {0};
	uint32_t device = f->x->at[m->last].device;
	struct lateness *l = &f->of[device];
	enum late_since since = since_when(f, m);
	if (!split(f, m->last, since, device_alone, last))
		return;
	for (uint32_t i = 0; i < m->n; i++) {
		if (m->members[i] == m->last)
			continue;
		if (!split(f, m->members[i], since, device_alone, one))
			return;
		for (int k = 0; k < LATE_CLASSES; k++)
			others[k] += one[k];
	}
	l->judged++;
	for (int k = 0; k < LATE_CLASSES; k++) {
		double more = last[k] - others[k] / (m->n - 1);
		l->class_ns[k] += more;
		l->judged_ns += more;
		f->rest_ns[device] += k >= TIME_INPUT_WAIT && k != LATE_BEGIN ? last[k] : 0;
	}
}

static void judge_calls(struct finder *f, uint32_t judged, bool device_alone, struct progress *p)
{
	for (uint32_t i = 0; i < judged && !progress_cancelled(p); i++) {
		const struct collective_match *m = &f->x->matches[f->calls[i].match];
		if (f->threads[f->x->at[m->last].device] != device_alone && has_steps(f, m))
			judge(f, m, device_alone);
	}
}

/* No class is longer by more than the last one spent in it: where all that it spent in those that threads tell is less than half of its
 * lateness, none of them is the reason, and nobody's threads are read. */
static void judge_all(struct finder *f, uint32_t judged, struct progress *p)
{
	judge_calls(f, judged, true, p);
	for (uint32_t i = 0; i < f->from->devices; i++) {
		struct lateness *l = &f->of[i];
		if (2 * f->rest_ns[i] < l->judged_ns)
			continue;
		f->threads[i] = true;
		memset(l->class_ns, 0, sizeof l->class_ns);
		l->judged_ns = 0;
		l->judged = 0;
	}
	judge_calls(f, judged, false, p);
}

/* ---- what its host did ---------------------------------------------------------------------------------------------------- */

/* Idle time of a member before its call, by cause: added to `ns`, `share` of it. */
static void add_idle(struct finder *f, uint32_t member, double share, enum late_since since, double ns[CAUSE_COUNT],
		     struct idle_split *s)
{
	f->from->idle(f->from->ctx, member, since, begin_of(f, member, since), s);
	for (int i = 0; i < CAUSE_COUNT; i++)
		ns[i] += share * (double)s->part[i].ns;
}

static void judge_host(struct finder *f, const struct collective_match *m)
{
	struct idle_split s;
	struct lateness *l = &f->of[f->x->at[m->last].device];
	enum late_since since = since_when(f, m);
	for (uint32_t i = 0; i < m->n; i++)
		if (m->members[i] != m->last)
			add_idle(f, m->members[i], -1.0 / (m->n - 1), since, l->cause_ns, &s);
	add_idle(f, m->last, 1, since, l->cause_ns, &s);
	for (int i = 0; i < CAUSE_COUNT; i++)
		if (s.part[i].row_ns > l->main_ns[i]) {
			l->main[i] = s.part[i].row;
			l->main_ns[i] = s.part[i].row_ns;
		}
}

/* Threads are read for those alone whose host may be the reason. */
static void judge_hosts(struct finder *f, uint32_t judged, struct progress *p)
{
	for (uint32_t i = 0; i < judged && !progress_cancelled(p); i++) {
		const struct collective_match *m = &f->x->matches[f->calls[i].match];
		const struct lateness *l = &f->of[f->x->at[m->last].device];
		if (is_half(l, of_host(l)) && has_steps(f, m))
			judge_host(f, m);
	}
}

static int in_order(const void *a, const void *b)
{
	const struct judged *x = a, *y = b;
	return (x->match > y->match) - (x->match < y->match);
}

static int most_waiting(const void *a, const void *b)
{
	const struct judged *x = a, *y = b;
	if (x->waiting_ns != y->waiting_ns)
		return x->waiting_ns > y->waiting_ns ? -1 : 1;
	return (x->match > y->match) - (x->match < y->match);
}

/* Those with most waiting come first. */
static uint32_t calls_judged(const struct finder *f)
{
	uint32_t n = 0, members = 0;
	for (; n < f->n_calls && n < JUDGED_MOST && members < MEMBERS_MOST && f->calls[n].waiting_ns > 0; n++)
		members += f->x->matches[f->calls[n].match].n;
	return n;
}

/* The calls to judge, in order of time; returns how many. */
static uint32_t choose(struct finder *f)
{
	for (uint32_t i = 0; i < f->x->n_matches;
	     i++) /* of a pair one end waits for the other as the program wants it */
		if (!collective_in_pairs(&f->x->at[f->x->matches[i].last]) &&
		    f->from->call(f->from->ctx, f->x->matches[i].last).asked)
			count_match(f, i);
	if (f->n_calls > 1)
		qsort(f->calls, f->n_calls, sizeof *f->calls, most_waiting);
	uint32_t judged = calls_judged(f);
	if (judged > 1) /* calls of one step one after the other */
		qsort(f->calls, judged, sizeof *f->calls, in_order);
	return judged;
}

struct lateness *lateness_of(const struct late_source *from, struct arena *mem, struct progress *p)
{
	uint32_t devices = from->devices;
	const struct collectives *x = from->x;
	struct finder f = {.from = from, .x = x};
	f.of = arena_alloc(mem, (devices + 1) * sizeof *f.of);
	f.calls = arena_alloc(mem, (x->n_matches + 1) * sizeof *f.calls);
	for (uint32_t i = 0; i < devices; i++)
		for (int k = 0; k < CAUSE_COUNT; k++)
			f.of[i].main[k] = NONE_ID;
	f.before = lateness_before(from, mem);
	f.rest_ns = arena_alloc(mem, (devices + 1) * sizeof *f.rest_ns);
	f.threads = arena_alloc(mem, (devices + 1) * sizeof *f.threads);
	memset(f.threads, from->at_once, devices * sizeof *f.threads);
	uint32_t judged = choose(&f);
	judge_all(&f, judged, p);
	judge_hosts(&f, judged, p);
	return f.of;
}
