#include "rules_file.h"
#include "model/pattern.h"
#include "model/store/base/memory.h"
#include "model/store/base/word.h"
#include "model/store/files/trusted.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RULES_MAX_BYTES = 1 << 20 };

static const char *const way_words[] = {
#define WAY_WORD(id, word, help) word,
	RULE_WAYS(WAY_WORD)
#undef WAY_WORD
};

const char *rule_way_word(enum rule_way way)
{
	return way_words[way];
}

bool rules_complain(struct rules_reader *in, const char *text, const char *word)
{
	return err_usage(in->err, "%s, line %d: %s '%s'", in->format->what, in->line, text, word);
}

char *rules_next_word(char **rest)
{
	char *word = *rest + strspn(*rest, " \t");
	char *end = word + strcspn(word, " \t");
	*rest = end + strspn(end, " \t");
	if (*end)
		*end = '\0';
	return word;
}

int rules_find_word(const char *const *words, size_t n, const char *word)
{
	for (size_t i = 0; i < n; i++)
		if (words[i] && !strcmp(words[i], word))
			return (int)i;
	return -1;
}

/* ---- lines ---------------------------------------------------------------------------------------------------------- */

static bool read_header(struct rules_reader *in, const char *word, const char *value)
{
	if (!strcmp(word, "name")) {
		in->name = value;
		return true;
	}
	if (!strcmp(word, "edition")) {
		in->edition = value;
		return true;
	}
	if (strcmp(word, "version"))
		return rules_complain(in, "expected version, name or a [section] instead of", word);
	in->version = atoi(value);
	return (in->version >= 1 && in->version <= in->format->version) ||
	       rules_complain(in, "this program cannot read rules of version", value);
}

static bool read_section(struct rules_reader *in, char *line)
{
	char *end = strchr(line, ']');
	if (end)
		*end = '\0';
	in->section = rules_find_word(in->format->sections, (size_t)in->format->section_count, line + 1);
	return (end && in->section >= 0) || rules_complain(in, "unknown section", line + 1);
}

static bool read_line(struct rules_reader *in, char *line)
{
	size_t n = strlen(line);
	while (n && strchr(" \t\r", line[n - 1]))
		line[--n] = '\0';
	line += strspn(line, " \t");
	if (!*line || *line == '#')
		return true;
	if (*line == '[')
		return read_section(in, line);
	char *word = rules_next_word(&line);
	return in->section < 0 ? read_header(in, word, line) : in->format->line(in, word, line);
}

bool rules_read(struct rules_reader *in, const char *text, size_t n)
{
	in->name = in->edition = NULL;
	in->version = in->format->version;
	in->line = 0;
	in->section = -1;
	for (char *at = arena_strndup(in->mem, text, n), *next; at; at = next) {
		next = strchr(at, '\n');
		if (next)
			*next++ = '\0';
		in->line++;
		TRY(read_line(in, at));
	}
	return true;
}

char *rules_load_file(struct arena *mem, const char *path, size_t *n, struct err *e)
{
	const char *why = "out of memory";
	int fd = trusted_file(path, &why);
	FILE *f = fd >= 0 ? fdopen(fd, "rb") : NULL;
	if (!f) {
		if (fd >= 0)
			close(fd);
		err_usage(e, "cannot open the rules file %s: %s", path, why);
		return NULL;
	}
	char *room = must(malloc(RULES_MAX_BYTES + 1));
	*n = fread(room, 1, RULES_MAX_BYTES + 1, f);
	bool sound = !ferror(f) && *n <= RULES_MAX_BYTES && !memchr(room, '\0', *n);
	char *text = sound ? arena_strndup(mem, room, *n) : NULL;
	free(room);
	fclose(f);
	if (!sound)
		err_usage(e, "%s is no rules file", path);
	return text;
}

/* ---- HOW PATTERN ---------------------------------------------------------------------------------------------------- */

/* "expected has, begins or is instead of": those the format allows. */
static bool complain_of_way(struct rules_reader *in, const char *word)
{
	char list[96] = "";
	int left = __builtin_popcount(in->format->ways);
	for (int way = 0; way < RULE_WAY_COUNT; way++) {
		if (!(in->format->ways >> way & 1))
			continue;
		strcat(list, way_words[way]);
		left--;
		strcat(list, left > 1 ? ", " : left == 1 ? " or " : "");
	}
	return err_usage(in->err, "%s, line %d: expected %s instead of '%s'", in->format->what, in->line, list, word);
}

/* Of a rule of our own. Names of C++ are letters and digits for hundreds of bytes: a repeat of them that takes all it can has to come
 * back a long way. */
static int flags_of_own(const char *text)
{
	bool possessive = false;
	for (const char *c = text; (c = strchr(c + 1, '+'));)
		possessive |= strchr("*+?}", c[-1]) != NULL;
	return PATTERN_LATER | (possessive || strstr(text, "(?") ? 0 : PATTERN_SHORT);
}

static bool compile(struct rules_reader *in, struct rule_match *m)
{
	char why[PATTERN_WHY];
	size_t at = 0;
	if (m->way != RULE_RE && m->way != RULE_REI)
		return true;
	m->pattern =
		pattern_new(arena_printf(in->mem, "%s, line %d", in->format->what, in->line), m->text, m->n,
			    (m->way == RULE_REI ? PATTERN_CASELESS : 0) | (in->built_in ? flags_of_own(m->text) : 0),
			    in->budget, why, &at);
	return m->pattern || err_usage(in->err, "%s, line %d: %s at character %zu of '%s'", in->format->what, in->line,
				       why, at + 1, m->text);
}

bool rule_match_read(struct rules_reader *in, char *rest, struct rule_match *out)
{
	const char *word = rules_next_word(&rest);
	int way = RULES_FIND_WORD(way_words, word);
	if (way < 0 || !(in->format->ways >> way & 1))
		return complain_of_way(in, word);
	if (!*rest)
		return rules_complain(in, "no pattern after", word);
	*out = (struct rule_match){.way = (enum rule_way)way, .text = rest, .n = strlen(rest)};
	return compile(in, out);
}

void rule_match_free(struct rule_match *m)
{
	pattern_free(m->pattern);
}

/* ---- asking --------------------------------------------------------------------------------------------------------- */

void rule_text_open(struct rule_text *t, const char *text)
{
	t->text = text;
	t->n = strlen(text);
	t->has_small = false;
	t->asked = NULL;
}

static char small_letter(char c)
{
	return (char)(c | ((unsigned)c - 'A' < 26 ? 0x20 : 0));
}

static const char *small_letters(struct rule_text *t)
{
	if (t->has_small)
		return t->small;
	size_t n = t->n < RULE_TEXT_SMALL_BYTES ? t->n : RULE_TEXT_SMALL_BYTES;
	for (size_t i = 0; i < n; i++)
		t->small[i] = small_letter(t->text[i]);
	t->small[n] = '\0';
	t->has_small = true;
	return t->small;
}

bool rule_matches(const struct rule_match *m, struct rule_text *t)
{
	switch (m->way) {
	case RULE_HAS:
		return memmem(t->text, t->n, m->text, m->n) != NULL;
	case RULE_BEGINS:
		return t->n >= m->n && !memcmp(t->text, m->text, m->n);
	case RULE_ENDS:
		return t->n >= m->n && !memcmp(t->text + t->n - m->n, m->text, m->n);
	case RULE_IS:
		return t->n == m->n && !memcmp(t->text, m->text, m->n);
	case RULE_FIND:
		return strstr(small_letters(t), m->text) != NULL;
	default:
		return pattern_matches(m->pattern, t->text, t->n < RULE_PATTERN_BYTES ? t->n : RULE_PATTERN_BYTES);
	}
}

/* ---- lists ---------------------------------------------------------------------------------------------------------- */

void rule_list_add(struct rule_list *l, struct arena *mem, const struct rule *rule)
{
	l->at = arena_next_row(mem, l->at, l->n, sizeof *l->at);
	l->at[l->n++] = *rule;
}

void rule_lists_index(struct rule_list *const *lists, uint32_t n_lists, struct arena *mem)
{
	uint32_t first[RULE_LISTS_MOST];
	struct rule_index *index =
		rule_index_new((const struct rule_list *const *)lists, n_lists, RULE_INDEX_TEXTS, first, mem);
	for (uint32_t i = 0; i < n_lists && index; i++) {
		lists[i]->index = index;
		lists[i]->first = first[i];
	}
}

void rule_lists_index_mangled(struct rule_list *const *lists, uint32_t n_lists, struct arena *mem)
{
	uint32_t first[RULE_LISTS_MOST];
	struct rule_index *index =
		rule_index_new((const struct rule_list *const *)lists, n_lists, RULE_INDEX_MANGLED, first, mem);
	for (uint32_t i = 0; i < n_lists; i++)
		lists[i]->mangled = lists[i]->index ? index : NULL;
}

static const struct rule *find_in_all(const struct rule_list *l, struct rule_text *t)
{
	for (uint32_t i = 0; i < l->n; i++)
		if (rule_matches(&l->at[i].match, t))
			return &l->at[i];
	return NULL;
}

/* The first rule from i on that may match; l->n: none. */
static uint32_t next_that_may(const struct rule_list *l, const uint64_t *may, uint32_t i)
{
	uint32_t bit = l->first + i, end = l->first + l->n;
	while (bit < end) {
		uint64_t cell = may[bit / 64] >> bit % 64;
		if (cell) {
			bit += (uint32_t)__builtin_ctzll(cell);
			break;
		}
		bit = (bit / 64 + 1) * 64;
	}
	return bit < end ? bit - l->first : l->n;
}

static bool is_ascii(const char *text, size_t n)
{
	uint64_t all = 0;
	size_t i = 0;
	for (; i + 8 <= n; i += 8)
		all |= load_word((const unsigned char *)text + i);
	for (; i < n; i++)
		all |= (unsigned char)text[i];
	return !(all & UINT64_C(0x8080808080808080));
}

static void ask_index(struct rule_index *index, struct rule_text *t)
{
	if (!t->asked)
		t->is_ascii = is_ascii(t->text, t->n);
	if (t->asked != index)
		rule_index_ask(index, t->text, t->n, t->may);
	t->asked = index;
}

bool rule_list_may(const struct rule_list *l, struct rule_text *t)
{
	if (l->index)
		ask_index(l->index, t);
	return !l->index || next_that_may(l, t->may, 0) < l->n;
}

/* Of a rule that may match: no other character passes for a letter, and all of the text is looked at. */
static bool is_sure(uint16_t sure_bytes, const struct rule_text *t)
{
	return sure_bytes && t->is_ascii && t->n <= sure_bytes;
}

const struct rule *rule_list_find(const struct rule_list *l, struct rule_text *t)
{
	if (!l->index || !l->n)
		return find_in_all(l, t);
	ask_index(l->index, t);
	const uint16_t *sure = rule_index_sure_bytes(l->index);
	for (uint32_t i = 0; (i = next_that_may(l, t->may, i)) < l->n; i++)
		if (is_sure(sure[l->first + i], t) || rule_matches(&l->at[i].match, t))
			return &l->at[i];
	return NULL;
}

/* The name begins with `begun`, whatever follows. */
static bool matches_begun(const struct rule_list *l, uint32_t i, struct rule_text *begun)
{
	uint32_t bit = l->first + i;
	if (l->at[i].match.way == RULE_BEGINS)
		return rule_matches(&l->at[i].match, begun);
	return is_sure(rule_index_sure_bytes(l->index)[bit], begun) && !rule_index_looks_behind(l->index, bit) &&
	       (begun->may[bit / 64] >> bit % 64 & 1);
}

bool rule_list_guess(const struct rule_list *l, struct rule_text *mangled, struct rule_text *begun, int none, int *says)
{
	if (!l->mangled)
		return false;
	ask_index(l->mangled, mangled);
	if (!mangled->is_ascii)
		return false;
	ask_index(l->index, begun);
	*says = none;
	for (uint32_t i = 0; (i = next_that_may(l, mangled->may, i)) < l->n; i++) {
		if (*says != none && *says != l->at[i].says)
			return false;
		*says = l->at[i].says;
		if (matches_begun(l, i, begun))
			return true;
	}
	return *says == none;
}

void rule_list_free(struct rule_list *l)
{
	for (uint32_t i = 0; i < l->n; i++)
		rule_match_free(&l->at[i].match);
}
