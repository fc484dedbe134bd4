/* live/decode.c - a target's hosts, devices, tracks; the walk over its records; what was lost. */
#include "decode_private.h"
#include <stdlib.h>
#include <string.h>

/* ---- texts --------------------------------------------------------------------------------------------------------- */

str_id decode_text(struct decoding *d, uint32_t ours)
{
	if (ours == 0 || ours >= d->n_texts)
		return 0;
	if (d->texts[ours])
		return d->texts[ours];
	pthread_mutex_lock(d->s->lock);
	struct span text = strings_get(d->s->strings, ours);
	pthread_mutex_unlock(d->s->lock); /* a text that stands there stays where it is */
	return d->texts[ours] = strings_add(d->to, text.p, text.n);
}

/* ---- owners and tracks --------------------------------------------------------------------------------------------- */

static const struct target_facts *facts(const struct decoding *d)
{
	return &d->s->targets[d->target];
}

static void describe_device(struct decoding *d, uint32_t device, const struct wire_device *w)
{
	str_id name = decode_text(d, w->name);
	struct device *to = ingest_device_info(d->in, device);
	to->name = name;
	to->vendor = strings_addz(d->to, "Nvidia");
	to->cc_major = w->cc_major;
	to->cc_minor = w->cc_minor;
	if (w->multiprocessors)
		to->sms = w->multiprocessors;
	if (w->core_khz)
		to->clock_khz = w->core_khz;
	if (w->memory_bytes && w->memory_bytes <= INT64_MAX)
		to->memory_bytes = (int64_t)w->memory_bytes;
	if (w->memory_bytes_per_s && w->memory_bytes_per_s <= INT64_MAX)
		to->memory_bytes_per_s = (int64_t)w->memory_bytes_per_s;
}

/* Device of the ingest. */
static uint32_t decode_device(struct decoding *d, uint32_t ordinal)
{
	const struct target_facts *t = facts(d);
	uint32_t device = ingest_device(d->in, d->host, ordinal);
	for (uint32_t i = 0; i < t->n_devices; i++)
		if (t->devices[i].device == ordinal)
			describe_device(d, device, &t->devices[i]);
	return device;
}

static const struct wire_place *place_at(const struct decoding *d, uint32_t place)
{
	return place > 0 && place <= d->s->n_places ? &d->s->places[place - 1] : NULL;
}

/* Streams of two contexts may have one number: those of all but the first context seen on a device say which. A target
 * that makes up places without end does not make us look through all of them for each. */
static uint32_t first_context(const struct decoding *d, uint32_t device)
{
	enum { LOOKED_AT = 4096 };
	for (uint32_t i = 0; i < d->s->n_places && i < LOOKED_AT; i++)
		if (d->s->places[i].device == device)
			return d->s->places[i].context;
	return WIRE_NO_ID;
}

static void name_stream(struct decoding *d, uint32_t track, const struct wire_place *p)
{
	const struct target_facts *t = facts(d);
	for (uint32_t i = 0; i < t->n_streams; i++)
		if (t->streams[i].stream == p->stream && t->streams[i].context == p->context && t->streams[i].name) {
			str_id name = decode_text(d, t->streams[i].name);
			ingest_track_info(d->in, track)->name = name;
		}
}

static void find_place(struct decoding *d, uint32_t place)
{
	const struct wire_place *p = place_at(d, place);
	struct place_row *row = &d->places[place];
	char lane[32] = "";
	row->device = decode_device(d, p->device == WIRE_NO_ID ? 0 : p->device);
	if (p->context != first_context(d, p->device))
		snprintf(lane, sizeof lane, "context %u", p->context);
	row->stream = ingest_track(d->in, TRACK_STREAM, row->device, p->stream == WIRE_NO_ID ? -1 : (int64_t)p->stream,
				   strings_addz(d->to, lane));
	name_stream(d, row->stream, p);
}

int32_t decode_ordinal(const struct decoding *d, uint32_t place)
{
	const struct wire_place *p = place_at(d, place);
	return p && p->device <= INT16_MAX ? (int32_t)p->device : -1;
}

uint32_t decode_stream(struct decoding *d, uint32_t place)
{
	if (!place_at(d, place))
		return ingest_track(d->in, TRACK_STREAM, decode_device(d, 0), -1, 0);
	if (d->places[place].stream == NONE_ID)
		find_place(d, place);
	return d->places[place].stream;
}

uint32_t decode_process_lane(struct decoding *d, enum decode_word lane)
{
	return ingest_track(d->in, TRACK_OTHER, d->process, 0, d->words[lane]);
}

uint32_t decode_lane(struct decoding *d, uint32_t place, enum decode_word lane)
{
	const struct wire_place *p = place_at(d, place);
	if (!p || p->device == WIRE_NO_ID)
		return decode_process_lane(d, lane);
	decode_stream(d, place);
	return ingest_track(d->in, TRACK_STREAM_LANE, d->places[place].device,
			    p->stream == WIRE_NO_ID ? -1 : (int64_t)p->stream, d->words[lane]);
}

uint32_t decode_thread(struct decoding *d, uint32_t tid)
{
	uint32_t slot = tid % (sizeof d->threads / sizeof *d->threads);
	if (d->threads[slot].track != NONE_ID && d->threads[slot].tid == tid)
		return d->threads[slot].track;
	const struct target_facts *t = facts(d);
	uint32_t track = ingest_track(d->in, TRACK_THREAD, d->process, tid, 0);
	for (uint32_t i = 0; i < t->n_threads; i++)
		if (t->threads[i].tid == tid && t->threads[i].name) {
			str_id name = decode_text(d, t->threads[i].name);
			ingest_track_info(d->in, track)->name = name;
		}
	d->threads[slot].tid = tid;
	d->threads[slot].track = track;
	return track;
}

void decode_count(struct decoding *d, const struct event_in *e)
{
	ingest_notes(d->in)->entries++;
	ingest_event(d->in, e);
}

/* ---- what was lost ------------------------------------------------------------------------------------------------- */

static void put_span(struct decoding *d, uint32_t track, int64_t a_ns, int64_t b_ns, const char *text)
{
	struct event_in e = {.start_ns = a_ns,
			     .dur_ns = b_ns - a_ns,
			     .name = strings_addz(d->to, text),
			     .track = track,
			     .kind = KIND_OVERHEAD,
			     .group = -1,
			     .at = -1};
	decode_count(d, &e);
}

static const char *const kind_words[] = {
#define KIND_WORD(id, word, on, help) word,
	WIRE_KINDS(KIND_WORD)
#undef KIND_WORD
};

static void on_gap(struct decoding *d, const struct wire_gap *g)
{
	const struct target_facts *t = facts(d);
	char text[200];
	size_t n = (size_t)snprintf(text, sizeof text, "lost records:");
	for (int k = 0; k < WIRE_KIND_COUNT; k++)
		if (g->count[k] && n < sizeof text)
			n += (size_t)snprintf(text + n, sizeof text - n, " %llu %s", (unsigned long long)g->count[k],
					      kind_words[k]);
	int64_t a_ns = (int64_t)g->first_ns, b_ns = (int64_t)g->last_ns;
	put_span(d, decode_process_lane(d, WORD_LOST_LANE), a_ns, b_ns, text);
	for (uint32_t i = 0; i < t->n_devices; i++)
		put_span(d,
			 ingest_track(d->in, TRACK_STREAM_LANE, decode_device(d, t->devices[i].device), -1,
				      d->words[WORD_LOST_LANE]),
			 a_ns, b_ns, text);
}

static void on_lost(struct decoding *d, const struct wire_lost *l)
{
	char text[100];
	snprintf(text, sizeof text, "at least %llu records lost by CUPTI", (unsigned long long)l->count);
	put_span(d, decode_process_lane(d, WORD_LOST_LANE), (int64_t)l->realtime_ns, (int64_t)l->realtime_ns, text);
}

static void on_clock(struct decoding *d, const struct wire_clock *c)
{
	char text[100];
	snprintf(text, sizeof text, "the clock was set by %lld us", (long long)(c->step_ns / 1000));
	put_span(d, decode_process_lane(d, WORD_CAPTURE_LANE), (int64_t)c->realtime_ns, (int64_t)c->realtime_ns, text);
}

static uint64_t sum(const uint64_t *of)
{
	uint64_t all = 0;
	for (int k = 0; k < WIRE_KIND_COUNT; k++)
		all += of[k];
	return all;
}

static void tell_losses(struct decoding *d)
{
	const struct target_facts *t = facts(d);
	struct notes *n = ingest_notes(d->in);
	uint64_t lost = sum(t->lost_in_ring) + t->lost_by_cupti, bad = sum(t->bad_time);
	if (lost)
		notes_add(n, NOTE_PRODUCER_DROPPED, -1, lost);
	n->entries += bad + t->damaged;
	if (bad)
		notes_add(n, NOTE_BAD_TIME, -1, bad);
	if (t->damaged)
		notes_add(n, NOTE_BAD_RECORD, -1, t->damaged);
	if (t->over && *t->why)
		notes_add(n, NOTE_CAPTURE_CUT, -1, 1);
}

/* ---- the walk ------------------------------------------------------------------------------------------------------ */

static bool on_frame(void *ctx, const struct wire_frame *f)
{
	struct decoding *d = ctx;
	const void *p = f;
	if (f->type >= WIRE_RECORD)
		decode_record(d, f);
	else if (f->type == WIRE_GAP)
		on_gap(d, p);
	else if (f->type == WIRE_LOST)
		on_lost(d, p);
	else if (f->type == WIRE_CLOCK)
		on_clock(d, p);
	if (d->stopped || progress_cancelled(d->progress))
		d->stopped = true;
	return !d->stopped;
}

static void begin_target(struct decoding *d, uint32_t target)
{
	const struct target_facts *t = &d->s->targets[target];
	char name[160], path[320];
	d->target = target;
	snprintf(path, sizeof path, "%s (%d)", *t->told.command ? t->told.command : "process", t->told.pid);
	snprintf(name, sizeof name, "%s:%d", *t->told.host ? t->told.host : "localhost", t->told.pid);
	ingest_source(d->in, path, "live");
	ingest_promise(d->in, SOURCE_PROFILER, NULL);
	ingest_epoch(d->in, 0);
	d->host = ingest_host(d->in, name, t->told.rank);
	d->process = ingest_process(d->in, d->host, t->told.pid);
	str_id command = strings_addz(d->to, t->told.command);
	ingest_process_info(d->in, d->process)->name = command;
	for (uint32_t i = 0; i <= d->s->n_places; i++)
		d->places[i] = (struct place_row){NONE_ID, NONE_ID};
	for (size_t i = 0; i < sizeof d->threads / sizeof *d->threads; i++)
		d->threads[i].track = NONE_ID;
	d->ends_alone = 0;
	d->last_ns = t->last_ns;
}

static bool walk_target(struct decoding *d, uint32_t target, struct err *e)
{
	begin_target(d, target);
	for (size_t i = 0; i < d->s->n_segments && !d->stopped; i++)
		if (d->s->segments[i]->target == target && !segment_each(d->s->segments[i], on_frame, d))
			return err_usage(e, "the records kept in a temporary file cannot be read back");
	if (d->stopped)
		return err_usage(e, "cancelled");
	decode_open_ranges(d);
	tell_losses(d);
	return true;
}

static void put_facts(struct decoding *d)
{
	char text[32];
	const struct snapshot *s = d->s;
	ingest_fact(d->in, "producer", "stepscope live capture");
	if (s->evicted) {
		snprintf(text, sizeof text, "%llu", (unsigned long long)s->evicted);
		ingest_fact(d->in, "records_let_go", text);
		notes_add(ingest_notes(d->in), NOTE_LET_GO, -1, s->evicted);
	}
	if (s->refused) {
		ingest_notes(d->in)->entries += s->refused;
		notes_add(ingest_notes(d->in), NOTE_BAD_RECORD, -1, s->refused);
	}
	for (uint32_t i = 0; i < s->n_targets; i++)
		if (s->targets[i].told.cupti_version) {
			snprintf(text, sizeof text, "%u", s->targets[i].told.cupti_version);
			ingest_fact(d->in, "cupti_version", text);
		}
}

static bool alloc_tables(struct decoding *d)
{
	pthread_mutex_lock(d->s->lock);
	d->n_texts = strings_count(d->s->strings);
	pthread_mutex_unlock(d->s->lock);
	d->texts = calloc(d->n_texts + 1, sizeof *d->texts);
	d->kernels = calloc(d->s->n_shapes + 1, sizeof *d->kernels);
	d->places = calloc(d->s->n_places + 1, sizeof *d->places);
	return d->texts && d->kernels && d->places;
}

static bool comes_before(const struct client_facts *a, const struct client_facts *b)
{
	if (a->rank != b->rank)
		return a->rank >= 0 && (b->rank < 0 || a->rank < b->rank);
	if (a->start_ticks != b->start_ticks)
		return a->start_ticks < b->start_ticks;
	return a->pid < b->pid;
}

/* By rank, then by age, whatever the order in which they came. */
static bool walk_targets(struct decoding *d, struct err *e)
{
	uint32_t n = d->s->n_targets, *order = calloc(n + 1, sizeof *order);
	bool ok = order || err_memory(e, NULL);
	for (uint32_t i = 0; ok && i < n; i++) {
		uint32_t at = i;
		for (; at > 0 && comes_before(&d->s->targets[i].told, &d->s->targets[order[at - 1]].told); at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
	for (uint32_t i = 0; ok && i < n; i++)
		ok = walk_target(d, order[i], e);
	free(order);
	return ok;
}

bool decode(const struct snapshot *s, struct ingest *in, struct progress *p, struct err *e)
{
	static const char *const words[] = {
#define WORD_TEXT(id, text) text,
		DECODE_WORDS(WORD_TEXT)
#undef WORD_TEXT
	};
	struct decoding d = {.s = s, .in = in, .progress = p, .to = ingest_strings(in)};
	bool ok = alloc_tables(&d) || err_memory(e, NULL);
	for (int i = 0; i < WORD_COUNT; i++)
		d.words[i] = strings_addz(d.to, words[i]);
	ok = ok && walk_targets(&d, e);
	if (ok)
		put_facts(&d);
	free(d.texts);
	free(d.kernels);
	free(d.places);
	free(d.ranges);
	idmap_free(&d.range_of_id);
	return ok;
}
