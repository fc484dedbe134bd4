#include "verdict_rules.h"
#include "../store/embed.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

EMBED(causes_rules, "model/analysis/rules/causes.rules");

enum { CAUSES_VERSION = 1, NAME_MAX_BYTES = 512 };

/* clang-format off */
#define WAYS(_)             \
	_(HAS,    "has")    \
	_(BEGINS, "begins") \
	_(ENDS,   "ends")   \
	_(IS,     "is")     \
	_(FIND,   "find")
/* clang-format on */
enum way {
#define WAY_ENUM(id, word) WAY_##id,
	WAYS(WAY_ENUM)
#undef WAY_ENUM
		WAY_COUNT
};
static const char *const way_words[] = {
#define WAY_WORD(id, word) word,
	WAYS(WAY_WORD)
#undef WAY_WORD
};
static const char *const section_words[CAUSE_SECTIONS] = {
#define SECTION_WORD(id, word, loses, advice) word,
	VERDICTS(SECTION_WORD)
#undef SECTION_WORD
		[SAYS_NOTHING] = "says nothing",
	[CAUSE_INPUT_WORKER] = "input worker",
	[CAUSE_COMM_CALL] = "communication call",
	[CAUSE_WAITING] = "waiting",
	[CAUSE_INPUT_THREAD] = "input thread",
};

struct rule {
	struct name_cause cause;
	uint8_t way;
	const char *text;
	size_t n;
};
struct cause_rules {
	struct arena mem;
	struct rule *at;
	uint32_t n, cap;
};

/* ---- reading --------------------------------------------------------------------------------------------------------- */

struct reader {
	struct cause_rules *r;
	int line;
	int section; /* -1 before the first one */
	struct err *err;
};

static bool complain(struct reader *in, const char *what, const char *word)
{
	return err_usage(in->err, "rules of causes, line %d: %s '%s'", in->line, what, word);
}

static int find_word(const char *const *words, int n, const char *word)
{
	for (int i = 0; i < n; i++)
		if (!strcmp(words[i], word))
			return i;
	return -1;
}

/* Cuts the next word off *rest. Gives "" at the end. */
static char *next_word(char **rest)
{
	char *word = *rest + strspn(*rest, " \t"), *end = word + strcspn(word, " \t");
	*rest = end + strspn(end, " \t");
	if (*end)
		*end = '\0';
	return word;
}

static void add_rule(struct cause_rules *r, const struct rule *rule)
{
	if (r->n == r->cap) {
		uint32_t cap = r->cap ? r->cap * 2 : 256;
		r->at = arena_grow(&r->mem, r->at, r->n * sizeof *r->at, cap * sizeof *r->at);
		r->cap = cap;
	}
	r->at[r->n++] = *rule;
}

static bool read_rule(struct reader *in, char *line)
{
	const char *trust = next_word(&line), *way = next_word(&line);
	int points = atoi(trust), w = find_word(way_words, WAY_COUNT, way);
	if (points < 1 || points > 100)
		return complain(in, "expected a trust of 1 to 100 instead of", trust);
	if (w < 0)
		return complain(in, "expected has, begins, ends, is or find instead of", way);
	if (!*line)
		return complain(in, "no pattern behind", way);
	struct name_cause cause = {(uint8_t)in->section, (uint8_t)points};
	add_rule(in->r, &(struct rule){cause, (uint8_t)w, line, strlen(line)});
	return true;
}

static bool read_section(struct reader *in, char *line)
{
	char *end = strchr(line, ']');
	if (end)
		*end = '\0';
	in->section = end ? find_word(section_words, CAUSE_SECTIONS, line + 1) : -1;
	return in->section > CAUSE_UNKNOWN || complain(in, "unknown section", line + 1);
}

static bool read_header(struct reader *in, char *line)
{
	const char *word = next_word(&line);
	if (!strcmp(word, "name"))
		return true;
	if (strcmp(word, "version"))
		return complain(in, "expected version, name or a [section] instead of", word);
	return atoi(line) == CAUSES_VERSION || complain(in, "this program cannot read rules of version", line);
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
	return in->section < 0 ? read_header(in, line) : read_rule(in, line);
}

struct cause_rules *cause_rules_read(const char *text, size_t n, struct err *e)
{
	struct cause_rules *r = calloc(1, sizeof *r);
	if (!r)
		abort();
	struct reader in = {.r = r, .section = -1, .err = e};
	bool sound = true;
	for (char *at = arena_strndup(&r->mem, text, n), *next; at && sound; at = next) {
		next = strchr(at, '\n');
		if (next)
			*next++ = '\0';
		in.line++;
		sound = read_line(&in, at);
	}
	if (sound)
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

struct asked {
	const char *name;
	size_t n;
	char small[NAME_MAX_BYTES + 1]; /* in small letters */
};

static bool matches(const struct rule *rule, const struct asked *a)
{
	switch (rule->way) {
	case WAY_HAS:
		return strstr(a->name, rule->text) != NULL;
	case WAY_BEGINS:
		return !strncmp(a->name, rule->text, rule->n);
	case WAY_ENDS:
		return a->n >= rule->n && !strcmp(a->name + a->n - rule->n, rule->text);
	case WAY_IS:
		return !strcmp(a->name, rule->text);
	default:
		return strstr(a->small, rule->text) != NULL;
	}
}

struct name_cause cause_rules_ask(const struct cause_rules *r, const char *name, bool threads)
{
	struct asked a = {.name = name, .n = strlen(name)};
	for (size_t i = 0; i < a.n && i < NAME_MAX_BYTES; i++)
		a.small[i] = (char)tolower((unsigned char)name[i]);
	for (uint32_t i = 0; i < r->n; i++)
		if (threads == (r->at[i].cause.section == CAUSE_INPUT_THREAD) && matches(&r->at[i], &a))
			return r->at[i].cause;
	return (struct name_cause){CAUSE_UNKNOWN, 0};
}
