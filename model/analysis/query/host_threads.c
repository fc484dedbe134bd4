#include "host_threads.h"
#include "model/analysis/derived/cause_names.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/order.h"
#include "model/store/base/grow.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>

/* In which of at most PARTS of the trace's time a thread has events, a bit for each; all bits where it has many. Threads in order of their first
 * event's begin, and over the ends of their last ones a tree: node i has the latest end of nodes 2i and 2i + 1; those from `leaves` on are of
 * LEAF threads each. */
enum { PARTS = 64, LEAF = 16 };
struct threads {
	uint32_t *tracks, n, leaves;
	bool come_and_go;
	uint32_t *begun;    /* may be `tracks` */
	int64_t *until_ns;  /* of each of these */
	int64_t *latest_ns; /* of each node */
};
struct hosts {
	struct threads *at; /* one for each, and an empty one after the last */
	uint64_t *parts;    /* by track */
	/* A part lasts 1 << part_bits ns: which one an event of very many threads lies in is told without a division. */
	unsigned part_bits;
};
struct found {
	uint32_t *tracks, n, cap;
};

static bool is_thread(const struct track_info *k)
{
	return k->kind == TRACK_THREAD && derived_is_host_track(k) && k->n > 0;
}

static int64_t begin_of(const struct derived *d, uint32_t track)
{
	return derived_columns(d)->start_ns[trace_track(derived_trace(d), track)->first];
}

static int by_begin(const void *x, const void *y, void *d)
{
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	int64_t a_ns = begin_of(d, a), b_ns = begin_of(d, b);
	return a_ns != b_ns ? (a_ns > b_ns) - (a_ns < b_ns) : (a > b) - (a < b);
}

static unsigned part_at(const struct hosts *h, int64_t ts_ns)
{
	int64_t part = ts_ns <= 0 ? 0 : ts_ns >> h->part_bits;
	return part < PARTS ? (unsigned)part : PARTS - 1;
}

/* The parts that [a, b) meets. */
static uint64_t parts_of(const struct hosts *h, int64_t a_ns, int64_t b_ns)
{
	unsigned from = part_at(h, a_ns), to = part_at(h, b_ns > a_ns ? b_ns - 1 : a_ns);
	return (UINT64_MAX >> (PARTS - 1 - (to - from))) << from;
}

/* Of many events neither the end nor the parts are sought: few threads have many. */
static int64_t end_of(const struct derived *d, const struct hosts *h, uint32_t track)
{
	enum { MANY = 1024 };
	const struct track_info *k = trace_track(derived_trace(d), track);
	const struct columns *c = derived_columns(d);
	int64_t latest_ns = k->n > MANY ? INT64_MAX : INT64_MIN;
	h->parts[track] = k->n > MANY ? UINT64_MAX : 0;
	for (uint64_t i = 0; k->n <= MANY && i < k->n; i++) {
		row_id r = (row_id)(k->first + i);
		int64_t until_ns = c->dur_ns[r] ? row_end(c, r) : c->start_ns[r] + 1; /* an instant fills its own ns */
		latest_ns = later(latest_ns, until_ns);
		h->parts[track] |= parts_of(h, c->start_ns[r], until_ns);
	}
	return latest_ns;
}

static bool ordered_by_begin(const struct derived *d, const struct threads *x)
{
	int64_t last_ns = INT64_MIN;
	for (uint32_t i = 0; i < x->n; i++) {
		int64_t begin_ns = begin_of(d, x->tracks[i]);
		if (begin_ns < last_ns)
			return false;
		last_ns = begin_ns;
	}
	return true;
}

/* Processes that follow each other are in that order as they are. */
static void order_by_begin(const struct derived *d, struct threads *x)
{
	x->begun = x->tracks;
	if (ordered_by_begin(d, x))
		return;
	x->begun = must(malloc(x->n * sizeof *x->begun));
	memcpy(x->begun, x->tracks, x->n * sizeof *x->begun);
	qsort_r(x->begun, x->n, sizeof *x->begun, by_begin, (void *)d);
}

static void make_tree(const struct derived *d, const struct hosts *h, struct threads *x)
{
	for (x->leaves = 1; x->leaves < x->n / LEAF + 1;)
		x->leaves *= 2;
	x->until_ns = must(malloc((x->n + (size_t)1) * sizeof *x->until_ns));
	x->latest_ns = must(malloc(2 * (size_t)x->leaves * sizeof *x->latest_ns));
	order_by_begin(d, x);
	for (uint32_t i = 0; i < x->leaves; i++)
		x->latest_ns[x->leaves + i] = INT64_MIN;
	for (uint32_t i = 0; i < x->n; i++) {
		int64_t *latest_ns = &x->latest_ns[x->leaves + i / LEAF];
		x->until_ns[i] = end_of(d, h, x->begun[i]);
		*latest_ns = later(*latest_ns, x->until_ns[i]);
	}
	for (uint32_t i = x->leaves; i-- > 1;) {
		int64_t a = x->latest_ns[2 * i], b = x->latest_ns[2 * i + 1];
		x->latest_ns[i] = a > b ? a : b;
	}
}

static bool come_and_go(const struct derived *d, const struct threads *x)
{
	int64_t span_ns = trace_span_ns(derived_trace(d));
	enum { MANY = 1024, AT_ONCE = 64 }; /* one of so many on average */
	double ns = 0;
	for (uint32_t i = 0; i < x->n; i++)
		ns += (double)(earlier(x->until_ns[i], span_ns) - begin_of(d, x->begun[i]));
	return x->n >= MANY && ns < (double)span_ns * x->n / AT_ONCE;
}

/* ---- kept ------------------------------------------------------------------------------------------------------------ */

/* Tracks of a host stand together. */
static void list_threads(const struct trace *t, struct threads *hosts)
{
	uint32_t n = trace_tracks(t);
	for (uint32_t i = 0; i < n;) {
		uint32_t host = trace_track(t, i)->host, first = i;
		struct threads *x = &hosts[host];
		while (i < n && trace_track(t, i)->host == host)
			i++;
		x->tracks = must(realloc(x->tracks, (x->n + i - first + (size_t)1) * sizeof *x->tracks));
		for (uint32_t k = first; k < i; k++)
			if (is_thread(trace_track(t, k)))
				x->tracks[x->n++] = k;
	}
}

static unsigned part_bits(int64_t span_ns)
{
	unsigned bits = 0;
	while (span_ns >> bits >= PARTS)
		bits++;
	return bits;
}

static void *make(const struct derived *d, struct progress *p, struct err *e)
{
	(void)p;
	(void)e;
	const struct trace *t = derived_trace(d);
	struct hosts *made = must(malloc(sizeof *made));
	struct threads *hosts = must(calloc(trace_hosts(t) + (size_t)1, sizeof *hosts));
	*made = (struct hosts){.at = hosts,
			       .parts = must(calloc(trace_tracks(t) + (size_t)1, sizeof *made->parts)),
			       .part_bits = part_bits(trace_span_ns(t))};
	list_threads(t, hosts);
	for (uint32_t h = 0; h < trace_hosts(t); h++) {
		make_tree(d, made, &hosts[h]);
		hosts[h].come_and_go = come_and_go(d, &hosts[h]);
	}
	return made;
}

static void free_made(void *made)
{
	struct hosts *hosts = made;
	for (struct threads *x = hosts->at; x->latest_ns; x++) {
		if (x->begun != x->tracks)
			free(x->begun);
		free(x->tracks);
		free(x->until_ns);
		free(x->latest_ns);
	}
	free(hosts->at);
	free(hosts->parts);
	free(hosts);
}

static const struct hosts *hosts_of(const struct derived *d)
{
	static const struct kept_maker maker = {make, free_made};
	return derived_kept(d, &maker, NULL, NULL);
}

/* Threads of processes that prepare no input: those of process i are tracks[from[i] .. from[i + 1]). */
struct processes {
	uint32_t *tracks, *from;
};

static void *make_processes(const struct derived *d, struct progress *p, struct err *e)
{
	(void)p;
	(void)e;
	const struct trace *t = derived_trace(d);
	struct processes *x = must(malloc(sizeof *x));
	uint32_t n = 0, processes = trace_processes(t);
	x->tracks = must(malloc((trace_tracks(t) + (size_t)1) * sizeof *x->tracks));
	x->from = must(malloc((processes + (size_t)1) * sizeof *x->from));
	for (uint32_t i = 0; i < processes; i++) {
		uint32_t of_it;
		const uint32_t *tracks = process_tracks(d, i, &of_it);
		x->from[i] = n;
		for (uint32_t k = 0; k < of_it; k++)
			if (is_thread(trace_track(t, tracks[k])) && !cause_input_thread(d, tracks[k]))
				x->tracks[n++] = tracks[k];
	}
	x->from[processes] = n;
	return x;
}

static void free_processes(void *made)
{
	struct processes *x = made;
	free(x->tracks);
	free(x->from);
	free(x);
}

uint32_t host_threads_of_process(const struct derived *d, uint32_t process, const uint32_t **tracks)
{
	static const struct kept_maker maker = {make_processes, free_processes};
	const struct processes *x = derived_kept(d, &maker, NULL, NULL);
	*tracks = x->tracks + x->from[process];
	return x->from[process + 1] - x->from[process];
}

/* ---- asking -------------------------------------------------------------------------------------------------------------- */

uint32_t host_threads(const struct derived *d, uint32_t host, const uint32_t **tracks)
{
	const struct threads *x = &hosts_of(d)->at[host];
	*tracks = x->tracks;
	return x->n;
}

/* How many begin before b. */
static uint32_t begun_before(const struct derived *d, const struct threads *x, int64_t b_ns)
{
	uint32_t lo = 0, hi = x->n;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (begin_of(d, x->begun[mid]) < b_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

bool host_threads_come_and_go(const struct derived *d, uint32_t host)
{
	return hosts_of(d)->at[host].come_and_go;
}

static void gather_leaf(const struct threads *x, uint32_t first, uint32_t end, int64_t a_ns, struct found *out)
{
	for (uint32_t i = first; i < end; i++) {
		if (x->until_ns[i] <= a_ns)
			continue;
		GROW_ARRAY(out->tracks, out->n, out->cap);
		out->tracks[out->n++] = x->begun[i];
	}
}

/* Of the `width` extents from `first` on, which the node is of, those before `end` that reach past a. */
static void gather(const struct threads *x, uint32_t node, uint32_t first, uint32_t width, uint32_t end, int64_t a_ns,
		   struct found *out)
{
	if (first >= end || x->latest_ns[node] <= a_ns)
		return;
	if (width == LEAF) {
		gather_leaf(x, first, end < first + LEAF ? end : first + LEAF, a_ns, out);
		return;
	}
	gather(x, 2 * node, first, width / 2, end, a_ns, out);
	gather(x, 2 * node + 1, first + width / 2, width / 2, end, a_ns, out);
}

uint32_t host_threads_meeting(const struct derived *d, const uint32_t *tracks, uint32_t n, int64_t a_ns, int64_t b_ns,
			      uint32_t *out)
{
	const struct hosts *h = hosts_of(d);
	uint64_t parts = parts_of(h, a_ns, b_ns);
	uint32_t found = 0;
	for (uint32_t i = 0; i < n; i++) {
		if (!(h->parts[tracks[i]] & parts))
			continue;
		struct event_iter it = event_iter(derived_trace(d), tracks[i], a_ns, b_ns, KINDS_ALL);
		if (event_next(&it))
			out[found++] = tracks[i];
	}
	return found;
}

static bool ascend(const uint32_t *tracks, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++)
		if (tracks[i - 1] > tracks[i])
			return false;
	return true;
}

uint32_t host_threads_in(const struct derived *d, uint32_t host, int64_t a_ns, int64_t b_ns, uint32_t **tracks)
{
	const struct threads *x = &hosts_of(d)->at[host];
	struct found f = {0};
	gather(x, 1, 0, x->leaves * LEAF, begun_before(d, x, b_ns), a_ns, &f);
	uint32_t n = host_threads_meeting(d, f.tracks, f.n, a_ns, b_ns, f.tracks);
	if (!ascend(f.tracks, n)) /* as they do where processes follow each other */
		qsort(f.tracks, n, sizeof *f.tracks, u32_order);
	*tracks = f.tracks;
	return n;
}
