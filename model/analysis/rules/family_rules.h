/* model/analysis/rules/family_rules.h - what a kernel does, in one word, from its name and its op by a rules file
 * (rules/families.rules, compiled in; the format is described there). */
#ifndef STEPSCOPE_FAMILY_RULES_H
#define STEPSCOPE_FAMILY_RULES_H
#include "model/said_words.h"
#include "model/store/base/err.h"
#include "model/store/base/strings.h"

/* The family as tables name it, and what belongs to it. */
const char *kernel_family_word(enum kernel_family f); /* "copy/cast" */
const char *kernel_family_help(enum kernel_family f);

struct family_rules;
/* own_path: a file of the user's, asked before the built-in rules; NULL = none. NULL with `e` when rules are wrong. Any number of threads may ask one set. */
struct family_rules *family_rules_load(const char *own_path, struct err *e);
/* The built-in rules alone where the user's are wrong, which is told by who shows families. */
struct family_rules *family_rules_own_or_builtin(const char *own_path);
void family_rules_free(struct family_rules *r);
/* False with a usage error, file and line in it, once one of its regular expressions has run into a limit: what was answered
 * since then is of no use. To be asked after the questions, before their answers are used. */
bool family_rules_sound(const struct family_rules *r, struct err *e);
/* op: "" when it is not known. */
enum kernel_family family_of(const struct family_rules *r, const char *kernel_name, const char *op);
const char *copying_word(enum copying c); /* "layout"; NULL: none */

/* What was found out about the texts of a trace: each is asked once, whoever asks. Any number of threads; two that ask about one text at
 * the same time both find it out. */
struct family_answers;
struct family_answers *family_answers_new(uint32_t texts); /* ids up to and with that one */
void family_answers_free(struct family_answers *a);        /* NULL is fine */

/* family_of for texts of a trace. Rules, texts and answers, which are those of the same rules, outlive it; any thread. */
struct family_memo {
	const struct family_rules *r;
	const struct strings *texts;
	struct family_answers *answers;
};
/* op: 0 when it is not known. */
enum kernel_family family_memo_of(const struct family_memo *m, str_id name, str_id op);
/* What a kernel of the family copy/cast does with the values that it moves: the first rule that matches its name, else its op, decides. */
enum copying copying_memo_of(const struct family_memo *m, str_id name, str_id op);
#endif
