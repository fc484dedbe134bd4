/* model/analysis/comms/lateness.h - which device the others wait for, how often, by how much, and why it is late.
 * Calls:    those of all ranks of a group; a receive waits for its send as the program wants it (traffic/pipeline.h).
 * Last:     the member of a matched call that started last, alone: the others' waits at it are on its account.
 * Because:  of the calls with the most waiting (JUDGED_MOST), what each member did between the end of its call before, or the begin of
 *           its step, and its start: time by class (steps/breakdown.h), in which no collective waits. The last one's time less the
 *           mean of the others', class by class, and its later begin add up to its lateness. The class with most of it is the
 *           reason where it makes half of it or more; else nothing is named. SEMANTICS.md, 16. */
#ifndef STEPSCOPE_LATENESS_H
#define STEPSCOPE_LATENESS_H
#include "comms.h"
#include "model/analysis/steps/breakdown.h"

/* Classes of time, and two more. */
enum { LATE_OTHER = TIME_COUNT, LATE_BEGIN, LATE_CLASSES };
struct lateness {
	uint32_t calls, last;          /* matched calls in the window; those at which it was last */
	int64_t wait_ns, exposed_ns;   /* its own waits; of these, without compute beside them (exposed.h) */
	int64_t waited_for_ns;         /* the others' waits at calls at which it was last, added up */
	int64_t by_ns;                 /* by how much it was last then, added up */
	double class_ns[LATE_CLASSES]; /* of the calls judged: more than the mean of the others */
	double judged_ns;              /* their sum */
	uint32_t judged;               /* how many calls */
};
/* By device; false with `e` when it was cancelled. */
bool lateness_find(const struct derived *d, const struct query *q, const struct comms *comms, struct arena *mem,
		   struct progress *p, struct lateness **out, struct err *e);
/* The class that makes it late; LATE_CLASSES: none does. */
int lateness_because(const struct lateness *l);
/* "its input waits longer"; NULL for LATE_CLASSES. */
const char *lateness_words(int class);
/* By how much the last of a match started after the one before it. */
int64_t collective_last_by_ns(const struct collectives *x, const struct collective_match *m);
#endif
