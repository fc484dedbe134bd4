/* Any bytes as a saved file: refused with a reason, or a trace in which everything can be looked at and every table made, and
 * what is lost in it is noted. Tried twice, as they are and with checksums made right: else hardly a change would come past
 * them. The mutator knows the sections: it unpacks one, changes values, packs it again and makes all checksums right.
 * Seeds: `stepscope pack tests/golden/X.json -o tests/fuzz/corpus/saved/X.stepscope`, again after a change of the format. */
#include "tables.h"
#include "model/store/saved/save_private.h"
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size); /* the engine's, or the regression's */

/* Tables of a trace of many rows take too long for a fuzzer, and those of any a hundred times what the rest takes: one input
 * in some gets them, always the same ones. */
enum { MANY_ROWS = 1 << 14, TABLES_ONE_IN = 64 };

/* ---- looking at a trace ------------------------------------------------------------------------------------------- */

static void look_at_attrs(const struct trace *t, attr_at at, struct arena *mem)
{
	struct attr *list;
	size_t n;
	if (at && !attrs_read(trace_attrs(t), at, mem, &list, &n) && notes_of(trace_notes(t), NOTE_LOST) == 0)
		abort(); /* lost in silence */
	if (mem->bytes > 1 << 20)
		arena_free(mem);
}

static void look_at_rows(const struct trace *t)
{
	struct arena mem = {0};
	const row_id *work;
	for (row_id r = 0; r < trace_columns(t)->n; r++) {
		look_at_attrs(t, number_at(trace_columns(t)->attrs, r), &mem);
		look_at_attrs(t, trace_end_attrs(t, r), &mem);
		trace_str(t, trace_columns(t)->name[r]);
		trace_kernel(t, r);
		trace_copy(t, r);
		trace_host_detail(t, r);
		trace_hlo(t, r);
		trace_parent(t, r);
		trace_launched(t, r, &work);
	}
	arena_free(&mem);
}

static void look_at_tracks(const struct trace *t)
{
	enum { COLS = 7, ROWS = 3 };
	struct bin bins[COLS];
	char label[128];
	int64_t span_ns = trace_span_ns(t);
	for (uint32_t i = 0; i < trace_tracks(t); i++) {
		const struct sample *samples;
		struct event_iter it = event_iter(t, i, span_ns / 3, span_ns, KINDS_ALL);
		while (event_next(&it))
			;
		for (uint32_t row = 0; row < ROWS && row < trace_track(t, i)->n_rows; row++)
			trace_bins(t, i, row, 0, span_ns + 1, COLS, bins);
		trace_innermost(t, i, span_ns / 2);
		trace_track_label(t, i, label, sizeof label);
		trace_samples(t, i, &samples);
	}
}

static void try_bytes(const uint8_t *data, size_t size)
{
	char path[64];
	struct err e = {.at = -1};
	int fd = memfd_create("saved", MFD_CLOEXEC);
	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	struct trace *t = trace_load(path, 1, NULL, &e);
	if (!t && !e.msg[0])
		abort(); /* refused without a reason */
	if (t) {
		look_at_rows(t);
		look_at_tracks(t);
		trace_check_rest(t);
		if (make_tables && trace_columns(t)->n < MANY_ROWS && codec_hash(data, size, 0) % TABLES_ONE_IN == 0)
			make_tables(t);
	}
	trace_free(t);
	close(fd);
}

/* ---- the file taken apart ----------------------------------------------------------------------------------------- */

struct apart {
	struct save_header h;
	struct save_section s[SAVE_MAX_SECTIONS];
	const uint8_t *bytes[SAVE_MAX_SECTIONS]; /* stored ones */
};

/* False when the table of sections, or one of them, does not lie inside. */
static bool take_apart(struct apart *a, const uint8_t *data, size_t size)
{
	if (size < sizeof a->h)
		return false;
	memcpy(&a->h, data, sizeof a->h);
	size_t bytes = a->h.sections * sizeof *a->s;
	if (a->h.sections > SAVE_MAX_SECTIONS || a->h.table_at > size || bytes > size - a->h.table_at)
		return false;
	memcpy(a->s, data + a->h.table_at, bytes);
	for (uint32_t i = 0; i < a->h.sections; i++) {
		if (a->s[i].offset > size || a->s[i].stored > size - a->s[i].offset)
			return false;
		a->bytes[i] = data + a->s[i].offset;
	}
	return true;
}

/* One section after the other, then the table, with right checksums. 0 when there is no room. */
static size_t put_together(struct apart *a, uint8_t *to, size_t room)
{
	size_t at = sizeof a->h, table = a->h.sections * sizeof *a->s;
	for (uint32_t i = 0; i < a->h.sections; i++) {
		struct save_section *s = &a->s[i];
		if (s->stored > room || at + table > room - s->stored)
			return 0;
		if (s->stored)
			memcpy(to + at, a->bytes[i], s->stored);
		s->offset = at;
		s->hash = codec_hash(to + at, s->stored, 0);
		at += s->stored;
	}
	memcpy(to + at, a->s, table);
	a->h.table_at = at;
	a->h.table_hash = codec_hash(a->s, table, 0);
	memcpy(to, &a->h, sizeof a->h);
	return at + table;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct apart a;
	uint8_t *copy = malloc(size + sizeof a.h);
	if (!copy)
		abort();
	try_bytes(data, size);
	size_t n = take_apart(&a, data, size) ? put_together(&a, copy, size) : 0;
	if (n)
		try_bytes(copy, n);
	free(copy);
	return 0;
}

/* ---- changing one section ------------------------------------------------------------------------------------------ */

enum { MOST_VALUES = 1 << 18 }; /* of a section that is changed */

static uint64_t next_random(uint64_t *state)
{
	uint64_t z = (*state += 0x9E3779B97F4A7C15u);
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
	return z ^ (z >> 31);
}

static uint64_t below(uint64_t *state, uint64_t n)
{
	return n ? next_random(state) % n : 0;
}

static uint64_t telling_value(uint64_t *state)
{
	static const uint64_t values[] = {
		0,          1,         2,     UINT64_MAX, UINT64_MAX - 1,    INT64_MAX,         (uint64_t)INT64_MIN,
		UINT32_MAX, INT32_MAX, 65535, 65536,      UINT64_C(1) << 32, UINT64_C(1) << 61, UINT64_C(1) << 62};
	enum { VALUES = sizeof values / sizeof *values };
	uint64_t which = below(state, VALUES + 4);
	return which < VALUES ? values[which] : next_random(state) >> below(state, 64);
}

static unsigned char *unpack(const struct apart *a, uint32_t i, const uint8_t *kinds)
{
	const struct save_section *s = &a->s[i];
	bool sound = s->size && s->size <= 4096 && s->codec < CODECS && s->count <= MOST_VALUES &&
		     codec_fits((enum codec)s->codec, s->stored, s->count, s->size);
	struct codec_scratch *scratch = sound ? codec_scratch_new() : NULL;
	unsigned char *values = scratch ? calloc(s->count + 2, s->size) : NULL; /* one more may be added */
	if (values &&
	    !codec_unpack(scratch, (enum codec)s->codec, a->bytes[i], s->stored, values, s->count, s->size, kinds)) {
		free(values);
		values = NULL;
	}
	codec_scratch_free(scratch);
	return values;
}

static int find(const struct apart *a, const char *name)
{
	for (uint32_t i = 0; i < a->h.sections; i++)
		if (strncmp(a->s[i].name, name, sizeof a->s[i].name) == 0)
			return (int)i;
	return -1;
}

/* For MOST_VALUES rows, as far as the file tells them. */
static uint8_t *kinds_of(const struct apart *a)
{
	int i = find(a, "kind");
	uint8_t *kinds = calloc(MOST_VALUES + 2, 1),
		*told = i >= 0 && a->s[i].size == 1 ? unpack(a, (uint32_t)i, NULL) : NULL;
	if (kinds && told)
		memcpy(kinds, told, a->s[i].count);
	free(told);
	return kinds;
}

static void change_value(unsigned char *values, uint64_t n, uint32_t size, uint64_t *state)
{
	uint32_t width = size < 8 ? size : 8;
	unsigned char *to = values + below(state, n) * size + (size > 8 ? below(state, size / 8) * 8 : 0);
	uint64_t v = 0;
	memcpy(&v, to, width);
	switch (below(state, 5)) {
	case 0:
		v = telling_value(state);
		break;
	case 1:
		v += 1;
		break;
	case 2:
		v -= 1;
		break;
	case 3:
		v ^= UINT64_C(1) << below(state, width * 8);
		break;
	default:
		memcpy(&v, values + below(state, n) * size, width);
	}
	memcpy(to, &v, width);
}

/* Packed again into out, which the section then holds. */
static bool pack_again(struct apart *a, uint32_t i, const void *values, uint64_t n, const uint8_t *kinds,
		       struct column *out)
{
	struct save_section *s = &a->s[i];
	out->size = 1;
	if (!codec_pack((enum codec)s->codec, values, n, s->size, kinds, out))
		return false;
	a->bytes[i] = out->p;
	s->stored = out->n;
	s->count = n;
	s->plain = n * s->size;
	return true;
}

static bool change_values(struct apart *a, uint64_t *state, struct column *out)
{
	uint32_t i = (uint32_t)below(state, a->h.sections);
	uint8_t *kinds = kinds_of(a);
	unsigned char *values = a->h.sections && kinds ? unpack(a, i, kinds) : NULL;
	uint64_t n = values ? a->s[i].count : 0;
	for (uint64_t k = 1 + below(state, 3); n && k > 0; k--)
		change_value(values, n, a->s[i].size, state);
	if (values && below(state, 8) == 0)
		n += n && next_random(state) & 1 ? UINT64_MAX : 1; /* one less or more */
	bool ok = values && pack_again(a, i, values, n, kinds, out);
	free(values);
	free(kinds);
	return ok;
}

/* ---- changing a block of attributes -------------------------------------------------------------------------------- */

enum { BLOCK = 64 << 10 };

struct blocks {
	uint32_t *sizes;
	uint64_t *hashes, n;
	struct column sizes_packed, hashes_packed;
};

/* The block at `at` of the section, unpacked, changed and packed into `to`; its size there, 0: none. */
static size_t change_block(const uint8_t *from, uint32_t stored, uint8_t *to, size_t room, uint64_t *state)
{
	static uint8_t plain[BLOCK];
	size_t n = ZSTD_decompress(plain, BLOCK, from, stored);
	if (ZSTD_isError(n) || n == 0)
		return 0;
	if (next_random(state) & 1)
		LLVMFuzzerMutate(plain, n, n);
	else
		for (uint64_t k = 1 + below(state, 4); k > 0; k--)
			plain[below(state, n)] = (uint8_t)telling_value(state);
	n = ZSTD_compress(to, room, plain, n, 1);
	return ZSTD_isError(n) ? 0 : n;
}

static bool rebuild_blocks(struct apart *a, uint32_t section, struct blocks *b, uint64_t *state, struct column *out)
{
	static uint8_t packed[2 * BLOCK];
	const uint8_t *all = a->bytes[section];
	uint64_t which = below(state, b->n), before = 0;
	for (uint64_t i = 0; i < which; i++)
		before += b->sizes[i];
	if (before > a->s[section].stored || b->sizes[which] > a->s[section].stored - before)
		return false;
	size_t n = change_block(all + before, b->sizes[which], packed, sizeof packed, state);
	uint64_t behind = before + b->sizes[which], rest = a->s[section].stored - behind;
	out->size = 1;
	if (!n || !column_grow(out, before + n + rest))
		return false;
	memcpy(out->p, all, before);
	memcpy((char *)out->p + before, packed, n);
	memcpy((char *)out->p + before + n, all + behind, rest);
	a->bytes[section] = out->p;
	a->s[section].stored = a->s[section].count = a->s[section].plain = before + n + rest;
	b->sizes[which] = (uint32_t)n;
	b->hashes[which] = codec_hash(packed, n, 0);
	return true;
}

static bool change_attributes(struct apart *a, uint64_t *state, struct blocks *b, struct column *out)
{
	int blocks = find(a, "attr_blocks"), sizes = find(a, "attr_sizes"), hashes = find(a, "attr_hashes");
	if (blocks < 0 || sizes < 0 || hashes < 0 || a->s[sizes].size != sizeof *b->sizes ||
	    a->s[hashes].size != sizeof *b->hashes || a->s[sizes].count != a->s[hashes].count || !a->s[sizes].count)
		return false;
	b->n = a->s[sizes].count;
	b->sizes = (uint32_t *)(void *)unpack(a, (uint32_t)sizes, NULL);
	b->hashes = b->sizes ? (uint64_t *)(void *)unpack(a, (uint32_t)hashes, NULL) : NULL;
	bool ok = b->hashes && rebuild_blocks(a, (uint32_t)blocks, b, state, out) &&
		  pack_again(a, (uint32_t)sizes, b->sizes, b->n, NULL, &b->sizes_packed) &&
		  pack_again(a, (uint32_t)hashes, b->hashes, b->n, NULL, &b->hashes_packed);
	free(b->sizes);
	free(b->hashes);
	return ok;
}

/* ---- changing the table, or what is packed -------------------------------------------------------------------------- */

static bool change_table(struct apart *a, uint64_t *state)
{
	if (!a->h.sections)
		return false;
	struct save_section *s = &a->s[below(state, a->h.sections)];
	uint64_t v = telling_value(state);
	switch (below(state, 6)) {
	case 0:
		s->codec = (uint32_t)below(state, CODECS + 1);
		break;
	case 1:
		s->size = (uint32_t)v;
		break;
	case 2:
		s->count = v;
		break;
	case 3:
		s->count += v & 1 ? 1 : UINT64_MAX;
		break;
	case 4:
		s->plain = v;
		break;
	default:
		s->name[below(state, sizeof s->name)] ^= (char)(1 << below(state, 7));
	}
	return true;
}

static bool change_packed(struct apart *a, uint64_t *state, struct column *out)
{
	uint32_t i = (uint32_t)below(state, a->h.sections);
	size_t n = a->h.sections ? a->s[i].stored : 0;
	out->size = 1;
	if (!n || !column_grow(out, n))
		return false;
	memcpy(out->p, a->bytes[i], n);
	a->s[i].stored = LLVMFuzzerMutate(out->p, n, n);
	a->bytes[i] = out->p;
	return true;
}

static bool change(struct apart *a, uint64_t *state, struct blocks *b, struct column *out)
{
	switch (below(state, 8)) {
	case 0:
		return change_table(a, state);
	case 1:
		return change_packed(a, state, out);
	case 2:
	case 3:
		return change_attributes(a, state, b, out);
	default:
		return change_values(a, state, out);
	}
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	static struct apart a;
	struct blocks b = {0};
	struct column out = {0};
	uint64_t state = seed;
	uint8_t *copy = malloc(max_size + 1);
	size_t n = 0;
	if (copy && below(&state, 16) && take_apart(&a, data, size) && change(&a, &state, &b, &out))
		n = put_together(&a, copy, max_size);
	if (n)
		memcpy(data, copy, n);
	free(copy);
	column_free(&out);
	column_free(&b.sizes_packed);
	column_free(&b.hashes_packed);
	return n ? n : LLVMFuzzerMutate(data, size, max_size);
}
