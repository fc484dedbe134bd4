/* model/store/trace/number.c - final ids. Hosts are in the order of their ranks, or of the files; processes, devices and tracks are
 * sorted, so that ids do not depend on the order in which a file (or several threads) brought them up. */
#include "trace_private.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int cmp_i64(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

static int cmp_process(const void *a, const void *b, void *ctx)
{
	struct ingest *in = ctx;
	const struct process *x = ingest_process_info(in, *(const uint32_t *)a);
	const struct process *y = ingest_process_info(in, *(const uint32_t *)b);
	int c = cmp_i64(x->host, y->host);
	return c ? c : cmp_i64(x->pid, y->pid);
}

static int cmp_device(const void *a, const void *b, void *ctx)
{
	struct ingest *in = ctx;
	const struct device *x = ingest_device_info(in, *(const uint32_t *)a);
	const struct device *y = ingest_device_info(in, *(const uint32_t *)b);
	int c = cmp_i64(x->host, y->host);
	return c ? c : cmp_i64(x->ordinal, y->ordinal);
}

/* Devices come before processes of the same host; a stream's lanes come right under it. */
static int cmp_track(const void *a, const void *b, void *ctx)
{
	struct ingest *in = ctx;
	const struct track_info *x = ingest_track_info(in, *(const uint32_t *)a);
	const struct track_info *y = ingest_track_info(in, *(const uint32_t *)b);
	bool x_dev = x->device != NONE_ID, y_dev = y->device != NONE_ID;
	int c = cmp_i64(x->host, y->host);
	if (c == 0)
		c = cmp_i64(y_dev, x_dev);
	if (c == 0 && x_dev)
		c = cmp_device(&x->device, &y->device, ctx);
	if (c == 0 && !x_dev && x->process != y->process)
		c = cmp_process(&x->process, &y->process, ctx);
	/* of a process all threads before all counters; of a device each stream before its own lanes, so by key first */
	if (c == 0 && !x_dev)
		c = cmp_i64(x->kind, y->kind);
	if (c == 0)
		c = cmp_i64(x->key, y->key);
	if (c == 0)
		c = cmp_i64(x->kind, y->kind);
	if (c == 0)
		c = strcmp(strings_z(in->strings, x->lane), strings_z(in->strings, y->lane));
	return c ? c : cmp_i64(*(const uint32_t *)a, *(const uint32_t *)b);
}

/* ---- sorting ids ------------------------------------------------------------------------------------------------------- */

/* Files bring most of them up in order: runs that are sorted already are merged by twos. */
struct id_sort {
	struct ingest *in;
	int (*cmp)(const void *, const void *, void *);
	uint32_t *ids, *spare; /* from the one into the other */
	uint32_t *run;         /* where each begins */
	size_t n, runs;
};

static bool goes_before(const struct id_sort *s, uint32_t x, uint32_t y)
{
	return s->cmp(&x, &y, s->in) < 0;
}

static void find_runs(struct id_sort *s)
{
	for (uint32_t i = 0; i < s->n; i++) {
		s->ids[i] = i;
		if (!i || goes_before(s, i, i - 1))
			s->run[s->runs++] = i;
	}
}

/* Runs [a, b) and [b, c). */
static void merge(const struct id_sort *s, size_t a, size_t b, size_t c)
{
	size_t x = a, y = b, out = a;
	while (x < b && y < c)
		s->spare[out++] = goes_before(s, s->ids[y], s->ids[x]) ? s->ids[y++] : s->ids[x++];
	memcpy(s->spare + out, s->ids + x, (b - x) * sizeof *s->ids);
	memcpy(s->spare + out + (b - x), s->ids + y, (c - y) * sizeof *s->ids);
}

static void merge_by_twos(struct id_sort *s)
{
	for (size_t i = 0; i < s->runs; i += 2) {
		size_t b = i + 1 < s->runs ? s->run[i + 1] : s->n, c = i + 2 < s->runs ? s->run[i + 2] : s->n;
		merge(s, s->run[i], b, c);
		s->run[i / 2] = s->run[i];
	}
	s->runs = (s->runs + 1) / 2;
	uint32_t *merged = s->spare;
	s->spare = s->ids;
	s->ids = merged;
}

/* [0, n) in that order, equal ones as they are; to be freed. NULL when memory is out. */
static uint32_t *sorted_ids(struct ingest *in, size_t n, int (*cmp)(const void *, const void *, void *))
{
	size_t bytes = (n + 1) * sizeof(uint32_t);
	struct id_sort s = {in, cmp, malloc(bytes), malloc(bytes), malloc(bytes), n, 0};
	bool ok = s.ids && s.spare && s.run;
	if (ok)
		find_runs(&s);
	while (s.runs > 1)
		merge_by_twos(&s);
	if (!ok)
		free(s.ids);
	free(s.spare);
	free(s.run);
	return ok ? s.ids : NULL;
}

/* ---- tracks ------------------------------------------------------------------------------------------------------------ */

/* Events and samples per provisional track. Neighbours often are of one track: counting them apart spares each the wait for
 * the one before, where tracks are few. */
static uint64_t *count_tracks(const struct ingest *in, uint64_t *samples)
{
	enum { APART_BITS = 2, FEW = 4096 };
	int bits = in->tracks.n <= FEW ? APART_BITS : 0;
	size_t apart = (size_t)1 << bits;
	uint64_t *n = calloc(in->tracks.n + 1, apart * sizeof *n);
	const uint32_t *track = in->raw.track.p;
	const struct sample_in *s = in->samples.p;
	for (size_t i = 0; n && i < in->raw.n; i++)
		n[(size_t)track[i] << bits | (i & (apart - 1))]++;
	for (size_t x = 0; n && bits && x < in->tracks.n; x++)
		n[x] = n[x << APART_BITS] + n[x << APART_BITS | 1] + n[x << APART_BITS | 2] + n[x << APART_BITS | 3];
	for (size_t i = 0; n && i < in->samples.n; i++)
		samples[s[i].track]++;
	return n;
}

/* ---- hosts ------------------------------------------------------------------------------------------------------------ */

struct place {
	struct host host;
	uint32_t old;
};

static int by_rank(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	return cmp_i64(x->host.rank, y->host.rank);
}

/* Those whose rank is known, by rank; *n of them. 0: several have one rank, or there is nothing to sort by. */
static uint32_t known_ranks(const struct ingest *in, struct place *known)
{
	const struct host *h = in->hosts.p;
	uint32_t n = 0;
	for (uint32_t i = 0; i < in->hosts.n; i++)
		if (h[i].rank >= 0)
			known[n++] = (struct place){h[i], i};
	qsort(known, n, sizeof *known, by_rank);
	for (uint32_t i = 1; i < n; i++)
		if (known[i].host.rank == known[i - 1].host.rank)
			return 0;
	return n;
}

/* Ranks take the places that ranks had, in order of their numbers; all others stay. A file may meet rank 1 first. */
static bool order_hosts(struct ingest *in)
{
	struct host *h = in->hosts.p;
	struct place *known = malloc((in->hosts.n + 1) * sizeof *known);
	uint32_t *now = malloc((in->hosts.n + 1) * sizeof *now), at = 0;
	uint32_t n = known && now ? known_ranks(in, known) : 0;
	for (uint32_t i = 0; now && i < in->hosts.n; i++)
		now[i] = i;
	for (uint32_t i = 0; i < n; i++, at++) {
		while (h[at].rank < 0)
			at++;
		h[at] = known[i].host;
		now[known[i].old] = at;
	}
	for (uint32_t i = 0; n && i < in->processes.n; i++)
		ingest_process_info(in, i)->host = now[ingest_process_info(in, i)->host];
	for (uint32_t i = 0; n && i < in->devices.n; i++)
		ingest_device_info(in, i)->host = now[ingest_device_info(in, i)->host];
	for (uint32_t i = 0; n && i < in->tracks.n; i++)
		ingest_track_info(in, i)->host = now[ingest_track_info(in, i)->host];
	bool ok = known && now;
	free(known);
	free(now);
	return ok;
}

/* Several recordings of one worker, or one file twice, have one rank or, without one, one name: from the second on the name says which
 * it is, "worker0 #2". */
static bool tell_hosts_apart(struct ingest *in)
{
	struct host *h = in->hosts.p;
	str_id *names = malloc((in->hosts.n + 1) * sizeof *names);
	for (uint32_t i = 0; names && i < in->hosts.n; i++) {
		uint32_t number = 1;
		struct arena mem = {0};
		names[i] = h[i].name;
		for (uint32_t k = 0; k < i; k++)
			number += h[k].rank == h[i].rank && (h[i].rank >= 0 || names[k] == names[i]);
		if (number > 1)
			h[i].name = strings_addz(in->strings, arena_printf(&mem, "%s #%" PRIu32,
									   strings_z(in->strings, names[i]), number));
		arena_free(&mem);
	}
	bool ok = names != NULL;
	free(names);
	return ok;
}

/* ---- what is on them -------------------------------------------------------------------------------------------------- */

struct renumber {
	uint32_t *device, *process; /* old -> new */
};

static bool number_owners(struct trace *t, struct ingest *in, struct renumber *r)
{
	uint32_t *dev = sorted_ids(in, in->devices.n, cmp_device), *proc = sorted_ids(in, in->processes.n, cmp_process);
	t->n_hosts = (uint32_t)in->hosts.n;
	t->n_devices = (uint32_t)in->devices.n;
	t->n_processes = (uint32_t)in->processes.n;
	t->hosts = calloc(in->hosts.n + 1, sizeof *t->hosts);
	t->devices = calloc(in->devices.n + 1, sizeof *t->devices);
	t->processes = calloc(in->processes.n + 1, sizeof *t->processes);
	r->device = calloc(in->devices.n + 1, sizeof *r->device);
	r->process = calloc(in->processes.n + 1, sizeof *r->process);
	bool ok = dev && proc && t->hosts && t->devices && t->processes && r->device && r->process;
	for (uint32_t i = 0; ok && i < t->n_hosts; i++)
		t->hosts[i] = *ingest_host_info(in, i);
	for (uint32_t i = 0; ok && i < t->n_devices; i++) {
		t->devices[i] = *ingest_device_info(in, dev[i]);
		r->device[dev[i]] = i;
	}
	for (uint32_t i = 0; ok && i < t->n_processes; i++) {
		t->processes[i] = *ingest_process_info(in, proc[i]);
		r->process[proc[i]] = i;
	}
	free(dev);
	free(proc);
	return ok;
}

static void add_track(struct trace *t, const struct track_info *from, const struct renumber *r, uint64_t events,
		      uint64_t samples)
{
	struct trace_track *prev = t->n_tracks ? &t->tracks[t->n_tracks - 1] : NULL;
	struct trace_track *x = &t->tracks[t->n_tracks++];
	x->info = *from;
	x->info.n = events;
	x->info.first = prev ? prev->info.first + prev->info.n : 0;
	x->n_samples = samples;
	x->first_sample = prev ? prev->first_sample + prev->n_samples : 0;
	if (from->device != NONE_ID)
		x->info.device = r->device[from->device];
	if (from->process != NONE_ID)
		x->info.process = r->process[from->process];
}

bool seal_number(struct trace *t, struct ingest *in, uint32_t *map)
{
	struct renumber r = {0};
	if (!order_hosts(in) || !tell_hosts_apart(in))
		return false;
	uint64_t *samples = calloc(in->tracks.n + 1, sizeof *samples);
	uint64_t *events = samples ? count_tracks(in, samples) : NULL;
	uint32_t *order = sorted_ids(in, in->tracks.n, cmp_track);
	t->tracks = calloc(in->tracks.n + 1, sizeof *t->tracks);
	bool ok = samples && events && order && t->tracks && number_owners(t, in, &r);
	for (size_t i = 0; i < in->tracks.n; i++)
		map[i] = NONE_ID;
	for (size_t i = 0; ok && i < in->tracks.n; i++) {
		uint32_t old = order[i];
		/* importers make tracks before they know whether anything lies on them */
		if (events[old] + samples[old] == 0)
			continue;
		map[old] = t->n_tracks;
		add_track(t, ingest_track_info(in, old), &r, events[old], samples[old]);
	}
	free(samples);
	free(events);
	free(order);
	free(r.device);
	free(r.process);
	return ok;
}
