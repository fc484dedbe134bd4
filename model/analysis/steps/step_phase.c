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
/* Of a step, bits. */
enum { COMPILES = 1, CUT = 2, AHEAD = 4 };

const char *step_phase_name(enum step_phase p)
{
	static const char *const names[] = {NULL, "warmup", "steady", "outlier", "outlier"};
	return names[p];
}

static int64_t longest_on_devices_ns(const struct derived *d, uint32_t step)
{
	int64_t longest_ns = -1, a_ns, b_ns;
	uint32_t n, all;
	const struct step_device *parts = derived_step_devices(d, &all);
	const uint32_t *order = derived_parts_of_step(d, step, &n);
	for (uint32_t i = 0; i < n; i++) {
		step_time(d, step, parts[order[i]].device, &a_ns, &b_ns);
		longest_ns = later(longest_ns, b_ns - a_ns);
	}
	return longest_ns;
}

/* Where its work does not tell how long it is it is as long on all devices. */
int64_t step_length_ns(const struct derived *d, uint32_t step)
{
	const struct step *s = derived_step(d, step);
	bool by_work = (s->marker == NONE_ID && !s->inferred) || derived_public(d)->semantics == SEM_XPROF;
	int64_t longest_ns = by_work ? longest_on_devices_ns(d, step) : -1;
	return longest_ns >= 0 ? longest_ns : s->time_end_ns - s->start_ns;
}

/* ---- steps in which the host compiles ---------------------------------------------------------------------------------- */

/* Into `marks`, per step. */
static void mark_compiling(const struct derived *d, uint8_t *marks)
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
		marks[derived_step_of(d, r)] |= *known == 2 ? COMPILES : 0;
	}
	free(names);
}

/* ---- the rule ------------------------------------------------------------------------------------------------------------ */

/* A step of the job, on all ranks that it runs on. */
struct job_step {
	int64_t start_ns;
	uint32_t first; /* its step on one of them */
	uint32_t from;  /* its first step in phase_run.of_jobs */
	uint32_t steps, ahead;
	uint8_t marks;
};
/* Arrays of a place for each of many steps: no more of them than are needed. */
struct phase_run {
	const struct derived *d;       /* whose steps they are; NULL: */
	const struct phase_step *told; /* what is told of them */
	int64_t *length_ns;            /* per step, */
	const uint8_t *marks;          /* likewise */
	struct job_step *jobs;         /* NULL: each is one step, the one with its number */
	uint32_t *of_jobs;             /* steps, those of a job step side by side; NULL likewise */
	int64_t *
		over_ns; /* per job step: the most by which it exceeds the median of a rank, once all lengths were read;
					* in place of these where each is one step */
	uint8_t *phases; /* per job step */
	uint32_t *steps, n; /* job steps of one name, of one host where ranks are not known, in order of time */
	uint32_t *at, n_at; /* their steps on all ranks, rank by rank: `steps` where these are in that order */
	int64_t *room;      /* per place of `at`: to take medians in */
};

static struct job_key key_of_step(const struct phase_run *run, uint32_t step)
{
	if (!run->d)
		return run->told[step].key;
	return job_key_of(run->d, derived_step(run->d, step));
}

static uint32_t host_of(const struct phase_run *run, uint32_t step)
{
	return run->d ? derived_step(run->d, step)->host : run->told[step].key.host;
}

static int64_t start_of(const struct phase_run *run, uint32_t step)
{
	return run->d ? derived_step(run->d, step)->start_ns : run->told[step].start_ns;
}

static uint8_t marks_of(const struct phase_run *run, uint32_t job)
{
	return run->jobs ? run->jobs[job].marks : run->marks[job];
}

/* How many steps at the start are slow, or compile. A program that compiles in every step does not warm up, but for its first step. */
static uint32_t warm_up_of(const struct phase_run *run, int64_t slow_ns)
{
	uint32_t slow = 0, warm = 0;
	while (slow < run->n && run->over_ns[run->steps[slow]] > slow_ns)
		slow++;
	while (warm < run->n &&
	       (run->over_ns[run->steps[warm]] > slow_ns || marks_of(run, run->steps[warm]) & COMPILES))
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

/* Into `marks`, per step: of one device the parts lie in order of time. */
static void mark_ahead(const struct derived *d, uint8_t *marks)
{
	uint32_t n;
	const struct step_device *parts = derived_step_devices(d, &n);
	if (derived_public(d)->semantics != SEM_STEPSCOPE)
		return;
	for (uint32_t i = 0; i < n; i++) {
		const struct step *s = derived_step(d, parts[i].step);
		if ((s->marker != NONE_ID || s->inferred) && is_ahead_of(d, parts[i].step, &parts[i]))
			marks[parts[i].step] |= AHEAD;
	}
}

uint32_t steps_ahead(const struct derived *d)
{
	uint32_t n = derived_steps(d), ahead = 0;
	uint8_t *marks = must(calloc(n + (size_t)1, 1));
	mark_ahead(d, marks);
	for (uint32_t i = 0; i < n; i++)
		ahead += marks[i] != 0;
	free(marks);
	return ahead;
}

static bool mostly_ahead(const struct phase_run *run)
{
	uint64_t ahead = 0, steps = run->n;
	for (uint32_t i = 0; !run->jobs && i < run->n; i++)
		ahead += (run->marks[run->steps[i]] & AHEAD) != 0;
	for (uint32_t i = 0; run->jobs && i < run->n; i++) {
		ahead += run->jobs[run->steps[i]].ahead;
		steps += run->jobs[run->steps[i]].steps - 1;
	}
	return ahead * 2 > steps;
}

static int by_host(const void *x, const void *y, void *arg)
{
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y, h = host_of(arg, a), k = host_of(arg, b);
	return h != k ? (h < k ? -1 : 1) : (a > b) - (a < b);
}

static bool is_of_one_host(const struct phase_run *run)
{
	return run->d && trace_hosts(derived_trace(run->d)) <= 1;
}

/* `steps` are the steps on all ranks, rank by rank. */
static bool is_in_order(const struct phase_run *run)
{
	return !run->jobs && is_of_one_host(run);
}

/* All steps of the run, host by host; in which order those of one host stand decides nothing. */
static void list_steps(struct phase_run *run)
{
	run->n_at = 0;
	if (!run->jobs) {
		run->n_at = run->n;
		if (is_in_order(run)) {
			run->at = run->steps;
			return;
		}
		memcpy(run->at, run->steps, run->n * sizeof *run->at);
	}
	for (uint32_t i = 0; run->jobs && i < run->n; i++) {
		uint32_t k = run->steps[i];
		run->over_ns[k] = INT64_MIN;
		memcpy(run->at + run->n_at, run->of_jobs + run->jobs[k].from, run->jobs[k].steps * sizeof *run->at);
		run->n_at += run->jobs[k].steps;
	}
	if (!is_of_one_host(run))
		sort_if_needed_r(run->at, run->n_at, sizeof *run->at, by_host, run);
}

static int64_t middle_length(const struct phase_run *run, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to; i++)
		run->room[i] = run->length_ns[run->at[i]];
	return median_of(run->room + from, to - from);
}

/* Of steps of one rank, by how much they exceed its median, and in their room the distances from there. */
static void compare_with_rank(struct phase_run *run, const struct job_steps *job, int64_t middle_ns, uint32_t from,
			      uint32_t to)
{
	for (uint32_t i = from; i < to; i++) {
		int64_t over_ns = run->length_ns[run->at[i]] - middle_ns,
			*most_ns = &run->over_ns[job_step_of(job, run->at[i])];
		*most_ns = run->jobs ? later(over_ns, *most_ns) : over_ns;
		run->room[i] = llabs(over_ns);
	}
}

/* Compares each step with the median of its rank. Returns by how much the median job step exceeds that on the rank where it takes
 * longest. `limit`: of distances from there. */
static int64_t compare_with_ranks(struct phase_run *run, const struct job_steps *job, int64_t *limit_ns)
{
	int64_t all_ns = middle_length(run, 0, run->n_at);
	uint32_t ranks = 0;
	for (uint32_t from = 0, to; from < run->n_at; from = to, ranks++) {
		uint32_t host = host_of(run, run->at[from]);
		for (to = from + 1; to < run->n_at && host_of(run, run->at[to]) == host;)
			to++;
		bool whole = to - from == run->n_at;
		compare_with_rank(run, job, whole ? all_ns : middle_length(run, from, to), from, to);
	}
	*limit_ns = (int64_t)(5 * 1.4826 * (double)median_of(run->room, run->n_at));
	*limit_ns = later(*limit_ns, all_ns / 10);
	if (ranks <= 1)
		return 0;
	for (uint32_t i = 0; i < run->n; i++)
		run->room[i] = run->over_ns[run->steps[i]];
	return median_of(run->room, run->n);
}

static void judge(struct phase_run *run, const struct job_steps *job)
{
	int64_t limit_ns;
	list_steps(run);
	int64_t usual_ns = compare_with_ranks(run, job, &limit_ns);
	uint32_t warm = warm_up_of(run, usual_ns + limit_ns);
	for (uint32_t i = 0; i < run->n; i++) {
		int64_t over_ns = run->over_ns[run->steps[i]] - usual_ns;
		run->phases[run->steps[i]] = i < warm              ? PHASE_WARMUP
					     : over_ns > limit_ns  ? PHASE_LONG
					     : over_ns < -limit_ns ? PHASE_SHORT
								   : PHASE_STEADY;
	}
}

static struct job_key key_of(const struct phase_run *run, uint32_t job)
{
	return key_of_step(run, run->jobs ? run->jobs[job].first : job);
}

static int name_order(const struct job_key *a, const struct job_key *b)
{
	bool ranked = a->rank >= 0 && b->rank >= 0;
	if (!ranked && a->host != b->host)
		return a->host < b->host ? -1 : 1;
	return a->name == b->name ? 0 : strcmp(a->name, b->name);
}

/* Mostly a step and the next one; false: their keys have to be compared. */
static bool same_keys(const struct phase_run *run, uint32_t a, uint32_t b)
{
	if (!run->d || run->jobs)
		return false;
	const struct step *x = derived_step(run->d, a), *y = derived_step(run->d, b);
	return x->name == y->name && x->host == y->host;
}

static int key_order(const struct phase_run *run, uint32_t a, uint32_t b)
{
	const struct job_key of_a = key_of(run, a), of_b = key_of(run, b);
	int order = (of_a.rank >= 0) - (of_b.rank >= 0);
	return order ? order : name_order(&of_a, &of_b);
}

static int by_name_and_time(const void *x, const void *y, void *arg)
{
	const struct phase_run *run = arg;
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	int64_t a_ns = run->jobs ? run->jobs[a].start_ns : start_of(run, a),
		b_ns = run->jobs ? run->jobs[b].start_ns : start_of(run, b);
	int order = same_keys(run, a, b) ? 0 : key_order(run, a, b);
	order = order ? order : (a_ns > b_ns) - (a_ns < b_ns);
	return order ? order : (a > b) - (a < b);
}

/* The steps of one name, of a host or of all ranks, are judged together; they need not be neighbours. */
static void judge_all(struct phase_run *run, const struct job_steps *job)
{
	uint32_t n = 0, *order = run->steps;
	for (uint32_t i = 0; i < job->n; i++)
		if (!(marks_of(run, i) & CUT))
			order[n++] = i;
	if (n)
		sort_if_needed_r(order, n, sizeof *order, by_name_and_time, run);
	for (uint32_t from = 0, to; from < n; from = to) {
		const struct job_key first = key_of(run, order[from]);
		for (to = from + 1; to < n; to++) {
			if (same_keys(run, order[from], order[to]))
				continue;
			const struct job_key next = key_of(run, order[to]);
			if (name_order(&first, &next))
				break;
		}
		run->steps = order + from;
		run->n = to - from;
		if (run->n >= FEWEST_STEPS && !mostly_ahead(run))
			judge(run, job);
	}
}

static void add_to_job(const struct phase_run *run, uint32_t step, struct job_step *job)
{
	int64_t start_ns = start_of(run, step);
	if (!job->steps++)
		*job = (struct job_step){.first = step, .start_ns = start_ns, .steps = 1};
	job->start_ns = earlier(job->start_ns, start_ns);
	job->marks |= run->marks[step];
	job->ahead += (run->marks[step] & AHEAD) != 0;
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
		struct job_step *k = &jobs[job_step_of(job, i)];
		of_jobs[k->from + k->steps++] = i;
	}
}

/* Each step of the job is one step, in their order: those of one rank mostly are. */
static bool each_alone(const struct job_steps *job, uint32_t n)
{
	uint32_t i = 0;
	while (i < n && job_step_of(job, i) == i)
		i++;
	return i == n;
}

static void gather_jobs(struct phase_run *run, uint32_t n, const struct job_steps *job)
{
	run->jobs = must(malloc((job->n + (size_t)1) * sizeof *run->jobs));
	run->of_jobs = must(malloc((n + (size_t)1) * sizeof *run->of_jobs));
	run->over_ns = must(malloc((job->n + (size_t)1) * sizeof *run->over_ns));
	for (uint32_t k = 0; k < job->n; k++) /* pages that are read before they are written cost twice */
		run->jobs[k].steps = 0;
	for (uint32_t i = 0; i < n; i++)
		add_to_job(run, i, &run->jobs[job_step_of(job, i)]);
	sort_by_job(job, n, run->jobs, run->of_jobs);
}

/* Room for n things that are soon written. */
static void *room_for(size_t n, size_t size)
{
	void *room = must(malloc(n * size));
	pages_take(room, n * size);
	return room;
}

/* The rule; of `run` the steps are known, their lengths and marks. */
static void judge_steps(struct phase_run *run, uint32_t n, const struct job_steps *job, uint8_t *phases)
{
	uint32_t *order = room_for(n + (size_t)1, sizeof *order), *at = NULL;
	run->steps = order;
	run->room = room_for(n + (size_t)1, sizeof *run->room);
	run->over_ns = run->length_ns;
	run->phases = phases;
	if (!each_alone(job, n)) {
		gather_jobs(run, n, job);
		run->phases = must(calloc(job->n + (size_t)1, 1));
	}
	if (!is_in_order(run))
		run->at = at = room_for(n + (size_t)1, sizeof *at);
	judge_all(run, job);
	for (uint32_t i = 0; run->jobs && i < n; i++)
		phases[i] = run->phases[job_step_of(job, i)];
	free(order);
	free(at);
	free(run->room);
	if (!run->jobs)
		return;
	free(run->over_ns);
	free(run->phases);
	free(run->jobs);
	free(run->of_jobs);
}

void step_phases(const struct phase_step *steps, uint32_t n, const struct job_steps *job, uint8_t *phases)
{
	int64_t *length_ns = room_for(n + (size_t)1, sizeof *length_ns);
	uint8_t *marks = must(malloc(n + (size_t)1));
	for (uint32_t i = 0; i < n; i++) {
		const struct phase_step *s = &steps[i];
		length_ns[i] = s->length_ns;
		marks[i] = (uint8_t)((s->compiles ? COMPILES : 0) | (s->cut ? CUT : 0) | (s->ahead ? AHEAD : 0));
	}
	judge_steps(&(struct phase_run){.told = steps, .length_ns = length_ns, .marks = marks}, n, job, phases);
	free(length_ns);
	free(marks);
}

/* Of each step of a trace. */
static uint8_t *marks_of_steps(const struct derived *d)
{
	uint32_t n = derived_steps(d);
	uint8_t *marks = must(calloc(n + (size_t)1, 1));
	mark_compiling(d, marks);
	mark_ahead(d, marks);
	for (uint32_t i = 0; i < n; i++)
		marks[i] |= derived_step(d, i)->cut ? CUT : 0;
	return marks;
}

struct phase_step *derived_phase_steps(const struct derived *d)
{
	uint32_t n = derived_steps(d);
	uint8_t *marks = marks_of_steps(d);
	struct phase_step *steps = must(malloc((n + (size_t)1) * sizeof *steps));
	for (uint32_t i = 0; i < n; i++) {
		const struct step *s = derived_step(d, i);
		steps[i] = (struct phase_step){.key = job_key_of(d, s),
					       .start_ns = s->start_ns,
					       .length_ns = step_length_ns(d, i),
					       .compiles = marks[i] & COMPILES,
					       .cut = marks[i] & CUT,
					       .ahead = marks[i] & AHEAD};
	}
	free(marks);
	return steps;
}

static uint8_t *make_phases(const struct derived *d)
{
	uint32_t n = derived_steps(d);
	uint8_t *phases = must(calloc(n + (size_t)1, 1)), *marks = marks_of_steps(d);
	int64_t *length_ns = room_for(n + (size_t)1, sizeof *length_ns);
	for (uint32_t i = 0; i < n; i++)
		length_ns[i] = step_length_ns(d, i);
	judge_steps(&(struct phase_run){.d = d, .length_ns = length_ns, .marks = marks}, n, derived_job_steps(d),
		    phases);
	free(length_ns);
	free(marks);
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
