/* model/analysis/copies/copies_source.h - which op a copy belongs to, and how that is known.
 * Correlation: its own details name the op, or the op encloses the call that launched it.
 * Neighbour:   else what was launched around it on the same thread tells. A copy to the device of as many bytes as were
 *              copied to the host right before brings back what that op made of them: a round trip. Any other copy to the
 *              device is for the next kernel launched. All other copies carry what
 *              the kernel launched before them made. Without launches the neighbours on the copy's stream are asked. */
#ifndef STEPSCOPE_COPIES_SOURCE_H
#define STEPSCOPE_COPIES_SOURCE_H
#include "model/analysis/derived/derived.h"

enum copy_op_by { OP_BY_NOTHING, OP_BY_CORRELATION, OP_BY_NEIGHBOUR };
struct copy_source {
	str_id op;     /* 0 = not known */
	str_id caller; /* outermost op around the launch, when it is another one */
	enum copy_op_by by;
};
struct copy_source copy_source_of(const struct derived *d, row_id r, enum copy_kind kind);
/* The copy to the host whose bytes this copy to the device brings back; NONE_ID = it is no round trip. */
row_id copy_round_trip(const struct derived *d, row_id r);
/* What ran around the launch that is no op: the nearest Python frame or annotation; NONE_ID = none. */
row_id copy_called_in(const struct derived *d, row_id r);
#endif
