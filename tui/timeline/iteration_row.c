#include "iteration_row.h"
#include "iteration_look.h"
#include "model/analysis/serving/iterations.h"
#include "tui/text/utf8.h"

enum { TICK = 0x2502 };

/* The last one that begins at or before ts, -1 = none. */
static int64_t last_by(const struct iteration *at, uint32_t n, int64_t ts_ns)
{
	uint32_t low = 0, high = n;
	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		if (at[mid].start_ns <= ts_ns)
			low = mid + 1;
		else
			high = mid;
	}
	return (int64_t)low - 1;
}

/* The one that a column shows: the last that reaches into it, -1 = none. */
static int64_t of_col(const struct state *st, const struct iteration *at, uint32_t n, uint32_t col)
{
	const struct viewport *p = &st->view.port;
	int64_t i = last_by(at, n, viewport_col_start(p, col + 1) - 1);
	return i >= 0 && at[i].end_ns > viewport_col_start(p, col) ? i : -1;
}

/* "D decode 32" for 32 requests; where there is no room the letter. */
static void draw_one(const struct state *st, struct surface *s, int y, int x, int w, const struct iteration *i)
{
	const struct iteration_look *look = iteration_look(i->label.kind);
	int ink = st->view.event == i->marker ? INK_GAP_CHOSEN : look->ink;
	char label[64];
	int n = snprintf(label, sizeof label, "%c %s", look->letter, iteration_kind_name(i->label.kind));
	if (i->label.requests != UNKNOWN_I64)
		snprintf(label + n, sizeof label - (size_t)n, " %lld", (long long)i->label.requests);
	surface_fill(s, (struct rect){y, x, 1, w}, ' ', ink, 0);
	if (w > 1)
		surface_put(s, y, x, TICK, ink, 0);
	if (utf8_width(label) < w)
		surface_text(s, y, x + 1, w - 1, ink, 0, label);
	else
		surface_put(s, y, w > 1 ? x + 1 : x, (uint32_t)(unsigned char)look->letter, ink, 0);
}

bool iteration_row_draw(const struct state *st, struct surface *s, const struct timeline_layout *l)
{
	uint32_t n;
	const struct iteration *at = nav_iterations_shown(st) ? nav_iterations_row(st, &n) : NULL;
	if (!at)
		return false;
	surface_text_right(s, l->y_steps, 0, l->gutter - 1, INK_QUIET, 0, "iterations");
	for (int c = 0; c < l->cols;) {
		int64_t i = of_col(st, at, n, (uint32_t)c);
		int to = c + 1;
		while (to < l->cols && i >= 0 && of_col(st, at, n, (uint32_t)to) == i)
			to++;
		if (i >= 0)
			draw_one(st, s, l->y_steps, l->x + c, to - c, &at[i]);
		c = to;
	}
	return true;
}
