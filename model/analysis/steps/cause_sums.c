#include "cause_sums.h"
#include "model/store/base/grow.h"
#include "model/store/base/memory.h"
#include <stdlib.h>

static void add_piece(struct cause_sum *s, const struct cause_at *p, int64_t ns)
{
	s->ns += ns;
	s->trusted += (__int128)ns * p->trust;
	if (p->row == NONE_ID || ns <= s->row_ns)
		return;
	s->row = p->row;
	s->row_ns = ns;
}

static void note_hole(struct cause_block *b, int64_t a_ns, int64_t b_ns)
{
	if (b_ns - a_ns > b->hole.b_ns - b->hole.a_ns)
		b->hole = (struct interval){a_ns, b_ns};
}

static void sums_begin(struct cause_sum sums[CAUSE_COUNT])
{
	for (int i = 0; i < CAUSE_COUNT; i++)
		sums[i] = (struct cause_sum){.row = NONE_ID, .cause = (enum cause)i};
}

static void keep_sums(struct cause_sums *x, struct cause_block *b, const struct cause_sum sums[CAUSE_COUNT])
{
	b->from = x->n_sums;
	for (int i = 0; i < CAUSE_COUNT; i++) {
		if (!sums[i].ns)
			continue;
		GROW_ARRAY(x->sums, x->n_sums, x->cap_sums);
		x->sums[x->n_sums++] = sums[i];
	}
	b->n = x->n_sums - b->from;
}

static void make_block(struct cause_sums *x, const struct cause_at *p, struct cause_block *b)
{
	struct cause_sum sums[CAUSE_COUNT];
	*b = (struct cause_block){.simple = p->at_ns != INT64_MIN};
	sums_begin(sums);
	for (uint32_t i = 0; i < CAUSE_BLOCK && b->simple; i++) {
		add_piece(&sums[p[i].cause], &p[i], p[i + 1].at_ns - p[i].at_ns);
		if (p[i].hole)
			note_hole(b, p[i].at_ns, p[i + 1].at_ns);
		b->mixed |= p[i].mixed;
		b->simple = !p[i].hole || !p[i + 1].hole || i + 1 == CAUSE_BLOCK;
	}
	keep_sums(x, b, sums);
}

static void add_sums(const struct cause_sums *x, const struct cause_block *b, struct cause_sum sums[CAUSE_COUNT])
{
	for (const struct cause_sum *s = x->sums + b->from, *end = s + b->n; s < end; s++) {
		struct cause_sum *sum = &sums[s->cause];
		sum->ns += s->ns;
		sum->trusted += s->trusted;
		if (s->row_ns <= sum->row_ns)
			continue;
		sum->row = s->row;
		sum->row_ns = s->row_ns;
	}
}

/* Of CAUSE_BLOCK blocks, each of so many pieces, the first of which is p. */
static void join_blocks(struct cause_sums *x, const struct cause_block *of, const struct cause_at *p, uint32_t pieces,
			struct cause_block *b)
{
	struct cause_sum sums[CAUSE_COUNT];
	*b = (struct cause_block){.simple = true};
	sums_begin(sums);
	for (uint32_t i = 0; i < CAUSE_BLOCK && b->simple; i++) {
		const struct cause_at *end = p + (size_t)(i + 1) * pieces;
		add_sums(x, &of[i], sums);
		note_hole(b, of[i].hole.a_ns, of[i].hole.b_ns);
		b->mixed |= of[i].mixed;
		b->simple = of[i].simple && (!end[-1].hole || !end->hole || i + 1 == CAUSE_BLOCK);
	}
	keep_sums(x, b, sums);
}

void cause_sums_make(const struct cause_line *l, struct cause_sums *out)
{
	cause_sums_free(out);
	for (uint32_t level = 0, pieces = CAUSE_BLOCK; level < CAUSE_LEVELS; level++, pieces *= CAUSE_BLOCK) {
		uint32_t n = out->n[level] = l->n ? (l->n - 1) / pieces : 0;
		out->blocks[level] = must(malloc((n + (size_t)1) * sizeof **out->blocks));
		for (uint32_t i = 0; i < n; i++) {
			const struct cause_at *p = &l->at[(size_t)i * pieces];
			struct cause_block *b = &out->blocks[level][i];
			if (level)
				join_blocks(out, &out->blocks[level - 1][i * CAUSE_BLOCK], p, pieces / CAUSE_BLOCK, b);
			else
				make_block(out, p, b);
		}
	}
}

const struct cause_block *cause_block_at(const struct cause_sums *x, const struct cause_line *l, uint32_t i,
					 int64_t until_ns, uint32_t *pieces)
{
	const struct cause_block *found = NULL;
	uint32_t each = CAUSE_BLOCK;
	for (uint32_t level = 0; level < CAUSE_LEVELS; level++, each *= CAUSE_BLOCK) {
		if (i % each || i / each >= x->n[level] || !x->blocks[level][i / each].simple ||
		    l->at[i + each].at_ns > until_ns)
			break;
		found = &x->blocks[level][i / each];
		*pieces = each;
	}
	return found;
}

void cause_sums_free(struct cause_sums *x)
{
	for (uint32_t i = 0; i < CAUSE_LEVELS; i++)
		free(x->blocks[i]);
	free(x->sums);
	*x = (struct cause_sums){0};
}
