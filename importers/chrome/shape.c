#include "shape.h"

void shape_init(struct shape *s)
{
	memset(s, 0, sizeof *s);
}

bool shape_takes_numbers(const struct step *from)
{
	return from->ways < STEP_WAYS / 2;
}

bool shape_takes_texts(const struct step *from)
{
	return from->ways < STEP_WAYS - 1;
}

/* The least likely way makes room. */
static void add_way(struct step *from, struct step *to)
{
	from->ways += from->ways < STEP_WAYS;
	from->way[from->ways - 1] = to;
}

/* When all steps are used up: begins anew. What was learned, and every step in hand, is void then. */
static bool forgot(struct shape *s)
{
	if (s->n < STEPS)
		return false;
	s->root.ways = 0;
	s->n = 0;
	return true;
}

struct step *shape_learn(struct shape *s, struct step *from, const char *text, const struct step *found)
{
	if (found->n > STEP_TEXT || from == &s->lost || forgot(s)) {
		s->lost = *found;
		return &s->lost;
	}
	struct step *x = &s->step[s->n++];
	*x = *found;
	memcpy(x->text, text, x->n);
	x->want = x->n == STEP_TEXT ? ~UINT64_C(0) : (UINT64_C(1) << x->n) - 1;
	add_way(from, x);
	return x;
}
