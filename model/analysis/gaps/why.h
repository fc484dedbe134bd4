/* model/analysis/gaps/why.h - what the screens and reports say about the cause of a gap: the verdict of the analysis, and when it is
 * "unknown" whether the launching thread's largest event may be named all the same. It may when it fills at least a tenth
 * of the gap, or when the thread recorded at least half of the gap in all; otherwise naming it would be a guess. And what to do. */
#ifndef STEPSCOPE_REPORT_WHY_H
#define STEPSCOPE_REPORT_WHY_H
#include "verdict.h"

enum why_kind {
	WHY_CAUSE, /* the verdict's main event may be named; verdict.cause says what kind of cause it is, if known */
	WHY_NOT_RECORDED, /* the launching thread left most of it empty */
	WHY_NO_HOST,      /* the trace has no host threads */
	WHY_NO_LAUNCH,    /* nothing tells which thread launches this device's work */
};
struct why {
	enum why_kind kind;
	const char *main_event; /* its name; NULL = no event of that thread lies in the gap */
	struct gap_verdict verdict;
};
/* Judges the gap and decides whether the main event may be named. */
struct why why_of(const struct derived *d, const struct gap *g);
/* What to do about a gap with that verdict; static, one or more sentences. main: the verdict's main event, or NONE_ID. */
const char *gap_advice(const struct derived *d, const struct gap *g, enum cause cause, row_id main);
#endif
