/* model/analysis/gaps/judge.h - what verdicts share. Of verdict.c and verdict_evidence.c. */
#ifndef STEPSCOPE_JUDGE_H
#define STEPSCOPE_JUDGE_H
#include "verdict.h"
#include "model/analysis/query/awake.h"
#include "model/analysis/steps/idle.h"
#include "model/query.h"

enum { EXPLAINED_PCT = 50 }; /* trust x time of one cause on the launching thread: no other thread is asked */
struct gap_judge {
	const struct derived *d;
	bool once; /* it looks at one gap: nothing is kept for others */
	struct query all;
	struct idles *idles;              /* NULL: each gap by itself */
	const struct idle_extents *known; /* of a question that no filter narrows; NULL: nothing is known */
	struct awake **awake;             /* by host, of its threads; each made when first asked for */
	struct thread_blocks *blocks;     /* thread_shares.h; NULL: none yet */
	struct thread_owners *owners;     /* NULL: none yet */
	struct thread_sweep *spare;       /* the last one that was gone through; NULL: none yet */
};
/* What happened in the gap; without who was busy where that could not decide, unless the judge looks at this gap alone. */
void judge_sleepers_free(struct gap_judge *j);
/* The host has its part in the gap until it has launched the work after it. */
int64_t gap_host_until_ns(const struct derived *d, const struct gap *g);
void gap_evidence_of(struct gap_judge *j, const struct gap *g, struct gap_evidence *out);
#endif
