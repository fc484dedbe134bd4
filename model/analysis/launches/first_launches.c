#include "first_launches.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/query/cells.h"
#include "model/store/base/grow.h"
#include "model/store/base/memory.h"
#include <stdlib.h>

/* ---- all launches ------------------------------------------------------------------------------------------------------ */

static bool read_stream(const struct derived *d, const struct query *q, const struct track_info *k, struct progress *p,
			each_launch_fn *take, void *arg)
{
	const struct columns *c = derived_columns(d);
	for (row_id r = (row_id)k->first; r < k->first + k->n; r++) {
		row_id launch = row_is_work(c, r) ? c->link[r] : NONE_ID;
		if ((r & 0xffff) == 0 && progress_cancelled(p))
			return false;
		/* a call counts with its first work */
		if (launch != NONE_ID && c->link[launch] == r && query_holds(q, c->start_ns[launch]) &&
		    event_wanted(d, q, launch))
			take(arg, launch, k->device);
	}
	return true;
}

bool each_launch(const struct derived *d, const struct query *q, struct progress *p, each_launch_fn *take, void *arg,
		 struct err *e)
{
	const struct trace *t = derived_trace(d);
	for (uint32_t i = 0; i < trace_devices(t); i++) {
		uint32_t n;
		const uint32_t *tracks = device_streams(d, i, &n);
		for (uint32_t k = 0; k < n; k++)
			if (!read_stream(d, q, trace_track(t, tracks[k]), p, take, arg))
				return err_usage(e, "cancelled");
	}
	return true;
}

/* ---- the first ones ---------------------------------------------------------------------------------------------------- */

/* Mostly each part of a step on a device was launched. */
static void open_places(struct first_launches *f)
{
	derived_step_devices(f->d, &f->cap);
	f->place = large_zeroed(derived_steps(f->d), sizeof *f->place);
	f->at = must(malloc(f->cap * sizeof *f->at));
}

static uint32_t place_of(struct first_launches *f, row_id launch, uint32_t device, uint32_t step)
{
	if (!f->place)
		open_places(f);
	uint32_t *place = &f->place[step];
	/* of a device before, or of none: then it says nothing */
	if (*place < f->n && f->at[*place].device == device && f->at[*place].step == step)
		return *place;
	GROW_ARRAY(f->at, f->n, f->cap);
	f->at[f->n] = (struct device_launch){step, device, launch};
	return *place = f->n++;
}

uint32_t first_launches_add(struct first_launches *f, row_id launch, uint32_t device, uint32_t step)
{
	uint32_t place = place_of(f, launch, device, step);
	struct device_launch *x = &f->at[place];
	if (derived_columns(f->d)->start_ns[launch] < first_launch_ns(f, x))
		x->launch = launch;
	return place;
}

void first_launches_free(struct first_launches *f)
{
	free(f->at);
	free(f->place);
}
