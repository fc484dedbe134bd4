#include "device_steps.h"
#include "derived_data.h"

/* A part of length 0 counts when it lies in the window. */
static bool meets(const struct step_device *p, int64_t a_ns, int64_t b_ns)
{
	return p->first_ns < b_ns && (p->last_ns > a_ns || p->first_ns >= a_ns);
}

struct device_steps device_steps_find(const struct derived *d, uint32_t device, int64_t a_ns, int64_t b_ns)
{
	struct device_steps x = {.d = d, .device = device, .a_ns = INT64_MAX, .b_ns = INT64_MIN};
	for (uint32_t i = derived_parts_of_device(d, device); i < d->pub.n_parts && d->pub.parts[i].device == device;
	     i++) {
		const struct step_device *p = &d->pub.parts[i];
		if (!meets(p, a_ns, b_ns))
			continue;
		x.parts = x.n ? x.parts : p;
		x.n = (uint32_t)(p - x.parts) + 1;
		x.met++;
		x.a_ns = p->first_ns < x.a_ns ? p->first_ns : x.a_ns;
		x.b_ns = p->last_ns > x.b_ns ? p->last_ns : x.b_ns;
	}
	return x;
}

uint32_t device_steps_of(struct device_steps *x, row_id r)
{
	uint32_t step = x->d->pub.step_of[r];
	if (step == NONE_ID || !x->n)
		return NONE_ID;
	/* neighbours on a device are mostly of one step, or of the one that comes after it there */
	if (x->last + 1 < x->n && x->parts[x->last + 1].step == step)
		x->last++;
	if (x->parts[x->last].step != step) {
		const struct step_device *p = derived_step_device(x->d, step, x->device);
		if (!p || p < x->parts || p >= x->parts + x->n)
			return NONE_ID;
		x->last = (uint32_t)(p - x->parts);
	}
	return x->last;
}
