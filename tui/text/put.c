#include "put.h"
#include "utf8.h"
#include <stdbool.h>
#include <string.h>

static void put_char(FILE *f, uint32_t c)
{
	char out[5];
	fwrite(out, 1, utf8_encode(c, out), f);
}

/* utf8_next lets no control character through: a name in a trace cannot move the cursor or colour a terminal. */
void put_plain(FILE *f, const char *s)
{
	for (uint32_t c = 1; s && c;) {
		size_t plain = utf8_plain(s);
		fwrite(s, 1, plain, f);
		s += plain;
		if ((c = utf8_next(&s)))
			put_char(f, c);
	}
}

static const char *entity(uint32_t c)
{
	switch (c) {
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '&':
		return "&amp;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

/* Bytes that stand in HTML as they are. */
static size_t bare_of_html(const char *s)
{
	size_t n = 0;
	while ((unsigned char)(s[n] - 0x20) < 0x7F - 0x20 && !entity((unsigned char)s[n]))
		n++;
	return n;
}

void put_html(FILE *f, const char *s)
{
	for (uint32_t c = 1; s && c;) {
		size_t bare = bare_of_html(s);
		fwrite(s, 1, bare, f);
		s += bare;
		c = utf8_next(&s);
		if (!c)
			break;
		if (entity(c))
			fputs(entity(c), f);
		else
			put_char(f, c);
	}
}

/* ASCII only, whatever the locale: the same report comes out everywhere. */
static bool is_word(uint32_t c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* Inside a word an underscore is plain text; escaping it everywhere would make kernel names unreadable. */
static bool wants_backslash(uint32_t c, uint32_t before, char after)
{
	if (c == '_')
		return !(is_word(before) && is_word((unsigned char)after));
	return c < 0x80 && strchr("\\`*[]|~#!$", (int)c) != NULL;
}

void put_md(FILE *f, const char *s)
{
	uint32_t before = ' ';
	for (uint32_t c; s && (c = utf8_next(&s)); before = c) {
		if (c == '<' || c == '>' || c == '&') {
			fputs(entity(c), f);
			continue;
		}
		if (wants_backslash(c, before, *s))
			fputc('\\', f);
		put_char(f, c);
	}
}

void put_json(FILE *f, const char *s)
{
	fputc('"', f);
	for (uint32_t c; s && (c = utf8_next(&s));) {
		if (c == '"' || c == '\\')
			fputc('\\', f);
		put_char(f, c);
	}
	fputc('"', f);
}

void put_svg_open(FILE *f, int w, int h, const char *label)
{
	fprintf(f,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"ss\" viewBox=\"0 0 %d %d\" width=\"%d\" "
		"height=\"%d\" role=\"img\" aria-label=\"%s\">\n",
		w, h, w, h, label);
}
