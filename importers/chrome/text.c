#include "text.h"
#include "model/store/base/memory.h"
#include "model/store/base/grow.h"
#include <stdlib.h>

static int hex4(const char *p, const char *end)
{
	int v = 0;
	if (end - p < 4)
		return -1;
	for (int i = 0; i < 4; i++) {
		char c = p[i];
		int d = c >= '0' && c <= '9'                     ? c - '0'
			: (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10
								 : -1;
		if (d < 0)
			return -1;
		v = v * 16 + d;
	}
	return v;
}

static char *put_utf8(char *out, uint32_t c)
{
	if (c < 0x80) {
		*out++ = (char)c;
	} else if (c < 0x800) {
		*out++ = (char)(0xc0 | c >> 6);
		*out++ = (char)(0x80 | (c & 0x3f));
	} else if (c < 0x10000) {
		*out++ = (char)(0xe0 | c >> 12);
		*out++ = (char)(0x80 | (c >> 6 & 0x3f));
		*out++ = (char)(0x80 | (c & 0x3f));
	} else {
		*out++ = (char)(0xf0 | c >> 18);
		*out++ = (char)(0x80 | (c >> 12 & 0x3f));
		*out++ = (char)(0x80 | (c >> 6 & 0x3f));
		*out++ = (char)(0x80 | (c & 0x3f));
	}
	return out;
}

/* At "\u": writes the character, joins surrogate halves. Returns what follows, NULL when these are no hex digits. */
static const char *unicode(const char *p, const char *end, char **out, bool *bad)
{
	int c = hex4(p + 2, end);
	if (c < 0)
		return NULL;
	p += 6;
	uint32_t code = (uint32_t)c;
	if (code >= 0xd800 && code < 0xe000) {
		int low = end - p >= 6 && p[0] == '\\' && p[1] == 'u' ? hex4(p + 2, end) : -1;
		bool pair = code < 0xdc00 && low >= 0xdc00 && low < 0xe000;
		/* a half without the other becomes U+FFFD, and the text is reported */
		code = pair ? 0x10000 + ((code - 0xd800) << 10) + ((uint32_t)low - 0xdc00) : 0xfffd;
		*bad |= !pair;
		p += pair ? 6 : 0;
	}
	*out = put_utf8(*out, code);
	return p;
}

static char simple_escape(char c)
{
	switch (c) {
	case '"':
	case '\\':
	case '/':
		return c;
	case 'b':
		return '\b';
	case 'f':
		return '\f';
	case 'n':
		return '\n';
	case 'r':
		return '\r';
	case 't':
		return '\t';
	default:
		return 0;
	}
}

/* Decodes [p, end) into out, which is never longer. Returns its end. */
static char *decode(const char *p, const char *end, char *out, bool *bad)
{
	while (p < end) {
		if (*p != '\\' || p + 1 == end) {
			*out++ = *p++;
			continue;
		}
		char c = simple_escape(p[1]);
		const char *next = c ? p + 2 : NULL;
		if (c)
			*out++ = c;
		else if (p[1] == 'u')
			next = unicode(p, end, &out, bad);
		/* an escape that is none stays as it stands, and the text is reported */
		if (!next) {
			*bad = true;
			*out++ = *p;
			next = p + 1;
		}
		p = next;
	}
	return out;
}

static bool text_is_utf8(const char *text, size_t n)
{
	const unsigned char *p = (const unsigned char *)text, *end = p + n;
	while (p < end) {
		if (*p < 0x80) {
			p++;
			continue;
		}
		/* bytes that must follow; what is below C2 or above F4 begins no character */
		int more = *p >= 0xf0 && *p <= 0xf4 ? 3 : *p >= 0xe0 ? 2 : 1;
		if (*p < 0xc2 || *p > 0xf4 || end - p <= more)
			return false;
		if ((*p == 0xe0 && p[1] < 0xa0) || (*p == 0xed && p[1] > 0x9f) || (*p == 0xf0 && p[1] < 0x90) ||
		    (*p == 0xf4 && p[1] > 0x8f))
			return false;
		for (int i = 1; i <= more; i++)
			if ((p[i] & 0xc0) != 0x80)
				return false;
		p += more + 1;
	}
	return true;
}

struct span text_of(struct text_buffer *b, const struct value *v, struct text_faults *faults)
{
	struct span s = {v->p, v->n};
	bool bad = (v->flags & TEXT_CONTROL) != 0;
	if (v->flags & TEXT_ESCAPED) {
		GROW_ARRAY(b->p, v->n, b->cap);
		s.p = b->p;
		s.n = (size_t)(decode(v->p, v->p + v->n, b->p, &bad) - b->p);
	}
	faults->escapes += bad;
	faults->utf8 += (v->flags & TEXT_HIGH) && !text_is_utf8(s.p, s.n);
	return s;
}

/* Without the blanks and line breaks between its parts: the same value has one spelling, whatever the printer. */
struct span text_compact(struct text_buffer *b, const struct value *v)
{
	bool in_text = false;
	GROW_ARRAY(b->p, v->n, b->cap);
	char *out = b->p;
	for (const char *p = v->p, *end = p + v->n; p < end; p++) {
		bool blank = *p == ' ' || *p == '\n' || *p == '\t' || *p == '\r';
		if (blank && !in_text)
			continue;
		in_text ^= *p == '"';
		*out++ = *p;
		if (in_text && *p == '\\' && p + 1 < end)
			*out++ = *++p;
	}
	return (struct span){b->p, (size_t)(out - b->p)};
}

void text_free(struct text_buffer *b)
{
	free(b->p);
	*b = (struct text_buffer){0};
}
