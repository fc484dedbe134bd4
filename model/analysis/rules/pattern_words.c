#include "pattern_words.h"
#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

enum { MOST_DEPTH = 64, MOST_LETTERS = 24 /* of a word: more of them make it no rarer */, MOST_TEXTS = 8 };

struct reader {
	struct arena *mem;
	const char *p, *end;
	int depth;
	bool lost;     /* something is in the pattern that is not read here */
	bool any_case; /* some of it may be of either case */
	bool places;   /* it matches in some places only, or has options */
};

/* What a part of a pattern matches. */
struct part {
	struct rule_words words; /* one of them is in it */
	struct rule_words
		texts; /* it is one of these, which may be empty; n 0: there are many, or they are not known */
};

/* One after the other: the best words so far, and the few texts of which one stands right here. */
struct sequence {
	struct rule_words best;
	size_t least_telling; /* of `best` */
	char run[MOST_TEXTS][MOST_LETTERS];
	size_t n[MOST_TEXTS], longest;
	uint32_t n_texts;
	bool whole; /* they are all that the sequence matches */
};

enum repeat { ONCE, PERHAPS, OFTEN, ANY }; /* often: at least once */

static int peek(const struct reader *in, size_t ahead)
{
	return (size_t)(in->end - in->p) > ahead ? (unsigned char)in->p[ahead] : -1;
}

static bool accept(struct reader *in, const char *text)
{
	size_t n = strlen(text);
	bool here = (size_t)(in->end - in->p) >= n && !memcmp(in->p, text, n);
	in->p += here ? n : 0;
	return here;
}

static void lose(struct reader *in)
{
	in->lost = true;
	in->p = in->end;
}

/* ---- what is better ------------------------------------------------------------------------------------------------- */

/* Letters of a word that tell texts apart: most kernels are called one. */
static size_t telling(const struct rule_word *w)
{
	static const char common[] = "kernel";
	size_t k = sizeof common - 1;
	for (size_t i = 0; i + k <= w->n; i++)
		if (!strncasecmp(w->text + i, common, k))
			return w->n > k ? w->n - k : 1;
	return w->n;
}

static size_t least_telling(const struct rule_words *w)
{
	size_t least = w->n ? SIZE_MAX : 0;
	for (uint32_t i = 0; i < w->n; i++)
		least = telling(&w->at[i]) < least ? telling(&w->at[i]) : least;
	return least;
}

/* Long words are rare; of equally long ones the fewer. */
static void consider(struct sequence *s, struct rule_words w)
{
	size_t had = s->least_telling, has = least_telling(&w);
	if (has < had || (has == had && w.n >= s->best.n))
		return;
	s->best = w;
	s->least_telling = has;
}

static void add_word(struct arena *mem, struct rule_words *w, const char *text, size_t n)
{
	bool full = (w->n & (w->n - 1)) == 0; /* nearly all have one */
	if (full)
		w->at = arena_grow(mem, w->at, w->n * sizeof *w->at, (w->n ? 2 * w->n : 1) * sizeof *w->at);
	w->at[w->n++] = (struct rule_word){text, n};
}

static void begin_run(struct sequence *s)
{
	s->n_texts = 1;
	s->n[0] = s->longest = 0;
}

/* Another text that is found wherever text i is, in that text. */
static bool is_told_by_another(const struct sequence *s, uint32_t i)
{
	for (uint32_t k = 0; k < s->n_texts; k++)
		if (k != i && (k < i ? s->n[k] <= s->n[i] : s->n[k] < s->n[i]) &&
		    memmem(s->run[i], s->n[i], s->run[k], s->n[k]))
			return true;
	return false;
}

static void end_run(struct reader *in, struct sequence *s)
{
	struct rule_words w = {0};
	bool any = s->longest > 0;
	s->whole = false;
	for (uint32_t i = 0; i < s->n_texts && any; i++)
		any = s->n[i] > 0;
	for (uint32_t i = 0; i < s->n_texts && any; i++)
		if (s->n_texts == 1 || !is_told_by_another(s, i))
			add_word(in->mem, &w, arena_strndup(in->mem, s->run[i], s->n[i]), s->n[i]);
	if (any)
		consider(s, w);
	begin_run(s);
}

/* Each text of the run goes on with text k of these. */
static void go_on_with(struct sequence *s, const struct rule_words *texts)
{
	uint32_t had = s->n_texts;
	for (uint32_t k = texts->n; k-- > 0;)
		for (uint32_t i = 0; i < had; i++) {
			uint32_t to = k * had + i;
			if (to != i)
				memcpy(s->run[to], s->run[i], s->n[i]);
			memcpy(s->run[to] + s->n[i], texts->at[k].text, texts->at[k].n);
			s->n[to] = s->n[i] + texts->at[k].n;
			s->longest = s->n[to] > s->longest ? s->n[to] : s->longest;
		}
	s->n_texts = had * texts->n;
}

/* The next part is one of these texts: what they may be together stays few and short, or begins anew. */
static void add_texts(struct reader *in, struct sequence *s, const struct rule_words *texts)
{
	size_t most = 0;
	for (uint32_t k = 0; k < texts->n; k++)
		most = texts->at[k].n > most ? texts->at[k].n : most;
	if (s->n_texts * texts->n > MOST_TEXTS || s->longest + most > MOST_LETTERS)
		end_run(in, s);
	go_on_with(s, texts);
}

/* ---- parts of a pattern --------------------------------------------------------------------------------------------- */

static struct part read_alternatives(struct reader *in);

/* {2}, {2,} or {2,3}: how often at least; -1 is none of these. */
static int read_braces(struct reader *in)
{
	int least = 0;
	const char *p = in->p + 1;
	if (p == in->end || !isdigit((unsigned char)*p))
		return -1;
	for (; p < in->end && isdigit((unsigned char)*p); p++)
		least |= *p != '0';
	if (p < in->end && *p == ',')
		for (p++; p < in->end && isdigit((unsigned char)*p);)
			p++;
	if (p == in->end || *p != '}')
		return -1;
	in->p = p + 1;
	return least;
}

/* How often what stands before comes. */
static enum repeat read_quantifier(struct reader *in)
{
	int c = peek(in, 0), least;
	if (c != '?' && c != '*' && c != '+' && c != '{')
		return ONCE;
	if (c == '{')
		least = read_braces(in);
	else
		least = *in->p++ == '+';
	if (least < 0)
		lose(in);
	else if (peek(in, 0) == '?' || peek(in, 0) == '+')
		in->p++;
	return least > 0 ? OFTEN : c == '?' ? PERHAPS : ANY;
}

/* [...]: one character of many. */
static void skip_class(struct reader *in)
{
	in->p++;
	accept(in, "^");
	accept(in, "]");
	while (peek(in, 0) >= 0 && peek(in, 0) != ']') {
		if (peek(in, 0) == '[' || (peek(in, 0) == '\\' && (peek(in, 1) == 'Q' || peek(in, 1) == 'E'))) {
			lose(in);
			return;
		}
		in->p += peek(in, 0) == '\\' && peek(in, 1) >= 0 ? 2 : 1;
	}
	in->p += in->p < in->end;
}

/* After a backslash: the character meant, 0 for a class of them, PLACE for a place between two. */
enum { PLACE = -1 };
static int read_escape(struct reader *in)
{
	int c = peek(in, 1);
	if (c < 0 || c >= 0x80 || (isalnum(c) && !strchr("dDwWsShHvVbBAzZnrt", c))) {
		lose(in);
		return 0;
	}
	in->p += 2;
	return !isalnum(c) ? c : strchr("bBAzZ", c) ? PLACE : 0;
}

/* "(?i)" and its like change nothing here; false: a group begins. */
static bool read_options(struct reader *in)
{
	size_t n = 0;
	in->places = true;
	for (; peek(in, n) >= 0 && strchr("ims-", peek(in, n)); n++)
		in->any_case |= peek(in, n) == 'i';
	if (peek(in, n) != ')' && peek(in, n) != ':')
		lose(in);
	else
		in->p += n;
	return accept(in, ")") || (accept(in, ":"), false);
}

/* "(?<name>" and "(?P<name>" only name what the group matches; false: it is none of them. */
static bool read_group_name(struct reader *in)
{
	if (!accept(in, "<") && !accept(in, "P<"))
		return false;
	while (peek(in, 0) >= 0 && peek(in, 0) != '>')
		in->p++;
	if (!accept(in, ">"))
		lose(in);
	return true;
}

/* Nothing is read there. */
static struct part place(struct reader *in)
{
	static const struct rule_word no_text[] = {{"", 0}};
	in->places = true;
	return (struct part){.texts = {.at = (struct rule_word *)no_text, .n = 1}};
}

/* (...): what is after a look ahead or back need not be there in the text that matches. */
static struct part read_group(struct reader *in)
{
	in->p++;
	if (peek(in, 0) == '*' || ++in->depth > MOST_DEPTH) {
		lose(in);
		return place(in);
	}
	bool looks = false;
	if (accept(in, "?")) {
		looks = accept(in, "=") || accept(in, "!") || accept(in, "<=") || accept(in, "<!");
		if (!looks && !accept(in, ">") && !read_group_name(in) && read_options(in)) {
			in->depth--;
			return place(in);
		}
	}
	struct part inner = read_alternatives(in);
	in->depth--;
	if (!accept(in, ")"))
		lose(in);
	return looks ? place(in) : inner;
}

/* The part and how often it comes. */
static void add_part(struct reader *in, struct sequence *s, const struct part *p)
{
	enum repeat repeat = read_quantifier(in);
	struct rule_words texts = p->texts;
	if (repeat == PERHAPS && texts.n)
		add_word(in->mem, &texts, "", 0);
	else if (repeat != ONCE)
		texts.n = 0;
	if (texts.n && texts.n <= MOST_TEXTS) {
		add_texts(in, s, &texts);
	} else {
		end_run(in, s);
		if (repeat == ONCE || repeat == OFTEN)
			consider(s, p->words);
	}
}

static void append_letter(struct reader *in, struct sequence *s, char c)
{
	if (s->longest == MOST_LETTERS)
		end_run(in, s);
	for (uint32_t i = 0; i < s->n_texts; i++)
		s->run[i][s->n[i]++] = c;
	s->longest++;
}

static void add_letter(struct reader *in, struct sequence *s, char c)
{
	struct rule_word texts[] = {{&c, 1}, {"", 0}};
	enum repeat repeat = read_quantifier(in);
	if (repeat == PERHAPS)
		add_texts(in, s, &(struct rule_words){.at = texts, .n = 2});
	else if (repeat != ANY)
		append_letter(in, s, c);
	if (repeat == OFTEN || repeat == ANY)
		end_run(in, s);
}

static void read_part(struct reader *in, struct sequence *s)
{
	struct part part = {0};
	char c = *in->p;
	if ((unsigned char)c >= 0x80 || c == '{') {
		lose(in);
		return;
	}
	if (c == '(') {
		part = read_group(in);
	} else if (c == '[') {
		skip_class(in);
	} else if (c == '.' || c == '^' || c == '$') {
		in->p++;
		part = c == '.' ? part : place(in);
	} else if (c == '\\') {
		int meant = read_escape(in);
		if (meant > 0) {
			add_letter(in, s, (char)meant);
			return;
		}
		part = meant == PLACE ? place(in) : part;
	} else {
		in->p++;
		add_letter(in, s, c);
		return;
	}
	add_part(in, s, &part);
}

static struct part read_sequence(struct reader *in)
{
	struct sequence s = {.whole = true};
	struct part all = {0};
	begin_run(&s);
	while (!in->lost && in->p < in->end && *in->p != '|' && *in->p != ')')
		read_part(in, &s);
	for (uint32_t i = 0; i < s.n_texts && s.whole; i++)
		add_word(in->mem, &all.texts, arena_strndup(in->mem, s.run[i], s.n[i]), s.n[i]);
	end_run(in, &s);
	all.words = s.best;
	return all;
}

static void add_words(struct arena *mem, struct rule_words *w, const struct rule_words *more)
{
	for (uint32_t i = 0; i < more->n; i++)
		add_word(mem, w, more->at[i].text, more->at[i].n);
}

static struct part read_alternatives(struct reader *in)
{
	struct part all = read_sequence(in);
	bool any = all.words.n > 0, few = all.texts.n > 0;
	while (accept(in, "|")) {
		struct part next = read_sequence(in);
		any &= next.words.n > 0;
		few &= next.texts.n > 0;
		add_words(in->mem, &all.words, &next.words);
		add_words(in->mem, &all.texts, &next.texts);
	}
	return (struct part){any ? all.words : (struct rule_words){0}, few ? all.texts : (struct rule_words){0}};
}

struct rule_words pattern_words(struct arena *mem, const char *pattern, size_t n)
{
	struct reader in = {.mem = mem, .p = pattern, .end = pattern + n};
	struct part all = read_alternatives(&in);
	all.words.any_case = in.any_case;
	all.words.enough = all.words.n && all.texts.n && !in.places;
	return !in.lost && in.p == in.end ? all.words : (struct rule_words){0};
}
