#include "awake.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/order.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>

/* Tracks by their place in the list. */
struct sleeper {
	int64_t until_ns;
	uint32_t place;
};
struct awake {
	const struct derived *d;
	uint32_t *tracks, *found, n;
	uint32_t *awake, n_awake; /* places, in order */
	struct sleeper *asleep;   /* a heap: who wakes first is the first */
	uint32_t n_asleep;
	int64_t asked_ns;
	bool asked;
	uint64_t looks;
};

struct awake *awake_new(const struct derived *d, const uint32_t *tracks, uint32_t n)
{
	struct awake *w = must(malloc(sizeof *w));
	size_t room = n + (size_t)1;
	*w = (struct awake){.d = d,
			    .tracks = must(malloc(room * sizeof *w->tracks)),
			    .found = must(malloc(room * sizeof *w->found)),
			    .n = n,
			    .awake = must(malloc(room * sizeof *w->awake)),
			    .asleep = must(malloc(room * sizeof *w->asleep))};
	if (n)
		memcpy(w->tracks, tracks, n * sizeof *tracks);
	return w;
}

void awake_free(struct awake *w)
{
	if (!w)
		return;
	free(w->tracks);
	free(w->found);
	free(w->awake);
	free(w->asleep);
	free(w);
}

const uint32_t *awake_streams(struct awake **kept, const struct derived *d, uint32_t device, int64_t a_ns, int64_t b_ns,
			      uint32_t *n)
{
	enum { MANY = 32 };
	const uint32_t *all = device_streams(d, device, n);
	if (*n < MANY)
		return all;
	if (!*kept)
		*kept = awake_new(d, all, *n);
	return awake_tracks(*kept, a_ns, b_ns, n);
}

uint64_t awake_looks(const struct awake *w)
{
	return w->looks;
}

/* Everybody is awake. */
static void begin(struct awake *w)
{
	w->asked = true;
	w->n_asleep = 0;
	w->n_awake = w->n;
	for (uint32_t i = 0; i < w->n; i++)
		w->awake[i] = i;
}

static void fall_asleep(struct awake *w, struct sleeper x)
{
	uint32_t i = w->n_asleep++;
	for (; i && w->asleep[(i - 1) / 2].until_ns > x.until_ns; i = (i - 1) / 2)
		w->asleep[i] = w->asleep[(i - 1) / 2];
	w->asleep[i] = x;
}

static uint32_t wake_first(struct awake *w)
{
	uint32_t place = w->asleep[0].place, i = 0;
	struct sleeper x = w->asleep[--w->n_asleep];
	for (uint32_t child; (child = 2 * i + 1) < w->n_asleep; i = child) {
		if (child + 1 < w->n_asleep && w->asleep[child + 1].until_ns < w->asleep[child].until_ns)
			child++;
		if (x.until_ns <= w->asleep[child].until_ns)
			break;
		w->asleep[i] = w->asleep[child];
	}
	w->asleep[i] = x;
	return place;
}

static void wake_up(struct awake *w, int64_t b_ns)
{
	uint32_t before = w->n_awake;
	while (w->n_asleep && w->asleep[0].until_ns < b_ns)
		w->awake[w->n_awake++] = wake_first(w);
	if (w->n_awake > before)
		qsort(w->awake, w->n_awake, sizeof *w->awake, u32_order);
}

/* Whether the track has events in [a, b); when its next one begins from a on. */
static bool has_events(const struct derived *d, uint32_t track, int64_t a_ns, int64_t b_ns, int64_t *next_ns)
{
	const struct track_info *k = trace_track(derived_trace(d), track);
	const struct columns *c = derived_columns(d);
	row_id r = first_row_from(c, k, a_ns);
	*next_ns = r < k->first + k->n ? c->start_ns[r] : INT64_MAX;
	if (*next_ns < b_ns || r == k->first)
		return *next_ns < b_ns;
	if (k->n_rows == 1 && !k->overlaps) /* one after the other */
		return row_end(c, r - 1) > a_ns;
	struct event_iter it = event_iter(derived_trace(d), track, a_ns, b_ns, KINDS_ALL);
	return event_next(&it);
}

const uint32_t *awake_tracks(struct awake *w, int64_t a_ns, int64_t b_ns, uint32_t *n)
{
	uint32_t still = 0;
	if (w->n == 1) { /* who asks will look for events anyway */
		*n = 1;
		return w->tracks;
	}
	if (!w->asked || a_ns < w->asked_ns)
		begin(w);
	w->asked_ns = a_ns;
	wake_up(w, b_ns);
	w->looks += w->n_awake;
	*n = 0;
	for (uint32_t i = 0; i < w->n_awake; i++) {
		uint32_t place = w->awake[i], track = w->tracks[place];
		int64_t next_ns;
		if (has_events(w->d, track, a_ns, b_ns, &next_ns)) {
			w->found[(*n)++] = track;
			w->awake[still++] = place;
		} else {
			fall_asleep(w, (struct sleeper){next_ns, place});
		}
	}
	w->n_awake = still;
	return w->found;
}
