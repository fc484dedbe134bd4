/* tui/panes/pane_comms.c - several devices beside each other: who waits for whom in collectives, and step by step how much. */
#include "comms_labels.h"
#include "pane_list.h"
#include "pane_registry.h"
#include "model/analysis/comms/collective_steps_columns.h"
#include "model/analysis/comms/replicas_columns.h"
#include "model/analysis/findings/findings_columns.h"
#include "model/analysis/launches/launch_order_columns.h"
#include "model/store/base/memory.h"
#include "model/store/base/spans.h"
#include "model/store/base/units.h"
#include "tui/screen/wrap.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	HEAD_ROWS = 4,
	NS_COLS = 11,
	LAST_COLS = 10,
	MIN_HEAT_COLS = 16,
};

/* What the map shows of each step, in the order of the key; share of the step, but for its length. */
static const struct {
	const char *title;
	uint8_t column;    /* of collective_steps */
	bool latest_first; /* devices that others wait for longest stand first; else in order of rank */
} measures[] = {{"waiting", COL_COLLECTIVE_STEPS_WAIT, false},
		{"latest first", COL_COLLECTIVE_STEPS_LATE, true},
		{"exposed", COL_COLLECTIVE_STEPS_EXPOSED, false}};
enum { MEASURES = sizeof measures / sizeof *measures };

static struct table *replicas(const struct state *st)
{
	return pane_table_named(st, "replicas");
}

static struct table *steps(const struct state *st)
{
	return pane_table_named(st, "collective_steps");
}

static uint32_t items(const struct state *st)
{
	const struct table *t = replicas(st);
	return t && t->n_rows > 1 ? t->n_rows : 0; /* one device waits for none: a sentence stands there instead */
}

static int by_waited_for(const void *a, const void *b, void *arg)
{
	const struct table *t = arg;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	int64_t first = column_int(t, x, COL_REPLICAS_WAITED_FOR), second = column_int(t, y, COL_REPLICAS_WAITED_FOR);
	if (first != second)
		return first > second ? -1 : 1; /* what is unknown is the smallest number */
	return (x > y) - (x < y);
}

/* Rows of the table as they stand on the screen; the caller frees them. */
static uint32_t *order_of(const struct state *st, struct table *t)
{
	uint32_t *order = must(malloc((t->n_rows + (size_t)1) * sizeof *order));
	for (uint32_t i = 0; i < t->n_rows; i++)
		order[i] = i;
	if (measures[st->view.place.by].latest_first && t->n_rows > 1)
		qsort_r(order, t->n_rows, sizeof *order, by_waited_for, t);
	return order;
}

/* The row of the table that is selected; NONE_ID: none is. */
static uint32_t selected(const struct state *st)
{
	struct table *t = replicas(st);
	if (!t || st->view.place.row >= t->n_rows)
		return NONE_ID;
	uint32_t *order = order_of(st, t), row = order[st->view.place.row];
	free(order);
	return row;
}

int64_t comms_rank(const struct state *st)
{
	uint32_t row = st->view.pane == PANE_COMMS && !st->opts->summary ? selected(st) : NONE_ID;
	if (row == NONE_ID)
		return UNKNOWN_I64;
	int64_t rank = column_int(replicas(st), row, COL_REPLICAS_RANK);
	long long gpu;
	const char *device = column_text(replicas(st), row, COL_REPLICAS_DEVICE);
	if (rank == UNKNOWN_I64 && device && sscanf(device, "%*1[GT]PU %lld", &gpu) == 1)
		return gpu;
	return rank;
}

/* ---- the map -------------------------------------------------------------------------------------------------------------- */

struct map {
	const struct table *steps, *replicas;
	const uint32_t *seen; /* rows of replicas */
	uint32_t rows, hint;  /* how many; where the next row is looked for first */
	int cols;
	uint32_t *n, *at; /* per row seen: its steps, and how many of them were passed */
	float *heat;      /* rows x cols: the largest share of the steps in a cell; below 0: none is there */
};

static int label_cols(const struct table *t, int w)
{
	return comms_label_cols(t, w - (1 + 3 * NS_COLS + LAST_COLS + 1 + MIN_HEAT_COLS + 1));
}

static int heat_x(const struct table *t, int w)
{
	return 1 + label_cols(t, w) + 3 * NS_COLS + LAST_COLS + 1;
}

/* Rows of two tables with the columns rank and device, which people read as "GPU 0" or "rank 3 GPU 3". */
static bool same_device(const struct table *x, uint32_t row, const uint32_t columns[2], const struct table *replicas,
			uint32_t replica)
{
	int64_t rank = column_int(replicas, replica, COL_REPLICAS_RANK);
	if (column_int(x, row, columns[0]) != rank)
		return false;
	if (rank != UNKNOWN_I64 && !comms_rank_has_several(replicas, replica))
		return true; /* without their names, which are made when they are asked for */
	const char *one = column_text(x, row, columns[1]), *other = column_text(replicas, replica, COL_REPLICAS_DEVICE);
	return one && other && !strcmp(one, other);
}

static bool step_is_of(const struct map *m, uint32_t step_row, uint32_t replica)
{
	static const uint32_t columns[] = {COL_COLLECTIVE_STEPS_RANK, COL_COLLECTIVE_STEPS_DEVICE};
	return same_device(m->steps, step_row, columns, m->replicas, replica);
}

/* Which row that is seen the step belongs to; NONE_ID: none. Neighbours are of one host, so the hint is nearly always right. */
static uint32_t row_of_step(struct map *m, uint32_t step_row)
{
	for (uint32_t i = 0; i < m->rows; i++) {
		uint32_t row = (m->hint + i) % m->rows;
		if (step_is_of(m, step_row, m->seen[row])) {
			m->hint = row;
			return row;
		}
	}
	return NONE_ID;
}

static float share(const struct table *t, uint32_t row, unsigned measure)
{
	int64_t part = column_int(t, row, measures[measure].column),
		whole = column_int(t, row, COL_COLLECTIVE_STEPS_DUR);
	return part == UNKNOWN_I64 || whole <= 0 ? -1 : (float)part / (float)whole;
}

static void fill_map(struct map *m, unsigned measure)
{
	for (uint32_t i = 0; i < m->steps->n_rows; i++) {
		uint32_t row = row_of_step(m, i);
		if (row != NONE_ID)
			m->n[row]++;
	}
	for (uint32_t i = 0; i < m->rows * (uint32_t)m->cols; i++)
		m->heat[i] = -1;
	for (uint32_t i = 0; i < m->steps->n_rows; i++) {
		uint32_t row = row_of_step(m, i);
		if (row == NONE_ID)
			continue;
		uint32_t step = m->at[row]++, cols = (uint32_t)m->cols;
		uint32_t col = m->n[row] <= cols ? step : (uint32_t)((uint64_t)step * cols / m->n[row]);
		float *cell = &m->heat[row * cols + col], v = share(m->steps, i, measure);
		*cell = v > *cell ? v : *cell;
	}
}

static const struct {
	float from; /* share of the step */
	uint32_t glyph, ascii;
	int ink;
	const char *label;
} levels[] = {{0.5F, 0x2588, '#', INK_BAD, "from 50 %"},
	      {0.3F, 0x2593, '*', INK_BAD, "30"},
	      {0.15F, 0x2592, '+', INK_WARN, "15"},
	      {0.03F, 0x2591, '-', INK_WARN, "3"},
	      {0, 0x00B7, '.', INK_QUIET, "0"}};
enum { LEVELS = sizeof levels / sizeof *levels };

static void put_level(const struct state *st, struct surface *s, int y, int x, size_t level)
{
	surface_put(s, y, x, st->ascii ? levels[level].ascii : levels[level].glyph, levels[level].ink, 0);
}

static void put_heat(const struct state *st, struct surface *s, int y, int x, float v)
{
	for (size_t i = 0; i < LEVELS; i++)
		if (v >= levels[i].from) {
			put_level(st, s, y, x, i);
			return;
		}
}

/* Steps to show the waits of: a table of none is no picture. */
static bool has_map(const struct state *st)
{
	const struct table *t = steps(st);
	return t && t->n_rows;
}

static void draw_legend(const struct state *st, struct surface *s, int y, int w)
{
	int x = 1 + surface_text(s, y, 1, w - 2, INK_QUIET, 0, "share of the step: ");
	for (size_t i = 0; i < LEVELS && x < w - 10; i++) {
		put_level(st, s, y, x, i);
		x += 3 + surface_text(s, y, x + 2, w - x - 3, INK_QUIET, 0, levels[i].label) + 1;
	}
}

static void draw_map(const struct state *st, struct surface *s, int y, int w, const uint32_t *seen, uint32_t rows)
{
	struct map m = {.steps = steps(st), .replicas = replicas(st), .seen = seen, .rows = rows};
	int x_of_map = heat_x(m.replicas, w);
	m.cols = w - x_of_map - 1;
	if (!m.steps || m.cols < 1 || !rows)
		return;
	m.n = must(calloc(rows, sizeof *m.n));
	m.at = must(calloc(rows, sizeof *m.at));
	m.heat = must(malloc(rows * (size_t)m.cols * sizeof *m.heat));
	fill_map(&m, st->view.place.by);
	for (uint32_t row = 0; row < rows; row++)
		for (int x = 0; x < m.cols; x++)
			put_heat(st, s, y + (int)row, x_of_map + x, m.heat[row * (uint32_t)m.cols + (uint32_t)x]);
	free(m.n);
	free(m.at);
	free(m.heat);
}

/* ---- the list ------------------------------------------------------------------------------------------------------------- */

static void draw_row(const struct table *t, uint32_t row, bool chosen, struct surface *s, int y, int w)
{
	static const uint8_t columns[] = {COL_REPLICAS_STEP, COL_REPLICAS_COMPUTE, COL_REPLICAS_WAIT};
	int ink = chosen ? INK_SELECTED : INK_TEXT, cols = label_cols(t, w), x = 1 + cols;
	char text[COMMS_LABEL], calls[96];
	if (chosen)
		surface_fill(s, (struct rect){y, 0, 1, heat_x(t, w) < w ? heat_x(t, w) : w}, ' ', INK_SELECTED, 0);
	surface_text(s, y, 1, cols - 1, ink, 0, comms_label_within(t, row, cols - 1, text, sizeof text));
	for (size_t i = 0; i < sizeof columns; i++, x += NS_COLS)
		surface_printf(s, y, x, NS_COLS - 1, ink, 0, "%*s", NS_COLS - 1,
			       column_words(t, row, columns[i], text, sizeof text));
	if (column_int(t, row, COL_REPLICAS_MATCHED) > 0)
		surface_printf(s, y, x, LAST_COLS,
			       column_int(t, row, COL_REPLICAS_LAST) > 0 && !chosen ? INK_WARN : ink, 0, "%s of %s",
			       column_words(t, row, COL_REPLICAS_LAST, text, sizeof text),
			       column_words(t, row, COL_REPLICAS_MATCHED, calls, sizeof calls));
}

/* ---- what is said first ---------------------------------------------------------------------------------------------------- */

/* The row that the others wait for longest; NONE_ID: nothing is known of any. */
static uint32_t most_waited_for(const struct table *t)
{
	uint32_t most = 0;
	for (uint32_t row = 1; row < t->n_rows; row++)
		if (column_int(t, row, COL_REPLICAS_WAITED_FOR) > column_int(t, most, COL_REPLICAS_WAITED_FOR))
			most = row;
	return t->n_rows && column_int(t, most, COL_REPLICAS_WAITED_FOR) != UNKNOWN_I64 ? most : NONE_ID;
}

/* "The others wait longest for TPU 2, 14.781 us in all, which is last at 3 of its 3 matched calls" between two texts. */
static const char *waited_words(struct table *t, uint32_t row, const char *before, const char *behind, char *buf,
				size_t size)
{
	char label[COMMS_LABEL], waited[48], calls[48], matched[48];
	comms_label(t, row, label, sizeof label);
	snprintf(buf, size, "%s others wait longest for %s, %s in all, which is last at %s of its %s matched calls%s",
		 before, label, column_words(t, row, COL_REPLICAS_WAITED_FOR, waited, sizeof waited),
		 column_words(t, row, COL_REPLICAS_LAST, calls, sizeof calls),
		 column_words(t, row, COL_REPLICAS_MATCHED, matched, sizeof matched), behind);
	return buf;
}

/* Of a summary that rules cannot be asked about: who is waited for longest stands in its rows. */
static const char *summary_verdict(struct table *t, char *buf, size_t size)
{
	uint32_t most = most_waited_for(t);
	return most == NONE_ID ? "" : waited_words(t, most, "The", "", buf, size);
}

/* The worst of what the rules say of devices beside each other, which the table has first; NULL while it is worked out, "" when
 * they say nothing. */
static const char *verdict(const struct state *st, char *buf, size_t size)
{
	static const char *const rules[] = {"waits-for-rank", "launch-order", "serial-devices", "replicas"};
	const struct table *t = pane_table_named(st, "findings");
	for (uint32_t row = 0; t && row < t->n_rows; row++)
		if (TEXT_IS_ONE_OF(column_text(t, row, COL_FINDINGS_RULE), rules))
			return column_text(t, row, COL_FINDINGS_SENTENCE);
	return !t ? NULL : st->opts->summary ? summary_verdict(replicas(st), buf, size) : "";
}

/* No rule speaks: there are no calls to compare, or no steps to compare their waiting with. */
static const char *silent_verdict(struct table *t, char *buf, size_t size)
{
	uint32_t most = most_waited_for(t);
	if (most == NONE_ID || column_int(t, most, COL_REPLICAS_MATCHED) <= 0)
		return "No collective is recorded on two or more devices: cannot tell who waits for whom.";
	if (column_int(t, most, COL_REPLICAS_WAITED_FOR) <= 0)
		return "No device waits for another one in collectives.";
	return waited_words(t, most, "The", "; there are no steps to compare that with.", buf, size);
}

enum { VERDICT = 640 };

static const char *said_first(const struct state *st, char buf[VERDICT])
{
	const char *said = verdict(st, buf, VERDICT);
	return !said ? "working out what the rules say ..." : *said ? said : silent_verdict(replicas(st), buf, VERDICT);
}

/* Rows above the list: as many as the sentence takes, and the headings; lists do not jump when it is short. */
static int head_rows(const struct state *st, struct rect body)
{
	char text[VERDICT];
	struct rect r = {0, 1, 0, body.w - 2};
	int rows = replicas(st) ? wrap_text(NULL, r, INK_STRONG, said_first(st, text), 0, 0) + 1 : 0;
	return rows > HEAD_ROWS ? rows : HEAD_ROWS;
}

static int list_y(const struct state *st, struct rect body)
{
	return body.y + head_rows(st, body);
}

/* ---- keys ------------------------------------------------------------------------------------------------------------------ */

static void enter(struct state *st)
{
	static const char *const wanted[] = {"replicas", "collective_steps", "launch_order", "findings"};
	struct rect body = pane_body(st);
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
		pane_want(st, wanted[i]);
	list_clamp(st, items(st), list_height(body, list_y(st, body)));
}

/* The trace's device whose row it is; NONE_ID: none has its name. */
static uint32_t device_of(const struct state *st, uint32_t row)
{
	const char *name = column_text(replicas(st), row, COL_REPLICAS_DEVICE);
	char label[256];
	for (uint32_t i = 0; name && i < trace_devices(st->t); i++)
		if (!strcmp(trace_device_label(st->t, i, label, sizeof label), name))
			return i;
	return NONE_ID;
}

/* The row of the selected device, at its step with most of what the map shows. */
static void open_row(struct state *st)
{
	struct map m = {.steps = steps(st), .replicas = replicas(st)};
	if (st->opts->summary) {
		state_say(st, INK_STATUS, "a summary has no timeline");
		return;
	}
	uint32_t best = NONE_ID, row = selected(st);
	for (uint32_t i = 0; m.steps && row != NONE_ID && i < m.steps->n_rows; i++)
		if (step_is_of(&m, i, row) &&
		    (best == NONE_ID || share(m.steps, i, st->view.place.by) > share(m.steps, best, st->view.place.by)))
			best = i;
	if (best != NONE_ID)
		nav_evidence(st, table_evidence_of(m.steps, best));
	uint32_t device = row == NONE_ID ? NONE_ID : device_of(st, row);
	if (device == NONE_ID)
		return;
	if (best == NONE_ID)
		nav_push(st);
	nav_device(st, device);
}

/* Another order leaves the same device selected. */
static void show_next(struct state *st)
{
	uint32_t row = selected(st);
	st->view.place.by = (uint8_t)((st->view.place.by + 1u) % MEASURES);
	if (row == NONE_ID)
		return;
	uint32_t *order = order_of(st, replicas(st)), at = 0;
	while (order[at] != row)
		at++;
	st->view.place.row = at;
	free(order);
	enter(st);
}

static void act(struct state *st, enum action a)
{
	if (list_act(st, a))
		return;
	if (a == ACT_ITEM_OPEN)
		open_row(st);
	else if (a == ACT_GROUPS)
		show_next(st);
	else if (a == ACT_FORMULAS)
		list_columns_told(st, "Comms", replicas(st));
}

static void mouse(struct state *st, enum mouse_button what, int y, int x)
{
	(void)x;
	list_mouse(st, what, y - list_y(st, pane_body(st)));
	enter(st);
}

/* ---- picture ---------------------------------------------------------------------------------------------------------------- */

static void draw_head(const struct state *st, struct surface *s, struct rect body)
{
	char text[VERDICT];
	struct rect r = {body.y, 1, 0, body.w - 2};
	int y = list_y(st, body) - 1, cols = label_cols(replicas(st), body.w), x = 1 + cols;
	wrap_text(s, r, INK_STRONG, said_first(st, text), body.y, y);
	static const char *const heads[] = {"step", "compute", "waiting"};
	surface_text(s, y, 1, cols, INK_HEAD, 0, "device");
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++, x += NS_COLS)
		surface_printf(s, y, x, NS_COLS - 1, INK_HEAD, 0, "%*s", NS_COLS - 1, heads[i]);
	surface_text(s, y, x, LAST_COLS, INK_HEAD, 0, "last at");
	x = heat_x(replicas(st), body.w);
	if (has_map(st))
		surface_printf(s, y, x, body.w - x - 1, INK_HEAD, 0, "by step: %s", measures[st->view.place.by].title);
}

static void draw(const struct state *st, struct surface *s, struct rect body)
{
	const struct table *t = replicas(st);
	if (!t) {
		surface_text(s, body.y, 1, body.w - 2, INK_QUIET, 0, "comparing the devices ...");
		return;
	}
	if (t->n_rows < 2) {
		wrap_text(s, (struct rect){body.y, 1, 0, body.w - 2}, INK_QUIET,
			  t->n_rows ? "Only one device works in this trace or window. To see who waits for whom, open "
				      "the traces of all ranks together: their folder, or several files."
				    : "No device works in this trace or window: cannot tell who waits for whom.",
			  body.y, body.y + body.h);
		return;
	}
	draw_head(st, s, body);
	int y = list_y(st, body), h = list_height(body, y);
	uint32_t left = t->n_rows - (st->view.place.top < t->n_rows ? st->view.place.top : t->n_rows);
	uint32_t rows = left < (uint32_t)h ? left : (uint32_t)h;
	uint32_t *order = order_of(st, replicas(st)), top = t->n_rows - left;
	for (uint32_t i = 0; i < rows; i++)
		draw_row(t, order[top + i], top + i == st->view.place.row, s, y + (int)i, body.w);
	draw_map(st, s, y, body.w, order + top, rows);
	free(order);
	if ((int)rows + 2 <= h && has_map(st))
		draw_legend(st, s, y + (int)rows + 1, body.w);
}

/* ", 1 launching thread, launched 40.000 ms after GPU 2 in 7 of 10 steps, idle 45.000 ms when they begin" */
static void told_of_launches(const struct state *st, const struct table *t, uint32_t row, char *buf, size_t size)
{
	const struct table *o = pane_table_named(st, "launch_order");
	char text[4][48];
	static const uint32_t columns[] = {COL_LAUNCH_ORDER_RANK, COL_LAUNCH_ORDER_DEVICE};
	uint32_t i = 0;
	while (o && i < o->n_rows && !same_device(o, i, columns, t, row))
		i++;
	if (!o || i == o->n_rows || column_int(o, i, COL_LAUNCH_ORDER_LATE) == UNKNOWN_I64)
		return;
	int64_t threads = column_int(o, i, COL_LAUNCH_ORDER_THREADS);
	int n = snprintf(buf, size, ", idle %s when steps begin, %lld launching thread%s",
			 column_words(o, i, COL_LAUNCH_ORDER_IDLE, text[0], sizeof text[0]), (long long)threads,
			 threads == 1 ? "" : "s");
	if (n > 0 && (size_t)n < size && column_int(o, i, COL_LAUNCH_ORDER_LATE) > 0)
		snprintf(buf + n, size - (size_t)n, ", launched %s after GPU %s in %s of %s steps",
			 column_words(o, i, COL_LAUNCH_ORDER_LATE_BY, text[0], sizeof text[0]),
			 column_words(o, i, COL_LAUNCH_ORDER_BEHIND, text[1], sizeof text[1]),
			 column_words(o, i, COL_LAUNCH_ORDER_LATE, text[2], sizeof text[2]),
			 column_words(o, i, COL_LAUNCH_ORDER_STEPS, text[3], sizeof text[3]));
}

/* ", its kernels take longer (4.400 ms more)": per call, than the others' mean, as the finding says it. "": nothing makes half of it. */
static const char *because_words(const struct table *t, uint32_t row, char *buf, size_t size)
{
	char more[UNITS_BUF];
	const char *because = column_text(t, row, COL_REPLICAS_BECAUSE);
	int64_t calls = column_int(t, row, COL_REPLICAS_JUDGED);
	if (!because || calls <= 0)
		return "";
	double sum_ns = column_cell(t, row, COL_REPLICAS_BECAUSE_NS)->r;
	snprintf(buf, size, ", %s (%s more)", because, fmt_ns(more, llround(sum_ns / (double)calls)));
	return buf;
}

static void status(const struct state *st, char *buf, size_t size)
{
	const struct table *t = replicas(st);
	char label[COMMS_LABEL], waited[96], because[160];
	buf[0] = 0;
	uint32_t row = selected(st);
	if (row == NONE_ID || t->n_rows < 2)
		return;
	comms_label(t, row, label, sizeof label);
	if (column_int(t, row, COL_REPLICAS_LAST) > 0)
		snprintf(buf, size, "%s: others wait %s for it%s", label,
			 column_words(t, row, COL_REPLICAS_WAITED_FOR, waited, sizeof waited),
			 because_words(t, row, because, sizeof because));
	else
		snprintf(buf, size, "%s", label);
	size_t n = strlen(buf);
	told_of_launches(st, t, row, buf + n, size - n);
}

static bool knows(const struct state *st, enum action a)
{
	return a == ACT_GROUPS && items(st);
}

const struct pane_ops pane_comms = {.title = "Comms",
				    .scope = SCOPE_LIST,
				    .enter = enter,
				    .act = act,
				    .mouse = mouse,
				    .draw = draw,
				    .status = status,
				    .knows = knows,
				    .items = items};
