#include "lateness.h"
#include <math.h>
#include <stdlib.h>
#include "model/analysis/derived/rows.h"
#include "model/query.h"

enum { JUDGED_MOST = 256 };

static const char *const words[LATE_CLASSES] = {
	[TIME_COMPUTE] = "its kernels take longer",
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

const char *lateness_words(int class)
{
	return class < 0 || class >= LATE_CLASSES ? NULL : words[class];
}

int lateness_because(const struct lateness *l)
{
	int most = 0;
	for (int i = 1; i < LATE_CLASSES; i++)
		if (l->class_ns[i] > l->class_ns[most])
			most = i;
	return l->judged_ns > 0 && l->class_ns[most] * 2 >= l->judged_ns ? most : LATE_CLASSES;
}

int64_t collective_last_by_ns(const struct collectives *x, const struct collective_match *m)
{
	int64_t before = INT64_MIN;
	for (uint32_t i = 0; i < m->n; i++)
		if (m->members[i] != m->last && x->at[m->members[i]].start_ns > before)
			before = x->at[m->members[i]].start_ns;
	return m->last_start_ns - before;
}

/* ---- counting ----------------------------------------------------------------------------------------------------------- */

struct judged {
	int64_t waiting_ns;
	uint32_t match;
};
struct finder {
	const struct derived *d;
	const struct query *q;
	const struct collectives *x;
	const struct exposure *exposed; /* by collective */
	struct lateness *of;            /* by device */
	struct judged *calls;
	uint32_t n_calls;
	/* per device while calls are walked in order of time: when its call before ended, and of which step */
	int64_t *ended_ns, *before_ns; /* before_ns: by collective, where the time before its start begins */
};

/* The match lies in the window when the last of it starts there. Of a pair one end waits for the other as the program wants it. */
static bool counts(const struct finder *f, const struct collective_match *m)
{
	const struct collective *last = &f->x->at[m->last];
	return !collective_in_pairs(last) && query_holds(f->q, derived_columns(f->d)->start_ns[last->row]);
}

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
		l->exposed_ns += f->exposed[m->members[i]].ns[EXPOSED_RANK];
		waiting_ns += wait_ns;
	}
	int64_t by_ns = collective_last_by_ns(f->x, m);
	last->last += by_ns > 0;
	last->waited_for_ns += by_ns > 0 ? waiting_ns : 0;
	last->by_ns += by_ns;
	f->calls[f->n_calls++] = (struct judged){by_ns > 0 ? waiting_ns : 0, match};
}

/* ---- why ------------------------------------------------------------------------------------------------------------------ */

/* Where the time before each call begins: with the end of the one before on its device, or with its step. */
static void find_before(struct finder *f)
{
	for (uint32_t i = 0; i < trace_devices(derived_trace(f->d)); i++)
		f->ended_ns[i] = INT64_MIN;
	for (uint32_t i = 0; i < f->x->n; i++) {
		const struct collective *c = &f->x->at[i];
		int64_t a_ns, b_ns;
		f->before_ns[i] = UNKNOWN_I64;
		if (c->step != NONE_ID) {
			step_time(f->d, c->step, c->device, &a_ns, &b_ns);
			f->before_ns[i] = f->ended_ns[c->device] > a_ns ? f->ended_ns[c->device] : a_ns;
		}
		int64_t end_ns = row_end(derived_columns(f->d), c->row);
		f->ended_ns[c->device] = end_ns > f->ended_ns[c->device] ? end_ns : f->ended_ns[c->device];
	}
}

static void split(struct finder *f, struct breakdowns *b, uint32_t member, double out[LATE_CLASSES])
{
	const struct collective *c = &f->x->at[member];
	int64_t start_ns = derived_columns(f->d)->start_ns[c->row], from_ns = f->before_ns[member];
	struct breakdown part;
	breakdown_part(b, c->step, c->device, from_ns, start_ns, &part);
	double rest = (double)(start_ns - from_ns);
	for (int i = 0; i < TIME_COUNT; i++)
		rest -= out[i] = (double)part.ns[i];
	out[LATE_OTHER] = rest; /* what lies outside the step counts as nothing recorded */
	/* on the common axis, on which the others began, too */
	out[LATE_BEGIN] = (double)(from_ns + c->start_ns - start_ns);
}

static void judge(struct finder *f, struct breakdowns *b, const struct collective_match *m)
{
	double last[LATE_CLASSES], one[LATE_CLASSES], others[LATE_CLASSES] = {0};
	struct lateness *l = &f->of[f->x->at[m->last].device];
	for (uint32_t i = 0; i < m->n; i++)
		if (f->before_ns[m->members[i]] == UNKNOWN_I64)
			return;
	split(f, b, m->last, last);
	for (uint32_t i = 0; i < m->n; i++) {
		if (m->members[i] == m->last)
			continue;
		split(f, b, m->members[i], one);
		for (int k = 0; k < LATE_CLASSES; k++)
			others[k] += one[k];
	}
	l->judged++;
	for (int k = 0; k < LATE_CLASSES; k++) {
		double more = last[k] - others[k] / (m->n - 1);
		l->class_ns[k] += more;
		l->judged_ns += more;
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

bool lateness_find(const struct derived *d, const struct query *q, const struct comms *comms, struct arena *mem,
		   struct progress *p, struct lateness **out, struct err *e)
{
	uint32_t devices = trace_devices(derived_trace(d));
	struct query all = query_all();
	const struct collectives *x = &comms->x;
	struct finder f = {.d = d, .q = q, .x = x, .exposed = comms->exposed};
	f.of = arena_alloc(mem, (devices + 1) * sizeof *f.of);
	f.ended_ns = arena_alloc(mem, (devices + 1) * sizeof *f.ended_ns);
	f.before_ns = arena_alloc(mem, (x->n + 1) * sizeof *f.before_ns);
	f.calls = arena_alloc(mem, (x->n_matches + 1) * sizeof *f.calls);
	*out = f.of;
	find_before(&f);
	for (uint32_t i = 0; i < x->n_matches; i++)
		if (counts(&f, &x->matches[i]))
			count_match(&f, i);
	if (f.n_calls > 1)
		qsort(f.calls, f.n_calls, sizeof *f.calls, most_waiting);
	uint32_t judged = 0;
	while (judged < f.n_calls && judged < JUDGED_MOST && f.calls[judged].waiting_ns > 0)
		judged++;
	if (judged > 1) /* calls of one step one after the other */
		qsort(f.calls, judged, sizeof *f.calls, in_order);
	struct breakdowns *b = breakdown_new(d, &all);
	for (uint32_t i = 0; i < judged && !progress_cancelled(p); i++)
		judge(&f, b, &x->matches[f.calls[i].match]);
	breakdown_free(b);
	return !progress_cancelled(p) || err_usage(e, "cancelled");
}
