#include "attrs_private.h"
#include "attrs_encode.h"
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
	a->cap = memory_cap_bytes ? memory_cap_bytes : DEFAULT_CAP;
	a->blocks.size = sizeof(struct block);
	a->spill = -1;
	a->open_size = BLOCK;
	a->open = malloc(a->open_size);
	a->scratch = malloc(PACKED_MAX);
	a->pack = ZSTD_createCCtx();
	a->unpack = ZSTD_createDCtx();
	a->cache = calloc(CACHED, sizeof *a->cache);
	pthread_mutex_init(&a->lock, NULL);
	if (!a->open || !a->scratch || !a->pack || !a->unpack || !a->cache) {
		attrs_free(a);
		return NULL;
	}
	return a;
}

void attrs_free(struct attrs *a)
{
	if (!a)
		return;
	attrs_end_thread(a);
	for (size_t i = 0; i < a->blocks.n; i++)
		free(((struct block *)a->blocks.p)[i].packed);
	column_free(&a->blocks);
	if (a->spill >= 0)
		close(a->spill);
	ZSTD_freeCCtx(a->pack);
	ZSTD_freeDCtx(a->unpack);
	free(a->open);
	free(a->scratch);
	free(a->cache);
	pthread_mutex_destroy(&a->lock);
	free(a);
}

static void flush_block(struct attrs *a)
{
	if (a->fill)
		attrs_pack_block(a, a->open, a->fill);
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

attr_at attrs_end(struct attrs *a)
{
	a->in_record = false;
	if (!a->wrote)
		return 0;
	put_varint(a, 0);
	return a->record;
}

unsigned char *attrs_room(struct attrs *a, size_t n)
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
	a->open[end++] = 0;
	a->total += n + 1;
	for (; end - done >= BLOCK; done += BLOCK)
		attrs_pack_block(a, a->open + done, BLOCK);
	a->fill = end - done;
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
	attrs_end_thread(a);
	free(a->open);
	a->open = NULL;
	return a->failed || a->pack_failed
		       ? err_set(e, NULL, -1, "no memory or disk space left for the events' attributes")
		       : true;
}

/* The blocks are those of the log; only what reading needs is its own. */
struct attrs *attrs_view_new(const struct attrs *a)
{
	struct attrs *v = calloc(1, sizeof *v);
	if (!v)
		return NULL;
	v->blocks = a->blocks;
	v->total = a->total;
	v->spill = a->spill;
	v->scratch = malloc(PACKED_MAX);
	v->unpack = ZSTD_createDCtx();
	v->cache = calloc(CACHED, sizeof *v->cache);
	pthread_mutex_init(&v->lock, NULL);
	if (v->scratch && v->unpack && v->cache)
		return v;
	attrs_view_free(v);
	return NULL;
}

void attrs_view_free(struct attrs *v)
{
	if (!v)
		return;
	ZSTD_freeDCtx(v->unpack);
	free(v->scratch);
	free(v->cache);
	pthread_mutex_destroy(&v->lock);
	free(v);
}

size_t attrs_bytes(const struct attrs *a)
{
	return a->packed_bytes;
}

/* ---- reading ------------------------------------------------------------------------------------------------ */

/* In memory or read back from disk; NULL when the file has become shorter than it was. */
static const unsigned char *packed_bytes(struct attrs *a, const struct block *b)
{
	if (b->packed)
		return b->packed;
	return pread(a->spill, a->scratch, b->size, b->file_at) == (ssize_t)b->size ? a->scratch : NULL;
}

static bool unpack(struct attrs *a, size_t index, struct cached *c)
{
	const struct block *b = (const struct block *)a->blocks.p + index;
	const unsigned char *from = packed_bytes(a, b);
	if (!from)
		return false;
	size_t n = ZSTD_decompressDCtx(a->unpack, c->bytes, BLOCK, from, b->size);
	c->block = ZSTD_isError(n) ? 0 : index + 1;
	return c->block != 0;
}

static const unsigned char *block_bytes(struct attrs *a, size_t index)
{
	struct cached *oldest = &a->cache[0];
	for (int i = 0; i < CACHED; i++) {
		struct cached *c = &a->cache[i];
		if (c->block == index + 1) {
			c->used = ++a->clock;
			return c->bytes;
		}
		if (c->used < oldest->used)
			oldest = c;
	}
	oldest->used = ++a->clock;
	return index < a->blocks.n && unpack(a, index, oldest) ? oldest->bytes : NULL;
}

struct reader {
	struct attrs *a;
	uint64_t at;
	bool bad;
	const unsigned char *bytes; /* of the block read last; nobody else unpacks one meanwhile */
	size_t block;               /* its index + 1, 0 = none yet */
};

static const unsigned char *bytes_at(struct reader *r, size_t index)
{
	if (r->block != index + 1) {
		r->bytes = block_bytes(r->a, index);
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
	char *p = arena_alloc(mem, (size_t)n + 1);
	get_bytes(r, p, (size_t)n);
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

bool attrs_read(struct attrs *a, attr_at at, struct arena *mem, struct attr **out, size_t *n)
{
	*out = NULL;
	*n = 0;
	if (at == 0)
		return false;
	struct reader r = {.a = a, .at = at - 1};
	size_t cap = 0;
	pthread_mutex_lock(&a->lock);
	for (uint64_t key; (key = get_varint(&r)) != 0 && !r.bad;) {
		if (*n == cap) {
			size_t bigger = cap ? cap * 2 : 16;
			*out = arena_grow(mem, *out, cap * sizeof **out, bigger * sizeof **out);
			cap = bigger;
		}
		struct attr *v = &(*out)[*n];
		v->key = (str_id)(key - 1);
		get_value(&r, mem, v);
		*n += !r.bad;
	}
	pthread_mutex_unlock(&a->lock);
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

/* ---- saving --------------------------------------------------------------------------------------------------- */

bool attrs_each_block(struct attrs *a, bool (*fn)(void *ctx, const void *packed, size_t n), void *ctx)
{
	bool ok = true;
	for (size_t i = 0; ok && i < a->blocks.n; i++) {
		const struct block *b = (const struct block *)a->blocks.p + i;
		pthread_mutex_lock(&a->lock); /* for each one: readers come in between */
		const unsigned char *p = packed_bytes(a, b);
		ok = p && fn(ctx, p, b->size);
		pthread_mutex_unlock(&a->lock);
	}
	return ok;
}

uint64_t attrs_total(const struct attrs *a)
{
	return a->total;
}

struct attrs *attrs_in_file(int fd, int64_t file_at, const uint32_t *sizes, size_t n_blocks, uint64_t total)
{
	struct attrs *a = attrs_new(0);
	if (!a) {
		close(fd);
		return NULL;
	}
	a->spill = fd;
	a->total = total;
	free(a->open);
	a->open = NULL;
	for (size_t i = 0; i < n_blocks; i++) {
		struct block *b = sizes[i] <= PACKED_MAX ? column_push(&a->blocks) : NULL;
		if (!b) {
			attrs_free(a);
			return NULL;
		}
		*b = (struct block){.file_at = file_at, .size = sizes[i]};
		file_at += sizes[i];
		a->packed_bytes += sizes[i];
	}
	return a;
}
