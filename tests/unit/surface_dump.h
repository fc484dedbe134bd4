/* tests/unit/surface_dump.h - a surface as text. */
#ifndef SURFACE_DUMP_H
#define SURFACE_DUMP_H
#include "tui/screen/surface.h"
#include "tui/text/utf8.h"
#include <stdio.h>

/* Rows as UTF-8 lines without trailing blanks. */
static inline void surface_dump(const struct surface *s, FILE *out)
{
	for (int y = 0; y < s->rows; y++) {
		const struct surface_cell *row = s->cells + y * s->cols;
		int end = s->cols;
		while (end > 0 && row[end - 1].cp == ' ')
			end--;
		for (int x = 0; x < end; x++) {
			char utf8[5];
			if (row[x].cp && utf8_encode(row[x].cp, utf8))
				fputs(utf8, out);
		}
		fputc('\n', out);
	}
}
#endif
