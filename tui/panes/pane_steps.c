/* tui/panes/pane_steps.c - every step as a bar of what its time went to; below, the selected one in numbers beside the mean of all.
 * Where a server is recorded the rows are its iterations (step_iterations.h). */
#include "pane_list.h"
#include "pane_registry.h"
#include "pane_table.h"
#include "step_iterations.h"
#include "step_panel.h"
#include "model/analysis/derived/job_steps.h"
#include "model/analysis/overview/top.h"
#include "model/store/base/units.h"
#include "tui/screen/mix_ink.h"
#include "tui/screen/wrap.h"
#include "tui/tables/step_mix.h"
#include "tui/text/utf8.h"
#include "model/analysis/serving/iterations_columns.h"
#include "model/analysis/steps/steps_columns.h"
#include <math.h>
#include <string.h>

static struct table *steps(const struct state *st)
{
	return pane_table_named(st, "steps");
}

/* ---- title -------------------------------------------------------------------------------------------------------- */

enum { TITLE_MOST = 3 }; /* rows */

static uint32_t count_phase(const struct table *t, const char *phase)
{
	uint32_t n = 0;
	for (uint32_t row = 0; row < t->n_rows; row++) {
		const char *found = column_text(t, row, COL_STEPS_PHASE);
		n += found && strcmp(found, phase) == 0;
	}
	return n;
}

static const char *text_at(const struct table *overview, const char *key)
{
	const struct cell *c = key_cell(overview, key);
	return c->null || c->type != CELL_TEXT ? "" : c->s;
}

/* "200.000 ms ± 1.000 ms"; "median 175.798 ms, 124.228 ms to 829.409 ms, irregular" */
static const char *length_text(const struct table *overview, bool ascii, struct arena *mem)
{
	char mean[96], sd[96], most[96];
	if (!strcmp(text_at(overview, "step_lengths"), "irregular"))
		return arena_printf(mem, "median %s, %s to %s, irregular",
				    key_words(overview, "step_median_ns", mean, sizeof mean),
				    key_words(overview, "step_min_ns", sd, sizeof sd),
				    key_words(overview, "step_max_ns", most, sizeof most));
	key_words(overview, "step_mean_ns", mean, sizeof mean);
	if (key_cell(overview, "step_sd_ns")->null)
		return arena_strdup(mem, mean);
	return arena_printf(mem, "%s %s %s", mean, ascii ? "+-" : "\xc2\xb1",
			    key_words(overview, "step_sd_ns", sd, sizeof sd));
}

/* "W warm-up: 1  ! unusual: 2; step 0 took 4.490 s: cudaLaunchKernel 1.565 s" */
static const char *left_out(const struct table *t, const char *cost, struct arena *mem)
{
	uint32_t warm = count_phase(t, "warmup"), odd = count_phase(t, "outlier");
	const char *text = warm ? arena_printf(mem, "W warm-up: %u", warm) : "";
	if (odd)
		text = arena_printf(mem, "%s%s! unusual: %u", text, warm ? "  " : "", odd);
	return *cost ? arena_printf(mem, "%s%s%s", text, *text ? "; " : "", cost) : text;
}

/* "5 of 6 steps, inferred  200.000 ms ± 1.000 ms", and what was left out of them after it or, where that has no room, below. */
static int put_steps(const struct state *st, const struct table *t, struct surface *s, struct rect r, struct arena *mem)
{
	const struct table *overview = pane_table_named(st, "overview");
	const char *steps = text_at(overview, "steps_text"), *cost = text_at(overview, "left_out_text"),
		   *head = arena_strndup(mem, steps, strlen(steps) - (*cost ? strlen(cost) + strlen("; ") : 0)),
		   *length = length_text(overview, st->ascii, mem), *left = left_out(t, cost, mem);
	int x = r.x + utf8_width(head) + 2, end = x + utf8_width(length) + 2;
	bool beside = end + utf8_width(left) <= r.x + r.w;
	struct rect rest = {r.y + !beside, beside ? end : r.x, 0, beside ? r.x + r.w - end : r.w};
	if (s) {
		surface_text(s, r.y, r.x, r.w, INK_HEAD, 0, head);
		surface_text(s, r.y, x, r.x + r.w - x, INK_STRONG, 0, length);
	}
	int rows = *left ? wrap_text(s, rest, INK_QUIET, left, r.y, r.y + TITLE_MOST) : 0;
	return beside ? 1 : 1 + rows;
}

/* "Iterations  15 x decode, 8 requests: 203.000 us of 336.000 us on the device, 23,810 tokens/s": what steps are where a server is recorded. */
static int put_iterations(const struct table *overview, struct surface *s, struct rect r)
{
	static const char head[] = "Iterations  ";
	int x = r.x + (int)sizeof head - 1;
	if (s)
		surface_text(s, r.y, r.x, r.w, INK_HEAD, 0, head);
	return wrap_text(s, (struct rect){r.y, x, 0, r.x + r.w - x}, INK_STRONG, text_at(overview, "iterations_text"),
			 r.y, r.y + TITLE_MOST);
}

/* Draws the title unless s is NULL. Returns what is left for a title of one row and all below it. */
static struct rect put_title(const struct state *st, const struct table *t, struct surface *s, struct rect body)
{
	const struct table *overview = pane_table_named(st, "overview");
	struct rect r = {body.y, 1, 1, body.w - 2};
	struct arena mem = {0};
	bool serves = nav_iterations_shown(st) || !key_cell(overview, "iterations_text")->null;
	int rows = serves ? put_iterations(overview, s, r) : t ? put_steps(st, t, s, r, &mem) : 1;
	arena_free(&mem);
	rows = rows < TITLE_MOST ? rows : TITLE_MOST;
	return (struct rect){body.y + rows - 1, body.x, body.h - rows + 1, body.w};
}

static struct rect below_title(const struct state *st)
{
	return put_title(st, steps(st), NULL, pane_body(st));
}

/* ---- layout ------------------------------------------------------------------------------------------------------- */

struct columns_at {
	int label, device, phase, length, gap, bar, bar_w; /* x; device 0 = not shown */
};

static int label_cols(const struct table *t)
{
	int w = 4;
	uint32_t every = t->n_rows / 200 + 1; /* with every frame: 200 labels of a hundred thousand steps are enough */
	for (uint32_t row = 0; row < t->n_rows; row += every) {
		const char *label = column_text(t, row, COL_STEPS_STEP);
		int cols = label ? utf8_width(label) : 0;
		w = cols > w ? cols : w;
	}
	return w > 16 ? 16 : w;
}

static int device_cols(const struct state *st, const struct table *t)
{
	int w = 0;
	if (trace_devices(st->t) < 2)
		return 0;
	for (uint32_t row = 0; row < t->n_rows && row < 200; row++) {
		const char *label = column_text(t, row, COL_STEPS_DEVICE);
		int cols = label ? utf8_width(label) : 0;
		w = cols > w ? cols : w;
	}
	return w > 14 ? 14 : w;
}

static struct columns_at lay_columns(const struct state *st, const struct table *t, struct rect body)
{
	enum { NS_COLS = 10 };
	struct columns_at c = {.label = 1};
	int x = c.label + label_cols(t) + 1, device = device_cols(st, t);
	if (device) {
		c.device = x;
		x += device + 1;
	}
	c.phase = x;
	c.length = x + 2;
	c.gap = c.length + NS_COLS + 1;
	c.bar = c.gap + NS_COLS + 2;
	c.bar_w = body.w - 1 - c.bar;
	return c;
}

static int panel_rows(const struct state *st, struct rect body)
{
	const struct table *t = steps(st);
	int want = t ? step_panel_rows(st, t, body.w) : 0, most = body.h - 7; /* 5 steps stay in sight */
	return want < most ? want : most > 0 ? most : 0;
}

static int rows_shown(const struct state *st, struct rect body)
{
	int h = body.h - 2 - panel_rows(st, body);
	return h > 1 ? h : 1;
}

static void enter(struct state *st)
{
	pane_want(st, "steps");
	pane_want(st, "overview");
	pane_want(st, "idle");
	pane_want(st, "iterations");
	const struct table *t = steps(st), *iterations = nav_iterations_shown(st);
	struct rect body = below_title(st);
	if (iterations)
		list_clamp(st, iterations->n_rows, step_iterations_height(body));
	else if (t)
		list_clamp(st, t->n_rows, rows_shown(st, body));
}

/* ---- keys --------------------------------------------------------------------------------------------------------- */

/* What the rows are: iterations of a server or steps. */
static struct table *listed(const struct state *st)
{
	struct table *iterations = nav_iterations_shown(st);
	return iterations ? iterations : steps(st);
}

static uint32_t items(const struct state *st)
{
	const struct table *t = listed(st);
	return t ? t->n_rows : 0;
}

static void turn(struct state *st)
{
	st->view.place = (struct table_place){.sort_col = -1, .by = !st->view.place.by};
	enter(st);
}

static void tell_formulas(struct state *st)
{
	if (nav_iterations_shown(st))
		list_columns_told(st, "Iterations", nav_iterations_shown(st));
	else if (steps(st))
		step_formulas(st, steps(st));
}

static void act(struct state *st, enum action a)
{
	struct table *t = listed(st);
	if (list_act(st, a))
		return;
	if (a == ACT_ITEM_OPEN && st->view.place.row < items(st))
		table_open_row(st, t, st->view.place.row);
	else if (a == ACT_FORMULAS)
		tell_formulas(st);
	else if (a == ACT_GROUPS && nav_iterations_turn(st))
		turn(st);
}

static void mouse(struct state *st, enum mouse_button what, int y, int x)
{
	struct rect body = below_title(st);
	int shown = nav_iterations_shown(st) ? step_iterations_height(body) : rows_shown(st, body),
	    row = y - body.y - 2;
	(void)x;
	list_mouse(st, what, row < shown && row < (int64_t)items(st) - st->view.place.top ? row : -1);
	enter(st);
}

/* ---- picture ------------------------------------------------------------------------------------------------------ */

static void draw_heads(const struct columns_at *c, const struct step_mix *m, struct surface *s, int y)
{
	char ns[UNITS_BUF];
	surface_text(s, y, c->label, c->phase - c->label, INK_HEAD, 0, "step");
	if (c->device)
		surface_text(s, y, c->device, c->phase - c->device, INK_HEAD, 0, "device");
	surface_text_right(s, y, c->length, 10, INK_HEAD, 0, "length");
	surface_text_right(s, y, c->gap, 10, INK_HEAD, 0, "gap before");
	surface_text(s, y, c->bar, c->bar_w, INK_HEAD, 0, "0");
	surface_text_right(s, y, c->bar + 2, c->bar_w - 2, INK_HEAD, 0, fmt_ns(ns, m->scale_ns));
}

static char phase_letter(const struct table *t, uint32_t row)
{
	const char *phase = column_text(t, row, COL_STEPS_PHASE);
	return !phase ? ' ' : strcmp(phase, "warmup") == 0 ? 'W' : strcmp(phase, "outlier") == 0 ? '!' : ' ';
}

static void draw_segment(const struct state *st, struct surface *s, int y, int x, int w, enum mix_part p)
{
	const struct mix_info *info = mix_info(p);
	uint32_t letter = (uint32_t)(unsigned char)info->letter;
	for (int i = 0; i < w; i++)
		surface_put(s, y, x + i, st->patterns ? letter : 0x2588, mix_ink(p), st->patterns ? 0 : PEN_SHAPE);
	/* colours alone do not tell all parts apart: the letter of the legend stands in the middle */
	if (w > 0 && !st->patterns)
		surface_put(s, y, x + w / 2, letter, mix_ink(p), 0);
}

static void draw_bar(const struct state *st, const struct step_mix *m, const struct mix_row *r, struct surface *s,
		     int y, const struct columns_at *c)
{
	int cols[MIX_PARTS], x = c->bar;
	bool longer = r->dur_ns > m->scale_ns;
	if (c->bar_w < 4)
		return;
	/* a step longer than the scale fills its line and ends in > */
	mix_columns(r, longer ? r->dur_ns : m->scale_ns, c->bar_w - longer, cols);
	for (int i = 0; i < MIX_PARTS; i++) {
		draw_segment(st, s, y, x, cols[i], (enum mix_part)i);
		x += cols[i];
	}
	if (longer)
		surface_put(s, y, x, '>', INK_WARN, PEN_BOLD);
}

static void draw_step(const struct state *st, const struct table *t, uint32_t row, const struct step_mix *m,
		      const struct columns_at *c, struct surface *s, int y)
{
	char buf[128], ns[UNITS_BUF];
	bool chosen = row == st->view.place.row;
	int ink = chosen ? INK_SELECTED : INK_TEXT;
	struct mix_row r = mix_row(t, row);
	struct gap gap;
	bool after_gap = step_gap_before(st, t, row, &gap);
	if (chosen)
		surface_fill(s, (struct rect){y, c->label, 1, c->bar - c->label - 1}, ' ', INK_SELECTED, 0);
	int room = (c->device ? c->device : c->phase) - c->label - 1;
	surface_text(s, y, c->label, room, ink, 0, column_words(t, row, COL_STEPS_STEP, buf, sizeof buf));
	if (c->device)
		surface_text(s, y, c->device, c->phase - c->device - 1, ink, 0,
			     column_words(t, row, COL_STEPS_DEVICE, buf, sizeof buf));
	surface_put(s, y, c->phase, (uint32_t)(unsigned char)phase_letter(t, row), chosen ? ink : INK_WARN, 0);
	surface_text_right(s, y, c->length, 10, chosen ? ink : INK_STRONG, 0,
			   column_words(t, row, COL_STEPS_DUR_NS, buf, sizeof buf));
	surface_text_right(s, y, c->gap, 10,
			   chosen      ? ink
			   : after_gap ? INK_GAP
				       : INK_QUIET,
			   0, after_gap ? fmt_ns(ns, gap.dur_ns) : "-");
	if (r.dur_ns != UNKNOWN_I64)
		draw_bar(st, m, &r, s, y, c);
}

static void draw_empty(const struct state *st, const struct table *t, struct surface *s, struct rect body)
{
	static const char *const lines[] = {
		"no steps here: nothing in this trace marks them, and nothing repeats",
		"name the host events that begin one: --steps-by REGEX",
		"or record markers:", "TensorFlow profiler Trace, JAX StepTraceAnnotation, PyTorch profiler.step()"};
	int n = top_from_framework(st->d) ? 4 : 2; /* only frameworks can record them */
	if (!t) {
		surface_text(s, body.y, 1, body.w - 2, INK_QUIET, 0, "working out the steps ...");
		return;
	}
	for (int i = 0; i < n; i++)
		surface_text(s, body.y + 1 + i, 1, body.w - 2, i ? INK_TEXT : INK_WARN, 0, lines[i]);
}

static void draw(const struct state *st, struct surface *s, struct rect body)
{
	const struct table *t = steps(st), *iterations = nav_iterations_shown(st);
	if (iterations) {
		step_iterations_draw(st, iterations, s, put_title(st, t, s, body));
		return;
	}
	if (!t || !t->n_rows) {
		draw_empty(st, t, s, body);
		return;
	}
	struct step_mix m = step_mix(t);
	body = put_title(st, t, s, body);
	struct columns_at c = lay_columns(st, t, body);
	int h = rows_shown(st, body), panel = panel_rows(st, body);
	draw_heads(&c, &m, s, body.y + 1);
	for (int i = 0; i < h && st->view.place.top + (uint32_t)i < t->n_rows; i++)
		draw_step(st, t, st->view.place.top + (uint32_t)i, &m, &c, s, body.y + 2 + i);
	step_panel(st, t, &m, s, (struct rect){body.y + 2 + h, 0, panel, body.w});
}

static void status(const struct state *st, char *buf, size_t size)
{
	const struct table *t = listed(st);
	char at[UNITS_BUF], n[UNITS_BUF], name[192], from[96];
	uint32_t row = st->view.place.row;
	buf[0] = 0;
	if (t && row < t->n_rows && nav_iterations_shown(st))
		snprintf(buf, size, "%s of %s   %s from %s", fmt_count(at, row + 1), fmt_count(n, t->n_rows),
			 column_words(t, row, COL_ITERATIONS_THREAD, name, sizeof name),
			 column_words(t, row, COL_ITERATIONS_START, from, sizeof from));
	else if (t && row < t->n_rows)
		snprintf(buf, size, "%s of %s   %s from %s", fmt_count(at, row + 1), fmt_count(n, t->n_rows),
			 column_text(t, row, COL_STEPS_NAME) ? column_words(t, row, COL_STEPS_NAME, name, sizeof name)
							     : "no marker,",
			 column_words(t, row, COL_STEPS_START_NS, from, sizeof from));
}

static bool knows(const struct state *st, enum action a)
{
	return a == ACT_GROUPS && nav_iterations_turn(st);
}

const struct pane_ops pane_steps = {.title = "Steps",
				    .scope = SCOPE_LIST,
				    .enter = enter,
				    .act = act,
				    .mouse = mouse,
				    .draw = draw,
				    .status = status,
				    .knows = knows,
				    .items = items};
