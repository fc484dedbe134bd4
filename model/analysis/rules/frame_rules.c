#include "frame_rules.h"
#include "rules_file.h"
#include "model/store/base/arena.h"
#include "model/store/base/embed.h"
#include "model/store/base/memory.h"
#include <stdlib.h>

EMBED(frames_rules, "model/analysis/rules/frames.rules");

enum { FRAMES_VERSION = 1 };
enum section { SECTION_SHOWN, SECTION_WRAPPER, SECTIONS };
static const char *const section_words[SECTIONS] = {[SECTION_SHOWN] = "shown", [SECTION_WRAPPER] = "wrapper"};

struct frame_rules {
	struct arena mem;
	struct rule_list list;
};

/* HOW PATTERN; the reader has cut the first word off already. */
static bool read_rule(struct rules_reader *in, const char *how, char *rest)
{
	struct frame_rules *r = in->ctx;
	struct rule rule = {.says = in->section};
	TRY(rule_match_read(in, arena_printf(in->mem, "%s %s", how, rest), &rule.match));
	rule_list_add(&r->list, &r->mem, &rule);
	return true;
}

/* No regular expressions: any number of threads ask. */
static bool read_text(struct frame_rules *r, const char *text, size_t n, const char *what, struct err *e)
{
	const struct rules_format format = {.what = what,
					    .version = FRAMES_VERSION,
					    .sections = section_words,
					    .section_count = SECTIONS,
					    .ways = RULE_WAYS_PLAIN | RULE_BIT(FIND),
					    .line = read_rule};
	struct rules_reader in = {.format = &format, .mem = &r->mem, .ctx = r, .err = e};
	return rules_read(&in, text, n);
}

static bool read_own(struct frame_rules *r, const char *path, struct err *e)
{
	size_t n;
	const char *text = rules_load_file(&r->mem, path, &n, e);
	return text && read_text(r, text, n, arena_printf(&r->mem, "rules file %s", path), e);
}

struct frame_rules *frame_rules_load(const char *own_path, struct err *e)
{
	struct frame_rules *r = must(calloc(1, sizeof *r));
	if ((!own_path || read_own(r, own_path, e)) &&
	    read_text(r, frames_rules, EMBED_SIZE(frames_rules), "rules of frames", e))
		return r;
	frame_rules_free(r);
	return NULL;
}

void frame_rules_free(struct frame_rules *r)
{
	if (!r)
		return;
	arena_free(&r->mem);
	free(r);
}

bool frame_is_wrapper(const struct frame_rules *r, const char *name)
{
	struct rule_text asked;
	rule_text_open(&asked, name);
	const struct rule *rule = rule_list_find(&r->list, &asked);
	return rule && rule->says == SECTION_WRAPPER;
}
