/* model/analysis/derived/job_steps.h - ranks are no steps: the k-th step of one name and number of each rank is one step of the
 * job, on all those ranks. Steps of hosts whose rank is not known are steps of their own. */
#ifndef STEPSCOPE_JOB_STEPS_H
#define STEPSCOPE_JOB_STEPS_H
#include "derived.h"
#include "model/store/base/arena.h"

struct job_steps {
	uint32_t *
		of; /* per step of derived_steps: number of its job step, 0 .. n-1; NULL: each is one, with its number */
	uint32_t n;      /* steps of the job */
	uint32_t *ranks; /* per job step: steps that it consists of, one per rank; NULL likewise */
	uint32_t most;   /* the largest of these; 0 without steps */
};
static inline bool job_steps_alone(const struct job_steps *job)
{
	return !job->of;
}
static inline uint32_t job_step_of(const struct job_steps *job, uint32_t step)
{
	return job->of ? job->of[step] : step;
}
/* How many ranks the job step is on. */
static inline uint32_t job_step_ranks(const struct job_steps *job, uint32_t job_step)
{
	return job->ranks ? job->ranks[job_step] : 1;
}
/* What makes a step the same as one of another rank. */
struct job_key {
	const char *name;
	int64_t number; /* as the producer counts */
	int32_t rank;   /* -1: not known */
	uint32_t host;
};
struct job_key job_key_of(const struct derived *d, const struct step *s);
/* Steps of a rank in order of time. For free(). */
struct job_steps *job_steps_of(const struct job_key *steps, uint32_t n);
/* Found when it is first asked for, n log n of the steps, and kept with `d`. Any thread. */
const struct job_steps *derived_job_steps(const struct derived *d);
/* "10 steps", "1 step on each of 8 ranks"; what: "step", or "iteration" of a server. In `mem`. */
const char *job_steps_text(const char *what, int64_t n, int64_t ranks, struct arena *mem);
#endif
