/* The rule about experts: how evenly their tokens are spread is what their kernels are given, not what they are called. */
#include "finding_ctx.h"
#include "model/analysis/names/kernel_name.h"
#include "model/analysis/names/kernel_words.h"
#include "model/analysis/rules/kernel_rules.h"
#include <string.h>

enum { NAME_MAX_BYTES = 60 };
/* Marks their kinds; the one with most time, NONE_ID: there is none. */
static uint32_t most_of_experts(const struct finding_ctx *c, uint8_t *marked)
{
	const struct kernel_stats *k = c->answers.kernels;
	uint32_t most = NONE_ID;
	for (uint32_t i = 0; k && i < k->n_kinds; i++) {
		marked[i] = derived_kernel_facts(c->d, k->kinds[i].name)->words >> KERNEL_WORDS_EXPERTS & 1;
		if (marked[i] && (most == NONE_ID || k->kinds[i].total_ns > k->kinds[most].total_ns))
			most = i;
	}
	return most;
}

const char *experts_advice(struct finding_ctx *c)
{
	const struct table *groups = ctx_table(c, "comm_groups");
	uint32_t kinds = c->answers.kernels ? c->answers.kernels->n_kinds : 0; /* of a summary nobody knows them */
	bool spread = most_of_experts(c, arena_alloc(c->mem, kinds + (size_t)1)) != NONE_ID;
	for (uint32_t row = 0; groups && row < groups->n_rows && !spread; row++)
		spread = row_meets(groups, row, "group_kind=EP");
	return spread ? "Where its experts get more tokens than others, balance the router (auxiliary loss or bias, a "
			"capacity "
			"factor) or spread busy experts over ranks; otherwise give all ranks the same share of the "
			"batch."
		      : NULL;
}

void finding_experts(struct finding_ctx *c)
{
	const struct kernel_stats *k = c->answers.kernels;
	uint8_t *marked = arena_alloc(c->mem, k->n_kinds + (size_t)1);
	uint32_t most = most_of_experts(c, marked);
	if (most == NONE_ID) {
		say_nothing(c, "no kernel is one of experts by its name");
		return;
	}
	if (from_count(c, "devices", ctx_table(c, "all_to_all"), "received_to_mean!=null") > 1) {
		say_nothing(c, "all-to-alls show how evenly experts are loaded: see the rule about them");
		return;
	}
	const char *name = kernel_name_short(c->mem, trace_str(derived_trace(c->d), k->kinds[most].name));
	size_t n = strcspn(name, "<(");
	const char *why = arena_printf(c->mem,
				       "the token counts are passed to their kernels (most of the time %.*s) in a "
				       "tensor, whose values are not recorded",
				       (int)(n && n < NAME_MAX_BYTES ? n : NAME_MAX_BYTES), name);
	struct finding *x =
		say_untold(c, "how evenly tokens are spread over experts", why,
			   "Where experts are spread over ranks, record all ranks: the splits of all-to-alls show the "
			   "load of each. On one rank, log how many tokens the router sends to each expert.");
	x->formula = "kernels of experts by their names; bytes of all-to-alls";
	show_longest_kernel(c, marked, x);
}
