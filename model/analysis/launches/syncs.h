/* model/analysis/launches/syncs.h - calls in which the host waits for a device, and what the device does not do because of them.
 * Which:   host events of the section "synchronisation" of rules/causes.rules; where one encloses another, the inner one.
 *          Ops (aten::item) count where no runtime call is recorded at all: else what waits in them is a call.
 * Device:  of the last launch of the thread before the call; else of the process' or host's first one.
 * Drained: when the call ends the device does nothing: everything launched is done, and the host begins again from empty. The
 *          idle time around that moment is what the call cost at most; each idle time counts once, for its first call.
 * Lead:    after such a call the host has no lead any more. Without the wait it would have been ahead by as long as the device worked during
 *          the call: of the idle times after it, until its thread next waits for the device, so much is on its account, of each at most
 *          SYNC_GAP_NS.
 * Windows: sums of time are clipped; counts are of calls that begin inside. */
#ifndef STEPSCOPE_SYNCS_H
#define STEPSCOPE_SYNCS_H
#include "model/analysis/derived/derived.h"
#include "model/query.h"

enum { SYNC_GAP_NS = 1000000 };
struct sync_group {
	str_id name;
	bool overflow;   /* it asks whether a gradient overflowed */
	uint32_t device; /* NONE_ID: no device */
	struct span op;  /* the innermost op around the calls; empty = none */
	int64_t count, drained;
	int64_t total_ns, max_ns, whole_ns;
	int64_t waited_ns; /* of total_ns: the device worked */
	int64_t idle_ns;
	int64_t lead_ns; /* idle time on account of the lead that was lost */
	row_id worst;    /* most idle time, else the longest */
	int64_t worst_idle_ns;
};
struct syncs {
	struct sync_group *at; /* most idle_ns first, then total_ns */
	uint32_t n;
};
/* In `mem`. False with `e` on cancel. */
bool syncs_make(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
		struct syncs *out, struct err *e);
#endif
