#include "overview.h"
#include "pane_timeline.h"
#include "model/analysis/gaps/verdict.h"
#include "model/analysis/overview/top.h"
#include "model/store/base/units.h"
#include "tui/screen/bars.h"
#include "tui/screen/mix_ink.h"
#include "model/analysis/kernels/tensor_cores.h"
#include "tui/tables/step_mix.h"
#include "tui/text/labels.h"
#include "tui/text/utf8.h"
#include "model/analysis/ops/ops_columns.h"
#include "model/analysis/recorded/devices_columns.h"
#include "model/analysis/serving/iterations.h"
#include "model/analysis/steps/step_part.h"
#include <string.h>

struct table *overview_table(const struct state *st, const char *name)
{
	return tables_get(st->tables, analysis_index(name), true);
}

void overview_want(struct state *st, const char *name)
{
	tables_want(st->tables, analysis_index(name), true);
}

/* ---- small tables ------------------------------------------------------------------------------------------------- */

enum { BIGGEST = 6 };
static const struct column gap_columns[] = {
	{"steps", CELL_TEXT, UNIT_NONE, "between which steps, in which one, before the first or after the last"},
	{"idle_ns", CELL_INT, UNIT_NS, "length of the gap"},
	{"share_pct", CELL_REAL, UNIT_PERCENT, "of the time from start to start"},
	{"device", CELL_TEXT, UNIT_NONE, "which device is idle"},
	{"cause", CELL_TEXT, UNIT_NONE, "class of what the device waited for; maybe: confidence below 0.5"},
	{"cause_ns", CELL_INT, UNIT_NS, "time of the gap in events of that class"},
	{"confidence", CELL_TEXT, UNIT_NONE, "0 to 1: how certain the cause is"},
	{"main_event", CELL_TEXT, UNIT_NONE, "the event of that class with the most self time"},
	{"main_event_ns", CELL_INT, UNIT_NS, "that time, inside the gap"},
	{"gap", CELL_INT, UNIT_ID, "id of the gap"},
};

/* What is unknown stays null and is shown as a dash. */
static void add_gap(struct state *st, struct table *t, const struct gap *g)
{
	char text[128];
	struct gap_verdict v;
	gap_verdict_of(st->d, g, &v);
	struct cell *row = table_row(t);
	cell_text(&row[BIG_GAP_STEP], arena_strdup(t->mem, gap_name(st->d, g, text, sizeof text)));
	cell_int(&row[BIG_GAP_IDLE], g->dur_ns);
	if (g->period_ns != UNKNOWN_I64)
		cell_real(&row[BIG_GAP_SHARE], pct_of(g->dur_ns, g->period_ns));
	if (g->device != NONE_ID)
		cell_text(&row[BIG_GAP_DEVICE],
			  arena_strdup(t->mem, trace_device_label(st->t, g->device, text, sizeof text)));
	cell_text(&row[BIG_GAP_CAUSE], gap_class_words(&v, t->mem));
	cell_int(&row[BIG_GAP_CAUSE_NS], v.cause_ns);
	if (v.cause != CAUSE_UNKNOWN)
		cell_text(&row[BIG_GAP_CONFIDENCE], arena_printf(t->mem, "%.2f", v.confidence));
	if (v.row != NONE_ID) {
		cell_text(&row[BIG_GAP_MAIN_EVENT], trace_str(st->t, trace_columns(st->t)->name[v.row]));
		cell_int(&row[BIG_GAP_MAIN_EVENT_NS], v.row_ns);
	}
	cell_int(&row[BIG_GAP_GAP], g->id);
}

struct table *overview_gaps(struct state *st)
{
	struct overview *o = &st->overview;
	if (o->gaps)
		return o->gaps;
	o->gaps = table_bare(&o->mem, "gaps", "Biggest gaps", gap_columns, sizeof gap_columns / sizeof *gap_columns);
	for (uint32_t k = 0; k < BIGGEST; k++) {
		const struct gap *g = derived_gap_ranked(st->d, k, INT64_MIN, INT64_MAX);
		if (!g)
			break;
		add_gap(st, o->gaps, g);
	}
	return o->gaps;
}

static const struct column device_columns[] = {
	{"device", CELL_TEXT, UNIT_NONE, "which device"},
	{"busy_pct", CELL_REAL, UNIT_PERCENT, "of its span, first start to last end"},
	{"idle_ns", CELL_INT, UNIT_NS, "span without any work"},
	{"kernels", CELL_INT, UNIT_COUNT, "kernels run"},
	{"name", CELL_TEXT, UNIT_NONE, "model"},
};

static void add_device(struct state *st, struct table *t, const struct table *devices, uint32_t row)
{
	char text[128];
	const struct cell *busy = column_cell(devices, row, COL_DEVICES_BUSY_NS),
			  *span = column_cell(devices, row, COL_DEVICES_SPAN_NS);
	struct cell *out = table_row(t);
	cell_text(&out[SHORT_DEVICE_DEVICE], arena_strdup(t->mem, trace_device_label(st->t, row, text, sizeof text)));
	if (!busy->null && !span->null)
		cell_real(&out[SHORT_DEVICE_BUSY], pct_of(busy->i, span->i));
	out[SHORT_DEVICE_IDLE] = *column_cell(devices, row, COL_DEVICES_IDLE_NS);
	out[SHORT_DEVICE_KERNELS] = *column_cell(devices, row, COL_DEVICES_KERNELS);
	out[SHORT_DEVICE_NAME] = *column_cell(devices, row, COL_DEVICES_NAME);
	const struct evidence *e = table_evidence_of(devices, row);
	table_evidence(t, e->a_ns, e->b_ns, e->rows, e->n);
}

struct table *overview_devices(struct state *st, const struct table *devices)
{
	struct overview *o = &st->overview;
	/* rows are devices by their number only while no filter takes some away */
	if (o->devices || !devices || devices->n_rows != trace_devices(st->t))
		return o->devices;
	o->devices = table_bare(&o->mem, "devices", "Devices", device_columns,
				sizeof device_columns / sizeof *device_columns);
	/* those that did something first: there may be room for two of eight */
	for (int idle = 0; idle < 2; idle++)
		for (uint32_t row = 0; row < devices->n_rows; row++)
			if ((column_cell(devices, row, COL_DEVICES_BUSY_NS)->null ||
			     !column_cell(devices, row, COL_DEVICES_BUSY_NS)->i) == idle)
				add_device(st, o->devices, devices, row);
	return o->devices;
}

struct table *overview_kernel_names(const struct state *st)
{
	return tables_by_name(st->tables, analysis_index("kernels"), true);
}

enum { TOP_OPS = 24 };
static const struct column op_columns[] = {
	{"share_pct", CELL_REAL, UNIT_PERCENT, "of the self time of all ops on devices, or on the host"},
	{"self_ns", CELL_INT, UNIT_NS, "self time"},
	{"count", CELL_INT, UNIT_COUNT, "how often"},
	{"eager", CELL_TEXT, UNIT_NONE, "run op by op, or as part of a function"},
	{"type", CELL_TEXT, UNIT_NONE, "kind of op"},
	{"name", CELL_TEXT, UNIT_NONE, "name of the op"},
};

static void add_op(struct table *t, const struct table *ops, uint32_t row)
{
	static const uint8_t from_columns[] = {
		[SHORT_OP_SHARE] = COL_OPS_SELF_PCT,    [SHORT_OP_SELF] = COL_OPS_SELF,
		[SHORT_OP_COUNT] = COL_OPS_OCCURRENCES, [SHORT_OP_EAGER] = COL_OPS_EAGER,
		[SHORT_OP_TYPE] = COL_OPS_TYPE,         [SHORT_OP_NAME] = COL_OPS_OPERATION,
	};
	struct cell *out = table_row(t);
	for (int i = SHORT_OP_SHARE; i <= SHORT_OP_NAME; i++)
		out[i] = *column_cell(ops, row, from_columns[i]);
	const struct evidence *e = table_evidence_of(ops, row);
	table_evidence(t, e->a_ns, e->b_ns, e->rows, e->n);
}

/* Of devices, of the host where there are none. */
struct table *overview_ops_made(struct state *st, const struct table *ops)
{
	struct overview *o = &st->overview;
	if (o->ops || !ops)
		return o->ops;
	o->ops = table_bare(&o->mem, "ops", "Top ops", op_columns, sizeof op_columns / sizeof *op_columns);
	const char *side =
		ops->n_rows ? column_cell(ops, 0, COL_OPS_SIDE)->s : ""; /* ops of devices stand first in that table */
	for (uint32_t row = 0; row < ops->n_rows && o->ops->n_rows < TOP_OPS; row++)
		if (!strcmp(column_cell(ops, row, COL_OPS_SIDE)->s, side) &&
		    !column_cell(ops, row, COL_OPS_SELF_PCT)->null)
			add_op(o->ops, ops, row);
	return o->ops;
}

void overview_top(struct state *st)
{
	struct overview *o = &st->overview;
	struct top_req r = {.d = st->d, .b_ns = trace_span_ns(st->t), .label = track_label};
	/* walks all events: once for each trace, not with every frame */
	if (o->looked)
		return;
	o->looked = true;
	o->has_kernels = top_has_kernels(st->d);
	o->no_tensor_cores = tc_no_question(st->d);
	o->advised = top_from_framework(st->d);
	if (trace_devices(st->t) == 0) {
		o->threads = top_threads(&r, &o->mem);
		o->events = top_events(&r, &o->mem);
	}
}

/* ---- headline numbers --------------------------------------------------------------------------------------------- */

#define PLUS_MINUS "\xc2\xb1"
static const struct headline list[] = {
	{SHOW_HOST, "Events", "events_shown", "in", "span_ns", HEAD_PLAIN},
	{SHOW_HOST, "  merged", "events_merged", NULL, NULL, HEAD_PLAIN},
	{SHOW_HOST, "  noted", "events_noted", NULL, NULL, HEAD_PLAIN},
	{SHOW_HOST, "Lanes", "tracks", NULL, NULL, HEAD_PLAIN},
	{SHOW_HOST, "Processes", "processes", NULL, NULL, HEAD_PLAIN},
	{SHOW_HOST, "Hosts", "hosts", NULL, NULL, HEAD_PLAIN},
	{SHOW_HOST, "Flows", "flows", NULL, NULL, HEAD_PLAIN},
	{SHOW_ITERATIONS, "Iterations", "iterations_of", NULL, NULL, HEAD_TEXT},
	{SHOW_ITERATIONS, "  length", "iteration_mean_ns", NULL, NULL, HEAD_PLAIN},
	{SHOW_ITERATIONS, "  on device", "iteration_device_pct", NULL, NULL, HEAD_BAR},
	{SHOW_ITERATIONS, "  tokens/s", "iteration_tokens_per_s", NULL, NULL, HEAD_PLAIN},
	{SHOW_PADDING, "  padding", "padding_pct", NULL, NULL, HEAD_BAR},
	{SHOW_DEVICE_STEPS, "Device compute", "device_compute_pct", NULL, NULL, HEAD_FAR},
	{SHOW_DEVICES, "Ops on device", "device_ops_count_pct", NULL, NULL, HEAD_FAR},
	{SHOW_KERNELS, "16-bit kernels", "kernels_16bit_pct", NULL, "kernels_unknown_precision_pct", HEAD_FAR},
	{SHOW_DEVICES, "Device busy", "duty_cycle_pct", NULL, NULL, HEAD_BAR},
	{SHOW_STEPS, "Step time", "step_mean_ns", PLUS_MINUS, "step_sd_ns", HEAD_STEP},
	{SHOW_OWN_STEPS, "  of", "steps_text", NULL, NULL, HEAD_TEXT},
	{SHOW_STEPS, "  goes to", "steps", NULL, NULL, HEAD_MIX},
	{SHOW_DEVICE_STEPS, "  copies on device", "device_to_device_pct", NULL, NULL, HEAD_BAR},
	{SHOW_DEVICE_STEPS, "  collectives", "collectives_pct", NULL, NULL, HEAD_BAR},
	{SHOW_STEPS, "  input", "input_pct", NULL, NULL, HEAD_BAR},
	{SHOW_DEVICE_STEPS, "  output", "output_pct", NULL, NULL, HEAD_BAR},
	{SHOW_DEVICE_STEPS, "  kernel launch", "kernel_launch_pct", NULL, NULL, HEAD_BAR},
	{SHOW_STEPS, "  other host work", "host_compute_pct", NULL, NULL, HEAD_BAR},
	{SHOW_STEPS, "  compilation", "compilation_pct", NULL, NULL, HEAD_BAR},
	{SHOW_STEPS, "  other", "other_pct", NULL, NULL, HEAD_BAR},
	{SHOW_KERNELS, "Kernels", "kernels", "in", "kernel_ns", HEAD_PLAIN},
	{SHOW_KERNELS, "  16-bit time", "kernels_16bit_time_pct", NULL, NULL, HEAD_BAR},
	{SHOW_TENSOR_CORES, "  Tensor Core", "tensor_core_time_pct", NULL, NULL, HEAD_BAR},
	{SHOW_TENSOR_CORES, "  could use it", "tensor_core_unused_pct", NULL, NULL, HEAD_BAR},
	{SHOW_GRAPHS, "  by graphs", "in_graphs_time_pct", NULL, NULL, HEAD_BAR},
	{SHOW_GRAPHS, "  outside", "outside_graph_kernels", "in", "outside_graph_ns", HEAD_PLAIN},
	{SHOW_GRAPHS, "  calls saved", "graph_calls_saved_ns", NULL, NULL, HEAD_PLAIN},
	{SHOW_DEVICES, "Eager ops", "eager_device_pct", NULL, NULL, HEAD_BAR},
	{SHOW_RECORDINGS, "Recordings", "devices_working", "of", "recorded_again", HEAD_PLAIN},
	{SHOW_DEVICE_COUNT, "Devices", "devices_working", "x", "device_type", HEAD_PLAIN},
};

static bool has_key(const struct state *st, const char *key)
{
	return overview_row(overview_table(st, "overview"), key) != NONE_ID;
}

static bool has_iterations(const struct state *st)
{
	return has_key(st, "iterations_of");
}

/* What counts as steps are the labels of a server's iterations. */
static bool served(const struct state *st)
{
	return has_iterations(st) && iterations_are_steps(st->d);
}

static bool shows(const struct state *st, enum headline_when when)
{
	switch (when) {
	case SHOW_HOST:
		return trace_devices(st->t) == 0;
	case SHOW_DEVICES:
		return trace_devices(st->t) > 0;
	case SHOW_DEVICE_COUNT:
		return trace_devices(st->t) > 0 && !has_key(st, "recorded_again");
	case SHOW_RECORDINGS:
		return has_key(st, "recorded_again");
	case SHOW_KERNELS:
		return st->overview.has_kernels;
	case SHOW_TENSOR_CORES:
		return st->overview.has_kernels && !st->overview.no_tensor_cores;
	case SHOW_ITERATIONS:
		return has_iterations(st);
	case SHOW_PADDING:
		return has_key(st, "padding_pct");
	case SHOW_GRAPHS:
		return has_key(st, "graphs_text");
	case SHOW_OWN_STEPS:
		return derived_steps(st->d) > 0 && !served(st);
	case SHOW_STEPS:
		return derived_steps(st->d) > 0;
	case SHOW_DEVICE_STEPS:
		return derived_steps(st->d) > 0 && trace_devices(st->t) > 0;
	}
	return true;
}

uint32_t headlines(const struct state *st, const struct headline *out[HEADLINES_MAX])
{
	uint32_t n = 0;
	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		if (shows(st, list[i].when))
			out[n++] = &list[i];
	return n;
}

uint32_t overview_row(const struct table *overview, const char *key)
{
	for (uint32_t r = 0; overview && r < overview->n_rows; r++)
		if (strcmp(column_cell(overview, r, KEYED_KEY)->s, key) == 0)
			return r;
	return NONE_ID;
}

static const char *value_of(const struct table *t, const char *key, char *buf, size_t size)
{
	uint32_t row = key ? overview_row(t, key) : NONE_ID;
	return column_words(t, row, KEYED_VALUE, buf, size);
}

/* NULL: the key is, or the table does not have it. */
static const struct cell *cell_of(const struct table *t, const char *key)
{
	uint32_t row = key ? overview_row(t, key) : NONE_ID;
	return row == NONE_ID ? NULL : column_cell(t, row, KEYED_VALUE);
}

static void draw_bar(const struct cell *v, struct surface *s, int y, int x, int w)
{
	double pct = v->null || v->type != CELL_REAL ? 0 : v->r;
	/* U+2588 is a full block, U+2589 to U+258F are 7 to 1 eighths of it */
	int64_t eighths = (int64_t)(pct / 100 * w * 8 + 0.5);
	for (int c = 0; c < w; c++, eighths -= 8) {
		uint32_t cp = eighths >= 8 ? 0x2588 : eighths > 0 ? (uint32_t)(0x2590 - eighths) : ' ';
		if (cp != ' ')
			surface_put(s, y, x + c, cp, INK_BUSY, PEN_SHAPE);
		else
			surface_put(s, y, x + c, 0x00B7, INK_QUIET, 0);
	}
}

enum { LABEL_COLS = 16, VALUE_COLS = 10, SHARE_COLS = 8, BAR_MOST = 24 };

static int limit(int n, int most)
{
	return n < most ? n : most;
}

/* "89.4 % to go": what is missing to 100 %; " 73 % unknown" where most names tell nothing. */
static void draw_far(const struct cell *v, const struct cell *untold, struct surface *s, struct rect r, int ink)
{
	enum { FAR_COLS = 13 };
	char buf[UNITS_BUF];
	if (v->null || r.w < FAR_COLS)
		return;
	if (untold && !untold->null && untold->r >= PRECISION_UNTOLD_PCT)
		surface_printf(s, r.y, r.x, FAR_COLS, ink, 0, "%3.0f %% unknown", untold->r);
	else
		surface_printf(s, r.y, r.x, FAR_COLS, ink, 0, "%7s to go", fmt_pct(buf, v->r < 100 ? 100 - v->r : 0));
	if (r.w > FAR_COLS + 4)
		draw_bar(v, s, r.y, r.x + FAR_COLS + 1, limit(r.w - FAR_COLS - 1, BAR_MOST));
}

/* Where the steps' time goes as one bar, in the colours and letters of the Steps pane. */
static void draw_mix(const struct state *st, struct surface *s, int y, int x, int w)
{
	const struct table *steps = overview_table(st, "steps");
	int cols[MIX_PARTS];
	if (!steps || w <= 0)
		return;
	struct step_mix m = step_mix(steps);
	mix_columns_of_all(&m, w, cols);
	for (int i = 0; i < MIX_PARTS; i++)
		for (const struct mix_info *part = mix_info((enum mix_part)i); cols[i] > 0; cols[i]--)
			surface_put(s, y, x++, (uint32_t)(unsigned char)part->letter, mix_ink((enum mix_part)i), 0);
}

static void draw_second(const struct headline *h, const struct table *t, struct surface *s, struct rect r, int ink)
{
	char other[192];
	const char *second = value_of(t, h->second, other, sizeof other);
	bool plus_minus = h->joint && *h->joint == PLUS_MINUS[0];
	if (h->joint && strcmp(second, "-") != 0)
		surface_printf(s, r.y, r.x, r.w, ink, 0, "%s %s", s->ascii && plus_minus ? "+-" : h->joint, second);
}

/* As many of its clauses as have room, the first ones: "14 of 15 steps on each of 2 ranks, inferred; step r1:10 took 28.693 ms". */
static void keep_clauses(char *text, int cols)
{
	static const char *const ends[] = {"; ", ", ", " on each of "};
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		for (char *end; utf8_width(text) > cols && (end = strstr(text, ends[i]));) {
			for (char *next; (next = strstr(end + 1, ends[i]));)
				end = next;
			*end = '\0';
		}
}

static const char *label_of(const struct state *st, const struct headline *h, bool irregular)
{
	static const char *const inputs[] = {[INPUT_HOLDS_NOTHING] = "  input",
					     [INPUT_HOLDS_WAITS] = "  input wait",
					     [INPUT_HOLDS_COPIES] = "  copies to device",
					     [INPUT_HOLDS_BOTH] = "  input + copies"};
	if (strcmp(h->key, "input_pct") == 0)
		return inputs[steps_input_holds(overview_table(st, "steps"))];
	if (h->look == HEAD_STEP && served(st))
		return irregular ? "Labels, median" : "Label to label";
	return irregular ? "Step median" : h->label;
}

void headline_draw(const struct state *st, const struct headline *h, const struct table *t, struct surface *s,
		   struct rect line, bool chosen)
{
	char buf[192], text[192];
	int ink = chosen ? INK_SELECTED : INK_TEXT, used = LABEL_COLS + VALUE_COLS + 1;
	struct rect rest = {line.y, line.x + used, 1, line.w - used};
	const struct cell *v = cell_of(t, h->key);
	/* no mean is told where steps are too different */
	bool irregular = h->look == HEAD_STEP && v && v->null;
	if (chosen)
		surface_fill(s, line, ' ', INK_SELECTED, 0);
	/* a share leaves room for a longer label */
	surface_text(s, line.y, line.x, LABEL_COLS + (h->look == HEAD_BAR ? VALUE_COLS - SHARE_COLS : 0),
		     chosen             ? ink
		     : *h->label == ' ' ? INK_TEXT
					: INK_GROUP,
		     0, label_of(st, h, irregular));
	if (h->look == HEAD_MIX) {
		draw_mix(st, s, line.y, line.x + LABEL_COLS, line.w - LABEL_COLS);
		return;
	}
	if (h->look == HEAD_TEXT) {
		snprintf(text, sizeof text, "%s", value_of(t, h->key, buf, sizeof buf));
		keep_clauses(text, line.w - LABEL_COLS);
		surface_text(s, line.y, line.x + LABEL_COLS, line.w - LABEL_COLS, ink, 0, text);
		return;
	}
	surface_text_right(s, line.y, line.x + LABEL_COLS, VALUE_COLS, chosen ? ink : INK_STRONG, 0,
			   value_of(t, irregular ? "step_median_ns" : h->key, buf, sizeof buf));
	if (irregular) {
		surface_printf(s, rest.y, rest.x, rest.w, chosen ? ink : INK_WARN, 0, s->ascii ? "<= %s" : "\u2264 %s",
			       value_of(t, "step_max_ns", buf, sizeof buf));
		return;
	}
	draw_second(h, t, s, rest, chosen ? ink : INK_QUIET);
	if (h->look == HEAD_FAR && v)
		draw_far(v, cell_of(t, h->second), s, rest, chosen ? ink : INK_QUIET);
	else if (h->look == HEAD_BAR && v && rest.w > 3)
		draw_bar(v, s, rest.y, rest.x, limit(rest.w, BAR_MOST));
}
