#include "learned_layout.h"
#include "model/store/base/memory.h"
#include <stdlib.h>

void layout_init(struct layout *s)
{
	memset(s, 0, sizeof *s);
	s->odd.odd = true;
}

void layout_free(struct layout *s)
{
	free(s->block);
}

bool layout_takes_numbers(const struct layout *s, const struct layout_step *from)
{
	return s->forgotten < 1 && from->ways < STEP_WAYS / 2;
}

bool layout_takes_categories(const struct layout *s)
{
	return s->forgotten < 2;
}

bool layout_takes_texts(const struct layout_step *from)
{
	return from->ways < STEP_WAYS - 1;
}

static bool tells_apart(const struct layout_step *from, unsigned at)
{
	for (unsigned i = 1; i < from->ways; i++)
		for (unsigned k = 0; k < i; k++)
			if (memcmp(from->way[i]->text + at, from->way[k]->text + at, sizeof(uint64_t)) == 0)
				return false;
	return true;
}

void layout_tell_ways(struct layout_step *from)
{
	memset(from->guess, 0, sizeof from->guess);
	if (from->ways <= STEP_FEW_WAYS || from->ways == STEP_WAYS)
		return;
	for (uint8_t at = 1; !from->tells && at + sizeof(uint64_t) <= STEP_TEXT; at++)
		from->tells = tells_apart(from, at) ? at : 0;
}

/* The least likely way makes room. */
static void add_way(struct layout_step *from, struct layout_step *to)
{
	from->ways += from->ways < STEP_WAYS;
	from->way[from->ways - 1] = to;
	from->tells = from->tries = 0;
}

/* Begins a new block; what was learned is forgotten, but stays readable as long as the batch. */
static void new_block(struct layout *s, struct batch *b)
{
	struct layout_step *block = must(malloc(STEPS * sizeof *block));
	if (s->block) {
		batch_retire(b, s->block);
		s->forgotten++;
	}
	s->root.ways = s->root.tells = 0;
	s->block = block;
	s->n = 0;
}

static struct layout_step *odd_step(struct batch *b, const struct layout_step *found)
{
	struct layout_step *x = must(malloc(sizeof *x));
	batch_retire(b, x);
	*x = *found;
	x->odd = true;
	return x;
}

struct layout_step *layout_learn(struct layout *s, struct batch *b, struct layout_step *from, const char *text,
				 const struct layout_step *found, bool sound)
{
	if (!sound || from->odd || found->n > STEP_TEXT)
		return odd_step(b, found);
	bool full = !s->block || s->n == STEPS;
	if (full)
		new_block(s, b);
	struct layout_step *x = &s->block[s->n++];
	*x = *found;
	memcpy(x->text, text, x->n);
	/* one bit per byte of the text, as the vector comparison gives them */
	uint64_t want = x->n == STEP_TEXT ? ~UINT64_C(0) : (UINT64_C(1) << x->n) - 1;
	x->want[0] = (uint32_t)want;
	x->want[1] = (uint32_t)(want >> 32);
	if (!full || from == &s->root) /* else `from` itself is forgotten */
		add_way(from, x);
	return x;
}
