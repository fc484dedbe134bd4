#include "wrap.h"
#include "tui/text/utf8.h"

enum { MAX_ROWS = 10000, LINE_BYTES = 8192 };

/* End of the part of a text that fits into w columns. */
static const char *wrap_line(const char *text, int w)
{
	const char *next = text, *blank = NULL;
	for (int used = 0; *next;) {
		const char *here = next;
		uint32_t cp = utf8_next(&next);
		used += utf8_cols(cp);
		if (used > w && cp == ' ') /* a blank at the edge is no column of text */
			return next;
		if (used > w)
			return blank ? blank : here > text ? here : next;
		if (cp == ' ')
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
