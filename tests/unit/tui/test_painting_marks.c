/* What is drawn beside and over the lanes, against what looking at every event gives: the minimap, what a cell under the cursor holds and its
 * three top names, arrows between what is tied together. Random traces, sizes and places (random_explorer.h). */
#include "tests/unit/random_explorer.h"
#include "model/store/base/units.h"
#include "tui/text/short_names.h"
#include "tui/text/utf8.h"
#include "tui/timeline/cell_names.h"
#include "tui/timeline/minimap.h"
#include "tui/timeline/upright.h"
#include <locale.h>

enum { TRACES = 16, PLACES = 20, NAME_MOST = 30 };
enum { LOW_1 = 0x2581, FULL = 0x2588, ACROSS = 0x2501, DOWN = 0x2503, HEAD_UP = 0x25B2, HEAD_DOWN = 0x25BC };

static struct timeline_layout at;
static uint32_t seen_names, seen_arrows, seen_hints, seen_idle, seen_brackets;

static uint32_t on_this_screen(uint32_t cp)
{
	return screen_now.ascii ? (uint32_t)(unsigned char)utf8_ascii(cp) : cp;
}

static const struct columns *columns(void)
{
	return trace_columns(screen_st->t);
}

/* ---- the minimap ----------------------------------------------------------------------------------------------------------- */

static bool on_a_stream(row_id r)
{
	return trace_track(screen_st->t, columns()->track[r])->kind == TRACK_STREAM;
}

static int by_start(const void *x, const void *y)
{
	int64_t a = columns()->start_ns[*(const row_id *)x], b = columns()->start_ns[*(const row_id *)y];
	return a < b ? -1 : a > b;
}

/* Time of [a, b) in which any stream works: by walking over all work in order. rows: of streams, by start. */
static int64_t works_in(const row_id *rows, uint32_t n, int64_t a, int64_t b)
{
	int64_t busy = 0, done = a;
	for (uint32_t i = 0; i < n; i++) {
		int64_t from = columns()->start_ns[rows[i]], to = event_end(rows[i]);
		from = from > done ? from : done;
		to = to < b ? to : b;
		busy += to > from ? to - from : 0;
		done = to > done ? to : done;
	}
	return busy;
}

static uint32_t level(int64_t busy, int64_t width)
{
	int64_t eighths = (int64_t)(((__int128)busy * 16 + width) / ((__int128)width * 2));
	eighths = busy >= width ? 8 : eighths < 1 ? 1 : eighths > 7 ? 7 : eighths;
	return busy ? LOW_1 + (uint32_t)eighths - 1 : ' ';
}

static void check_minimap(void)
{
	static row_id rows[100000];
	uint32_t n = 0;
	int64_t last = 0;
	struct viewport whole = viewport_whole(screen_st->view.port.total_ns, (uint32_t)at.cols);
	for (row_id r = 0; r < columns()->n; r++)
		if (on_a_stream(r)) {
			rows[n++] = r;
			last = columns()->dur_ns[r] && event_end(r) > last ? event_end(r) : last;
		}
	qsort(rows, n, sizeof *rows, by_start);
	uint32_t first_work = 0;
	while (!columns()->dur_ns[rows[first_work]])
		first_work++;
	int64_t first = columns()->start_ns[rows[first_work]];
	const struct viewport *p = &screen_st->view.port;
	int from = (int)viewport_col_of(&whole, p->from_ns),
	    to = (int)viewport_col_of(&whole, p->from_ns + p->span_ns - 1);
	for (int c = 0; c < at.cols; c++) {
		const struct surface_cell *cell = surface_at(&screen_now, at.y_map, at.x + c);
		int64_t a = viewport_col_start(&whole, (uint32_t)c), b = viewport_col_start(&whole, (uint32_t)c + 1);
		bool edge = p->span_ns < p->total_ns && (c == from || c == (to > from ? to : from + 1));
		if (edge) {
			assert_int_equal(cell->cp, c == from ? '[' : ']');
			seen_brackets++;
			continue;
		}
		if (cell->cp == MAP_FINDING || cell->cp == MAP_HIT)
			continue;
		int64_t busy = works_in(rows, n, a, b);
		bool idle = !busy && a >= first && b <= last;
		seen_idle += idle;
		assert_int_equal(cell->cp, on_this_screen(idle ? MAP_GAP : level(busy, b - a)));
	}
}

/* ---- names of a cell --------------------------------------------------------------------------------------------------------- */

struct sum {
	str_id name;
	uint32_t count;
	int64_t ns;
};

static int most_first(const void *x, const void *y)
{
	const struct sum *a = x, *b = y;
	return a->ns != b->ns ? (a->ns < b->ns ? 1 : -1) : a->name < b->name ? -1 : 1;
}

static void check_names(void)
{
	static struct sum sums[64];
	const struct lane *l = &screen_st->lanes.at[screen_st->view.lane];
	const struct viewport *p = &screen_st->view.port;
	char got[512], want[512], number[UNITS_BUF], name[NAMES_BUF];
	const char *said = cell_names(screen_st, got, sizeof got);
	uint32_t col = viewport_col_of(p, screen_st->view.cursor_ns), n = 0, events = 0;
	int64_t a = viewport_col_start(p, col), b = viewport_col_start(p, col + 1);
	for (row_id r = 0; r < columns()->n; r++) {
		uint32_t disp = columns()->disp[r], i = 0;
		if (columns()->track[r] != l->track || disp < l->disp || disp >= l->disp + l->count ||
		    time_in(r, a, b) < 0)
			continue;
		while (i < n && sums[i].name != columns()->name[r])
			i++;
		if (i == n)
			sums[n++] = (struct sum){columns()->name[r], 0, 0};
		sums[i].count++;
		sums[i].ns += time_in(r, a, b);
		events++;
	}
	bool tells = l->kind == LANE_ROW && viewport_shows(p, screen_st->view.cursor_ns) && events > 1;
	assert_int_equal(said != NULL, tells);
	if (!tells)
		return;
	seen_names++;
	if (events > CELL_LOOKED)
		return; /* not all of them are looked at */
	qsort(sums, n, sizeof *sums, most_first);
	int len = snprintf(want, sizeof want, "%s events", fmt_count(number, events));
	for (uint32_t i = 0; i < n && i < CELL_NAMES; i++)
		len += snprintf(want + len, sizeof want - (size_t)len, "%s %s %u x", i ? "," : ":",
				name_fit(trace_str(screen_st->t, sums[i].name), NAME_MOST, name), sums[i].count);
	if (n > CELL_NAMES)
		snprintf(want + len, sizeof want - (size_t)len, ", and %u more name%s", n - CELL_NAMES,
			 n - CELL_NAMES == 1 ? "" : "s");
	assert_string_equal(said, want);
}

/* ---- arrows ------------------------------------------------------------------------------------------------------------------- */

struct place {
	int y, x, off_y, off_x;
};

static bool place_of(row_id r, struct place *out)
{
	const struct viewport *p = &screen_st->view.port;
	uint32_t lane = lanes_cover(&screen_st->lanes, columns()->track[r], columns()->disp[r]);
	int64_t start = columns()->start_ns[r];
	if (lane == NONE_ID)
		return false;
	int64_t row = (int64_t)lane - screen_st->view.top;
	out->off_y = row < 0 ? -1 : row >= at.h_lanes ? 1 : 0;
	out->y = at.y_lanes + (int)(out->off_y ? 0 : row);
	out->off_x = start >= p->from_ns + p->span_ns ? 1 : start < p->from_ns && event_end(r) <= p->from_ns ? -1 : 0;
	out->x = at.x + (int)viewport_col_of(p, start);
	return true;
}

static row_id other_end_of(row_id r)
{
	const row_id *rows;
	if (columns()->link[r] != NONE_ID)
		return columns()->link[r];
	return trace_launched(screen_st->t, r, &rows) == 1 ? rows[0] : NONE_ID;
}

/* A piece of an arrow, or a name that it passes behind. */
static bool on_the_way(int y, int x)
{
	const struct surface_cell *c = surface_at(&screen_now, y, x);
	return c && (c->ink == INK_STRONG || upright_is_name(c));
}

static bool column_is_drawn(int x, int from, int to)
{
	for (int y = (from < to ? from : to) + 1; y < (from < to ? to : from); y++)
		if (!on_the_way(y, x))
			return false;
	return true;
}

static bool row_is_drawn(int y, int from, int to)
{
	for (int x = (from < to ? from : to) + 1; x < (from < to ? to : from); x++)
		if (!on_the_way(y, x))
			return false;
	return true;
}

/* Some row in which the way bends leads from one end to the other. */
static bool is_connected(struct place a, struct place b)
{
	int low = a.y < b.y ? a.y : b.y, high = a.y < b.y ? b.y : a.y;
	if (a.x == b.x)
		return column_is_drawn(a.x, a.y, b.y);
	for (int y = low; y <= high; y++) {
		bool across =
			y == a.y || y == b.y || row_is_drawn(y, a.x, b.x); /* in an end's row only where it is blank */
		if (across && column_is_drawn(a.x, a.y, y) && column_is_drawn(b.x, y, b.y))
			return true;
	}
	return false;
}

static bool has_head(struct place head, bool points_up)
{
	for (int y = head.y - 2; y <= head.y + 2; y++) {
		const struct surface_cell *c = surface_at(&screen_now, y, head.x);
		if (c && c->ink == INK_STRONG && c->cp == on_this_screen(points_up ? HEAD_UP : HEAD_DOWN))
			return true;
	}
	return false;
}

static bool has_hint(const char *key)
{
	for (int y = at.y_lanes; y < at.y_lanes + at.h_lanes; y++)
		if (strstr(screen_line(y), key))
			return true;
	return false;
}

static void check_arrow(void)
{
	row_id r = screen_st->view.event, other = r == NONE_ID ? NONE_ID : other_end_of(r);
	struct place here, there;
	if (other == NONE_ID || !place_of(r, &here) || !place_of(other, &there) || here.off_x || here.off_y)
		return;
	bool leads_in = kind_is_work(columns()->kind[r]);
	if (there.off_x || there.off_y) {
		assert_true(has_hint(leads_in ? "[ cudaLaunchKernel" : "] "));
		seen_hints++;
	} else if (here.y != there.y) {
		assert_true(is_connected(here, there));
		assert_true(leads_in ? has_head(here, here.y < there.y) : has_head(there, there.y < here.y));
		seen_arrows++;
	}
}

/* A random event that is tied to another one, in the view. */
static void select_a_tied_one(void)
{
	row_id r = (row_id)below((int64_t)columns()->n);
	for (uint64_t i = 0; i < columns()->n && other_end_of(r) == NONE_ID; i++)
		r = (row_id)((r + 1) % columns()->n);
	random_zooms(&screen_st->view.port);
	screen_st->view.range = false;
	nav_event(screen_st, r);
	nav_lanes(screen_st);
	screen_draw();
}

static void marks_are_what_looking_at_every_event_gives(void **state)
{
	(void)state;
	for (int t = 0; t < TRACES; t++) {
		random_open((uint64_t)t + 101);
		for (int i = 0; i < PLACES; i++) {
			random_place();
			at = timeline_layout(screen_st);
			check_minimap();
			check_names();
			select_a_tied_one();
			at = timeline_layout(screen_st);
			check_arrow();
			check_names();
		}
		screen_close();
	}
	assert_true(seen_names > 20 && seen_arrows > 20 && seen_hints > 20 && seen_idle > 20 && seen_brackets > 20);
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	const struct CMUnitTest tests[] = {cmocka_unit_test(marks_are_what_looking_at_every_event_gives)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
