/* tui/explorer/lanes_life.c - what lanes need to know of a trace, found once. */
#include "lanes_private.h"
#include "model/store/base/memory.h"
#include "tui/text/config.h"
#include <stdlib.h>
#include <string.h>

/* Tracks of one device and those of one process stand together. */
static void find_first(struct lanes *l)
{
	const struct trace *t = derived_trace(l->d);
	uint32_t n = trace_tracks(t);
	l->first_of_device = must(malloc((trace_devices(t) + (size_t)1) * sizeof *l->first_of_device));
	l->first_of_process = must(malloc((trace_processes(t) + (size_t)1) * sizeof *l->first_of_process));
	for (uint32_t i = 0; i < trace_devices(t); i++)
		l->first_of_device[i] = n;
	for (uint32_t i = 0; i <= trace_processes(t); i++)
		l->first_of_process[i] = n;
	for (uint32_t i = n; i-- > 0;) {
		const struct track_info *k = trace_track(t, i);
		if (k->device == NONE_ID)
			*lanes_first_of_process(l, k->process) = i;
		else
			l->first_of_device[k->device] = i;
	}
}

/* Counters are drawn relative to their highest sample; found once, not per frame. */
static void find_highest(struct lanes *l)
{
	const struct trace *t = derived_trace(l->d);
	for (uint32_t i = 0; trace_has_tracks(t, TRACK_COUNTER) && i < trace_tracks(t); i++) {
		const struct sample *at;
		if (trace_track(t, i)->kind != TRACK_COUNTER)
			continue;
		if (!l->sample_max)
			l->sample_max = must(calloc(trace_tracks(t), sizeof *l->sample_max));
		uint64_t n = trace_samples(t, i, &at);
		for (uint64_t k = 0; k < n; k++)
			l->sample_max[i] = at[k].value > l->sample_max[i] ? at[k].value : l->sample_max[i];
	}
}

static void find_ops(struct lanes *l)
{
	const struct trace *t = derived_trace(l->d);
	bool *recorded = must(calloc(trace_devices(t) + 1, sizeof *recorded));
	for (uint32_t i = 0; i < trace_device_tracks(t); i++) {
		if (op_lane_recorded(t, i))
			recorded[trace_track(t, i)->device] = true;
		if (trace_track(t, i)->kind == TRACK_STREAM)
			l->n_ops = i + 1;
	}
	l->ops = must(calloc(l->n_ops + (size_t)1, sizeof *l->ops));
	for (uint32_t i = 0; i < l->n_ops; i++)
		/* a device whose producer recorded lanes of ops needs none of ours */
		if (trace_track(t, i)->kind == TRACK_STREAM && !recorded[trace_track(t, i)->device])
			l->ops[i] = op_lanes_of(l->d, i);
	free(recorded);
}

const struct op_lanes *lanes_ops(const struct lanes *l, uint32_t track)
{
	static const struct op_lanes none;
	return track < l->n_ops ? &l->ops[track] : &none;
}

static bool read_frames(struct lanes *l, struct err *e)
{
	char path[4096];
	bool own = config_file("frames.rules", path, sizeof path);
	l->frames = frame_rules_load(own ? path : NULL, e);
	if (l->frames)
		return true;
	l->frames = frame_rules_load(NULL, NULL);
	return false;
}

static uint32_t most_rows(const struct trace *t)
{
	uint32_t most = 1, n = trace_tracks(t);
	for (uint32_t i = 0; i < n; i++)
		most = trace_track(t, i)->n_rows > most ? trace_track(t, i)->n_rows : most;
	return most;
}

/* What tells of the recording itself: nothing that the traced program did. */
static bool is_recorders(const struct trace *t, uint32_t track)
{
	enum { LOOKED_AT = 64 };
	const struct track_info *info = trace_track(t, track);
	const struct columns *c = trace_columns(t);
	bool all = info->kind == TRACK_OTHER && info->device == NONE_ID && !info->derived_by_producer && info->n > 0;
	for (uint64_t i = 0; all && i < info->n && i < LOOKED_AT; i++)
		all = c->kind[info->first + i] == KIND_PROFILE || c->kind[info->first + i] == KIND_INSTANT;
	return all;
}

/* The processes and hosts of which allocations are recorded. */
static void find_allocating(const struct trace *t, bool *processes, bool *hosts)
{
	for (uint32_t i = 0; i < trace_tracks(t); i++) {
		const struct track_info *k = trace_track(t, i);
		if (k->process != NONE_ID && !processes[k->process] &&
		    memchr(trace_columns(t)->kind + k->first, KIND_MEMORY, k->n))
			processes[k->process] = hosts[k->host] = true;
	}
}

/* Allocators name devices by number; the only device of a host may count in another way than they do. */
static bool is_in_pools(const struct lanes *l, uint32_t device, const struct memory_pool *pools, uint64_t n)
{
	const struct trace *t = derived_trace(l->d);
	const struct device *x = trace_device(t, device);
	bool only = (!device || trace_device(t, device - 1)->host != x->host) &&
		    (device + 1 == trace_devices(t) || trace_device(t, device + 1)->host != x->host);
	for (uint64_t i = 1; i < n; i++)
		if (pools[i].device >= 0 && (only || pools[i].device == x->ordinal))
			return true;
	return false;
}

/* The host's memory has rows where it alone is recorded. */
static void find_memory(struct lanes *l)
{
	const struct trace *t = derived_trace(l->d);
	const void *pools;
	uint64_t n = trace_side_rows(t, SIDE_MEMORY_POOLS, &pools), of_devices = 0;
	bool *hosts = must(calloc(trace_hosts(t) + (size_t)1, sizeof *hosts));
	l->memory = must(calloc(trace_devices(t) + (size_t)1, sizeof *l->memory));
	l->host_memory = must(calloc(trace_processes(t) + (size_t)1, sizeof *l->host_memory));
	if (n > 1)
		find_allocating(t, l->host_memory, hosts);
	for (uint64_t i = 1; i < n; i++)
		of_devices += ((const struct memory_pool *)pools)[i].device >= 0;
	for (uint32_t i = 0; i < trace_devices(t); i++)
		l->memory[i] = hosts[trace_device(t, i)->host] && is_in_pools(l, i, pools, n);
	for (uint32_t i = 0; of_devices && i < trace_processes(t); i++)
		l->host_memory[i] = false;
	free(hosts);
}

enum { FIRST_COLS = 64 };

/* For a row of each track and each of what they belong to: of very many there are seldom more. */
static void make_room(struct lanes *l)
{
	const struct trace *t = derived_trace(l->d);
	l->cap = trace_tracks(t) + trace_processes(t) + trace_devices(t) + 1;
	l->at = large_zeroed(l->cap, sizeof *l->at);
}

bool lanes_init(struct lanes *l, const struct derived *d, struct err *e)
{
	uint32_t n = trace_tracks(derived_trace(d)) + 1;
	*l = (struct lanes){.d = d, .unfolded = calloc(n, sizeof(bool))};
	l->shown = calloc(most_rows(derived_trace(d)), sizeof *l->shown);
	l->recorders = calloc(n, sizeof *l->recorders);
	l->shut = calloc(n, sizeof *l->shut);
	l->pins = calloc(n, sizeof *l->pins);
	if (!l->unfolded || !l->shown || !l->shut || !l->pins || !l->recorders)
		memory_exhausted();
	for (uint32_t i = 0; trace_has_tracks(derived_trace(d), TRACK_OTHER) && i + 1 < n; i++)
		l->recorders[i] = is_recorders(derived_trace(d), i);
	l->ask = (struct lane_ask){NONE_ID, 0, NONE_ID};
	bool sound = read_frames(l, e);
	l->rows = lane_rows_new(d, l->frames);
	find_first(l);
	lanes_sort_anew(l);
	find_ops(l);
	l->phases = trace_devices(derived_trace(d)) ? phases_new(d, NULL) : NULL;
	for (uint32_t i = 0; l->phases && i < l->n_ops; i++)
		op_lanes_phases(&l->ops[i], d, i, l->phases);
	find_highest(l);
	find_memory(l);
	lane_groups_init(&l->groups, d);
	make_room(l);
	/* as for most screens, which need not build them again then: a window's own height, and the whole trace in it */
	l->room = ROOM_FOR_OPS;
	l->col_ns = trace_span_ns(derived_trace(d)) / FIRST_COLS;
	lanes_build(l);
	return sound;
}

void lanes_free(struct lanes *l)
{
	free(l->at);
	free(l->unfolded);
	free(l->recorders);
	free(l->memory);
	free(l->host_memory);
	free(l->shut);
	free(l->pins);
	free(l->order);
	free(l->devices);
	free(l->processes);
	free(l->sample_max);
	free(l->ops);
	free(l->shown);
	lane_rows_free(&l->rows);
	frame_rules_free(l->frames);
	free(l->first_of_device);
	free(l->first_of_process);
	phases_free(l->phases);
	lane_groups_free(&l->groups);
	*l = (struct lanes){0};
}
