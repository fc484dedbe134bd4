/* model/store/load_check.c - every id of a loaded file must stay inside the trace, and the order of rows must be the one
 * that queries rely on. */
#include "save_private.h"

static bool text_ok(const struct trace *t, str_id id)
{
	return id < strings_count(t->strings);
}

static bool owners_ok(const struct trace *t)
{
	bool ok = true;
	for (uint32_t i = 0; i < t->n_hosts; i++)
		ok &= text_ok(t, t->hosts[i].name);
	for (uint32_t i = 0; i < t->n_processes; i++)
		ok &= t->processes[i].host < t->n_hosts && text_ok(t, t->processes[i].name) &&
		      text_ok(t, t->processes[i].labels);
	for (uint32_t i = 0; i < t->n_devices; i++)
		ok &= t->devices[i].host < t->n_hosts && text_ok(t, t->devices[i].name) &&
		      text_ok(t, t->devices[i].vendor);
	return ok;
}

static bool track_ok(const struct trace *t, const struct track_info *x, uint64_t first)
{
	bool device = x->kind == TRACK_STREAM || x->kind == TRACK_STREAM_LANE;
	bool owner = device ? x->device < t->n_devices && x->process == NONE_ID
			    : x->process < t->n_processes && x->device == NONE_ID;
	return (unsigned)x->kind < TRACK_KINDS && x->host < t->n_hosts && owner && x->first == first &&
	       x->n <= t->c.n - first && text_ok(t, x->name) && text_ok(t, x->lane) && x->n_rows <= 65535;
}

/* Tracks follow each other without holes and cover all rows; their samples likewise. */
static bool tracks_ok(struct trace *t)
{
	uint64_t first = 0, sample = 0;
	for (uint32_t i = 0; i < t->n_tracks; i++) {
		const struct trace_track *x = &t->tracks[i];
		if (!track_ok(t, &x->info, first) || x->first_sample != sample || x->lane0_rows > x->info.n_rows)
			return false;
		for (uint64_t r = first; r < first + x->info.n; r++)
			t->track[r] = i;
		first += x->info.n;
		sample += x->n_samples;
	}
	return first == t->c.n;
}

static uint64_t details_of(const struct trace *t, uint64_t r)
{
	switch (t->kind[r]) {
	case KIND_KERNEL:
	case KIND_DEVICE_OTHER:
		return t->kernels.n;
	case KIND_COPY:
	case KIND_MEMSET:
		return t->copies.n;
	default:
		return t->host_details.n;
	}
}

static bool in_order(const struct trace *t, uint64_t r)
{
	if (r == 0 || t->track[r] != t->track[r - 1])
		return true;
	return t->start_ns[r] > t->start_ns[r - 1] ||
	       (t->start_ns[r] == t->start_ns[r - 1] && t->dur_ns[r] <= t->dur_ns[r - 1]);
}

static bool row_ok(const struct trace *t, uint64_t r)
{
	uint32_t link = t->link[r];
	bool on_device = t->tracks[t->track[r]].info.device != NONE_ID;
	bool link_ok =
		link == NONE_ID || (link < t->c.n && (t->tracks[t->track[link]].info.device != NONE_ID) != on_device);
	return t->kind[r] < KIND_COUNT && text_ok(t, t->name[r]) && t->dur_ns[r] >= 0 && t->start_ns[r] >= 0 &&
	       t->dur_ns[r] <= t->span_ns - t->start_ns[r] && t->disp[r] < t->tracks[t->track[r]].info.n_rows &&
	       (t->detail[r] == 0 || t->detail[r] < details_of(t, r)) && link_ok && in_order(t, r);
}

static bool details_ok(const struct trace *t)
{
	const struct kernel_info *k = t->kernels.p;
	const struct copy_info *c = t->copies.p;
	const struct host_info *h = t->host_details.p;
	bool ok = true;
	for (size_t i = 0; i < t->kernels.n; i++)
		ok &= text_ok(t, k[i].op) && text_ok(t, k[i].op_type) && text_ok(t, k[i].module) &&
		      text_ok(t, k[i].equation) && text_ok(t, k[i].shape);
	for (size_t i = 0; i < t->copies.n; i++)
		ok &= c[i].kind < COPY_KINDS && c[i].src < MEM_KINDS && c[i].dst < MEM_KINDS && text_ok(t, c[i].op);
	for (size_t i = 0; i < t->host_details.n; i++)
		ok &= text_ok(t, h[i].step_name) && text_ok(t, h[i].op) && text_ok(t, h[i].op_type) &&
		      text_ok(t, h[i].graph_type);
	for (uint64_t i = 0; i < t->n_flows; i++)
		ok &= t->flows[i].from < t->c.n && t->flows[i].to < t->c.n && text_ok(t, t->flows[i].category);
	for (size_t i = 0; i < t->n_ends; i++)
		ok &= t->ends[i].event < t->c.n;
	return ok;
}

bool load_tracks(struct trace *t)
{
	return t->span_ns >= 0 && owners_ok(t) && tracks_ok(t);
}

uint64_t load_check(struct trace *t)
{
	if (!details_ok(t))
		return 0;
	for (uint64_t r = 0; r < t->c.n; r++)
		if (!row_ok(t, r))
			return r;
	return UINT64_MAX;
}
