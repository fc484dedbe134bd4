#include "op_rules.h"
#include "rules_file.h"
#include "model/store/base/arena.h"
#include "model/store/base/embed.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>

EMBED(op_rules_text, "model/analysis/rules/ops.rules");

enum { OP_RULES_VERSION = 1 };
/* As enum op_sort, so that an op of both is host-only: the last section is asked first. */
static const char *const sections[] = {NULL, "compute", "host-only"};
enum { SECTIONS = sizeof sections / sizeof *sections };
static const char *const whats[] = {"type", "name"};
enum { WHAT_TYPE, WHAT_NAME };

struct op_rule {
	int what, section;
	struct rule_match match;
};
struct op_rules {
	struct arena mem;
	struct op_rule *at;
	uint32_t n;
};

static bool read_line(struct rules_reader *in, const char *word, char *rest)
{
	struct op_rules *r = in->ctx;
	struct op_rule x = {.what = RULES_FIND_WORD(whats, word), .section = in->section};
	if (x.what < 0)
		return rules_complain(in, "expected type or name instead of", word);
	TRY(rule_match_read(in, rest, &x.match));
	r->at = arena_grow(&r->mem, r->at, r->n * sizeof x, (r->n + 1u) * sizeof x);
	r->at[r->n++] = x;
	return true;
}

struct op_rules *op_rules_read(const char *text, size_t n, struct err *e)
{
	static const struct rules_format format = {"rules of ops", OP_RULES_VERSION, sections,
						   SECTIONS,       RULE_WAYS_PLAIN,  read_line};
	struct op_rules *r = must(calloc(1, sizeof *r));
	struct rules_reader in = {.format = &format, .mem = &r->mem, .ctx = r, .err = e};
	if (rules_read(&in, text, n))
		return r;
	op_rules_free(r);
	return NULL;
}

struct op_rules *op_rules_builtin(struct err *e)
{
	return op_rules_read(op_rules_text, EMBED_SIZE(op_rules_text), e);
}

void op_rules_free(struct op_rules *r)
{
	if (!r)
		return;
	for (uint32_t i = 0; i < r->n; i++)
		rule_match_free(&r->at[i].match);
	arena_free(&r->mem);
	free(r);
}

static struct rule_text text_of(struct span s, char *buf, size_t size)
{
	struct rule_text t;
	size_t n = s.n < size ? s.n : size - 1;
	memcpy(buf, s.n ? s.p : "", n);
	buf[n] = '\0';
	rule_text_open(&t, buf);
	return t;
}

enum op_sort op_rules_ask(const struct op_rules *r, struct span name, struct span type)
{
	enum { LONGEST = 1024 }; /* a name beyond that has its end out of sight */
	char type_buf[LONGEST], name_buf[LONGEST];
	struct rule_text texts[] = {text_of(type, type_buf, sizeof type_buf), text_of(name, name_buf, sizeof name_buf)};
	for (int section = SECTIONS - 1; section > OP_ORDINARY; section--)
		for (uint32_t i = 0; i < r->n; i++)
			if (r->at[i].section == section && rule_matches(&r->at[i].match, &texts[r->at[i].what]))
				return (enum op_sort)section;
	return OP_ORDINARY;
}
