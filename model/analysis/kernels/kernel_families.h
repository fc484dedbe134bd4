/* model/analysis/kernels/kernel_families.h - what a kernel does, in one word, from its name and its op by a rules file
 * (rules/families.rules, compiled in; the format is described there). */
#ifndef STEPSCOPE_KERNEL_FAMILIES_H
#define STEPSCOPE_KERNEL_FAMILIES_H
#include "kernel_stats.h"
#include "model/said_words.h"
#include "model/store/base/err.h"
#include "model/store/base/strings.h"

const char *kernel_family_word(enum kernel_family f); /* "copy/cast" */
const char *kernel_family_help(enum kernel_family f);

struct family_rules;
/* own_path: a file of the user's, asked before the built-in rules; NULL = none. NULL with `e` when rules are wrong. One rule set may be used by one thread at a time. */
struct family_rules *family_rules_load(const char *own_path, struct err *e);
void family_rules_free(struct family_rules *r);
/* False with a usage error, file and line in it, once one of its regular expressions has run into a limit: what was answered
 * since then is of no use. To be asked behind the questions, before their answers are used. */
bool family_rules_sound(const struct family_rules *r, struct err *e);
/* op: "" when it is not known. */
enum kernel_family family_of(const struct family_rules *r, const char *kernel_name, const char *op);

/* One enum kernel_family per kind, in `mem`; NULL with `e`. Each name and op is asked once. */
const uint8_t *kernel_stats_families(const struct kernel_stats *s, const struct derived *d, struct arena *mem,
				     struct err *e);
/* The table of this name as a part of answers (query/shared.h): a struct table whose rows have no evidence, as that needs groups. */
extern const struct shared_part kernel_families_part;
#endif
