/* model/store/saved/load_kernels.c - the facts of kernels, which lie in the file word by word: all first words, then all second ones and
 * so on. All of them are unpacked side by side, so that the rows are written once and in order, and only for the rows asked for: a piece of
 * rows lies in one or two chunks of each word, and the one that was unpacked last is kept for the rows after. Where it must be unpacked once
 * more for further rows, all rows of the chunk are made. */
#include "load_private.h"
#include "model/store/base/memory.h"
#include "model/store/trace/lazy_sections.h"
#include <stdlib.h>
#include <string.h>

enum { ROWS_AT_ONCE = 1024, PIECE = 1 << LAZY_KERNELS_SHIFT, PIECES = CODEC_CHUNK / PIECE };

struct planes {
	const unsigned char *from;
	size_t *at;      /* where each chunk begins */
	uint64_t n, all; /* rows; words */
	struct plane {
		uint64_t chunk; /* that is in `word`; UINT64_MAX: none yet */
		uint32_t word[CODEC_CHUNK];
	} * of[KERNEL_WORDS]; /* NULL: not used yet */
};

static struct plane *plane_of(struct planes *p, int at)
{
	if (!p->of[at]) {
		p->of[at] = must(malloc(sizeof *p->of[at]));
		p->of[at]->chunk = UINT64_MAX;
	}
	return p->of[at];
}

/* The words k of rows [row ...) that lie in one chunk, which is unpacked into plane number `at`; *n is set to how many there are at most.
 * NULL when it is damaged. */
static const uint32_t *words_at(struct lane *l, struct planes *p, int at, int k, uint64_t row, uint64_t *n)
{
	uint64_t i = (uint64_t)k * p->n + row, chunk = i / CODEC_CHUNK, first = chunk * CODEC_CHUNK;
	uint64_t count = p->all - first < CODEC_CHUNK ? p->all - first : CODEC_CHUNK;
	struct plane *x = plane_of(p, at);
	if (x->chunk != chunk && !codec_unpack(l->scratch, CODEC_PLANES, p->from + p->at[chunk],
					       p->at[chunk + 1] - p->at[chunk], x->word, count, sizeof *x->word, NULL))
		return NULL;
	x->chunk = chunk;
	*n = first + count - i < *n ? first + count - i : *n;
	return &x->word[i - first];
}

/* What is kept while some rows are still packed. */
struct packed_kernels {
	struct planes p;
	struct codec_scratch *scratch;
	uint32_t *hlo;           /* of all rows; NULL: none has one */
	uint64_t n_pieces, left; /* left: not made yet */
	uint64_t last;           /* chunk of rows of the piece made last; UINT64_MAX: none yet */
	unsigned char *begun;    /* by chunk of rows: a piece of it was made */
	bool noted;              /* damage */
};

/* As many of n rows from `row` on as lie in one chunk of each word; 0: damaged. */
static uint64_t take_rows_at(struct lane *l, struct packed_kernels *k, uint64_t row, uint64_t n, struct kernel_info *to)
{
	const uint32_t *words[KERNEL_WORDS];
	for (int w = 0; w < KERNEL_WORDS; w++)
		if (!(words[w] = words_at(l, &k->p, w, w, row, &n)))
			return 0;
	for (uint64_t i = 0; i < n; i++) {
		for (int w = 0; w < KERNEL_WORDS; w++)
			memcpy((uint32_t *)&to[i] + w, &words[w][i], sizeof **words);
		to[i].hlo = k->hlo ? k->hlo[row + i] : 0;
	}
	return n;
}

/* Rows [row, end); false when they are damaged. A few at a time, so that they are checked before they have left the cache. */
static bool take_sound(struct lazy *l, uint64_t row, uint64_t end, struct kernel_info *to, bool keep)
{
	struct lane lane = {.r = l->r, .scratch = l->kernels->scratch};
	for (uint64_t n; row < end; row += n, to += keep ? n : 0) {
		n = end - row < ROWS_AT_ONCE ? end - row : ROWS_AT_ONCE;
		n = take_rows_at(&lane, l->kernels, row, n, to);
		if (!n || !load_check_kernels(l->t, to, n))
			return false;
	}
	return true;
}

/* ---- life ------------------------------------------------------------------------------------------------------------ */

void lazy_kernels_free(struct lazy *l)
{
	struct packed_kernels *k = l->kernels;
	if (!k)
		return;
	codec_scratch_free(k->scratch);
	free(k->p.at);
	for (int w = 0; w < KERNEL_WORDS; w++)
		free(k->p.of[w]);
	free(k->hlo);
	free(k->begun);
	free(k);
	l->kernels = NULL;
}

static void note_damage(struct lazy *l)
{
	if (!l->kernels->noted)
		notes_add_sealed(&l->t->notes, NOTE_PART_DAMAGED, 1);
	l->kernels->noted = true;
}

static void all_made(struct lazy *l)
{
	lazy_kernels_free(l);
	atomic_store_explicit(&l->done[LAZY_KERNELS], true, memory_order_release);
}

static bool take_hlo(struct lazy *l)
{
	bool ok;
	struct lane lane = {.r = l->r, .scratch = l->kernels->scratch};
	l->kernels->hlo = take_optional_rows(&lane, "kernel_hlo", l->kernels->p.n, &ok);
	if (lane.no_memory)
		memory_exhausted(); /* the caller has no error path, and without the section its answer would be wrong */
	column_free(&lane.packed);
	return ok;
}

static struct packed_kernels *packed_new(const struct lazy *l, const struct save_section *s)
{
	struct packed_kernels *k = must(calloc(1, sizeof *k));
	k->p = (struct planes){.from = l->r->kept[s - l->r->table], .n = s->count / KERNEL_WORDS, .all = s->count};
	k->p.at = must(malloc((codec_chunks(k->p.all) + 1) * sizeof *k->p.at));
	k->scratch = must(codec_scratch_new());
	k->n_pieces = k->left = (k->p.n + PIECE - 1) / PIECE;
	k->last = UINT64_MAX;
	k->begun = must(calloc(codec_chunks(k->p.n) + 1, 1));
	return k;
}

/* Finds the chunks; false when there are none to be found, which is noted when they are damaged. */
static bool begin(struct lazy *l)
{
	const struct save_section *s = find_section(l->r, "kernels");
	struct column *rows = &l->t->kernels;
	if (l->kernels || atomic_load(&l->done[LAZY_KERNELS]))
		return l->kernels != NULL;
	struct packed_kernels *k = l->kernels = packed_new(l, s);
	rows->size = sizeof(struct kernel_info);
	if (codec_find_chunks((enum codec)s->codec, k->p.from, s->stored, s->count, k->p.at) && take_hlo(l)) {
		if (!column_grow(rows, k->p.n + 1))
			memory_exhausted();
		column_in_small_pages(rows);
		atomic_store_explicit(&l->kernels_made, must(calloc(k->left + 1, 1)), memory_order_release);
		return true;
	}
	note_damage(l);
	column_free(rows);
	all_made(l);
	return false;
}

/* ---- pieces of rows -------------------------------------------------------------------------------------------------- */

static uint64_t end_of(const struct lazy *l, uint64_t piece)
{
	uint64_t end = (piece + 1) * PIECE, n = l->kernels->p.n;
	return end < n ? end : n;
}

static bool is_made(struct lazy *l, uint64_t piece)
{
	return atomic_load(&atomic_load(&l->kernels_made)[piece]);
}

/* False, and nothing is made: a row of them is damaged. */
static bool make_sound(struct lazy *l, uint64_t first, uint64_t last)
{
	uint64_t row = first * PIECE;
	if (!take_sound(l, row, end_of(l, last - 1), (struct kernel_info *)l->t->kernels.p + row, true))
		return false;
	_Atomic(uint8_t) *made = atomic_load(&l->kernels_made);
	for (uint64_t i = first; i < last; i++)
		atomic_store_explicit(&made[i], 1, memory_order_release);
	l->kernels->left -= last - first;
	return true;
}

static void make_empty(struct lazy *l, uint64_t piece)
{
	uint64_t row = piece * PIECE;
	note_damage(l);
	memset((struct kernel_info *)l->t->kernels.p + row, 0, (end_of(l, piece) - row) * sizeof(struct kernel_info));
	atomic_store_explicit(&atomic_load(&l->kernels_made)[piece], 1, memory_order_release);
	l->kernels->left--;
}

/* Pieces [first, last), none of which is made. The last one of all frees what made them. */
static void make_run(struct lazy *l, uint64_t first, uint64_t last)
{
	bool sound = first < last && make_sound(l, first, last);
	for (uint64_t i = first; !sound && i < last; i++)
		if (!make_sound(l, i, i + 1))
			make_empty(l, i);
	if (!l->kernels->left)
		all_made(l);
}

/* Those of [first, last) that are wanted (NULL: all) and not made, as many at once as follow each other. */
static void make_pieces(struct lazy *l, uint64_t first, uint64_t last, const unsigned char *wanted)
{
	for (uint64_t i = first, end; l->kernels && i < last; i = end) {
		for (end = i; end < last && !is_made(l, end) && (!wanted || wanted[end]); end++)
			;
		make_run(l, i, end);
		end += end == i;
	}
}

void lazy_kernels_make(struct lazy *l, uint64_t piece)
{
	if (!begin(l))
		return;
	struct packed_kernels *k = l->kernels;
	uint64_t chunk = piece / PIECES, end = (chunk + 1) * PIECES;
	bool again = k->begun[chunk] && k->last != chunk;
	k->begun[chunk] = 1;
	k->last = chunk;
	if (again)
		make_pieces(l, chunk * PIECES, end < k->n_pieces ? end : k->n_pieces, NULL);
	else
		make_pieces(l, piece, piece + 1, NULL);
}

void lazy_kernels_make_wanted(struct lazy *l, const unsigned char *wanted)
{
	if (begin(l))
		make_pieces(l, 0, l->kernels->n_pieces, wanted);
}

void lazy_kernels_make_all(struct lazy *l)
{
	lazy_kernels_make_wanted(l, NULL);
}

/* In one plane: mostly nobody asks for rows after, and words that are asked for one after the other share chunks. */
bool lazy_kernels_tell(struct lazy *l, size_t member)
{
	int w = (int)(member / sizeof(uint32_t));
	if (!begin(l))
		return true;
	for (uint64_t row = 0, n; row < l->kernels->p.n; row += n) {
		struct lane lane = {.r = l->r, .scratch = l->kernels->scratch};
		n = l->kernels->p.n - row;
		const uint32_t *words = words_at(&lane, &l->kernels->p, 0, w, row, &n);
		uint32_t any = !words;
		for (uint64_t i = 0; words && i < n; i++)
			any |= words[i];
		if (any)
			return true;
	}
	return false;
}

void lazy_kernels_check(struct lazy *l)
{
	struct kernel_info *room = must(malloc(ROWS_AT_ONCE * sizeof *room));
	for (uint64_t i = 0; begin(l) && i < l->kernels->n_pieces; i++)
		if (!is_made(l, i) && !take_sound(l, i * PIECE, end_of(l, i), room, false))
			make_run(l, i, i + 1); /* notes it */
	free(room);
}
