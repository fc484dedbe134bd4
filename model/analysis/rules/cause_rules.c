#include "cause_rules.h"
#include "rules_file.h"
#include "model/store/base/embed.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>

EMBED(causes_rules, "model/analysis/rules/causes.rules");

enum { CAUSES_VERSION = 1 };

static const char *const section_words[CAUSE_SECTIONS] = {
/* What is unknown has no rules. */
#define SECTION_WORD(id, name, word, loses, what, ...) [CAUSE_##id] = CAUSE_##id == CAUSE_UNKNOWN ? NULL : word,
	CAUSES(SECTION_WORD)
#undef SECTION_WORD
		[SAYS_NOTHING] = "says nothing",
	[CAUSE_INPUT_WORKER] = "input worker",
	[CAUSE_COMM_CALL] = "communication call",
	[CAUSE_WAITING] = "waiting",
	[CAUSE_INPUT_THREAD] = "input thread",
};

struct cause_rules {
	struct arena mem;
	struct rule_list names, threads;
};

/* ---- reading --------------------------------------------------------------------------------------------------------- */

/* TRUST HOW PATTERN */
static bool read_rule(struct rules_reader *in, const char *trust, char *rest)
{
	struct cause_rules *r = in->ctx;
	int points = atoi(trust);
	if (points < 1 || points > 100)
		return rules_complain(in, "expected a trust of 1 to 100 instead of", trust);
	struct rule rule = {.says = in->section, .trust = (uint8_t)points};
	TRY(rule_match_read(in, rest, &rule.match));
	rule_list_add(in->section == CAUSE_INPUT_THREAD ? &r->threads : &r->names, &r->mem, &rule);
	return true;
}

/* No regular expressions: any number of threads ask. */
static const struct rules_format format = {.what = "rules of causes",
					   .version = CAUSES_VERSION,
					   .sections = section_words,
					   .section_count = CAUSE_SECTIONS,
					   .ways = RULE_WAYS_PLAIN | RULE_BIT(FIND),
					   .line = read_rule};

struct cause_rules *cause_rules_read(const char *text, size_t n, struct err *e)
{
	struct cause_rules *r = must(calloc(1, sizeof *r));
	struct rules_reader in = {.format = &format, .mem = &r->mem, .ctx = r, .err = e};
	if (rules_read(&in, text, n))
		return r;
	cause_rules_free(r);
	return NULL;
}

struct cause_rules *cause_rules_builtin(struct err *e)
{
	return cause_rules_read(causes_rules, EMBED_SIZE(causes_rules), e);
}

void cause_rules_free(struct cause_rules *r)
{
	if (!r)
		return;
	arena_free(&r->mem);
	free(r);
}

/* ---- asking ---------------------------------------------------------------------------------------------------------- */

struct name_cause cause_rules_ask(const struct cause_rules *r, const char *name, bool threads)
{
	struct rule_text asked;
	rule_text_open(&asked, name);
	const struct rule *rule = rule_list_find(threads ? &r->threads : &r->names, &asked);
	return rule ? (struct name_cause){(uint8_t)rule->says, rule->trust} : (struct name_cause){CAUSE_UNKNOWN, 0};
}
