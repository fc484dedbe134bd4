/* model/analysis/gaps/why.h - what the screens and reports say about the cause of a gap: the verdict of the analysis, and when it is
 * "unknown" whether the launching thread's largest event may be named all the same. It may when it fills at least a tenth
 * of the gap, or when the thread recorded at least half of the gap in all; otherwise naming it would be a guess. */
#ifndef STEPSCOPE_REPORT_WHY_H
#define STEPSCOPE_REPORT_WHY_H
#include "verdict.h"

enum why_kind {
	WHY_CAUSE,        /* `cause` explains it; verdict.cause says what sort of cause it is, if that is known */
	WHY_NOT_RECORDED, /* the launching thread left most of it empty */
	WHY_NO_HOST,      /* the trace has no host threads */
	WHY_NO_LAUNCH,    /* nothing tells which thread launches this device's work */
};
struct why {
	enum why_kind kind;
	struct gap_cause cause; /* name NULL = no event of that thread lies in the gap */
	int64_t recorded_ns;    /* time of the gap in which the launching thread recorded anything but step markers */
	struct gap_verdict verdict;
};
/* Judges the gap and decides which event may be named as its cause. */
struct why why_of(const struct derived *d, const struct gap *g);
#endif
