#include "step_iterations.h"
#include "model/analysis/serving/iterations_columns.h"
#include "model/store/base/units.h"
#include "tui/text/short_names.h"
#include "tui/text/utf8.h"

enum { HEAD_ROWS = 2, DETAIL_ROWS = 5, LEAST_ROWS = 5, BAR_GAP = 2, DEVICE_COLS = 14, NS_COLS = 10 };
enum { WIDE = 100, LEAST_BAR = 4, SCALE_COLS = 14 };

/* ---- layout ------------------------------------------------------------------------------------------------------- */

/* Where no device work is recorded, labels and what lies between them on the host. */
struct field {
	const char *head;
	uint8_t column;
	int cols;
	bool right, devices, wide; /* devices: only where there are several; wide: only on a wide screen */
};
enum { FIELDS = 9, SETS = 2 };
static const struct field fields[SETS][FIELDS] = {
	{{"iteration", COL_ITERATIONS_ITERATION, 9, true, false, false},
	 {"kind", COL_ITERATIONS_KIND, 9, false, false, false},
	 {"device", COL_ITERATIONS_DEVICE, DEVICE_COLS, false, true, true},
	 {"requests", COL_ITERATIONS_REQUESTS, 8, true, false, false},
	 {"tokens", COL_ITERATIONS_TOKENS, 7, true, false, false},
	 {"length", COL_ITERATIONS_DUR, NS_COLS, true, false, false},
	 {"on device", COL_ITERATIONS_DEVICE_NS, NS_COLS, true, false, false},
	 {"between", COL_ITERATIONS_BETWEEN, NS_COLS, true, false, false},
	 {"tokens/s", COL_ITERATIONS_RATE, NS_COLS, true, false, true}},
	{{"iteration", COL_ITERATIONS_ITERATION, 9, true, false, false},
	 {"kind", COL_ITERATIONS_KIND, 9, false, false, false},
	 {"requests", COL_ITERATIONS_REQUESTS, 8, true, false, false},
	 {"tokens", COL_ITERATIONS_TOKENS, 7, true, false, false},
	 {"label", COL_ITERATIONS_LABEL_NS, NS_COLS, true, false, false},
	 {"to the next", COL_ITERATIONS_HOST, NS_COLS + 1, true, false, false}}};

/* What is drawn of the table, and how. */
struct picture {
	const struct state *st;
	const struct table *t;
	const struct field *fields;
	int bar_x, bar_w;
	int64_t scale_ns; /* length of a full bar */
	bool host;
};

static bool shown(const struct state *st, const struct field *f, int w)
{
	return f->head && !(f->devices && trace_devices(st->t) < 2) && !(f->wide && w < WIDE);
}

static int detail_rows(struct rect body)
{
	return body.h >= HEAD_ROWS + LEAST_ROWS + DETAIL_ROWS + 1 ? DETAIL_ROWS : 0;
}

int step_iterations_height(struct rect body)
{
	int details = detail_rows(body), h = body.h - HEAD_ROWS - (details ? details + 1 : 0);
	return h > 1 ? h : 1;
}

/* The bar of a row: what is full of it, and all of it. */
static void bar_of(const struct picture *p, uint32_t row, int64_t *full_ns, int64_t *all_ns)
{
	*full_ns = column_int(p->t, row, p->host ? COL_ITERATIONS_LABEL_NS : COL_ITERATIONS_DEVICE_NS);
	*all_ns = column_int(p->t, row, p->host ? COL_ITERATIONS_HOST : COL_ITERATIONS_DUR);
	if (p->host)
		*all_ns = *full_ns + (*all_ns == UNKNOWN_I64 ? 0 : *all_ns);
}

static int64_t longest(const struct picture *p)
{
	int64_t most = 0, full_ns, all_ns;
	for (uint32_t row = 0; row < p->t->n_rows; row++) {
		bar_of(p, row, &full_ns, &all_ns);
		most = all_ns != UNKNOWN_I64 && all_ns > most ? all_ns : most;
	}
	return most;
}

static struct picture lay_out(const struct state *st, const struct table *t, int w)
{
	struct picture p = {.st = st, .t = t, .bar_x = BAR_GAP};
	p.scale_ns = longest(&p);
	p.host = p.scale_ns == 0;
	p.fields = fields[p.host];
	if (p.host)
		p.scale_ns = longest(&p);
	for (int i = 0; i < FIELDS; i++)
		p.bar_x += shown(st, &p.fields[i], w) ? p.fields[i].cols + 1 : 0;
	p.bar_w = w - 1 - p.bar_x;
	return p;
}

/* ---- rows --------------------------------------------------------------------------------------------------------- */

static void put_field(struct surface *s, int y, int x, const struct field *f, int ink, const char *text)
{
	if (f->right)
		surface_text_right(s, y, x, f->cols, ink, 0, text);
	else
		surface_text(s, y, x, f->cols, ink, 0, text);
}

static void draw_heads(const struct picture *p, struct surface *s, int y, int w)
{
	char ns[UNITS_BUF];
	for (int i = 0, x = 1; i < FIELDS; i++)
		if (shown(p->st, &p->fields[i], w)) {
			put_field(s, y, x, &p->fields[i], INK_HEAD, p->fields[i].head);
			x += p->fields[i].cols + 1;
		}
	if (p->bar_w < SCALE_COLS)
		return;
	surface_text(s, y, p->bar_x, p->bar_w, INK_HEAD, 0, "0");
	surface_text_right(s, y, p->bar_x + 2, p->bar_w - 2, INK_HEAD, 0, fmt_ns(ns, p->scale_ns));
}

/* Of its length the part with work on the device, dots for the rest. */
static void draw_bar(const struct picture *p, uint32_t row, struct surface *s, int y)
{
	int64_t full_ns, all_ns;
	bar_of(p, row, &full_ns, &all_ns);
	if (p->bar_w < LEAST_BAR || full_ns == UNKNOWN_I64 || all_ns == UNKNOWN_I64 || p->scale_ns <= 0)
		return;
	double columns = (double)p->bar_w / (double)p->scale_ns;
	int cols = (int)((double)all_ns * columns + 0.5), full = (int)((double)full_ns * columns + 0.5);
	full = full > 0 || full_ns == 0 ? full : 1;
	for (int i = 0; i < cols || i < full; i++)
		surface_put(s, y, p->bar_x + i, i < full ? 0x2588 : 0x00B7, i < full ? INK_BUSY : INK_GAP,
			    i < full ? PEN_SHAPE : 0);
}

static void draw_row(const struct picture *p, uint32_t row, struct surface *s, int y, int w)
{
	char buf[128];
	bool chosen = row == p->st->view.place.row;
	if (chosen)
		surface_fill(s, (struct rect){y, 1, 1, p->bar_x - BAR_GAP}, ' ', INK_SELECTED, 0);
	for (int i = 0, x = 1; i < FIELDS; i++)
		if (shown(p->st, &p->fields[i], w)) {
			put_field(s, y, x, &p->fields[i], chosen ? INK_SELECTED : INK_TEXT,
				  column_words(p->t, row, p->fields[i].column, buf, sizeof buf));
			x += p->fields[i].cols + 1;
		}
	draw_bar(p, row, s, y);
}

/* ---- the selected one --------------------------------------------------------------------------------------------- */

/* Each line with its longest numbers fits into 80 columns; only the name of an event is cut. */
enum { LINE_NUMBERS = 4 };
static const struct {
	const char *label;
	uint8_t column;
} numbers[DETAIL_ROWS][LINE_NUMBERS] = {{{"tokens/s", COL_ITERATIONS_RATE},
					 {"padding", COL_ITERATIONS_PADDING},
					 {"context tokens", COL_ITERATIONS_CONTEXT},
					 {"attention", COL_ITERATIONS_ATTENTION}},
					{{"idle", COL_ITERATIONS_IDLE_PCT},
					 {"of peak arithmetic", COL_ITERATIONS_GEMM_PCT},
					 {"floor", COL_ITERATIONS_FLOOR},
					 {"of it", COL_ITERATIONS_FLOOR_PCT}},
					{{"host: label to first launch", COL_ITERATIONS_BEFORE}},
					{{"host: to the next one", COL_ITERATIONS_HOST},
					 {"of it", COL_ITERATIONS_EVENT_NS},
					 {"in", COL_ITERATIONS_EVENT}},
					{{"by graphs", COL_ITERATIONS_GRAPH},
					 {"kernels outside", COL_ITERATIONS_OUTSIDE},
					 {"in", COL_ITERATIONS_OUTSIDE_NS},
					 {"calls saved", COL_ITERATIONS_SAVED}}};

static void draw_numbers(const struct table *t, uint32_t row, int line, struct surface *s, int y, int w)
{
	char buf[256], name[NAMES_BUF];
	for (int i = 0, x = 1; i < LINE_NUMBERS && numbers[line][i].label && x < w - 1; i++) {
		if (column_cell(t, row, numbers[line][i].column)->null)
			continue;
		x += surface_text(s, y, x, w - x - 1, INK_QUIET, 0, numbers[line][i].label) + 1;
		const char *text = column_words(t, row, numbers[line][i].column, buf, sizeof buf);
		if (x < w - 1)
			x += surface_text(s, y, x, w - x - 1, INK_TEXT, 0, name_fit(text, w - x - 1, name)) + 3;
	}
}

void step_iterations_draw(const struct state *st, const struct table *t, struct surface *s, struct rect body)
{
	struct picture p = lay_out(st, t, body.w);
	int h = step_iterations_height(body), y = body.y + HEAD_ROWS;
	uint32_t top = st->view.place.top, chosen = st->view.place.row;
	draw_heads(&p, s, body.y + 1, body.w);
	for (int i = 0; i < h && top + (uint32_t)i < t->n_rows; i++)
		draw_row(&p, top + (uint32_t)i, s, y + i, body.w);
	for (int line = 0; line < detail_rows(body) && chosen < t->n_rows; line++)
		draw_numbers(t, chosen, line, s, y + h + 1 + line, body.w);
}
