/* Which steps are warm-up, steady or outliers; the rule stands in step_phase.h. */
#include "step_phase.h"
#include "breakdown.h"
#include "compiles.h"
#include "model/analysis/derived/job_steps.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/intervals.h"
#include "model/analysis/maths/median.h"
#include "model/query.h"
#include "model/store/base/memory.h"
#include "model/analysis/maths/order.h"
#include <stdlib.h>
#include <string.h>

enum { FEWEST_STEPS = 4 };

const char *step_phase_name(enum step_phase p)
{
	static const char *const names[] = {NULL, "warmup", "steady", "outlier", "outlier"};
	return names[p];
}

int64_t step_length_ns(const struct derived *d, uint32_t step)
{
	int64_t longest_ns = -1, a_ns, b_ns;
	uint32_t n, all;
	const struct step_device *parts = derived_step_devices(d, &all);
	const uint32_t *order = derived_parts_of_step(d, step, &n);
	for (uint32_t i = 0; i < n; i++) {
		step_time(d, step, parts[order[i]].device, &a_ns, &b_ns);
		if (b_ns - a_ns > longest_ns)
			longest_ns = b_ns - a_ns;
	}
	return longest_ns >= 0 ? longest_ns : derived_step(d, step)->time_end_ns - derived_step(d, step)->start_ns;
}

/* ---- steps in which the host compiles ---------------------------------------------------------------------------------- */

static void mark_compiling(const struct derived *d, bool *compiles)
{
	if (!name_fits_any(d, KINDS_ALL & ~(KINDS_WORK | KIND_BIT(KIND_PYTHON)), name_compiles))
		return;
	uint8_t *names =
		must(calloc(strings_count(trace_strings(derived_trace(d))) + 1u, 1)); /* 0 not looked at, 1 no, 2 yes */
	for (row_id r = 0; r < derived_columns(d)->n; r++) {
		uint8_t *known = &names[derived_columns(d)->name[r]];
		if (derived_step_of(d, r) == NONE_ID || row_is_work(derived_columns(d), r) ||
		    derived_columns(d)->kind[r] == KIND_PYTHON)
			continue;
		if (!*known)
			*known = name_compiles(trace_str(derived_trace(d), derived_columns(d)->name[r])) ? 2 : 1;
		compiles[derived_step_of(d, r)] |= *known == 2;
	}
	free(names);
}

/* ---- the rule ------------------------------------------------------------------------------------------------------------ */

/* A step of the job, on all ranks that it runs on. */
struct job_step {
	int64_t over_ns, start_ns; /* over_ns: the most by which it exceeds the median of a rank */
	uint32_t first;            /* its step on one of them */
	uint32_t from;             /* its first step in phase_run.of_jobs */
	uint32_t steps;
	uint32_t ahead : 30;
	bool compiles : 1, cut : 1;
};
struct phase_run {
	const struct phase_step *all;
	const uint32_t *of; /* per step of `all`: its job step */
	struct job_step *jobs;
	const uint32_t *of_jobs;   /* steps, those of a job step side by side */
	uint8_t *phases;           /* per job step */
	uint32_t *steps, n;        /* job steps of one name, of one host where ranks are not known, in order of time */
	uint32_t *at, n_at;        /* their steps on all ranks, rank by rank */
	int64_t *length_ns, *room; /* per place of `at`; room: to take medians in */
};

/* How many steps at the start are slow, or compile. A program that compiles in every step does not warm up, but for its first step. */
static uint32_t warm_up_of(const struct phase_run *run, int64_t slow_ns)
{
	uint32_t slow = 0, warm = 0;
	while (slow < run->n && run->jobs[run->steps[slow]].over_ns > slow_ns)
		slow++;
	while (warm < run->n && (run->jobs[run->steps[warm]].over_ns > slow_ns || run->jobs[run->steps[warm]].compiles))
		warm++;
	return warm < run->n ? warm : slow ? slow : 1;
}

/* Where steps are inferred nothing but their own pace tells their length, and it does unless the devices are more than a step behind, or
 * need twice as long for one as it lasts. */
static bool is_ahead_of(const struct derived *d, uint32_t step, const struct step_device *p)
{
	const struct step *s = derived_step(d, step);
	int64_t middle_ns = p->first_ns + (p->last_ns - p->first_ns) / 2;
	bool next = s->inferred && step + 1 < derived_steps(d) && s[1].host == s->host;
	return middle_ns > (next ? s[1].time_end_ns : s->time_end_ns) ||
	       (next && p->last_ns - p->first_ns > 2 * (s->time_end_ns - s->start_ns));
}

bool step_is_ahead(const struct derived *d, uint32_t step)
{
	const struct step *s = derived_step(d, step);
	uint32_t n, all;
	const struct step_device *parts = derived_step_devices(d, &all);
	const uint32_t *order = derived_parts_of_step(d, step, &n);
	if ((s->marker == NONE_ID && !s->inferred) || derived_options(d)->semantics != SEM_STEPSCOPE)
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (is_ahead_of(d, step, &parts[order[i]]))
			return true;
	return false;
}

static bool mostly_ahead(const struct phase_run *run)
{
	uint64_t ahead = 0, steps = 0;
	for (uint32_t i = 0; i < run->n; i++) {
		ahead += run->jobs[run->steps[i]].ahead;
		steps += run->jobs[run->steps[i]].steps;
	}
	return ahead * 2 > steps;
}

static int by_host(const void *x, const void *y, void *arg)
{
	const struct phase_step *all = arg;
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y, h = all[a].key.host, k = all[b].key.host;
	return h != k ? (h < k ? -1 : 1) : (a > b) - (a < b);
}

/* All steps of the run and their lengths. */
static void list_steps(struct phase_run *run)
{
	run->n_at = 0;
	for (uint32_t i = 0; i < run->n; i++) {
		struct job_step *job = &run->jobs[run->steps[i]];
		job->over_ns = INT64_MIN;
		memcpy(run->at + run->n_at, run->of_jobs + job->from, job->steps * sizeof *run->at);
		run->n_at += job->steps;
	}
	sort_if_needed_r(run->at, run->n_at, sizeof *run->at, by_host, (void *)run->all);
	for (uint32_t i = 0; i < run->n_at; i++)
		run->length_ns[i] = run->all[run->at[i]].length_ns;
}

static int64_t middle_of(const struct phase_run *run, uint32_t from, uint32_t to)
{
	memcpy(run->room, run->length_ns + from, (to - from) * sizeof *run->room);
	return median_of(run->room, to - from);
}

/* Compares each step with the median of its rank. Returns by how much the median job step exceeds that on the rank where it takes
 * longest. `limit`: of distances from there. */
static int64_t compare_with_ranks(struct phase_run *run, int64_t *limit_ns)
{
	int64_t all_ns = middle_of(run, 0, run->n_at);
	uint32_t ranks = 0;
	for (uint32_t from = 0, to; from < run->n_at; from = to, ranks++) {
		uint32_t host = run->all[run->at[from]].key.host;
		for (to = from + 1; to < run->n_at && run->all[run->at[to]].key.host == host;)
			to++;
		int64_t middle_ns = middle_of(run, from, to);
		for (uint32_t i = from; i < to; i++) {
			struct job_step *job = &run->jobs[run->of[run->at[i]]];
			int64_t over_ns = run->length_ns[i] - middle_ns;
			job->over_ns = over_ns > job->over_ns ? over_ns : job->over_ns;
			run->length_ns[i] = llabs(over_ns);
		}
	}
	*limit_ns = (int64_t)(5 * 1.4826 * (double)middle_of(run, 0, run->n_at));
	*limit_ns = *limit_ns > all_ns / 10 ? *limit_ns : all_ns / 10;
	for (uint32_t i = 0; i < run->n; i++)
		run->room[i] = run->jobs[run->steps[i]].over_ns;
	return ranks > 1 ? median_of(run->room, run->n) : 0;
}

static void judge(struct phase_run *run)
{
	int64_t limit_ns;
	list_steps(run);
	int64_t usual_ns = compare_with_ranks(run, &limit_ns);
	uint32_t warm = warm_up_of(run, usual_ns + limit_ns);
	for (uint32_t i = 0; i < run->n; i++) {
		int64_t over_ns = run->jobs[run->steps[i]].over_ns - usual_ns;
		run->phases[run->steps[i]] = i < warm              ? PHASE_WARMUP
					     : over_ns > limit_ns  ? PHASE_LONG
					     : over_ns < -limit_ns ? PHASE_SHORT
								   : PHASE_STEADY;
	}
}

static const struct job_key *key_of(const struct phase_run *run, const struct job_step *job)
{
	return &run->all[job->first].key;
}

static int name_order(const struct job_key *a, const struct job_key *b)
{
	bool ranked = a->rank >= 0 && b->rank >= 0;
	return !ranked && a->host != b->host ? (a->host < b->host ? -1 : 1) : strcmp(a->name, b->name);
}

static int by_name_and_time(const void *x, const void *y, void *arg)
{
	const struct phase_run *run = arg;
	const struct job_step *a = &run->jobs[*(const uint32_t *)x], *b = &run->jobs[*(const uint32_t *)y];
	const struct job_key *of_a = key_of(run, a), *of_b = key_of(run, b);
	int order = (of_a->rank >= 0) - (of_b->rank >= 0);
	order = order ? order : name_order(of_a, of_b);
	order = order ? order : (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns);
	return order ? order : (a > b) - (a < b);
}

/* The steps of one name, of a host or of all ranks, are judged together; they need not be neighbours. */
static void judge_all(struct phase_run *run, uint32_t jobs)
{
	uint32_t n, *order = run->steps;
	for (uint32_t i = n = 0; i < jobs; i++)
		if (!run->jobs[i].cut)
			order[n++] = i;
	if (n)
		sort_if_needed_r(order, n, sizeof *order, by_name_and_time, run);
	for (uint32_t from = 0, to; from < n; from = to) {
		const struct job_key *first = key_of(run, &run->jobs[order[from]]);
		for (to = from + 1; to < n && !name_order(first, key_of(run, &run->jobs[order[to]]));)
			to++;
		run->steps = order + from;
		run->n = to - from;
		if (run->n >= FEWEST_STEPS && !mostly_ahead(run))
			judge(run);
	}
}

static void add_to_job(const struct phase_step *all, uint32_t step, struct job_step *job)
{
	const struct phase_step *s = &all[step];
	if (!job->steps++)
		*job = (struct job_step){.first = step, .start_ns = s->start_ns, .steps = 1};
	job->start_ns = earlier(job->start_ns, s->start_ns);
	job->compiles |= s->compiles;
	job->cut |= s->cut;
	job->ahead += s->ahead;
}

/* Steps by the job steps that they belong to, into of_jobs; `jobs` say how many each has, and learn where they are. */
static void sort_by_job(const struct job_steps *job, uint32_t n, struct job_step *jobs, uint32_t *of_jobs)
{
	uint32_t from = 0;
	for (uint32_t k = 0; k < job->n; k++) {
		jobs[k].from = from;
		from += jobs[k].steps;
		jobs[k].steps = 0;
	}
	for (uint32_t i = 0; i < n; i++) {
		struct job_step *k = &jobs[job->of[i]];
		of_jobs[k->from + k->steps++] = i;
	}
}

void step_phases(const struct phase_step *steps, uint32_t n, const struct job_steps *job, uint8_t *phases)
{
	uint8_t *of_job = must(calloc(job->n + (size_t)1, 1));
	struct job_step *jobs = must(malloc((job->n + (size_t)1) * sizeof *jobs));
	int64_t *lengths = must(calloc(n + (size_t)1, 2 * sizeof *lengths));
	uint32_t *places = must(calloc(n + (size_t)1, 3 * sizeof *places));
	for (uint32_t k = 0; k < job->n; k++) /* pages that are read before they are written cost twice */
		jobs[k].steps = 0;
	for (uint32_t i = 0; i < n; i++)
		add_to_job(steps, i, &jobs[job->of[i]]);
	sort_by_job(job, n, jobs, places);
	struct phase_run run = {steps, job->of, jobs,       places, of_job, places + n, 0, places + 2 * (size_t)n,
				0,     lengths, lengths + n};
	judge_all(&run, job->n);
	for (uint32_t i = 0; i < n; i++)
		phases[i] = of_job[job->of[i]];
	free(of_job);
	free(jobs);
	free(lengths);
	free(places);
}

struct phase_step *derived_phase_steps(const struct derived *d)
{
	uint32_t n = derived_steps(d);
	bool *compiles = must(calloc(n + (size_t)1, 1));
	struct phase_step *steps = must(malloc((n + (size_t)1) * sizeof *steps));
	mark_compiling(d, compiles);
	for (uint32_t i = 0; i < n; i++) {
		const struct step *s = derived_step(d, i);
		steps[i] = (struct phase_step){.key = {s->name, s->number, s->rank, s->host},
					       .start_ns = s->start_ns,
					       .length_ns = step_length_ns(d, i),
					       .compiles = compiles[i],
					       .cut = s->cut,
					       .ahead = step_is_ahead(d, i)};
	}
	free(compiles);
	return steps;
}

static uint8_t *make_phases(const struct derived *d)
{
	uint32_t n = derived_steps(d);
	uint8_t *phases = must(calloc(n + (size_t)1, 1));
	struct phase_step *steps = derived_phase_steps(d);
	step_phases(steps, n, derived_job_steps(d), phases);
	free(steps);
	return phases;
}

const uint8_t *derived_step_phases(const struct derived *d)
{
	return derived_phases(d, make_phases);
}

enum step_phase derived_step_phase(const struct derived *d, uint32_t step)
{
	return (enum step_phase)derived_step_phases(d)[step];
}

/* ---- which steps count ------------------------------------------------------------------------------------------------- */

static bool is_part(const struct step *s, int64_t a_ns, int64_t b_ns)
{
	return s->cut && s->start_ns >= a_ns && s->time_end_ns <= b_ns;
}

bool step_is_part(const struct derived *d, const struct query *q, uint32_t step)
{
	return is_part(derived_step(d, step), q->a_ns, q->b_ns);
}

struct counted_steps counted_steps(const struct derived *d, const struct query *q)
{
	struct counted_steps c = {.d = d, .chosen = q->by_step, .a_ns = q->a_ns, .b_ns = q->b_ns};
	if (derived_options(d)->semantics != SEM_STEPSCOPE || q->by_step || q->all_steps)
		return c;
	c.phases = derived_phases(d, make_phases);
	for (uint32_t i = 0; i < derived_steps(d) && !c.steady_only; i++) {
		const struct step *s = derived_step(d, i);
		c.steady_only = s->start_ns < q->b_ns && s->time_end_ns > q->a_ns && c.phases[i] == PHASE_STEADY;
	}
	return c;
}
