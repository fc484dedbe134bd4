/* model/analysis/compare/rank_side.h - what one rank's side of a comparison is told by the whole trace that it is a part of: its part of
 * each collective, and how long it waits there for others. By itself it knows of no other rank. */
#ifndef STEPSCOPE_RANK_SIDE_H
#define STEPSCOPE_RANK_SIDE_H
#include "compare.h"

/* The table is one that all ranks together tell more of (vs.of_job), and the side is one rank. */
bool rank_side_asks_whole(const struct table_desc *desc, const struct compare_side *s);
/* Its rows of the side's stretch. Positions in time, and events, are those of the whole. NULL with `e`. */
struct table *rank_side_table(const struct table_desc *desc, const struct compare_side *s, struct arena *mem,
			      struct progress *p, struct err *e);

struct rank_waits {
	double step_ns, wait_ns; /* per step, as the table replicas has them; NaN: not known */
	uint32_t calls, last;    /* matched calls; those at which it was last */
};
/* Nothing known where the side is not one rank. False with `e` when cancelled. */
bool rank_side_waits(const struct compare_side *s, struct arena *mem, struct progress *p, struct rank_waits *out,
		     struct err *e);

/* All devices of a side: what they wait for each other, and how unevenly they compute. */
struct devices_apart {
	double wait_ns;         /* per step, mean of the devices; 0 where no call is known on two of them */
	double compute_to_mean; /* of the one that computes longest; NaN: one device, or not known */
};
/* Over the side's stretch. False with `e` when cancelled. */
bool compare_devices_apart(const struct compare_side *s, struct arena *mem, struct progress *p,
			   struct devices_apart *out, struct err *e);
#endif
