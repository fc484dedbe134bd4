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

static void note_hole(struct cause_block *b, const struct cause_at *p)
{
	int64_t a_ns = p[0].at_ns, b_ns = p[1].at_ns;
	if (p->hole && b_ns - a_ns > b->hole.b_ns - b->hole.a_ns)
		b->hole = (struct interval){a_ns, b_ns};
}

static void make_block(struct cause_sums *x, const struct cause_at *p)
{
	struct cause_sum sums[CAUSE_COUNT];
	struct cause_block *b = &x->blocks[x->n++];
	*b = (struct cause_block){.from = x->n_sums, .simple = p->at_ns != INT64_MIN};
	for (int i = 0; i < CAUSE_COUNT; i++)
		sums[i] = (struct cause_sum){.row = NONE_ID, .cause = (enum cause)i};
	for (uint32_t i = 0; i < CAUSE_BLOCK && b->simple; i++) {
		add_piece(&sums[p[i].cause], &p[i], p[i + 1].at_ns - p[i].at_ns);
		note_hole(b, &p[i]);
		b->mixed |= p[i].mixed;
		b->simple = !p[i].hole || !p[i + 1].hole || i + 1 == CAUSE_BLOCK;
	}
	for (int i = 0; i < CAUSE_COUNT; i++) {
		if (!sums[i].ns)
			continue;
		GROW_ARRAY(x->sums, x->n_sums, x->cap_sums);
		x->sums[x->n_sums++] = sums[i];
	}
	b->n = x->n_sums - b->from;
}

void cause_sums_make(const struct cause_line *l, struct cause_sums *out)
{
	cause_sums_free(out);
	out->blocks = must(malloc((l->n / CAUSE_BLOCK + (size_t)1) * sizeof *out->blocks));
	for (uint32_t i = 0; i + CAUSE_BLOCK < l->n; i += CAUSE_BLOCK)
		make_block(out, &l->at[i]);
}

void cause_sums_free(struct cause_sums *x)
{
	free(x->blocks);
	free(x->sums);
	*x = (struct cause_sums){0};
}
