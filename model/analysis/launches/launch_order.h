/* model/analysis/launches/launch_order.h - which device of a host is launched first in its steps, and which one idles until another has
 * been launched.
 * Skew:    of a device in a step in which two or more are launched: its own first launch - the first one for any device.
 * Waiting: time between these two in which the device does nothing. Work that waits for another device's results was launched, so that
 *          time does not count. A step in which it makes 1 % of the step time is late. SEMANTICS.md, 16.
 *          A step whose times on two devices lie apart is not compared there.
 * Windows: whole steps inside, those that carry means (step_phase.h). */
#ifndef STEPSCOPE_LAUNCH_ORDER_H
#define STEPSCOPE_LAUNCH_ORDER_H
#include "model/analysis/derived/derived.h"
#include "model/analysis/rules/cause.h"
#include "model/query.h"

struct device_order {
	uint32_t device, threads; /* threads that launch for it; lanes that are none do not count */
	bool shared;              /* one of them launches for another device, too */
	int64_t launches;
	uint32_t steps, first,
		late;       /* steps in which several are launched; it alone is first; it idles until it is launched */
	int64_t late_by_ns; /* median skew of the late ones; UNKNOWN_I64: none is */
	int64_t begin_idle_ns;        /* start of the step to its first work: median over steps; UNKNOWN_I64 */
	int64_t waiting_ns, steps_ns; /* idle in the late steps until launched; all those steps; added up */
	uint32_t behind;              /* the device that was first in the late steps, most often; NONE_ID */
	row_id latest;                /* the launch with the most waiting before it; NONE_ID */
	int64_t latest_from_ns;
	/* Of the device with most waiting: what it waits for in the step with most of it, where one cause makes half of that; CAUSE_COUNT */
	enum cause cause;
	row_id cause_row; /* the event of its host that most of that lies in; NONE_ID */
};
struct launch_order {
	struct device_order *at; /* devices that are launched, by device */
	uint32_t n;
};
/* In `mem`. False with `e` on cancel. */
bool launch_order_find(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
		       struct launch_order *out, struct err *e);
#endif
