#include "kernel_rules.h"
#include "../pattern.h"
#include "../store/arena.h"
#include "../store/embed.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

EMBED(stepscope_rules, "model/analysis/rules/stepscope.rules");
EMBED(xprof_rules, "model/analysis/rules/xprof.rules");

enum { RULES_VERSION = 1, RULES_MAX_BYTES = 1 << 20 };

/* clang-format off */
#define SECTIONS(_)                              \
	_(TENSOR_CORE,     "tensor-core")        \
	_(PRECISION,       "precision")          \
	_(ELIGIBLE_OP,     "eligible-op")        \
	_(ELIGIBLE_KERNEL, "eligible-kernel")    \
	_(COLLECTIVE,      "collective")         \
	_(OPTIONS,         "options")
#define WAYS(_)             \
	_(HAS,    "has")    \
	_(BEGINS, "begins") \
	_(ENDS,   "ends")   \
	_(IS,     "is")     \
	_(RE,     "re")     \
	_(REI,    "rei")
/*        option and the words it understands; the first is what holds without the line */
#define OPTIONS(_)                                                         \
	_(TC_MEANS,  "tensor-core-means-eligible", "always", "with-op", "no") \
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
enum way {
#define WAY_ENUM(id, word) WAY_##id,
	WAYS(WAY_ENUM)
#undef WAY_ENUM
		WAY_COUNT
};
enum option {
#define OPTION_ENUM(id, word, a, b, c) OPTION_##id,
	OPTIONS(OPTION_ENUM)
#undef OPTION_ENUM
		OPTION_COUNT
};
enum { TC_MEANS_ALWAYS, TC_MEANS_WITH_OP, TC_MEANS_NO };
enum { OPTION_FIRST_WORD }; /* "yes", "mean" */

#define SECOND_OF_TWO(id, word) word,
static const char *const section_words[] = {SECTIONS(SECOND_OF_TWO)};
static const char *const way_words[] = {WAYS(SECOND_OF_TWO)};
#undef SECOND_OF_TWO
static const struct {
	const char *word, *values[3];
} option_words[] = {
#define OPTION_WORDS(id, word, a, b, c) {word, {a, b, c}},
	OPTIONS(OPTION_WORDS)
#undef OPTION_WORDS
};
static const char *const verdict_words[] = {"no", "yes", "unknown"};
static const char *const precision_words[] = {"unknown", "fp64", "fp32", "tf32", "bf16",
					      "fp16",    "fp8",  "int8", "other"};

struct rule {
	int verdict; /* enum verdict or enum precision */
	enum way way;
	const char *text;
	size_t n;
	struct pattern *pattern; /* WAY_RE, WAY_REI */
};
struct rules {
	struct rule *at;
	size_t n, cap;
	int otherwise;
};
struct kernel_rules {
	struct arena mem;
	const char *source; /* for messages */
	const char *name, *label;
	int options[OPTION_COUNT];
	struct rules sections[SECTION_COUNT];
};

const char *precision_name(enum precision p)
{
	return p > PREC_UNKNOWN && p <= PREC_OTHER ? precision_words[p] : NULL;
}

bool precision_is_16bit(enum precision p)
{
	return p == PREC_FP16 || p == PREC_BF16;
}

/* ---- reading a rules file --------------------------------------------------------------------------------------- */

struct reader {
	struct kernel_rules *r;
	int line;
	int section; /* -1 before the first one */
	struct err *err;
};

static int find_word(const char *const *words, size_t n, const char *word)
{
	for (size_t i = 0; i < n; i++)
		if (words[i] && !strcmp(words[i], word))
			return (int)i;
	return -1;
}
#define FIND_WORD(words, word) find_word(words, sizeof(words) / sizeof *(words), word)

static bool complain(struct reader *in, const char *what, const char *word)
{
	return err_usage(in->err, "rules file %s, line %d: %s '%s'", in->r->source, in->line, what, word);
}

/* Cuts the next word off *rest. Returns "" at the end. */
static char *next_word(char **rest)
{
	char *word = *rest + strspn(*rest, " \t");
	char *end = word + strcspn(word, " \t");
	*rest = end + strspn(end, " \t");
	if (*end)
		*end = '\0';
	return word;
}

static int verdict_of(enum section s, const char *word)
{
	return s == SECTION_PRECISION ? FIND_WORD(precision_words, word) : FIND_WORD(verdict_words, word);
}

static bool read_option(struct reader *in, const char *word, const char *value)
{
	for (int o = 0; o < OPTION_COUNT; o++) {
		if (strcmp(option_words[o].word, word))
			continue;
		in->r->options[o] = FIND_WORD(option_words[o].values, value);
		return in->r->options[o] >= 0 || complain(in, "unknown value", value);
	}
	return complain(in, "unknown option", word);
}

static bool compile(struct reader *in, struct rule *rule)
{
	char why[PATTERN_WHY];
	size_t at = 0;
	if (rule->way != WAY_RE && rule->way != WAY_REI)
		return true;
	rule->pattern = pattern_new(rule->text, rule->n, rule->way == WAY_REI ? PATTERN_CASELESS : 0, why, &at);
	return rule->pattern || err_usage(in->err, "rules file %s, line %d: %s at character %zu of '%s'", in->r->source,
					  in->line, why, at + 1, rule->text);
}

static struct rule *new_rule(struct kernel_rules *r, struct rules *list)
{
	if (list->n == list->cap) {
		size_t cap = list->cap ? list->cap * 2 : 32, size = sizeof *list->at;
		list->at = arena_grow(&r->mem, list->at, list->n * size, cap * size);
		list->cap = cap;
	}
	return &list->at[list->n++];
}

static bool read_rule(struct reader *in, const char *verdict, char *rest)
{
	struct rules *list = &in->r->sections[in->section];
	int v = verdict_of((enum section)in->section, verdict);
	if (v < 0)
		return complain(in, "unknown verdict", verdict);
	const char *word = next_word(&rest);
	int way = FIND_WORD(way_words, word);
	if (way < 0)
		return complain(in, "expected has, begins, ends, is, re or rei instead of", word);
	if (!*rest)
		return complain(in, "no pattern behind", word);
	struct rule *rule = new_rule(in->r, list);
	*rule = (struct rule){.verdict = v, .way = (enum way)way, .text = rest, .n = strlen(rest)};
	return compile(in, rule);
}

static bool read_default(struct reader *in, const char *word)
{
	struct rules *list = &in->r->sections[in->section];
	list->otherwise = verdict_of((enum section)in->section, word);
	return list->otherwise >= 0 || complain(in, "unknown verdict", word);
}

static bool read_header(struct reader *in, const char *word, const char *value)
{
	if (!strcmp(word, "name")) {
		in->r->name = value;
		return true;
	}
	if (strcmp(word, "version"))
		return complain(in, "expected version, name or a [section] instead of", word);
	return atoi(value) == RULES_VERSION || complain(in, "this program cannot read rules of version", value);
}

static bool read_section(struct reader *in, char *line)
{
	char *end = strchr(line, ']');
	if (end)
		*end = '\0';
	in->section = FIND_WORD(section_words, line + 1);
	return (end && in->section >= 0) || complain(in, "unknown section", line + 1);
}

static bool read_line(struct reader *in, char *line)
{
	size_t n = strlen(line);
	while (n && strchr(" \t\r", line[n - 1]))
		line[--n] = '\0';
	line += strspn(line, " \t");
	if (!*line || *line == '#')
		return true;
	if (*line == '[')
		return read_section(in, line);
	char *word = next_word(&line);
	if (in->section < 0)
		return read_header(in, word, line);
	if (in->section == SECTION_OPTIONS)
		return read_option(in, word, line);
	if (!strcmp(word, "default"))
		return read_default(in, line);
	return read_rule(in, word, line);
}

static bool read_rules(struct kernel_rules *r, char *text, struct err *e)
{
	struct reader in = {.r = r, .section = -1, .err = e};
	for (char *next; text; text = next) {
		next = strchr(text, '\n');
		if (next)
			*next++ = '\0';
		in.line++;
		TRY(read_line(&in, text));
	}
	r->label = arena_printf(&r->mem, "%s %d", r->name ? r->name : r->source, RULES_VERSION);
	return true;
}

/* ---- where rules come from -------------------------------------------------------------------------------------- */

static char *read_file(struct kernel_rules *r, const char *path, struct err *e)
{
	FILE *f = fopen(path, "rb");
	if (!f) {
		err_usage(e, "cannot open the rules file %s", path);
		return NULL;
	}
	char *text = arena_alloc(&r->mem, RULES_MAX_BYTES + 1);
	size_t n = fread(text, 1, RULES_MAX_BYTES + 1, f);
	bool sound = !ferror(f) && n <= RULES_MAX_BYTES && !memchr(text, '\0', n);
	fclose(f);
	if (!sound) {
		err_usage(e, "%s is no rules file", path);
		return NULL;
	}
	text[n] = '\0';
	return text;
}

static char *rules_text(struct kernel_rules *r, const char *which, struct err *e)
{
	if (!strcmp(which, "stepscope"))
		return arena_strndup(&r->mem, stepscope_rules, EMBED_SIZE(stepscope_rules));
	if (!strcmp(which, "xprof"))
		return arena_strndup(&r->mem, xprof_rules, EMBED_SIZE(xprof_rules));
	return read_file(r, which, e);
}

struct kernel_rules *kernel_rules_load(const char *set_or_path, struct err *e)
{
	const char *which = set_or_path ? set_or_path : "stepscope";
	struct kernel_rules *r = calloc(1, sizeof *r);
	if (!r)
		abort();
	r->source = arena_strdup(&r->mem, which);
	for (int s = 0; s < SECTION_COUNT; s++)
		r->sections[s].otherwise = s == SECTION_PRECISION ? (int)PREC_UNKNOWN : (int)VERDICT_UNKNOWN;
	char *text = rules_text(r, which, e);
	if (text && read_rules(r, text, e))
		return r;
	kernel_rules_free(r);
	return NULL;
}

void kernel_rules_free(struct kernel_rules *r)
{
	if (!r)
		return;
	for (int s = 0; s < SECTION_COUNT; s++)
		for (size_t i = 0; i < r->sections[s].n; i++)
			pattern_free(r->sections[s].at[i].pattern);
	arena_free(&r->mem);
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

/* ---- asking ----------------------------------------------------------------------------------------------------- */

static bool rule_matches(const struct rule *rule, const char *text, size_t n)
{
	switch (rule->way) {
	case WAY_HAS:
		return memmem(text, n, rule->text, rule->n) != NULL;
	case WAY_BEGINS:
		return n >= rule->n && !memcmp(text, rule->text, rule->n);
	case WAY_ENDS:
		return n >= rule->n && !memcmp(text + n - rule->n, rule->text, rule->n);
	case WAY_IS:
		return n == rule->n && !memcmp(text, rule->text, n);
	default:
		return pattern_matches(rule->pattern, text, n);
	}
}

static int ask(const struct kernel_rules *r, enum section s, const char *text)
{
	const struct rules *list = &r->sections[s];
	size_t n = strlen(text);
	for (size_t i = 0; i < list->n; i++)
		if (rule_matches(&list->at[i], text, n))
			return list->at[i].verdict;
	return list->otherwise;
}

enum verdict kernel_uses_tc(const struct kernel_rules *r, const char *kernel_name)
{
	return (enum verdict)ask(r, SECTION_TENSOR_CORE, kernel_name);
}

enum precision kernel_precision(const struct kernel_rules *r, const char *kernel_name)
{
	return (enum precision)ask(r, SECTION_PRECISION, kernel_name);
}

bool kernel_is_collective(const struct kernel_rules *r, const char *kernel_name)
{
	return ask(r, SECTION_COLLECTIVE, kernel_name) == VERDICT_YES;
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

enum verdict kernel_tc_eligible(const struct kernel_rules *r, const char *kernel_name, const char *op,
				const char *op_type, const char *equation, enum verdict uses_tc)
{
	if (follows_from_use(r, op, uses_tc))
		return VERDICT_YES;
	if (r->options[OPTION_EINSUM] == OPTION_FIRST_WORD && is_matrix_einsum(equation))
		return VERDICT_YES;
	enum verdict v = ask_op(r, op, op_type);
	return v == VERDICT_UNKNOWN ? (enum verdict)ask(r, SECTION_ELIGIBLE_KERNEL, kernel_name) : v;
}
