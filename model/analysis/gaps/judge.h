/* model/analysis/gaps/judge.h - what verdicts share. Of verdict.c and verdict_evidence.c. */
#ifndef STEPSCOPE_JUDGE_H
#define STEPSCOPE_JUDGE_H
#include "awake.h"
#include "verdict.h"
#include "model/analysis/steps/idle.h"
#include "model/query.h"

struct gap_judge {
	const struct derived *d;
	struct query all;
	struct idles *idles; /* NULL: each gap by itself */
	struct awake *awake; /* made when other threads are first asked about */
};
/* What happened in the gap; without who was busy where that could not decide, unless the judge looks at this gap alone. */
void gap_evidence_of(struct gap_judge *j, const struct gap *g, struct gap_evidence *out);
#endif
