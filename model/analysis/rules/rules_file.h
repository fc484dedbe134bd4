/* model/analysis/rules/rules_file.h - what every rules file has in common, read in one place:
 *   # comment | version N | name WORD | edition TEXT     (the header, before the first section; version: of the format)
 *   [section]                              (one of the words the reader knows)
 *   WORD REST                              (handed to the reader; REST often is HOW PATTERN, see rule_match_read)
 * Memory:  words and patterns lie in the arena given to rules_read; compiled patterns are freed with rule_match_free.
 * Limits:  re and rei share the budget of their reader (pattern.h): once it is used up they match nothing, so callers check
 *          pattern_budget_sound before they use the answers.
 * Threads: has, begins, ends, is and find may be asked by any number of threads; re and rei by one at a time. */
#ifndef STEPSCOPE_RULES_FILE_H
#define STEPSCOPE_RULES_FILE_H
#include "rule_index.h"
#include "model/store/base/arena.h"
#include "model/store/base/err.h"
#include <stddef.h>
#include <stdint.h>

struct pattern;
struct pattern_budget;

/* clang-format off */
/*        word and meaning; PATTERN runs to the end of the line */
#define RULE_WAYS(_)                                              \
	_(HAS,    "has",    "anywhere, case counts")              \
	_(BEGINS, "begins", "at the beginning, case counts")      \
	_(ENDS,   "ends",   "at the end, case counts")            \
	_(IS,     "is",     "the whole text, case counts")        \
	_(FIND,   "find",   "anywhere, PATTERN in small letters") \
	_(RE,     "re",     "regular expression, case counts")    \
	_(REI,    "rei",    "regular expression, any case")
/* clang-format on */
enum rule_way {
#define RULE_WAY_ENUM(id, word, help) RULE_##id,
	RULE_WAYS(RULE_WAY_ENUM)
#undef RULE_WAY_ENUM
		RULE_WAY_COUNT
};
#define RULE_BIT(id) (1u << RULE_##id)
enum { RULE_WAYS_PLAIN = RULE_BIT(HAS) | RULE_BIT(BEGINS) | RULE_BIT(ENDS) | RULE_BIT(IS) };

struct rule_match {
	enum rule_way way;
	const char *text;
	size_t n;
	struct pattern *pattern; /* of re and rei */
};

struct rules_reader;
struct rules_format {
	const char *what;            /* for messages: "rules file x", "rules of causes" */
	int version;                 /* the newest one this program reads; from 1 on */
	const char *const *sections; /* NULL entries are no sections */
	int section_count;
	unsigned ways; /* RULE_BIT of those allowed */
	/* A line of a section: its first word and what follows ("" = nothing). False with the error set. */
	bool (*line)(struct rules_reader *in, const char *word, char *rest);
};
struct rules_reader {
	const struct rules_format *format;
	struct arena *mem;
	void *ctx;                     /* the caller's */
	struct pattern_budget *budget; /* of re and rei, opened by the caller; NULL where the format allows neither */
	struct err *err;
	const char *name, *edition; /* from the header; NULL = none */
	int version, line;
	int section; /* -1 before the first one */
	bool built_in; /* the text is one of the program's own: its patterns are sound, and compiled when they are first asked */
};

/* Reads a copy of `text`. False with the first line that is wrong; `in` keeps name and version for the caller. */
bool rules_read(struct rules_reader *in, const char *text, size_t n);
/* The file's text, NULL with the error for what cannot be opened, is too large or no text. */
char *rules_load_file(struct arena *mem, const char *path, size_t *n, struct err *e);
/* Sets "WHAT, line N: TEXT 'WORD'". Always false. */
bool rules_complain(struct rules_reader *in, const char *text, const char *word);
/* Cuts the next word off *rest; "" at the end. */
char *rules_next_word(char **rest);
/* Index of the word or -1; NULL entries match nothing. */
int rules_find_word(const char *const *words, size_t n, const char *word);
#define RULES_FIND_WORD(words, word) rules_find_word(words, sizeof(words) / sizeof *(words), word)

/* "HOW PATTERN". False with the error set. */
bool rule_match_read(struct rules_reader *in, char *rest, struct rule_match *out);
void rule_match_free(struct rule_match *m);
const char *rule_way_word(enum rule_way way);

/* A text that many rules are asked about. Small letters are made when the first `find` asks for them. */
/* re and rei look at the first RULE_PATTERN_BYTES of it: names say what they are long before, and their cost grows faster
 * than their length. */
enum { RULE_TEXT_SMALL_BYTES = 512, RULE_PATTERN_BYTES = 8192 };
struct rule_text {
	const char *text;
	size_t n;
	bool has_small;
	char small[RULE_TEXT_SMALL_BYTES + 1]; /* only as far as it goes */
	const struct rule_index *asked;        /* whose answer is in `may`; NULL: none yet */
	bool is_ascii;                         /* known once an index was asked */
	uint64_t may[RULE_INDEX_CELLS];
};
/* Prepares a text to be matched; `text` must outlive t. rule_matches asks one rule about it. */
void rule_text_open(struct rule_text *t, const char *text);
bool rule_matches(const struct rule_match *m, struct rule_text *t);

/* The rules of one question, in the order of the file: the first that matches answers. Zero-initialise; lies in the arena. */
struct rule {
	struct rule_match match;
	int says;         /* about the texts that match: a number of the reader's own */
	uint8_t trust;    /* 0 where a format knows none */
	const char *text; /* of the rule, for messages; NULL where it is not needed */
};
struct rule_list {
	struct rule *at;
	uint32_t n;
	struct rule_index *index;   /* NULL: each rule is asked */
	struct rule_index *mangled; /* of RULE_INDEX_MANGLED; NULL: readable names have to be made */
	uint32_t first;             /* its first rule's bit in both */
};
void rule_list_add(struct rule_list *l, struct arena *mem, const struct rule *rule);
/* The lists are complete: from now on a text is asked by few of their rules, with the same answers. Lists that the same texts are
 * asked belong together: a text that several of them are asked about is read once. They are asked by one thread at a time. */
void rule_lists_index(struct rule_list *const *lists, uint32_t n_lists, struct arena *mem);
/* These lists are asked about kernels' names: rule_list_guess can tell something of mangled ones. After rule_lists_index. */
void rule_lists_index_mangled(struct rule_list *const *lists, uint32_t n_lists, struct arena *mem);
/* What the first rule says that matches the readable text of a mangled name, `none` where no rule does, without making that text; begun:
 * demangle_begin of it. False: it has to be made. Of a function, not of an operator: what it is called follows on what it returns. */
bool rule_list_guess(const struct rule_list *l, struct rule_text *mangled, struct rule_text *begun, int none,
		     int *says);
/* False: none matches, as far as that is known without asking one. True for a list of words that ask for no more, each of at most
 * RULE_WORD_SURE_BYTES, and a text that is_ascii: one of them is in it, however long it is. */
enum { RULE_WORD_SURE_BYTES = 24 };
bool rule_list_may(const struct rule_list *l, struct rule_text *t);
const struct rule *rule_list_find(const struct rule_list *l, struct rule_text *t); /* NULL: none matches */
void rule_list_free(struct rule_list *l);                                          /* what re and rei have compiled */
#endif
