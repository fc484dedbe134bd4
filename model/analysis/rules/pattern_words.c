#include "pattern_words.h"
#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

enum { MOST_DEPTH = 16, MOST_LETTERS = 24 /* of a word: more of them make it no rarer */, MOST_TEXTS = 24 };

struct reader {
	struct arena *mem;
	const char *p, *end;
	int depth;
	bool lost;     /* something is in the pattern that is not read here */
	bool any_case; /* some of it may be of either case */
	bool options;  /* what is read means something else from here on */
	bool places;   /* more is asked of a text than can be said of words and of what stands beside them */
};

/* What a part of a pattern matches. */
struct part {
	struct rule_words words; /* one of them is in it */
	struct rule_words
		texts; /* it is one of these, which may be empty; n 0: there are many, or they are not known */
	const struct byte_set *one; /* it is one of these characters; NULL: that is not known */
};

struct text {
	char at[MOST_LETTERS];
	uint8_t n;
	const struct word_edge *before, *behind; /* NULL: anything */
};

/* One after the other: the best words so far, and the few texts of which one stands right here. */
struct sequence {
	struct rule_words best;
	size_t least_telling; /* of `best` */
	struct text run[MOST_TEXTS];
	size_t longest;
	uint32_t n_texts;
	bool whole; /* they are all that the sequence matches */
	bool first; /* nothing of the pattern was read before */
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

static void add_word(struct arena *mem, struct rule_words *w, struct rule_word word)
{
	bool full = (w->n & (w->n - 1)) == 0; /* nearly all have one */
	if (full)
		w->at = arena_grow(mem, w->at, w->n * sizeof *w->at, (w->n ? 2 * w->n : 1) * sizeof *w->at);
	w->at[w->n++] = word;
}

static struct rule_word word_of(struct arena *mem, const struct text *t)
{
	return (struct rule_word){arena_strndup(mem, t->at, t->n), t->n, t->before, t->behind};
}

static void begin_run(struct sequence *s)
{
	s->n_texts = 1;
	s->run[0] = (struct text){0};
	s->longest = 0;
}

/* Another text that is found wherever text i is, in that text. */
static bool is_told_by_another(const struct sequence *s, uint32_t i)
{
	const struct text *own = &s->run[i];
	for (uint32_t k = 0; k < s->n_texts; k++) {
		const struct text *other = &s->run[k];
		if (k != i && !other->before && !other->behind && memmem(own->at, own->n, other->at, other->n) &&
		    (other->n < own->n || k < i || own->before || own->behind))
			return true;
	}
	return false;
}

static void end_run(struct reader *in, struct sequence *s)
{
	struct rule_words w = {0};
	bool any = s->longest > 0;
	s->whole = false;
	for (uint32_t i = 0; i < s->n_texts && any; i++)
		any = s->run[i].n > 0;
	for (uint32_t i = 0; i < s->n_texts && any; i++)
		if (s->n_texts == 1 || !is_told_by_another(s, i))
			add_word(in->mem, &w, word_of(in->mem, &s->run[i]));
	if (any)
		consider(s, w);
	begin_run(s);
}

/* Text x goes on with y; false: these two never stand side by side. */
static bool go_on(struct reader *in, const struct text *x, const struct rule_word *y, struct text *out)
{
	*out = *x;
	if (y->n && !word_edge_allows(x->behind, y->text[0]))
		return false;
	if (x->n && !word_edge_allows(y->before, x->at[x->n - 1]))
		return false;
	memcpy(out->at + x->n, y->text, y->n);
	out->n = (uint8_t)(x->n + y->n);
	out->before = x->n ? x->before : word_edge_both(in->mem, x->before, y->before);
	out->behind = y->n ? y->behind : word_edge_both(in->mem, x->behind, y->behind);
	return true;
}

/* Each text of the run goes on with each of these. */
static void go_on_with(struct reader *in, struct sequence *s, const struct rule_words *texts)
{
	size_t bytes = s->n_texts * sizeof *s->run;
	struct text *had = memcpy(arena_alloc(in->mem, bytes), s->run, bytes);
	uint32_t n_had = s->n_texts;
	s->n_texts = 0;
	for (uint32_t k = 0; k < texts->n; k++)
		for (uint32_t i = 0; i < n_had; i++) {
			struct text *to = &s->run[s->n_texts];
			if (go_on(in, &had[i], &texts->at[k], to)) {
				s->n_texts++;
				s->longest = to->n > s->longest ? to->n : s->longest;
			}
		}
	if (!s->n_texts) {
		begin_run(s);
		lose(in);
	}
}

/* The next part is one of these texts: what they may be together stays few and short, or begins anew. */
static void add_texts(struct reader *in, struct sequence *s, const struct rule_words *texts)
{
	size_t most = 0;
	for (uint32_t k = 0; k < texts->n; k++)
		most = texts->at[k].n > most ? texts->at[k].n : most;
	if (s->n_texts * texts->n > MOST_TEXTS || s->longest + most > MOST_LETTERS)
		end_run(in, s);
	go_on_with(in, s, texts);
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
	else if (accept(in, "+"))
		in->places = true; /* what it took it keeps */
	else
		accept(in, "?");
	return least > 0 ? OFTEN : c == '?' ? PERHAPS : ANY;
}

/* A class, or a backslash and what it makes of the character after it; a place between two characters is none. */
static bool read_class(struct reader *in, struct byte_set *set)
{
	return pattern_class_read(&in->p, in->end, in->any_case, set) || (lose(in), false);
}

/* "(?i)" and its like change nothing here; false: a group begins. */
static bool read_options(struct reader *in)
{
	size_t n = 0;
	for (; peek(in, n) >= 0 && strchr("ims-", peek(in, n)); n++)
		in->any_case |= peek(in, n) == 'i';
	in->options |= n > 0;
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
static struct part place(struct reader *in, const struct word_edge *before, const struct word_edge *behind)
{
	struct part p = {0};
	add_word(in->mem, &p.texts, (struct rule_word){"", 0, before, behind});
	return p;
}

static struct part odd_place(struct reader *in)
{
	in->places = true;
	return place(in, NULL, NULL);
}

static struct part place_at(struct reader *in, bool back, struct word_edge edge)
{
	struct word_edge *kept = arena_alloc(in->mem, sizeof *kept);
	*kept = edge;
	return place(in, back ? kept : NULL, back ? NULL : kept);
}

/* After "(?=" and its like: one character that is to stand there or not, and the end of the group. */
static bool read_one_ahead(struct reader *in, bool back, bool others, struct part *out)
{
	const char *p = in->p;
	struct byte_set set;
	if (!pattern_class_read(&p, in->end, in->any_case, &set) || p == in->end || *p != ')')
		return false;
	in->p = p + 1;
	*out = place_at(in, back, (struct word_edge){.bytes = others ? byte_set_others(set) : set, .end = others});
	return true;
}

static const struct look {
	const char *begin;
	bool back, others;
} looks[] = {{"?=", false, false}, {"?!", false, true}, {"?<=", true, false}, {"?<!", true, true}};

static const struct look *read_look(struct reader *in)
{
	for (size_t i = 0; i < sizeof looks / sizeof *looks; i++)
		if (accept(in, looks[i].begin))
			return &looks[i];
	return NULL;
}

/* (...): what is after a look ahead or back need not be there in the text that matches. */
static struct part read_group(struct reader *in)
{
	struct part inner;
	in->p++;
	if (peek(in, 0) == '*' || in->depth == MOST_DEPTH) {
		lose(in);
		return odd_place(in);
	}
	const struct look *look = read_look(in);
	if (look && read_one_ahead(in, look->back, look->others, &inner))
		return inner;
	if (!look && accept(in, "?")) {
		bool keeps = accept(in, ">");
		in->places |= keeps;
		if (!keeps && !read_group_name(in) && read_options(in))
			return odd_place(in);
	}
	in->depth++;
	inner = read_alternatives(in);
	in->depth--;
	if (!accept(in, ")"))
		lose(in);
	return look ? odd_place(in) : inner;
}

/* ---- both ends of the pattern --------------------------------------------------------------------------------------- */

static bool has_empty(const struct rule_words *texts)
{
	for (uint32_t k = 0; k < texts->n; k++)
		if (!texts->at[k].n)
			return true;
	return false;
}

/* One letter there, or none, says what stands beside the rest. */
static struct rule_words as_edge(struct reader *in, const struct rule_words *texts, bool first)
{
	struct rule_words out = {0};
	struct word_edge edge = {0};
	bool some = false, any = false;
	if (!has_empty(texts))
		return *texts;
	for (uint32_t k = 0; k < texts->n; k++) {
		const struct rule_word *t = &texts->at[k];
		const struct word_edge *outer = first ? t->before : t->behind, *inner = first ? t->behind : t->before;
		if (t->n > 1 || inner || (t->n && outer)) {
			add_word(in->mem, &out, *t);
			continue;
		}
		some = true;
		any |= !t->n && !outer;
		if (t->n)
			byte_set_add(&edge.bytes, (unsigned char)t->text[0]);
		else if (outer)
			word_edge_add(&edge, outer);
	}
	edge.bytes = in->any_case ? byte_set_any_case(edge.bytes) : edge.bytes;
	struct part p = any ? place(in, NULL, NULL) : place_at(in, first, edge);
	if (some)
		add_word(in->mem, &out, p.texts.at[0]);
	return out;
}

/* Nothing of the pattern stands before or behind the part: once is enough of it, and what may come or not need not be asked. */
static struct rule_words at_an_end(struct reader *in, const struct part *p, enum repeat repeat, bool first)
{
	if (repeat == PERHAPS || repeat == ANY)
		return place(in, NULL, NULL).texts;
	if (p->texts.n)
		return as_edge(in, &p->texts, first);
	return p->one ? place_at(in, first, (struct word_edge){.bytes = *p->one}).texts : p->texts;
}

/* The part and how often it comes. */
static void add_part(struct reader *in, struct sequence *s, const struct part *p)
{
	enum repeat repeat = read_quantifier(in);
	struct rule_words texts = p->texts;
	bool last = !in->depth && (in->p == in->end || *in->p == '|');
	if (s->first || last)
		texts = at_an_end(in, p, repeat, s->first);
	else if (repeat == PERHAPS && texts.n)
		add_word(in->mem, &texts, (struct rule_word){.text = ""});
	else if (repeat != ONCE)
		texts.n = 0;
	s->first = false;
	if (texts.n && texts.n <= MOST_TEXTS) {
		add_texts(in, s, &texts);
	} else {
		end_run(in, s);
		if (repeat == ONCE || repeat == OFTEN)
			consider(s, p->words);
	}
}

/* Most letters follow on texts behind which anything may stand: these just grow. */
static void append_letter(struct reader *in, struct sequence *s, char c)
{
	struct rule_word letter = {.text = &c, .n = 1};
	bool free = s->longest < MOST_LETTERS;
	for (uint32_t i = 0; i < s->n_texts && free; i++)
		free = !s->run[i].behind;
	if (!free) {
		add_texts(in, s, &(struct rule_words){.at = &letter, .n = 1});
		return;
	}
	for (uint32_t i = 0; i < s->n_texts; i++)
		s->run[i].at[s->run[i].n++] = c;
	s->longest++;
}

static void add_letter(struct reader *in, struct sequence *s, char c)
{
	struct rule_word texts[] = {{.text = &c, .n = 1}, {.text = ""}};
	enum repeat repeat = read_quantifier(in);
	s->first = false;
	if (repeat == PERHAPS)
		add_texts(in, s, &(struct rule_words){.at = texts, .n = 2});
	else if (repeat != ANY)
		append_letter(in, s, c);
	if (repeat == OFTEN || repeat == ANY)
		end_run(in, s);
}

/* A class of few characters is a choice of texts. */
static struct part part_of_class(struct reader *in, const struct byte_set *set)
{
	enum { FEW = 6 };
	struct part p = {.one = memcpy(arena_alloc(in->mem, sizeof *set), set, sizeof *set)};
	for (unsigned c = 0; c < 256 && p.texts.n <= FEW; c++)
		if (byte_set_has(set, (unsigned char)c) && !(in->any_case && c >= 'A' && c <= 'Z')) {
			char letter = (char)c;
			add_word(in->mem, &p.texts,
				 (struct rule_word){arena_strndup(in->mem, &letter, 1), 1, NULL, NULL});
		}
	p.texts.n = p.texts.n <= FEW ? p.texts.n : 0;
	return p;
}

static void read_escaped(struct reader *in, struct sequence *s)
{
	struct byte_set set;
	int c = peek(in, 1);
	if (c >= 0 && c < 0x80 && !isalnum(c)) {
		in->p += 2;
		add_letter(in, s, (char)c);
		return;
	}
	bool is_place = c >= 0 && strchr("bBAzZ", c);
	in->p += is_place ? 2 : 0;
	struct part part = is_place ? odd_place(in) : read_class(in, &set) ? part_of_class(in, &set) : (struct part){0};
	add_part(in, s, &part);
}

static void read_part(struct reader *in, struct sequence *s)
{
	struct part part = {0};
	struct byte_set set;
	char c = *in->p;
	if ((unsigned char)c >= 0x80 || c == '{') {
		lose(in);
		return;
	}
	if (c == '\\') {
		read_escaped(in, s);
		return;
	}
	if (c == '(') {
		part = read_group(in);
	} else if (c == '[') {
		part = read_class(in, &set) ? part_of_class(in, &set) : part;
	} else if (c == '.' || c == '^' || c == '$') {
		in->p++;
		if (c != '.')
			part = place_at(in, c == '^', (struct word_edge){.end = true, .newline = c == '$'});
	} else {
		in->p++;
		add_letter(in, s, c);
		return;
	}
	add_part(in, s, &part);
}

static struct part read_sequence(struct reader *in)
{
	struct sequence s = {.whole = true, .first = !in->depth};
	struct part all = {0};
	begin_run(&s);
	while (!in->lost && in->p < in->end && *in->p != '|' && *in->p != ')')
		read_part(in, &s);
	for (uint32_t i = 0; i < s.n_texts && s.whole; i++)
		add_word(in->mem, &all.texts, word_of(in->mem, &s.run[i]));
	end_run(in, &s);
	all.words = s.best;
	return all;
}

static void add_words(struct arena *mem, struct rule_words *w, const struct rule_words *more)
{
	for (uint32_t i = 0; i < more->n; i++)
		add_word(mem, w, more->at[i]);
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
	return (struct part){any ? all.words : (struct rule_words){0}, few ? all.texts : (struct rule_words){0}, NULL};
}

static struct rule_words without_edges(struct rule_words w)
{
	for (uint32_t i = 0; i < w.n; i++)
		w.at[i].before = w.at[i].behind = NULL;
	return w;
}

struct rule_words pattern_words(struct arena *mem, const char *pattern, size_t n, bool any_case)
{
	struct reader in = {.mem = mem, .p = pattern, .end = pattern + n, .any_case = any_case};
	struct part all = read_alternatives(&in);
	all.words.any_case = in.any_case;
	all.words.enough = all.words.n && all.texts.n && !in.places && !in.options;
	if (in.lost || in.p < in.end)
		return (struct rule_words){0};
	return in.options ? without_edges(all.words) : all.words;
}
