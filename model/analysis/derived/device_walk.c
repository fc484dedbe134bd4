#include "device_walk.h"
#include "model/store/base/memory.h"
#include "derived_data.h"
#include <stdlib.h>

static bool earlier(const struct device_walk *w, uint32_t i, uint32_t k)
{
	row_id x = w->heap[i].row, y = w->heap[k].row;
	int64_t a = w->c->start_ns[x], b = w->c->start_ns[y];
	return a != b ? a < b : x < y;
}

static void swap(struct device_walk *w, uint32_t i, uint32_t k)
{
	struct event_iter it = w->heap[i];
	w->heap[i] = w->heap[k];
	w->heap[k] = it;
}

static void sink(struct device_walk *w, uint32_t i)
{
	for (uint32_t least = i;; i = least) {
		uint32_t left = 2 * i + 1, right = left + 1;
		if (left < w->n && earlier(w, left, least))
			least = left;
		if (right < w->n && earlier(w, right, least))
			least = right;
		if (least == i)
			return;
		swap(w, i, least);
	}
}

void device_walk_open(struct device_walk *w, const struct derived *d, uint32_t device, int64_t a_ns, int64_t b_ns,
		      uint32_t kinds)
{
	uint32_t n;
	const uint32_t *tracks = device_streams(d, device, &n);
	*w = (struct device_walk){.c = d->pub.c, .row = NONE_ID};
	w->heap = must(malloc((n + 1u) * sizeof *w->heap));
	for (uint32_t i = 0; i < n; i++) {
		w->heap[w->n] = event_iter(d->pub.t, tracks[i], a_ns, b_ns, kinds);
		w->n += event_next(&w->heap[w->n]);
	}
	for (uint32_t i = w->n / 2; i-- > 0;)
		sink(w, i);
}

/* The event on top was handed out by the last call: its stream moves on first. */
bool device_walk_next(struct device_walk *w)
{
	if (w->begun && w->n) {
		if (!event_next(&w->heap[0]))
			w->heap[0] = w->heap[--w->n];
		sink(w, 0);
	}
	w->begun = true;
	w->row = w->n ? w->heap[0].row : NONE_ID;
	return w->n > 0;
}

void device_walk_close(struct device_walk *w)
{
	free(w->heap);
	w->heap = NULL;
	w->n = 0;
}
