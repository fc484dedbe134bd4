#include "step_threads.h"
#include "awake.h"
#include "model/analysis/derived/rows.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>

enum { KNOWN_MOST = 6 };
struct known_threads {
	uint32_t step_above, n; /* step + 1; 0: none */
	uint32_t tracks[KNOWN_MOST];
};
struct step_threads {
	const struct derived *d;
	uint32_t *seen; /* per track: the round that used it last */
	uint32_t round;
	uint32_t *tracks;
	struct step_threads_found found;
	const struct track_info *launching; /* whose row a launch is needs no look at it, which lies far away */
	struct known_threads *known;        /* per device: those of the step asked about last */
	struct awake **streams;             /* per device: those that hold members of a step */
};

static void add_thread(struct step_threads *x, uint32_t track)
{
	if (x->seen[track] == x->round)
		return;
	x->seen[track] = x->round;
	x->tracks[x->found.n++] = track;
}

/* Without device work the step's own work runs on any thread that the file ties to it: executors, pools. */
static void add_members_threads(struct step_threads *x, uint32_t step)
{
	const struct derived *d = x->d;
	const struct step *s = derived_step(d, step);
	for (uint32_t track = 0; track < trace_tracks(derived_trace(d)); track++) {
		const struct track_info *k = trace_track(derived_trace(d), track);
		if (k->host != s->host || !derived_is_host_track(k))
			continue;
		struct event_iter it = event_iter(derived_trace(d), track, s->start_ns, s->end_ns, KINDS_HOST_TIME);
		while (event_next(&it))
			if (derived_step_of(d, it.row) == step) {
				add_thread(x, track);
				break;
			}
	}
}

/* Of work on the device: it mostly has the thread of the one before. */
static void add_launching(struct step_threads *x, uint32_t step, row_id work)
{
	const struct columns *c = derived_columns(x->d);
	const struct track_info *last = x->launching;
	row_id launch = derived_step_of(x->d, work) == step ? c->link[work] : NONE_ID;
	if (launch == NONE_ID)
		return;
	x->found.launch = launch;
	if (last && launch - last->first < last->n)
		return;
	x->launching = trace_track(derived_trace(x->d), c->track[launch]);
	add_thread(x, c->track[launch]);
}

/* Short steps: few rows of one stream, nothing else among them. False: that is not so. */
static bool add_threads_of_run(struct step_threads *x, uint32_t step, const struct step_device *part)
{
	enum { FEW = 8 };
	const struct columns *c = derived_columns(x->d);
	if (part->n_work > FEW || part->last_row - part->first_row != part->n_work - 1)
		return false;
	for (row_id r = part->first_row; r <= part->last_row; r++)
		if (derived_step_of(x->d, r) != step || !row_is_work(c, r) || c->start_ns[r] >= part->last_ns ||
		    c->track[r] != c->track[part->first_row])
			return false;
	for (row_id r = part->first_row; r <= part->last_row; r++)
		add_launching(x, step, r);
	return true;
}

/* The marker's thread, or whose ops the step was inferred from, and those that launched the step's work on the device: mostly the one that launched the work before. */
static void find(struct step_threads *x, uint32_t step, const struct step_device *part)
{
	const struct derived *d = x->d;
	x->round++;
	x->found = (struct step_threads_found){.tracks = x->tracks, .launch = NONE_ID};
	uint32_t thread = derived_step_thread(d, step);
	if (thread != NONE_ID)
		add_thread(x, thread);
	if (!part) {
		if (!derived_step_holds_by_time(d, step))
			add_members_threads(x, step);
		return;
	}
	uint32_t n;
	x->launching = NULL;
	if (add_threads_of_run(x, step, part))
		return;
	const uint32_t *tracks =
		awake_streams(&x->streams[part->device], d, part->device, part->first_ns, part->last_ns, &n);
	for (uint32_t i = 0; i < n; i++) {
		struct event_iter it =
			event_iter(derived_trace(d), tracks[i], part->first_ns, part->last_ns, KINDS_WORK);
		while (event_next(&it))
			add_launching(x, step, it.row);
	}
}

/* Finding them means to walk through all of the step's work on the device. */
static void find_and_keep(struct step_threads *x, uint32_t step, uint32_t device, const struct step_device *part)
{
	if (!x->known)
		x->known = must(calloc(trace_devices(derived_trace(x->d)) + (size_t)1, sizeof *x->known));
	struct known_threads *k = &x->known[device];
	if (k->step_above == step + 1) {
		x->found = (struct step_threads_found){k->tracks, k->n, NONE_ID};
		return;
	}
	find(x, step, part);
	k->step_above = x->found.n <= KNOWN_MOST ? step + 1 : 0;
	k->n = x->found.n <= KNOWN_MOST ? x->found.n : 0;
	memcpy(k->tracks, x->tracks, k->n * sizeof *k->tracks);
}

struct step_threads_found step_threads_of(struct step_threads *x, uint32_t step, uint32_t device,
					  const struct step_device *part, bool again)
{
	if (again && device != NONE_ID)
		find_and_keep(x, step, device, part);
	else
		find(x, step, part);
	return x->found;
}

struct step_threads *step_threads_new(const struct derived *d)
{
	size_t tracks = trace_tracks(derived_trace(d)) + (size_t)1;
	struct step_threads *x = must(malloc(sizeof *x));
	*x = (struct step_threads){.d = d};
	x->seen = touched_zeroed(tracks, sizeof *x->seen);
	x->tracks = must(malloc(tracks * sizeof *x->tracks));
	x->streams = must(calloc(trace_devices(derived_trace(d)) + (size_t)1, sizeof *x->streams));
	return x;
}

void step_threads_free(struct step_threads *x)
{
	for (uint32_t i = 0; i < trace_devices(derived_trace(x->d)); i++)
		awake_free(x->streams[i]);
	free(x->streams);
	free(x->seen);
	free(x->tracks);
	free(x->known);
	free(x);
}
