/* Layers in a sequence of kernels: names that come back equally often, at even distances. */
#include "graph_places.h"
#include "model/store/base/memory.h"
#include <stdlib.h>

#define NO_ANCHOR UINT32_MAX
enum { LEAST_LAYERS = 3, COVERED_PCT = 60, NEARLY_PCT = 85, ALIKE_PCT = 80 };

struct sequence {
	const uint32_t *names;
	uint32_t n, n_names;
	uint32_t *count; /* per name */
};

/* Kernels whose name comes k times, or a multiple of it. */
static uint32_t covered(const struct sequence *s, uint32_t k)
{
	uint32_t sum = 0;
	for (uint32_t i = 0; i < s->n_names; i++)
		sum += s->count[i] && s->count[i] % k == 0 ? s->count[i] : 0;
	return sum;
}

/* The distances between the tokens of one name: the longest, and how many are as long as the first. */
struct distances {
	uint32_t n, first, longest, equal, all;
};

static struct distances distances_of(const struct sequence *s, uint32_t from)
{
	struct distances x = {0};
	uint32_t last = from;
	for (uint32_t i = from + 1; i < s->n; i++) {
		if (s->names[i] != s->names[from])
			continue;
		uint32_t far = i - last;
		x.first = x.n++ ? x.first : far;
		x.equal += far == x.first;
		x.longest = far > x.longest ? far : x.longest;
		x.all += far;
		last = i;
	}
	return x;
}

/* Alike: nearly all distances are one and the same, as of layers of one length whatever kernels they choose. Else none is more than
 * half as long again as the mean. */
static bool comes_evenly(const struct distances *x, bool alike)
{
	return alike ? (uint64_t)x->equal * 100 >= (uint64_t)x->n * ALIKE_PCT
		     : (uint64_t)x->longest * 2 * x->n <= (uint64_t)x->all * 3;
}

/* The first token whose name comes k times, evenly. */
static uint32_t anchor_of(const struct sequence *s, uint32_t k, bool alike)
{
	for (uint32_t i = 0; i < s->n; i++) {
		if (s->count[s->names[i]] != k)
			continue;
		struct distances x = distances_of(s, i);
		bool several = x.all >= 2 * x.n; /* one kernel alone, over and over, is no layer */
		if (x.n == k - 1 && several && comes_evenly(&x, alike))
			return i;
	}
	return NO_ANCHOR;
}

/* The largest number of times below `below` that explains COVERED_PCT of `most` kernels; 0: none. */
static uint32_t next_count(const struct sequence *s, uint32_t below, uint64_t most)
{
	uint32_t k = 0;
	for (uint32_t i = 0; i < s->n_names; i++)
		if (s->count[i] > k && s->count[i] < below && s->count[i] >= LEAST_LAYERS &&
		    (uint64_t)covered(s, s->count[i]) * 100 >= most * COVERED_PCT)
			k = s->count[i];
	return k;
}

static uint32_t find_anchor(const struct sequence *s, uint32_t *k)
{
	uint32_t best = 0;
	for (uint32_t i = 0; i < s->n_names; i++)
		if (s->count[i] >= LEAST_LAYERS && covered(s, s->count[i]) > best)
			best = covered(s, s->count[i]);
	if ((uint64_t)best * 100 < (uint64_t)s->n * COVERED_PCT)
		return NO_ANCHOR;
	for (*k = next_count(s, UINT32_MAX, best); *k; *k = next_count(s, *k, best)) {
		bool nearly = (uint64_t)covered(s, *k) * 100 >= (uint64_t)best * NEARLY_PCT;
		uint32_t anchor = anchor_of(s, *k, !nearly);
		if (anchor != NO_ANCHOR)
			return anchor;
	}
	return NO_ANCHOR;
}

/* How many kernels before every anchor are the same ones: they belong to the layer, too. What is before the first is none of them. */
static uint32_t lead_of(const struct sequence *s, uint32_t anchor)
{
	for (uint32_t lead = 1; lead <= anchor; lead++) {
		uint32_t last = anchor;
		for (uint32_t i = anchor + 1; i < s->n; i++) {
			if (s->names[i] != s->names[anchor])
				continue;
			if (i - last <= lead || s->names[i - lead] != s->names[anchor - lead])
				return lead - 1;
			last = i;
		}
	}
	return anchor;
}

/* A layer begins `lead` before each anchor; the last one is as long as the one before it. */
static void mark(const struct sequence *s, uint32_t anchor, uint32_t k, int32_t *layer)
{
	int32_t now = LAYERS_BEGIN;
	uint32_t begun = 0, length = 0, lead = lead_of(s, anchor);
	for (uint32_t i = 0; i < s->n; i++) {
		if (i + lead >= anchor && i + lead < s->n && s->names[i + lead] == s->names[anchor]) {
			length = i - begun;
			begun = i;
			now = now == LAYERS_BEGIN ? 0 : now + 1;
		}
		bool behind = now == (int32_t)k - 1 && i - begun >= length;
		layer[i] = behind ? LAYERS_END : now;
	}
}

bool layers_find(const uint32_t *names, uint32_t n, uint32_t n_names, int32_t *layer)
{
	struct sequence s = {.names = names, .n = n, .n_names = n_names};
	s.count = must(calloc((size_t)n_names + 1, sizeof *s.count));
	for (uint32_t i = 0; i < n; i++) {
		s.count[names[i]]++;
		layer[i] = LAYERS_NONE;
	}
	uint32_t k = 0, anchor = find_anchor(&s, &k);
	if (anchor != NO_ANCHOR)
		mark(&s, anchor, k, layer);
	free(s.count);
	return anchor != NO_ANCHOR;
}
