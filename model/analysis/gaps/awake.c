#include "awake.h"
#include "model/analysis/derived/rows.h"
#include "model/store/base/memory.h"
#include <stdlib.h>

/* The threads of one host. */
struct sleeper {
	int64_t until_ns;
	uint32_t track;
};
struct of_host {
	uint32_t *awake, n_awake; /* by track */
	struct sleeper *asleep;   /* a heap: who wakes first is the first */
	uint32_t n_asleep;
	int64_t asked_ns;
};
struct awake {
	const struct derived *d;
	struct of_host *hosts;
	uint32_t *found, n_tracks;
};

static bool is_thread(const struct derived *d, uint32_t track, uint32_t host)
{
	const struct track_info *k = trace_track(derived_trace(d), track);
	return k->host == host && k->kind == TRACK_THREAD && derived_is_host_track(k) && k->n > 0;
}

struct awake *awake_new(const struct derived *d)
{
	struct awake *w = must(malloc(sizeof *w));
	uint32_t hosts = trace_hosts(derived_trace(d));
	*w = (struct awake){d, must(calloc(hosts + (size_t)1, sizeof *w->hosts)), NULL, trace_tracks(derived_trace(d))};
	w->found = must(malloc((w->n_tracks + (size_t)1) * sizeof *w->found));
	return w;
}

void awake_free(struct awake *w)
{
	for (uint32_t i = 0; w && i < trace_hosts(derived_trace(w->d)); i++) {
		free(w->hosts[i].awake);
		free(w->hosts[i].asleep);
	}
	if (w) {
		free(w->hosts);
		free(w->found);
	}
	free(w);
}

/* Everybody is awake. */
static void begin(const struct awake *w, struct of_host *h, uint32_t host)
{
	if (!h->awake) {
		h->awake = must(malloc((w->n_tracks + (size_t)1) * sizeof *h->awake));
		h->asleep = must(malloc((w->n_tracks + (size_t)1) * sizeof *h->asleep));
	}
	h->n_awake = h->n_asleep = 0;
	for (uint32_t i = 0; i < w->n_tracks; i++)
		if (is_thread(w->d, i, host))
			h->awake[h->n_awake++] = i;
}

static void fall_asleep(struct of_host *h, struct sleeper x)
{
	uint32_t i = h->n_asleep++;
	for (; i && h->asleep[(i - 1) / 2].until_ns > x.until_ns; i = (i - 1) / 2)
		h->asleep[i] = h->asleep[(i - 1) / 2];
	h->asleep[i] = x;
}

static uint32_t wake_first(struct of_host *h)
{
	uint32_t track = h->asleep[0].track, i = 0;
	struct sleeper x = h->asleep[--h->n_asleep];
	for (uint32_t child; (child = 2 * i + 1) < h->n_asleep; i = child) {
		if (child + 1 < h->n_asleep && h->asleep[child + 1].until_ns < h->asleep[child].until_ns)
			child++;
		if (x.until_ns <= h->asleep[child].until_ns)
			break;
		h->asleep[i] = h->asleep[child];
	}
	h->asleep[i] = x;
	return track;
}

static void wake_up(struct of_host *h, int64_t b_ns)
{
	while (h->n_asleep && h->asleep[0].until_ns < b_ns) {
		uint32_t track = wake_first(h), i = h->n_awake++;
		for (; i && h->awake[i - 1] > track; i--)
			h->awake[i] = h->awake[i - 1];
		h->awake[i] = track;
	}
}

static bool has_events(const struct derived *d, uint32_t track, int64_t a_ns, int64_t b_ns)
{
	struct event_iter it = event_iter(derived_trace(d), track, a_ns, b_ns, KINDS_ALL);
	return event_next(&it);
}

static int64_t next_start(const struct derived *d, uint32_t track, int64_t a_ns)
{
	const struct track_info *k = trace_track(derived_trace(d), track);
	row_id r = first_row_from(derived_columns(d), k, a_ns);
	return r < k->first + k->n ? derived_columns(d)->start_ns[r] : INT64_MAX;
}

const uint32_t *awake_threads(struct awake *w, uint32_t host, int64_t a_ns, int64_t b_ns, uint32_t *n)
{
	struct of_host *h = &w->hosts[host];
	uint32_t still = 0;
	if (!h->awake || a_ns < h->asked_ns)
		begin(w, h, host);
	h->asked_ns = a_ns;
	wake_up(h, b_ns);
	*n = 0;
	for (uint32_t i = 0; i < h->n_awake; i++) {
		uint32_t track = h->awake[i];
		if (has_events(w->d, track, a_ns, b_ns))
			w->found[(*n)++] = h->awake[still++] = track;
		else
			fall_asleep(h, (struct sleeper){next_start(w->d, track, a_ns), track});
	}
	h->n_awake = still;
	return w->found;
}
