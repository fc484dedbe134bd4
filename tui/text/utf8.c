#include "utf8.h"
#include <stdbool.h>
#include <wchar.h>

/* Bytes that follow a lead byte, its payload mask and the smallest code point that needs that length. */
static const struct {
	unsigned char mask, lead;
	int more;
	uint32_t payload, least;
} forms[] = {
	{0x80, 0x00, 0, 0x7F, 0},
	{0xE0, 0xC0, 1, 0x1F, 0x80},
	{0xF0, 0xE0, 2, 0x0F, 0x800},
	{0xF8, 0xF0, 3, 0x07, 0x10000},
};

static uint32_t decode(const char **p)
{
	const unsigned char *s = (const unsigned char *)*p;
	for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
		if ((s[0] & forms[f].mask) != forms[f].lead)
			continue;
		uint32_t cp = s[0] & forms[f].payload;
		int i = 1;
		for (; i <= forms[f].more; i++) {
			if ((s[i] & 0xC0) != 0x80)
				break;
			cp = cp << 6 | (s[i] & 0x3F);
		}
		/* cut short, longer than need be, beyond Unicode, or half of a UTF-16 pair */
		if (i <= forms[f].more || cp < forms[f].least || cp > 0x10FFFF || (cp >= 0xD800 && cp <= 0xDFFF))
			break;
		*p += i;
		return cp;
	}
	/* one byte further: what follows a broken byte may be sound */
	*p += 1;
	return UTF8_BAD;
}

uint32_t utf8_next_exact(const char **p)
{
	if (!**p)
		return 0;
	uint32_t cp = decode(p);
	if (cp == '\t' || cp == '\n')
		return ' ';
	return cp < 0x20 || (cp >= 0x7F && cp < 0xA0) ? UTF8_BAD : cp;
}

/* In ascending order. The last two code points of every plane are noncharacters, too. */
static const struct {
	uint32_t first, last;
} hidden[] = {
	{0x00AD, 0x00AD},   {0x034F, 0x034F},   {0x061C, 0x061C},   {0x115F, 0x1160}, {0x17B4, 0x17B5},
	{0x180B, 0x180F},   {0x200B, 0x200F},   {0x2028, 0x202E},   {0x2060, 0x206F}, {0x3164, 0x3164},
	{0xFDD0, 0xFDEF},   {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFFB},
	{0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
};

static bool is_hidden(uint32_t cp)
{
	for (size_t i = 0; i < sizeof hidden / sizeof *hidden && cp >= hidden[i].first; i++)
		if (cp <= hidden[i].last)
			return true;
	return (cp & 0xFFFE) == 0xFFFE;
}

uint32_t utf8_next(const char **p)
{
	uint32_t cp;
	do {
		cp = utf8_next_exact(p);
	} while (cp == 0xFE0E || cp == 0xFE0F); /* they only choose between two looks of the character before */
	return is_hidden(cp) ? UTF8_BAD : cp;
}

int utf8_cols(uint32_t cp)
{
	if (cp < 0x7F)
		return 1;
	int w = wcwidth((wchar_t)cp);
	return w < 0 ? 1 : w;
}

size_t utf8_plain(const char *s)
{
	const char *at = s;
	while ((unsigned char)(*at - 0x20) < 0x7F - 0x20)
		at++;
	return (size_t)(at - s);
}

int utf8_width(const char *s)
{
	int cols = 0;
	uint32_t cp;
	do {
		size_t plain = utf8_plain(s);
		cols += (int)plain;
		s += plain;
		cp = utf8_next(&s);
		cols += cp ? utf8_cols(cp) : 0;
	} while (cp);
	return cols;
}

bool utf8_fits(const char *s, int cols)
{
	for (uint32_t cp; cols >= 0 && (cp = utf8_next(&s));)
		cols -= utf8_cols(cp);
	return cols >= 0;
}

static const struct {
	uint32_t cp;
	char ascii;
} stand_ins[] = {
	{0x2026, '~'}, {0x2192, '>'},  {0x2190, '<'}, {0x2191, '^'}, {0x2193, 'v'}, {0x2194, '='}, {0x00B7, '.'},
	{0x00B5, 'u'}, {0x03BC, 'u'},  {0x00D7, 'x'}, {0x2013, '-'}, {0x2014, '-'}, {0x2500, '-'}, {0x2501, '='},
	{0x2502, '|'}, {0x2503, '|'},  {0x2514, '`'}, {0x250C, ','}, {0x251C, '|'}, {0x2524, '|'}, {0x252C, '-'},
	{0x2534, '-'}, {0x253C, '+'},  {0x250A, ':'}, {0x2588, '#'}, {0x2593, '='}, {0x2592, '%'}, {0x2591, ':'},
	{0x2581, '_'}, {0x2582, '_'},  {0x2583, '-'}, {0x2584, '-'}, {0x2585, '+'}, {0x2586, '+'}, {0x2587, '#'},
	{0x2589, '#'}, {0x258A, '#'},  {0x258B, '+'}, {0x258C, '+'}, {0x258D, '-'}, {0x258E, '|'}, {0x258F, '|'},
	{0x2590, '+'}, {0x2595, '|'},  {0x25BC, 'v'}, {0x25B2, '^'}, {0x25B6, '>'}, {0x25C0, '<'}, {0x2265, '>'},
	{0x2264, '<'}, {0x00B1, '~'},  {0x2212, '-'}, {0x2022, '*'}, {0x25CC, 'o'}, {0x250F, ','}, {0x2513, '.'},
	{0x2517, '`'}, {0x251B, '\''},
};

char utf8_ascii(uint32_t cp)
{
	if (cp < 0x7F)
		return (char)cp;
	for (size_t i = 0; i < sizeof stand_ins / sizeof *stand_ins; i++)
		if (stand_ins[i].cp == cp)
			return stand_ins[i].ascii;
	return '?';
}

size_t utf8_encode(uint32_t cp, char out[5])
{
	size_t n = 0;
	if (cp < 0x80) {
		out[n++] = (char)cp;
	} else if (cp < 0x800) {
		out[n++] = (char)(0xC0 | cp >> 6);
		out[n++] = (char)(0x80 | (cp & 0x3F));
	} else if (cp < 0x10000) {
		out[n++] = (char)(0xE0 | cp >> 12);
		out[n++] = (char)(0x80 | (cp >> 6 & 0x3F));
		out[n++] = (char)(0x80 | (cp & 0x3F));
	} else {
		out[n++] = (char)(0xF0 | cp >> 18);
		out[n++] = (char)(0x80 | (cp >> 12 & 0x3F));
		out[n++] = (char)(0x80 | (cp >> 6 & 0x3F));
		out[n++] = (char)(0x80 | (cp & 0x3F));
	}
	out[n] = 0;
	return n;
}

/* Copies characters until `cols` columns or the buffer are full; returns bytes. */
static size_t copy_cols(const char *s, int cols, char *buf, size_t size)
{
	size_t n = 0;
	char one[5];
	for (uint32_t cp; (cp = utf8_next(&s)) && (cols -= utf8_cols(cp)) >= 0;) {
		size_t k = utf8_encode(cp, one);
		if (n + k >= size)
			break;
		for (size_t i = 0; i < k; i++)
			buf[n++] = one[i];
	}
	buf[n] = 0;
	return n;
}

const char *utf8_shorten(const char *s, int cols, char *buf, size_t size)
{
	int width = utf8_width(s);
	if (width <= cols || cols < 5 || size < 16) {
		copy_cols(s, cols, buf, size);
		return buf;
	}
	/* kernel names differ at both ends: one third of the room goes to the end */
	int tail = (cols - 1) / 3, head = cols - 1 - tail;
	size_t n = copy_cols(s, head, buf, size - 4);
	n += utf8_encode(0x2026, buf + n);
	for (int skip = width - tail; skip > 0 && *s;)
		skip -= utf8_cols(utf8_next(&s));
	copy_cols(s, tail, buf + n, size - n);
	return buf;
}

const char *utf8_cut(const char *s, int cols, char *buf, size_t size)
{
	bool fits = utf8_width(s) <= cols || cols < 1 || size < 16;
	size_t n = copy_cols(s, fits ? cols : cols - 1, buf, fits ? size : size - 4);
	if (!fits)
		utf8_encode(0x2026, buf + n);
	return buf;
}
