#include "kernel_families.h"

static void ask(const struct kernel_stats *s, const struct family_memo *memo, uint8_t *family, uint8_t *copying)
{
	for (uint32_t i = 0; i < s->n_kinds; i++) {
		const struct kernel_kind *k = &s->kinds[i];
		family[i] = (uint8_t)family_memo_of(memo, k->name, k->op);
		copying[i] = family[i] == FAMILY_COPY ? (uint8_t)copying_memo_of(memo, k->name, k->op) : COPYING_NONE;
	}
}

static bool say(const struct kernel_stats *s, const struct derived *d, struct arena *mem, struct kernel_said *said,
		struct err *e)
{
	const struct family_rules *r = derived_family_rules(d, e);
	if (!r)
		return false;
	uint8_t *family = arena_alloc(mem, s->n_kinds + (size_t)1), *copying = arena_alloc(mem, s->n_kinds + (size_t)1);
	struct family_memo memo = derived_families(d, r);
	ask(s, &memo, family, copying);
	*said = (struct kernel_said){family, copying};
	return family_rules_sound(r, e);
}

static bool make_said(const struct derived *d, const struct query *q, void *out, struct arena *mem, struct progress *p,
		      struct err *e)
{
	const struct kernel_stats *s = shared_part(&kernel_stats_part, d, q, mem, p, e);
	return s && say(s, d, mem, out, e);
}

const struct shared_part kernel_said_part = {sizeof(struct kernel_said), make_said};

bool kernel_stats_said(const struct kernel_stats *s, const struct derived *d, const struct query *q, struct arena *mem,
		       struct kernel_said *said, struct err *e)
{
	if (!shared_fits(q))
		return say(s, d, mem, said, e);
	const struct kernel_said *kept = shared_part(&kernel_said_part, d, q, mem, NULL, e);
	if (kept)
		*said = *kept;
	return kept != NULL;
}

const uint8_t *kernel_stats_families(const struct kernel_stats *s, const struct derived *d, const struct query *q,
				     struct arena *mem, struct err *e)
{
	struct kernel_said said;
	return kernel_stats_said(s, d, q, mem, &said, e) ? said.family : NULL;
}
