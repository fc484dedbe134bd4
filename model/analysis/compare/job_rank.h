/* model/analysis/compare/job_rank.h - one rank of a job, out of a trace of several, as a trace of its own: so that two ranks of one trace
 * are compared as two runs are. What only all ranks together tell, who waits for whom, is asked of the whole.
 * Which:  the host of that rank; where the hosts have none, the device of that number: as tables call a rank. */
#ifndef STEPSCOPE_JOB_RANK_H
#define STEPSCOPE_JOB_RANK_H
#include "model/analysis/derived/derived.h"
#include "model/store/base/arena.h"

struct job_rank {
	int64_t rank;
	uint32_t host, device; /* device: NONE_ID = all of the host */
};
/* text: a number. False with a usage error that says which ranks there are. */
bool job_rank_find(const struct trace *t, const char *text, struct job_rank *out, struct err *e);
/* By the options of the whole. NULL with `e`. The caller frees it. */
struct derived *job_rank_derive(const struct derived *whole, const struct job_rank *r, struct progress *p,
				struct err *e);
#endif
