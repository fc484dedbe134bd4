/* What a step has on each device: first and last work, how much. */
#include "derived_data.h"
#include "model/store/base/grow.h"
#include "model/store/base/memory.h"
#include "model/analysis/maths/order.h"
#include <stdlib.h>

struct part_list {
	struct step_device *at;
	uint32_t n, cap;
	uint32_t *slot; /* per step: its part on the device under way, NONE_ID = none yet */
};

static struct step_device *part_of(struct part_list *l, uint32_t step, uint32_t device)
{
	if (l->slot[step] == NONE_ID) {
		GROW_ARRAY(l->at, l->n, l->cap);
		l->slot[step] = l->n;
		l->at[l->n++] = (struct step_device){step, device, INT64_MAX, INT64_MIN, 0, NONE_ID, NONE_ID};
	}
	return &l->at[l->slot[step]];
}

static void add_stream(const struct derived *d, struct part_list *l, uint32_t device, const struct track_info *k)
{
	for (row_id r = (row_id)k->first; r < k->first + k->n; r++) {
		if (d->pub.step_of[r] == NONE_ID || !row_is_work(d->pub.c, r))
			continue;
		struct step_device *p = part_of(l, d->pub.step_of[r], device);
		p->n_work++;
		if (d->pub.c->start_ns[r] < p->first_ns) {
			p->first_ns = d->pub.c->start_ns[r];
			p->first_row = r;
		}
		if (row_end(d->pub.c, r) > p->last_ns) {
			p->last_ns = row_end(d->pub.c, r);
			p->last_row = r;
		}
	}
}

static int part_time_order(const void *x, const void *y)
{
	const struct step_device *a = x, *b = y;
	if (a->first_ns != b->first_ns)
		return a->first_ns < b->first_ns ? -1 : 1;
	return (a->step > b->step) - (a->step < b->step);
}

static void add_device(const struct derived *d, struct part_list *l, uint32_t device)
{
	uint32_t n, from = l->n;
	const uint32_t *tracks = device_streams(d, device, &n);
	for (uint32_t i = 0; i < n; i++)
		add_stream(d, l, device, trace_track(d->pub.t, tracks[i]));
	/* clean for the next device, without walking over all steps */
	for (uint32_t i = from; i < l->n; i++)
		l->slot[l->at[i].step] = NONE_ID;
	if (l->n > from)
		sort_if_needed(l->at + from, l->n - from, sizeof *l->at, part_time_order);
}

/* Counting sort by step; devices of a step stay in order. */
static void index_by_step(struct derived *d)
{
	d->pub.part_from = arena_alloc(&d->mem, (d->pub.n_steps + 2) * sizeof *d->pub.part_from);
	d->pub.part_order = arena_room(&d->mem, (d->pub.n_parts + 1) * sizeof *d->pub.part_order);
	/* shifted by one: once filled, from[step - 1] is where the step begins, which is part_from[step] */
	uint32_t *from = d->pub.part_from + 1;
	for (uint32_t i = 0; i < d->pub.n_parts; i++)
		from[d->pub.parts[i].step]++;
	for (uint32_t i = 0, sum = 0; i <= d->pub.n_steps; i++) {
		uint32_t n = from[i];
		from[i] = sum;
		sum += n;
	}
	for (uint32_t i = 0; i < d->pub.n_parts; i++)
		d->pub.part_order[from[d->pub.parts[i].step]++] = i;
}

/* No more have parts than there are events of devices. */
static uint64_t most_with_parts(const struct derived *d)
{
	uint64_t n = 0;
	for (uint32_t i = 0; i < trace_device_tracks(d->pub.t); i++)
		n += trace_track(d->pub.t, i)->n;
	return n < d->pub.n_steps ? n : d->pub.n_steps;
}

void parts_build(struct derived *d)
{
	/* mostly a step has a part; what is too much goes back */
	struct part_list l = {.at = must(malloc(d->pub.n_steps * sizeof *l.at)), .cap = d->pub.n_steps};
	l.slot = must(malloc(d->pub.n_steps * sizeof *l.slot));
	pages_take(l.at, most_with_parts(d) * sizeof *l.at);
	for (uint32_t i = 0; i < d->pub.n_steps; i++)
		l.slot[i] = NONE_ID;
	for (uint32_t i = 0; d->pub.n_steps && i < trace_devices(d->pub.t); i++)
		add_device(d, &l, i);
	free(l.slot);
	d->pub.parts = must(realloc(l.at, (l.n + (size_t)1) * sizeof *l.at));
	d->pub.n_parts = l.n;
	index_by_step(d);
}

uint32_t derived_parts_of_device(const struct derived *d, uint32_t device)
{
	uint32_t lo = 0, hi = d->pub.n_parts;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (d->pub.parts[mid].device < device)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* The first place in [lo, hi) of part_order whose part is on this device or after it. */
static uint32_t place_by_halves(const struct derived *d, uint32_t lo, uint32_t hi, uint32_t device)
{
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (d->pub.parts[d->pub.part_order[mid]].device < device)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

const struct step_device *derived_step_device_of_many(const struct derived *d, uint32_t step, uint32_t device)
{
	uint32_t from = d->pub.part_from[step], end = d->pub.part_from[step + 1];
	uint32_t first = d->pub.parts[d->pub.part_order[from]].device;
	/* mostly a step's devices have numbers that follow each other */
	uint32_t at = device >= first && device - first < end - from ? from + (device - first) : from;
	if (d->pub.parts[d->pub.part_order[at]].device != device)
		at = place_by_halves(d, from, end, device);
	const struct step_device *part = at < end ? &d->pub.parts[d->pub.part_order[at]] : NULL;
	return part && part->device == device ? part : NULL;
}
