#include "family_rules.h"
#include "model/analysis/names/demangle.h"
#include "model/analysis/names/kernel_name.h"
#include "rules_file.h"
#include "model/pattern.h"
#include "model/store/base/embed.h"
#include "model/store/base/idmap.h"
#include "model/store/base/memory.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

EMBED(families_rules, "model/analysis/rules/families.rules");

enum { RULES_VERSION = 1 };
enum section { SECTION_KERNEL, SECTION_OP, SECTION_OTHERWISE, SECTION_COPYING, SECTION_COUNT };
static const char *const section_words[SECTION_COUNT] = {"kernel", "op", "otherwise", "copying"};

static const struct {
	const char *word, *help;
} families[] = {
#define KERNEL_FAMILY_WORDS(id, word, help) {word, help},
	KERNEL_FAMILIES(KERNEL_FAMILY_WORDS)
#undef KERNEL_FAMILY_WORDS
};

static const char *const copyings[COPYING_COUNT] = {
#define COPYING_WORD(id, word, help) [COPYING_##id] = word,
	COPYINGS(COPYING_WORD)
#undef COPYING_WORD
};

/* How a mangled name begins, made readable and asked: instances of one template have it in common. */
enum { BEGUN_KEPT = 16 };
struct begun {
	struct arena mem; /* of what it points at */
	const char *mangled;
	size_t n; /* bytes of it; 0: nothing is kept here */
	struct rule_text readable;
};

struct family_rules {
	struct arena mem;
	struct begun *begun;   /* BEGUN_KEPT of them, and one for names that have nothing in common with others */
	struct arena *scratch; /* of one question */
	struct rule_list sections[SECTION_COUNT];
	struct pattern_budget budget;
	pthread_mutex_t lock; /* while a text is asked, or whether a limit was hit */
};

const char *kernel_family_word(enum kernel_family f)
{
	return families[f].word;
}

const char *kernel_family_help(enum kernel_family f)
{
	return families[f].help;
}

const char *copying_word(enum copying c)
{
	return copyings[c];
}

/* ---- the rules ------------------------------------------------------------------------------------------------------ */

/* In the file "copy" stands for "copy/cast". */
static int family_of_word(const char *word)
{
	for (int f = 0; f < FAMILY_COUNT; f++) {
		size_t n = strcspn(families[f].word, "/");
		if (strlen(word) == n && !memcmp(word, families[f].word, n))
			return f;
	}
	return -1;
}

static int copying_of_word(const char *word)
{
	for (int c = COPYING_NONE + 1; c < COPYING_COUNT; c++)
		if (!strcmp(word, copyings[c]))
			return c;
	return -1;
}

static bool read_rule(struct rules_reader *in, const char *word, char *rest)
{
	struct family_rules *r = in->ctx;
	bool copying = in->section == SECTION_COPYING;
	struct rule rule = {.says = copying ? copying_of_word(word) : family_of_word(word)};
	if (rule.says < 0)
		return rules_complain(in, copying ? "unknown kind of copying" : "unknown family", word);
	TRY(rule_match_read(in, rest, &rule.match));
	rule_list_add(&r->sections[in->section], &r->mem, &rule);
	return true;
}

/* own: what the user's file is called; NULL: the built-in rules. */
static bool read_text(struct family_rules *r, const char *text, size_t n, const char *own, struct err *e)
{
	const struct rules_format format = {.what = own ? own : "rules of kernel families",
					    .version = RULES_VERSION,
					    .sections = section_words,
					    .section_count = SECTION_COUNT,
					    .ways = RULE_WAYS_PLAIN | RULE_BIT(FIND) | RULE_BIT(RE) | RULE_BIT(REI),
					    .line = read_rule};
	struct rules_reader in = {
		.format = &format, .mem = &r->mem, .ctx = r, .budget = &r->budget, .err = e, .built_in = !own};
	return rules_read(&in, text, n);
}

static bool read_own(struct family_rules *r, const char *path, struct err *e)
{
	size_t n;
	const char *text = rules_load_file(&r->mem, path, &n, e);
	return text && read_text(r, text, n, arena_printf(&r->mem, "rules file %s", path), e);
}

static struct family_rules *indexed(struct family_rules *r)
{
	struct rule_list *lists[SECTION_COUNT];
	for (int s = 0; s < SECTION_COUNT; s++)
		lists[s] = &r->sections[s];
	rule_lists_index(lists, SECTION_COUNT, &r->mem);
	rule_lists_index_mangled(lists, SECTION_COUNT, &r->mem);
	return r;
}

struct family_rules *family_rules_load(const char *own_path, struct err *e)
{
	struct family_rules *r = must(calloc(1, sizeof *r));
	pthread_mutex_init(&r->lock, NULL);
	r->scratch = arena_alloc(&r->mem, sizeof *r->scratch);
	r->begun = arena_alloc(&r->mem, (BEGUN_KEPT + 1) * sizeof *r->begun);
	pattern_budget_open_each(&r->budget);
	if ((!own_path || read_own(r, own_path, e)) &&
	    read_text(r, families_rules, EMBED_SIZE(families_rules), NULL, e))
		return indexed(r);
	family_rules_free(r);
	return NULL;
}

struct family_rules *family_rules_own_or_builtin(const char *own_path)
{
	struct family_rules *own = family_rules_load(own_path, NULL);
	return own ? own : family_rules_load(NULL, NULL);
}

void family_rules_free(struct family_rules *r)
{
	if (!r)
		return;
	for (int s = 0; s < SECTION_COUNT; s++)
		rule_list_free(&r->sections[s]);
	for (int i = 0; i <= BEGUN_KEPT; i++)
		arena_free(&r->begun[i].mem);
	arena_free(r->scratch);
	arena_free(&r->mem);
	pthread_mutex_destroy(&r->lock);
	free(r);
}

static pthread_mutex_t *lock_of(const struct family_rules *r)
{
	return &((struct family_rules *)r)->lock;
}

bool family_rules_sound(const struct family_rules *r, struct err *e)
{
	pthread_mutex_lock(lock_of(r));
	bool sound = pattern_budget_sound(&r->budget, e);
	pthread_mutex_unlock(lock_of(r));
	return sound;
}

/* ---- asking --------------------------------------------------------------------------------------------------------- */

/* FAMILY_COUNT: no rule matches. */
static enum kernel_family ask(const struct family_rules *r, enum section s, struct rule_text *text)
{
	const struct rule *rule = rule_list_find(&r->sections[s], text);
	return rule ? (enum kernel_family)rule->says : FAMILY_COUNT;
}

enum kernel_family family_of(const struct family_rules *r, const char *kernel_name, const char *op)
{
	struct rule_text name, op_text;
	pthread_mutex_lock(lock_of(r));
	rule_text_open(&name, kernel_name_bare(r->scratch, kernel_name));
	rule_text_open(&op_text, op);
	enum kernel_family f = ask(r, SECTION_KERNEL, &name);
	if (f == FAMILY_COUNT && op_text.n)
		f = ask(r, SECTION_OP, &op_text);
	if (f == FAMILY_COUNT)
		f = ask(r, SECTION_OTHERWISE, &name);
	arena_clear(r->scratch);
	pthread_mutex_unlock(lock_of(r));
	return f == FAMILY_COUNT ? FAMILY_OTHER : f;
}

/* ---- texts of a trace, each asked once ----------------------------------------------------------------------------- */

struct family_answers {
	_Atomic uint8_t *said[SECTION_COUNT]; /* by string id: what it says, + 1; 0 = not asked yet */
};

struct family_answers *family_answers_new(uint32_t texts)
{
	struct family_answers *a = must(calloc(1, sizeof *a));
	for (int i = 0; i < SECTION_COUNT; i++)
		a->said[i] = must(calloc(texts + (size_t)1, 1));
	return a;
}

void family_answers_free(struct family_answers *a)
{
	if (!a)
		return;
	for (int i = 0; i < SECTION_COUNT; i++)
		free((void *)a->said[i]);
	free(a);
}

static bool is_known(const struct family_memo *m, enum section s, str_id id)
{
	return atomic_load_explicit(&m->answers->said[s][id], memory_order_relaxed) != 0;
}

/* What was said after a limit is of no use to others: each of them is to run into it. */
static int keep(const struct family_memo *m, enum section s, str_id id, int says)
{
	if (pattern_budget_sound(&m->r->budget, NULL))
		atomic_store_explicit(&m->answers->said[s][id], (uint8_t)(says + 1), memory_order_relaxed);
	return says;
}

static int ask_copying(const struct family_rules *r, struct rule_text *text)
{
	const struct rule *rule = rule_list_find(&r->sections[SECTION_COPYING], text);
	return rule ? rule->says : COPYING_NONE;
}

static bool begins_so(const struct begun *b, const struct rule_text *mangled)
{
	return b->n && mangled->n >= b->n && !memcmp(mangled->text, b->mangled, b->n);
}

/* NULL: nothing of it can be read. */
static struct rule_text *begin_of(const struct family_rules *r, const struct rule_text *mangled)
{
	enum { HASHED_BYTES = 32 };
	size_t hashed = mangled->n < HASHED_BYTES ? mangled->n : HASHED_BYTES, n;
	struct begun *b = &r->begun[idmap_hash(mangled->text, hashed, 0) % BEGUN_KEPT];
	if (begins_so(b, mangled))
		return &b->readable;
	const char *begin = demangle_begin_of_many(r->scratch, mangled->text, &n);
	if (!begin)
		return NULL;
	b = n ? b : &r->begun[BEGUN_KEPT];
	arena_clear(&b->mem);
	b->n = n;
	b->mangled = arena_strndup(&b->mem, mangled->text, n);
	rule_text_open(&b->readable, arena_strdup(&b->mem, begin));
	return &b->readable;
}

/* What a mangled name says of itself where that needs no readable one; false: it does. */
static bool guess_name(const struct family_memo *m, str_id name)
{
	const char *mangled = strings_z(m->texts, name);
	struct rule_text text, *begun;
	int f, other;
	if (!is_mangled(mangled))
		return false;
	rule_text_open(&text, mangled);
	begun = begin_of(m->r, &text);
	bool known = begun && rule_list_guess(&m->r->sections[SECTION_KERNEL], &text, begun, FAMILY_COUNT, &f);
	other = known ? f : FAMILY_COUNT;
	if (known && f == FAMILY_COUNT)
		known = rule_list_guess(&m->r->sections[SECTION_OTHERWISE], &text, begun, FAMILY_COUNT, &other);
	arena_clear(m->r->scratch);
	if (known) {
		keep(m, SECTION_KERNEL, name, f);
		keep(m, SECTION_OTHERWISE, name, other);
	}
	return is_known(m, SECTION_OTHERWISE, name);
}

/* The readable name is made once: what it copies is asked with it where it copies. */
static int ask_name(const struct family_memo *m, enum section s, str_id name)
{
	struct rule_text text;
	rule_text_open(&text, kernel_name_bare(m->r->scratch, strings_z(m->texts, name)));
	int f = keep(m, SECTION_KERNEL, name, (int)ask(m->r, SECTION_KERNEL, &text));
	int other = f == FAMILY_COUNT ? (int)ask(m->r, SECTION_OTHERWISE, &text) : f;
	keep(m, SECTION_OTHERWISE, name, other);
	int copies = other == FAMILY_COPY || s == SECTION_COPYING
			     ? keep(m, SECTION_COPYING, name, ask_copying(m->r, &text))
			     : COPYING_NONE;
	arena_clear(m->r->scratch);
	return s == SECTION_COPYING ? copies : s == SECTION_KERNEL ? f : other;
}

static int ask_op(const struct family_memo *m, str_id op)
{
	struct rule_text text;
	rule_text_open(&text, strings_z(m->texts, op));
	return keep(m, SECTION_OP, op, (int)ask(m->r, SECTION_OP, &text));
}

static int kept_of(const struct family_memo *m, enum section s, str_id id)
{
	return atomic_load_explicit(&m->answers->said[s][id], memory_order_relaxed) - 1;
}

static int find_out(const struct family_memo *m, enum section s, str_id id)
{
	if (s == SECTION_OP)
		return ask_op(m, id);
	bool guessed = s != SECTION_COPYING && guess_name(m, id);
	return guessed ? kept_of(m, s, id) : ask_name(m, s, id);
}

static int said_of(const struct family_memo *m, enum section s, str_id id)
{
	if (is_known(m, s, id))
		return kept_of(m, s, id);
	pthread_mutex_lock(lock_of(m->r));
	int says = find_out(m, s, id);
	pthread_mutex_unlock(lock_of(m->r));
	return says;
}

enum kernel_family family_memo_of(const struct family_memo *m, str_id name, str_id op)
{
	int f = said_of(m, SECTION_KERNEL, name);
	if (f == FAMILY_COUNT && op)
		f = said_of(m, SECTION_OP, op);
	if (f == FAMILY_COUNT)
		f = said_of(m, SECTION_OTHERWISE, name);
	return f == FAMILY_COUNT ? FAMILY_OTHER : (enum kernel_family)f;
}

enum copying copying_memo_of(const struct family_memo *m, str_id name, str_id op)
{
	int says = said_of(m, SECTION_COPYING, name);
	if (says == COPYING_NONE && op) {
		struct rule_text text;
		rule_text_open(&text, strings_z(m->texts, op));
		pthread_mutex_lock(lock_of(m->r));
		says = ask_copying(m->r, &text);
		pthread_mutex_unlock(lock_of(m->r));
	}
	return (enum copying)says;
}
