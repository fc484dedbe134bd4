#include "iteration_rules.h"
#include "rules_file.h"
#include "model/analysis/names/nvtx_name.h"
#include "model/pattern.h"
#include "model/store/base/arena.h"
#include "model/store/base/embed.h"
#include "model/store/base/memory.h"
#include "model/store/facts/facts.h"
#include <stdlib.h>
#include <string.h>

EMBED(iterations_rules, "model/analysis/rules/iterations.rules");

enum { ITERATIONS_VERSION = 1 };

static const char *const words[ITERATION_KIND_COUNT] = {
#define KIND_WORD(id, word) [ITERATION_##id] = word,
	ITERATION_KINDS(KIND_WORD)
#undef KIND_WORD
};
/* Where the kind is not known from the name, the numbers tell it. */
static const char *const sections[ITERATION_KIND_COUNT] = {
#define SECTION_WORD(id, word) [ITERATION_##id] = ITERATION_##id == ITERATION_UNKNOWN ? "numbers" : word,
	ITERATION_KINDS(SECTION_WORD)
#undef SECTION_WORD
};

struct iteration_rules {
	struct arena mem;
	struct pattern_budget budget;
	struct rule_list list;
};

const char *iteration_kind_name(enum iteration_kind kind)
{
	return words[kind];
}

/* ---- reading --------------------------------------------------------------------------------------------------------- */

/* SERVER re PATTERN */
static bool read_rule(struct rules_reader *in, const char *server, char *rest)
{
	struct iteration_rules *r = in->ctx;
	struct rule rule = {.says = in->section, .text = strcmp(server, "-") ? server : NULL};
	TRY(rule_match_read(in, rest, &rule.match));
	rule_list_add(&r->list, &r->mem, &rule);
	return true;
}

static const struct rules_format format = {.what = "rules of iterations",
					   .version = ITERATIONS_VERSION,
					   .sections = sections,
					   .section_count = ITERATION_KIND_COUNT,
					   .ways = RULE_BIT(RE),
					   .line = read_rule};

static struct iteration_rules *read(const char *text, size_t n, bool built_in, struct err *e)
{
	struct iteration_rules *r = must(calloc(1, sizeof *r));
	struct rules_reader in = {
		.format = &format, .mem = &r->mem, .ctx = r, .budget = &r->budget, .err = e, .built_in = built_in};
	pattern_budget_open_each(&r->budget);
	if (!rules_read(&in, text, n)) {
		iteration_rules_free(r);
		return NULL;
	}
	rule_lists_index((struct rule_list *[]){&r->list}, 1, &r->mem);
	return r;
}

struct iteration_rules *iteration_rules_read(const char *text, size_t n, struct err *e)
{
	return read(text, n, false, e);
}

struct iteration_rules *iteration_rules_builtin(struct err *e)
{
	return read(iterations_rules, EMBED_SIZE(iterations_rules), true, e);
}

void iteration_rules_free(struct iteration_rules *r)
{
	if (!r)
		return;
	rule_list_free(&r->list);
	arena_free(&r->mem);
	free(r);
}

/* ---- asking ---------------------------------------------------------------------------------------------------------- */

static int64_t number_of(const struct rule *rule, const char *name, const char *group)
{
	int64_t v;
	return pattern_number(rule->match.pattern, name, group, &v) ? v : UNKNOWN_I64;
}

static int64_t either_or_both(int64_t x, int64_t y)
{
	if (x == UNKNOWN_I64 || y == UNKNOWN_I64)
		return x == UNKNOWN_I64 ? y : x;
	return x + y;
}

static enum iteration_kind kind_by_numbers(const struct iteration_label *l)
{
	bool prefill = l->prefill_requests > 0 || l->prefill_tokens > 0, decode = l->decode_requests > 0;
	return prefill ? (decode ? ITERATION_MIXED : ITERATION_PREFILL) : decode ? ITERATION_DECODE : ITERATION_UNKNOWN;
}

/* A request that generates computes one token, where nothing tells of more. */
static void fill_in(struct iteration_label *l)
{
	if (l->decode_tokens == UNKNOWN_I64 && l->kind != ITERATION_VERIFY)
		l->decode_tokens = l->decode_requests;
	if (l->requests == UNKNOWN_I64)
		l->requests = either_or_both(l->prefill_requests, l->decode_requests);
	bool prompts_untold = l->prefill_requests > 0 && l->prefill_tokens == UNKNOWN_I64;
	if (l->tokens == UNKNOWN_I64 && !prompts_untold)
		l->tokens = either_or_both(l->prefill_tokens, l->decode_tokens);
}

bool iteration_rules_ask(struct iteration_rules *r, const char *name, struct iteration_label *out)
{
	struct rule_text asked;
	name = nvtx_name(name);
	rule_text_open(&asked, name);
	const struct rule *rule = rule_list_find(&r->list, &asked);
	if (!rule)
		return false;
	*out = (struct iteration_label){
		.kind = (enum iteration_kind)rule->says,
		.server = rule->text,
		.number = number_of(rule, name, "number"),
		.requests = number_of(rule, name, "requests"),
		.prefill_requests = number_of(rule, name, "prefill_requests"),
		.decode_requests = number_of(rule, name, "decode_requests"),
		.tokens = number_of(rule, name, "tokens"),
		.prefill_tokens = number_of(rule, name, "prefill_tokens"),
		.decode_tokens = number_of(rule, name, "decode_tokens"),
		.context_tokens = either_or_both(number_of(rule, name, "prefill_context"),
						 number_of(rule, name, "decode_context")),
	};
	if (out->kind == ITERATION_UNKNOWN)
		out->kind = kind_by_numbers(out);
	fill_in(out);
	return true;
}

bool iteration_rules_sound(const struct iteration_rules *r, struct err *e)
{
	return pattern_budget_sound(&r->budget, e);
}
