#include "overflow.h"
#include "model/analysis/derived/cause_names.h"

bool asks_for_overflow(const struct derived *d, row_id waits, int64_t from_ns)
{
	enum { BACK = 64, EARLIER_NS = 20000000 };
	const struct columns *c = derived_columns(d);
	uint64_t first = trace_track(derived_trace(d), c->track[waits])->first;
	for (row_id r = waits, n = 0; r-- > first && n < BACK; n++)
		if (c->kind[r] == KIND_OP && c->start_ns[r] >= from_ns - EARLIER_NS &&
		    cause_of_name(d, c->name[r]).section == CAUSE_LOSS_SCALING)
			return true;
	return false;
}
