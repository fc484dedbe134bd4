/* model/analysis/gaps/gap_causes.h - the causes of many gaps, each told when asked for: the first few by themselves, from then on all by
 * one sweep over the threads in order of time. Both give the same.
 * Cost:   until the sweep nothing is kept; then 64 bytes per gap.
 * Threads: one; the sweep uses a second one. */
#ifndef STEPSCOPE_GAP_CAUSES_H
#define STEPSCOPE_GAP_CAUSES_H
#include "verdict.h"
#include "model/analysis/derived/gap_place.h"
#include "model/analysis/maths/rank.h"

struct gap_cause {
	double confidence; /* this and the next two as in struct gap_verdict; of a stream's idle time only `row` and row_ns are told, */
	int64_t cause_ns; /* the event that fills most of it */
	int64_t row_ns;
	/* of the gap itself, so that who reads rows in another order than that of time need not go where it lies */
	int64_t start_ns, dur_ns;
	row_id row, before, after;
	uint32_t step, among; /* of its place; among: its step_gap if it is BETWEEN, else its `marked` */
	enum cause cause : 8;
	enum gap_scope scope : 8;
	enum gap_kind kind : 8;
};
struct gap_causes;
/* `gaps` are `n` ids, which must stay, as must what is known of a question about all of them (NULL: nothing is); the result lives in `mem`. */
struct gap_causes *gap_causes_new(const struct derived *d, const struct rank *gaps, uint32_t n,
				  const struct idle_extents *known, struct arena *mem);
struct gap_cause gap_causes_at(struct gap_causes *c, uint32_t i); /* of gaps[i] */
bool gap_causes_sweeps(const struct gap_causes *c);               /* the next one asked for brings the sweep */
/* The same after the sweep; NULL before. */
const struct gap_cause *gap_causes_kept(const struct gap_causes *c, uint32_t i);
void gap_causes_ahead(const struct gap_causes *c, uint32_t i); /* gaps[i] will be asked for soon; any i will do */
void gap_causes_sweep(struct gap_causes *c);                   /* at once, however few were asked for */
#endif
