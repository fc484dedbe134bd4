/* model/store/ingest/coverage.c - busy time per bin and track while an import runs. Bins double in width as time goes on, so a
 * trace of any length fits; the reader only ever sees published copies. */
#include "ingest_private.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TRACKS = 512, FIRST_SHIFT = 12 };

void coverage_free(struct ingest *in)
{
	column_free(&in->bins.tracks);
	free(in->published);
}

/* Every two bins become one. The freed half of the row lies behind the rest, or before it when an earlier time has come. */
static void fold(struct coverage_bins *b, int into_upper)
{
	struct coverage_row *rows = b->tracks.p;
	for (size_t t = 0; t < b->tracks.n; t++) {
		float half[COVERAGE_BINS] = {0};
		for (int i = 0; i < COVERAGE_BINS; i++)
			half[i / 2 + (into_upper ? COVERAGE_BINS / 2 : 0)] += rows[t].busy_ns[i];
		memcpy(rows[t].busy_ns, half, sizeof half);
	}
	if (into_upper)
		b->origin_ns -= (int64_t)COVERAGE_BINS << b->shift;
	b->shift++;
}

static int64_t width_ns(const struct coverage_bins *b)
{
	return (int64_t)COVERAGE_BINS << b->shift;
}

static void widen(struct coverage_bins *b, int64_t start_ns, int64_t end_ns)
{
	if (!b->begun) {
		b->begun = true;
		b->origin_ns = b->last_ns = start_ns;
		b->shift = FIRST_SHIFT;
	}
	/* 256 bins of 2^52 ns are 36 years: what lies further apart is not drawn */
	while (start_ns < b->origin_ns && b->shift < 52)
		fold(b, 1);
	while (end_ns - b->origin_ns > width_ns(b) && b->shift < 52)
		fold(b, 0);
	if (end_ns > b->last_ns)
		b->last_ns = end_ns;
}

static void spread(struct coverage_bins *b, struct coverage_row *row, int64_t start_ns, int64_t end_ns)
{
	int64_t from = start_ns - b->origin_ns, to = end_ns - b->origin_ns;
	if (from < 0 || to > width_ns(b))
		return;
	for (int64_t at = from; at < to;) {
		int64_t bin = at >> b->shift, edge = (bin + 1) << b->shift;
		row->busy_ns[bin] += (float)((edge < to ? edge : to) - at);
		at = edge;
	}
}

void coverage_event(struct ingest *in, const struct event_in *e)
{
	struct coverage_bins *b = &in->bins;
	if (e->track >= MAX_TRACKS)
		return;
	/* memory that is out costs the picture only */
	while (b->tracks.n <= e->track)
		if (!column_push(&b->tracks))
			return;
	widen(b, e->start_ns, e->start_ns + e->dur_ns);
	struct coverage_row *row = (struct coverage_row *)b->tracks.p + e->track;
	row->events++;
	spread(b, row, e->start_ns, e->start_ns + e->dur_ns);
}

/* "rank 3 " where several are read; else "". */
static const char *rank_words(struct ingest *in, const struct track_info *t, char *buf, size_t size)
{
	uint32_t host = t->device != NONE_ID    ? ingest_device_info(in, t->device)->host
			: t->process != NONE_ID ? ingest_process_info(in, t->process)->host
						: NONE_ID;
	buf[0] = 0;
	if (in->hosts.n > 1 && host != NONE_ID && ingest_host_info(in, host)->rank >= 0)
		snprintf(buf, size, "rank %d ", (int)ingest_host_info(in, host)->rank);
	return buf;
}

static void publish_track(struct ingest *in, uint32_t track, struct coverage_track *out)
{
	char rank[24];
	const struct track_info *t = ingest_track_info(in, track);
	const struct coverage_row *row = (struct coverage_row *)in->bins.tracks.p + track;
	const char *name = strings_z(in->strings, t->name);
	memset(out, 0, sizeof *out);
	rank_words(in, t, rank, sizeof rank);
	if (*name)
		snprintf(out->name, sizeof out->name, "%s%s", rank, name);
	else
		snprintf(out->name, sizeof out->name, "%s%s %lld", rank, track_kind_name(t->kind), (long long)t->key);
	out->kind = t->kind;
	out->events = row->events;
	float bin_ns = (float)((int64_t)1 << in->bins.shift);
	for (int i = 0; i < COVERAGE_BINS; i++)
		out->busy[i] = row->busy_ns[i] > bin_ns ? 1.0f : row->busy_ns[i] / bin_ns;
}

void coverage_publish(struct ingest *in)
{
	in->bins_on = true; /* events are binned from the first request for the picture on */
	pthread_mutex_lock(&in->published_lock);
	if (!in->published)
		in->published = calloc(MAX_TRACKS, sizeof *in->published);
	in->n_published = 0;
	/* the reader takes the first so many: streams are what is watched */
	for (int streams_first = 1; in->published && streams_first >= 0; streams_first--)
		for (uint32_t i = 0; i < in->bins.tracks.n; i++) {
			bool is_stream = ingest_track_info(in, i)->kind == TRACK_STREAM;
			const struct coverage_row *row = (struct coverage_row *)in->bins.tracks.p + i;
			if (is_stream == (streams_first == 1) && row->events)
				publish_track(in, i, &in->published[in->n_published++]);
		}
	in->published_span_ns = in->bins.begun ? width_ns(&in->bins) : 0;
	pthread_mutex_unlock(&in->published_lock);
	atomic_store_explicit(&in->coverage_wanted, false, memory_order_release);
}

uint32_t ingest_coverage(struct ingest *in, struct coverage_track *out, uint32_t max, int64_t *span_ns)
{
	pthread_mutex_lock(&in->published_lock);
	uint32_t n = in->n_published < max ? in->n_published : max;
	if (n)
		memcpy(out, in->published, n * sizeof *out);
	*span_ns = in->published_span_ns;
	pthread_mutex_unlock(&in->published_lock);
	atomic_store_explicit(&in->coverage_wanted, true, memory_order_release);
	return n;
}
