#include "comms.h"
#include "model/analysis/steps/breakdown.h"
#include <stdlib.h>
#include "model/store/base/memory.h"

struct kept {
	struct comms comms; /* first: comms_of gives it out */
	struct arena mem;
};

static void free_kept(void *made)
{
	struct kept *k = made;
	arena_free(&k->mem);
	free(k);
}

/* When devices compute is asked here for all, and not kept: that is as long as the trace. */
static void read_computing(const struct derived *d, const struct computing *computing, struct kept *k)
{
	uint32_t n;
	struct comms *c = &k->comms;
	const struct step_device *parts = derived_step_devices(d, &n);
	struct exposure *exposed = arena_alloc(&k->mem, (c->x.n + 1) * sizeof *exposed);
	struct step_compute *steps = arena_room(&k->mem, (n + (size_t)1) * sizeof *steps);
	pages_take(steps, n * sizeof *steps);
	for (uint32_t i = 0; i < c->x.n; i++)
		exposed[i] = exposure_of(d, &c->x, computing, &c->x.at[i]);
	for (uint32_t i = 0, first = 0; i < n; i++) {
		int64_t a_ns, b_ns;
		const struct intervals *v = &computing->devices[parts[i].device];
		step_time(d, parts[i].step, parts[i].device, &a_ns, &b_ns);
		first = intervals_after_near(v, first, a_ns);
		bool any = first < v->n && v->at[first].a_ns < b_ns;
		steps[i] = (struct step_compute){intervals_within_from(v, first, a_ns, b_ns),
						 any ? v->at[first].a_ns - a_ns : b_ns - a_ns};
	}
	c->exposed = exposed;
	c->steps = steps;
}

static void *make(const struct derived *d, struct progress *p, struct err *e)
{
	struct kept *k = must(calloc(1, sizeof *k));
	struct computing computing = {0};
	bool whole = collectives_find(d, &k->mem, p, &k->comms.x, e) && computing_find(d, p, &computing, e);
	if (whole)
		read_computing(d, &computing, k);
	else
		free_kept(k);
	computing_free(&computing);
	return whole ? k : NULL;
}

const struct comms *comms_of(const struct derived *d, struct progress *p, struct err *e)
{
	static const struct kept_maker maker = {make, free_kept};
	const struct kept *k = derived_kept(d, &maker, p, e);
	return k ? &k->comms : NULL;
}
