/* model/analysis/steps/step_phase.h - which steps are warm-up, steady or outliers. Made on first use and kept; any thread. */
#ifndef STEPSCOPE_STEP_PHASE_H
#define STEPSCOPE_STEP_PHASE_H
#include "model/analysis/derived/derived.h"
#include "model/analysis/derived/job_steps.h"

/* Rule: within the steps of one name, of one host or of all ranks of a job, of which there must be four, m = median length and
 * limit = max(5 * 1.4826 * median distance from m, m / 10). A step longer than m + limit is slow. Slow steps at the start,
 * and steps at the start in which the host compiles, are warm-up (where it compiles in every step the first one alone); other steps more than limit away from m are outliers.
 * A step of several ranks has one phase on all of them. Each rank has its own median; distances from it are taken together, and the step
 * counts with the largest of its ranks, less the median of these. */
enum step_phase { PHASE_UNKNOWN, PHASE_WARMUP, PHASE_STEADY, PHASE_LONG, PHASE_SHORT }; /* outliers are long or short */
enum step_phase derived_step_phase(const struct derived *d, uint32_t step);
/* Of all steps, for loops over them. */
const uint8_t *derived_step_phases(const struct derived *d);
/* What a step is judged by. */
struct phase_step {
	struct job_key key;
	int64_t start_ns, length_ns;
	bool compiles, cut, ahead;
};
/* Of a trace, by step; for free(). */
struct phase_step *derived_phase_steps(const struct derived *d);
/* The rule: phases[i] of each of n steps, an enum step_phase; `job` as job_steps_of tells of their keys. */
void step_phases(const struct phase_step *steps, uint32_t n, const struct job_steps *job, uint8_t *phases);
/* The longest of the step's times on the devices, by which it is judged; the marker's when no device worked for it. */
int64_t step_length_ns(const struct derived *d, uint32_t step);
/* The host was so far ahead that more than half of the time from the first to the last work of a marked step on some device lies
 * after the step's time, which ended where the next one began: its time holds other steps' work. Of an inferred step: after the time
 * of the next one, too, or that time is more than twice the step's. Where most steps of a host and name are so, no length tells which are
 * steady: they have no phase. */
uint32_t steps_ahead(const struct derived *d); /* how many are so */
/* Which steps carry means, shares and what-ifs: the steady ones of the window, where there are any; all where other tools' numbers
 * are computed, where steps were chosen, where the query wants all, and where too few steps tell phases. A step of which the trace
 * holds only a part (step.cut) has no phase, and carries nothing unless it was chosen, or the window itself holds a part of it only. */
struct query;
struct counted_steps {
	const struct derived *d;
	const uint8_t *phases; /* enum step_phase of each step; NULL: not asked for */
	bool steady_only, chosen;
	int64_t a_ns, b_ns; /* the window */
};
struct counted_steps counted_steps(const struct derived *d, const struct query *q);
/* There is only a part of the step where the window has all of it. */
bool step_is_part(const struct derived *d, const struct query *q, uint32_t step);
/* Whether the step is one of them. */
static inline bool step_counts(const struct counted_steps *c, uint32_t step)
{
	const struct step *s = derived_step(c->d, step);
	bool part = s->cut && s->start_ns >= c->a_ns && s->time_end_ns <= c->b_ns;
	return (c->chosen || !part) && (!c->steady_only || c->phases[step] == PHASE_STEADY);
}
/* The name of a phase in tables: "warmup"; "outlier", long or short; NULL for unknown: too few steps to tell, or the host is ahead. */
const char *step_phase_name(enum step_phase p);
#endif
