/* The filter language: conditions joined by blanks, see filter.h. */
#include "filter_private.h"
#include "model/store/base/memory.h"
#include "model/store/base/nearest.h"
#include "model/store/base/units.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum compare { CMP_NONE, CMP_EQ, CMP_NE, CMP_LT, CMP_LE, CMP_GT, CMP_GE };
static const wide NUMBER_MAX = ((wide)1 << 64) - 1;
static const wide NUMBER_MIN = -((wide)1 << 63);

struct parser {
	struct filter *f;
	const char *p;
	struct err *e;
};
/* A value as it stands in the text: the bytes between the quotes or slashes, escapes still in it. */
struct value {
	const char *at;
	char *text;
	size_t n;
	bool regex, quoted, caseless;
};

static bool complain(struct parser *in, const char *at, const char *what)
{
	return err_usage(in->e, "filter: %s at character %td of '%s'", what, at - in->f->text + 1, in->f->text);
}

/* About a condition's value: the field is named. */
static bool complain_of(struct parser *in, const struct condition *c, const char *at, const char *what)
{
	uint32_t n;
	char text[400];
	snprintf(text, sizeof text, "%s: %s", filter_fields(&n)[c->field].name, what);
	return complain(in, at, text);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

/* Reads up to the closing delimiter. A backslash keeps the delimiter inside; quoted text drops the backslash before a
 * quote or a backslash, regular expressions keep theirs (PCRE2 reads "\/" as a slash). */
static bool read_delimited(struct parser *in, struct value *v, char end)
{
	const char *from = ++in->p;
	v->text = must(malloc(strlen(from) + 1));
	for (; *in->p && *in->p != end; in->p++) {
		if (*in->p == '\\' && in->p[1]) {
			bool drop = v->quoted && (in->p[1] == '"' || in->p[1] == '\\');
			if (!drop)
				v->text[v->n++] = *in->p;
			in->p++;
		}
		v->text[v->n++] = *in->p;
	}
	v->text[v->n] = '\0';
	if (*in->p != end)
		return complain(in, v->at, v->regex ? "the / is not closed" : "the quote is not closed");
	in->p++;
	return true;
}

static bool read_flags(struct parser *in, struct value *v)
{
	for (; *in->p && !is_blank(*in->p); in->p++) {
		if (!v->regex || *in->p != 'i')
			return complain(in, in->p,
					v->regex ? "only the flag i may follow a /regex/" : "expected a blank");
		v->caseless = true;
	}
	return true;
}

static bool read_value(struct parser *in, struct value *v)
{
	*v = (struct value){.at = in->p, .regex = *in->p == '/', .quoted = *in->p == '"'};
	if (v->regex || v->quoted)
		return read_delimited(in, v, *in->p) && read_flags(in, v);
	while (in->p[v->n] && !is_blank(in->p[v->n]))
		v->n++;
	v->text = strndup(in->p, v->n);
	if (!v->text)
		memory_exhausted();
	in->p += v->n;
	return v->n || complain(in, v->at, "a value is missing");
}

/* ---- texts and words -------------------------------------------------------------------------------------------- */

static bool set_text(struct parser *in, struct condition *c, const struct value *v)
{
	char why[PATTERN_WHY], what[PATTERN_WHY + 32];
	size_t at = 0;
	int flags =
		v->regex ? (v->caseless ? PATTERN_CASELESS : 0) : PATTERN_LITERAL | pattern_smart_case(v->text, v->n);
	c->pattern = pattern_new("filter", v->text, v->n, flags, &in->f->budget, why, &at);
	if (c->pattern)
		return true;
	snprintf(what, sizeof what, "wrong pattern (%s)", why);
	return complain_of(in, c, v->at + (v->regex ? 1 + at : 0), what);
}

/* A word that is not in a list: its place, what was probably meant, and the list, which may be cut. */
static bool complain_word(struct parser *in, const char *at, const char *what, const char *word,
			  const char *const *words, unsigned n)
{
	char list[320] = "";
	const char *near = nearest_word(word, words, n);
	size_t used = 0;
	for (unsigned i = 0; i < n && used < sizeof list; i++)
		used += (size_t)snprintf(list + used, sizeof list - used, " %s", words[i]);
	return err_usage(in->e, "filter: %s '%.24s' at character %td%s%s%s; known are%s", what, word,
			 at - in->f->text + 1, near ? ", did you mean " : "", near ? near : "", near ? "?" : "", list);
}

static bool complain_value(struct parser *in, const struct condition *c, const char *at, const char *word)
{
	enum { MOST = 64 };
	const char *words[MOST];
	char what[48];
	uint32_t n = 0, fields;
	for (const char *w; n < MOST && (w = filter_value((uint32_t)c->field, n)); n++)
		words[n] = w;
	snprintf(what, sizeof what, "%s: no word", filter_fields(&fields)[c->field].name);
	return complain_word(in, at, what, word, words, n);
}

static bool set_word(struct condition *c, const char *word)
{
	uint32_t kinds = 0, words = 0;
	if (filter_field_type(c->field) == FIELD_KIND)
		filter_kind(word, &kinds, &words);
	else if (!strcmp(word, "?"))
		word = "unknown";
	for (uint32_t i = 0; !kinds && !words && filter_field_type(c->field) == FIELD_SAID; i++) {
		const char *known = filter_value((uint32_t)c->field, i);
		if (!known)
			return false;
		words = strcasecmp(word, known) ? 0 : 1u << i;
	}
	c->kinds |= kinds;
	c->words |= words;
	return kinds || words;
}

static bool set_words(struct parser *in, struct condition *c, const struct value *v)
{
	char *rest = NULL, *word = strtok_r(v->text, ",", &rest);
	if (!word)
		return complain_value(in, c, v->at, "");
	for (; word; word = strtok_r(NULL, ",", &rest))
		if (!set_word(c, word))
			return complain_value(in, c, v->at, word);
	return true;
}

/* ---- numbers ---------------------------------------------------------------------------------------------------- */

bool filter_number(const char **p, wide *out)
{
	const char *s = *p;
	bool minus = *s == '-';
	wide n = 0;
	s += minus;
	if (!is_digit(*s))
		return false;
	for (; is_digit(*s); s++)
		if ((n = n * 10 + (*s - '0')) > NUMBER_MAX)
			return false;
	*out = minus ? -n : n;
	*p = s;
	return true;
}

static bool read_bytes(const char **p, wide *out)
{
	static const struct {
		const char *word;
		int64_t bytes;
	} sizes[] = {{"KiB", 1 << 10}, {"MiB", 1 << 20},   {"GiB", 1 << 30}, {"KB", 1000},
		     {"MB", 1000000},  {"GB", 1000000000}, {"B", 1}};
	TRY(filter_number(p, out));
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		if (!strncmp(*p, sizes[i].word, strlen(sizes[i].word))) {
			*out *= sizes[i].bytes;
			*p += strlen(sizes[i].word);
			break;
		}
	return true;
}

static int hex_digit(char c)
{
	return is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* "0x7f30c0000000", or as the tables write it. */
static bool read_addr(const char **p, wide *out)
{
	if (strncmp(*p, "0x", 2) != 0)
		return filter_number(p, out);
	const char *s = *p + 2;
	wide n = 0;
	for (; hex_digit(*s) >= 0; s++)
		if ((n = n * 16 + hex_digit(*s)) > NUMBER_MAX)
			return false;
	TRY(s > *p + 2);
	*out = n;
	*p = s;
	return true;
}

static bool read_time(const char **p, wide *out)
{
	int64_t ns;
	TRY(parse_ns_with_unit(*p, p, &ns));
	*out = ns;
	return true;
}

static bool read_amount(enum field_type type, const char **p, wide *out)
{
	switch (type) {
	case FIELD_TIME:
		return read_time(p, out);
	case FIELD_BYTES:
		return read_bytes(p, out);
	case FIELD_ADDR:
		return read_addr(p, out);
	default:
		return filter_number(p, out);
	}
}

/* "5", "5..9", "5..", "..9" */
static bool read_range(enum field_type type, const char *s, struct condition *c)
{
	c->low = NUMBER_MIN;
	c->high = NUMBER_MAX;
	bool low = strncmp(s, "..", 2) != 0;
	if (low)
		TRY(read_amount(type, &s, &c->low));
	if (low && !*s)
		c->high = c->low;
	if (!*s)
		return true;
	TRY(!strncmp(s, "..", 2));
	s += 2;
	return !*s || (read_amount(type, &s, &c->high) && !*s);
}

static bool is_range(const struct condition *c)
{
	return c->low != c->high;
}

static void set_bounds(struct condition *c, enum compare cmp)
{
	wide n = c->low;
	if (cmp == CMP_LT || cmp == CMP_LE) {
		c->low = NUMBER_MIN;
		c->high = cmp == CMP_LT ? n - 1 : n;
	} else if (cmp == CMP_GT || cmp == CMP_GE) {
		c->low = cmp == CMP_GT ? n + 1 : n;
		c->high = NUMBER_MAX;
	}
}

static bool set_number(struct parser *in, struct condition *c, enum compare cmp, const struct value *v)
{
	enum field_type type = filter_field_type(c->field);
	bool ordered = cmp >= CMP_LT;
	if (!v->quoted && !v->regex && read_range(type, v->text, c) && !(ordered && is_range(c))) {
		set_bounds(c, cmp);
		return true;
	}
	if (type == FIELD_STEP && !ordered && !v->regex) {
		c->label = strdup(v->text); /* "train:5" */
		return true;
	}
	return complain_of(in, c, v->at,
			   type == FIELD_TIME    ? "expected a time with its unit, like 1.5ms,"
			   : type == FIELD_BYTES ? "expected a size like 4MiB"
			   : type == FIELD_ADDR  ? "expected an address like 0x7f30c0000000 or 4096"
						 : "expected a whole number");
}

/* ---- conditions ------------------------------------------------------------------------------------------------- */

static bool set_value(struct parser *in, struct condition *c, enum compare cmp, const struct value *v)
{
	enum field_type type = filter_field_type(c->field);
	bool words = type == FIELD_KIND || type == FIELD_SAID;
	if ((words || type == FIELD_TEXT) && cmp >= CMP_LT)
		return complain_of(in, c, v->at, "texts know = and != only");
	if (type == FIELD_TEXT)
		return set_text(in, c, v);
	return words ? set_words(in, c, v) : set_number(in, c, cmp, v);
}

static enum compare read_compare(const char **p)
{
	static const struct {
		const char *text;
		enum compare cmp;
	} signs[] = {{"!=", CMP_NE}, {"<=", CMP_LE}, {">=", CMP_GE}, {"=", CMP_EQ}, {"<", CMP_LT}, {">", CMP_GT}};
	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
		if (!strncmp(*p, signs[i].text, strlen(signs[i].text))) {
			*p += strlen(signs[i].text);
			return signs[i].cmp;
		}
	return CMP_NONE;
}

static bool complain_field(struct parser *in, const char *at, const char *word)
{
	uint32_t count;
	const struct filter_field *fields = filter_fields(&count);
	const char *names[FIELD_COUNT];
	for (uint32_t i = 0; i < count; i++)
		names[i] = fields[i].name;
	return complain_word(in, at, "no field", word, names, count);
}

static bool find_field(struct parser *in, const char *at, size_t n, enum field *out)
{
	uint32_t count;
	const struct filter_field *fields = filter_fields(&count);
	char word[32];
	snprintf(word, sizeof word, "%.*s", (int)(n < 31 ? n : 31), at);
	for (uint32_t i = 0; i < count; i++)
		if (!strcmp(fields[i].name, word)) {
			*out = (enum field)i;
			return true;
		}
	return complain_field(in, at, word);
}

/* `word<` and the like name a field; a word without a sign after it is part of an event's name. */
static bool read_field(struct parser *in, struct condition *c, enum compare *cmp)
{
	const char *word = in->p;
	size_t n = strspn(word, "abcdefghijklmnopqrstuvwxyz_");
	const char *behind = word + n;
	*cmp = n ? read_compare(&behind) : CMP_NONE;
	c->field = FIELD_IS_NAME;
	if (*cmp == CMP_NONE)
		return true;
	in->p = behind;
	return find_field(in, word, n, &c->field);
}

bool filter_names_field(const char *text)
{
	uint32_t n;
	const struct filter_field *fields = filter_fields(&n);
	for (bool begins = true; *text; begins = is_blank(*text++)) {
		const char *word = text + strspn(text, "!"), *behind = word;
		for (uint32_t i = 0; begins && i < n; i++) {
			size_t len = strlen(fields[i].name);
			behind = word + len;
			if (!strncmp(word, fields[i].name, len) && read_compare(&behind) != CMP_NONE)
				return true;
		}
	}
	return false;
}

static struct condition *new_condition(struct filter *f)
{
	f->conditions = must(realloc(f->conditions, (f->n + 1) * sizeof *f->conditions));
	f->conditions[f->n] = (struct condition){0};
	return &f->conditions[f->n++];
}

static bool read_condition(struct parser *in)
{
	struct condition *c = new_condition(in->f);
	enum compare cmp;
	for (; *in->p == '!'; in->p++)
		c->negated = !c->negated;
	TRY(read_field(in, c, &cmp));
	struct value v;
	bool fine = read_value(in, &v);
	/* a thread's number is no part of another one's */
	if (fine && c->field == FIELD_IS_THREAD && !v.regex && !v.quoted && (is_digit(*v.text) || cmp >= CMP_LT))
		c->field = FIELD_IS_TID;
	fine = fine && set_value(in, c, cmp, &v);
	free(v.text);
	c->negated ^= cmp == CMP_NE;
	return fine;
}

bool filter_parse(struct filter *f, struct err *e)
{
	struct parser in = {.f = f, .p = f->text, .e = e};
	for (;;) {
		while (is_blank(*in.p))
			in.p++;
		if (!*in.p)
			return true;
		TRY(read_condition(&in));
	}
}
