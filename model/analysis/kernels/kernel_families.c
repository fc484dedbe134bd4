#include "kernel_families.h"

const uint8_t *kernel_stats_families(const struct kernel_stats *s, const struct derived *d, struct arena *mem,
				     struct err *e)
{
	struct family_rules *r = family_rules_load(derived_options(d)->own_families, e);
	if (!r)
		return NULL;
	uint8_t *out = arena_alloc(mem, s->n_kinds + (size_t)1);
	struct family_memo *memo = family_memo_new(r, trace_strings(derived_trace(d)));
	for (uint32_t i = 0; i < s->n_kinds; i++)
		out[i] = (uint8_t)family_memo_of(memo, s->kinds[i].name, s->kinds[i].op);
	family_memo_free(memo);
	bool sound = family_rules_sound(r, e);
	family_rules_free(r);
	return sound ? out : NULL;
}
