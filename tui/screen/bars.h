/* tui/screen/bars.h - events of one display row as bars in one screen row. Cost depends on the columns only.
 * Shape:   a column that is busy all the time is full; where a single event begins or ends, the column is filled from its
 *          side in eighths; where several events share a column, the height says which part of its time is busy.
 *          An event is never invisible: the smallest piece is one eighth.
 * Kinds:   kernels and host events are solid, copies and memory sets have patterns: colour is never the only sign. */
#ifndef STEPSCOPE_BARS_H
#define STEPSCOPE_BARS_H
#include "surface.h"
#include "model/analysis/derived/derived.h"
#include "model/hits.h"
#include "model/viewport.h"

enum bars_half { BARS_WHOLE, BARS_UPPER, BARS_LOWER }; /* names stand in the upper one */
/* DENSITY: how busy each column is, no single events. FOLDED: shaded, one text instead of names. */
enum bars_look { BARS_EVENTS, BARS_DENSITY, BARS_FOLDED };
struct bars {
	const struct derived *d;
	const struct hits *hits; /* what passes the filter; NULL = all */
	row_id chosen;           /* drawn in its own ink, NONE_ID = none */
	bool patterns;           /* no colours: labels keep a seam between neighbours */
	bool hide;               /* what does not pass is left out, else drawn as a shade */
	enum bars_half half;     /* of a row that is two cells high */
	enum bars_look look;
	const char *says; /* BARS_FOLDED: stands for the names */
};
/* Draws the row at (y, x) .. x + v->cols. used[c] tells which columns hold something; may be NULL. */
void bars_draw(const struct bars *b, struct surface *s, int y, int x, const struct viewport *v, uint32_t track,
	       uint32_t disp, bool *used);
/* What stands in these cells, drawn for something that does not pass the filter: as a shade, or not at all. */
void bars_dim(struct surface *s, int y, int x, int w, bool hide);
/* A share of 0..1 as a bar of w columns, dots after it; NaN: dots only. */
void bars_share(struct surface *s, int y, int x, int w, double share);
/* Height 0..8 eighths of part/whole: anything above nothing is at least 1. */
uint32_t bars_level(int64_t part, int64_t whole); /* as a block character, ' ' for nothing */
#endif
