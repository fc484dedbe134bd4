/* model/analysis/steps/steps_summary.h - how long the steps of a query last: those that carry the means, and what the others cost.
 * A length is the longest of a step's devices on each rank, then the mean of the ranks; steps that the window cuts have none.
 * Irregular: the longest of the steady steps takes more than twice the shortest; no mean says anything then. */
#ifndef STEPSCOPE_STEPS_SUMMARY_H
#define STEPSCOPE_STEPS_SUMMARY_H
#include "model/analysis/derived/derived.h"
#include "model/table.h"

struct steps_summary {
	uint32_t n, ranks;     /* whole steps of the job that carry the means, and the most ranks one of them runs on */
	double sum_ns;         /* their lengths, once per rank */
	double mean_ns, sd_ns; /* NaN where there is none, and where the steps are irregular */
	double median_ns, min_ns, max_ns; /* NaN without steps */
	bool irregular;
	uint32_t all;      /* whole steps of the job, those left out too */
	uint32_t inferred; /* how many of all are inferred */
	uint32_t worst;    /* of those left out the longest, of derived_steps; NONE_ID = none is left out */
	double worst_ns;   /* its length */
};
/* Whether of the rows that carry means and are known to be steady the longest takes more than twice the shortest. */
bool step_rows_irregular(const struct table *steps);
/* steps: the table of steps of the query. One thread. Cost: of the steps. */
struct steps_summary steps_summarise(const struct derived *d, const struct table *steps);
/* "5 of 6 steps, inferred", "1 step on each of 8 ranks". In `mem`. */
const char *steps_summary_words(const struct steps_summary *s, struct arena *mem);
#endif
