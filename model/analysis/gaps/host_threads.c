#include "host_threads.h"
#include "model/analysis/derived/rows.h"
#include "model/store/base/grow.h"
#include "model/store/base/memory.h"
#include <stdlib.h>

/* From the begin of a thread's first event to the end of its last one. */
struct extent {
	int64_t from_ns, until_ns;
	uint32_t track;
};
/* By from_ns. Over them a tree: node i has the latest end of nodes 2i and 2i + 1; those from `leaves` on are of one thread each. */
struct threads {
	uint32_t *tracks, n, leaves;
	struct extent *at;
	int64_t *latest_ns;
};
struct found {
	uint32_t *tracks, n, cap;
};

static bool is_thread(const struct track_info *k)
{
	return k->kind == TRACK_THREAD && derived_is_host_track(k) && k->n > 0;
}

static int by_begin(const void *x, const void *y)
{
	const struct extent *a = x, *b = y;
	int c = (a->from_ns > b->from_ns) - (a->from_ns < b->from_ns);
	return c ? c : (a->track > b->track) - (a->track < b->track);
}

static int by_track(const void *x, const void *y)
{
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	return (a > b) - (a < b);
}

/* Of many events the end is not sought: few threads have many. */
static struct extent extent_of(const struct derived *d, uint32_t track)
{
	enum { MANY = 1024 };
	const struct track_info *k = trace_track(derived_trace(d), track);
	const struct columns *c = derived_columns(d);
	struct extent x = {c->start_ns[k->first], k->n > MANY ? INT64_MAX : INT64_MIN, track};
	for (uint64_t i = 0; k->n <= MANY && i < k->n; i++) {
		row_id r = (row_id)(k->first + i);
		int64_t until_ns = c->dur_ns[r] ? row_end(c, r) : c->start_ns[r] + 1; /* an instant fills its own ns */
		x.until_ns = until_ns > x.until_ns ? until_ns : x.until_ns;
	}
	return x;
}

static void make_tree(const struct derived *d, struct threads *x)
{
	for (x->leaves = 1; x->leaves < x->n;)
		x->leaves *= 2;
	x->at = must(malloc((x->n + (size_t)1) * sizeof *x->at));
	x->latest_ns = must(malloc(2 * (size_t)x->leaves * sizeof *x->latest_ns));
	for (uint32_t i = 0; i < x->n; i++)
		x->at[i] = extent_of(d, x->tracks[i]);
	if (x->n)
		qsort(x->at, x->n, sizeof *x->at, by_begin);
	for (uint32_t i = 0; i < x->leaves; i++)
		x->latest_ns[x->leaves + i] = i < x->n ? x->at[i].until_ns : INT64_MIN;
	for (uint32_t i = x->leaves; i-- > 1;) {
		int64_t a = x->latest_ns[2 * i], b = x->latest_ns[2 * i + 1];
		x->latest_ns[i] = a > b ? a : b;
	}
}

/* ---- kept: one for each host, and an empty one behind the last ----------------------------------------------------------- */

static void *make(const struct derived *d, struct progress *p, struct err *e)
{
	(void)p;
	(void)e;
	const struct trace *t = derived_trace(d);
	struct threads *hosts = must(calloc(trace_hosts(t) + (size_t)1, sizeof *hosts));
	for (uint32_t i = 0; i < trace_tracks(t); i++)
		hosts[trace_track(t, i)->host].n += is_thread(trace_track(t, i));
	for (uint32_t h = 0; h < trace_hosts(t); h++) {
		hosts[h].tracks = must(malloc((hosts[h].n + (size_t)1) * sizeof *hosts[h].tracks));
		hosts[h].n = 0;
	}
	for (uint32_t i = 0; i < trace_tracks(t); i++) {
		struct threads *x = &hosts[trace_track(t, i)->host];
		if (is_thread(trace_track(t, i)))
			x->tracks[x->n++] = i;
	}
	for (uint32_t h = 0; h < trace_hosts(t); h++)
		make_tree(d, &hosts[h]);
	return hosts;
}

static void free_made(void *made)
{
	struct threads *hosts = made;
	for (struct threads *x = hosts; x->tracks; x++) {
		free(x->tracks);
		free(x->at);
		free(x->latest_ns);
	}
	free(hosts);
}

static const struct threads *threads_of(const struct derived *d, uint32_t host)
{
	static const struct kept_maker maker = {make, free_made};
	const struct threads *hosts = derived_kept(d, &maker, NULL, NULL);
	return &hosts[host];
}

/* ---- asking -------------------------------------------------------------------------------------------------------------- */

uint32_t host_threads(const struct derived *d, uint32_t host, const uint32_t **tracks)
{
	const struct threads *x = threads_of(d, host);
	*tracks = x->tracks;
	return x->n;
}

/* How many begin before b. */
static uint32_t begun_before(const struct threads *x, int64_t b_ns)
{
	uint32_t lo = 0, hi = x->n;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (x->at[mid].from_ns < b_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Of the `width` extents from `first` on, which the node is of, those before `end` that reach past a. */
static void gather(const struct threads *x, uint32_t node, uint32_t first, uint32_t width, uint32_t end, int64_t a_ns,
		   struct found *out)
{
	if (first >= end || x->latest_ns[node] <= a_ns)
		return;
	if (width == 1) {
		GROW_ARRAY(out->tracks, out->n, out->cap);
		out->tracks[out->n++] = x->at[first].track;
		return;
	}
	gather(x, 2 * node, first, width / 2, end, a_ns, out);
	gather(x, 2 * node + 1, first + width / 2, width / 2, end, a_ns, out);
}

uint32_t host_threads_in(const struct derived *d, uint32_t host, int64_t a_ns, int64_t b_ns, uint32_t **tracks)
{
	const struct threads *x = threads_of(d, host);
	struct found f = {0};
	gather(x, 1, 0, x->leaves, begun_before(x, b_ns), a_ns, &f);
	uint32_t n = 0;
	for (uint32_t i = 0; i < f.n; i++) {
		struct event_iter it = event_iter(derived_trace(d), f.tracks[i], a_ns, b_ns, KINDS_ALL);
		if (event_next(&it))
			f.tracks[n++] = f.tracks[i];
	}
	if (n)
		qsort(f.tracks, n, sizeof *f.tracks, by_track);
	*tracks = f.tracks;
	return n;
}
