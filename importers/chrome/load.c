/* importers/chrome/load.c - walks the file: one window at a time, one entry at a time, nothing kept.
 * Forms: {"traceEvents": [...], ...}, a bare array, one object per line. The array's closing bracket is optional. */
#include "chrome.h"
#include "importers/handover.h"
#include "stretches.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "importers/file_names.h"

/* An entry larger than this is passed over; the largest seen in real traces has 150 kB. */
enum { MAX_RECORD_BYTES = 64 << 20, MAX_HEADER_BYTES = 4 << 20, SNIFF_BYTES = 64 << 10 };
/* Stretches are as long as windows: longer ones fall out of the caches, of shorter ones the trace comes over more often. So many must
 * be left of a file to be worth a thread. */
enum { LEAST_STRETCHES = 4 };

struct load {
	struct chrome *c;
	struct source *src;
	struct progress *progress;
	const char *from, *p, *end; /* the window: from its start at from_at, read up to p */
	int64_t from_at;
	bool ended, cancelled, found_events;
	bool cut; /* the file ends inside something */
	struct scanner scanner;
	struct handover *queue;
	uint64_t sent;               /* batches, when this window began */
	struct stretches *stretches; /* of a plain file, from the first one on */
	int64_t alone_until;         /* offset up to which this thread goes on alone */
	int64_t alone_bytes;         /* how far it goes the next time */
};

static int64_t at(const struct load *l)
{
	return l->from_at + (l->p - l->from);
}

/* ---- what goes to the consumer ------------------------------------------------------------------------------------------ */

static void send(struct load *l)
{
	struct batch *b = handover_current(l->queue);
	if (!b->n_items)
		return;
	if (atomic_load_explicit(&l->c->many_names, memory_order_relaxed))
		batch_hash_names(b);
	handover_send(l->queue);
}

static struct batch *batch(struct load *l)
{
	if (batch_full(handover_current(l->queue)))
		send(l);
	return handover_current(l->queue);
}

/* Until here everything is in the trace: chrome and ingest may be touched. */
static void settle(struct load *l)
{
	send(l);
	handover_wait(l->queue, handover_sent(l->queue));
}

static void note_as(struct load *l, enum item_kind kind, enum note_id id)
{
	struct batch *b = batch(l);
	b->item[b->n_items++] = (struct item){.at = at(l), .kind = (uint8_t)kind, .note = (uint8_t)id};
}

static void note(struct load *l, enum note_id id)
{
	note_as(l, ITEM_NOTE, id);
}

/* ---- the window ------------------------------------------------------------------------------------------------------ */

/* Batches point into the window before this one at most: the source keeps it until the next call. */
static void make_way(struct load *l)
{
	send(l);
	handover_wait(l->queue, l->sent);
	l->sent = handover_sent(l->queue);
}

/* Carries the unread rest over and reads on. False: nothing more, or cancelled. */
static bool more(struct load *l)
{
	size_t left = (size_t)(l->end - l->p), have;
	/* half as much again each time: an entry larger than the window is reached in few steps, and not read over and over */
	size_t want = left + left / 2 + 16;
	l->cancelled |= progress_cancelled(l->progress);
	if (l->cancelled || l->ended)
		return false;
	make_way(l);
	source_skip(l->src, (size_t)(l->p - l->from));
	l->from_at = source_at(l->src);
	l->from = l->p = (const char *)source_need(l->src, want, &have);
	l->end = l->p + have;
	l->ended = have < want;
	return have > left;
}

/* The next byte that is no blank; 0 at the end. */
static char next(struct load *l)
{
	for (;;) {
		l->p = scan_blanks(l->p);
		if (l->p < l->end)
			return *l->p ? *l->p : '?';
		if (!more(l))
			return 0;
	}
}

/* ---- entries ------------------------------------------------------------------------------------------------------ */

/* After a broken entry: on to where the next one starts, or to the end. */
static void resynchronise(struct load *l)
{
	enum { LOOK_AHEAD = 256 };
	char before = 0;
	l->p++;
	for (;;) {
		if (l->end - l->p < LOOK_AHEAD && !l->ended)
			more(l);
		if (l->p >= l->end || l->cancelled)
			return;
		if (before != ':' && entry_starts(l->p, l->end)) /* after a colon it is a member's value */
			return;
		if (!isspace((unsigned char)*l->p))
			before = *l->p;
		l->p++;
	}
}

static void bad_entry(struct load *l)
{
	note_as(l, ITEM_BAD_ENTRY, NOTE_BAD_RECORD);
	resynchronise(l);
}

static void entry(struct load *l)
{
	enum fault why;
	for (;;) {
		const char *behind = entry_scan(&l->scanner, batch(l), l->p, l->end, at(l), &why);
		if (behind) {
			l->p = behind;
			return;
		}
		if (why == FAULT_BAD || l->end - l->p > MAX_RECORD_BYTES) {
			bad_entry(l);
			return;
		}
		if (!more(l)) {
			if (!l->cancelled)
				note(l, NOTE_TRUNCATED);
			l->cut = true;
			l->p = l->end;
			return;
		}
	}
}

/* What stands between entries. */
enum gap { GAP_START, GAP_VALUE, GAP_COMMA };

/* On to an entry that follows a comma, as nearly all do. False: nothing was passed. */
static inline bool comma_and_entry(struct load *l)
{
	if (*l->p != ',')
		return false;
	const char *p = scan_blanks(l->p + 1);
	if (*p != '{')
		return false;
	l->p = p;
	return true;
}

/* Is what is left of the file worth another thread? */
static bool worth_stretches(struct load *l)
{
	if (at(l) < l->alone_until)
		return false;
	bool plain = source_threads(l->src) > 1 && source_file(l->src) >= 0;
	int64_t least = LEAST_STRETCHES * (int64_t)source_window(l->src);
	bool much = plain && source_bytes_now(l->src) - at(l) >= least;
	if (!much)
		l->alone_until = INT64_MAX;
	return much;
}

/* At an entry: by two threads as far as that goes. Where it does not go far, as in a file of huge entries, it is tried less often.
 * True: an entry follows. */
static bool entries_by_two(struct load *l)
{
	int64_t from = at(l), bytes = (int64_t)source_window(l->src);
	bool at_entry;
	settle(l);
	if (!l->stretches)
		l->stretches = stretches_new(l->c, source_file(l->src), (size_t)bytes, l->progress);
	if (!l->stretches) {
		l->alone_until = INT64_MAX;
		return true;
	}
	source_skip(l->src, (size_t)(l->p - l->from));
	int64_t to = stretches_take(l->stretches, from, &at_entry);
	source_go_on_at(l->src, to);
	l->from_at = to;
	l->p = l->from = l->end;
	l->ended = false;
	l->cancelled |= progress_cancelled(l->progress);
	bool far = to - from >= LEAST_STRETCHES * bytes;
	l->alone_bytes = far || !l->alone_bytes ? LEAST_STRETCHES * bytes : l->alone_bytes * 2;
	l->alone_until = to + l->alone_bytes;
	return at_entry;
}

/* Up to the closing bracket, which is optional; `lines`: one object after another, without an array. */
static void entries(struct load *l, bool lines)
{
	enum gap gap = GAP_START;
	char ch;
	l->found_events = true;
	for (;;) {
		if (gap == GAP_VALUE && comma_and_entry(l)) {
			if (!lines && worth_stretches(l))
				gap = entries_by_two(l) ? GAP_COMMA : GAP_VALUE;
			else
				entry(l);
			continue;
		}
		if ((ch = next(l)) == 0)
			break;
		if (ch == ']' && !lines) {
			if (gap == GAP_COMMA)
				note(l, NOTE_NOT_STRICT_JSON);
			l->p++;
			return;
		}
		if (ch == ',') {
			if (gap != GAP_VALUE)
				note(l, NOTE_NOT_STRICT_JSON);
			gap = GAP_COMMA;
			l->p++;
			continue;
		}
		if (gap == GAP_VALUE && !lines)
			note(l, NOTE_NOT_STRICT_JSON);
		gap = GAP_VALUE;
		if (ch == '{')
			entry(l);
		else
			bad_entry(l);
	}
	if (gap == GAP_COMMA)
		note(l, NOTE_NOT_STRICT_JSON);
	if (!lines && !l->cancelled && !l->cut)
		note(l, NOTE_ARRAY_UNCLOSED);
}

/* ---- the members beside the entries -------------------------------------------------------------------------------- */

/* Reads one value as a whole. False: it is cut off, too long or none. */
static bool whole_value(struct load *l, struct value *v)
{
	enum fault why;
	for (;;) {
		const char *behind = scan_value(l->p, l->end, v, &why);
		if (behind) {
			l->p = behind;
			return true;
		}
		if (why == FAULT_BAD || l->end - l->p > MAX_HEADER_BYTES)
			return false;
		if (!more(l)) {
			l->cut = true;
			return false;
		}
	}
}

/* Passes over a value without holding it. False: it does not end. */
static bool pass_over(struct load *l)
{
	struct skipper k = {0};
	for (;;) {
		const char *behind = scan_skip(&k, l->p, l->end);
		l->p = behind ? behind : l->end;
		if (behind)
			return true;
		if (!more(l)) {
			l->cut = true;
			return false;
		}
	}
}

static bool member_value(struct load *l, const char *key, size_t n)
{
	struct value v;
	char ch = next(l);
	if (ch == '[' && n == 11 && memcmp(key, "traceEvents", n) == 0) {
		l->p++;
		entries(l, false);
		return true;
	}
	if ((ch == '[' || ch == '{') && !header_wants(key, n))
		return pass_over(l);
	int64_t from = at(l);
	if (whole_value(l, &v)) {
		settle(l);
		header_member(l->c, key, n, &v);
		return true;
	}
	/* too long to be held: nothing of it was taken, so it can be passed over piece by piece */
	return at(l) == from && pass_over(l);
}

static bool member(struct load *l)
{
	struct value v;
	char key[64];
	if (!whole_value(l, &v))
		return false;
	size_t n = v.n < sizeof key ? v.n : sizeof key;
	memcpy(key, v.p, n);
	if (next(l) != ':')
		return false;
	l->p++;
	return member_value(l, key, n);
}

/* The top-level object. Damage between its members ends the walk, with a note. */
static void members(struct load *l)
{
	char ch;
	l->p++;
	while ((ch = next(l)) != 0 && ch != '}') {
		if (ch == ',') {
			l->p++;
			continue;
		}
		if (ch != '"' || !member(l)) {
			if (!l->cancelled)
				note(l, l->cut || !next(l) ? NOTE_TRUNCATED : NOTE_DAMAGED_REGION);
			l->p = l->end;
			l->ended = true;
			return;
		}
	}
	l->p += ch == '}';
}

/* ---- the file -------------------------------------------------------------------------------------------------------- */

/* One object per line: the first one is an entry itself. Judged by the keys in sight. */
static bool is_lines(const char *p, const char *end)
{
	struct value key, v;
	while (object_next(&p, end, &key, &v)) {
		if (value_is(&key, "ph"))
			return true;
		if (value_is(&key, "traceEvents"))
			return false;
	}
	return false;
}

static void byte_order_mark(struct load *l)
{
	while (l->end - l->p < 3 && more(l))
		;
	if (l->end - l->p >= 3 && memcmp(l->p, "\xef\xbb\xbf", 3) == 0) {
		note(l, NOTE_NOT_STRICT_JSON);
		l->p += 3;
	}
}

static void walk(struct load *l)
{
	byte_order_mark(l);
	char ch = next(l);
	/* what kind of file it is shows in the first keys, which may stand far after the bracket */
	while (l->end - l->p < SNIFF_BYTES && more(l))
		;
	if (ch == '[') {
		l->p++;
		entries(l, false);
	} else if (ch == '{' && is_lines(l->p, l->end)) {
		note(l, NOTE_NOT_STRICT_JSON);
		entries(l, true);
	} else if (ch == '{') {
		members(l);
	}
	if (!l->ended || l->p < l->end)
		for (ch = next(l); ch == '?'; ch = next(l))
			l->p++; /* zero bytes after the end are padding */
	if (ch && l->found_events && next(l))
		note(l, NOTE_DAMAGED_REGION);
}

static struct chrome *chrome_new(struct source *src, struct ingest *in)
{
	char name[256];
	struct chrome *c = calloc(1, sizeof *c);
	if (!c)
		return NULL;
	c->in = in;
	c->waiting.size = sizeof(struct pending);
	c->notes = ingest_notes(in);
	c->strings = ingest_strings(in);
	c->entries_before = c->notes->entries;
	host_in_name(source_name(src), name, sizeof name);
	c->host = ingest_host(in, name, rank_in_name(source_name(src)));
	reader_init(&c->reader, in);
	identities_init(&c->identities, in, c->host);
	return c;
}

static void chrome_free(struct chrome *c)
{
	identities_free(&c->identities);
	reader_free(&c->reader);
	column_free(&c->waiting);
	free(c->devices);
	free(c);
}

static void finish(struct load *l)
{
	event_finish(l->c);
	identities_apply_names(&l->c->identities);
	header_finish(l->c);
	const char *damage = source_damage(l->src);
	if (damage) {
		ingest_fact(l->c->in, "stream_damage", damage);
		notes_add(l->c->notes, NOTE_STREAM_DAMAGED, source_at(l->src) + (l->end - l->from), 1);
	}
}

/* False when nothing of the file is of use. */
static bool verdict(struct load *l, struct err *e)
{
	struct notes *n = l->c->notes;
	const char *name = source_name(l->src);
	uint64_t met = n->entries - l->c->entries_before;
	if (l->cancelled)
		return err_usage(e, "cancelled");
	if (source_io_error(l->src, e)) {
		if (met == 0 ||
		    source_out_of_memory(l->src)) /* the file is sound, and another try may read all of it */
			return false;
		notes_add(n, NOTE_STREAM_DAMAGED, at(l), 1);
	}
	if (!l->found_events)
		return err_set(e, name, at(l), "JSON without trace events: no \"traceEvents\" and no event array");
	if (met > 0 && l->c->sound == 0)
		return err_set(e, name, 0, "not one entry of this JSON array is a trace event");
	return true;
}

/* Up to 4096 entries under way, a window of Kineto text: stretches of unequal work even out. */
static const struct handover_kind batches = {sizeof(struct batch), 16, batch_take, batch_free};

static bool load(struct source *src, struct ingest *in, struct progress *p, struct err *e)
{
	static const char nothing[SOURCE_PAD]; /* an empty window, readable as far as any other */
	struct load l = {.src = src, .progress = p, .c = chrome_new(src, in)};
	if (!l.c)
		return err_memory(e, source_name(src));
	l.from = l.p = l.end = nothing;
	l.from_at = source_at(src);
	layout_init(&l.scanner.layout);
	/* a plain file is read by two threads otherwise: stretches.h */
	l.c->handed_over = source_threads(src) > 1 && source_file(src) < 0;
	l.queue = handover_new(l.c->handed_over, &batches, l.c);
	bool ok = l.queue != NULL || err_memory(e, source_name(src));
	if (ok) {
		walk(&l);
		settle(&l);
		if (!l.cancelled)
			finish(&l);
		ok = verdict(&l, e);
	}
	handover_free(l.queue);
	stretches_free(l.stretches);
	layout_free(&l.scanner.layout);
	chrome_free(l.c);
	return ok;
}

static int sniff(const unsigned char *head, size_t n)
{
	size_t i = n >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
	while (i < n && isspace(head[i]))
		i++;
	if (i == n || (head[i] != '{' && head[i] != '['))
		return 0;
	if (memmem(head, n, "\"traceEvents\"", 13))
		return 95;
	return memmem(head, n, "\"ph\"", 4) ? 90 : 15;
}

static const char *const endings[] = {".json", ".trace.json", ".pt.trace.json", ".trace", NULL};
const struct importer importer_chrome = {.name = "chrome",
					 .what = "a Chrome or PyTorch JSON trace",
					 .endings = endings,
					 .sniff = sniff,
					 .load = load,
					 .producer = "a program that writes Chrome trace events"};
