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

static const struct step_compute *read_steps(const struct derived *d, const struct computing *computing,
					     struct arena *mem)
{
	uint32_t n;
	const struct step_device *parts = derived_step_devices(d, &n);
	struct step_compute *steps = arena_room(mem, (n + (size_t)1) * sizeof *steps);
	pages_take(steps, n * sizeof *steps);
	for (uint32_t i = 0, first = 0; i < n; i++) {
		int64_t a_ns, b_ns;
		const struct intervals *v = &computing->devices[parts[i].device];
		step_time(d, parts[i].step, parts[i].device, &a_ns, &b_ns);
		first = intervals_after_near(v, first, a_ns);
		bool any = first < v->n && v->at[first].a_ns < b_ns;
		steps[i] = (struct step_compute){intervals_within_from(v, first, a_ns, b_ns),
						 any ? v->at[first].a_ns - a_ns : b_ns - a_ns};
	}
	return steps;
}

static const struct exposure *read_exposed(const struct derived *d, const struct computing *computing, struct kept *k)
{
	const struct collectives *x = &k->comms.x;
	struct exposure *exposed = arena_alloc(&k->mem, (x->n + 1) * sizeof *exposed);
	for (uint32_t i = 0; i < x->n; i++)
		exposed[i] = exposure_of(d, x, computing, &x->at[i]);
	return exposed;
}

/* When devices compute is asked here for all, and not kept: that is as long as the trace. */
static bool read_computing(const struct derived *d, struct progress *p, struct kept *k, struct err *e)
{
	struct computing computing = {0};
	bool whole = computing_find(d, p, &computing, e);
	if (whole) {
		k->comms.exposed = read_exposed(d, &computing, k);
		k->comms.steps = read_steps(d, &computing, &k->mem);
	}
	computing_free(&computing);
	return whole;
}

static void *make(const struct derived *d, struct progress *p, struct err *e)
{
	struct kept *k = must(calloc(1, sizeof *k));
	bool whole = collectives_find(d, &k->mem, p, &k->comms.x, e);
	if (whole && k->comms.x.n)
		whole = read_computing(d, p, k, e);
	if (!whole)
		free_kept(k);
	return whole ? k : NULL;
}

const struct step_compute *comms_steps(const struct derived *d, const struct comms *c, struct arena *mem,
				       struct progress *p, struct err *e)
{
	struct computing computing = {0};
	if (c->steps)
		return c->steps;
	const struct step_compute *steps = computing_find(d, p, &computing, e) ? read_steps(d, &computing, mem) : NULL;
	computing_free(&computing);
	return steps;
}

const struct comms *comms_of(const struct derived *d, struct progress *p, struct err *e)
{
	static const struct kept_maker maker = {make, free_kept};
	const struct kept *k = derived_kept(d, &maker, p, e);
	return k ? &k->comms : NULL;
}
