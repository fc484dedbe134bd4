#include "small_sums.h"
#include "model/store/base/grow.h"
#include <stdlib.h>

static int64_t *widen(struct small_sums *s, uint32_t *ns)
{
	if (ns[0] == SMALL_SUMS_WIDE)
		return &s->wide[(uint64_t)ns[1] * s->each];
	GROW_ARRAY(s->wide, (s->n + (size_t)1) * s->each - 1, s->cap);
	int64_t *wide = &s->wide[(uint64_t)s->n * s->each];
	for (uint32_t i = 0; i < s->each; i++)
		wide[i] = ns[i];
	ns[0] = SMALL_SUMS_WIDE;
	ns[1] = s->n++;
	return wide;
}

void small_sums_add_wide(struct small_sums *s, uint32_t *ns, uint32_t i, int64_t more_ns)
{
	int64_t *wide = widen(s, ns);
	if (__builtin_add_overflow(wide[i], more_ns, &wide[i]))
		wide[i] = more_ns < 0 ? INT64_MIN : INT64_MAX;
}

void small_sums_own(struct small_sums *s, struct arena *mem)
{
	s->wide = arena_own(mem, s->wide, (size_t)s->n * s->each * sizeof *s->wide);
	s->cap = 0;
}

void small_sums_free(struct small_sums *s)
{
	free(s->wide);
	s->wide = NULL;
	s->n = s->cap = 0;
}
