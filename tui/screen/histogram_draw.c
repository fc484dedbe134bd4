/* tui/screen/histogram_draw.c - the table latency_histogram on the screen. */
#include "histogram_draw.h"
#include "theme.h"
#include "model/store/base/units.h"
#include <math.h>

enum { LABEL_COLS = 11, COUNT_COLS = 8, PCT_COLS = 8 };

static void draw_bar(struct surface *s, int y, int x, int w, double share)
{
	int64_t eighths = llround(share * w * 8);
	if (share > 0 && eighths == 0)
		eighths = 1;
	for (int i = 0; i < w; i++, eighths -= 8) {
		uint32_t cp = eighths >= 8 ? 0x2588 : eighths > 0 ? (uint32_t)(0x2590 - eighths) : ' ';
		surface_put(s, y, x + i, cp, eighths > 0 ? INK_BUSY : INK_QUIET, eighths > 0 ? PEN_SHAPE : 0);
	}
}

static void draw_bucket(const struct histogram_bar *b, double largest, struct surface *s, int y, int x, int w)
{
	char label[64], count[UNITS_BUF], pct[UNITS_BUF];
	int bar = w - LABEL_COLS - COUNT_COLS - PCT_COLS - 2;
	surface_text_right(s, y, x, LABEL_COLS, INK_TEXT, 0, histogram_label(b, label, sizeof label));
	surface_text_right(s, y, x + LABEL_COLS, COUNT_COLS, INK_TEXT, 0, fmt_count(count, b->count));
	surface_text_right(s, y, x + LABEL_COLS + COUNT_COLS, PCT_COLS, INK_QUIET, 0, fmt_pct(pct, b->share_pct));
	if (bar > 0)
		draw_bar(s, y, x + w - bar, bar, largest > 0 ? b->share_pct / largest : 0);
}

void histogram_draw(const struct table *t, struct histogram_part h, struct surface *s, struct rect r)
{
	if (!h.n || r.h < 1)
		return;
	uint32_t each = (h.n + (uint32_t)r.h - 1) / (uint32_t)r.h;
	double largest = 0;
	for (int pass = 0; pass < 2; pass++)
		for (uint32_t i = 0; i < h.n; i += each) {
			struct histogram_bar b = histogram_bar(t, h.first + i, i + each < h.n ? each : h.n - i);
			if (pass == 0)
				largest = b.share_pct > largest ? b.share_pct : largest;
			else
				draw_bucket(&b, largest, s, r.y + (int)(i / each), r.x, r.w);
		}
}
