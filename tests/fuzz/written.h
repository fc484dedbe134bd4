/* tests/fuzz/written.h - what a writer wrote, and whether it is what its format promises; abort when it is not. */
#ifndef WRITTEN_H
#define WRITTEN_H
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum written_kind {
	WRITTEN_TEXT, /* lines */
	WRITTEN_CSV,  /* cells keep tabs and line breaks of theirs */
	WRITTEN_HTML, /* HTML and SVG: no tag that the writer has none of */
	WRITTEN_JSON
};
struct written {
	FILE *f;
	char *text;
	size_t n;
};

static inline struct written *written_begin(void)
{
	struct written *w = calloc(1, sizeof *w);
	if (w)
		w->f = open_memstream(&w->text, &w->n);
	if (!w || !w->f)
		abort();
	return w;
}

static inline void written_end(struct written *w)
{
	fclose(w->f);
	free(w->text);
	free(w);
}

static inline void written_bad(const struct written *w, const char *at, const char *why)
{
	size_t from = at - w->text > 60 ? (size_t)(at - w->text) - 60 : 0;
	fprintf(stderr, "%s at %zu: ", why, (size_t)(at - w->text));
	fwrite(w->text + from, 1, w->n - from < 120 ? w->n - from : 120, stderr);
	fputc('\n', stderr);
	abort();
}

/* ---- JSON: one value, as RFC 8259 has it ------------------------------------------------------------------------------ */

struct json {
	const struct written *w;
	const char *p, *end;
	int depth;
};

static inline void json_value(struct json *j);

static inline char json_peek(struct json *j)
{
	while (j->p < j->end && strchr(" \t\r\n", *j->p))
		j->p++;
	return j->p < j->end ? *j->p : '\0';
}

static inline void json_expect(struct json *j, char c)
{
	if (json_peek(j) != c)
		written_bad(j->w, j->p, "no JSON");
	j->p++;
}

static inline void json_string(struct json *j)
{
	json_expect(j, '"');
	while (j->p < j->end && *j->p != '"') {
		if (*j->p == '\\' && (++j->p >= j->end || !strchr("\"\\/bfnrtu", *j->p)))
			written_bad(j->w, j->p, "no JSON escape");
		j->p++;
	}
	json_expect(j, '"');
}

static inline void json_digits(struct json *j)
{
	if (j->p >= j->end || *j->p < '0' || *j->p > '9')
		written_bad(j->w, j->p, "no JSON number");
	while (j->p < j->end && *j->p >= '0' && *j->p <= '9')
		j->p++;
}

static inline void json_number(struct json *j)
{
	j->p += *j->p == '-';
	json_digits(j);
	if (*j->p == '.') {
		j->p++;
		json_digits(j);
	}
	if (*j->p == 'e' || *j->p == 'E') {
		j->p++;
		j->p += *j->p == '+' || *j->p == '-';
		json_digits(j);
	}
}

static inline void json_list(struct json *j, char end, bool keys)
{
	j->p++;
	if (json_peek(j) != end)
		for (;;) {
			if (keys) {
				json_string(j);
				json_expect(j, ':');
			}
			json_value(j);
			if (json_peek(j) != ',')
				break;
			j->p++;
		}
	json_expect(j, end);
}

static inline void json_value(struct json *j)
{
	static const char *const words[] = {"null", "true", "false"};
	char c = json_peek(j);
	if (++j->depth > 100)
		written_bad(j->w, j->p, "JSON too deep");
	if (c == '{' || c == '[')
		json_list(j, c == '{' ? '}' : ']', c == '{');
	else if (c == '"')
		json_string(j);
	else if (c == '-' || (c >= '0' && c <= '9'))
		json_number(j);
	else {
		size_t i = 0;
		while (i < 3 && strncmp(j->p, words[i], strlen(words[i])) != 0)
			i++;
		if (i == 3)
			written_bad(j->w, j->p, "no JSON");
		j->p += strlen(words[i]);
	}
	j->depth--;
}

static inline void check_json(const struct written *w)
{
	struct json j = {w, w->text, w->text + w->n, 0};
	json_value(&j);
	if (json_peek(&j))
		written_bad(w, j.p, "something behind the JSON");
}

/* ---- characters ----------------------------------------------------------------------------------------------------- */

/* A sound sequence's length at p, and its code point; 0 = none. */
static inline size_t code_point(const unsigned char *p, size_t left, unsigned *c)
{
	static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t n = *p < 0x80                 ? 1
		   : *p >= 0xC2 && *p < 0xE0 ? 2
		   : (*p & 0xF0) == 0xE0     ? 3
		   : *p >= 0xF0 && *p < 0xF5 ? 4
					     : 0;
	if (!n || n > left)
		return 0;
	*c = n == 1 ? *p : *p & (0xFFu >> (n + 1));
	for (size_t i = 1; i < n; i++) {
		if ((p[i] & 0xC0) != 0x80)
			return 0;
		*c = *c << 6 | (p[i] & 0x3F);
	}
	return *c < least[n] || *c > 0x10FFFF || (*c >= 0xD800 && *c < 0xE000) ? 0 : n;
}

static inline bool is_control(unsigned c, enum written_kind kind)
{
	if (c == '\n' || (c == '\t' && kind != WRITTEN_JSON))
		return false;
	if (c == '\r' && kind == WRITTEN_CSV)
		return false;
	return c < ' ' || (c >= 0x7F && c < 0xA0);
}

static inline void written_check(struct written *w, enum written_kind kind)
{
	static const char *const tags[] = {"<script>alert", "<img", "onerror=alert(1)>", "\x1b"};
	fflush(w->f);
	const unsigned char *p = (const unsigned char *)w->text;
	size_t n;
	for (size_t at = 0; at < w->n; at += n) {
		unsigned c = 0;
		n = code_point(p + at, w->n - at, &c);
		if (!n)
			written_bad(w, w->text + at, "no UTF-8");
		if (is_control(c, kind))
			written_bad(w, w->text + at, "a control character");
	}
	for (size_t i = 0; kind == WRITTEN_HTML && i < sizeof tags / sizeof *tags; i++) {
		const char *at = strstr(w->text, tags[i]);
		if (at)
			written_bad(w, at, "a name's tag");
	}
	if (kind == WRITTEN_JSON)
		check_json(w);
}
#endif
