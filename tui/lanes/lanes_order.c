/* tui/lanes/lanes_order.c - in which order tracks, devices and processes stand, and how the user moves them. */
#include "lanes.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>

static bool same_owner(const struct trace *t, uint32_t a, uint32_t b)
{
	const struct track_info *x = trace_track(t, a), *y = trace_track(t, b);
	return x->device == y->device && (x->device != NONE_ID || x->process == y->process);
}

/* What launches work of a device stands first, and so do the device's own tracks and the processes that feed devices. */
static void rank_by_launches(const struct lanes *l, uint32_t *tracks, uint32_t *processes)
{
	const struct trace *t = derived_trace(l->d);
	for (uint32_t i = 0; i < trace_tracks(t); i++)
		tracks[i] = trace_track(t, i)->device == NONE_ID;
	for (uint32_t i = 0; i < trace_processes(t); i++)
		processes[i] = 1;
	for (uint32_t d = 0; d < trace_devices(t); d++) {
		uint32_t track = derived_launch_track(l->d, d), process;
		if (track == NONE_ID)
			continue;
		tracks[track] = 0;
		process = trace_track(t, track)->process;
		if (process != NONE_ID)
			processes[process] = 0;
	}
}

/* The next place in this direction that belongs to the same device or process; NONE_ID = none. */
static uint32_t place_beside(const struct trace *t, uint32_t place, int direction)
{
	for (uint32_t p = place + (uint32_t)direction; p < trace_tracks(t); p += (uint32_t)direction) {
		if (same_owner(t, p, place))
			return p;
		if (trace_track(t, place)->process != NONE_ID || trace_track(t, place)->device != NONE_ID)
			return NONE_ID; /* these stand together */
	}
	return NONE_ID;
}

static void swap(uint32_t *a, uint32_t *b)
{
	uint32_t was = *a;
	*a = *b;
	*b = was;
}

static void sort_plain(uint32_t *order, uint32_t n, const uint32_t *ranks)
{
	for (uint32_t i = 1; ranks && i < n; i++)
		for (uint32_t p = i; p && ranks[order[p - 1]] > ranks[order[p]]; p--)
			swap(&order[p - 1], &order[p]);
}

void lanes_sort(struct lanes *l, const uint32_t *tracks, const uint32_t *devices, const uint32_t *processes)
{
	const struct trace *t = derived_trace(l->d);
	uint32_t highest = 0; /* what ranks as high as all before it stays where it is */
	for (uint32_t i = 0; tracks && i < trace_tracks(t); i++) {
		if (tracks[l->order[i]] >= highest) {
			highest = tracks[l->order[i]];
			continue;
		}
		for (uint32_t p = i, q; (q = place_beside(t, p, -1)) != NONE_ID; p = q) {
			if (tracks[l->order[q]] <= tracks[l->order[p]])
				break;
			swap(&l->order[q], &l->order[p]);
		}
	}
	sort_plain(l->devices, trace_devices(t), devices);
	sort_plain(l->processes, trace_processes(t), processes);
}

static uint32_t *counted(uint32_t *old, uint32_t n)
{
	uint32_t *at = old ? old : must(malloc((n + (size_t)1) * sizeof *at));
	for (uint32_t i = 0; i < n; i++)
		at[i] = i;
	return at;
}

void lanes_sort_anew(struct lanes *l)
{
	const struct trace *t = derived_trace(l->d);
	uint32_t n = trace_tracks(t), n_processes = trace_processes(t);
	l->order = counted(l->order, n);
	l->devices = counted(l->devices, trace_devices(t));
	l->processes = counted(l->processes, n_processes);
	uint32_t *tracks = must(calloc(n + (size_t)1, sizeof *tracks)),
		 *processes = must(calloc(n_processes + (size_t)1, sizeof *processes));
	rank_by_launches(l, tracks, processes);
	lanes_sort(l, tracks, NULL, processes);
	free(tracks);
	free(processes);
}

static uint32_t place_of(const uint32_t *order, uint32_t n, uint32_t what)
{
	for (uint32_t i = 0; i < n; i++)
		if (order[i] == what)
			return i;
	return NONE_ID;
}

static bool has_lane(const struct lanes *l, enum lane_kind kind, uint32_t track, uint32_t owner)
{
	for (uint32_t i = 0; i < l->n; i++) {
		const struct lane *x = &l->at[i];
		if (x->kind == kind && (kind == LANE_ROW ? x->track == track : x->owner == owner))
			return true;
	}
	return false;
}

static bool move_pin(struct lanes *l, uint32_t track, int direction)
{
	uint32_t at = place_of(l->pins, l->n_pins, track), to = at + (uint32_t)direction;
	while (to < l->n_pins && l->shut[l->pins[to]])
		to += (uint32_t)direction;
	if (to >= l->n_pins)
		return false;
	swap(&l->pins[at], &l->pins[to]);
	return true;
}

/* Lanes under a stream go where it goes. */
static uint32_t leader_of(const struct lanes *l, uint32_t track)
{
	const struct trace *t = derived_trace(l->d);
	const struct track_info *its = trace_track(t, track);
	for (uint32_t i = track; its->kind == TRACK_STREAM_LANE && i-- > 0;) {
		const struct track_info *info = trace_track(t, i);
		if (info->device != its->device || info->key != its->key)
			break;
		if (info->kind == TRACK_STREAM)
			return i;
	}
	return track;
}

static bool move_track(struct lanes *l, uint32_t track, int direction)
{
	const struct trace *t = derived_trace(l->d);
	uint32_t at = place_of(l->order, trace_tracks(t), track);
	for (uint32_t to = place_beside(t, at, direction); to != NONE_ID; to = place_beside(t, to, direction)) {
		uint32_t other = l->order[to];
		bool alike =
			(trace_track(t, other)->kind == TRACK_STREAM) == (trace_track(t, track)->kind == TRACK_STREAM);
		if (!alike || l->recorders[other] || lanes_pinned(l, other) || leader_of(l, other) != other ||
		    !has_lane(l, LANE_ROW, other, 0))
			continue;
		swap(&l->order[at], &l->order[to]);
		return true;
	}
	return false;
}

static bool move_owner(const struct lanes *l, uint32_t *order, uint32_t n, uint32_t owner, enum lane_kind kind,
		       int direction)
{
	uint32_t at = place_of(order, n, owner), to = at + (uint32_t)direction;
	while (at < n && to < n && !has_lane(l, kind, 0, order[to]))
		to += (uint32_t)direction;
	if (at >= n || to >= n)
		return false;
	swap(&order[at], &order[to]);
	return true;
}

/* Pinned ones stay among the pinned ones. */
static bool move_group(struct lanes *l, uint32_t device, int direction)
{
	struct lane_groups *g = &l->groups;
	uint32_t to = place_of(g->order, g->n, device) + (uint32_t)direction;
	while (to < g->n && !has_lane(l, LANE_DEVICE, 0, g->order[to]))
		to += (uint32_t)direction;
	if (to >= g->n || !g->pinned[g->order[to]] != !g->pinned[device])
		return false;
	lane_groups_swap(g, device, g->order[to]);
	return true;
}

static bool move_whole(struct lanes *l, uint32_t track, int direction)
{
	const struct trace *t = derived_trace(l->d);
	const struct track_info *info = trace_track(t, track);
	uint32_t group = lane_groups_device(&l->groups, track);
	if (group != NONE_ID)
		return move_group(l, group, direction);
	return info->device != NONE_ID
		       ? move_owner(l, l->devices, trace_devices(t), info->device, LANE_DEVICE, direction)
		       : move_owner(l, l->processes, trace_processes(t), info->process, LANE_PROCESS, direction);
}

enum lanes_moved lanes_move(struct lanes *l, uint32_t track, bool whole, int direction)
{
	enum lanes_moved moved = MOVED_NOTHING;
	if (l->recorders[track])
		return moved;
	if (!whole && lanes_pinned(l, track))
		moved = move_pin(l, track, direction) ? MOVED_TRACK : MOVED_NOTHING;
	else if (!whole && move_track(l, leader_of(l, track), direction))
		moved = MOVED_TRACK;
	else if (move_whole(l, track, direction))
		moved = MOVED_OWNER;
	if (moved != MOVED_NOTHING) {
		l->ask.device = NONE_ID;
		l->moved = true;
	}
	lanes_build(l);
	return moved;
}

void lanes_forget(struct lanes *l)
{
	uint32_t n = trace_tracks(derived_trace(l->d));
	memset(l->shut, 0, n * sizeof *l->shut);
	memset(l->unfolded, 0, n * sizeof *l->unfolded);
	l->n_pins = 0;
	l->moved = false;
	lanes_sort_anew(l);
	lane_groups_forget(&l->groups);
	lanes_build(l);
}
