#include "bars.h"
#include "theme.h"
#include "model/store/base/spans.h"
#include "tui/text/short_names.h"
#include "tui/text/utf8.h"
#include "model/store/base/memory.h"
#include <math.h>
#include <stdlib.h>

enum { LOWER_EIGHTH = 0x2581, FULL = 0x2588, LEFT_SEVEN = 0x2589, RIGHT_HALF = 0x2590, RIGHT_EIGHTH = 0x2595 };
enum { SHADE_LIGHT = 0x2591, SHADE_MEDIUM = 0x2592, SHADE_DARK = 0x2593, SEAM = 0x258F, DOT = 0x00B7, MAX_COLS = 4096 };

/* How bars of a kind are filled, as EVENT_KINDS says it. */
enum { FILL_SOLID = FULL, FILL_MEDIUM = SHADE_MEDIUM, FILL_DARK = SHADE_DARK };

static const struct {
	int ink, inks; /* several inks: chosen by the name */
	uint32_t fill;
} looks[KIND_COUNT] = {
#define LOOK(id, word, work, ink, inks, fill, paint) {INK_##ink, inks, FILL_##fill},
	EVENT_KINDS(LOOK)
#undef LOOK
};

static int bars_ink(const struct derived *d, row_id r)
{
	const struct trace *t = derived_trace(d);
	const struct columns *c = trace_columns(t);
	uint8_t kind = c->kind[r] < KIND_COUNT ? c->kind[r] : KIND_OTHER;
	if (kind == KIND_KERNEL && derived_is_collective(d, r))
		return INK_COLLECTIVE;
	int inks = looks[kind].inks;
	return looks[kind].ink + (inks > 1 ? (int)span_pick(span_of(trace_str(t, c->name[r])), (uint32_t)inks) : 0);
}

/* In `n` pieces, rounded to nearest, but neither nothing for something nor everything for less. */
static int pieces(int64_t part, int64_t whole, int n)
{
	if (part <= 0 || whole <= 0)
		return 0;
	if (part >= whole)
		return n;
	int e = (int)(((__int128)part * 2 * n + whole) / ((__int128)whole * 2));
	return e < 1 ? 1 : e > n - 1 ? n - 1 : e;
}

static int eighths(int64_t part, int64_t whole)
{
	return pieces(part, whole, 8);
}

uint32_t bars_level(int64_t part, int64_t whole)
{
	int e = eighths(part, whole);
	return e ? (uint32_t)(LOWER_EIGHTH + e - 1) : ' ';
}

struct run {
	uint32_t from, to; /* columns [from, to) whose longest event is the same */
	row_id row;
	int ink;
	uint32_t fill;
	bool dim; /* does not pass the filter */
};

static uint32_t right_piece(int e)
{
	return e <= 2 ? RIGHT_EIGHTH : e <= 6 ? RIGHT_HALF : FULL;
}

/* How high a column is, in one cell or in its half of two. */
static uint32_t height(const struct bars *b, int64_t part, int64_t whole, uint32_t fill)
{
	int e = b->half == BARS_WHOLE ? eighths(part, whole) : pieces(part, whole, 16);
	if (b->half == BARS_UPPER)
		e -= 8;
	else if (b->half == BARS_LOWER && e > 8)
		e = 8;
	return e <= 0 ? ' ' : e >= 8 ? fill : (uint32_t)(LOWER_EIGHTH + e - 1);
}

/* What one column shows of its events. */
static uint32_t piece(const struct bars *b, const struct viewport *v, const struct bin *bin, uint32_t col,
		      uint32_t fill)
{
	const struct columns *c = trace_columns(derived_trace(b->d));
	int64_t from = viewport_col_start(v, col), to = viewport_col_start(v, col + 1);
	int e = eighths(bin->busy_ns, to - from);
	/* the seam between two events that follow each other is not worth a dent */
	if (e == 8 || (e == 7 && bin->count <= 2))
		return fill;
	int64_t start = c->start_ns[bin->longest], end = start + c->dur_ns[bin->longest];
	if (bin->count == 1 && start > from && end >= to)
		return right_piece(e ? e : 1);
	if (bin->count == 1 && start <= from && end < to)
		return (uint32_t)(LEFT_SEVEN + 7 - (e ? e : 1));
	return height(b, bin->busy_ns > 0 ? bin->busy_ns : 1, to - from, fill);
}

static bool is_full(const struct surface *s, int y, int x, uint32_t fill)
{
	const struct surface_cell *c = surface_at(s, y, x);
	return c && c->cp == fill;
}

/* Name inside the full columns of a run; a seam keeps neighbours apart. */
static void label_run(const struct bars *b, struct surface *s, int y, int x, const struct run *r, bool touches)
{
	const struct trace *t = derived_trace(b->d);
	uint32_t from = r->from, to = r->to;
	while (from < to && !is_full(s, y, x + (int)from, r->fill))
		from++;
	while (to > from && !is_full(s, y, x + (int)to - 1, r->fill))
		to--;
	if (to - from < 2)
		return;
	if (touches && from == r->from)
		surface_put(s, y, x + (int)from++, SEAM, r->ink, 0);
	int room = (int)(to - from);
	char buf[NAMES_BUF];
	const char *name = b->look == BARS_FOLDED ? b->says : trace_str(t, trace_columns(t)->name[r->row]);
	if (room >= 3 && b->half != BARS_LOWER)
		surface_text(s, y, x + (int)from, room, r->ink, 0, name_reduce(name, room, buf));
}

static bool passes(const struct bars *b, row_id row)
{
	return !b->hits || hits_has(b->hits, row);
}

/* A column shows what passes the filter where there is some of it, however short. */
static void prefer_hits(const struct bars *b, const struct viewport *v, uint32_t track, uint32_t disp, struct bin *bins,
			uint32_t cols)
{
	const struct columns *col = trace_columns(derived_trace(b->d));
	for (uint32_t c = 0; c < cols; c++) {
		if (bins[c].longest == NONE_ID || passes(b, bins[c].longest))
			continue;
		int64_t from = viewport_col_start(v, c), to = viewport_col_start(v, c + 1);
		row_id r = bins[c].count > 1 ? hits_within(b->hits, track, disp, from, to) : NONE_ID;
		if (r != NONE_ID || b->hide)
			bins[c].longest = r;
		if (r != NONE_ID && bins[c].busy_ns > col->dur_ns[r])
			bins[c].busy_ns = col->dur_ns[r];
	}
}

static struct run run_at(const struct bars *b, const struct bin *bins, uint32_t cols, uint32_t at, struct surface *s)
{
	const struct trace *t = derived_trace(b->d);
	struct run r = {at, at + 1, bins[at].longest, 0, FULL, false};
	while (r.to < cols && (b->look == BARS_FOLDED ? bins[r.to].longest != NONE_ID : bins[r.to].longest == r.row))
		r.to++;
	uint8_t kind = trace_columns(t)->kind[r.row];
	r.fill = looks[kind < KIND_COUNT ? kind : KIND_OTHER].fill;
	r.ink = bars_ink(b->d, r.row);
	r.dim = !passes(b, r.row);
	if (r.dim) {
		r.ink = INK_FILTERED;
		r.fill = SHADE_LIGHT;
	}
	if (b->look == BARS_DENSITY)
		r.ink = INK_BUSY;
	if (b->look == BARS_FOLDED)
		r.fill = SHADE_LIGHT;
	if (r.row == b->chosen)
		r.ink = INK_EVENT_CHOSEN;
	if (s->ascii)
		r.fill = (uint32_t)(unsigned char)utf8_ascii(r.fill);
	return r;
}

static uint32_t density(const struct bars *b, const struct viewport *v, const struct bin *bin, uint32_t col)
{
	return height(b, bin->busy_ns > 0 ? bin->busy_ns : 1,
		      viewport_col_start(v, col + 1) - viewport_col_start(v, col), FULL);
}

static void draw_run(const struct bars *b, struct surface *s, int y, int x, const struct viewport *v,
		     const struct bin *bins, const struct run *r)
{
	bool shade = r->dim && b->patterns;
	for (uint32_t c = r->from; c < r->to; c++) {
		uint32_t cp = shade                     ? r->fill
			      : b->look == BARS_DENSITY ? density(b, v, &bins[c], c)
							: piece(b, v, &bins[c], c, r->fill);
		if (cp != ' ')
			surface_put(s, y, x + (int)c, cp, r->ink, PEN_SHAPE);
	}
	if (b->look == BARS_DENSITY)
		return;
	bool touches = r->from > 0 && bins[r->from - 1].longest != NONE_ID;
	if (shade)
		return; /* without colours a name would look like any other */
	label_run(b, s, y, x, r, touches);
}

/* The chosen event may be too short to be the longest of its column. */
static void mark_chosen(const struct bars *b, struct surface *s, int y, int x, const struct viewport *v, uint32_t track,
			uint32_t disp)
{
	const struct columns *c = trace_columns(derived_trace(b->d));
	if (b->chosen == NONE_ID || c->track[b->chosen] != track || c->disp[b->chosen] != disp)
		return;
	if (!viewport_shows(v, c->start_ns[b->chosen]))
		return;
	int at = x + (int)viewport_col_of(v, c->start_ns[b->chosen]);
	const struct surface_cell *cell = surface_at(s, y, at);
	if (cell && cell->ink != INK_EVENT_CHOSEN)
		surface_put(s, y, at, cell->cp == ' ' ? SEAM : cell->cp, INK_EVENT_CHOSEN, PEN_SHAPE);
}

void bars_draw(const struct bars *b, struct surface *s, int y, int x, const struct viewport *v, uint32_t track,
	       uint32_t disp, bool *used)
{
	uint32_t cols = v->cols < MAX_COLS ? v->cols : MAX_COLS;
	struct bin *bins = must(malloc(cols * sizeof *bins));
	trace_bins(derived_trace(b->d), track, disp, v->from_ns, v->span_ns, cols, bins);
	if (b->hits)
		prefer_hits(b, v, track, disp, bins, cols);
	for (uint32_t c = 0; c < cols;) {
		if (bins[c].longest == NONE_ID) {
			c++;
			continue;
		}
		struct run r = run_at(b, bins, cols, c, s);
		draw_run(b, s, y, x, v, bins, &r);
		c = r.to;
	}
	for (uint32_t c = 0; used && c < cols; c++)
		used[c] = bins[c].longest != NONE_ID;
	free(bins);
	mark_chosen(b, s, y, x, v, track, disp);
}

void bars_dim(struct surface *s, int y, int x, int w, bool hide)
{
	for (int i = 0; i < w; i++)
		if (surface_at(s, y, x + i)->cp != ' ')
			surface_put(s, y, x + i, hide ? ' ' : SHADE_LIGHT, INK_FILTERED, PEN_SHAPE);
}

void bars_share(struct surface *s, int y, int x, int w, double share)
{
	int64_t eighths = isnan(share) ? 0 : llround(share * w * 8);
	if (share > 0 && eighths == 0)
		eighths = 1;
	for (int i = 0; i < w; i++, eighths -= 8) {
		uint32_t cp = eighths >= 8 ? FULL : eighths > 0 ? (uint32_t)(RIGHT_HALF - eighths) : DOT;
		surface_put(s, y, x + i, cp, eighths > 0 ? INK_BUSY : INK_QUIET, eighths > 0 ? PEN_SHAPE : 0);
	}
}
