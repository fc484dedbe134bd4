#include "exposed.h"
#include <stdlib.h>
#include "model/analysis/derived/rows.h"
#include "model/store/base/memory.h"

static bool add_stream(const struct derived *d, uint32_t track, struct interval_list *out, struct progress_loop *loop)
{
	const struct columns *c = derived_columns(d);
	const struct track_info *k = trace_track(derived_trace(d), track);
	for (row_id r = (row_id)k->first; r < k->first + k->n; r++) {
		if (progress_loop_cancelled(loop))
			return false;
		if (c->kind[r] == KIND_KERNEL && !derived_is_collective(d, r))
			interval_add(out, c->start_ns[r], row_end(c, r));
	}
	return true;
}

static bool find_device(const struct derived *d, uint32_t device, struct interval_list *all, struct progress_loop *loop)
{
	uint32_t n;
	const uint32_t *streams = device_streams(d, device, &n);
	bool whole = true;
	for (uint32_t i = 0; i < n && whole; i++) {
		struct interval_list one = {0}, both = {0};
		whole = add_stream(d, streams[i], &one, loop);
		intervals_unite(&both, all, &one);
		interval_list_free(&one);
		interval_list_free(all);
		*all = both;
	}
	return whole;
}

bool computing_find(const struct derived *d, struct progress *p, struct computing *out, struct err *e)
{
	struct progress_loop loop = {.progress = p};
	out->n = trace_devices(derived_trace(d));
	out->devices = must(calloc(out->n + 1, sizeof *out->devices));
	for (uint32_t i = 0; i < out->n; i++) {
		struct interval_list all = {0};
		bool whole = find_device(d, i, &all, &loop);
		out->devices[i] = intervals_seal(&all);
		if (!whole)
			return err_usage(e, "cancelled");
	}
	return true;
}

void computing_free(struct computing *x)
{
	for (uint32_t i = 0; i < x->n; i++)
		intervals_free(&x->devices[i]);
	free(x->devices);
}
