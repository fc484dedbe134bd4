/* model/analysis/causes/row_causes.h - the cause that an event tells by itself: what rules know of its name, and what its kind and length say.
 * Cost: constant, but of a call of the runtime that takes a millisecond or more. Threads: any number. */
#ifndef STEPSCOPE_ROW_CAUSES_H
#define STEPSCOPE_ROW_CAUSES_H
#include "model/analysis/derived/cause_names.h"
#include "model/analysis/derived/derived.h"
#include "model/analysis/derived/first_calls.h"

enum {
	TRUST_CALL = 50,    /* a short call of the runtime that no rule knows */
	TRUST_LOADING = 60, /* a long one */
	TRUST_FIRST = 75,   /* the first call of an op, which takes far longer than later ones */
	TRUST_SLOW = 46,    /* another such call of it: of another shape, or the host was held up */
	FRAME_PCT = 80,     /* a rule that matches a frame's file or function instead of a range or an op */
	DISPATCH_NS = 1000000
};

static inline bool cause_is_verdict(struct name_cause c)
{
	return (c.section > CAUSE_UNKNOWN && c.section < CAUSE_COUNT) || c.section == CAUSE_INPUT_WORKER ||
	       c.section == CAUSE_COMM_CALL;
}
/* A call of the runtime that no rule knows: a long one loads code or makes a context. */
struct name_cause row_cause_of_call(const struct derived *d, row_id r, struct name_cause known);
/* What the event tells. */
static inline struct name_cause row_cause(const struct derived *d, row_id r)
{
	const struct columns *columns = derived_columns(d);
	struct name_cause c = cause_of_name(d, columns->name[r]);
	enum event_kind kind = columns->kind[r];
	if (kind == KIND_OVERHEAD && !cause_is_verdict(c))
		return (struct name_cause){CAUSE_PROFILER, 95};
	if (kind == KIND_RUNTIME && (c.section == CAUSE_UNKNOWN || c.section == CAUSE_LAUNCH))
		return row_cause_of_call(d, r, c);
	if (kind == KIND_OP && columns->dur_ns[r] >= FIRST_CALL_NS && c.trust < TRUST_FIRST && first_call(d, r)) {
		uint8_t trust = first_call_of_name(d, r) ? TRUST_FIRST : TRUST_SLOW;
		if (c.trust < trust)
			return (struct name_cause){CAUSE_COMPILE, trust};
	}
	if (kind == KIND_PYTHON)
		c.trust = (uint8_t)(c.trust * FRAME_PCT / 100);
	return c;
}
#endif
