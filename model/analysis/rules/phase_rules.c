#include "phase_rules.h"
#include "rules_file.h"
#include "model/store/base/arena.h"
#include "model/store/base/embed.h"
#include "model/store/base/memory.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

EMBED(phases_rules, "model/analysis/rules/phases.rules");

enum { PHASES_VERSION = 1 };

static const char *const words[WORK_PHASES] = {
#define PHASE_WORD(id, word) [WORK_##id] = word,
	WORK_PHASES_LIST(PHASE_WORD)
#undef PHASE_WORD
};

struct phase_rules {
	struct arena mem;
	struct rule_list list;
};

const char *work_phase_name(enum work_phase p)
{
	return words[p];
}

/* HOW PATTERN; the reader has cut the first word off already. */
static bool read_rule(struct rules_reader *in, const char *how, char *rest)
{
	struct phase_rules *r = in->ctx;
	struct rule rule = {.says = in->section};
	TRY(rule_match_read(in, arena_printf(in->mem, "%s %s", how, rest), &rule.match));
	rule_list_add(&r->list, &r->mem, &rule);
	return true;
}

static const struct rules_format format = {.what = "rules of phases",
					   .version = PHASES_VERSION,
					   .sections = words,
					   .section_count = WORK_OTHER + 1,
					   .ways = RULE_WAYS_PLAIN | RULE_BIT(FIND),
					   .line = read_rule};

struct phase_rules *phase_rules_read(const char *text, size_t n, struct err *e)
{
	struct phase_rules *r = must(calloc(1, sizeof *r));
	struct rules_reader in = {.format = &format, .mem = &r->mem, .ctx = r, .err = e};
	if (rules_read(&in, text, n)) {
		rule_lists_index(&(struct rule_list *){&r->list}, 1, &r->mem);
		return r;
	}
	phase_rules_free(r);
	return NULL;
}

struct phase_rules *phase_rules_builtin(struct err *e)
{
	return phase_rules_read(phases_rules, EMBED_SIZE(phases_rules), e);
}

void phase_rules_free(struct phase_rules *r)
{
	if (!r)
		return;
	arena_free(&r->mem);
	free(r);
}

enum work_phase phase_rules_ask(const struct phase_rules *r, const char *name)
{
	struct rule_text asked;
	rule_text_open(&asked, name);
	const struct rule *rule = rule_list_find(&r->list, &asked);
	return rule ? (enum work_phase)rule->says : WORK_OTHER;
}
