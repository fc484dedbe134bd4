#include "filter_said.h"
#include "kernel_families.h"
#include "tensor_cores.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/rules/kernel_rules.h"
#include "model/analysis/steps/phases.h"
#include "model/store/base/idmap.h"
#include "model/store/base/memory.h"
#include <stdlib.h>

enum { UNASKED = UINT32_MAX };
struct sayer {
	const struct derived *d;
	const struct trace *t;
	const struct columns *c;
	struct kernel_rules *rules;
	struct family_rules *families;
	struct phases *phases;
	enum tc_device device;
	struct idmap answers[SAID_LISTS]; /* by name and op */
};

static enum tc_word tc_of(struct sayer *s, row_id r, const struct kernel_facts *facts, const char *op)
{
	const struct kernel_info *k = trace_kernel_with_texts(s->t, r);
	enum verdict uses = (enum verdict)facts->uses_tc;
	if (facts->collective)
		return TC_WORD_NO;
	if (uses != VERDICT_NO)
		return uses == VERDICT_YES ? TC_WORD_USED : TC_WORD_UNKNOWN;
	if (s->device == TC_DEVICE_WITHOUT)
		return TC_WORD_NO;
	enum verdict eligible = kernel_tc_eligible(s->rules, facts, op, k ? trace_str(s->t, k->op_type) : "",
						   k ? trace_str(s->t, k->equation) : "", uses);
	return eligible == VERDICT_YES ? TC_WORD_COULD : eligible == VERDICT_NO ? TC_WORD_NO : TC_WORD_UNKNOWN;
}

static uint32_t answer(struct sayer *s, enum said_list list, row_id r, str_id op)
{
	const char *name = trace_str(s->t, s->c->name[r]), *op_text = trace_str(s->t, op);
	if (list == SAID_FAMILY)
		return family_of(s->families, name, op_text);
	struct kernel_facts facts = kernel_facts_ask(s->rules, name);
	return list == SAID_TC ? (uint32_t)tc_of(s, r, &facts, op_text) : facts.precision;
}

/* Kernels of one name and op get one answer. */
static int says(void *ctx, enum said_list list, row_id r)
{
	struct sayer *s = ctx;
	if (list == SAID_PHASE)
		return (int)phase_shown(s->phases, r);
	if (s->c->kind[r] != KIND_KERNEL)
		return -1;
	str_id op = list == SAID_PRECISION ? 0 : op_of_event(s->d, r);
	uint32_t *said = idmap_put(&s->answers[list], (uint64_t)s->c->name[r] << 32 | op, UNASKED);
	if (*said == UNASKED)
		*said = answer(s, list, r, op);
	return (int)*said;
}

static bool sound(void *ctx, struct err *e)
{
	const struct sayer *s = ctx;
	return (!s->rules || kernel_rules_sound(s->rules, e)) && (!s->families || family_rules_sound(s->families, e));
}

static bool load(struct sayer *s, uint32_t lists, struct err *e)
{
	if (lists & (1u << SAID_TC | 1u << SAID_PRECISION))
		TRY((s->rules = derived_rules_load(s->d, e)) != NULL);
	if (lists & 1u << SAID_FAMILY)
		TRY((s->families = family_rules_load(derived_options(s->d)->own_families, e)) != NULL);
	if (lists & 1u << SAID_PHASE)
		TRY((s->phases = phases_new(s->d, e)) != NULL);
	if (lists & 1u << SAID_TC)
		s->device = tc_device_of(s->d);
	return true;
}

static void drop(struct sayer *s)
{
	if (s->rules)
		kernel_rules_free(s->rules);
	family_rules_free(s->families);
	phases_free(s->phases);
	for (int i = 0; i < SAID_LISTS; i++)
		idmap_free(&s->answers[i]);
}

bool filter_bind_derived(struct filter *f, const struct derived *d, struct progress *p, struct err *e)
{
	const struct trace *t = derived_trace(d);
	struct sayer s = {.d = d, .t = t, .c = trace_columns(t)};
	struct filter_sayer sayer = {&s, says, sound};
	bool fine = load(&s, filter_asks(f), e) && filter_bind_said(f, t, &sayer, p, e);
	drop(&s);
	return fine;
}
