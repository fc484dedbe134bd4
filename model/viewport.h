/* model/viewport.h - the time axis as arithmetic: integers, 128-bit products, no lost ns.
 * Column c covers [from + c*span/cols, from + (c+1)*span/cols). A view always shows at least one column of the
 * trace, is never narrower than 1 ns per column and never wider than the trace (and then begins at 0). */
#ifndef STEPSCOPE_VIEWPORT_H
#define STEPSCOPE_VIEWPORT_H
#include <stdbool.h>
#include <stdint.h>

struct viewport {
	int64_t total_ns; /* trace span, > 0 */
	int64_t from_ns, span_ns;
	uint32_t cols;
	/* Where the span stands on its ladder of zoom steps: rung `level` is `ladder_ns` times (num/den)^level, rounded
	 * at every rung. Climbing down the same rungs gives the same spans back. */
	int64_t ladder_ns, num, den;
	int level;
};
struct viewport viewport_whole(int64_t total_ns, uint32_t cols);
int64_t viewport_col_start(const struct viewport *v, uint32_t col);
uint32_t viewport_col_of(const struct viewport *v, int64_t ts_ns); /* clamped to 0 .. cols-1 */
bool viewport_shows(const struct viewport *v, int64_t ts_ns);
/* Zoom by num/den (1/2 = in) keeping the instant at column `focus` in that column; n times in, n times out = start
 * (as long as that instant lies inside the trace and n does not run into the narrowest or widest view). */
void viewport_zoom(struct viewport *v, uint32_t focus, int64_t num, int64_t den);
void viewport_pan(struct viewport *v, int64_t cols_moved);
void viewport_show(struct viewport *v, int64_t a_ns, int64_t b_ns, int margin_pct); /* fit [a, b) with a margin */
void viewport_resize(struct viewport *v, uint32_t cols);
#endif
