#include "input_steps.h"
#include "model/analysis/copies/copies.h"
#include "model/analysis/derived/job_steps.h"
#include "model/analysis/maths/order.h"
#include "model/analysis/query/keyed.h"
#include "model/analysis/steps/breakdown_kept.h"
#include "model/analysis/steps/step_phase.h"
#include <math.h>

enum { HIGHLY_PCT = 20, MODERATELY_PCT = 5, UNEXPLAINED_PCT = 3 };

struct reader {
	const struct derived *d;
	const struct query *q;
	struct breakdowns *breakdowns; /* NULL: none was made yet */
	struct breakdown_kept *kept;
	struct counted_steps carry; /* steps that carry means */
	struct input_steps *out;
	bool pooled;                                  /* devices of a step together, as the reference tool has it */
	double mean, no_wait, prefetched, wait, copy; /* sums over whole steps, on each rank a part of its step */
	double steps;                                 /* how many these are */
	const struct job_steps *job;
	bool *counted;                     /* per step of the job */
	const uint8_t *phases;             /* per step */
	int64_t steady_least, steady_most; /* of the steady steps, on any device */
};
struct slowest { /* of the devices of one step */
	int64_t step_ns, no_wait_ns, prefetched_ns, wait_ns, copy_ns;
	bool any, cut;
};

double input_share_pct(const struct input_sums *s)
{
	return keyed_pct((double)(s->wait_ns + s->copy_ns), (double)s->step_ns);
}

const char *input_verdict(const struct input_sums *s)
{
	double pct = input_share_pct(s);
	if (isnan(pct))
		return "unknown";
	if (pct >= HIGHLY_PCT)
		return "highly input-bound";
	if (pct >= MODERATELY_PCT)
		return "moderately input-bound";
	bool unexplained = keyed_pct((double)s->other_ns, (double)s->step_ns) >= UNEXPLAINED_PCT;
	return unexplained ? "potentially input-bound" : "not input-bound";
}

const char input_of_copies[] = "waiting for copies to the device, most of them no input";

bool input_is_other_copies(const struct input_sums *s, const struct derived *d, const struct query *q,
			   struct arena *mem, struct progress *p, bool *ok)
{
	struct copy_stats stats;
	int64_t input_ns = 0, other_ns = 0;
	double wait = keyed_pct((double)s->wait_ns, (double)s->step_ns),
	       copy = keyed_pct((double)s->copy_ns, (double)s->step_ns);
	if (derived_options(d)->semantics != SEM_STEPSCOPE || !(copy >= MODERATELY_PCT) || !(copy > wait))
		return false;
	*ok = copy_stats_make(d, q, mem, p, &stats, NULL);
	for (uint32_t i = 0; *ok && i < stats.n; i++) {
		const struct copy_group *g = &stats.at[i];
		if (g->key.kind != COPY_H2D)
			continue;
		input_ns += g->key.expected == VERDICT_YES ? g->exposed_ns : 0;
		other_ns += g->key.expected == VERDICT_NO ? g->exposed_ns : 0;
	}
	return other_ns > input_ns;
}

/* What of a part's breakdown counts here. */
struct part_time {
	int64_t a_ns, step_ns, wait_ns, copy_ns, other_ns;
	bool cut;
};

/* False: the step is none. */
static bool time_of(struct reader *r, uint32_t step, uint32_t device, size_t place, struct part_time *out)
{
	struct breakdown b;
	const struct breakdown_narrow *kept = breakdown_kept_in_place(r->kept, place);
	if (kept) {
		*out = (struct part_time){breakdown_a_ns(kept, derived_step(r->d, step)),
					  breakdown_dur_ns(kept),
					  breakdown_class_ns(kept, TIME_INPUT_WAIT),
					  breakdown_class_ns(kept, TIME_INPUT_COPY),
					  breakdown_other_ns(kept),
					  kept->cut};
		return true;
	}
	if (!r->breakdowns)
		r->breakdowns = breakdown_new(r->d, r->q);
	if (!breakdown_of_place(r->breakdowns, r->kept, place, step, device, &b))
		return false;
	*out = (struct part_time){b.a_ns, b.b_ns - b.a_ns, b.ns[TIME_INPUT_WAIT], b.ns[TIME_INPUT_COPY], b.other_ns,
				  b.cut};
	return true;
}

static void add_sums(struct input_sums *s, const struct part_time *t)
{
	s->step_ns += t->step_ns;
	s->wait_ns += t->wait_ns;
	s->copy_ns += t->copy_ns;
	s->other_ns += t->other_ns;
}

static void add_part(struct reader *r, uint32_t step, uint32_t device, size_t place, struct slowest *s)
{
	struct part_time t;
	if (!time_of(r, step, device, place, &t))
		return;
	if (t.a_ns + t.step_ns <= r->q->a_ns || t.a_ns >= r->q->b_ns || (t.cut && t.step_ns <= 0))
		return;
	int64_t step_ns = t.step_ns, wait_ns = t.wait_ns, copy_ns = t.copy_ns;
	add_sums(&r->out->all, &t);
	if (device != NONE_ID)
		add_sums(&r->out->devices[device], &t);
	s->any = true;
	s->cut |= t.cut;
	if (!t.cut && r->phases[step] == PHASE_STEADY) {
		r->steady_least = earlier(r->steady_least, step_ns);
		r->steady_most = later(r->steady_most, step_ns);
	}
	s->step_ns = later(s->step_ns, step_ns);
	s->no_wait_ns = later(s->no_wait_ns, step_ns - wait_ns);
	s->prefetched_ns = later(s->prefetched_ns, step_ns - wait_ns - copy_ns);
	s->wait_ns = later(s->wait_ns, wait_ns);
	s->copy_ns = later(s->copy_ns, copy_ns);
}

static void add_step(struct reader *r, uint32_t step)
{
	struct slowest s = {0};
	uint32_t all, n;
	const struct step_device *parts = derived_step_devices(r->d, &all);
	const uint32_t *of = derived_parts_of_step(r->d, step, &n);
	if ((r->q->by_step && (step < r->q->step_first || step > r->q->step_last)) || !step_counts(&r->carry, step))
		return;
	for (uint32_t k = 0; !r->pooled && k < n; k++)
		add_part(r, step, parts[of[k]].device, of[k], &s);
	if (r->pooled || !n)
		add_part(r, step, NONE_ID, breakdown_place(r->d, step, NONE_ID), &s);
	if (!s.any || s.cut)
		return;
	uint32_t job = job_step_of(r->job, step);
	double part = 1.0 / job_step_ranks(r->job, job);
	r->out->n += !r->counted[job];
	r->counted[job] = true;
	r->steps += part;
	r->mean += part * (double)s.step_ns;
	r->no_wait += part * (double)s.no_wait_ns;
	r->prefetched += part * (double)s.prefetched_ns;
	r->wait += part * (double)s.wait_ns;
	r->copy += part * (double)s.copy_ns;
}

/* As step_rows_irregular has it. */
static bool irregular(const struct reader *r)
{
	return derived_options(r->d)->semantics == SEM_STEPSCOPE && r->steady_most > 2 * r->steady_least;
}

static void settle(struct reader *r)
{
	struct input_steps *out = r->out;
	double steps = irregular(r) || !out->n ? NAN : r->steps; /* no mean says anything */
	out->mean_ns = r->mean / steps;
	out->no_wait_ns = r->no_wait / steps;
	out->prefetched_ns = r->prefetched / steps;
	out->wait_mean_ns = r->wait / steps;
	out->copy_mean_ns = r->copy / steps;
	out->most = NONE_ID;
	for (uint32_t dev = 0; dev < trace_devices(derived_trace(r->d)); dev++) {
		if (!out->devices[dev].step_ns)
			continue;
		out->n_devices++;
		if (out->most == NONE_ID ||
		    input_share_pct(&out->devices[dev]) > input_share_pct(&out->devices[out->most]))
			out->most = dev;
	}
}

bool input_steps_read(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
		      struct input_steps *out, struct err *e)
{
	struct reader r = {.d = d, .q = q, .out = out};
	r.pooled = derived_options(d)->semantics == SEM_XPROF;
	r.carry = counted_steps(d, q);
	r.kept = breakdowns_made(d, q, &r.carry, mem, p);
	*out = (struct input_steps){0};
	out->devices = arena_alloc(mem, (trace_devices(derived_trace(d)) + 1u) * sizeof *out->devices);
	r.job = derived_job_steps(d);
	r.phases = derived_step_phases(d);
	r.counted = arena_alloc(mem, r.job->n + 1u);
	r.steady_least = INT64_MAX / 2;
	for (uint32_t i = 0; i < derived_steps(d) && !progress_cancelled(p); i++)
		add_step(&r, i);
	breakdown_free(r.breakdowns);
	settle(&r);
	return !progress_cancelled(p) || err_usage(e, "cancelled");
}
