#include "pattern_words.h"
#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

enum { MOST_DEPTH = 64, MOST_LETTERS = 24 /* of a word: more of them make it no rarer */ };

struct reader {
	struct arena *mem;
	const char *p, *end;
	int depth;
	bool lost; /* something is in the pattern that is not read here */
};

/* One after the other: the best words so far, and the letters that stand beside one another right now. */
struct sequence {
	struct rule_words best;
	char run[MOST_LETTERS];
	size_t n;
};

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
	size_t had = least_telling(&s->best), has = least_telling(&w);
	if (has > had || (has == had && w.n < s->best.n))
		s->best = w;
}

static void add_word(struct arena *mem, struct rule_words *w, const char *text, size_t n)
{
	bool full = (w->n & (w->n - 1)) == 0; /* nearly all have one */
	if (full)
		w->at = arena_grow(mem, w->at, w->n * sizeof *w->at, (w->n ? 2 * w->n : 1) * sizeof *w->at);
	w->at[w->n++] = (struct rule_word){text, n};
}

static void end_run(struct reader *in, struct sequence *s)
{
	struct rule_words w = {0};
	if (s->n) {
		add_word(in->mem, &w, arena_strndup(in->mem, s->run, s->n), s->n);
		consider(s, w);
	}
	s->n = 0;
}

/* ---- parts of a pattern --------------------------------------------------------------------------------------------- */

static struct rule_words read_alternatives(struct reader *in);

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

/* How often at least what stands before comes, 0 or 1; *repeats: a quantifier is there. */
static int read_quantifier(struct reader *in, bool *repeats)
{
	int least = 1, c = peek(in, 0);
	*repeats = c == '?' || c == '*' || c == '+' || c == '{';
	if (!*repeats)
		return 1;
	if (c == '{')
		least = read_braces(in);
	else
		least = *in->p++ == '+';
	if (least < 0)
		lose(in);
	else if (peek(in, 0) == '?' || peek(in, 0) == '+')
		in->p++;
	return least;
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

/* Behind a backslash: the character meant, 0 for a class of them or a place. */
static char read_escape(struct reader *in)
{
	int c = peek(in, 1);
	if (c < 0 || c >= 0x80 || (isalnum(c) && !strchr("dDwWsShHvVbBAzZnrt", c))) {
		lose(in);
		return 0;
	}
	in->p += 2;
	return isalnum(c) ? 0 : (char)c;
}

/* "(?i)" and its like change nothing here; false: a group begins. */
static bool read_options(struct reader *in)
{
	size_t n = 0;
	while (peek(in, n) >= 0 && strchr("ims-", peek(in, n)))
		n++;
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

/* (...): what is behind a look ahead or back need not be there in the text that matches. */
static struct rule_words read_group(struct reader *in)
{
	struct rule_words none = {0};
	in->p++;
	if (peek(in, 0) == '*' || ++in->depth > MOST_DEPTH) {
		lose(in);
		return none;
	}
	bool looks = false;
	if (accept(in, "?")) {
		looks = accept(in, "=") || accept(in, "!") || accept(in, "<=") || accept(in, "<!");
		if (!looks && !accept(in, ">") && !read_group_name(in) && read_options(in)) {
			in->depth--;
			return none;
		}
	}
	struct rule_words inner = read_alternatives(in);
	in->depth--;
	if (!accept(in, ")"))
		lose(in);
	return looks ? none : inner;
}

static void read_letter(struct reader *in, struct sequence *s, char c)
{
	bool repeats;
	int least = read_quantifier(in, &repeats);
	if (least && s->n == MOST_LETTERS)
		end_run(in, s);
	if (least)
		s->run[s->n++] = c;
	if (repeats || !least)
		end_run(in, s);
}

/* What is not a letter itself. */
static void read_other(struct reader *in, struct sequence *s, struct rule_words w)
{
	bool repeats;
	end_run(in, s);
	if (read_quantifier(in, &repeats))
		consider(s, w);
}

static void read_part(struct reader *in, struct sequence *s)
{
	char c = *in->p;
	if ((unsigned char)c >= 0x80 || c == '{') {
		lose(in);
	} else if (c == '(') {
		read_other(in, s, read_group(in));
	} else if (c == '[') {
		skip_class(in);
		read_other(in, s, (struct rule_words){0});
	} else if (c == '.' || c == '^' || c == '$') {
		in->p++;
		read_other(in, s, (struct rule_words){0});
	} else if (c == '\\') {
		char meant = read_escape(in);
		if (meant)
			read_letter(in, s, meant);
		else
			read_other(in, s, (struct rule_words){0});
	} else {
		in->p++;
		read_letter(in, s, c);
	}
}

static struct rule_words read_sequence(struct reader *in)
{
	struct sequence s = {0};
	while (!in->lost && in->p < in->end && *in->p != '|' && *in->p != ')')
		read_part(in, &s);
	end_run(in, &s);
	return s.best;
}

static struct rule_words read_alternatives(struct reader *in)
{
	struct rule_words all = read_sequence(in);
	bool any = all.n > 0;
	while (accept(in, "|")) {
		struct rule_words next = read_sequence(in);
		any &= next.n > 0;
		for (uint32_t i = 0; i < next.n; i++)
			add_word(in->mem, &all, next.at[i].text, next.at[i].n);
	}
	return any ? all : (struct rule_words){0};
}

struct rule_words pattern_words(struct arena *mem, const char *pattern, size_t n)
{
	struct reader in = {.mem = mem, .p = pattern, .end = pattern + n};
	struct rule_words all = read_alternatives(&in);
	return in.lost || in.p != in.end ? (struct rule_words){0} : all;
}
