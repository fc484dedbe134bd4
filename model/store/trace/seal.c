/* model/store/trace/seal.c - from what came in to a trace: pair, number, sort, gather, nest, link. The memory of each raw column
 * is used again as soon as its sorted twin exists, so the peak is one column above the sum. */
#include "packed_tables.h"
#include "model/store/base/both.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>

enum { WORTH_A_THREAD = 1 << 16, PIECE_BYTES = 4 << 20 }; /* rows; of a column that one thread gathers at a time */

static unsigned threads_for(const struct ingest *in)
{
	return in->raw.n < WORTH_A_THREAD ? 1 : in->threads;
}

static int64_t first_sample(const struct ingest *in)
{
	const struct sample_in *s = in->samples.p;
	int64_t first = in->samples.n ? s[0].ts_ns : 0;
	for (size_t i = 1; i < in->samples.n; i++)
		first = s[i].ts_ns < first ? s[i].ts_ns : first;
	return first;
}

/* One look at all times: where the trace begins, how long it is. And all durations together stay below 2^62 ns, so that no
 * sum of them that an analysis makes can overflow: after the 146 years are spent the rest count as instants. Only traces
 * that are broken or meant to break something come near. */
static void survey(struct trace *t, struct ingest *in)
{
	const int64_t *start = in->raw.start_ns.p;
	int64_t *dur = in->raw.dur_ns.p, left_ns = INT64_C(1) << 62, first = 0, last = 0;
	for (size_t i = 0; i < in->raw.n; i++) {
		if (dur[i] > left_ns) {
			notes_add_of(&in->notes, NOTE_DUR_TOO_LONG, in->sources.n == 1 ? 0 : UINT32_MAX, -1, 1);
			dur[i] = 0;
		}
		left_ns -= dur[i];
		int64_t from = start[i] - start[0], end = from + dur[i];
		first = from < first ? from : first;
		last = end > last ? end : last;
	}
	t->base_ns = in->raw.n ? start[0] + first : first_sample(in);
	t->span_ns = last - first;
}

/* What the two halves of the seal's parallel steps share. */
struct sealing {
	struct trace *t;
	struct ingest *in;
	uint32_t *map;
	struct spare spare; /* raw columns that are done with */
	uint32_t *order;    /* row -> raw event */
	struct flow_groups flows;
};

static bool survey_times(void *ctx)
{
	const struct sealing *s = ctx;
	survey(s->t, s->in);
	return true;
}

/* Rows that are no event's are complete; what packed them is freed before the columns take their place. */
static bool finish_numbered(struct ingest *in)
{
	bool ok = true;
	for (enum side_table i = 0; ok && i < SIDE_TABLE_COUNT; i++)
		if (side_tables[i].rows == SIDE_NUMBERED)
			ok = side_packed_finish(&in->packed[i], &side_tables[i]);
	return ok;
}

static bool number_and_finish(void *ctx)
{
	const struct sealing *s = ctx;
	return seal_number(s->t, s->in, s->map) && finish_numbered(s->in);
}

static bool order_rows(void *ctx)
{
	struct sealing *s = ctx;
	s->order = seal_order(s->t, s->in, s->map, &s->spare);
	return s->order != NULL;
}

static bool order_samples(void *ctx)
{
	const struct sealing *s = ctx;
	return seal_samples(s->t, s->in, s->map);
}

/* One raw column on its way to its sorted copy. */
struct gathering {
	const void *from;
	void *to;
	const uint32_t *order;
	size_t n, size;
	uint64_t less;       /* taken off each */
	_Atomic size_t next; /* row that nobody gathers yet */
};

static void gather_rows(const struct gathering *g, size_t first, size_t last)
{
#define GATHER_AS(type)                       \
	for (size_t i = first; i < last; i++) \
		((type *)g->to)[i] = (type)(((const type *)g->from)[g->order[i]] - (type)g->less);
	if (g->size == sizeof(uint64_t))
		GATHER_AS(uint64_t)
	else if (g->size == sizeof(uint32_t))
		GATHER_AS(uint32_t)
	else if (g->size == sizeof(uint16_t))
		GATHER_AS(uint16_t)
	else
		GATHER_AS(uint8_t)
#undef GATHER_AS
}

/* Pieces that nobody gathers yet: where fresh pages lie between ones that were used before, halves would not take as long. */
static bool gather_pieces(void *ctx)
{
	struct gathering *g = ctx;
	size_t piece = PIECE_BYTES / g->size;
	for (size_t first; (first = atomic_fetch_add(&g->next, piece)) < g->n;)
		gather_rows(g, first, first + piece < g->n ? first + piece : g->n);
	return true;
}

/* The sorted copy of a raw column, whose memory is spare then: column by column, so that only one exists twice. NULL when memory
 * is out. */
static void *gathered_less(struct sealing *s, struct column *c, const uint32_t *order, int64_t less)
{
	size_t n = s->in->raw.n;
	struct gathering g = {c->p, spare_alloc(&s->spare, (n + 1) * c->size), order, n, c->size, (uint64_t)less, 0};
	if (!g.to)
		return NULL;
	both(threads_for(s->in), gather_pieces, gather_pieces, &g);
	spare_column(&s->spare, c);
	return g.to;
}

static void *gathered(struct sealing *s, struct column *c, const uint32_t *order)
{
	return gathered_less(s, c, order, 0);
}

/* A raw column without memory is all zeros, as these are until they are written. */
static void *gathered_or_zero(struct sealing *s, struct column *c, const uint32_t *order)
{
	return c->p ? gathered(s, c, order) : large_zeroed(s->in->raw.n + 1, c->size);
}

static bool gather(struct sealing *s, const uint32_t *order)
{
	struct trace *t = s->t;
	struct raw_events *raw = &s->in->raw;
	t->c.n = raw->n;
	spare_column(&s->spare, &raw->track); /* the rows of a track follow each other */
	TRY(t->start_ns = gathered_less(s, &raw->start_ns, order, t->base_ns));
	TRY(t->dur_ns = gathered(s, &raw->dur_ns, order));
	void *corr = gathered_or_zero(s, &raw->corr, order), *attrs = gathered(s, &raw->attrs, order);
	*(raw->corr.size == sizeof *t->corr ? (void **)&t->corr : (void **)&t->corr32) = corr;
	*(raw->attrs.size == sizeof *t->attrs_at ? (void **)&t->attrs_at : (void **)&t->attrs32) = attrs;
	TRY(corr && attrs && (t->name = gathered(s, &raw->name, order)));
	TRY((t->detail = gathered_or_zero(s, &raw->detail, order)) && (t->kind = gathered(s, &raw->kind, order)));
	if (raw->group.n == 0)
		return true;
	TRY(ingest_fill_groups(s->in));
	void *group = gathered(s, &raw->group, order);
	*(raw->group.size == sizeof *t->group ? (void **)&t->group : (void **)&t->group16) = group;
	return group != NULL;
}

static bool fill_tracks(void *ctx)
{
	struct trace *t = ctx;
	for (uint32_t x = 0; x < t->n_tracks; x++)
		for (uint64_t r = t->tracks[x].info.first; r < t->tracks[x].info.first + t->tracks[x].info.n; r++)
			t->track[r] = x;
	return true;
}

static bool fill_links(void *ctx)
{
	struct trace *t = ctx;
	memset(t->link, 0xff, (t->c.n + 1) * sizeof *t->link);
	return true;
}

/* What a row has besides what came in. */
static bool fill_columns(struct sealing *s)
{
	struct trace *t = s->t;
	size_t n = t->c.n;
	t->track = spare_alloc(&s->spare, (n + 1) * sizeof *t->track);
	t->depth = spare_alloc(&s->spare, (n + 1) * sizeof *t->depth);
	t->disp = spare_alloc(&s->spare, (n + 1) * sizeof *t->disp);
	t->by_disp = spare_alloc(&s->spare, (n + 1) * sizeof *t->by_disp);
	t->link = s->order; /* as large, and done with */
	s->order = NULL;
	if (!t->track || !t->depth || !t->disp || !t->by_disp)
		return false;
	ahead_middle(s->in->ahead, t->depth, n * sizeof *t->depth);
	ahead_middle(s->in->ahead, t->disp, n * sizeof *t->disp);
	return both(threads_for(s->in), fill_tracks, fill_links, t);
}

static void sum_up_tracks(struct trace *t)
{
	t->n_device_tracks = t->track_kinds = 0;
	for (uint32_t i = 0; i < t->n_tracks; i++) {
		const struct track_info *k = &t->tracks[i].info;
		t->track_kinds |= 1u << k->kind;
		t->n_device_tracks = k->device != NONE_ID ? i + 1 : t->n_device_tracks;
	}
}

void trace_publish_columns(struct trace *t)
{
	sum_up_tracks(t);
	t->c.start_ns = t->start_ns;
	t->c.dur_ns = t->dur_ns;
	t->c.name = t->name;
	t->c.track = t->track;
	t->c.kind = t->kind;
	t->c.depth = t->depth;
	t->c.disp = t->disp;
	t->c.corr = (struct numbers){.narrow = t->corr32, .wide = t->corr};
	t->c.attrs = (struct numbers){.narrow = t->attrs32, .wide = t->attrs_at};
	t->c.detail = t->detail;
	t->c.link = t->link;
	t->c.group = (struct step_groups){.narrow = t->group16, .wide = t->group};
}

/* Which raw events have a row of a table, and which one: an event's place among them follows from the bits before it. */
struct having {
	struct column memory[3]; /* of the arrays: goes back when it is freed, which that of the heap may not */
	uint64_t *bits;
	uint32_t *before; /* by word of the bits */
	uint32_t *row;    /* by place */
};

static bool has_row(const struct having *h, uint64_t event)
{
	return h->bits[event / 64] >> event % 64 & 1;
}

static uint32_t place_of(const struct having *h, uint64_t event)
{
	uint64_t below = h->bits[event / 64] & ((UINT64_C(1) << event % 64) - 1);
	return h->before[event / 64] + (uint32_t)__builtin_popcountll(below);
}

static uint64_t event_of(const struct column *rows, size_t i)
{
	uint64_t event;
	memcpy(&event, (const char *)rows->p + i * rows->size, sizeof event);
	return event;
}

static bool find_having(struct having *h, const struct column *rows, uint64_t events)
{
	uint64_t words = events / 64 + 1;
	size_t sizes[] = {sizeof *h->bits, sizeof *h->before, sizeof *h->row};
	for (int i = 0; i < 3; i++) {
		h->memory[i].size = sizes[i];
		TRY(column_grow(&h->memory[i], i < 2 ? words : rows->n + 1));
	}
	h->bits = h->memory[0].p;
	h->before = h->memory[1].p;
	h->row = h->memory[2].p;
	for (size_t i = 0; i < rows->n; i++)
		if (event_of(rows, i) < events)
			h->bits[event_of(rows, i) / 64] |= UINT64_C(1) << event_of(rows, i) % 64;
	uint32_t n = 0;
	for (uint64_t i = 0; i < words; n += (uint32_t)__builtin_popcountll(h->bits[i++]))
		h->before[i] = n;
	for (size_t i = 0; i < rows->n; i++)
		if (event_of(rows, i) < events)
			h->row[place_of(h, event_of(rows, i))] = (uint32_t)i;
	return true;
}

/* Rows of a table by event name raw events until now; they become those of rows, in the order of rows. A raw event with several
 * keeps the last. */
static bool order_side_rows(struct ingest *in, enum side_table table, const uint32_t *order)
{
	struct column *rows = &in->side[table], to = {.size = rows->size};
	struct having h = {0};
	bool packed = side_is_packed(table), ok = find_having(&h, rows, in->raw.n);
	ok = ok && (packed || column_grow(&to, rows->n));
	for (uint64_t r = 0; ok && r < in->raw.n; r++) {
		if (!has_row(&h, order[r]))
			continue;
		char *row = (char *)rows->p + h.row[place_of(&h, order[r])] * rows->size;
		memcpy(row, &r, sizeof r);
		if (packed)
			ok = side_packed_add(&in->packed[table], &side_tables[table], row);
		else
			memcpy(column_push(&to), row, rows->size); /* has place: no more than there were */
	}
	for (int i = 0; i < 3; i++)
		column_free(&h.memory[i]);
	ok = ok && (!packed || side_packed_finish(&in->packed[table], &side_tables[table]));
	column_free(ok ? rows : &to);
	if (ok)
		*rows = to;
	return ok;
}

static bool order_side_tables(struct ingest *in, const uint32_t *order)
{
	bool ok = true;
	for (enum side_table i = 0; ok && i < SIDE_TABLE_COUNT; i++)
		if (side_tables[i].rows == SIDE_OF_EVENTS && in->side[i].n)
			ok = order_side_rows(in, i, order);
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
	attrs_note_losses(t->attrs, &t->notes);
	if (in->epoch_ns == UNKNOWN_I64 || __builtin_add_overflow(in->epoch_ns, t->base_ns, &t->epoch_ns))
		t->epoch_ns = UNKNOWN_I64; /* beyond what a clock can tell */
	memcpy(t->side, in->side, sizeof t->side);
	trace_kernels_look(t); /* asked for each kernel: it spares reading its row */
	/* the ingest is freed as ever and must not free them again */
	memset(in->side, 0, sizeof in->side);
	packed_tables_take(t, in);
	t->n_facts = (uint32_t)in->facts.n;
	t->n_sources = (uint32_t)in->sources.n;
	t->facts = malloc((in->facts.n + 1) * sizeof *t->facts);
	t->sources = malloc((in->sources.n + 1) * sizeof *t->sources);
	if (!t->facts || !t->sources)
		memory_exhausted();
	if (in->facts.n)
		memcpy(t->facts, in->facts.p, in->facts.n * sizeof *t->facts);
	if (in->sources.n)
		memcpy(t->sources, in->sources.p, in->sources.n * sizeof *t->sources);
	in->facts.n = in->sources.n = 0;
}

static bool seal_columns(struct sealing *s)
{
	struct trace *t = s->t;
	struct ingest *in = s->in;
	TRY(both(threads_for(in), survey_times, number_and_finish, s));
	spare_column(&s->spare, &in->pairs); /* they are events now */
	TRY(t->samples = spare_alloc(&s->spare, (in->samples.n + 1) * sizeof *t->samples));
	TRY(both(threads_for(in), order_rows, order_samples, s) && order_side_tables(in, s->order));
	spare_column(&s->spare, &in->samples);
	TRY(gather(s, s->order) && fill_columns(s));
	move_rest(t, in);
	trace_publish_columns(t);
	return true;
}

/* What takes memory for a while comes first: its pages serve what is made later. */
static bool link_up(void *ctx)
{
	struct sealing *s = ctx;
	return seal_links(s->t) && flows_group(s->in, &s->flows);
}

static bool skip_blocks(void *ctx)
{
	struct sealing *s = ctx;
	return seal_skip(s->t);
}

/* Nesting, launches, display rows and arrows. */
static bool seal_relations(struct sealing *s)
{
	struct helpers link = {threads_for(s->in), s->in->ahead, link_up, s};
	struct helpers skip = {threads_for(s->in), s->in->ahead, skip_blocks, s};
	return seal_nest(s->t, &link) && seal_display(s->t, &skip) && seal_flows(s->t, s->in, s->map, &s->flows);
}

static bool seal_all(struct trace *t, struct ingest *in, struct err *e)
{
	if (in->progress)
		atomic_store(&in->progress->phase, PHASE_SORT);
	TRY(attrs_seal(in->attrs, e));
	pending_kernels_settle(in);
	ingest_pair(in);
	ingest_forget_indexes(in);
	struct sealing s = {.t = t, .in = in, .map = malloc((in->tracks.n + 1) * sizeof *s.map), .spare = in->spare};
	in->spare.n = 0;
	bool ok = s.map && !in->failed && seal_columns(&s);
	spare_free(&s.spare);
	free(s.order);
	ok = ok && !progress_cancelled(in->progress) && seal_relations(&s);
	flows_ungroup(&s.flows);
	free(s.map);
	if (!ok)
		return progress_cancelled(in->progress) ? err_set(e, NULL, -1, "cancelled") : err_memory(e, NULL);
	return true;
}

struct trace *ingest_seal(struct ingest *in, struct err *e)
{
	struct trace *t = calloc(1, sizeof *t);
	if (t)
		atomic_store(&t->refs, 1);
	else
		err_memory(e, NULL);
	if (t && !seal_all(t, in, e)) {
		trace_free(t);
		t = NULL;
	}
	ingest_free(in);
	memory_for_answers();
	return t;
}
