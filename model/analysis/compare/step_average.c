#include "step_average.h"
#include "model/analysis/query/shared.h"
#include "model/analysis/steps/breakdown_kept.h"
#include "model/analysis/steps/step_phase.h"
#include "model/analysis/steps/steps_summary.h"
#include "model/analysis/derived/job_steps.h"
#include "model/analysis/maths/whole_parts.h"
#include <math.h>
#include <stdlib.h>

TABLE_DECL(steps);

struct job_step {
	double sum_ns; /* over its ranks, each the longest of its devices */
	uint32_t ranks;
	bool chosen;
};
struct averaging {
	const struct derived *d;
	const struct query *q;
	struct breakdowns *breakdowns;
	struct breakdown_kept *kept;
	struct counted_steps counted;
	const struct job_steps *of;
	struct job_step *job;
};

static bool is_whole(const struct averaging *x, const struct breakdown *b)
{
	return !b->cut && b->b_ns > x->q->a_ns && b->a_ns < x->q->b_ns;
}

static bool longer(struct averaging *x, uint32_t step, uint32_t device, struct breakdown *longest)
{
	struct breakdown b;
	if (!breakdown_of(x->breakdowns, x->kept, step, device, &b) || !is_whole(x, &b) ||
	    b.b_ns - b.a_ns <= longest->b_ns - longest->a_ns)
		return false;
	*longest = b;
	return true;
}

/* Of the step's devices the one that takes longest. False: the step is none that carries means. */
static bool longest_of(struct averaging *x, uint32_t step, struct breakdown *longest)
{
	bool chosen_away = x->q->by_step && (step < x->q->step_first || step > x->q->step_last), any = false;
	uint32_t n, all;
	const uint32_t *order = derived_parts_of_step(x->d, step, &n);
	const struct step_device *parts = derived_step_devices(x->d, &all);
	*longest = (struct breakdown){0};
	if (chosen_away || !step_counts(&x->counted, step))
		return false;
	for (uint32_t i = 0; i < n; i++)
		any |= longer(x, step, parts[order[i]].device, longest);
	return n ? any : longer(x, step, NONE_ID, longest);
}

/* Lengths of the steps of the job. */
static bool gather(struct averaging *x, struct progress *p)
{
	struct breakdown b;
	for (uint32_t i = 0; i < derived_steps(x->d); i++) {
		if (progress_cancelled(p))
			return false;
		if (!longest_of(x, i, &b))
			continue;
		x->job[job_step_of(x->of, i)].sum_ns += (double)(b.b_ns - b.a_ns);
		x->job[job_step_of(x->of, i)].ranks++;
	}
	return true;
}

static double length_of(const struct job_step *j)
{
	return j->sum_ns / j->ranks;
}

static int by_length(const void *a, const void *b)
{
	double x = length_of(*(struct job_step *const *)a), y = length_of(*(struct job_step *const *)b);
	return (x > y) - (x < y);
}

/* All of them, or those in the middle. */
static uint32_t choose(struct averaging *x, struct step_average *out, struct arena *mem)
{
	struct job_step **sorted = arena_alloc(mem, (x->of->n + (size_t)1) * sizeof *sorted);
	out->lengths_ns = arena_alloc(mem, (x->of->n + (size_t)1) * sizeof *out->lengths_ns);
	for (uint32_t i = 0; i < x->of->n; i++) {
		if (!x->job[i].ranks)
			continue;
		out->lengths_ns[out->n] = length_of(&x->job[i]);
		sorted[out->n++] = &x->job[i];
	}
	if (out->n && out->stands == STEP_STANDS_MEDIAN)
		qsort(sorted, out->n, sizeof *sorted, by_length);
	uint32_t from = out->stands == STEP_STANDS_MEDIAN && out->n ? (out->n - 1) / 2 : 0,
		 to = out->stands == STEP_STANDS_MEDIAN && out->n ? out->n / 2 + 1 : out->n;
	for (uint32_t i = from; i < to; i++)
		sorted[i]->chosen = true;
	return to - from;
}

static void add_parts(struct averaging *x, uint32_t chosen, double *parts)
{
	struct breakdown b;
	for (uint32_t i = 0; i < derived_steps(x->d); i++) {
		const struct job_step *j = &x->job[job_step_of(x->of, i)];
		if (!j->chosen || !longest_of(x, i, &b))
			continue;
		for (int k = 0; k < TIME_COUNT; k++)
			parts[k] += (double)b.ns[k] / j->ranks / chosen;
		parts[TIME_COUNT] += (double)b.other_ns / j->ranks / chosen;
	}
}

static bool measure(struct averaging *x, struct arena *mem, struct progress *p, struct step_average *out)
{
	double parts[STEP_AVERAGE_PARTS] = {0}, sum = 0;
	x->of = derived_job_steps(x->d);
	x->job = arena_alloc(mem, (x->of->n + (size_t)1) * sizeof *x->job);
	if (!gather(x, p))
		return false;
	uint32_t chosen = choose(x, out, mem);
	if (!chosen) {
		out->stands = STEP_STANDS_NONE;
		return true;
	}
	add_parts(x, chosen, parts);
	for (int k = 0; k < STEP_AVERAGE_PARTS; k++)
		sum += parts[k];
	out->ns = llround(sum);
	whole_parts(parts, STEP_AVERAGE_PARTS, out->ns, out->part_ns);
	return true;
}

bool step_average_of(const struct derived *d, const struct query *q, bool median, struct arena *mem, struct progress *p,
		     struct step_average *out, struct err *e)
{
	struct averaging x = {.d = d, .q = q, .kept = breakdown_kept_of(d, q), .counted = counted_steps(d, q)};
	struct table *steps = shared_table(&steps_desc, d, q, mem, p, e);
	*out = (struct step_average){.stands = STEP_STANDS_MEAN};
	if (!steps)
		return false;
	out->stands = median || step_rows_irregular(steps) ? STEP_STANDS_MEDIAN : STEP_STANDS_MEAN;
	x.breakdowns = breakdown_new(d, q);
	bool sound = measure(&x, mem, p, out) || err_usage(e, "cancelled");
	breakdown_free(x.breakdowns);
	return sound;
}
