/* model/store/order.c - the order of rows: by track, then start asc, duration desc, file order. Producers write runs that
 * are sorted already, so a natural merge sort does little work. */
#include "trace_private.h"
#include <stdlib.h>
#include <string.h>

struct sort_key {
	int64_t start_ns, dur_ns;
	uint32_t raw;
};

static bool before(const struct sort_key *x, const struct sort_key *y)
{
	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns;
	if (x->dur_ns != y->dur_ns)
		return x->dur_ns > y->dur_ns;
	return x->raw < y->raw;
}

static size_t run_end(const struct sort_key *k, size_t from, size_t n)
{
	size_t i = from + 1;
	while (i < n && !before(&k[i], &k[i - 1]))
		i++;
	return i;
}

static void merge(const struct sort_key *k, size_t a, size_t b, size_t c, struct sort_key *out)
{
	size_t i = a, j = b, o = a;
	while (i < b && j < c)
		out[o++] = before(&k[j], &k[i]) ? k[j++] : k[i++];
	memcpy(out + o, k + i, (b - i) * sizeof *k);
	o += b - i;
	memcpy(out + o, k + j, (c - j) * sizeof *k);
}

/* One pass joins neighbouring runs; returns how many runs it met. */
static size_t merge_pass(const struct sort_key *from, struct sort_key *to, size_t n)
{
	size_t runs = 0;
	for (size_t a = 0; a < n;) {
		size_t b = run_end(from, a, n);
		size_t c = b < n ? run_end(from, b, n) : n;
		merge(from, a, b, c, to);
		runs += c > b ? 2 : 1;
		a = c;
	}
	return runs;
}

static struct sort_key *sort_keys(struct sort_key *k, struct sort_key *spare, size_t n)
{
	while (run_end(k, 0, n) < n) {
		merge_pass(k, spare, n);
		struct sort_key *swap = k;
		k = spare;
		spare = swap;
	}
	return k;
}

static bool is_sorted(const struct ingest *in, const uint32_t *raw, size_t n)
{
	const int64_t *start = in->raw.start_ns.p, *dur = in->raw.dur_ns.p;
	for (size_t i = 1; i < n; i++)
		if (start[raw[i]] < start[raw[i - 1]] ||
		    (start[raw[i]] == start[raw[i - 1]] && dur[raw[i]] > dur[raw[i - 1]]))
			return false;
	return true;
}

static bool sort_track(const struct ingest *in, uint32_t *raw, size_t n)
{
	if (is_sorted(in, raw, n))
		return true;
	const int64_t *start = in->raw.start_ns.p, *dur = in->raw.dur_ns.p;
	struct sort_key *k = large_room(n * 2 * sizeof *k);
	if (!k)
		return false;
	for (size_t i = 0; i < n; i++)
		k[i] = (struct sort_key){start[raw[i]], dur[raw[i]], raw[i]};
	const struct sort_key *sorted = sort_keys(k, k + n, n);
	for (size_t i = 0; i < n; i++)
		raw[i] = sorted[i].raw;
	free(k);
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
