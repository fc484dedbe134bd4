/* model/analysis/compare/advice.h - of what the findings of the run before advise: whether the run after has done it, and what it brought.
 * Measure: what the advice is about: a part of the step, a key of the overview, the kernels of a step; else the finding's own number.
 * Followed: the measure has moved as was advised, by nine tenths or to where the finding is gone; in part: by a tenth or more; else not.
 * Brought: the change of the parts of the step that the advice is about. It is what happened, whatever it came of. */
#ifndef STEPSCOPE_ADVICE_H
#define STEPSCOPE_ADVICE_H
#include "sequence.h"

enum advice_followed { ADVICE_FOLLOWED, ADVICE_IN_PART, ADVICE_NOT_FOLLOWED, ADVICE_CANNOT_TELL };
const char *advice_word(enum advice_followed f); /* "followed", "in part", "not followed", "cannot tell" */
enum {
	ADVICE_RULE,
	ADVICE_TITLE,
	ADVICE_DONE, /* advice_word */
	ADVICE_SENTENCE,
	ADVICE_MEASURE,
	ADVICE_BEFORE, /* each in the unit of its row */
	ADVICE_AFTER,
	ADVICE_BROUGHT_NS,
	ADVICE_PREDICTED_NS,
	ADVICE_TEXT,
	ADVICE_COLUMNS
};
struct advice_facts {
	const struct compare_side *a, *b;
	const struct step_change *step;
	const struct changed_findings *findings;
	const struct sequence *sequence;
	bool one_run; /* neither side is before the other, or they do not differ: nothing was done in between */
};
/* One row for each rule that advises something in the run before, in the order of the rules. NULL with `e`. */
struct table *compare_advice(const struct advice_facts *f, struct arena *mem, struct progress *p, struct err *e);
#endif
