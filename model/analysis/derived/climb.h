/* model/analysis/derived/climb.h - the nearest of an event and those around it that fits. Where the way up is long, what was found
 * is kept for each event on it: a million calls inside one another are climbed once and not once for each.
 * Life:    zero-initialise -> climb_find with one question only -> climb_free. Memory: nothing, or 4 bytes per event of the trace.
 * Threads: any number climb at a time. */
#ifndef STEPSCOPE_CLIMB_H
#define STEPSCOPE_CLIMB_H
#include "rows.h"
#include <stdatomic.h>

struct climb {
	_Atomic(_Atomic(uint32_t) *) found; /* per event: 0 = not known, NONE_ID = none, else the row + 1 */
};
/* From an event that is far from where the way began: up to where something is known, and then that for all on the way. */
row_id climb_far(struct climb *c, const struct derived *d, row_id from, bool (*fits)(void *arg, row_id r), void *arg);
/* NONE_ID: none fits. `fits` answers the same for a row each time. */
static inline row_id climb_find(struct climb *c, const struct derived *d, row_id from,
				bool (*fits)(void *arg, row_id r), void *arg)
{
	enum { NEAR = 16 }; /* deeper than most programs nest what is asked for */
	row_id at = from;
	for (int i = 0; i < NEAR && at != NONE_ID; i++, at = parent_of(d, at))
		if (fits(arg, at))
			return at;
	return at == NONE_ID ? NONE_ID : climb_far(c, d, at, fits, arg);
}
/* The same that asks for what the producer calls an op. */
row_id climb_to_op(struct climb *c, const struct derived *d, row_id from);
void climb_free(struct climb *c);
#endif
