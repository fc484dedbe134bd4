/* model/store/saved/load_numbers.c - numbers of events of a saved file, unpacked chunk by chunk when one of them is asked for. */
#include "load_private.h"
#include "model/store/base/memory.h"
#include "model/store/trace/lazy_sections.h"
#include <stdlib.h>
#include <string.h>

_Static_assert(1 << LAZY_CHUNK_SHIFT == CODEC_CHUNK, "a chunk of rows is a chunk of the file");

static const struct save_section *section_of(const struct lazy_numbers *x)
{
	return find_section(x->lazy->r, x->part == LAZY_CORRS ? "corrs" : "attrs");
}

static void note_damage(struct lazy_numbers *x)
{
	notes_add_sealed(&x->lazy->t->notes, NOTE_PART_DAMAGED, 1);
}

/* False when the section is damaged, which is noted once. */
static bool begin(struct lazy_numbers *x)
{
	const struct save_section *s = section_of(x);
	const struct reader *r = x->lazy->r;
	uint64_t n = x->lazy->t->c.n, chunks = codec_chunks(n);
	if (*x->values)
		return true;
	x->at = must(malloc((chunks + 1) * sizeof *x->at));
	if (!codec_find_chunks((enum codec)s->codec, r->kept[s - r->table], s->stored, n, x->at)) {
		note_damage(x);
		atomic_store(&x->lazy->done[x->part], true);
		return false;
	}
	x->unpacked = must(calloc(chunks + 1, 1));
	*x->values = must(large_alloc((n + 1) * sizeof **x->values));
	atomic_store_explicit(&x->made, must(calloc(chunks + 1, 1)), memory_order_release);
	return true;
}

static uint64_t chunk_rows(uint64_t n, uint64_t chunk)
{
	uint64_t left = n - chunk * CODEC_CHUNK;
	return left < CODEC_CHUNK ? left : CODEC_CHUNK;
}

static bool holds(struct codec_scratch *scratch, const struct lazy_numbers *x, uint64_t chunk)
{
	const struct save_section *s = section_of(x);
	return codec_holds(scratch, (enum codec)s->codec, x->lazy->r->kept[s - x->lazy->r->table] + x->at[chunk],
			   x->at[chunk + 1] - x->at[chunk], chunk_rows(x->lazy->t->c.n, chunk));
}

/* `to` has room for a chunk. */
static bool unpack_to(struct codec_scratch *scratch, const struct lazy_numbers *x, uint64_t chunk, uint64_t *to)
{
	const struct save_section *s = section_of(x);
	const struct reader *r = x->lazy->r;
	const struct trace *t = x->lazy->t;
	return codec_unpack(scratch, (enum codec)s->codec, r->kept[s - r->table] + x->at[chunk],
			    x->at[chunk + 1] - x->at[chunk], to, chunk_rows(t->c.n, chunk), sizeof *to,
			    t->kind + chunk * CODEC_CHUNK);
}

static void unpack(struct lazy_numbers *x, uint64_t chunk)
{
	uint64_t *to = *x->values + chunk * CODEC_CHUNK;
	if (x->unpacked[chunk])
		return;
	struct codec_scratch *scratch = must(codec_scratch_new());
	if (!unpack_to(scratch, x, chunk, to)) {
		note_damage(x);
		memset(to, 0, chunk_rows(x->lazy->t->c.n, chunk) * sizeof *to);
	}
	codec_scratch_free(scratch);
	x->unpacked[chunk] = 1;
}

/* Work has the correlation of its launch, which may lie in another chunk. */
static void follow_launches(struct lazy_numbers *x, uint64_t chunk)
{
	const struct trace *t = x->lazy->t;
	uint64_t *corr = *x->values, end = (chunk + 1) * CODEC_CHUNK;
	for (uint64_t r = chunk * CODEC_CHUNK; r < end && r < t->c.n; r++) {
		row_id launch = t->link[r];
		if (launch == NONE_ID || t->tracks[t->track[r]].info.device == NONE_ID)
			continue;
		unpack(x, launch / CODEC_CHUNK);
		corr[r] = corr[launch];
	}
}

void lazy_numbers_make(struct lazy_numbers *x, uint64_t chunk)
{
	if (!begin(x))
		return;
	unpack(x, chunk);
	if (x->part == LAZY_CORRS)
		follow_launches(x, chunk);
	atomic_store_explicit(&atomic_load(&x->made)[chunk], 1, memory_order_release);
}

void lazy_numbers_make_all(struct lazy_numbers *x)
{
	uint64_t chunks = codec_chunks(x->lazy->t->c.n);
	for (uint64_t i = 0; i < chunks && begin(x); i++)
		if (!atomic_load(&atomic_load(&x->made)[i]))
			lazy_numbers_make(x, i);
}

void lazy_numbers_check(struct lazy_numbers *x)
{
	uint64_t chunks = codec_chunks(x->lazy->t->c.n);
	struct codec_scratch *scratch = must(codec_scratch_new());
	for (uint64_t i = 0; i < chunks && begin(x); i++)
		if (!x->unpacked[i] && !holds(scratch, x, i))
			unpack(x, i); /* notes it, once */
	codec_scratch_free(scratch);
}
