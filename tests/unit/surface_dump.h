/* tests/unit/surface_dump.h - a surface as text. */
#ifndef SURFACE_DUMP_H
#define SURFACE_DUMP_H
#include "tui/screen/shot.h"

/* Rows as UTF-8 lines without trailing blanks. */
static inline void surface_dump(const struct surface *s, FILE *out)
{
	shot_write(out, s, NULL, SHOT_TEXT, NULL);
}
#endif
