#include "attrs_private.h"
#include "attrs_encode.h"
#include "attrs_pack.h"
#include "attrs_packed.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct attrs *attrs_new(size_t memory_cap_bytes)
{
	struct attrs *a = calloc(1, sizeof *a);
	if (!a)
		return NULL;
	a->cap = a->cap_of_one = memory_cap_bytes ? memory_cap_bytes : DEFAULT_CAP;
	a->blocks.size = sizeof(struct block);
	a->file = -1;
	a->open_size = BLOCK + ATTR_SLACK;
	a->open = malloc(a->open_size);
	a->cache = calloc(CACHED, sizeof *a->cache);
	a->lost_record = &a->own_lost_record;
	pthread_mutex_init(&a->lock, NULL);
	if (a->open && a->cache)
		return a;
	attrs_free(a);
	return NULL;
}

void attrs_next_source(struct attrs *a)
{
	size_t most = (size_t)MOST_CAPS_MIB << 20;
	if (a->sources++ && a->cap < most)
		a->cap += a->cap_of_one;
}

void attrs_threads(struct attrs *a, unsigned n)
{
	a->threads = n;
}

void attrs_helped(struct attrs *a, bool helped)
{
	a->helped = helped;
	if (a->packer)
		packer_helped(a->packer, helped);
}

void attrs_help(struct attrs *a)
{
	struct packer *k = a->packer;
	if (k)
		packer_help(k);
}

bool attrs_reads_packed(struct attrs *a)
{
	a->scratch = malloc(PACKED_MAX + CODED_SLACK);
	a->unpack = unpacking_new();
	return a->scratch && a->unpack;
}

/* What a log and a view of it each have. */
static void free_reading(struct attrs *a)
{
	unpacking_free(a->unpack);
	free(a->scratch);
	free(a->cache);
	pthread_mutex_destroy(&a->lock);
	free(a);
}

void attrs_free(struct attrs *a)
{
	if (!a)
		return;
	packer_free(a->packer);
	attrs_free_blocks(a);
	if (a->file >= 0)
		close(a->file);
	free(a->open);
	free_reading(a);
}

static void flush_block(struct attrs *a)
{
	if (a->fill)
		attrs_keep_block(a, a->open, a->fill);
	a->fill = 0;
}

static void put_bytes(struct attrs *a, const void *p, size_t n)
{
	const unsigned char *from = p;
	a->total += n;
	while (n > 0) {
		size_t part = BLOCK - a->fill < n ? BLOCK - a->fill : n;
		memcpy(a->open + a->fill, from, part);
		a->fill += part;
		from += part;
		n -= part;
		if (a->fill == BLOCK)
			flush_block(a);
	}
}

static void put_varint(struct attrs *a, uint64_t v)
{
	unsigned char b[10];
	size_t n = 0;
	for (; v >= 0x80; v >>= 7)
		b[n++] = (unsigned char)(v | 0x80);
	b[n++] = (unsigned char)v;
	/* nearly always it fits into the block, and the loop over blocks is not needed */
	if (BLOCK - a->fill > n) {
		memcpy(a->open + a->fill, b, n);
		a->fill += n;
		a->total += n;
		return;
	}
	put_bytes(a, b, n);
}

void attrs_begin(struct attrs *a)
{
	if (a->in_record)
		attrs_end(a);
	a->in_record = true;
	a->wrote = false;
	a->record = a->total + 1;
}

void attrs_put(struct attrs *a, const struct attr *v)
{
	unsigned char type = (unsigned char)v->type;
	a->wrote = true;
	put_varint(a, (uint64_t)v->key + 1);
	put_bytes(a, &type, 1);
	switch (v->type) {
	case ATTR_INT:
		put_varint(a, (uint64_t)v->i << 1 ^ (uint64_t)(v->i >> 63));
		break;
	case ATTR_REF:
	case ATTR_UINT:
	case ATTR_BOOL:
		put_varint(a, v->u);
		break;
	case ATTR_DOUBLE:
		put_bytes(a, &v->d, sizeof v->d);
		break;
	case ATTR_NULL:
	case ATTR_TYPES:
		break;
	case ATTR_STR:
	case ATTR_NUMBER:
	case ATTR_JSON:
	case ATTR_BYTES:
		put_varint(a, v->n);
		put_bytes(a, v->p, v->n);
		break;
	}
}

/* The next record begins here. */
static void note_first(struct attrs *a)
{
	if (a->first == BLOCK)
		a->first = a->fill;
}

attr_at attrs_end(struct attrs *a)
{
	a->in_record = false;
	if (!a->wrote)
		return 0;
	put_varint(a, 0);
	note_first(a);
	return a->record;
}

/* Room after the block that is being filled, for a record that is coded in place. Not GROW_ARRAY: it grows to what the largest
 * record needs, by a block, and memory that is out is told at the seal. */
unsigned char *attrs_reserve(struct attrs *a, size_t n)
{
	size_t need = a->fill + n + ATTR_SLACK;
	if (need > a->open_size) {
		size_t size = need + BLOCK;
		unsigned char *open = realloc(a->open, size);
		if (!open) {
			a->failed = true;
			return NULL;
		}
		a->open = open;
		a->open_size = size;
	}
	return a->open + a->fill;
}

attr_at attrs_advance(struct attrs *a, size_t n)
{
	if (!n)
		return 0;
	attr_at at = a->total + 1;
	size_t end = a->fill + n, done = 0;
	/* a key of 0 ends the record: keys are stored plus one */
	a->open[end++] = 0;
	a->total += n + 1;
	/* the record may have run over the end of the block, or over several */
	for (; end - done >= BLOCK; done += BLOCK)
		attrs_keep_block(a, a->open + done, BLOCK);
	a->fill = end - done;
	note_first(a);
	if (done)
		memmove(a->open, a->open + done, a->fill);
	return at;
}

void attrs_put_str(struct attrs *a, str_id key, const char *p, size_t n)
{
	attrs_put(a, &(struct attr){.key = key, .type = ATTR_STR, .p = p, .n = n});
}

void attrs_put_int(struct attrs *a, str_id key, int64_t i)
{
	attrs_put(a, &(struct attr){.key = key, .type = ATTR_INT, .i = i});
}

void attrs_put_uint(struct attrs *a, str_id key, uint64_t u)
{
	attrs_put(a, &(struct attr){.key = key, .type = ATTR_UINT, .u = u});
}

void attrs_put_double(struct attrs *a, str_id key, double d)
{
	attrs_put(a, &(struct attr){.key = key, .type = ATTR_DOUBLE, .d = d});
}

void attrs_put_ref(struct attrs *a, str_id key, str_id text)
{
	attrs_put(a, &(struct attr){.key = key, .type = ATTR_REF, .u = text});
}

bool attrs_seal(struct attrs *a, struct err *e)
{
	if (a->in_record)
		attrs_end(a);
	flush_block(a);
	if (a->packer)
		packer_finish(a->packer);
	a->packer = NULL;
	free(a->open);
	a->open = NULL;
	return a->failed ? err_set(e, NULL, -1, "no memory or disk space left for the events' attributes") : true;
}

void attrs_note_losses(struct attrs *a, struct notes *notes)
{
	a->notes = notes;
}

/* The blocks are those of the log; only what reading needs is its own. */
struct attrs *attrs_view_new(const struct attrs *a)
{
	struct attrs *v = calloc(1, sizeof *v);
	if (!v)
		return NULL;
	v->blocks = a->blocks;
	v->total = a->total;
	v->file = a->file;
	v->saved = a->saved;
	v->notes = a->notes;
	v->lost_record = a->lost_record;
	v->cache = calloc(CACHED, sizeof *v->cache);
	pthread_mutex_init(&v->lock, NULL);
	if (v->cache && (!a->unpack || attrs_reads_packed(v)))
		return v;
	attrs_view_free(v);
	return NULL;
}

void attrs_view_free(struct attrs *v)
{
	if (v)
		free_reading(v);
}

/* ---- reading ------------------------------------------------------------------------------------------------ */

struct reader {
	struct attrs *a;
	uint64_t at;
	bool bad, lost_block;
	const unsigned char *bytes; /* of the block read last; not shared between threads */
	size_t block;               /* its index + 1, 0 = none yet */
};

static const unsigned char *bytes_at(struct reader *r, size_t index)
{
	if (r->block != index + 1) {
		r->bytes = attrs_block(r->a, index);
		r->block = index + 1;
	}
	return r->bytes;
}

static void get_bytes(struct reader *r, void *out, size_t n)
{
	unsigned char *to = out;
	while (n > 0 && !r->bad) {
		const unsigned char *b = r->at < r->a->total ? bytes_at(r, (size_t)(r->at / BLOCK)) : NULL;
		size_t from = (size_t)(r->at % BLOCK), part = BLOCK - from < n ? BLOCK - from : n;
		if (!b || r->a->total - r->at < part) {
			r->bad = true;
			r->lost_block = !b && r->at < r->a->total;
			return;
		}
		memcpy(to, b + from, part);
		r->at += part;
		to += part;
		n -= part;
	}
}

static uint64_t get_varint(struct reader *r)
{
	uint64_t v = 0;
	for (int shift = 0; shift < 64; shift += 7) {
		unsigned char b = 0;
		get_bytes(r, &b, 1);
		v |= (uint64_t)(b & 0x7f) << shift;
		if (!(b & 0x80))
			return v;
	}
	r->bad = true;
	return 0;
}

static void get_text(struct reader *r, struct arena *mem, struct attr *v)
{
	uint64_t n = get_varint(r);
	if (r->bad || n > r->a->total - r->at) {
		r->bad = true;
		return;
	}
	size_t room = n < BLOCK ? (size_t)n + 1 : BLOCK, got = 0;
	char *p = arena_alloc(mem, room);
	while (got < n && !r->bad) { /* no more memory than twice what is there */
		size_t part = room - 1 < n ? room - 1 - got : (size_t)n - got;
		get_bytes(r, p + got, part);
		got += part;
		if (got < n && !r->bad) {
			size_t bigger = room * 2 < n ? room * 2 : (size_t)n + 1;
			p = arena_grow(mem, p, room, bigger);
			room = bigger;
		}
	}
	v->p = p;
	v->n = (size_t)n;
}

static void get_value(struct reader *r, struct arena *mem, struct attr *v)
{
	unsigned char type = ATTR_TYPES;
	uint64_t u;
	get_bytes(r, &type, 1);
	v->type = type;
	switch (v->type) {
	case ATTR_INT:
		u = get_varint(r);
		v->i = (int64_t)(u >> 1 ^ (0 - (u & 1)));
		break;
	case ATTR_REF:
	case ATTR_UINT:
	case ATTR_BOOL:
		v->u = get_varint(r);
		break;
	case ATTR_DOUBLE:
		get_bytes(r, &v->d, sizeof v->d);
		break;
	case ATTR_NULL:
		break;
	case ATTR_STR:
	case ATTR_NUMBER:
	case ATTR_JSON:
	case ATTR_BYTES:
		get_text(r, mem, v);
		break;
	default:
		r->bad = true;
	}
}

/* A block that is lost has been told already; a record that is none in sound blocks is told once, not each time. */
static void note_record(const struct reader *r)
{
	const struct attrs *a = r->a;
	if (!r->lost_block && a->notes && !atomic_exchange(a->lost_record, true))
		notes_add_sealed(a->notes, NOTE_ATTRS_DAMAGED, 1);
}

bool attrs_read(struct attrs *a, attr_at at, struct arena *mem, struct attr **out, size_t *n)
{
	*out = NULL;
	*n = 0;
	if (at == 0)
		return false;
	struct reader r = {.a = a, .at = at - 1};
	pthread_mutex_lock(&a->lock);
	for (uint64_t key; (key = get_varint(&r)) != 0 && !r.bad;) {
		*out = arena_next_row(mem, *out, *n, sizeof **out);
		struct attr *v = &(*out)[*n];
		v->key = (str_id)(key - 1);
		get_value(&r, mem, v);
		*n += !r.bad;
	}
	pthread_mutex_unlock(&a->lock);
	if (r.bad) {
		*n = 0;
		note_record(&r);
	}
	return !r.bad;
}

const char *attr_text(const struct attr *v, const struct strings *s, struct arena *mem)
{
	switch (v->type) {
	case ATTR_INT:
		return arena_printf(mem, "%" PRId64, v->i);
	case ATTR_UINT:
		return arena_printf(mem, "%" PRIu64, v->u);
	case ATTR_DOUBLE:
		return arena_printf(mem, "%.17g", v->d);
	case ATTR_REF:
		return strings_z(s, (str_id)v->u);
	case ATTR_BOOL:
		return v->u ? "true" : "false";
	case ATTR_BYTES:
		return arena_printf(mem, "(%zu bytes)", v->n);
	case ATTR_STR:
	case ATTR_NUMBER:
	case ATTR_JSON:
		return v->p;
	case ATTR_NULL:
	case ATTR_TYPES:
		break;
	}
	return "null";
}
