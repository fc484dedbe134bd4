/* model/analysis/comms/collective_match.h - which collectives of different devices are one call.
 * A recorded group with sequence numbers: equal numbers. Otherwise the calls of one key on one device stand beside those on another in
 * their order, shifted so that, the first that decides: their steps have equal numbers; they overlap in time; nothing.
 * Without a recorded group two devices are of one communicator when their calls end together but for a constant difference: the change
 * of the difference from call to call is at most 50 us or a tenth of a call, in the median. */
#ifndef STEPSCOPE_COLLECTIVE_MATCH_H
#define STEPSCOPE_COLLECTIVE_MATCH_H
#include "collectives.h"

/* Fills the matches of `x`, whose collectives are in order, and each one's `match`; what stood there is forgotten. */
void collectives_match(struct collectives *x, struct arena *mem);
/* Appends the members of a match that blocks, of several hosts, to pairs[n ..]; gives how many there are then. */
uint32_t collective_match_pairs(const struct collectives *x, const struct collective_match *m, struct axis_pair *pairs,
				uint32_t n, struct arena *mem);
#endif
