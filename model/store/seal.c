/* model/store/seal.c - from what came in to a trace: pair, number, sort, gather, nest, link. Each raw column is freed as
 * soon as its sorted twin exists, so the peak is one column above the sum. */
#include "both.h"
#include "trace_private.h"
#include <stdlib.h>
#include <string.h>

static int64_t first_time(const struct ingest *in)
{
	const int64_t *start = in->raw.start_ns.p;
	const struct sample_in *s = in->samples.p;
	int64_t first = INT64_MAX;
	for (size_t i = 0; i < in->raw.n; i++)
		first = start[i] < first ? start[i] : first;
	for (size_t i = 0; i < in->samples.n && in->raw.n == 0; i++)
		first = s[i].ts_ns < first ? s[i].ts_ns : first;
	return first == INT64_MAX ? 0 : first;
}

/* Sorted copy of one raw column; frees the raw one. */
#define GATHER(type, raw_name, out)                                                              \
	static bool gather_##raw_name(struct trace *t, struct ingest *in, const uint32_t *order) \
	{                                                                                        \
		size_t n = in->raw.n;                                                            \
		const type *from = in->raw.raw_name.p;                                           \
		type *to = malloc((n + 1) * sizeof *to);                                         \
		if (!to)                                                                         \
			return false;                                                            \
		for (size_t i = 0; i < n; i++)                                                   \
			to[i] = from[order[i]];                                                  \
		column_free(&in->raw.raw_name);                                                  \
		t->out = to;                                                                     \
		return true;                                                                     \
	}
GATHER(int64_t, start_ns, start_ns)
GATHER(int64_t, dur_ns, dur_ns)
GATHER(uint64_t, corr, corr)
GATHER(attr_at, attrs, attrs_at)
GATHER(str_id, name, name)
GATHER(uint32_t, track, track)
GATHER(uint32_t, detail, detail)
GATHER(uint8_t, kind, kind)
GATHER(int32_t, group, group)

/* What the two halves of the seal's parallel steps share. */
struct sealing {
	struct trace *t;
	struct ingest *in;
	const uint32_t *order;
};

static bool gather_times(void *ctx)
{
	struct sealing *s = ctx;
	return gather_start_ns(s->t, s->in, s->order) && gather_dur_ns(s->t, s->in, s->order) &&
	       gather_corr(s->t, s->in, s->order) && gather_kind(s->t, s->in, s->order);
}

static bool gather_others(void *ctx)
{
	struct sealing *s = ctx;
	TRY(gather_attrs(s->t, s->in, s->order) && gather_name(s->t, s->in, s->order));
	TRY(gather_track(s->t, s->in, s->order) && gather_detail(s->t, s->in, s->order));
	return !s->in->raw.group.n || (ingest_fill_groups(s->in) && gather_group(s->t, s->in, s->order));
}

static bool nest_and_index(void *ctx)
{
	struct sealing *s = ctx;
	return seal_nest(s->t) && seal_rows(s->t);
}

static bool link_up(void *ctx)
{
	struct sealing *s = ctx;
	return seal_links(s->t);
}

static bool gather(struct trace *t, struct ingest *in, const uint32_t *order, const uint32_t *map)
{
	TRY(both(in->threads, gather_times, gather_others, &(struct sealing){t, in, order}));
	size_t n = t->c.n = in->raw.n;
	for (size_t r = 0; r < n; r++) {
		t->start_ns[r] -= t->base_ns;
		t->track[r] = map[t->track[r]];
		int64_t end = t->start_ns[r] + t->dur_ns[r];
		t->span_ns = end > t->span_ns ? end : t->span_ns;
	}
	t->depth = calloc(n + 1, sizeof *t->depth);
	t->disp = calloc(n + 1, sizeof *t->disp);
	t->link = malloc((n + 1) * sizeof *t->link);
	if (!t->depth || !t->disp || !t->link)
		return false;
	memset(t->link, 0xff, (n + 1) * sizeof *t->link);
	return true;
}

void trace_publish_columns(struct trace *t)
{
	t->c.start_ns = t->start_ns;
	t->c.dur_ns = t->dur_ns;
	t->c.name = t->name;
	t->c.track = t->track;
	t->c.kind = t->kind;
	t->c.depth = t->depth;
	t->c.disp = t->disp;
	t->c.corr = t->corr;
	t->c.attrs = t->attrs_at;
	t->c.detail = t->detail;
	t->c.link = t->link;
	t->c.group = t->group;
}

static int cmp_end(const void *a, const void *b)
{
	const struct end_attrs *x = a, *y = b;
	return x->event < y->event ? -1 : x->event > y->event;
}

/* End attributes name raw events until now; turn them into rows. */
static bool move_ends(struct trace *t, struct ingest *in, const uint32_t *order)
{
	size_t n = in->ends.n;
	if (n == 0)
		return true;
	const struct end_attrs *from = in->ends.p;
	uint32_t *end_of = calloc(in->raw.n + 1, sizeof *end_of); /* raw event -> its end's index + 1 */
	t->ends = malloc(n * sizeof *t->ends);
	if (!end_of || !t->ends) {
		free(end_of);
		return false;
	}
	for (size_t i = 0; i < n; i++)
		end_of[from[i].event] = (uint32_t)i + 1;
	for (size_t r = 0; r < in->raw.n; r++)
		if (end_of[order[r]])
			t->ends[t->n_ends++] = (struct end_attrs){r, from[end_of[order[r]] - 1].attrs};
	free(end_of);
	qsort(t->ends, t->n_ends, sizeof *t->ends, cmp_end);
	return true;
}

static int cmp_sample(const void *a, const void *b)
{
	const struct sample *x = a, *y = b;
	return x->ts_ns < y->ts_ns ? -1 : x->ts_ns > y->ts_ns;
}

static bool move_samples(struct trace *t, const struct ingest *in, const uint32_t *map)
{
	size_t n = in->samples.n;
	const struct sample_in *s = in->samples.p;
	uint64_t *next = calloc(t->n_tracks + 1, sizeof *next);
	t->samples = malloc((n + 1) * sizeof *t->samples);
	bool ok = next && t->samples;
	for (uint32_t i = 0; ok && i < t->n_tracks; i++)
		next[i] = t->tracks[i].first_sample;
	for (size_t i = 0; ok && i < n; i++)
		t->samples[next[map[s[i].track]]++] = (struct sample){s[i].ts_ns - t->base_ns, s[i].value};
	for (uint32_t i = 0; ok && i < t->n_tracks; i++)
		qsort(t->samples + t->tracks[i].first_sample, t->tracks[i].n_samples, sizeof *t->samples, cmp_sample);
	free(next);
	return ok;
}

/* Hands over what needs no work. */
static void move_rest(struct trace *t, struct ingest *in)
{
	t->strings = in->strings;
	t->attrs = in->attrs;
	in->strings = NULL;
	in->attrs = NULL;
	t->notes = in->notes;
	t->epoch_ns = in->epoch_ns == UNKNOWN_I64 ? UNKNOWN_I64 : in->epoch_ns + t->base_ns;
	t->kernels = in->kernels;
	t->copies = in->copies;
	t->host_details = in->host_details;
	in->kernels.p = in->copies.p = in->host_details.p = NULL;
	t->n_facts = (uint32_t)in->facts.n;
	t->n_sources = (uint32_t)in->sources.n;
	t->facts = malloc((in->facts.n + 1) * sizeof *t->facts);
	t->sources = malloc((in->sources.n + 1) * sizeof *t->sources);
	if (!t->facts || !t->sources)
		abort();
	if (in->facts.n)
		memcpy(t->facts, in->facts.p, in->facts.n * sizeof *t->facts);
	if (in->sources.n)
		memcpy(t->sources, in->sources.p, in->sources.n * sizeof *t->sources);
	in->facts.n = in->sources.n = 0;
}

static bool seal_columns(struct trace *t, struct ingest *in, uint32_t *map)
{
	t->base_ns = first_time(in);
	TRY(seal_number(t, in, map));
	uint32_t *order = seal_order(t, in, map);
	bool ok = order && move_ends(t, in, order) && gather(t, in, order, map);
	free(order);
	TRY(ok && move_samples(t, in, map));
	move_rest(t, in);
	trace_publish_columns(t);
	return true;
}

static bool seal_all(struct trace *t, struct ingest *in, struct err *e)
{
	if (in->progress)
		atomic_store(&in->progress->phase, PHASE_SORT);
	TRY(attrs_seal(in->attrs, e));
	ingest_pair(in);
	uint32_t *map = malloc((in->tracks.n + 1) * sizeof *map);
	bool ok = map && !in->failed && seal_columns(t, in, map);
	ok = ok && !progress_cancelled(in->progress);
	ok = ok && both(in->threads, nest_and_index, link_up, &(struct sealing){t, in, NULL});
	ok = ok && seal_flows(t, in, map);
	free(map);
	if (!ok)
		return progress_cancelled(in->progress) ? err_set(e, NULL, -1, "cancelled")
							: err_set(e, NULL, -1, "not enough memory for this trace");
	return true;
}

struct trace *ingest_seal(struct ingest *in, struct err *e)
{
	struct trace *t = calloc(1, sizeof *t);
	if (t)
		atomic_store(&t->refs, 1);
	else
		err_set(e, NULL, -1, "not enough memory for this trace");
	if (t && !seal_all(t, in, e)) {
		trace_free(t);
		t = NULL;
	}
	ingest_free(in);
	return t;
}
