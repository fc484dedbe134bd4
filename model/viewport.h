/* model/viewport.h - the time axis as arithmetic: integers, 128-bit products, no lost ns.
 * Column c covers [from + c*span/cols, from + (c+1)*span/cols). A view never leaves [0, total) by more than its own
 * span, never gets narrower than 1 ns per column... or wider than the trace. */
#ifndef STEPSCOPE_VIEWPORT_H
#define STEPSCOPE_VIEWPORT_H
#include <stdbool.h>
#include <stdint.h>

struct viewport {
	int64_t total_ns; /* trace span, > 0 */
	int64_t from_ns, span_ns;
	uint32_t cols;
};
struct viewport viewport_whole(int64_t total_ns, uint32_t cols);
int64_t viewport_col_start(const struct viewport *v, uint32_t col);
uint32_t viewport_col_of(const struct viewport *v, int64_t ts_ns); /* clamped to 0 .. cols-1 */
bool viewport_shows(const struct viewport *v, int64_t ts_ns);
/* Zoom by num/den (1/2 = in) keeping the instant at column `focus` in that column; n times in, n times out = start. */
void viewport_zoom(struct viewport *v, uint32_t focus, int64_t num, int64_t den);
void viewport_pan(struct viewport *v, int64_t cols_moved);
void viewport_show(struct viewport *v, int64_t a_ns, int64_t b_ns, int margin_pct); /* fit [a, b) with a margin */
void viewport_resize(struct viewport *v, uint32_t cols);
#endif
