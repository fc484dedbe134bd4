/* The event around each event, as trace_parent finds it, by one pass over every track: analyses climb from a million
 * launches, and a search for every rung is what they would spend their time on. 4 bytes per event, made when it pays. */
#include "derived_data.h"
#include "model/store/base/memory.h"
#include <stdlib.h>

enum { DISPLAY_ROWS = 1 << 16 };

/* An event lies in the latest one on the display row above its own. */
static void track_parents(const struct columns *c, const struct track_info *k, row_id *latest, row_id *parents)
{
	for (row_id r = (row_id)k->first; r < k->first + k->n; r++) {
		uint16_t disp = c->disp[r];
		parents[r] = c->depth[r] && disp ? latest[disp - 1] : NONE_ID;
		latest[disp] = r;
	}
}

static row_id *parents_build(const struct derived *d)
{
	row_id *parents = must(malloc((d->pub.c->n + 1) * sizeof *parents));
	row_id *latest = must(malloc(DISPLAY_ROWS * sizeof *latest));
	for (uint32_t i = 0; i < trace_tracks(d->pub.t); i++) {
		const struct track_info *k = trace_track(d->pub.t, i);
		for (uint32_t row = 0; row < k->n_rows && row < DISPLAY_ROWS; row++)
			latest[row] = NONE_ID;
		track_parents(d->pub.c, k, latest, parents);
	}
	free(latest);
	return parents;
}

static row_id *parents_made(struct derived *d)
{
	pthread_mutex_lock(&d->later_lock);
	row_id *parents = atomic_load_explicit(&d->parents, memory_order_relaxed);
	if (!parents) {
		parents = parents_build(d);
		atomic_store_explicit(&d->parents, parents, memory_order_release);
	}
	pthread_mutex_unlock(&d->later_lock);
	return parents;
}

row_id parent_of(const struct derived *d, row_id r)
{
	enum { WORTH_IT = 128 }; /* a search costs as much as a pass over so many events */
	struct derived *w = (struct derived *)d;
	row_id *parents = atomic_load_explicit(&w->parents, memory_order_acquire);
	if (parents)
		return parents[r];
	if (atomic_fetch_add_explicit(&w->parents_asked, 1, memory_order_relaxed) < d->pub.c->n / WORTH_IT)
		return trace_parent(d->pub.t, r);
	return parents_made(w)[r];
}
