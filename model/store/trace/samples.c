/* model/store/trace/samples.c - samples of counters, by track and time. Producers write runs that are sorted already: each run is
 * merged into what stands before it. */
#include "trace_private.h"
#include <stdlib.h>
#include <string.h>

/* The first sample from `from` on that is earlier than the one before it; n: there is none. */
static size_t run_end(const struct sample *s, size_t from, size_t n)
{
	size_t i = from + 1;
	while (i < n && s[i].ts_ns >= s[i - 1].ts_ns)
		i++;
	return i < n ? i : n;
}

/* Joins the sorted runs [first, second) and [second, end); of one time the first run's come first. */
static void merge(struct sample *s, size_t first, size_t second, size_t end, struct sample *spare)
{
	while (first < second && s[first].ts_ns <= s[second].ts_ns)
		first++;
	memcpy(spare, s + first, (second - first) * sizeof *s);
	const struct sample *x = spare, *x_end = spare + (second - first);
	struct sample *out = s + first, *y = s + second;
	while (x < x_end && y < s + end) {
		/* no branch: which run goes on is as good as random */
		bool take_y = y->ts_ns < x->ts_ns;
		*out++ = *(take_y ? y : x);
		y += take_y;
		x += !take_y;
	}
	memcpy(out, x, (size_t)(x_end - x) * sizeof *out);
}

/* Joins runs by twos until there is one. spare: as many. */
static void sort_samples(struct sample *s, size_t n, struct sample *spare)
{
	while (n && run_end(s, 0, n) < n)
		for (size_t first = 0, second, end; (second = run_end(s, first, n)) < n; first = end) {
			end = run_end(s, second, n);
			merge(s, first, second, end, spare);
			if (end == n)
				break;
		}
}

bool seal_samples(struct trace *t, const struct ingest *in, const uint32_t *map)
{
	size_t n = in->samples.n;
	const struct sample_in *s = in->samples.p;
	uint64_t *next = calloc(t->n_tracks + 1, sizeof *next);
	if (!next)
		return false;
	for (uint32_t i = 0; i < t->n_tracks; i++)
		next[i] = t->tracks[i].first_sample;
	for (size_t i = 0; i < n; i++)
		t->samples[next[map[s[i].track]]++] = (struct sample){s[i].ts_ns - t->base_ns, s[i].value};
	free(next);
	/* what came in is not needed any more, and larger */
	_Static_assert(sizeof(struct sample) <= sizeof(struct sample_in), "one fits where the other was");
	for (uint32_t i = 0; i < t->n_tracks; i++)
		sort_samples(t->samples + t->tracks[i].first_sample, t->tracks[i].n_samples, in->samples.p);
	return true;
}
