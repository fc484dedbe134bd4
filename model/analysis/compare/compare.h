/* model/analysis/compare/compare.h - two runs beside each other, or two windows of one: A is before, B is after.
 * What is compared: steady steps with steady steps. Lengths are of all steps that carry means; sums of ops, kernels, copies are
 *         of the longest stretch of which nine steps of ten are such (of all, where that is less than half of them), per step and per
 *         device that works in it, so that runs of other lengths, and of more devices, stand beside each other. Without whole
 *         steps sums are of the window.
 * Owner:  texts lie in the arena that was given, in the traces, or are constant. */
#ifndef STEPSCOPE_COMPARE_H
#define STEPSCOPE_COMPARE_H
#include "job_rank.h"
#include "step_average.h"
#include "model/analysis/derived/derived.h"
#include "model/analysis/maths/spread.h"
#include "model/analysis/rules/cause.h"
#include "model/finding.h"
#include "model/query.h"
#include "model/table.h"

struct compare_side {
	const struct derived *d;
	const char *label;           /* what people call it: a file's name, "step 8" */
	struct query q;              /* of lengths and findings */
	struct query stretch;        /* of sums */
	uint32_t stretch_steps;      /* steps in it; 0 = none: sums are of the window */
	uint32_t unsteady_steps;     /* of these, those that do not carry means */
	int64_t shown_ns;            /* where the step in the middle of it begins, of those that carry means */
	uint32_t devices;            /* that work in it; at least 1 */
	struct step_average step;    /* see there */
	struct spread steps_spread;  /* of its steps' lengths */
	const struct derived *whole; /* set by the caller: what d is one rank of (rank_side.h); NULL: nothing */
	struct job_rank rank;        /* which */
};
/* label is kept. False with `e` when cancelled. What is asked of a side shares what it is made of (query/shared.h) until
 * compare_side_done, which must be called in both cases, and hands that to `mem`. */
bool compare_side_of(const struct derived *d, const struct query *q, const char *label, struct arena *mem,
		     struct progress *p, struct compare_side *out, struct err *e);
void compare_side_done(struct compare_side *s, struct arena *mem);
void compare_side_share(struct compare_side *s); /* once more, after that */

/* ---- the step, or what stands for it ------------------------------------------------------------------------------- */

enum { CHANGE_PARTS = STEP_AVERAGE_PARTS };
enum change_of {
	CHANGE_OF_NOTHING,  /* neither steps nor device work on both sides */
	CHANGE_OF_STEPS,    /* the mean step */
	CHANGE_OF_MEDIANS,  /* the step of median length: those of a side are irregular */
	CHANGE_OF_THE_SPAN, /* no steps: first to last device work of the device that works longest */
};
/* What a part of the step is called: as the parts of steps are everywhere (step_part.h), input by what it is of. */
const char *change_part_label(enum time_class part);
struct change_part {
	const char *part, *label; /* for scripts; for people */
	int64_t a_ns, b_ns;
};
struct step_change {
	enum change_of of;
	int64_t a_ns, b_ns;
	struct change_part part[CHANGE_PARTS];
	uint32_t n;         /* parts: they add up to a_ns and to b_ns */
	double detects_pct; /* the smallest change of the length that these steps can tell; NaN: cannot be told */
};
bool compare_steps(const struct compare_side *a, const struct compare_side *b, struct arena *mem, struct progress *p,
		   struct step_change *out, struct err *e);
/* Places of the parts, the largest change first; n of them. */
void change_ranked(const struct step_change *c, uint32_t *order);

/* ---- rows of a table that both have ---------------------------------------------------------------------------------- */

/* Whether the rows of this table have counterparts in other runs (table_desc.vs); key and value tables have. */
bool compare_knows(const struct table_desc *desc);
/* The column tells ranks or devices apart: which row of several alike, not what it is about. */
bool compare_is_whose(const struct column *c);
/* One row for each that A or B has, the largest change first: the columns that tell rows apart, how the two were matched, and of
 * each sum A, B and the change. NULL with `e`. */
struct table *compare_table(const struct table_desc *desc, const struct compare_side *a, const struct compare_side *b,
			    struct arena *mem, struct progress *p, struct err *e);
/* Where on the timelines a row is seen: the most important event of its row in each table. */
struct compare_place {
	row_id event[2];  /* of A, of B; NONE_ID: none */
	int64_t at_ns[2]; /* UNKNOWN_I64: nowhere */
};
struct sequence;
/* The same table, and the place of each of its rows; NULL for keys and values. sequence: of the same two sides.
 * places: NULL where nobody asks for them, which is quicker. */
struct table *compare_table_places(const struct table_desc *desc, const struct compare_side *a,
				   const struct compare_side *b, const struct sequence *sequence,
				   struct compare_place **places, struct arena *mem, struct progress *p, struct err *e);
/* What of one side such a table is made of, kept for it: so that each side may be made on a thread of its own. */
const struct table *compare_side_table(const struct table_desc *desc, const struct compare_side *s, bool with_places,
				       struct arena *mem, struct progress *p, struct err *e);
/* Its first columns after the key; then for sum k: COMPARE_SUMS + 3 k: A, B, change. */
enum { COMPARE_MATCH, COMPARE_NAME_B, COMPARE_CHANGE_PCT, COMPARE_SUMS };
/* What its sums are of: ", per step and device", ", per step"; "" = the window. */
const char *compare_per(const struct table_desc *desc, const struct compare_side *a, const struct compare_side *b);
/* Where the columns after the key begin. */
uint32_t compare_key_columns(const struct table_desc *desc);

/* Of the first sum of such a table, the share of A's and of B's rows that have a counterpart; NaN where there are none. */
void compare_in_common(const struct table_desc *desc, const struct table *compared, double *a_pct, double *b_pct);

/* ---- more devices ---------------------------------------------------------------------------------------------------- */

struct scaling {
	double speed_up; /* work per second, B / A */
	double of_linear_pct;
	bool alike; /* each device computes as much in a step as before, within a quarter: else the two say nothing */
};
/* The same program on more or fewer devices: each step does the work of its devices. False: as many, or no steps. */
bool compare_scaling(const struct compare_side *a, const struct compare_side *b, const struct step_change *c,
		     struct scaling *out);

/* ---- findings -------------------------------------------------------------------------------------------------------- */

enum finding_change { FINDING_GONE, FINDING_NEW, FINDING_WORSE, FINDING_BETTER, FINDING_STAYS, FINDING_CANNOT_TELL };
struct changed_finding {
	enum finding_change change;
	const char *rule, *title;
	const char *a_state, *b_state;       /* "warn"; NULL: that side has no such finding */
	const char *a_sentence, *b_sentence; /* NULL in that case */
};
struct changed_findings {
	struct changed_finding *at;
	uint32_t n;
	struct findings before, after; /* all of them */
};
/* What a rule says, about idle time what it says of one cause: the worst of its findings, the earlier one of several; NULL: nothing. */
enum { COMPARE_NO_CAUSE = -1, COMPARE_CAUSES = CAUSE_COUNT };
const struct finding *compare_worst(const struct findings *f, const char *rule, int cause);
bool compare_stands(const struct finding *x); /* it warns or fails; NULL does not */
/* Those that stand (warn or fail) on one side at least, in the order: gone, new, worse, better, stays, cannot tell. before, after: all
 * of either side, whose texts must live as long as `mem`. */
void compare_findings(const struct compare_side *a, const struct compare_side *b, const struct findings *before,
		      const struct findings *after, struct arena *mem, struct changed_findings *out);
const char *finding_change_word(enum finding_change c); /* "gone", "new", "worse", "better", "stays", "cannot tell" */

/* ---- is it the same work --------------------------------------------------------------------------------------------- */

struct work_difference {
	const char *what;  /* "device", "devices", "framework", "recorded by", "batch" */
	const char *a, *b; /* as read in the traces */
};
struct work_differences {
	struct work_difference at[8];
	uint32_t n;
	double batch_a, batch_b; /* NaN: the shapes do not tell one batch */
};
/* Devices, how many, framework, producer, and the batch: a number in which alone the shapes differ of ops that take most of the
 * time of all with shapes. */
bool compare_work(const struct compare_side *a, const struct compare_side *b, struct arena *mem, struct progress *p,
		  struct work_differences *out, struct err *e);
#endif
