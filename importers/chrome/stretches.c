#include "stretches.h"
#include "chrome.h"
#include "entry.h"
#include "importers/source.h"
#include "importers/turns.h"
#include "model/store/base/grow.h"
#include "model/store/facts/attrs.h"
#include "model/store/base/memory.h"
#include "model/store/base/thread.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* MORE_BYTES: read at a time for an entry that goes on after its stretch. */
enum { WORKERS = 2, MORE_BYTES = 16 << 10 };

/* A thread and the stretch that it works on. */
struct worker {
	struct stretches *all;
	struct scanner scanner;
	struct batch **batch; /* the first n_batches hold entries */
	size_t n_batches, cap_batches;
	char *text; /* the bytes [at, at + n) of the file, SOURCE_PAD zeros after them, room for more */
	int64_t at;
	size_t n;
	const char *begins,
		*ends;        /* the entries scanned, and where the next one begins; where `stops`, what stands there */
	bool stops, at_entry; /* nothing is scanned after `ends`; at_entry: an entry begins there, else one ends */
};
struct stretches {
	struct chrome *c;
	struct progress *progress;
	int fd;
	size_t bytes;
	int64_t from; /* of the first stretch */
	struct worker worker[WORKERS];
	struct turns turns; /* by number of the stretch */
	/* of who has the turn */
	int64_t at; /* everything before it is taken */
	bool stopped, at_entry;
};

struct stretches *stretches_new(struct chrome *c, int fd, size_t bytes, struct progress *p)
{
	struct stretches *s = calloc(1, sizeof *s);
	if (!s)
		return NULL;
	*s = (struct stretches){.c = c, .progress = p, .fd = fd, .bytes = bytes};
	turns_init(&s->turns);
	bool ok = true;
	for (int i = 0; i < WORKERS; i++) {
		struct worker *w = &s->worker[i];
		w->all = s;
		w->text = malloc(2 * bytes + SOURCE_PAD); /* what is not reached is never touched */
		layout_init(&w->scanner.layout);
		ok = ok && w->text;
	}
	if (ok)
		return s;
	stretches_free(s);
	return NULL;
}

void stretches_free(struct stretches *s)
{
	for (int i = 0; s && i < WORKERS; i++) {
		struct worker *w = &s->worker[i];
		for (size_t k = 0; k < w->cap_batches && w->batch[k]; k++) {
			batch_free(w->batch[k]);
			free(w->batch[k]);
		}
		free(w->batch);
		free(w->text);
		layout_free(&w->scanner.layout);
	}
	if (!s)
		return;
	turns_free(&s->turns);
	free(s);
}

/* ---- reading and scanning, which touch nothing but the worker ---------------------------------------------------------- */

static int64_t offset(const struct worker *w, const char *p)
{
	return w->at + (p - w->text);
}

/* Up to so many bytes after those at hand. False: there are none, or no room. */
static bool read_on(struct worker *w, size_t bytes)
{
	size_t room = 2 * w->all->bytes - w->n;
	ssize_t got;
	do {
		got = pread(w->all->fd, w->text + w->n, bytes < room ? bytes : room, w->at + (int64_t)w->n);
	} while (got < 0 && errno == EINTR);
	w->n += got > 0 ? (size_t)got : 0;
	memset(w->text + w->n, 0, SOURCE_PAD);
	return got > 0;
}

static void read_stretch(struct worker *w, uint64_t number)
{
	w->at = w->all->from + (int64_t)(number * w->all->bytes);
	w->n = 0;
	while (w->n < w->all->bytes && read_on(w, w->all->bytes - w->n))
		;
}

static struct batch *next_batch(struct worker *w)
{
	if (w->n_batches == w->cap_batches) {
		size_t had = w->cap_batches;
		GROW_ARRAY(w->batch, w->n_batches, w->cap_batches);
		memset(w->batch + had, 0, (w->cap_batches - had) * sizeof *w->batch);
	}
	struct batch **b = &w->batch[w->n_batches++];
	if (!*b)
		*b = must(calloc(1, sizeof **b));
	return *b;
}

/* What stands after the comma and the blanks at p; p itself when no entry does. */
static const char *behind_comma(struct worker *w, const char *p)
{
	const char *q;
	do {
		q = *p == ',' ? scan_blanks(p + 1) : p;
	} while (q == w->text + w->n && read_on(w, MORE_BYTES));
	return *q == '{' ? q : p;
}

/* All entries from p on that begin in the stretch. */
static void scan_from(struct worker *w, const char *p)
{
	enum fault why;
	const char *limit = w->text + w->all->bytes;
	w->begins = w->ends = p;
	w->stops = false;
	w->scanner.until = limit;
	while (w->ends < limit) {
		const char *behind =
			entry_scan(&w->scanner, next_batch(w), w->ends, w->text + w->n, offset(w, w->ends), &why);
		w->n_batches -= !behind;
		if (!behind && why == FAULT_MORE && read_on(w, MORE_BYTES))
			continue;
		w->stops = w->at_entry = !behind;
		if (!behind)
			return;
		w->ends = behind_comma(w, behind);
		w->stops = w->ends == behind;
		if (w->stops)
			return;
	}
}

/* Where the first entry may begin that the stretch before does not hold; NULL: nowhere. */
static const char *likely_entry(const struct worker *w)
{
	const char *end = w->text + w->n, *limit = w->n < w->all->bytes ? end : w->text + w->all->bytes;
	for (const char *p = w->text, *q; p < limit && (p = memchr(p, '{', (size_t)(limit - p))); p++) {
		for (q = p; q > w->text && (unsigned char)q[-1] <= ' '; q--)
			;
		if (q > w->text && q[-1] == ',' && entry_starts(p, end))
			return p;
	}
	return NULL;
}

static void hash_names(struct worker *w)
{
	if (atomic_load_explicit(&w->all->c->many_names, memory_order_relaxed))
		for (size_t i = 0; i < w->n_batches; i++)
			batch_hash_names(w->batch[i]);
}

static void forget(struct worker *w)
{
	for (size_t i = 0; i < w->n_batches; i++)
		batch_clear(w->batch[i]);
	w->n_batches = 0;
	w->begins = NULL;
}

static void prepare(struct worker *w, uint64_t number)
{
	read_stretch(w, number);
	const char *p = number ? likely_entry(w) : w->text;
	if (p)
		scan_from(w, p);
	hash_names(w);
}

/* ---- taking, one after the other --------------------------------------------------------------------------------------- */

/* The guess was wrong, or there was none. */
static void prepare_again(struct worker *w)
{
	struct stretches *s = w->all;
	forget(w);
	if (s->at - w->at >= (int64_t)s->bytes)
		return;                             /* an entry reaches past this stretch */
	s->stopped = s->at - w->at > (int64_t)w->n; /* the file was cut */
	if (s->stopped)
		return;
	scan_from(w, w->text + (s->at - w->at));
	hash_names(w);
}

static void take(struct worker *w)
{
	struct stretches *s = w->all;
	if (!w->begins || offset(w, w->begins) != s->at)
		prepare_again(w);
	if (!w->begins)
		return;
	for (size_t i = 0; i < w->n_batches; i++)
		batch_take(s->c, w->batch[i]);
	int64_t ends = offset(w, w->ends);
	if (s->progress)
		atomic_fetch_add_explicit(&s->progress->bytes_done, ends - s->at, memory_order_relaxed);
	s->at = ends;
	s->at_entry = !w->stops || w->at_entry;
	s->stopped = w->stops || progress_cancelled(s->progress);
}

static void *work(void *worker)
{
	struct worker *w = worker;
	struct stretches *s = w->all;
	for (bool stopped = false; !stopped;) {
		uint64_t number = turns_next(&s->turns);
		prepare(w, number);
		turns_wait(&s->turns, number);
		if (!s->stopped)
			take(w);
		stopped = s->stopped;
		turns_pass(&s->turns, number);
		attrs_help(ingest_attrs(s->c->in));
		forget(w);
	}
	return NULL;
}

int64_t stretches_take(struct stretches *s, int64_t at, bool *at_entry)
{
	pthread_t other;
	s->from = s->at = at;
	s->stopped = false;
	s->at_entry = true;
	turns_begin(&s->turns);
	attrs_helped(ingest_attrs(s->c->in), true);
	bool two = thread_start(&other, work, &s->worker[1]);
	work(&s->worker[0]);
	if (two)
		pthread_join(other, NULL);
	attrs_helped(ingest_attrs(s->c->in), false);
	*at_entry = s->at_entry;
	return s->at;
}
