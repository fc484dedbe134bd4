/* Idle time of each device from its first work to its last. */
#include "idle.h"
#include "model/analysis/maths/intervals.h"

/* One after the other: a device's own are all the memory that its questions need. */
static bool make_extents(const struct derived *d, const struct query *q, void *out, struct arena *mem,
			 struct progress *p, struct err *e)
{
	uint32_t devices = trace_devices(derived_trace(d));
	struct idles *x = idles_new(d, q, NONE_ID);
	struct idle_extents *made = out;
	struct idle_split *of = arena_alloc(mem, (devices + (size_t)1) * sizeof *of);
	int64_t a_ns, b_ns;
	for (uint32_t i = 0; i < devices && !progress_cancelled(p); i++)
		if (idle_extent(d, i, &a_ns, &b_ns) && a_ns < q->b_ns && b_ns > q->a_ns)
			idle_between(x, i, a_ns, b_ns, &of[i]);
	made->of = of;
	idles_free(x);
	return !progress_cancelled(p) || err_usage(e, "cancelled");
}

const struct shared_part idle_extents_part = {sizeof(struct idle_extents), make_extents};

bool idle_extent(const struct derived *d, uint32_t device, int64_t *a_ns, int64_t *b_ns)
{
	const struct intervals *busy = derived_busy_device(d, device);
	if (!busy->n)
		return false;
	*a_ns = busy->at[0].a_ns;
	*b_ns = busy->at[busy->n - 1].b_ns;
	return true;
}
