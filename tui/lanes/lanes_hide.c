/* tui/lanes/lanes_hide.c - tracks that the user folds, hides, or pins above all others. */
#include "lanes.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>

bool lanes_pinned(const struct lanes *l, uint32_t track)
{
	for (uint32_t i = 0; i < l->n_pins; i++)
		if (l->pins[i] == track)
			return true;
	return false;
}

static uint32_t rows_left(const struct lanes *l)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < l->n; i++)
		n += lane_selects(&l->at[i]);
	return n;
}

static bool same_owner(const struct lanes *l, uint32_t a, uint32_t b)
{
	const struct trace *t = derived_trace(l->d);
	uint32_t group = lane_groups_device(&l->groups, a);
	if (group != NONE_ID && trace_track(t, a)->device != NONE_ID) /* a device with what folds under it */
		return group == lane_groups_device(&l->groups, b);
	const struct track_info *x = trace_track(t, a), *y = trace_track(t, b);
	return x->device == y->device && (x->device != NONE_ID || x->process == y->process);
}

bool lanes_hide(struct lanes *l, uint32_t track, bool all_of_owner)
{
	const struct trace *t = derived_trace(l->d);
	uint32_t n = trace_tracks(t);
	bool *before = must(malloc((n + 1) * sizeof *before));
	memcpy(before, l->shut, n * sizeof *before);
	for (uint32_t i = 0; i < n; i++)
		l->shut[i] |= i == track || (all_of_owner && same_owner(l, i, track));
	lanes_build(l);
	bool fine = rows_left(l) > 0;
	if (!fine) {
		memcpy(l->shut, before, n * sizeof *before);
		lanes_build(l);
	}
	free(before);
	return fine;
}

uint32_t lanes_show_all(struct lanes *l)
{
	uint32_t hidden = 0;
	for (uint32_t i = 0; i < trace_tracks(derived_trace(l->d)); i++) {
		hidden += l->shut[i];
		l->shut[i] = false;
	}
	lanes_build(l);
	return hidden;
}

bool lanes_pin(struct lanes *l, uint32_t track)
{
	uint32_t n = 0;
	bool was = lanes_pinned(l, track);
	for (uint32_t i = 0; i < l->n_pins; i++)
		if (l->pins[i] != track)
			l->pins[n++] = l->pins[i];
	if (!was)
		l->pins[n++] = track;
	l->n_pins = n;
	lanes_build(l);
	return !was;
}

void lanes_toggle(struct lanes *l, uint32_t track)
{
	bool open = l->recorders[track] ? lanes_recorders_open(l) : l->unfolded[track];
	for (uint32_t i = 0; l->recorders[track] && i < trace_tracks(derived_trace(l->d)); i++)
		l->unfolded[i] = l->recorders[i] ? !open : l->unfolded[i];
	l->unfolded[track] = !open;
	if (l->ask.track == track && !l->unfolded[track])
		l->ask.track = NONE_ID; /* folded again, it begins at its top */
	lanes_build(l);
}

bool lanes_folds(const struct lanes *l, uint32_t track)
{
	if (l->unfolded[track] || l->recorders[track])
		return true;
	for (uint32_t i = 0; i < l->n; i++) {
		const struct lane *x = &l->at[i];
		if (x->kind == LANE_ROW && x->track == track && (x->hidden || x->above || x->count > 1))
			return true;
	}
	const struct op_lanes *ops = lanes_ops(l, track);
	return ops->levels + (ops->modules ? 1u : 0u) > 1;
}
