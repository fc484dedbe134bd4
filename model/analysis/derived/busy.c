/* When devices and streams work: the union of their device work, exact to the ns. */
#include "derived_data.h"
#include "model/store/base/spans.h"
#include "model/analysis/maths/intervals.h"
#include <stdlib.h>
#include <string.h>

static bool is_stream(const struct track_info *k)
{
	return k->kind == TRACK_STREAM && k->device != NONE_ID && !k->derived_by_producer && k->n;
}

bool derived_is_thread(const struct trace *t, const struct track_info *k)
{
	return k->kind == TRACK_THREAD && derived_is_host_track(k) &&
	       !text_starts(trace_str(t, k->name), "tf_Compute/");
}

static uint32_t device_of_stream(const struct track_info *k)
{
	return is_stream(k) ? k->device : NONE_ID;
}

static uint32_t process_of_host_track(const struct track_info *k)
{
	return derived_is_host_track(k) ? k->process : NONE_ID;
}

/* Where the keys ascend from track to track: one walk. False: they do not. */
static inline __attribute__((always_inline)) bool index_ascending(const struct trace *t, struct track_index *x,
								  uint32_t keys, uint32_t n_tracks,
								  uint32_t (*key_of)(const struct track_info *k))
{
	uint32_t n = 0, begun = 0, key;
	for (uint32_t i = 0; i < n_tracks; i++) {
		if ((key = key_of(trace_track(t, i))) == NONE_ID)
			continue;
		if (key + 1 < begun)
			return false;
		while (begun <= key)
			x->from[begun++] = n;
		x->tracks[n++] = i;
	}
	while (begun <= keys)
		x->from[begun++] = n;
	return true;
}

/* Tracks [0, n_tracks) by a key below n, in their order; those of NONE_ID are left out. */
static inline __attribute__((always_inline)) struct track_index
index_tracks(struct derived *d, uint32_t n, uint32_t n_tracks, uint32_t (*key_of)(const struct track_info *k))
{
	uint32_t key;
	struct track_index x = {.from = arena_alloc(&d->mem, (n + 2) * sizeof *x.from)};
	x.tracks = arena_alloc(&d->mem, (n_tracks + 1) * sizeof *x.tracks);
	if (index_ascending(d->pub.t, &x, n, n_tracks, key_of))
		return x;
	memset(x.from, 0, (n + 2) * sizeof *x.from);
	uint32_t *from = x.from + 1; /* shifted by one: after filling, from[key - 1] is where key begins */
	for (uint32_t i = 0; i < n_tracks; i++)
		if ((key = key_of(trace_track(d->pub.t, i))) != NONE_ID)
			from[key]++;
	for (uint32_t i = 0, sum = 0; i <= n; i++) {
		uint32_t count = from[i];
		from[i] = sum;
		sum += count;
	}
	for (uint32_t i = 0; i < n_tracks; i++)
		if ((key = key_of(trace_track(d->pub.t, i))) != NONE_ID)
			x.tracks[from[key]++] = i;
	return x;
}

void tracks_index(struct derived *d)
{
	const struct trace *t = d->pub.t;
	d->streams = index_tracks(d, trace_devices(t), trace_device_tracks(t), device_of_stream);
	d->host_tracks = index_tracks(d, trace_processes(t), trace_tracks(t), process_of_host_track);
}

static const uint32_t *tracks_of(const struct track_index *x, uint32_t key, uint32_t *n)
{
	*n = x->from[key + 1] - x->from[key];
	return x->tracks + x->from[key];
}

const uint32_t *device_streams(const struct derived *d, uint32_t device, uint32_t *n)
{
	return tracks_of(&d->streams, device, n);
}

const uint32_t *process_tracks(const struct derived *d, uint32_t process, uint32_t *n)
{
	return tracks_of(&d->host_tracks, process, n);
}

static struct intervals stream_busy(const struct derived *d, const struct track_info *k)
{
	struct interval_list l = {0};
	interval_list_expect(&l, (uint32_t)k->n);
	for (row_id r = (row_id)k->first; r < k->first + k->n; r++)
		if (row_is_work(d->pub.c, r))
			interval_add(&l, d->pub.c->start_ns[r], row_end(d->pub.c, r));
	return intervals_seal(&l);
}

/* Union of n sealed lists, halving: O(total log n). */
static struct interval_list united(const struct derived *d, const uint32_t *tracks, uint32_t n)
{
	struct interval_list out = {0};
	if (n == 1) {
		const struct intervals *v = &d->busy_track[tracks[0]];
		for (uint32_t i = 0; i < v->n; i++)
			interval_add(&out, v->at[i].a_ns, v->at[i].b_ns);
	} else if (n > 1) {
		struct interval_list x = united(d, tracks, n / 2), y = united(d, tracks + n / 2, n - n / 2);
		intervals_unite(&out, &x, &y);
		interval_list_free(&x);
		interval_list_free(&y);
	}
	return out;
}

void busy_alloc(struct derived *d)
{
	d->busy_track = arena_alloc(&d->mem, (trace_device_tracks(d->pub.t) + (size_t)1) * sizeof *d->busy_track);
	d->busy_device = arena_alloc(&d->mem, (trace_devices(d->pub.t) + 1) * sizeof *d->busy_device);
}

void busy_build(struct derived *d)
{
	uint32_t n_devices = trace_devices(d->pub.t);
	for (uint32_t i = 0; i < trace_device_tracks(d->pub.t); i++)
		if (is_stream(trace_track(d->pub.t, i)))
			d->busy_track[i] = stream_busy(d, trace_track(d->pub.t, i));
	for (uint32_t i = 0; i < n_devices; i++) {
		uint32_t n;
		const uint32_t *tracks = device_streams(d, i, &n);
		if (n == 1) { /* one stream: the same list, owned by the stream */
			d->busy_device[i] = d->busy_track[tracks[0]];
			continue;
		}
		struct interval_list l = united(d, tracks, n);
		d->busy_device[i] = intervals_seal(&l);
	}
}

void busy_free(struct derived *d)
{
	for (uint32_t i = 0; d->busy_device && i < trace_devices(d->pub.t); i++) {
		uint32_t n;
		device_streams(d, i, &n);
		/* of a single stream the list is the stream's */
		if (n != 1)
			intervals_free(&d->busy_device[i]);
	}
	for (uint32_t i = 0; d->busy_track && i < trace_device_tracks(d->pub.t); i++)
		intervals_free(&d->busy_track[i]);
}

const struct intervals *derived_busy_device(const struct derived *d, uint32_t device)
{
	return &d->busy_device[device];
}

const struct intervals *derived_busy_track(const struct derived *d, uint32_t track)
{
	static const struct intervals none;
	return track < trace_device_tracks(d->pub.t) ? &d->busy_track[track] : &none;
}
