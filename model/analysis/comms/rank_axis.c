#include "rank_axis.h"
#include <math.h>
#include <stdlib.h>
#include "model/analysis/maths/median.h"
#include "model/store/facts/facts.h"

enum { RESIDUAL_NS = 50000, DRIFT_PAIRS = 16 };

int64_t rank_axis_time(const struct rank_axis *x, uint32_t host, int64_t recorded_ns)
{
	if (!x->fitted || host >= x->n_hosts)
		return recorded_ns;
	const struct host_shift *h = &x->hosts[host];
	return recorded_ns - h->off_ns - llround(h->drift * (double)(recorded_ns - h->from_ns));
}

static int64_t size_of(int64_t ns)
{
	return ns < 0 ? -ns : ns;
}

/* How far the pair is from the middle of its match with the host's shift applied. */
static int64_t left_over(const struct host_shift *h, const struct axis_pair *p)
{
	return p->end_ns - p->median_end_ns - h->off_ns - llround(h->drift * (double)(p->end_ns - h->from_ns));
}

static int by_host_then_end(const void *a, const void *b)
{
	const struct axis_pair *x = a, *y = b;
	if (x->host != y->host)
		return x->host < y->host ? -1 : 1;
	return (x->end_ns > y->end_ns) - (x->end_ns < y->end_ns);
}

static int64_t median_left(const struct host_shift *h, const struct axis_pair *p, uint32_t n, int64_t *room, bool sizes)
{
	for (uint32_t i = 0; i < n; i++) {
		int64_t v = left_over(h, &p[i]);
		room[i] = sizes ? size_of(v) : v;
	}
	return median_of(room, n);
}

/* Theil and Sen's slope over pairs half the list apart: one bad call in four does not move it. */
static double slope_of(const struct host_shift *h, const struct axis_pair *p, uint32_t n, int64_t *room)
{
	enum { PARTS = 1000000000 }; /* slopes as parts per 10^9, so that integers do */
	uint32_t half = n / 2, m = 0;
	for (uint32_t i = 0; i + half < n; i++) {
		int64_t apart = p[i + half].end_ns - p[i].end_ns;
		double moved = (double)(left_over(h, &p[i + half]) - left_over(h, &p[i]));
		if (apart > 0)
			room[m++] = llround(moved / (double)apart * PARTS);
	}
	return m ? (double)median_of(room, m) / PARTS : 0;
}

static void fit_host(struct host_shift *h, const struct axis_pair *p, uint32_t n, int64_t *room)
{
	h->from_ns = p[0].end_ns;
	h->off_ns = median_left(h, p, n, room, false);
	if (n < DRIFT_PAIRS)
		return;
	struct host_shift with = *h;
	with.drift = slope_of(h, p, n, room);
	with.off_ns += median_left(&with, p, n, room, false);
	if (median_left(&with, p, n, room, true) * 2 <= median_left(h, p, n, room, true))
		*h = with;
}

/* What all hosts share of their shifts is taken back: the first host with pairs stays where it was recorded. Its own correction
 * is undone after that of each host: both are lines, and so is what comes out. */
static void hold_first(struct rank_axis *x)
{
	const struct host_shift *first = NULL;
	for (uint32_t i = 0; i < x->n_hosts && !first; i++)
		first = x->hosts[i].pairs ? &x->hosts[i] : NULL;
	if (!first)
		return;
	struct host_shift base = *first;
	for (uint32_t i = 0; i < x->n_hosts; i++) {
		struct host_shift *h = &x->hosts[i];
		if (!h->pairs)
			continue;
		double from = (double)h->from_ns;
		double held = (from - (double)h->off_ns + (double)base.off_ns - base.drift * (double)base.from_ns) /
			      (1 - base.drift);
		h->off_ns = llround(from - held);
		h->drift = 1 - (1 - h->drift) / (1 - base.drift);
	}
}

static uint32_t pairs_of_host(const struct axis_pair *p, uint32_t n)
{
	uint32_t k = 1;
	while (k < n && p[k].host == p[0].host)
		k++;
	return k;
}

/* One clock that is off does not move the middle of three: the host that is furthest off decides. */
static bool worth_fitting(struct rank_axis *x, const struct axis_pair *p, uint32_t n, int64_t *room)
{
	static const struct host_shift none;
	x->recorded_residual_ns = 0;
	for (uint32_t from = 0, k; from < n; from += k) {
		k = pairs_of_host(&p[from], n - from);
		int64_t left = median_left(&none, &p[from], k, room, true);
		x->recorded_residual_ns = left > x->recorded_residual_ns ? left : x->recorded_residual_ns;
	}
	for (uint32_t i = 0; i < n; i++)
		room[i] = p[i].dur_ns;
	int64_t tenth = median_of(room, n) / 10;
	return x->recorded_residual_ns > (tenth > RESIDUAL_NS ? tenth : RESIDUAL_NS);
}

void rank_axis_fit(struct rank_axis *x, struct axis_pair *pairs, uint32_t n, struct arena *mem)
{
	x->recorded_residual_ns = UNKNOWN_I64;
	for (uint32_t i = 0; i < x->n_hosts; i++)
		x->hosts[i].residual_ns = UNKNOWN_I64;
	if (!n)
		return;
	int64_t *room = arena_alloc(mem, n * sizeof *room);
	qsort(pairs, n, sizeof *pairs, by_host_then_end);
	x->fitted = worth_fitting(x, pairs, n, room) && !x->by_hand;
	for (uint32_t from = 0; from < n; from += pairs_of_host(&pairs[from], n - from)) {
		struct host_shift *h = &x->hosts[pairs[from].host];
		h->pairs = pairs_of_host(&pairs[from], n - from);
		if (x->fitted)
			fit_host(h, &pairs[from], h->pairs, room);
		h->residual_ns = median_left(h, &pairs[from], h->pairs, room, true);
	}
	if (x->fitted)
		hold_first(x);
}
