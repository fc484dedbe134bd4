#include "memory_programs.h"
#include "pane_list.h"
#include "model/analysis/memory/xla_memory_columns.h"
#include "model/store/base/units.h"
#include "tui/screen/bars.h"
#include "tui/screen/wrap.h"
#include "tui/text/short_names.h"
#include <string.h>

enum {
	HEAD_ROWS = 2,
	SCALE_COLS = 11,
	MOST_CHART = 10,
	LEAST_CHART = 3,
	BYTES_COLS = 11,
	LEAST_NAME = 20,
	MOST_COLS = 512
};

bool programs_known(const struct state *st)
{
	return trace_side_rows(st->t, SIDE_XLA_PROGRAMS, NULL) > 1;
}

bool programs_shown(const struct state *st, unsigned words)
{
	return programs_known(st) &&
	       (st->view.place.by >= words || trace_side_rows(st->t, SIDE_ALLOCATIONS, NULL) == 0);
}

const struct table *programs_table(const struct state *st)
{
	return pane_table_named(st, "xla_memory");
}

static int chart_rows(struct rect body)
{
	int h = (body.h - HEAD_ROWS) / 3;
	return h > MOST_CHART ? MOST_CHART : h < LEAST_CHART ? LEAST_CHART : h;
}

int programs_list_y(struct rect body)
{
	return body.y + HEAD_ROWS + chart_rows(body) + 2;
}

/* The list leaves half of what is below it to the buffers. */
int programs_list_height(const struct state *st, struct rect body)
{
	const struct table *t = programs_table(st);
	int all = list_height(body, programs_list_y(body)), want = t && t->n_rows ? (int)t->n_rows : 1;
	int most = all > 3 ? (all - 1) / 2 : all;
	return want < most ? want : most;
}

void programs_enter(struct state *st)
{
	static const char *const wanted[] = {"xla_memory", "xla_heap", "xla_buffers"};
	const struct table *t;
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
		pane_want(st, wanted[i]);
	t = programs_table(st);
	list_clamp(st, t ? t->n_rows : 0, programs_list_height(st, pane_body(st)));
}

/* ---- rows of other tables about the selected program ---------------------------------------------------------------------- */

static bool same_int(const struct table *t, uint32_t row, uint32_t col, const struct table *u, uint32_t at,
		     uint32_t other)
{
	const struct cell *a = column_cell(t, row, col), *b = column_cell(u, at, other);
	return a->null == b->null && (a->null || a->i == b->i);
}

/* The columns that name a program have the same places in the three tables. */
_Static_assert((int)COL_XLA_HEAP_RANK == (int)COL_XLA_MEMORY_RANK &&
		       (int)COL_XLA_BUFFERS_RANK == (int)COL_XLA_MEMORY_RANK,
	       "");
_Static_assert((int)COL_XLA_HEAP_PROGRAM == (int)COL_XLA_MEMORY_PROGRAM &&
		       (int)COL_XLA_BUFFERS_PROGRAM == (int)COL_XLA_MEMORY_PROGRAM,
	       "");
_Static_assert((int)COL_XLA_HEAP_SPACE == (int)COL_XLA_MEMORY_SPACE &&
		       (int)COL_XLA_BUFFERS_SPACE == (int)COL_XLA_MEMORY_SPACE,
	       "");

static bool is_of(const struct table *t, uint32_t row, const struct table *programs, uint32_t at)
{
	return strcmp(column_text(t, row, COL_XLA_MEMORY_PROGRAM), column_text(programs, at, COL_XLA_MEMORY_PROGRAM)) ==
		       0 &&
	       same_int(t, row, COL_XLA_MEMORY_SPACE, programs, at, COL_XLA_MEMORY_SPACE) &&
	       same_int(t, row, COL_XLA_MEMORY_RANK, programs, at, COL_XLA_MEMORY_RANK);
}

/* ---- the heap --------------------------------------------------------------------------------------------------------------- */

struct heap {
	int64_t used[MOST_COLS], most;
	int cols, peak;
};

static void fill_heap(const struct table *t, const struct table *programs, uint32_t at, int cols, struct heap *h)
{
	int64_t n = column_int(programs, at, COL_XLA_MEMORY_STEPS);
	*h = (struct heap){.cols = cols < MOST_COLS ? cols : MOST_COLS};
	for (uint32_t row = 0, k = 0; t && row < t->n_rows && k < n; row++) {
		if (!is_of(t, row, programs, at))
			continue;
		int64_t used = column_int(t, row, COL_XLA_HEAP_USED);
		int end = (int)((int64_t)(k + 1) * h->cols / n);
		for (int col = (int)((int64_t)k * h->cols / n); col < h->cols && (col < end || col == end - 1); col++)
			h->used[col] = used > h->used[col] ? used : h->used[col];
		k++;
	}
	for (int col = 0; col < h->cols; col++)
		h->peak = h->used[col] > h->used[h->peak] ? col : h->peak;
	h->most = h->cols > 0 ? h->used[h->peak] : 0;
}

static void draw_bars(const struct state *st, struct surface *s, struct rect r, const struct heap *h)
{
	for (int i = 0; i < r.h; i++)
		for (int col = 0; col < h->cols; col++) {
			int64_t low = h->most / r.h * (r.h - 1 - i), high = i ? h->most / r.h * (r.h - i) : h->most;
			int64_t used = h->used[col];
			if (used > low)
				surface_put(s, r.y + i, SCALE_COLS + col,
					    st->ascii      ? '#'
					    : used >= high ? 0x2588
							   : bars_level(used - low, high - low),
					    INK_COPY, 0);
		}
}

static void draw_heap(const struct state *st, struct surface *s, struct rect r, uint32_t at)
{
	struct heap h;
	char text[UNITS_BUF];
	fill_heap(pane_table_named(st, "xla_heap"), programs_table(st), at, r.w - SCALE_COLS - 1, &h);
	if (h.most <= 0) {
		surface_text(s, r.y, 1, r.w - 2, INK_QUIET, 0, "no temporaries: all its memory is in use all the time");
		return;
	}
	surface_text_right(s, r.y, 1, SCALE_COLS - 2, INK_QUIET, 0, fmt_bytes(text, h.most));
	surface_text_right(s, r.y + r.h - 1, 1, SCALE_COLS - 2, INK_QUIET, 0, "0 B");
	draw_bars(st, s, r, &h);
	surface_put(s, r.y + r.h, SCALE_COLS + h.peak, st->ascii ? '^' : 0x25B2, INK_BAD, 0);
	surface_text(s, r.y + r.h,
		     SCALE_COLS + (h.peak < h.cols - 40 ? h.peak + 2
				   : h.peak > 30        ? h.peak - 31
							: 0),
		     30, INK_QUIET, 0, "peak, in order of the program");
}

/* ---- lists ------------------------------------------------------------------------------------------------------------------- */

struct list_column {
	const char *title;
	uint8_t column;
	int cols;
};
static const struct list_column program_columns[] = {
	{"peak", COL_XLA_MEMORY_PEAK, BYTES_COLS},       {"arguments", COL_XLA_MEMORY_ARGUMENTS, BYTES_COLS},
	{"outputs", COL_XLA_MEMORY_OUTPUTS, BYTES_COLS}, {"temporary", COL_XLA_MEMORY_TEMPORARY, BYTES_COLS},
	{"padding", COL_XLA_MEMORY_PADDING, BYTES_COLS}, {"space", COL_XLA_MEMORY_SPACE, 7}};
static const struct list_column buffer_columns[] = {{"size", COL_XLA_BUFFERS_BYTES, BYTES_COLS},
						    {"kind", COL_XLA_BUFFERS_KIND, 14},
						    {"padding", COL_XLA_BUFFERS_PADDING, 9}};
enum { PROGRAM_COLUMNS = sizeof program_columns / sizeof *program_columns };
enum { BUFFER_COLUMNS = sizeof buffer_columns / sizeof *buffer_columns };

static int name_cols(const struct list_column *c, int n, int w)
{
	int left = w - 2;
	for (int i = 0; i < n && left - c[i].cols >= LEAST_NAME; i++)
		left -= c[i].cols;
	return left;
}

/* The columns that there is room for after a name. t NULL: their titles. */
static void draw_cells(const struct list_column *c, int n, const struct table *t, uint32_t row, struct surface *s,
		       int y, int w, int ink)
{
	char buf[96];
	for (int i = 0, x = 1 + name_cols(c, n, w); i < n && x + c[i].cols <= w - 1; x += c[i++].cols)
		surface_text_right(s, y, x, c[i].cols, ink, 0,
				   t ? column_words(t, row, c[i].column, buf, sizeof buf) : c[i].title);
}

static void draw_programs(const struct state *st, const struct table *t, struct surface *s, struct rect body)
{
	int y = programs_list_y(body), h = programs_list_height(st, body),
	    names = name_cols(program_columns, PROGRAM_COLUMNS, body.w);
	surface_text(s, y - 1, 1, names - 1, INK_HEAD, 0, "XLA programs");
	draw_cells(program_columns, PROGRAM_COLUMNS, NULL, 0, s, y - 1, body.w, INK_HEAD);
	for (uint32_t row = st->view.place.top; row < t->n_rows && h-- > 0; row++, y++) {
		int ink = row == st->view.place.row ? INK_SELECTED : INK_TEXT;
		if (ink == INK_SELECTED)
			surface_fill(s, (struct rect){y, 1, 1, body.w - 2}, ' ', INK_SELECTED, 0);
		surface_text(s, y, 1, names - 1, ink, 0, column_text(t, row, COL_XLA_MEMORY_PROGRAM));
		draw_cells(program_columns, PROGRAM_COLUMNS, t, row, s, y, body.w, ink);
	}
}

/* "fusion.3  bf16[8,128]{1,0}  jit(f)/dot_general": the table has them by size. */
static void draw_buffers(const struct state *st, const struct table *programs, struct surface *s, struct rect body)
{
	const struct table *t = pane_table_named(st, "xla_buffers");
	int y = programs_list_y(body) + programs_list_height(st, body) + 1,
	    names = name_cols(buffer_columns, BUFFER_COLUMNS, body.w);
	char name[NAMES_BUF], text[384];
	if (!t || y >= body.y + body.h)
		return;
	surface_text(s, y - 1, 1, names - 1, INK_HEAD, 0, "its largest buffers at the peak");
	draw_cells(buffer_columns, BUFFER_COLUMNS, NULL, 0, s, y - 1, body.w, INK_HEAD);
	for (uint32_t row = 0; row < t->n_rows && y < body.y + body.h; row++) {
		const struct cell *at_peak = column_cell(t, row, COL_XLA_BUFFERS_AT_PEAK);
		if (at_peak->null || !at_peak->b || !is_of(t, row, programs, st->view.place.row))
			continue;
		const char *what = column_text(t, row, COL_XLA_BUFFERS_NAME),
			   *shape = column_text(t, row, COL_XLA_BUFFERS_SHAPE),
			   *op = column_text(t, row, COL_XLA_BUFFERS_OP);
		snprintf(text, sizeof text, "%.120s  %.120s  %.120s", what ? what : "-", shape ? shape : "",
			 op ? op : "");
		surface_text(s, y, 1, names - 1, INK_TEXT, 0, name_fit(text, names - 1, name));
		draw_cells(buffer_columns, BUFFER_COLUMNS, t, row, s, y++, body.w, INK_TEXT);
	}
}

static void draw_head(const struct state *st, const struct table *t, struct surface *s, struct rect body)
{
	char peak[96], given[96], back[96], inside[96], aside[96];
	uint32_t row = st->view.place.row;
	surface_printf(s, body.y, 1, body.w - 2, INK_STRONG, 0, "%s",
		       "what compiled programs need on each device, as the compiler planned it");
	if (row >= t->n_rows)
		return;
	surface_printf(s, body.y + 1, 1, body.w - 2, INK_TEXT, 0,
		       "peak %s: arguments %s, outputs %s, temporaries %s; %s in all",
		       column_words(t, row, COL_XLA_MEMORY_PEAK, peak, sizeof peak),
		       column_words(t, row, COL_XLA_MEMORY_ARGUMENTS, given, sizeof given),
		       column_words(t, row, COL_XLA_MEMORY_OUTPUTS, back, sizeof back),
		       column_words(t, row, COL_XLA_MEMORY_TEMPORARY, inside, sizeof inside),
		       column_words(t, row, COL_XLA_MEMORY_TOTAL, aside, sizeof aside));
}

void programs_draw(const struct state *st, struct surface *s, struct rect body)
{
	const struct table *t = programs_table(st);
	if (!t) {
		surface_text(s, body.y, 1, body.w - 2, INK_QUIET, 0, "reading what the programs need ...");
		return;
	}
	draw_head(st, t, s, body);
	if (st->view.place.row < t->n_rows)
		draw_heap(st, s, (struct rect){body.y + HEAD_ROWS, 0, chart_rows(body), body.w}, st->view.place.row);
	draw_programs(st, t, s, body);
	if (st->view.place.row < t->n_rows)
		draw_buffers(st, t, s, body);
}
