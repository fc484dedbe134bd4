/* model/analysis/compare/gate.h - a limit for what a change may cost, for pipelines that stop: "step +3%".
 * Grammar: KEY LIMIT. KEY: step, or a key of the overview with a number. LIMIT: a sign, a number, and % (of what it was), a unit of
 *          time, or nothing (points of shares, counts). + means that more is worse. "findings new": no new warning.
 * Judged:  for `step` the spread of the runs, or of one run's steady steps, says which changes can be told (spread.h). A limit
 *          smaller than that is judged only where the change is on one side of it by more than that. Other keys have no known
 *          spread and are judged as they are. */
#ifndef STEPSCOPE_GATE_H
#define STEPSCOPE_GATE_H
#include "compare.h"

enum gate_limit { GATE_PERCENT, GATE_TIME, GATE_POINTS, GATE_NEW_FINDINGS };
struct gate {
	const char *text; /* as the user wrote it */
	char key[64];
	enum gate_limit kind;
	double limit; /* above 0: may grow by at most that; below: may fall by at most that. Percent, ns, points */
};
enum gate_verdict { GATE_PASSES, GATE_FAILS, GATE_CANNOT_JUDGE };
struct gate_result {
	const struct gate *gate;
	enum gate_verdict verdict;
	const char *sentence; /* with the numbers; in the arena */
};
/* False with a usage error that says how a limit is written. */
bool gate_parse(const char *text, struct gate *out, struct err *e);
/* What gates look at. */
struct gate_facts {
	const struct compare_side *a, *b;
	const struct step_change *step;
	const struct changed_findings *findings;
	const struct table *overview_a, *overview_b;
};
/* The sentence has the numbers of both sides; of a gate that cannot judge, why. */
struct gate_result gate_judge(const struct gate *g, const struct gate_facts *f, struct arena *mem);
#endif
