/* Every cell of the timeline's lanes against a painter that looks at every event for each of them: blank or not, how high, which half, whose
 * ink; density, folded and two-cell-high rows, device rows; what lies over them: cursor, begins of steps, the chosen range, gaps. Random
 * traces, sizes and places (random_explorer.h). */
#include "tests/unit/random_explorer.h"
#include "tui/screen/bars.h"
#include "tui/screen/theme.h"
#include "tui/text/utf8.h"
#include <locale.h>

enum { TRACES = 16, PLACES = 10 };
enum { LINE = 0x2502, DOTTED = 0x250A, FULL = 0x2588, DARK = 0x2593, LIGHT = 0x2591, DOT = 0x00B7, SEAM = 0x258F };
enum { LOW_1 = 0x2581, LEFT_1 = 0x258F, RIGHT_HALF = 0x2590, RIGHT_1 = 0x2595 };

static struct timeline_layout at;

static void wrong(int y, int x, const char *what, uint32_t want)
{
	const struct surface_cell *c = surface_at(&screen_now, y, x);
	fail_msg("row %d column %d: %s: want U+%04X, is U+%04X ink %d pen %d\n%s", y, x, what, want, c->cp, c->ink,
		 c->pen, screen_line(y));
}

static uint32_t on_this_screen(uint32_t cp)
{
	return screen_now.ascii ? (uint32_t)(unsigned char)utf8_ascii(cp) : cp;
}

/* ---- the painter --------------------------------------------------------------------------------------------------------- */

/* 0 .. n pieces: the nearest, but something is not nothing and not all is not all. */
static int nearest(int64_t part, int64_t whole, int n)
{
	int k = 0;
	if (part >= whole)
		return n;
	while (k < n && (__int128)part * 2 * n >= (__int128)whole * (2 * k + 1))
		k++;
	return part > 0 && k == 0 ? 1 : k == n ? n - 1 : k;
}

static uint32_t low(int eighths, uint32_t fill)
{
	return eighths <= 0 ? ' ' : eighths >= 8 ? fill : LOW_1 + (uint32_t)eighths - 1;
}

static uint32_t high_as(const struct lane *l, const struct in_cell *x, uint32_t fill)
{
	int64_t busy = x->busy_ns ? x->busy_ns : 1;
	if (l->kind == LANE_LOWER)
		return low(nearest(busy, x->b_ns - x->a_ns, 16), fill);
	if (l->tall)
		return low(nearest(busy, x->b_ns - x->a_ns, 16) - 8, fill);
	return low(nearest(busy, x->b_ns - x->a_ns, 8), fill);
}

static uint32_t piece_of(const struct lane *l, const struct in_cell *x, uint32_t fill)
{
	int e = nearest(x->busy_ns, x->b_ns - x->a_ns, 8), some = e ? e : 1;
	int64_t start = trace_columns(screen_st->t)->start_ns[x->only], end = event_end(x->only);
	if (e == 8 || (e == 7 && x->count <= 2))
		return fill;
	if (x->count == 1 && start > x->a_ns && end >= x->b_ns)
		return some <= 2 ? RIGHT_1 : some <= 6 ? RIGHT_HALF : FULL;
	if (x->count == 1 && start <= x->a_ns && end < x->b_ns)
		return LEFT_1 - (uint32_t)(some - 1);
	return high_as(l, x, fill);
}

static bool is_any_fill(uint32_t cp)
{
	return on_this_screen(cp) == on_this_screen(FULL) || on_this_screen(cp) == on_this_screen(DARK) ||
	       on_this_screen(cp) == on_this_screen(LIGHT);
}

/* Whether an event that covers most of the cell may look so: its kind's fill and ink. */
static bool looks_like_one(const struct lane *l, const struct in_cell *x, const struct surface_cell *c)
{
	const struct columns *col = trace_columns(screen_st->t);
	for (row_id r = 0; r < col->n; r++) {
		if (col->track[r] != l->track || col->disp[r] != l->disp || time_in(r, x->a_ns, x->b_ns) != x->most_ns)
			continue;
		bool ink = c->ink == INK_EVENT_CHOSEN ||
			   (col->kind[r] == KIND_COPY     ? c->ink == INK_COPY
			    : col->kind[r] == KIND_KERNEL ? c->ink >= INK_KERNEL_0 && c->ink <= INK_KERNEL_5
							  : c->ink != INK_COPY);
		uint32_t fill = l->look == ROW_WRAPPERS ? LIGHT : col->kind[r] == KIND_COPY ? DARK : FULL;
		uint32_t want = l->look == ROW_DENSE ? high_as(l, x, FULL) : piece_of(l, x, fill);
		bool solid = on_this_screen(want) == on_this_screen(fill);
		bool named = !(c->pen & PEN_SHAPE) && solid; /* a name, or the seam before it */
		if (ink && (named || (c->pen & PEN_SHAPE && c->cp == on_this_screen(want))))
			return true;
		if (is_any_fill(want) && c->cp == on_this_screen(LINE) && c->ink == INK_CURSOR)
			return true;
	}
	return false;
}

/* ---- what lies over blank cells -------------------------------------------------------------------------------------- */

static bool is_in_column(int64_t ts_ns, int x)
{
	const struct viewport *p = &screen_st->view.port;
	return viewport_shows(p, ts_ns) && at.x + (int)viewport_col_of(p, ts_ns) == x;
}

static bool a_step_begins(int x)
{
	for (uint32_t i = 0; i < screen_st->n_row_steps; i++)
		if (is_in_column(derived_step(screen_st->d, screen_st->row_steps[i])->start_ns, x))
			return true;
	return false;
}

static bool in_range(int x)
{
	const struct view *v = &screen_st->view;
	int64_t a = viewport_col_start(&v->port, (uint32_t)(x - at.x)),
		b = viewport_col_start(&v->port, (uint32_t)(x - at.x) + 1);
	return v->range && v->range_a_ns < b && v->range_b_ns > a;
}

static bool in_step_gap(int x)
{
	int64_t a = viewport_col_start(&screen_st->view.port, (uint32_t)(x - at.x)),
		b = viewport_col_start(&screen_st->view.port, (uint32_t)(x - at.x) + 1);
	const struct step_gaps gaps = derived_step_gaps(screen_st->d);
	for (uint32_t i = 0; i < gaps.n; i++)
		if (step_gap_of(&gaps, i).start_ns < b && step_gap_of(&gaps, i).end_ns > a)
			return true;
	return false;
}

/* gaps: the lane marks those of its device. */
static void check_blank(int y, int x, bool gaps)
{
	const struct surface_cell *c = surface_at(&screen_now, y, x);
	bool dot = c->cp == on_this_screen(DOT) && gaps && in_step_gap(x);
	bool edge = (c->cp == '[' || c->cp == ']') && c->ink == INK_RANGE_LANES;
	if (c->cp == on_this_screen(LINE) && c->ink == INK_CURSOR)
		assert_true(is_in_column(screen_st->view.cursor_ns, x));
	else if (c->cp == on_this_screen(DOTTED) && c->ink == INK_QUIET)
		assert_true(a_step_begins(x));
	else if (in_range(x) && !(c->ink == INK_RANGE_LANES && (c->cp == ' ' || dot || edge)))
		wrong(y, x, "the range's tint", ' ');
	else if (!in_range(x) && c->cp != ' ' && !dot)
		wrong(y, x, "nothing lies here", ' ');
	else if (!in_range(x) && c->ink == INK_RANGE_LANES)
		wrong(y, x, "this is outside of the range", ' ');
	else if (c->cp == ' ' && gaps && in_step_gap(x))
		wrong(y, x, "a gap", DOT);
}

/* ---- lanes ----------------------------------------------------------------------------------------------------------------- */

static bool is_arrow(int y, int x)
{
	return screen_st->view.event != NONE_ID && surface_at(&screen_now, y, x)->ink == INK_STRONG;
}

static uint32_t check_row(const struct lane *l, int y)
{
	const struct viewport *p = &screen_st->view.port;
	bool gaps = trace_track(screen_st->t, l->track)->kind == TRACK_STREAM && l->disp == 0;
	uint32_t checked = 0;
	for (uint32_t col = 0; col < p->cols; col++) {
		int x = at.x + (int)col;
		int64_t a = viewport_col_start(p, col), b = viewport_col_start(p, col + 1);
		struct in_cell cell = look_at(l->track, l->disp, a, b);
		const struct surface_cell *c = surface_at(&screen_now, y, x);
		bool chosen = c->ink == INK_EVENT_CHOSEN &&
			      is_in_column(trace_columns(screen_st->t)->start_ns[screen_st->view.event], x);
		if (is_arrow(y, x) || chosen)
			continue;
		checked++;
		uint32_t half = cell.count && l->tall && high_as(l, &cell, FULL) == ' ' ? ' ' : 0;
		if (!cell.count)
			check_blank(y, x, gaps);
		else if ((!half || c->cp != ' ') && !looks_like_one(l, &cell, c) && !(half && c->ink == INK_QUIET) &&
			 !(half && c->ink == INK_CURSOR) && !(half && c->ink == INK_RANGE_LANES))
			wrong(y, x, "what its events look like", piece_of(l, &cell, FULL));
	}
	return checked;
}

/* Time of [a, b) in which any event of the device's streams runs: each ns is counted once, however many run. */
static int64_t device_busy(uint32_t device, int64_t a, int64_t b)
{
	const struct columns *c = trace_columns(screen_st->t);
	int64_t busy = 0;
	for (int64_t from = a; from < b;) {
		int64_t to = -1, next = b;
		for (row_id r = 0; r < c->n; r++) {
			const struct track_info *info = trace_track(screen_st->t, c->track[r]);
			if (info->kind != TRACK_STREAM || info->device != device)
				continue;
			if (c->start_ns[r] <= from && event_end(r) > from)
				to = event_end(r) > to ? event_end(r) : to;
			else if (c->start_ns[r] > from && c->start_ns[r] < next)
				next = c->start_ns[r];
		}
		to = to < 0 ? from : to < b ? to : b;
		busy += to - from;
		from = to > from ? to : next;
	}
	return busy;
}

static void check_device(const struct lane *l, int y)
{
	const struct viewport *p = &screen_st->view.port;
	for (uint32_t col = 0; col < p->cols; col++) {
		int x = at.x + (int)col;
		int64_t a = viewport_col_start(p, col), b = viewport_col_start(p, col + 1);
		if (in_step_gap(x) || is_arrow(y, x))
			continue; /* its dots and its length stand there */
		const struct surface_cell *c = surface_at(&screen_now, y, x);
		uint32_t want = low(nearest(device_busy(l->owner, a, b), b - a, 8), FULL);
		if (want == ' ')
			check_blank(y, x, true);
		else if (c->cp != on_this_screen(want) && !(want == FULL && c->ink == INK_CURSOR))
			wrong(y, x, "how busy the device is", want);
	}
}

/* Each display row of a track is shown, summed up, or told to be folded away. */
static void check_counts(void)
{
	const struct lanes *l = &screen_st->lanes;
	for (uint32_t t = 0; t < trace_tracks(screen_st->t); t++) {
		uint32_t shown = 0, told = 0;
		bool any = false, wrappers = false;
		for (uint32_t i = 0; i < l->n; i++) {
			const struct lane *x = &l->at[i];
			if (x->kind != LANE_ROW || x->track != t)
				continue;
			any = true;
			wrappers |= x->look == ROW_WRAPPERS;
			shown += x->count;
			told += x->hidden + x->above;
		}
		if (any && !wrappers)
			assert_int_equal(shown + told, trace_track(screen_st->t, t)->n_rows);
	}
}

static uint32_t seen_looks[3], seen_tall, seen_devices;

static uint32_t check_lanes(void)
{
	uint32_t checked = 0;
	at = timeline_layout(screen_st);
	for (int i = 0; i < at.h_lanes && screen_st->view.top + (uint32_t)i < screen_st->lanes.n; i++) {
		const struct lane *l = &screen_st->lanes.at[screen_st->view.top + (uint32_t)i];
		if (l->kind == LANE_ROW || l->kind == LANE_LOWER) {
			checked += check_row(l, at.y_lanes + i);
			seen_looks[l->look]++;
			seen_tall += l->tall;
		} else if (l->kind == LANE_DEVICE) {
			check_device(l, at.y_lanes + i);
			seen_devices++;
		}
	}
	return checked;
}

static void lanes_are_what_a_painter_of_every_event_paints(void **state)
{
	(void)state;
	uint32_t checked = 0;
	for (int t = 0; t < TRACES; t++) {
		random_open((uint64_t)t + 1);
		for (int i = 0; i < PLACES; i++) {
			random_place();
			checked += check_lanes();
			check_counts();
		}
		screen_close();
	}
	print_message("# %u cells\n", checked);
	assert_true(checked > 50000);
	assert_true(seen_looks[ROW_PLAIN] && seen_looks[ROW_WRAPPERS] && seen_looks[ROW_DENSE] && seen_tall &&
		    seen_devices);
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	const struct CMUnitTest tests[] = {cmocka_unit_test(lanes_are_what_a_painter_of_every_event_paints)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
