/* model/finding.h - one sentence that a rule says about a trace, with its numbers, its formula and its evidence.
 * States:  a rule passes (nothing to do), informs, warns, fails, or abstains: "cannot tell", naming what the trace lacks.
 *          An abstention is never a pass.
 * Owner:   the arena of the list; every text lies there, in the trace, or is constant.
 * Numbers: `value` and `threshold` in `unit`; the sentence says no number that is not among `inputs`. */
#ifndef STEPSCOPE_FINDING_H
#define STEPSCOPE_FINDING_H
#include "table.h"

enum finding_state { FINDING_PASS, FINDING_INFO, FINDING_WARN, FINDING_FAIL, FINDING_UNKNOWN, FINDING_STATES };
const char *finding_state_name(enum finding_state s);              /* "pass", "info", "warn", "fail", "unknown" */
bool finding_state_parse(const char *word, enum finding_state *s); /* false: no such word */
bool finding_stands(enum finding_state s);                         /* something is to be done: it warns or fails */

/* A number or a name that a rule judged by, and where it stands: a cell of a table of the same window, the sum of a column over
 * some rows, how many rows there are, or a number made of inputs before it. */
struct finding_input {
	const char *name;   /* stands in `made_of` of others: letters, digits and _ */
	double value;       /* NaN: unknown, or a text */
	const char *text;   /* NULL: a number */
	enum unit unit;     /* of the number */
	const char *table;  /* NULL: made of other inputs */
	const char *column; /* NULL: the number of rows; a column of texts with a number: how many different ones */
	const char *
		rows; /* which: "row 3" (from 1), "key=steps", "cause=allocator|copies and device!=null", "busy_pct<50", "one per device", "first of" and conditions; NULL: all */
	const char *made_of; /* "100 * idle_ns / watched_ns"; NULL: read from a table */
};
struct finding_inputs {
	const struct finding_input *at;
	uint32_t n;
};

struct finding_inputs *finding_inputs_copy(const struct finding_inputs *x, struct arena *mem); /* texts and all */

struct finding {
	const char *rule, *question, *title; /* "input-bound", "Q10", "Input pipeline"; set by finding_blank */
	enum finding_state state;
	uint32_t device, step; /* NONE_ID: not about one */
	/* Which one, where the rule speaks of several things: the cause of idle time, what most of an overhead is; NULL. */
	const char *about;
	const char
		*sentence; /* one sentence with the numbers; of an abstention: what is missing, and how to record it */
	double value, threshold; /* NaN: none */
	enum unit unit;
	int64_t idle_ns; /* idle time of devices that it claims for itself; those of all findings add up; UNKNOWN_I64 */
	int64_t lost_ns; /* time that could be won at most; UNKNOWN_I64 */
	int64_t held_ns; /* the longest idle time in which launched work was held back; UNKNOWN_I64: not about such */
	const char *held_stream; /* whose work that was; NULL: none */
	double confidence;       /* 0..1; NaN: a plain measurement, nothing was judged */
	const char *advice;      /* what to do, NULL = nothing */
	const char *formula;     /* how `value` is made, thresholds included */
	const char *
		waits_for; /* rule of an earlier finding: this one matters when that is mended; NULL: it waits for none */
	const char *untold,
		*reason; /* of an abstention: "Cannot tell UNTOLD: REASON."; NULL: it says it in other words */
	int cause;       /* enum cause of a finding about idle time; -1: about none */
	const char *why; /* what else than value and threshold decided; NULL: nothing */
	struct finding_inputs inputs;
	struct evidence evidence;
};
struct findings {
	struct arena *mem;
	struct finding *at;
	uint32_t n;
	struct finding *silent; /* rules that said nothing, why, and by which numbers */
	uint32_t n_silent;
};
/* Of state pass, with all numbers unknown; the texts are kept, not copied. */
struct finding finding_blank(const char *rule, const char *question, const char *title);
/* Appends a blank one; the pointer is valid until the next call. */
struct finding *finding_add(struct findings *f, const char *rule, const char *question, const char *title);
void finding_evidence(struct findings *f, struct finding *x, int64_t a_ns, int64_t b_ns, const row_id *rows,
		      uint32_t n);
/* Worst first: fail, warn, those of both that wait for an earlier one, unknown, info, pass; in each the most time lost first (where that
 * is unknown: the most idle time); else in the order of the rules, which is the guide's. */
void findings_sort(struct findings *f);
#endif
