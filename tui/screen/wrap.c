#include "wrap.h"
#include "tui/text/utf8.h"
#include "tui/text/words.h"
#include <ctype.h>
#include <string.h>

enum { MAX_ROWS = 10000, LINE_BYTES = 8192 };

static bool is_blank_or_end(const char *s)
{
	return *s == ' ' || !*s;
}

/* After `at[-1]` a path or a name may be broken. */
static bool is_joint(const char *at)
{
	return at[-1] == '_' ? isalnum((unsigned char)at[-2]) && isalnum((unsigned char)*at)
			     : strchr("/\\.:,;-(<", at[-1]) != NULL;
}

/* Where a word that fills the line and goes on after `end` is broken: after the last joint of its second half, else so that two
 * letters go on. */
static const char *word_break(const char *text, const char *end)
{
	for (const char *at = end; at > text + 1 + (end - text) / 2; at--)
		if (is_joint(at))
			return at;
	const char *next = end;
	utf8_next(&next);
	bool lone = is_blank_or_end(next) && end - text > 2 && !((unsigned char)end[-1] & 0x80);
	return lone ? end - 1 : end;
}

/* End of the part of a text that fits into w columns. */
static const char *wrap_line(const char *text, int w)
{
	const char *next = text, *blank = NULL;
	for (int used = 0; *next;) {
		const char *here = next;
		uint32_t cp = utf8_next(&next);
		used += utf8_cols(cp);
		bool parts = cp == ' ' && !words_stay(text, (size_t)(here - text));
		if (used > w && parts) /* a blank at the edge is no column of text */
			return next;
		if (used > w)
			return blank ? blank : here > text ? word_break(text, here) : next;
		if (parts)
			blank = next;
	}
	return next;
}

int wrap_text(struct surface *s, struct rect r, int ink, const char *text, int top, int bottom)
{
	int rows = 0, w = r.w > 1 ? r.w : 1;
	do {
		const char *end = wrap_line(text, w);
		int n = (int)(end - text);
		char part[LINE_BYTES];
		snprintf(part, sizeof part, "%.*s", n > 0 && end[-1] == ' ' ? n - 1 : n, text);
		if (s && r.y + rows >= top && r.y + rows < bottom)
			surface_text(s, r.y + rows, r.x, w, ink, 0, part);
		text = end;
		rows++;
	} while (*text && rows < MAX_ROWS);
	return rows;
}
