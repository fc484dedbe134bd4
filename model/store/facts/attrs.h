/* model/store/facts/attrs.h - every attribute of every event, as the producer wrote it.
 * Shape:   a record is a list of (key, typed value) in file order, duplicates kept. Records are varint-coded into one
 *          logical byte stream, cut into blocks of 64 KiB. Above a cap those of an import are packed (attrs_packed.h), and above it
 *          again go to an unlinked temporary file. In a saved file each block is packed. A record is named by its offset in
 *          the stream.
 * Life:    one writer (ingest) -> attrs_seal -> any number of readers.
 * Threads: readers share a small cache of blocks from the file under a mutex; who reads much takes a view of their own. */
#ifndef STEPSCOPE_ATTRS_H
#define STEPSCOPE_ATTRS_H
#include "model/store/base/arena.h"
#include "model/store/base/err.h"
#include "model/store/base/strings.h"

enum attr_type {
	ATTR_STR,    /* p, n: text */
	ATTR_REF,    /* u: str_id of an interned text */
	ATTR_INT,    /* i */
	ATTR_UINT,   /* u */
	ATTR_DOUBLE, /* d */
	ATTR_NUMBER, /* p, n: the number's own text, kept because i/u/d would not give it back */
	ATTR_BOOL,   /* u: 0 or 1 */
	ATTR_NULL,
	ATTR_JSON,  /* p, n: an array or object as JSON text */
	ATTR_BYTES, /* p, n: opaque */
	ATTR_TYPES
};
struct attr {
	str_id key;
	enum attr_type type;
	int64_t i;
	uint64_t u;
	double d;
	const char *p;
	size_t n;
};
typedef uint64_t attr_at; /* 0 = no attributes */

struct attrs;
struct notes;
struct attrs *attrs_new(size_t memory_cap_bytes); /* of one source; 0 = the default cap, 32 MiB */
/* Another source is written to it: each brings its cap, up to 2 GiB in all, so that a run of many ranks costs no more than its ranks
 * do. Call before the first record of that source. */
void attrs_next_source(struct attrs *a);
void attrs_free(struct attrs *a);
/* How many threads may work on it while it is written, the writer's included. Call before the first record. */
void attrs_threads(struct attrs *a, unsigned n);
/* Threads that take turns as the writer help to pack what was written (attrs_help), until the next call with false. For the writer. */
void attrs_helped(struct attrs *a, bool helped);
/* Packs what waits for it. For any thread, while another one writes: best for who wrote just before, in whose caches it still is. */
void attrs_help(struct attrs *a);
/* For the writer: memory that records will be written to a little later, all of whose *bytes may be touched. NULL: there is none. */
void *attrs_next_room(struct attrs *a, size_t *bytes);
/* Bytes of an import that lie in its temporary file. */
uint64_t attrs_spilled(const struct attrs *a);

/* Writing: begin, put*, end. `put` copies. `end` returns the record's name, 0 when nothing was put. */
void attrs_begin(struct attrs *a);
void attrs_put(struct attrs *a, const struct attr *v);
attr_at attrs_end(struct attrs *a);
void attrs_put_str(struct attrs *a, str_id key, const char *p, size_t n);
void attrs_put_int(struct attrs *a, str_id key, int64_t i);
void attrs_put_uint(struct attrs *a, str_id key, uint64_t u);
void attrs_put_double(struct attrs *a, str_id key, double d);
void attrs_put_ref(struct attrs *a, str_id key, str_id text);
bool attrs_seal(struct attrs *a, struct err *e);
/* What cannot be read back later is noted there (NOTE_ATTRS_DAMAGED), from any thread; the notes must outlive the log. */
void attrs_note_losses(struct attrs *a, struct notes *notes);

/* Reading: the record's attributes in arena memory. False when there are none, or the record is not sound or lost: then the
 * loss is noted and *n is 0. */
bool attrs_read(struct attrs *a, attr_at at, struct arena *mem, struct attr **out, size_t *n);

/* Reads every block of a saved file that was not read yet and compares it with its checksum: afterwards all losses are noted. */
void attrs_check(struct attrs *a);

/* A reader with a cache of its own, for one more thread to read many records of a sealed log, each near the one before. The
 * log must outlive it. */
struct attrs *attrs_view_new(const struct attrs *a);
void attrs_view_free(struct attrs *view);

/* The value as text (numbers as the producer wrote them), in arena memory. */
const char *attr_text(const struct attr *v, const struct strings *s, struct arena *mem);
#endif
