#include "small_sums.h"
#include "model/store/base/grow.h"
#include <stdlib.h>

void small_sums_add_wide(struct small_sums *s, uint32_t *ns, uint32_t i, int64_t more_ns)
{
	GROW_ARRAY(s->wide, (s->n + (size_t)1) * s->each - 1, s->cap);
	int64_t *wide = &s->wide[(uint64_t)s->n * s->each];
	for (uint32_t k = 0; k < s->each; k++)
		wide[k] = ns[k];
	ns[0] = SMALL_SUMS_WIDE;
	ns[1] = s->n++;
	small_sums_add_to(&wide[i], more_ns);
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
