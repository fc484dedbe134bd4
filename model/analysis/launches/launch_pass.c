#include "launch_pass.h"

static bool make(const struct derived *d, const struct query *q, void *out, struct arena *mem, struct progress *p,
		 struct err *e)
{
	struct launch_pass *x = out;
	struct halves h = halves_of_devices(d);
	struct tiny_ops_reader *tiny_ops = tiny_ops_open(d, q, &h, mem, p, e);
	struct launch_groups_reader *groups = tiny_ops ? launch_groups_open(d, "device", &h, e) : NULL;
	if (!groups)
		return false;
	struct launch_taker takers[] = {launch_groups_taker(groups), tiny_ops_taker(tiny_ops)};
	bool told = launch_walk(d, q, &h, queue_read, p, takers, sizeof takers / sizeof *takers, e);
	launch_groups_close(groups, told, mem, &x->by_device);
	tiny_ops_close(tiny_ops, told, false, mem, &x->tiny_ops);
	return told;
}

const struct shared_part launch_pass_part = {sizeof(struct launch_pass), make};

bool launch_pass_fits(const struct derived *d, const struct query *q)
{
	return shared_fits(q) && !q->by && derived_options(d)->semantics != SEM_HTA;
}
