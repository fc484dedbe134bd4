/* tui/panes/pane_overview.c - the first screen: how far from ideal on the left; on the right findings, the largest ops and kernels,
 * and as far as there is room the biggest gaps and the devices.
 * Every line stands for a row of a table, so Enter leads to its evidence like in any table. */
#include "overview.h"
#include "pane_registry.h"
#include "pane_table.h"
#include "pane_timeline.h"
#include "model/store/base/units.h"
#include "tui/screen/grid.h"
#include "tui/screen/wrap.h"
#include "tui/text/guide.h"
#include "tui/text/utf8.h"
#include "model/columns.h"
#include "model/analysis/overview/top.h"
#include "model/analysis/kernels/kernel_names.h"
#include "tui/text/verdict_line.h"

enum {
	LEAST_ROWS = 8,
	WIDE = 70,
	NAMED = 40,
	TIGHT = 34
}; /* columns of the right side; NAMED: below, names and their flags only */
enum section { HEADLINES, FINDINGS, OPS, KERNELS, GAPS, DEVICES, SECTIONS };
static const struct {
	const char *title;
	struct column_list tight, narrow, wide; /* columns by the room there is */
	int head, least, most;                  /* lines before the first row; rows */
} looks[SECTIONS] = {
	[HEADLINES] = {.title = "How far from ideal", .head = 1},
	[FINDINGS] = {.title = "Findings", .head = 1, .least = 3, .most = 8},
	[OPS] = {"Top ops", COLUMN_LIST(SHORT_OP_NAME, SHORT_OP_SHARE),
		 COLUMN_LIST(SHORT_OP_NAME, SHORT_OP_SHARE, SHORT_OP_SELF),
		 COLUMN_LIST(SHORT_OP_NAME, SHORT_OP_SHARE, SHORT_OP_SELF, SHORT_OP_COUNT, SHORT_OP_EAGER,
			     SHORT_OP_TYPE),
		 2, 3, 10},
	[KERNELS] = {"Top kernels", COLUMN_LIST(KERNEL_NAMES_NAME, KERNEL_NAMES_TC, KERNEL_NAMES_SHARE),
		     COLUMN_LIST(KERNEL_NAMES_NAME, KERNEL_NAMES_TC, KERNEL_NAMES_SHARE, KERNEL_NAMES_TOTAL),
		     COLUMN_LIST(KERNEL_NAMES_NAME, KERNEL_NAMES_TC, KERNEL_NAMES_PRECISION, KERNEL_NAMES_SHARE,
				 KERNEL_NAMES_TOTAL, KERNEL_NAMES_COUNT, KERNEL_NAMES_AVG, KERNEL_NAMES_OP),
		     2, 3, 10},
	[GAPS] = {"Biggest gaps", COLUMN_LIST(BIG_GAP_STEP, BIG_GAP_IDLE, BIG_GAP_CAUSE),
		  COLUMN_LIST(BIG_GAP_STEP, BIG_GAP_IDLE, BIG_GAP_SHARE, BIG_GAP_CAUSE),
		  COLUMN_LIST(BIG_GAP_STEP, BIG_GAP_IDLE, BIG_GAP_SHARE, BIG_GAP_DEVICE, BIG_GAP_CAUSE,
			      BIG_GAP_CAUSE_NS, BIG_GAP_CONFIDENCE, BIG_GAP_MAIN_EVENT, BIG_GAP_MAIN_EVENT_NS),
		  2, 2, 6},
	[DEVICES] = {"Devices", COLUMN_LIST(SHORT_DEVICE_DEVICE, SHORT_DEVICE_BUSY, SHORT_DEVICE_NAME),
		     COLUMN_LIST(SHORT_DEVICE_DEVICE, SHORT_DEVICE_BUSY, SHORT_DEVICE_KERNELS, SHORT_DEVICE_NAME),
		     COLUMN_LIST(SHORT_DEVICE_DEVICE, SHORT_DEVICE_BUSY, SHORT_DEVICE_IDLE, SHORT_DEVICE_KERNELS,
				 SHORT_DEVICE_NAME),
		     2, 1, 8},
};

/* A trace without devices is explored by its threads and their events. */
static bool has_devices(const struct state *st)
{
	return trace_devices(st->t) > 0;
}

static struct table *table_of(const struct state *st, enum section i)
{
	switch (i) {
	case FINDINGS:
		return overview_table(st, "findings");
	case OPS:
		return st->overview.ops;
	case GAPS:
		return st->overview.gaps;
	case DEVICES:
		return has_devices(st) ? st->overview.devices : st->overview.events;
	case KERNELS:
		return has_devices(st) ? overview_kernel_names(st) : st->overview.threads;
	default:
		return overview_table(st, "overview");
	}
}

static void enter(struct state *st)
{
	static const char *const wanted[] = {"overview", "findings", "ops", "kernels", "trace", "devices", "steps"};
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
		overview_want(st, wanted[i]);
	overview_gaps(st);
	overview_devices(st, overview_table(st, "devices"));
	overview_ops_made(st, overview_table(st, "ops"));
	overview_top(st);
}

/* ---- layout ------------------------------------------------------------------------------------------------------- */

struct place {
	struct rect r;     /* title, heads and rows */
	int head;          /* lines before the first row */
	uint32_t first, n; /* index of the first row among all that can be selected; rows shown */
};

/* Findings that are no reason to do anything are left to the Guide. They come last. */
static uint32_t open_findings(const struct table *t)
{
	uint32_t n = 0;
	while (t && n < t->n_rows && guide_item(t, n).state != FINDING_PASS)
		n++;
	return n;
}

static uint32_t rows_of(const struct state *st, enum section i)
{
	const struct headline *lines[HEADLINES_MAX];
	if (i == HEADLINES)
		return headlines(st, lines);
	const struct table *t = table_of(st, i);
	return !t ? 0 : i == FINDINGS ? open_findings(t) : t->n_rows;
}

/* Without devices and steps there are no gaps to show; devices without kernels run ops. */
static bool shows(const struct state *st, enum section i)
{
	if (i == GAPS)
		return has_devices(st) || rows_of(st, GAPS) > 0;
	if (i == FINDINGS)
		return st->overview.advised;
	if (i == KERNELS)
		return !has_devices(st) || st->overview.has_kernels;
	return i != OPS || !table_of(st, OPS) || rows_of(st, OPS) > 0;
}

static int limit(int rows, int most)
{
	return rows < most ? rows : most;
}

/* Rows for each section of the right side, -1 = no room. All get their least first, then one more each in turn. */
static void share_lines(const struct state *st, int lines, int rows[SECTIONS])
{
	/* several devices differ: that is worth more than the gaps, whose worst are findings */
	bool devices_first = trace_devices(st->t) > 1;
	const enum section order[] = {FINDINGS, OPS, KERNELS, devices_first ? DEVICES : GAPS,
				      devices_first ? GAPS : DEVICES};
	enum { N = sizeof order / sizeof *order };
	for (int k = 0; k < N; k++) {
		enum section i = order[k];
		int n = (int)rows_of(st, i),
		    least = limit(n > 1 ? n : 1, looks[i].least + (i == DEVICES && devices_first));
		rows[i] = shows(st, i) && looks[i].head + least <= lines ? least : -1;
		lines -= rows[i] < 0 ? 0 : looks[i].head + rows[i] + 1;
	}
	for (bool grown = true; grown && lines > 0;) {
		grown = false;
		for (int k = 0; k < N && lines > 0; k++) {
			enum section i = order[k];
			if (rows[i] < 0 || rows[i] >= limit((int)rows_of(st, i), looks[i].most))
				continue;
			rows[i]++;
			lines--;
			grown = true;
		}
	}
}

static int finding_ink(enum finding_state state)
{
	return state == FINDING_FAIL ? INK_BAD : state == FINDING_WARN ? INK_WARN : INK_QUIET;
}

/* The verdict takes the first line, and as many more as it needs on a narrow screen. Draws it unless s is NULL; returns its rows. */
static int put_verdict(const struct state *st, struct surface *s, struct rect body)
{
	struct arena mem = {0};
	const struct table *t = overview_table(st, "findings");
	enum finding_state state = FINDING_UNKNOWN;
	if (!st->overview.advised || body.h < LEAST_ROWS)
		return 0;
	const char *text = t ? verdict_line(t, body.w - 4, &state, &mem) : "working ...";
	int ink = state == FINDING_PASS ? INK_GOOD : finding_ink(state), most = body.h / LEAST_ROWS;
	struct rect r = {body.y, 3, 0, body.w - 4};
	int rows = wrap_text(s, r, ink, text, body.y, body.y + most);
	rows = limit(rows, most);
	if (s) {
		surface_text(s, body.y, 1, 1, ink, PEN_BOLD, t ? guide_mark(state, s->ascii) : "");
		surface_paint(s, (struct rect){r.y, r.x, rows, r.w}, ink, PEN_BOLD);
	}
	arena_free(&mem);
	return rows;
}

/* verdict: the lines that it takes. */
static void lay_out(const struct state *st, struct rect body, int verdict, struct place *p)
{
	body.y += verdict;
	body.h -= verdict;
	int left = body.w < 70 ? 30 : body.w < 100 ? 44 : body.w < 160 ? 46 : 56, y = body.y, rows[SECTIONS];
	int x = left, w = body.w - left - 1;
	uint32_t n = rows_of(st, HEADLINES);
	p[HEADLINES] = (struct place){{body.y, 1, body.h, left - 4}, 1, 0, n};
	if ((int)n > body.h - 1)
		p[HEADLINES].n = (uint32_t)(body.h - 1);
	share_lines(st, body.h, rows);
	for (int i = FINDINGS; i < SECTIONS; i++) {
		uint32_t all = rows_of(st, (enum section)i), room = rows[i] < 0 ? 0 : (uint32_t)rows[i];
		p[i] = (struct place){
			{y, x, 0, w}, looks[i].head, p[i - 1].first + p[i - 1].n, all < room ? all : room};
		if (rows[i] < 0)
			continue;
		p[i].r.h = looks[i].head + rows[i];
		y += p[i].r.h + 1;
	}
}

/* Where all of it is on the screen. */
static void look_where(const struct state *st, struct place *p)
{
	struct rect body = pane_body(st);
	lay_out(st, body, put_verdict(st, NULL, body), p);
}

/* ---- keys --------------------------------------------------------------------------------------------------------- */

static const struct table *headline_table(const struct state *st, const struct headline *h)
{
	return overview_table(st, h->when == SHOW_HOST ? "trace" : "overview");
}

static void open_headline(struct state *st, uint32_t i)
{
	const struct headline *lines[HEADLINES_MAX];
	if (i >= headlines(st, lines))
		return;
	const struct table *t = headline_table(st, lines[i]);
	uint32_t row = overview_row(t, lines[i]->key);
	if (t && row != NONE_ID)
		nav_evidence(st, table_evidence_of(t, row));
}

static void open_row(struct state *st, const struct place *p)
{
	uint32_t row = st->view.place.row;
	for (int i = 0; i < SECTIONS; i++) {
		if (row < p[i].first || row >= p[i].first + p[i].n)
			continue;
		if (i == HEADLINES)
			open_headline(st, row);
		else
			table_open_row(st, table_of(st, (enum section)i), row - p[i].first);
		return;
	}
}

static void select_row(struct state *st, const struct place *p, int64_t row)
{
	int64_t n = p[SECTIONS - 1].first + p[SECTIONS - 1].n;
	st->view.place.row = (uint32_t)(row < 0 || n == 0 ? 0 : row >= n ? n - 1 : row);
}

static void search(struct state *st, int direction)
{
	nav_push(st);
	nav_pane(st, PANE_TIMELINE, 0);
	seek_event(st, direction);
}

static void next_section(struct state *st, const struct place *p)
{
	for (int i = FINDINGS; i < SECTIONS; i++)
		if (p[i].n && p[i].first > st->view.place.row) {
			st->view.place.row = p[i].first;
			return;
		}
	st->view.place.row = 0;
}

static void act(struct state *st, enum action a)
{
	struct place p[SECTIONS];
	look_where(st, p);
	int64_t row = st->view.place.row;
	switch (a) {
	case ACT_LINE_OPEN:
		open_row(st, p);
		break;
	case ACT_LINE_NEXT:
	case ACT_LINE_PREV:
		select_row(st, p, row + (a == ACT_LINE_NEXT ? 1 : -1));
		break;
	case ACT_LINES_NEXT:
	case ACT_LINES_PREV:
		select_row(st, p, row + (a == ACT_LINES_NEXT ? 8 : -8));
		break;
	case ACT_LINE_FIRST:
	case ACT_LINE_LAST:
		select_row(st, p, a == ACT_LINE_FIRST ? 0 : INT32_MAX);
		break;
	case ACT_SIDE_LEFT:
		select_row(st, p, 0);
		break;
	case ACT_SIDE_RIGHT:
		next_section(st, p);
		break;
	default:
		search(st, a == ACT_SEARCH_NEXT ? 1 : -1);
		break;
	}
}

static void mouse(struct state *st, enum mouse_button what, int y, int x)
{
	struct place p[SECTIONS];
	look_where(st, p);
	if (what != BUTTON_CLICK) {
		act(st, what == BUTTON_WHEEL_UP ? ACT_LINE_PREV : ACT_LINE_NEXT);
		return;
	}
	for (int i = 0; i < SECTIONS; i++) {
		int row = y - p[i].r.y - p[i].head;
		if (x >= p[i].r.x && x < p[i].r.x + p[i].r.w && row >= 0 && row < (int)p[i].n) {
			st->view.place.row = p[i].first + (uint32_t)row;
			st->hit_row = true;
		}
	}
}

/* ---- picture ------------------------------------------------------------------------------------------------------ */

static void draw_headlines(const struct state *st, struct surface *s, const struct place *p)
{
	const struct headline *lines[HEADLINES_MAX];
	const struct table *t = overview_table(st, "overview");
	headlines(st, lines);
	if (!t)
		surface_text(s, p->r.y + 1, p->r.x, p->r.w, INK_QUIET, 0, "working ...");
	for (uint32_t i = 0; t && i < p->n; i++)
		headline_draw(st, lines[i], headline_table(st, lines[i]), s,
			      (struct rect){p->r.y + 1 + (int)i, p->r.x, 1, p->r.w}, st->view.place.row == i);
}

static const struct column_list idle_gaps = COLUMN_LIST(BIG_GAP_IDLE, BIG_GAP_CAUSE),
				idle_gaps_by_device = COLUMN_LIST(BIG_GAP_DEVICE, BIG_GAP_IDLE, BIG_GAP_CAUSE),
				gaps_by_device = COLUMN_LIST(BIG_GAP_STEP, BIG_GAP_IDLE, BIG_GAP_DEVICE, BIG_GAP_CAUSE),
				threads_narrow = COLUMN_LIST(TOP_THREAD_SHARE, TOP_THREAD_BUSY, TOP_THREAD_NAME),
				threads_wide = COLUMN_LIST(TOP_THREAD_SHARE, TOP_THREAD_BUSY, TOP_THREAD_EVENTS,
							   TOP_THREAD_NAME),
				events_narrow = COLUMN_LIST(TOP_EVENT_DUR, TOP_EVENT_NAME),
				events_wide =
					COLUMN_LIST(TOP_EVENT_DUR, TOP_EVENT_NAME, TOP_EVENT_WHERE, TOP_EVENT_START),
				no_kernels = COLUMN_LIST(SHORT_DEVICE_DEVICE, SHORT_DEVICE_BUSY, SHORT_DEVICE_IDLE,
							 SHORT_DEVICE_NAME);

/* What tells the gaps apart: the steps beside them if they lie between steps, devices where there are several. */
static struct column_list narrow_gaps(const struct state *st, int w)
{
	bool steps = derived_steps(st->d) > 0;
	bool devices = trace_devices(st->t) > 1;
	if (!steps)
		return devices ? idle_gaps_by_device : idle_gaps;
	if (w < TIGHT)
		return looks[GAPS].tight;
	return devices ? gaps_by_device : looks[GAPS].narrow;
}

/* Threads and their events, where there are no devices. */
static struct column_list host_columns(enum section i, int w)
{
	if (i == KERNELS)
		return w < WIDE ? threads_narrow : threads_wide;
	return w < WIDE ? events_narrow : events_wide;
}

static struct column_list columns_of(const struct state *st, enum section i, int w)
{
	if ((i == DEVICES || i == KERNELS) && !has_devices(st))
		return host_columns(i, w);
	if (i == DEVICES && !st->overview.has_kernels)
		return no_kernels;
	if (w >= WIDE)
		return looks[i].wide;
	if (i == DEVICES && trace_sources(st->t) > 1) /* ranks have long names */
		return looks[i].tight;
	if ((i == KERNELS || i == OPS) && w < NAMED)
		return looks[i].tight;
	return i == GAPS ? narrow_gaps(st, w) : looks[i].narrow;
}

static const char *nothing(const struct state *st, enum section i)
{
	if (!has_devices(st))
		return "none: no event here has a duration";
	return i == KERNELS ? "none in this trace" : "none";
}

static void draw_finding(struct surface *s, const struct place *p, const struct guide_item *item, uint32_t row,
			 bool chosen)
{
	int y = p->r.y + p->head + (int)row, ink = chosen ? INK_SELECTED : INK_TEXT;
	if (chosen)
		surface_fill(s, (struct rect){y, p->r.x, 1, p->r.w}, ' ', INK_SELECTED, 0);
	surface_text(s, y, p->r.x, 1, chosen ? ink : finding_ink(item->state), PEN_BOLD,
		     guide_mark(item->state, s->ascii));
	surface_text(s, y, p->r.x + 2, p->r.w - 2, ink, 0, item->sentence);
}

static void draw_findings(const struct state *st, struct surface *s, const struct place *p)
{
	const struct table *t = table_of(st, FINDINGS);
	if (!t || !p->n)
		surface_text(s, p->r.y + p->head, p->r.x, p->r.w, INK_QUIET, 0, t ? "nothing to do" : "working ...");
	bool cut = false;
	for (uint32_t row = 0; t && row < p->n; row++) {
		struct guide_item item = guide_item(t, row);
		draw_finding(s, p, &item, row, st->view.place.row == p->first + row);
		cut |= item.sentence && utf8_width(item.sentence) > p->r.w - 2;
	}
	if (cut)
		surface_text_right(s, p->r.y, p->r.x, p->r.w, INK_QUIET, 0, "in full: 9");
}

static void draw_rows(const struct state *st, struct surface *s, enum section i, const struct place *p)
{
	const struct table *t = table_of(st, i);
	struct grid g;
	if (!t || t->n_rows == 0) {
		surface_text(s, p->r.y + 1, p->r.x, p->r.w, INK_QUIET, 0, t ? nothing(st, i) : "working ...");
		return;
	}
	grid_init(&g, t, columns_of(st, i, p->r.w));
	grid_fit(&g, p->r.w, 0);
	grid_head(&g, s, p->r.y + 1, p->r.x, p->r.w);
	uint32_t row = st->view.place.row;
	struct rect rows = {p->r.y + p->head, p->r.x, (int)p->n, p->r.w};
	grid_rows(&g, s, rows, 0, row >= p->first && row < p->first + p->n ? row - p->first : NONE_ID);
}

static const char *title_of(const struct state *st, enum section i)
{
	if (i == HEADLINES && !has_devices(st))
		return "Headline numbers";
	if (i == KERNELS && !has_devices(st))
		return "Busiest threads";
	return i == DEVICES && !has_devices(st) ? "Longest events" : looks[i].title;
}

static void draw(const struct state *st, struct surface *s, struct rect body)
{
	struct place p[SECTIONS];
	int verdict = put_verdict(st, s, body);
	lay_out(st, body, verdict, p);
	for (int i = 0; i < SECTIONS; i++) {
		if (!p[i].r.h)
			continue;
		surface_text(s, p[i].r.y, p[i].r.x, p[i].r.w, INK_HEAD, 0, title_of(st, (enum section)i));
		if (i == HEADLINES)
			draw_headlines(st, s, &p[i]);
		else if (i == FINDINGS)
			draw_findings(st, s, &p[i]);
		else
			draw_rows(st, s, (enum section)i, &p[i]);
	}
	struct rect line = {body.y + verdict, p[GAPS].r.x - 2, body.h - verdict, 1};
	surface_fill(s, line, 0x2502, INK_QUIET, 0);
}

/* What the selected line means. */
static void status(const struct state *st, char *buf, size_t size)
{
	const struct headline *lines[HEADLINES_MAX];
	uint32_t n = headlines(st, lines), i = st->view.place.row;
	char events[UNITS_BUF], span[UNITS_BUF];
	const struct table *t = i < n ? headline_table(st, lines[i]) : NULL;
	uint32_t row = t ? overview_row(t, lines[i]->key) : NONE_ID;
	const char *help = column_text(t, row, KEYED_HELP);
	if (help && *help)
		snprintf(buf, size, "%s", help);
	else
		snprintf(buf, size, "%s  %s events  %s", trace_sources(st->t) ? trace_source(st->t, 0).format : "",
			 fmt_count(events, (int64_t)trace_columns(st->t)->n), fmt_ns(span, trace_span_ns(st->t)));
}

const struct pane_ops pane_overview = {.title = "Overview",
				       .scope = SCOPE_OVERVIEW,
				       .enter = enter,
				       .act = act,
				       .mouse = mouse,
				       .draw = draw,
				       .status = status};
