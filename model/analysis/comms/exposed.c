#include "exposed.h"
#include <stdlib.h>
#include "model/analysis/derived/rows.h"
#include "model/store/base/memory.h"

static bool add_stream(const struct derived *d, uint32_t track, struct interval_list *out, bool *computes,
		       struct progress_loop *loop)
{
	uint64_t n = 0, collectives = 0;
	bool any = derived_any_collective(d);
	const struct columns *c = derived_columns(d);
	const struct track_info *k = trace_track(derived_trace(d), track);
	interval_list_expect(out, (uint32_t)k->n);
	for (row_id r = (row_id)k->first; r < k->first + k->n; r++) {
		if (progress_loop_cancelled(loop))
			return false;
		if (c->kind[r] != KIND_KERNEL)
			continue;
		if (any && derived_is_collective(d, r)) {
			collectives++;
		} else {
			interval_add(out, c->start_ns[r], row_end(c, r));
			n++;
		}
	}
	*computes = n && n >= collectives;
	return true;
}

static bool find_device(const struct derived *d, uint32_t device, struct interval_sum *all, bool *computes,
			struct progress_loop *loop)
{
	uint32_t n;
	const uint32_t *streams = device_streams(d, device, &n);
	bool whole = true;
	for (uint32_t i = 0; i < n && whole; i++) {
		struct interval_list one = {0};
		whole = add_stream(d, streams[i], &one, &computes[streams[i]], loop);
		interval_sum_add(all, &one);
	}
	return whole;
}

bool computing_find(const struct derived *d, struct progress *p, struct computing *out, struct err *e)
{
	struct progress_loop loop = {.progress = p};
	out->n = trace_devices(derived_trace(d));
	out->devices = must(calloc(out->n + 1, sizeof *out->devices));
	out->streams = must(calloc(trace_tracks(derived_trace(d)) + 1u, sizeof *out->streams));
	for (uint32_t i = 0; i < out->n; i++) {
		struct interval_sum sum = {0};
		bool whole = find_device(d, i, &sum, out->streams, &loop);
		struct interval_list all = interval_sum_end(&sum);
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
	free(x->streams);
}
