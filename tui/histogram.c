#include "histogram.h"
#include "surface.h"
#include "theme.h"
#include "../model/named.h"
#include "../model/store/units.h"
#include <math.h>
#include <string.h>

enum { LABEL_COLS = 11, COUNT_COLS = 8, PCT_COLS = 8 };

struct histogram_part histogram_find(const struct table *t, const char *measure)
{
	struct histogram_part out = {0, 0};
	for (uint32_t row = 0; row < t->n_rows; row++) {
		const char *text = named_text(t, row, "measure");
		if (!text || strcmp(text, measure) != 0)
			continue;
		out.first = out.n ? out.first : row;
		out.n++;
	}
	return out;
}

struct histogram_bar histogram_bar(const struct table *t, uint32_t first, uint32_t n)
{
	struct histogram_bar b = {.from_ns = named_int(t, first, "from_ns"),
				  .to_ns = named_int(t, first + n - 1, "to_ns")};
	for (uint32_t row = first; row < first + n; row++) {
		const struct cell *share = named_cell(t, row, "share_pct");
		b.count += named_int(t, row, "count");
		b.share_pct += share->null ? 0 : share->r;
	}
	return b;
}

const char *histogram_label(const struct histogram_bar *b, char *buf, size_t size)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
	size_t u = 0;
	while (u + 1 < sizeof units / sizeof *units && (double)b->to_ns >= units[u + 1].ns)
		u++;
	if (b->to_ns == INT64_MAX)
		snprintf(buf, size, ">= %g s", (double)b->from_ns / 1e9);
	else
		snprintf(buf, size, "%g-%g %s", (double)b->from_ns / units[u].ns, (double)b->to_ns / units[u].ns,
			 units[u].name);
	return buf;
}

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
