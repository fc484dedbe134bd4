/* model/analysis/gaps/gap_groups.h - gaps that recur: at the same place of the program, for the same reason.
 * Between steps: one group per device, verdict and cause (digits in the cause's name do not count). Inside steps: one
 * group per device and pair of works around the gap, judged by its longest members; the longest intervals only, see
 * gap_pick. What-if: had the work that costs `lost` run every k steps, the period would be shorter by lost x (1 - 1/k). */
#ifndef STEPSCOPE_GAP_GROUPS_H
#define STEPSCOPE_GAP_GROUPS_H
#include "verdict.h"

enum { EVERY_K = 10 }; /* unless the query says otherwise */

struct gap_group {
	struct gap longest;
	struct gap_verdict verdict; /* of its longest member with the group's verdict */
	double confidence;          /* mean over the members judged */
	uint32_t count;
	uint32_t of;       /* steps of the device in the window, between steps transitions; 0 = unknown */
	int64_t total_ns;  /* sum of the gaps */
	int64_t lost_ns;   /* sum of what the verdict costs; UNKNOWN_I64 when unknown */
	int64_t period_ns; /* mean time from step to step there, between steps of the steady ones; UNKNOWN_I64 */
};
struct gap_groups {
	struct gap_group *at; /* the most time lost first */
	uint32_t n;
	int64_t least_ns; /* intervals inside steps are at least so long to be looked at; 0 = all are */
};
struct gap_groups gap_groups_find(const struct derived *d, const struct query *q, struct arena *mem);
/* Transitions between steps of the device in the window, and the mean time from the start of one to the next (UNKNOWN_I64). */
uint32_t gap_transitions(const struct derived *d, const struct query *q, uint32_t device, int64_t *period_ns);
/* What a period becomes when work that costs `per_step_ns` runs every k steps only. */
int64_t period_every_ns(int64_t period_ns, int64_t per_step_ns, uint32_t k);
int64_t gap_group_per_step_ns(const struct gap_group *g); /* time lost per step; UNKNOWN_I64 */
/* Period when that work ran every k steps; UNKNOWN_I64 when the period or what is lost is not known. */
int64_t gap_group_period_every_ns(const struct gap_group *g, uint32_t k);
/* "before every step", "before 3 of 9 steps", "after gemm, before relu" */
const char *gap_group_place(const struct derived *d, const struct gap_group *g, struct arena *mem);
#endif
