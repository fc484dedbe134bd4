#include "pattern_class.h"
#include <ctype.h>
#include <string.h>

struct byte_set byte_set_others(struct byte_set s)
{
	for (int i = 0; i < 4; i++)
		s.of[i] = ~s.of[i];
	return s;
}

struct byte_set byte_set_any_case(struct byte_set s)
{
	for (unsigned char c = 'a'; c <= 'z'; c++) {
		unsigned char capital = (unsigned char)(c - 'a' + 'A');
		if (byte_set_has(&s, c))
			byte_set_add(&s, capital);
		else if (byte_set_has(&s, capital))
			byte_set_add(&s, c);
	}
	return s;
}

static void add_all(struct byte_set *s, const struct byte_set *more)
{
	for (int i = 0; i < 4; i++)
		s->of[i] |= more->of[i];
}

void word_edge_add(struct word_edge *e, const struct word_edge *more)
{
	add_all(&e->bytes, &more->bytes);
	e->end |= more->end;
	e->newline |= more->newline;
}

const struct word_edge *word_edge_both(struct arena *mem, const struct word_edge *a, const struct word_edge *b)
{
	if (!a || !b)
		return a ? a : b;
	struct word_edge *room = arena_alloc(mem, sizeof *room);
	*room = (struct word_edge){.end = a->end && b->end};
	room->newline = (a->newline || byte_set_has(&a->bytes, '\n')) && (b->newline || byte_set_has(&b->bytes, '\n'));
	for (int i = 0; i < 4; i++)
		room->bytes.of[i] = a->bytes.of[i] & b->bytes.of[i];
	return room;
}

static void add_range(struct byte_set *s, int from, int to)
{
	for (int c = from; c <= to; c++)
		byte_set_add(s, (unsigned char)c);
}

/* \d, \w, \s and their opposites. */
static bool add_letter_class(struct byte_set *s, char which)
{
	struct byte_set of = {0};
	char small = (char)tolower((unsigned char)which);
	if (small == 'd' || small == 'w')
		add_range(&of, '0', '9');
	if (small == 'w') {
		add_range(&of, 'a', 'z');
		add_range(&of, 'A', 'Z');
		byte_set_add(&of, '_');
	}
	if (small == 's') {
		add_range(&of, '\t', '\r');
		byte_set_add(&of, ' ');
	}
	of = which == small ? of : byte_set_others(of);
	add_all(s, &of);
	return small == 'd' || small == 'w' || small == 's';
}

/* After a backslash: *c is the one character meant, -1 where it is a class, which was added. */
static bool read_escape(const char **p, const char *end, struct byte_set *set, int *c)
{
	if (*p == end || (unsigned char)**p >= 0x80)
		return false;
	static const char named[] = "nrt", meant[] = "\n\r\t";
	char which = *(*p)++;
	const char *name = which ? strchr(named, which) : NULL;
	*c = name ? meant[name - named] : isalnum((unsigned char)which) ? -1 : which;
	return *c >= 0 || add_letter_class(set, which);
}

/* One character of a class in brackets, or a class in it. */
static bool read_member(const char **p, const char *end, struct byte_set *set, int *c)
{
	if (*p == end || **p == '[' || (unsigned char)**p >= 0x80)
		return false;
	*c = (unsigned char)*(*p)++;
	return *c != '\\' || read_escape(p, end, set, c);
}

/* After "[". */
static bool read_brackets(const char **p, const char *end, bool any_case, struct byte_set *set)
{
	bool others = *p < end && **p == '^', first = true;
	int from, to;
	*p += others;
	for (; *p < end && (first || **p != ']'); first = false) {
		if (!read_member(p, end, set, &from))
			return false;
		to = from;
		if (end - *p >= 2 && **p == '-' && (*p)[1] != ']') {
			++*p;
			if (!read_member(p, end, set, &to) || from < 0 || to < from)
				return false;
		}
		if (from >= 0)
			add_range(set, from, to);
	}
	*set = any_case ? byte_set_any_case(*set) : *set;
	*set = others ? byte_set_others(*set) : *set;
	return *p < end && *(*p)++ == ']';
}

bool pattern_class_read(const char **p, const char *end, bool any_case, struct byte_set *set)
{
	int c;
	*set = (struct byte_set){0};
	if (*p == end || (unsigned char)**p >= 0x80 || strchr(".^$|()?*+{", **p))
		return false;
	c = *(*p)++;
	if (c == '[')
		return read_brackets(p, end, any_case, set);
	if (c == '\\' && !read_escape(p, end, set, &c))
		return false;
	if (c >= 0)
		byte_set_add(set, (unsigned char)c);
	*set = any_case ? byte_set_any_case(*set) : *set;
	return true;
}
