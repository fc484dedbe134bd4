/* model/store/order.c - the order of rows: by track, then start asc, duration desc, file order. Producers write runs that
 * are sorted already, so a natural merge sort does little work. */
#include "trace_private.h"
#include <stdlib.h>
#include <string.h>

/* Events are named by their place in the file; merging moves names only, and reads times in runs as they were written. */
struct times {
	const int64_t *start_ns, *dur_ns;
};

static inline bool before(const struct times *t, uint32_t x, uint32_t y)
{
	if (t->start_ns[x] != t->start_ns[y])
		return t->start_ns[x] < t->start_ns[y];
	if (t->dur_ns[x] != t->dur_ns[y])
		return t->dur_ns[x] > t->dur_ns[y];
	return x < y;
}

static size_t run_end(const struct times *t, const uint32_t *raw, size_t from, size_t n)
{
	size_t i = from + 1;
	while (i < n && !before(t, raw[i], raw[i - 1]))
		i++;
	return i;
}

static void merge(const struct times *t, const uint32_t *raw, size_t a, size_t b, size_t c, uint32_t *out)
{
	size_t i = a, j = b, o = a;
	while (i < b && j < c)
		out[o++] = before(t, raw[j], raw[i]) ? raw[j++] : raw[i++];
	memcpy(out + o, raw + i, (b - i) * sizeof *raw);
	o += b - i;
	memcpy(out + o, raw + j, (c - j) * sizeof *raw);
}

/* One pass joins neighbouring runs. */
static void merge_pass(const struct times *t, const uint32_t *from, uint32_t *to, size_t n)
{
	for (size_t a = 0; a < n;) {
		size_t b = run_end(t, from, a, n);
		size_t c = b < n ? run_end(t, from, b, n) : n;
		merge(t, from, a, b, c, to);
		a = c;
	}
}

static bool sort_track(const struct ingest *in, uint32_t *raw, size_t n)
{
	const struct times t = {in->raw.start_ns.p, in->raw.dur_ns.p};
	if (n == 0 || run_end(&t, raw, 0, n) == n)
		return true;
	uint32_t *spare = large_room(n * sizeof *spare), *from = raw, *to = spare;
	if (!spare)
		return false;
	do {
		merge_pass(&t, from, to, n);
		uint32_t *swap = from;
		from = to;
		to = swap;
	} while (run_end(&t, from, 0, n) < n);
	if (from != raw)
		memcpy(raw, from, n * sizeof *raw);
	free(spare);
	return true;
}

uint32_t *seal_order(struct trace *t, const struct ingest *in, const uint32_t *map)
{
	const uint32_t *track = in->raw.track.p;
	uint32_t *order = large_room((in->raw.n + 1) * sizeof *order);
	uint64_t *next = calloc(t->n_tracks + 1, sizeof *next);
	bool ok = order && next;
	if (ok) {
		for (uint32_t i = 0; i < t->n_tracks; i++)
			next[i] = t->tracks[i].info.first;
		for (size_t i = 0; i < in->raw.n; i++)
			order[next[map[track[i]]]++] = (uint32_t)i;
	}
	free(next);
	for (uint32_t i = 0; ok && i < t->n_tracks; i++)
		ok = sort_track(in, order + t->tracks[i].info.first, t->tracks[i].info.n);
	if (ok)
		return order;
	free(order);
	return NULL;
}
