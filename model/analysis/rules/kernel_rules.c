#include "kernel_rules.h"
#include "rules_file.h"
#include "model/analysis/names/kernel_words.h"
#include "model/pattern.h"
#include "model/store/base/arena.h"
#include "model/store/base/embed.h"
#include "model/store/base/memory.h"
#include "model/store/base/paths.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

EMBED(stepscope_rules, "model/analysis/rules/stepscope.rules");
EMBED(xprof_rules, "model/analysis/rules/xprof.rules");
EMBED(kineto_rules, "model/analysis/rules/kineto.rules");

enum { RULES_VERSION = 2, TRUST_DEFAULT = 75, TRUST_USER = 100 };

/* clang-format off */
#define SECTIONS(_)                              \
	_(HELPER,          "helper")             \
	_(TENSOR_CORE,     "tensor-core")        \
	_(PRECISION,       "precision")          \
	_(ELIGIBLE_OP,     "eligible-op")        \
	_(ELIGIBLE_KERNEL, "eligible-kernel")    \
	_(COLLECTIVE,      "collective")         \
	_(OPTIONS,         "options")
/*        option and the words it understands; the first is what holds without the line */
#define OPTIONS(_)                                                         \
	_(TC_MEANS,  "tensor-core-means-eligible", "always", "with-op", "no") \
	_(VETO,      "kernel-has-a-veto",          "no",     "yes",     NULL) \
	_(EINSUM,    "einsum-is-eligible",         "yes",    "no",      NULL) \
	_(OP_TYPE,   "match-op-type",              "yes",    "no",      NULL) \
	_(OCCUPANCY, "occupancy",                  "mean",   "first",   NULL)
/* clang-format on */

enum section {
#define SECTION_ENUM(id, word) SECTION_##id,
	SECTIONS(SECTION_ENUM)
#undef SECTION_ENUM
		SECTION_COUNT
};
enum option {
#define OPTION_ENUM(id, word, a, b, c) OPTION_##id,
	OPTIONS(OPTION_ENUM)
#undef OPTION_ENUM
		OPTION_COUNT
};
enum { TC_MEANS_ALWAYS, TC_MEANS_WITH_OP, TC_MEANS_NO };
enum { OPTION_FIRST_WORD }; /* "yes", "mean" */
enum { NOT_SAID = -1 };

static const char *const section_words[] = {
#define SECTION_WORD(id, word) word,
	SECTIONS(SECTION_WORD)
#undef SECTION_WORD
};
static const struct {
	const char *word, *values[3];
} option_words[] = {
#define OPTION_WORDS(id, word, a, b, c) {word, {a, b, c}},
	OPTIONS(OPTION_WORDS)
#undef OPTION_WORDS
};
static const char *const verdict_words[] = {"no", "yes", "unknown"};
static const char *const precision_words[] = {
#define PRECISION_WORD(id, word) word,
	PRECISIONS(PRECISION_WORD)
#undef PRECISION_WORD
};

struct rules {
	struct rule_list
		list; /* says: enum verdict or enum precision; text: "stepscope: has 16816", "kernels.rules:5: has x" */
	int otherwise; /* NOT_SAID until a default line */
};
struct kernel_rules {
	struct arena mem;
	const char *label;
	const char *file; /* that is being read */
	bool built_in;    /* it is one of ours */
	uint8_t trust;    /* of its rules from here on */
	int options[OPTION_COUNT];
	struct rules sections[SECTION_COUNT];
	struct rule_list words[KERNEL_WORD_LISTS];
	struct pattern_budget budget;
	pthread_mutex_t lock; /* while one of the lists is asked */
};

const char *precision_name(enum precision p)
{
	return p > PREC_UNKNOWN && p <= PREC_OTHER ? precision_words[p] : NULL;
}

bool precision_is_16bit(enum precision p)
{
	return p == PREC_FP16 || p == PREC_BF16 || p == PREC_SIXTEEN;
}

bool precision_is_narrow(enum precision p)
{
	return precision_is_16bit(p) || p == PREC_FP8 || p == PREC_INT8;
}

/* ---- reading a rules file --------------------------------------------------------------------------------------- */

static int verdict_of(int section, const char *word)
{
	return section == SECTION_PRECISION ? RULES_FIND_WORD(precision_words, word)
					    : RULES_FIND_WORD(verdict_words, word);
}

/* What was said first holds: the user's own file is read before the set. */
static bool read_option(struct rules_reader *in, const char *word, const char *value)
{
	struct kernel_rules *r = in->ctx;
	for (int o = 0; o < OPTION_COUNT; o++) {
		if (strcmp(option_words[o].word, word))
			continue;
		int v = RULES_FIND_WORD(option_words[o].values, value);
		if (r->options[o] == NOT_SAID)
			r->options[o] = v;
		return v >= 0 || rules_complain(in, "unknown value", value);
	}
	return rules_complain(in, "unknown option", word);
}

/* Where a person looks the rule up: the lines of built-in sets change with every edition and tell nothing. */
static const char *place_of(struct kernel_rules *r, int line)
{
	return r->built_in ? r->file : arena_printf(&r->mem, "%s:%d", r->file, line);
}

static bool read_rule(struct rules_reader *in, const char *verdict, char *rest)
{
	struct kernel_rules *r = in->ctx;
	struct rule rule = {.says = verdict_of(in->section, verdict), .trust = r->trust};
	if (rule.says < 0)
		return rules_complain(in, "unknown verdict", verdict);
	TRY(rule_match_read(in, rest, &rule.match));
	rule.text = arena_printf(&r->mem, "%s: %s %s", place_of(r, in->line), rule_way_word(rule.match.way),
				 rule.match.text);
	rule_list_add(&r->sections[in->section].list, &r->mem, &rule);
	return true;
}

static bool read_default(struct rules_reader *in, const char *word)
{
	struct kernel_rules *r = in->ctx;
	struct rules *list = &r->sections[in->section];
	int v = verdict_of(in->section, word);
	if (list->otherwise == NOT_SAID)
		list->otherwise = v;
	return v >= 0 || rules_complain(in, "unknown verdict", word);
}

static bool read_trust(struct rules_reader *in, const char *word)
{
	struct kernel_rules *r = in->ctx;
	int points = atoi(word);
	if (points < 1 || points > 100)
		return rules_complain(in, "expected a trust of 1 to 100 instead of", word);
	r->trust = (uint8_t)points;
	return true;
}

static bool read_line(struct rules_reader *in, const char *word, char *rest)
{
	if (in->section == SECTION_OPTIONS)
		return read_option(in, word, rest);
	if (!strcmp(word, "default"))
		return read_default(in, rest);
	if (!strcmp(word, "trust"))
		return read_trust(in, rest);
	return read_rule(in, word, rest);
}

static bool read_text(struct kernel_rules *r, const char *name, const char *text, size_t n, struct err *e)
{
	struct rules_format format = {.what = arena_printf(&r->mem, "rules file %s", name),
				      .version = RULES_VERSION,
				      .sections = section_words,
				      .section_count = SECTION_COUNT,
				      .ways = RULE_WAYS_PLAIN | RULE_BIT(RE) | RULE_BIT(REI),
				      .line = read_line};
	struct rules_reader in = {
		.format = &format, .mem = &r->mem, .ctx = r, .budget = &r->budget, .err = e, .built_in = r->built_in};
	r->file = path_last(name); /* where it lies would tell a reader of a report about this machine */
	TRY(rules_read(&in, text, n));
	const char *label = arena_printf(&r->mem, "%s %s", in.name ? in.name : r->file,
					 in.edition ? in.edition : arena_printf(&r->mem, "%d", in.version));
	r->label = r->label ? arena_printf(&r->mem, "%s + %s", r->label, label) : label;
	return true;
}

/* ---- where rules come from -------------------------------------------------------------------------------------- */

static bool read_file(struct kernel_rules *r, const char *path, struct err *e)
{
	size_t n;
	const char *text = rules_load_file(&r->mem, path, &n, e);
	r->built_in = false;
	bool sound = text && read_text(r, arena_strdup(&r->mem, path), text, n, e);
	r->built_in = true;
	return sound;
}

static bool read_set(struct kernel_rules *r, const char *which, const char *own, struct err *e)
{
	if (!strcmp(which, "xprof"))
		return read_text(r, "xprof", xprof_rules, EMBED_SIZE(xprof_rules), e);
	bool kineto = !strcmp(which, "kineto");
	if (!kineto && strcmp(which, "stepscope"))
		return read_file(r, which, e);
	if (kineto)
		TRY(read_text(r, "kineto", kineto_rules, EMBED_SIZE(kineto_rules), e));
	else if (own) {
		r->trust = TRUST_USER;
		TRY(read_file(r, own, e));
		r->trust = TRUST_DEFAULT;
	}
	return read_text(r, "stepscope", stepscope_rules, EMBED_SIZE(stepscope_rules), e);
}

/* The lists of words of the same index: a name that the rules are asked about is read once for all of them. */
static void add_words(struct kernel_rules *r)
{
	for (int list = 0; list < KERNEL_WORD_LISTS; list++) {
		size_t n;
		const char *const *words = kernel_words((enum kernel_words)list, &n);
		enum rule_way way = kernel_words_any_case((enum kernel_words)list) ? RULE_FIND : RULE_HAS;
		for (size_t i = 0; i < n; i++) {
			struct rule rule = {.match = {.way = way, .text = words[i], .n = strlen(words[i])}};
			rule_list_add(&r->words[list], &r->mem, &rule);
		}
	}
}

static void settle(struct kernel_rules *r)
{
	struct rule_list *lists[SECTION_COUNT + KERNEL_WORD_LISTS];
	add_words(r);
	for (int o = 0; o < OPTION_COUNT; o++)
		if (r->options[o] == NOT_SAID)
			r->options[o] = OPTION_FIRST_WORD;
	for (int s = 0; s < SECTION_COUNT; s++)
		if (r->sections[s].otherwise == NOT_SAID)
			r->sections[s].otherwise = s == SECTION_PRECISION ? (int)PREC_UNKNOWN : (int)VERDICT_UNKNOWN;
	for (int s = 0; s < SECTION_COUNT; s++)
		lists[s] = &r->sections[s].list;
	for (int w = 0; w < KERNEL_WORD_LISTS; w++)
		lists[SECTION_COUNT + w] = &r->words[w];
	rule_lists_index(lists, SECTION_COUNT + KERNEL_WORD_LISTS, &r->mem);
}

struct kernel_rules *kernel_rules_load(const char *set_or_path, const char *own_path, struct err *e)
{
	struct kernel_rules *r = must(calloc(1, sizeof *r));
	pthread_mutex_init(&r->lock, NULL);
	r->trust = TRUST_DEFAULT;
	r->built_in = true;
	pattern_budget_open_each(&r->budget);
	for (int o = 0; o < OPTION_COUNT; o++)
		r->options[o] = NOT_SAID;
	for (int s = 0; s < SECTION_COUNT; s++)
		r->sections[s].otherwise = NOT_SAID;
	if (read_set(r, set_or_path ? set_or_path : "stepscope", own_path, e)) {
		settle(r);
		return r;
	}
	kernel_rules_free(r);
	return NULL;
}

void kernel_rules_free(struct kernel_rules *r)
{
	if (!r)
		return;
	for (int s = 0; s < SECTION_COUNT; s++)
		rule_list_free(&r->sections[s].list);
	arena_free(&r->mem);
	pthread_mutex_destroy(&r->lock);
	free(r);
}

const char *kernel_rules_label(const struct kernel_rules *r)
{
	return r->label;
}

bool kernel_rules_first_occupancy(const struct kernel_rules *r)
{
	return r->options[OPTION_OCCUPANCY] != OPTION_FIRST_WORD;
}

/* Lists are asked with patterns and an index that are made, and a time limit that runs, meanwhile. */
static pthread_mutex_t *lock_of(const struct kernel_rules *r)
{
	return &((struct kernel_rules *)r)->lock;
}

bool kernel_rules_sound(const struct kernel_rules *r, struct err *e)
{
	pthread_mutex_lock(lock_of(r));
	bool sound = pattern_budget_sound(&r->budget, e);
	pthread_mutex_unlock(lock_of(r));
	return sound;
}

/* ---- asking ----------------------------------------------------------------------------------------------------- */

static int ask_text(const struct kernel_rules *r, enum section s, struct rule_text *text)
{
	const struct rule *rule = rule_list_find(&r->sections[s].list, text);
	return rule ? rule->says : r->sections[s].otherwise;
}

static int ask(const struct kernel_rules *r, enum section s, const char *text)
{
	struct rule_text asked;
	rule_text_open(&asked, text);
	return ask_text(r, s, &asked);
}

static void ask_tc(const struct kernel_rules *r, struct rule_text *name, struct kernel_facts *k)
{
	const struct rule_list *list = &r->sections[SECTION_HELPER].list;
	const struct rule *rule = rule_list_find(list, name);
	k->helper = rule && rule->says == VERDICT_YES;
	if (!k->helper) {
		list = &r->sections[SECTION_TENSOR_CORE].list;
		rule = rule_list_find(list, name);
	}
	int says = rule ? rule->says : r->sections[SECTION_TENSOR_CORE].otherwise;
	k->uses_tc = (uint32_t)(k->helper ? (int)VERDICT_NO : says) & 3;
	k->tc_trust = rule ? rule->trust & 127 : 0;
	k->tc_rule = rule ? (uint32_t)(rule - list->at) + 1 : 0;
}

static struct kernel_facts ask_facts(const struct kernel_rules *r, const char *kernel_name)
{
	struct rule_text name;
	rule_text_open(&name, kernel_name);
	struct kernel_facts k = {.known = true};
	ask_tc(r, &name, &k);
	k.precision = (uint32_t)ask_text(r, SECTION_PRECISION, &name) & 31;
	k.eligible = (uint32_t)ask_text(r, SECTION_ELIGIBLE_KERNEL, &name) & 3;
	k.collective = ask_text(r, SECTION_COLLECTIVE, &name) == VERDICT_YES;
	for (int list = 0; list < KERNEL_WORD_LISTS; list++)
		if (rule_list_may(&r->words[list], &name) &&
		    (name.is_ascii || kernel_words_in((enum kernel_words)list, kernel_name)))
			k.words |= (1u << list) & 255;
	return k;
}

struct kernel_facts kernel_facts_ask(const struct kernel_rules *r, const char *kernel_name)
{
	pthread_mutex_lock(lock_of(r));
	struct kernel_facts k = ask_facts(r, kernel_name);
	pthread_mutex_unlock(lock_of(r));
	return k;
}

const char *kernel_facts_rule(const struct kernel_rules *r, const struct kernel_facts *k)
{
	const struct rule_list *list = &r->sections[k->helper ? SECTION_HELPER : SECTION_TENSOR_CORE].list;
	return k->tc_rule ? list->at[k->tc_rule - 1].text : NULL;
}

/* "ij,jk->ik": exactly one arrow and exactly two inputs. */
static bool is_matrix_einsum(const char *equation)
{
	const char *arrow = strstr(equation, "->");
	if (!arrow || strstr(arrow + 2, "->"))
		return false;
	const char *comma = memchr(equation, ',', (size_t)(arrow - equation));
	return comma && !memchr(comma + 1, ',', (size_t)(arrow - comma - 1));
}

static bool follows_from_use(const struct kernel_rules *r, const char *op, enum verdict uses_tc)
{
	int means = r->options[OPTION_TC_MEANS];
	return uses_tc == VERDICT_YES && (means == TC_MEANS_ALWAYS || (means == TC_MEANS_WITH_OP && *op));
}

static enum verdict ask_op(const struct kernel_rules *r, const char *op, const char *op_type)
{
	int v = VERDICT_UNKNOWN;
	if (*op_type && r->options[OPTION_OP_TYPE] == OPTION_FIRST_WORD)
		v = ask(r, SECTION_ELIGIBLE_OP, op_type);
	if (v == VERDICT_UNKNOWN && *op)
		v = ask(r, SECTION_ELIGIBLE_OP, op);
	return (enum verdict)v;
}

enum verdict kernel_tc_eligible(const struct kernel_rules *r, const struct kernel_facts *k, const char *op,
				const char *op_type, const char *equation, enum verdict uses_tc)
{
	if (follows_from_use(r, op, uses_tc))
		return VERDICT_YES;
	if (k->helper)
		return VERDICT_NO;
	if (k->eligible == VERDICT_NO && r->options[OPTION_VETO] != OPTION_FIRST_WORD)
		return VERDICT_NO;
	if (r->options[OPTION_EINSUM] == OPTION_FIRST_WORD && is_matrix_einsum(equation))
		return VERDICT_YES;
	pthread_mutex_lock(lock_of(r));
	enum verdict v = ask_op(r, op, op_type);
	pthread_mutex_unlock(lock_of(r));
	return v == VERDICT_UNKNOWN ? (enum verdict)k->eligible : v;
}
