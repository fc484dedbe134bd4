#include "viewport.h"

typedef __int128 wide; /* product of two int64 */

/* floor(part * ns / whole); part and whole are not negative. */
static int64_t share(int64_t ns, uint32_t part, uint32_t whole)
{
	return (int64_t)((wide)ns * part / whole);
}

static int64_t min_span(const struct viewport *v)
{
	return v->total_ns < v->cols ? v->total_ns : v->cols;
}

static int64_t clamp(int64_t x, int64_t low, int64_t high)
{
	return x < low ? low : x > high ? high : x;
}

/* Keeps a column of the trace in sight. */
static void settle(struct viewport *v)
{
	int64_t edge = v->span_ns / v->cols;
	edge = edge ? edge : 1;
	v->from_ns = v->span_ns == v->total_ns ? 0 : clamp(v->from_ns, edge - v->span_ns, v->total_ns - edge);
}

struct viewport viewport_whole(int64_t total_ns, uint32_t cols)
{
	int64_t total = total_ns > 0 ? total_ns : 1;
	return (struct viewport){.total_ns = total, .span_ns = total, .cols = cols ? cols : 1};
}

int64_t viewport_col_start(const struct viewport *v, uint32_t col)
{
	return v->from_ns + share(v->span_ns, col, v->cols);
}

/* The last column that starts at or before ts: floor(c * span / cols) <= d  <=>  c * span < (d + 1) * cols. */
uint32_t viewport_col_of(const struct viewport *v, int64_t ts_ns)
{
	wide d = (wide)ts_ns - v->from_ns;
	if (d < 0)
		return 0;
	wide col = ((d + 1) * v->cols - 1) / v->span_ns;
	return col < v->cols ? (uint32_t)col : v->cols - 1;
}

bool viewport_shows(const struct viewport *v, int64_t ts_ns)
{
	return ts_ns >= v->from_ns && (wide)ts_ns - v->from_ns < v->span_ns;
}

/* ---- zoom ------------------------------------------------------------------------------------------------------- */

/* Span of rung `level`, between the narrowest and the widest view. */
static int64_t rung(const struct viewport *v, int level)
{
	int64_t num = level < 0 ? v->den : v->num, den = level < 0 ? v->num : v->den;
	wide span = v->ladder_ns;
	for (int i = level < 0 ? -level : level; i > 0; i--) {
		span = (span * num + (num > den ? den - 1 : 0)) / den; /* rounding never undoes a step */
		if (span >= v->total_ns || span <= min_span(v))
			break; /* the ladder ends here */
	}
	return clamp(span > v->total_ns ? v->total_ns : (int64_t)span, min_span(v), v->total_ns);
}

/* The ladder is kept while spans come from it and the factor is its own or the inverse; anything else starts a new one. */
static int direction(struct viewport *v, int64_t num, int64_t den)
{
	bool on_it = v->den && rung(v, v->level) == v->span_ns;
	if (on_it && num == v->num && den == v->den)
		return 1;
	if (on_it && num == v->den && den == v->num)
		return -1;
	v->ladder_ns = v->span_ns;
	v->num = num;
	v->den = den;
	v->level = 0;
	return 1;
}

void viewport_zoom(struct viewport *v, uint32_t focus, int64_t num, int64_t den)
{
	if (num <= 0 || den <= 0 || num == den)
		return;
	focus = focus < v->cols ? focus : v->cols - 1;
	int64_t under_focus = viewport_col_start(v, focus);
	int step = direction(v, num, den);
	int64_t span = rung(v, v->level + step);
	if (span != v->span_ns)
		v->level += step;
	v->span_ns = span;
	v->from_ns = under_focus - share(span, focus, v->cols);
	settle(v);
}

/* ---- everything else -------------------------------------------------------------------------------------------- */

void viewport_pan(struct viewport *v, int64_t cols_moved)
{
	wide by = (wide)v->span_ns * cols_moved / v->cols;
	if (!by && cols_moved)
		by = cols_moved < 0 ? -1 : 1;
	wide to = v->from_ns + by;
	v->from_ns = to < -v->span_ns ? -v->span_ns : to > v->total_ns ? v->total_ns : (int64_t)to;
	settle(v);
}

void viewport_show(struct viewport *v, int64_t a_ns, int64_t b_ns, int margin_pct)
{
	wide length = (wide)b_ns - a_ns;
	length = length < 0 ? 0 : length;
	wide margin = length * (margin_pct > 0 ? margin_pct : 0) / 100;
	wide wanted = length + 2 * margin;
	int64_t span = wanted > v->total_ns ? v->total_ns : clamp((int64_t)wanted, min_span(v), v->total_ns);
	wide from = a_ns - margin - (span - wanted) / 2; /* a view that had to grow or shrink stays centred */
	v->span_ns = span;
	v->from_ns = from < -span ? -span : from > v->total_ns ? v->total_ns : (int64_t)from;
	settle(v);
}

void viewport_resize(struct viewport *v, uint32_t cols)
{
	v->cols = cols ? cols : 1;
	v->span_ns = clamp(v->span_ns, min_span(v), v->total_ns);
	settle(v);
}
