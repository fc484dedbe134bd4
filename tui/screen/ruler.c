#include "ruler.h"
#include "theme.h"
#include "model/store/base/units.h"
#include "tui/text/utf8.h"

enum { TICK = 0x2502, LABEL_COLS = 14 };

/* Distance of two ticks: 1, 2 or 5 times a power of ten ns, at least `least_cols` columns. */
static int64_t ruler_step(const struct viewport *v, uint32_t least_cols)
{
	static const int64_t factors[] = {1, 2, 5};
	for (int64_t ten = 1;; ten *= 10) {
		for (int i = 0; i < 3; i++) {
			__int128 cols = (__int128)ten * factors[i] * v->cols;
			if (cols >= (__int128)v->span_ns * least_cols || ten > INT64_MAX / 100)
				return ten * factors[i];
		}
	}
}

static int64_t first_tick(int64_t from, int64_t step)
{
	int64_t t = from / step * step;
	return t < from ? t + step : t;
}

void ruler_draw(struct surface *s, int y, int x, const struct viewport *v)
{
	char label[UNITS_BUF];
	int64_t step = ruler_step(v, LABEL_COLS), end = v->from_ns + v->span_ns;
	for (int64_t t = first_tick(v->from_ns, step); t < end; t += step) {
		int col = (int)viewport_col_of(v, t), room = (int)v->cols - col - 1;
		fmt_ns_fixed(label, t, step);
		surface_put(s, y, x + col, TICK, INK_QUIET, 0);
		if (utf8_width(label) <= room)
			surface_text(s, y, x + col + 1, room, INK_TEXT, 0, label);
	}
}
