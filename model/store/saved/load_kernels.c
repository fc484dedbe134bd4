/* model/store/saved/load_kernels.c - the facts of kernels, which lie in the file word by word: all first words, then all second ones and
 * so on. All of them are unpacked side by side, a chunk of each at a time, so that the rows are written once and in order. */
#include "load_private.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>

struct planes {
	const unsigned char *from;
	size_t *at;      /* where each chunk begins */
	uint64_t n, all; /* rows; words */
	struct plane {
		uint32_t word[CODEC_CHUNK];
		uint64_t chunk; /* that is in `word`; UINT64_MAX: none yet */
	} * of;                 /* by word of a row */
};

/* The words of rows [row ...) that lie in one chunk; *n is set to how many there are at most. NULL when it is damaged. */
static const uint32_t *words_at(struct lane *l, struct planes *p, int k, uint64_t row, uint64_t *n)
{
	uint64_t i = (uint64_t)k * p->n + row, chunk = i / CODEC_CHUNK, first = chunk * CODEC_CHUNK;
	uint64_t count = p->all - first < CODEC_CHUNK ? p->all - first : CODEC_CHUNK;
	struct plane *x = &p->of[k];
	if (x->chunk != chunk && !codec_unpack(l->scratch, CODEC_PLANES, p->from + p->at[chunk],
					       p->at[chunk + 1] - p->at[chunk], x->word, count, sizeof *x->word, NULL))
		return NULL;
	x->chunk = chunk;
	*n = first + count - i < *n ? first + count - i : *n;
	return &x->word[i - first];
}

/* As many rows from `row` on as lie in one chunk of each word; 0: damaged. */
static uint64_t take_rows_at(struct lane *l, struct planes *p, uint64_t row, struct kernel_info *to)
{
	const uint32_t *words[KERNEL_WORDS];
	uint64_t n = p->n - row;
	for (int k = 0; k < KERNEL_WORDS; k++)
		if (!(words[k] = words_at(l, p, k, row, &n)))
			return 0;
	for (uint64_t i = 0; i < n; i++) {
		for (int k = 0; k < KERNEL_WORDS; k++)
			memcpy((uint32_t *)&to[i] + k, &words[k][i], sizeof **words);
		to[i].hlo = 0;
	}
	return n;
}

static bool take_all(struct lane *l, struct planes *p, const struct save_section *s, struct kernel_info *rows)
{
	if (!codec_find_chunks((enum codec)s->codec, p->from, s->stored, s->count, p->at))
		return damaged(l, s->offset, s->name);
	for (int k = 0; k < KERNEL_WORDS; k++)
		p->of[k].chunk = UINT64_MAX;
	for (uint64_t row = 0, n; row < p->n; row += n)
		if (!(n = take_rows_at(l, p, row, rows + row)))
			return damaged(l, s->offset, s->name);
	return true;
}

static bool take_hlo(struct lane *l, struct trace *t)
{
	bool ok;
	uint32_t *hlo = take_optional_rows(l, "kernel_hlo", t->kernels.n, &ok);
	for (uint64_t i = 0; ok && hlo && i < t->kernels.n; i++)
		((struct kernel_info *)t->kernels.p)[i].hlo = hlo[i];
	free(hlo);
	return ok;
}

static bool take_kernels(struct lane *l, struct trace *t)
{
	const struct save_section *s = find_section(l->r, "kernels");
	struct planes p = {.from = l->r->kept[s - l->r->table], .n = s->count / KERNEL_WORDS, .all = s->count};
	p.at = malloc((codec_chunks(p.all) + 1) * sizeof *p.at);
	p.of = malloc(KERNEL_WORDS * sizeof *p.of);
	t->kernels.size = sizeof(struct kernel_info);
	bool ok = (p.at && p.of && column_grow(&t->kernels, p.n + 1)) || out_of_memory(l);
	ok = ok && take_all(l, &p, s, t->kernels.p);
	t->kernels.n = p.n;
	free(p.at);
	free(p.of);
	return ok && take_hlo(l, t);
}

bool load_kernels(struct lane *l, struct trace *t)
{
	if (take_kernels(l, t) && load_check_kernels(t))
		return true;
	column_free(&t->kernels);
	return false;
}
