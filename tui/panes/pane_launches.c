/* tui/panes/pane_launches.c - how long work waits for its launch: the share of the step time, the distributions of latency, call
 * and kernel, and the ops that the device idled for. */
#include "pane_list.h"
#include "pane_registry.h"
#include "model/analysis/launches/launch_groups.h"
#include "model/store/base/units.h"
#include "tui/screen/histogram_draw.h"
#include "tui/text/short_names.h"
#include "model/analysis/launches/launch_totals_columns.h"
#include "model/analysis/launches/launches_columns.h"
#include "model/analysis/launches/queue_columns.h"
#include <math.h>
#include <string.h>

enum { HEAD_ROWS = 5, NS_COLS = 10, COUNT_COLS = 8, QUEUE_COLS = 6, WIDE = 120 };
enum { MODERATE_PCT = 3, HIGH_PCT = 15 };

static const struct {
	const char *measure, *title;
	uint8_t p50, p99; /* columns of launch_totals; 0: none */
} measures[] = {{"latency", "latency", COL_LAUNCH_TOTALS_LATENCY50, COL_LAUNCH_TOTALS_LATENCY99},
		{"work", "kernels, copies, sets", COL_LAUNCH_TOTALS_WORK50, 0},
		{"call", "launch calls", COL_LAUNCH_TOTALS_CALL50, COL_LAUNCH_TOTALS_CALL99}};
enum { MEASURES = sizeof measures / sizeof *measures };

static bool ready(const struct state *st)
{
	return pane_table_named(st, "launch_totals") && pane_table_named(st, "latency_histogram");
}

/* The list below the distributions, grouped as chosen. */
static struct table *list_table(const struct state *st)
{
	unsigned by = st->view.place.by;
	return by ? tables_grouped(st->tables, analysis_index("launches"), launch_by_word(by), false)
		  : pane_table_named(st, "launches");
}

/* The device that waits most. */
static uint32_t worst_device(const struct table *totals)
{
	uint32_t worst = 0;
	for (uint32_t row = 1; row < totals->n_rows; row++)
		if (column_int(totals, row, COL_LAUNCH_TOTALS_BOUND) >
		    column_int(totals, worst, COL_LAUNCH_TOTALS_BOUND))
			worst = row;
	return worst;
}

/* ---- the verdict ------------------------------------------------------------------------------------------------------ */

static void draw_share(const struct table *t, uint32_t row, struct surface *s, int y, int w)
{
	const struct cell *c = column_cell(t, row, COL_LAUNCH_TOTALS_BOUNDPCT);
	char pct[96], device_buf[96], ns_buf[96];
	const char *device = column_words(t, row, COL_LAUNCH_TOTALS_DEVICE, device_buf, sizeof device_buf);
	const char *ns = column_words(t, row, COL_LAUNCH_TOTALS_BOUND, ns_buf, sizeof ns_buf);
	if (c->null) {
		surface_printf(s, y, 1, w - 2, INK_TEXT, 0,
			       "%s idles %s (%s of the time) for launches; there are no steps", device, ns,
			       column_words(t, row, COL_LAUNCH_TOTALS_BOUNDSPAN, pct, sizeof pct));
		return;
	}
	int ink = c->r >= HIGH_PCT ? INK_BAD : c->r >= MODERATE_PCT ? INK_WARN : INK_GOOD;
	const char *rated = c->r >= HIGH_PCT ? "high" : c->r >= MODERATE_PCT ? "moderate" : "low";
	int x = 1 + surface_printf(s, y, 1, w - 2, ink, PEN_BOLD, "%s of the step time %s idles for launches: %s",
				   column_words(t, row, COL_LAUNCH_TOTALS_BOUNDPCT, pct, sizeof pct), device, rated);
	surface_printf(s, y, x + 2, w - x - 3, INK_QUIET, 0, "%s in all", ns);
}

static const struct {
	const char *label;
	uint8_t column; /* of launch_totals */
	bool wide;
} numbers[2][4] = {{{"calls", COL_LAUNCH_TOTALS_CALLS, false},
		    {"longer than their work", COL_LAUNCH_TOTALS_SHORTPCT, false},
		    {"work of graphs", COL_LAUNCH_TOTALS_GRAPHPCT, false},
		    {"not recorded", COL_LAUNCH_TOTALS_UNKNOWN, true}},
		   {{"idle before calls", COL_LAUNCH_TOTALS_UNLAUNCHED, false},
		    {"most in a queue", COL_LAUNCH_TOTALS_QUEUE, false},
		    {"blocked", COL_LAUNCH_TOTALS_BLOCKED, false},
		    {"starts before its call", COL_LAUNCH_TOTALS_EARLY, true}}};

static void draw_numbers(const struct table *t, uint32_t row, struct surface *s, int y, int w)
{
	char buf[96];
	for (int line = 0; line < 2; line++)
		for (int i = 0, x = 1; i < 4; i++) {
			if (numbers[line][i].wide && w < WIDE)
				continue;
			x += surface_text(s, y + line, x, w - x - 1, INK_QUIET, 0, numbers[line][i].label) + 1;
			x += surface_text(s, y + line, x, w - x - 1, INK_TEXT, 0,
					  column_words(t, row, numbers[line][i].column, buf, sizeof buf)) +
			     3;
		}
}

/* ---- the queue over time ------------------------------------------------------------------------------------------------ */

/* Row of the stream whose queue was the longest; its buckets follow. */
static uint32_t deepest_stream(const struct table *t)
{
	uint32_t at = NONE_ID;
	for (uint32_t row = 0; row < t->n_rows; row++)
		if (column_cell(t, row, COL_QUEUE_BUCKET)->null &&
		    (at == NONE_ID || column_int(t, row, COL_QUEUE_MAX) > column_int(t, at, COL_QUEUE_MAX)))
			at = row;
	return at;
}

static void draw_queue(const struct state *st, struct surface *s, int y, int w)
{
	const struct table *t = pane_table_named(st, "queue");
	uint32_t row = t ? deepest_stream(t) : NONE_ID;
	char stream[96], most[96];
	if (row == NONE_ID)
		return;
	int64_t deepest = column_int(t, row, COL_QUEUE_MAX);
	int x = 2 + surface_printf(s, y, 1, w - 2, INK_QUIET, 0, "queue of stream %s over time",
				   column_words(t, row, COL_QUEUE_STREAM, stream, sizeof stream));
	for (uint32_t i = row + 1; i < t->n_rows && !column_cell(t, i, COL_QUEUE_BUCKET)->null && x < w - 14;
	     i++, x++) {
		int64_t level = deepest > 0 ? (column_int(t, i, COL_QUEUE_MAX) * 8 + deepest - 1) / deepest : 0;
		surface_put(s, y, x, level > 0 ? 0x2580u + (uint32_t)level : 0x00B7, level > 0 ? INK_BUSY : INK_QUIET,
			    level > 0 ? PEN_SHAPE : 0);
	}
	surface_printf(s, y, x + 1, w - x - 2, INK_QUIET, 0, "at most %s",
		       column_words(t, row, COL_QUEUE_MAX, most, sizeof most));
}

/* ---- the distributions ------------------------------------------------------------------------------------------------ */

static int shown_measures(int w)
{
	return w < WIDE ? 2 : 3;
}

static int bars_rows(const struct state *st, struct rect body)
{
	const struct table *t = pane_table_named(st, "latency_histogram");
	uint32_t most = 0;
	for (int i = 0; t && i < shown_measures(body.w); i++) {
		struct histogram_part h = histogram_find(t, measures[i].measure);
		most = h.n > most ? h.n : most;
	}
	uint32_t room = (uint32_t)body.h * 2 / 5, each = room ? (most + room - 1) / room : 1;
	return each ? (int)((most + each - 1) / each) : 0;
}

static void draw_measure(const struct state *st, struct surface *s, struct rect r, int i)
{
	const struct table *totals = pane_table_named(st, "launch_totals"),
			   *t = pane_table_named(st, "latency_histogram");
	uint32_t row = worst_device(totals);
	char p50[96], p99[96];
	int x = r.x + surface_text(s, r.y, r.x, r.w, INK_HEAD, 0, measures[i].title) + 2;
	x += surface_printf(s, r.y, x, r.x + r.w - x, INK_QUIET, 0, "p50 %s",
			    column_words(totals, row, measures[i].p50, p50, sizeof p50));
	if (measures[i].p99)
		surface_printf(s, r.y, x, r.x + r.w - x, INK_QUIET, 0, " p99 %s",
			       column_words(totals, row, measures[i].p99, p99, sizeof p99));
	histogram_draw(t, histogram_find(t, measures[i].measure), s, (struct rect){r.y + 1, r.x, r.h - 1, r.w});
}

/* ---- the ops ---------------------------------------------------------------------------------------------------------- */

static int list_y(const struct state *st, struct rect body)
{
	return body.y + HEAD_ROWS + 1 + (ready(st) ? bars_rows(st, body) : 0) + 2;
}

static uint32_t items(const struct state *st)
{
	const struct table *t = list_table(st);
	return t ? t->n_rows : 0;
}

static const struct {
	const char *title;
	uint8_t column; /* of launches */
	int cols;
} list_columns[] = {{"count", COL_LAUNCHES_COUNT, COUNT_COLS},
		    {"p50", COL_LAUNCHES_LATENCY50, NS_COLS},
		    {"p99", COL_LAUNCHES_LATENCY99, NS_COLS},
		    {"queue", COL_LAUNCHES_QUEUE, QUEUE_COLS},
		    {"idle for it", COL_LAUNCHES_BOUND, NS_COLS + 1}};
enum { LIST_COLUMNS = sizeof list_columns / sizeof *list_columns };

static int name_cols(int w)
{
	int left = w - 2;
	for (int i = 0; i < LIST_COLUMNS; i++)
		left -= list_columns[i].cols + 1;
	return left > 10 ? left : 10;
}

static void draw_list_head(struct surface *s, int y, int w, unsigned by)
{
	static const char *const titles[] = {"op, else kernel", "kernel", "launching thread", "call", "device"};
	int x = 1 + name_cols(w);
	surface_text(s, y, 1, name_cols(w), INK_HEAD, 0, by < sizeof titles / sizeof *titles ? titles[by] : "");
	for (int i = 0; i < LIST_COLUMNS; i++, x += list_columns[i - 1].cols + 1)
		surface_text_right(s, y, x + 1, list_columns[i].cols, INK_HEAD, 0, list_columns[i].title);
}

/* What the row is about: the column it is grouped by, or what stands for it. */
static const char *row_name(const struct table *t, uint32_t row, unsigned by, char *buf, size_t size)
{
	static const uint8_t about[] = {COL_LAUNCHES_OP, COL_LAUNCHES_KERNEL, COL_LAUNCHES_THREAD, COL_LAUNCHES_API,
					COL_LAUNCHES_DEVICE}; /* in the order of launch_by_word */
	uint32_t column = about[by || column_text(t, row, COL_LAUNCHES_OP) ? by : 1];
	if (column_cell(t, row, column)->null)
		return by ? "(unknown)" : "(several)";
	return column_words(t, row, column, buf, size);
}

static void draw_row(const struct table *t, uint32_t row, unsigned by, struct surface *s, int y, int w, bool chosen)
{
	int ink = chosen ? INK_SELECTED : INK_TEXT, x = 1 + name_cols(w);
	char name[NAMES_BUF], buf[96];
	const char *text = row_name(t, row, by, buf, sizeof buf);
	if (chosen)
		surface_fill(s, (struct rect){y, 1, 1, w - 2}, ' ', INK_SELECTED, 0);
	surface_text(s, y, 1, name_cols(w) - 1, ink, 0, name_fit(text, name_cols(w) - 1, name));
	for (int i = 0; i < LIST_COLUMNS; i++, x += list_columns[i - 1].cols + 1)
		surface_text_right(s, y, x + 1, list_columns[i].cols, ink, 0,
				   column_words(t, row, list_columns[i].column, buf, sizeof buf));
}

/* ---- keys --------------------------------------------------------------------------------------------------------------- */

static void enter(struct state *st)
{
	static const char *const wanted[] = {"launches", "launch_totals", "latency_histogram", "queue"};
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
		pane_want(st, wanted[i]);
	if (st->view.place.by)
		tables_want_grouped(st->tables, analysis_index("launches"), launch_by_word(st->view.place.by), false);
	list_clamp(st, items(st), list_height(pane_body(st), list_y(st, pane_body(st))));
}

static void open_row(struct state *st)
{
	const struct table *t = list_table(st);
	if (t && st->view.place.row < t->n_rows)
		nav_evidence(st, table_evidence_of(t, st->view.place.row));
}

static void turn_groups(struct state *st)
{
	unsigned next = st->view.place.by + 1u;
	st->view.place = (struct table_place){.sort_col = -1, .by = (uint8_t)(launch_by_word(next) ? next : 0)};
	enter(st);
}

static void act(struct state *st, enum action a)
{
	if (list_act(st, a))
		return;
	if (a == ACT_ITEM_OPEN)
		open_row(st);
	else if (a == ACT_GROUPS)
		turn_groups(st);
	else if (a == ACT_FORMULAS)
		list_columns_told(st, "Launches", pane_table_named(st, "launch_totals"));
}

static void mouse(struct state *st, enum mouse_button what, int y, int x)
{
	(void)x;
	list_mouse(st, what, y - list_y(st, pane_body(st)));
	enter(st);
}

/* ---- picture ------------------------------------------------------------------------------------------------------------ */

static void draw_list(const struct state *st, struct surface *s, struct rect body)
{
	const struct table *t = list_table(st);
	int y = list_y(st, body);
	draw_list_head(s, y - 1, body.w, st->view.place.by);
	if (!t)
		return;
	for (int i = 0; i < list_height(body, y); i++) {
		uint32_t row = st->view.place.top + (uint32_t)i;
		if (row < t->n_rows && y + i < body.y + body.h)
			draw_row(t, row, st->view.place.by, s, y + i, body.w, row == st->view.place.row);
	}
}

static void draw(const struct state *st, struct surface *s, struct rect body)
{
	const struct table *totals = pane_table_named(st, "launch_totals");
	if (!ready(st)) {
		surface_text(s, body.y, 1, body.w - 2, INK_QUIET, 0, "working out the launches ...");
		return;
	}
	if (!totals->n_rows) {
		surface_text(s, body.y, 1, body.w - 2, INK_QUIET, 0, "no device work in this trace or window");
		return;
	}
	int n = shown_measures(body.w), w = (body.w - 2) / n;
	draw_share(totals, worst_device(totals), s, body.y, body.w);
	draw_numbers(totals, worst_device(totals), s, body.y + 1, body.w);
	draw_queue(st, s, body.y + 3, body.w);
	for (int i = 0; i < n; i++)
		draw_measure(st, s, (struct rect){body.y + HEAD_ROWS, 1 + i * w, 1 + bars_rows(st, body), w - 2}, i);
	draw_list(st, s, body);
}

static void status(const struct state *st, char *buf, size_t size)
{
	const struct table *t = list_table(st);
	uint32_t row = st->view.place.row;
	buf[0] = 0;
	if (!t || row >= t->n_rows)
		return;
	const char *op = column_text(t, row, COL_LAUNCHES_OP), *kernel = column_text(t, row, COL_LAUNCHES_KERNEL);
	snprintf(buf, size, "%s%s%s", op ? op : "", op && kernel ? "   " : "", kernel ? kernel : "");
}

static bool knows(const struct state *st, enum action a)
{
	return a == ACT_GROUPS && items(st);
}

const struct pane_ops pane_launches = {.title = "Launches",
				       .scope = SCOPE_LIST,
				       .enter = enter,
				       .act = act,
				       .mouse = mouse,
				       .draw = draw,
				       .status = status,
				       .knows = knows,
				       .items = items};
