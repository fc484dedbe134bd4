/* model/analysis/comms/clocks.h - one axis for all hosts of a trace, before anybody looks at it; and which recordings are no one run.
 * Rule, the first that applies:
 *   by hand      --shift names hosts by their ranks: those are moved, all others stay as recorded;
 *   collectives  blocking calls do not end together: each host is moved by the fit of rank_axis.h;
 *   own axes     recordings of different ranks do not overlap, no call tests them, and one of them has no wall clock (it begins before
 *                the year 2000): each begins at 0;
 *   recorded     else.
 * Kept:   as facts of the trace, "clock of HOST", which the tables hosts and trace tell and which stay in a saved file. */
#ifndef STEPSCOPE_CLOCKS_H
#define STEPSCOPE_CLOCKS_H
#include "model/analysis/derived/derived.h"

enum clock_method { CLOCK_RECORDED, CLOCK_COLLECTIVES, CLOCK_HAND, CLOCK_OWN_AXIS };
struct host_clock {
	enum clock_method method;
	int64_t off_ns; /* taken off its recorded times, at from_ns */
	double drift_ppm;
};
/* As derived_new, on one axis; settle: called before the trace is changed, when whoever else reads it must have ended. */
struct derived *clocks_derive(struct trace *t, const struct derived_opts *o, void (*settle)(void), struct progress *p,
			      struct err *e);
struct host_clock host_clock(const struct trace *t, uint32_t host);
const char *clock_method_word(enum clock_method m); /* "recorded times", "collectives", ... */
/* How many hosts were moved, and by what: one method for all of them. */
uint32_t clocks_moved(const struct trace *t, enum clock_method *method);
/* Somebody has said where they are: nothing else moves them, neither on the timeline nor in a table. */
bool clocks_by_hand(const struct trace *t);

/* A shift by hand, "3=+3ms,5=-20us": ranks. False: it cannot be read. */
bool clocks_shift_valid(const char *text, struct err *e);

/* Recordings that overlap in time, directly or through others, are one run. */
struct recordings {
	const uint32_t *run;     /* per host, from 0 on in order of time */
	const uint32_t *repeats; /* per host: an earlier one that holds the same recording; NONE_ID */
	uint32_t n_runs, n_repeats;
};
struct arena;
struct recordings recordings_find(const struct trace *t, struct arena *mem);
/* "2 runs that do not overlap in time are open together: ..."; "" where there is one run and nothing twice. */
const char *recordings_say(const struct trace *t, char *buf, size_t size);
#endif
