/* tui/compare/diff.h - what has changed between two runs: the answer first, then where it comes from.
 * Runs:   several of a side are repetitions: the one whose step has the median length stands for them, their spread says which
 *         changes can be told. One run a side: the spread is that of its steady steps.
 * Formats: text, Markdown and HTML for people, JSON ("stepscope.diff/1") for programs; the same numbers in all.
 * Owner:  everything made lies in the arena that was given. */
#ifndef STEPSCOPE_DIFF_H
#define STEPSCOPE_DIFF_H
#include "model/analysis/compare/advice.h"
#include "model/analysis/compare/compare.h"
#include "model/analysis/compare/gate.h"
#include "model/analysis/compare/job_rank.h"
#include "model/analysis/compare/rank_side.h"
#include "model/analysis/compare/sequence.h"
#include <stdio.h>

struct diff_run {
	const struct derived *d;
	struct query q;
	const char *path, *label;    /* as the user named it; what people call it */
	const struct derived *whole; /* what d is one rank of; NULL: d is all there is */
	struct job_rank rank;        /* which */
	const char *window;          /* fit for --window; NULL = all of it */
};
enum { DIFF_SHOWN = 8, DIFF_TABLES = 10 }; /* those after the shown ones stand in JSON only */
enum { DIFF_NO_TABLES = 0 };
struct diff {
	struct diff_run run_a, run_b; /* those that stand for their sides */
	uint32_t n_a, n_b;
	struct compare_side a, b;
	struct step_change step; /* detects_pct: by the runs where both sides have several */
	struct work_differences work;
	struct changed_findings findings;
	struct table *tables[DIFF_TABLES]; /* rows that changed, by table; NULL: none on both sides, or not asked */
	struct compare_place *places[DIFF_TABLES]; /* of their rows; NULL where not asked */
	struct sequence sequence;
	struct table *advice;          /* advice.h */
	struct rank_waits waits[2];    /* of A, of B: ranks of one trace; else not known */
	struct devices_apart apart[2]; /* of A, of B; known where they have not as many devices */
	bool one_run;                  /* both sides are of one trace: neither is before the other */
	bool alike;                    /* no part of the step and no finding differs, as of a run and itself */
	struct gate_result *gates;
	uint32_t n_gates;
};
struct diff_req {
	const struct diff_run *a, *b;
	uint32_t n_a, n_b;
	const struct gate *gates;
	uint32_t n_gates;
	uint32_t n_tables; /* how many of the tables are made: DIFF_NO_TABLES, DIFF_SHOWN or DIFF_TABLES */
	bool places;       /* with them, of whole tables; else of rows that suffice to be compared, which is quicker */
	const char *program;
	struct progress *progress; /* to stop it; may be NULL */
};
/* False with `e` when cancelled. Each side is made on a thread of its own. */
bool diff_make(const struct diff_req *r, struct arena *mem, struct diff *out, struct err *e);
/* "step 200.000 ms -> 118.000 ms (-41.0 %): input wait -82.000 ms, device compute +1.000 ms": as many parts as fit into `cols`. */
enum { DIFF_COLS_ALL = 1 << 20 };
const char *diff_verdict(const struct diff *x, int cols, struct arena *mem);
double diff_pct(const struct diff *x); /* the step's change as a share of what it was; NaN: unknown */
/* "gone", "worse"; of one run "only A", "worse in B". */
const char *diff_finding_word(const struct diff *x, enum finding_change c);
/* "+5.000 ms", "-82.000 ms". */
const char *diff_change_text(int64_t ns, struct arena *mem);
/* What the finding says now; of one that is gone what it said. */
const char *diff_finding_text(const struct changed_finding *x);
/* "a step takes 23.000 ms longer: to communication 20.000 ms, to waiting for late devices 0 ns, ..."; NULL where both have as many
 * devices, or the step takes no longer. */
const char *diff_lost(const struct diff *x, struct arena *mem);
/* With arrows for "->", which Markdown and pages would show as two signs. */
const char *diff_arrows(const char *text, struct arena *mem);
/* "this may be noise: these steps can tell changes from 1.2 % on"; NULL: the change can be told, or nothing is known about it. */
const char *diff_noise(const struct diff *x, struct arena *mem);
/* "1 device -> 2: 1.54 x the work per second, 77.0 % of linear, ..."; NULL where both have as many. */
const char *diff_scaling(const struct diff *x, struct arena *mem);
/* "without waiting for other ranks 8.776 ms -> 10.975 ms (+25.1 %): ...", of ranks of one trace; NULL: not known. */
const char *diff_waits(const struct diff *x, struct arena *mem);
/* One run beside the other in the unit of the step: parts, then the whole. */
struct table *diff_parts_table(const struct diff *x, struct arena *mem);
/* "per sample 6.250 us -> 3.125 us (-50.0 %), by batches of 32 and 64"; NULL where the batch is not known to differ. */
const char *diff_per_sample(const struct diff *x, struct arena *mem);
/* The rows of one of its tables that changed, the largest change first and at most `most`: name, A, B, change, per cent, and how they
 * were matched where not all are the same. from: room for `most` numbers of the rows in `t`; may be NULL. */
enum { DIFF_ROW_NAME, DIFF_ROW_A, DIFF_ROW_B, DIFF_ROW_CHANGE, DIFF_ROW_PCT, DIFF_ROW_MATCH };
struct table *diff_rows(const struct diff *x, const struct table *t, uint32_t most, uint32_t *from, struct arena *mem);
/* Its kernel sequence in the same columns, in at most `most` rows. */
struct table *diff_sequence(const struct diff *x, uint32_t most, struct arena *mem);
/* "200 kernels -> 120, 96 of them as before and in their order" */
const char *diff_sequence_text(const struct diff *x, struct arena *mem);
/* What to type for the same comparison, as one line for a shell. */
const char *diff_command(const struct diff_req *r, struct arena *mem);
/* Whole documents; errors of `out` are for the caller to check. */
void diff_text(const struct diff_req *r, const struct diff *x, FILE *out);
/* What has become of the findings, and of each advice of the run before. */
void diff_findings(const struct diff *x, FILE *out);
void diff_md(const struct diff_req *r, const struct diff *x, FILE *out);
void diff_html(const struct diff_req *r, const struct diff *x, FILE *out); /* one file that needs nothing else */
void diff_json(const struct diff_req *r, const struct diff *x, FILE *out);
#endif
