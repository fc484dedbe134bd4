/* tui/panes/pane_memory.c - how full memory gets: in use over time, and what is in use when most is. */
#include "memory_programs.h"
#include "pane_list.h"
#include "pane_registry.h"
#include "model/analysis/findings/findings_columns.h"
#include "model/analysis/memory/memory_columns.h"
#include "model/analysis/names/record_advice.h"
#include "model/analysis/overview/top.h"
#include "model/analysis/memory/memory_peak_columns.h"
#include "model/store/base/spans.h"
#include "model/store/base/units.h"
#include "tui/screen/bars.h"
#include "tui/screen/wrap.h"
#include "tui/tables/memory_curve.h"
#include "tui/text/short_names.h"
#include <inttypes.h>
#include <string.h>

enum {
	HEAD_ROWS = 3,
	SCALE_COLS = 11,
	MOST_CHART = 12,
	LEAST_CHART = 3,
	BYTES_COLS = 11,
	PCT_COLS = 8,
	COUNT_COLS = 9,
	WHO_COLS = 15
};

/* How many ways there are to group blocks; compiled programs come after them. */
static unsigned words(void)
{
	unsigned n = 0;
	while (analysis_by("memory_peak", n))
		n++;
	return n;
}

static struct table *list_table(const struct state *st)
{
	return st->view.place.by ? tables_grouped(st->tables, analysis_index("memory_peak"),
						  analysis_by("memory_peak", st->view.place.by), false)
				 : pane_table_named(st, "memory_peak");
}

static uint32_t items(const struct state *st)
{
	const struct table *t = programs_shown(st, words()) ? programs_table(st) : list_table(st);
	return t ? t->n_rows : 0;
}

/* ---- whose memory ---------------------------------------------------------------------------------------------------------- */

static struct curve_who who_at_peak(const struct table *t, uint32_t row)
{
	return curve_who_of(t, row, COL_MEMORY_PEAK_RANK, COL_MEMORY_PEAK_DEVICE, COL_MEMORY_PEAK_ALLOCATOR);
}

static bool same(const struct curve_who *a, struct curve_who b)
{
	return a->allocator && b.allocator && !strcmp(a->allocator, b.allocator) && !strcmp(a->rank, b.rank) &&
	       !strcmp(a->device, b.device);
}

static struct curve_who chosen(const struct state *st)
{
	const struct table *t = list_table(st);
	uint32_t row = st->view.place.row;
	return t && row < t->n_rows ? who_at_peak(t, row) : (struct curve_who){.allocator = NULL};
}

static uint32_t memory_row(const struct state *st, const struct curve_who *who)
{
	const struct table *t = pane_table_named(st, "memory");
	for (uint32_t row = 0; t && row < t->n_rows; row++)
		if (same(who, curve_who_of(t, row, COL_MEMORY_RANK, COL_MEMORY_DEVICE, COL_MEMORY_ALLOCATOR)))
			return row;
	return NONE_ID;
}

/* ---- the curve ------------------------------------------------------------------------------------------------------------- */

static bool fill_curve(const struct state *st, struct curve *c, int cols)
{
	const struct table *t = pane_table_named(st, "memory_curve");
	struct curve_who who = chosen(st);
	struct curve_part p = {0, 0};
	while (t && (p = curve_part_at(t, p.first + p.n)).n && !same(&who, curve_who(t, p)))
		;
	if (p.n)
		curve_fill(c, t, p, cols);
	return p.n && c->most > 0;
}

/* What stands in the row of a column: `low` and `high` are the bytes of the row's edges. */
static void put_cell(const struct state *st, struct surface *s, int y, int x, const struct curve *c, int col,
		     int64_t low, int64_t high)
{
	int64_t used = c->used[col], held = c->held[col];
	if (used > low)
		surface_put(s, y, x,
			    st->ascii      ? '#'
			    : used >= high ? 0x2588
					   : bars_level(used - low, high - low),
			    INK_COPY, 0);
	else if (held != UNKNOWN_I64 && held > low)
		surface_put(s, y, x, st->ascii ? ':' : 0x2591, INK_QUIET, 0);
	else if (c->capacity == c->most && high == c->most)
		surface_put(s, y, x, st->ascii ? '-' : 0x2594, INK_WARN, 0);
}

static void draw_scale(struct surface *s, int y, int h, int64_t most)
{
	char text[UNITS_BUF];
	surface_text_right(s, y, 1, SCALE_COLS - 2, INK_QUIET, 0, fmt_bytes(text, most));
	surface_text_right(s, y + h - 1, 1, SCALE_COLS - 2, INK_QUIET, 0, "0 B");
}

/* f, l, b, o: forward, loss, backward, optimizer, as far as names tell. */
static void draw_phases(struct surface *s, int y, const struct curve *c)
{
	bool any = false;
	for (int col = 0; col < c->cols; col++) {
		any |= c->phase[col] != 0;
		if (c->phase[col])
			surface_put(s, y, SCALE_COLS + col, (uint32_t)c->phase[col], INK_QUIET, 0);
	}
	if (any)
		surface_text_right(s, y, 1, SCALE_COLS - 2, INK_QUIET, 0, "phase");
}

static void draw_curve(const struct state *st, struct surface *s, struct rect r)
{
	struct curve c;
	if (!fill_curve(st, &c, r.w - SCALE_COLS - 1))
		return;
	draw_scale(s, r.y, r.h, c.most);
	for (int i = 0; i < r.h; i++)
		for (int col = 0; col < c.cols; col++)
			put_cell(st, s, r.y + i, SCALE_COLS + col, &c, col, c.most / r.h * (r.h - 1 - i),
				 i ? c.most / r.h * (r.h - i) : c.most);
	draw_phases(s, r.y + r.h, &c);
	surface_put(s, r.y + r.h, SCALE_COLS + c.peak, st->ascii ? '^' : 0x25B2, INK_BAD, 0);
	surface_text(s, r.y + r.h, SCALE_COLS + (c.peak < c.cols - 8 ? c.peak + 1 : c.peak - 6), 6, INK_QUIET, 0,
		     " peak ");
}

static int chart_rows(struct rect body)
{
	int h = (body.h - HEAD_ROWS) * 2 / 5;
	return h > MOST_CHART ? MOST_CHART : h < LEAST_CHART ? LEAST_CHART : h;
}

static int list_y(struct rect body)
{
	return body.y + HEAD_ROWS + chart_rows(body) + 2;
}

/* ---- words ------------------------------------------------------------------------------------------------------------------ */

/* "memory-bound" is about kernels. */
static bool is_about_memory(const char *rule)
{
	static const char *const rules[] = {"memory-full", "memory-fragmented", "memory-leak", "memory-churn",
					    "batch-headroom"};
	return TEXT_IS_ONE_OF(rule, rules);
}

/* What the rules say of memory, the worst first; NULL while it is worked out. */
static const char *verdict(const struct state *st)
{
	const struct table *t = pane_table_named(st, "findings");
	for (uint32_t row = 0; t && row < t->n_rows; row++) {
		const char *rule = column_text(t, row, COL_FINDINGS_RULE);
		if (is_about_memory(rule))
			return column_text(t, row, COL_FINDINGS_SENTENCE);
	}
	return t ? "" : NULL;
}

static void draw_head(const struct state *st, struct surface *s, struct rect body)
{
	const struct table *t = pane_table_named(st, "memory");
	const char *said = verdict(st);
	char name[96], peak[96], capacity[96], reserved[96];
	struct curve_who who = chosen(st);
	uint32_t row = memory_row(st, &who);
	wrap_text(s, (struct rect){body.y, 1, HEAD_ROWS - 1, body.w - 2}, INK_STRONG,
		  said ? said : "working out what the rules say ...", body.y, body.y + HEAD_ROWS - 1);
	if (row == NONE_ID)
		return;
	int y = body.y + HEAD_ROWS - 1,
	    x = 1 + surface_text(s, y, 1, body.w - 2, INK_HEAD, 0, curve_who_words(&who, name, sizeof name)) + 2;
	surface_printf(s, y, x, body.w - x - 1, INK_TEXT, 0, "peak %s of %s, held %s   %s in use  %s held",
		       column_words(t, row, COL_MEMORY_PEAK, peak, sizeof peak),
		       column_words(t, row, COL_MEMORY_CAPACITY, capacity, sizeof capacity),
		       column_words(t, row, COL_MEMORY_RESERVED, reserved, sizeof reserved), st->ascii ? "#" : "█",
		       st->ascii ? ":" : "░");
}

/* ---- what is in use at the peak ---------------------------------------------------------------------------------------------- */

static const struct {
	const char *title;
	uint8_t column; /* of memory_peak */
	int cols;
} list_columns[] = {{"in use", COL_MEMORY_PEAK_BYTES, BYTES_COLS},
		    {"share", COL_MEMORY_PEAK_SHARE, PCT_COLS},
		    {"blocks", COL_MEMORY_PEAK_BLOCKS, COUNT_COLS},
		    {"largest", COL_MEMORY_PEAK_LARGEST, BYTES_COLS},
		    {"oldest", COL_MEMORY_PEAK_AGE, BYTES_COLS}};
enum { LIST_COLUMNS = sizeof list_columns / sizeof *list_columns };

/* How many of the columns there is room for beside a name. */
static int shown_columns(int w)
{
	int left = w - 2 - WHO_COLS - 16, n = 0;
	while (n < LIST_COLUMNS && left >= list_columns[n].cols)
		left -= list_columns[n++].cols;
	return n;
}

static int name_cols(int w)
{
	int left = w - 2 - WHO_COLS;
	for (int i = 0; i < shown_columns(w); i++)
		left -= list_columns[i].cols;
	return left > 4 ? left : 4;
}

static void draw_list_head(const struct state *st, struct surface *s, int y, int w)
{
	int x = 1 + WHO_COLS + name_cols(w);
	surface_text(s, y, 1, WHO_COLS - 1, INK_HEAD, 0, "memory of");
	surface_printf(s, y, 1 + WHO_COLS, name_cols(w) - 1, INK_HEAD, 0, "at the peak, by %s",
		       analysis_by("memory_peak", st->view.place.by));
	for (int i = 0; i < shown_columns(w); i++, x += list_columns[i - 1].cols)
		surface_text_right(s, y, x, list_columns[i].cols, INK_HEAD, 0, list_columns[i].title);
}

static void draw_row(const struct table *t, uint32_t row, struct surface *s, int y, int w, bool selected)
{
	int ink = selected ? INK_SELECTED : INK_TEXT, x = 1 + WHO_COLS + name_cols(w);
	struct curve_who who = who_at_peak(t, row);
	char name[NAMES_BUF], buf[96];
	const char *of = column_text(t, row, COL_MEMORY_PEAK_GROUP);
	if (selected)
		surface_fill(s, (struct rect){y, 1, 1, w - 2}, ' ', INK_SELECTED, 0);
	surface_text(s, y, 1, WHO_COLS - 1, ink, 0, curve_who_words(&who, buf, sizeof buf));
	surface_text(s, y, 1 + WHO_COLS, name_cols(w) - 1, ink, 0, name_fit(of ? of : "-", name_cols(w) - 1, name));
	for (int i = 0; i < shown_columns(w); i++, x += list_columns[i - 1].cols)
		surface_text_right(s, y, x, list_columns[i].cols, ink, 0,
				   column_words(t, row, list_columns[i].column, buf, sizeof buf));
}

/* ---- keys -------------------------------------------------------------------------------------------------------------------- */

static void enter(struct state *st)
{
	static const char *const wanted[] = {"memory_peak", "memory_curve", "memory", "findings"};
	struct rect body = pane_body(st);
	if (programs_shown(st, words())) {
		programs_enter(st);
		return;
	}
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
		pane_want(st, wanted[i]);
	if (st->view.place.by)
		tables_want_grouped(st->tables, analysis_index("memory_peak"),
				    analysis_by("memory_peak", st->view.place.by), false);
	list_clamp(st, items(st), list_height(body, list_y(body)));
}

static void group_on(struct state *st)
{
	unsigned ways = words() + programs_known(st);
	st->view.place.by = (uint8_t)((st->view.place.by + 1u) % ways);
	st->view.place.row = st->view.place.top = 0;
	enter(st);
}

static void act(struct state *st, enum action a)
{
	bool programs = programs_shown(st, words());
	const struct table *t = programs ? programs_table(st) : list_table(st);
	if (list_act(st, a))
		return;
	if (a == ACT_ITEM_OPEN && programs)
		open_table_named(st, "xla_buffers");
	else if (a == ACT_ITEM_OPEN && t && st->view.place.row < t->n_rows)
		nav_evidence(st, table_evidence_of(t, st->view.place.row));
	else if (a == ACT_GROUPS)
		group_on(st);
	else if (a == ACT_FORMULAS)
		list_columns_told(st, "Memory", t);
}

static void mouse(struct state *st, enum mouse_button what, int y, int x)
{
	(void)x;
	struct rect body = pane_body(st);
	int top = programs_shown(st, words()) ? programs_list_y(body) : list_y(body);
	list_mouse(st, what, y - top);
	enter(st);
}

static void draw_none(const struct state *st, struct surface *s, struct rect body)
{
	char text[256];
	const char *how = top_from_framework(st->d) ? record_advice(st->t, framework_of(st->t), RECORD_MEMORY) : "";
	snprintf(text, sizeof text, "No allocation is recorded in this trace. %s", how);
	wrap_text(s, (struct rect){body.y, 1, 0, body.w - 2}, INK_QUIET, text, body.y, body.y + body.h);
}

/* ---- picture ----------------------------------------------------------------------------------------------------------------- */

static void draw(const struct state *st, struct surface *s, struct rect body)
{
	if (programs_shown(st, words())) {
		programs_draw(st, s, body);
		return;
	}
	const struct table *t = list_table(st);
	if (!t) {
		surface_text(s, body.y, 1, body.w - 2, INK_QUIET, 0, "replaying the allocations ...");
		return;
	}
	if (!t->n_rows) {
		draw_none(st, s, body);
		return;
	}
	draw_head(st, s, body);
	draw_curve(st, s, (struct rect){body.y + HEAD_ROWS, 0, chart_rows(body), body.w});
	int y = list_y(body), h = list_height(body, y);
	draw_list_head(st, s, y - 1, body.w);
	for (uint32_t i = st->view.place.top; i < t->n_rows && (int)(i - st->view.place.top) < h; i++)
		draw_row(t, i, s, y + (int)(i - st->view.place.top), body.w, i == st->view.place.row);
}

static void status(const struct state *st, char *buf, size_t size)
{
	uint32_t n = items(st);
	buf[0] = 0;
	if (st->view.place.row < n) {
		char at[UNITS_BUF], all[UNITS_BUF];
		snprintf(buf, size, "%s of %s", fmt_count(at, st->view.place.row + 1), fmt_count(all, n));
	}
}

static bool knows(const struct state *st, enum action a)
{
	return a == ACT_GROUPS && (items(st) || programs_known(st));
}

const struct pane_ops pane_memory = {.title = "Memory",
				     .scope = SCOPE_LIST,
				     .enter = enter,
				     .act = act,
				     .mouse = mouse,
				     .draw = draw,
				     .status = status,
				     .knows = knows,
				     .items = items};
