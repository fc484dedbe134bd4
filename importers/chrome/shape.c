#include "shape.h"

static void forget(struct shape *s)
{
	s->root.ways = 0;
	s->n = 0;
	memset(s->branch, 0, sizeof s->branch);
}

void shape_init(struct shape *s)
{
	memset(s, 0, sizeof *s);
}

/* A fresh step without text. What was learned may be gone behind this call, `*from` with it. */
static struct step *new_step(struct shape *s, struct step **from)
{
	if (s->n == STEPS) {
		forget(s);
		*from = &s->lost;
	}
	struct step *x = &s->step[s->n++];
	memset(x, 0, sizeof *x);
	return x;
}

/* The least likely way makes room. */
static void add_way(struct shape *s, struct step *from, struct step *to)
{
	if (from == &s->lost)
		return;
	from->ways += from->ways < STEP_WAYS;
	from->way[from->ways - 1] = to;
}

struct step *shape_learn(struct shape *s, struct step *from, const char *text, size_t n, const struct step *found)
{
	if (n > STEP_TEXT || from == &s->lost)
		return &s->lost;
	struct step *x = new_step(s, &from);
	memcpy(x->text, text, n);
	x->n = (uint32_t)n;
	x->want = n == 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1;
	x->key = found->key;
	x->place = found->place;
	x->tag = found->tag;
	add_way(s, from, x);
	return x;
}

struct step *shape_branch(struct shape *s, struct step *from, uint32_t value)
{
	if (from == &s->lost)
		return from;
	size_t slot = ((size_t)(from - s->step) * 31 + value) % BRANCHES;
	if (s->branch[slot].to && s->branch[slot].from == from && s->branch[slot].value == value)
		return s->branch[slot].to;
	const struct step *was = from;
	struct step *x = new_step(s, &from);
	if (from != was)
		return &s->lost;
	s->branch[slot].from = was;
	s->branch[slot].value = value;
	s->branch[slot].to = x;
	return x;
}
