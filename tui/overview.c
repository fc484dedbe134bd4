#include "overview.h"
#include "bars.h"
#include "kernel_names.h"
#include "pane_timeline.h"
#include "report/why.h"
#include "top.h"
#include "utf8.h"
#include "../model/store/units.h"
#include <math.h>
#include <string.h>

/* ---- small tables ------------------------------------------------------------------------------------------------- */

enum { BIGGEST = 6, G_STEP = 0, G_IDLE, G_SHARE, G_DEVICE, G_CAUSE, G_GAP };
static const struct column gap_columns[] = {
	{"steps", CELL_TEXT, UNIT_NONE, "steps before and after"},
	{"idle_ns", CELL_INT, UNIT_NS, "length of the gap"},
	{"share_pct", CELL_REAL, UNIT_PERCENT, "of the time from start to start"},
	{"device", CELL_TEXT, UNIT_NONE, "which device is idle"},
	{"cause", CELL_TEXT, UNIT_NONE, "host event with the most time of its own in the gap"},
	{"gap", CELL_INT, UNIT_ID, "id of the gap"},
};

static double share_of(int64_t part, int64_t whole)
{
	int64_t tenths = pct_tenths(part, whole);
	return tenths < 0 ? NAN : (double)tenths / 10;
}

static void add_gap(struct state *st, struct table *t, const struct gap *g)
{
	char text[128];
	struct why why = why_of(st->d, g);
	struct cell *row = table_row(t);
	cell_text(&row[G_STEP], arena_strdup(t->mem, gap_name(st->d, g, text, sizeof text)));
	cell_int(&row[G_IDLE], g->dur_ns);
	if (g->period_ns != UNKNOWN_I64)
		cell_real(&row[G_SHARE], share_of(g->dur_ns, g->period_ns));
	if (g->device != NONE_ID)
		cell_text(&row[G_DEVICE],
			  arena_strdup(t->mem, trace_device_label(st->t, g->device, text, sizeof text)));
	cell_text(&row[G_CAUSE], why.kind == WHY_CAUSE ? why.cause.name : "not recorded");
	cell_int(&row[G_GAP], g->id);
}

struct table *overview_gaps(struct state *st)
{
	struct overview *o = &st->overview;
	if (o->gaps)
		return o->gaps;
	o->gaps = table_new(&o->mem, "gaps", "Biggest gaps", gap_columns, sizeof gap_columns / sizeof *gap_columns);
	for (uint32_t k = 0; k < BIGGEST; k++) {
		const struct gap *g = derived_gap_ranked(st->d, k, INT64_MIN, INT64_MAX);
		if (!g)
			break;
		add_gap(st, o->gaps, g);
	}
	return o->gaps;
}

enum { D_DEVICE = 0, D_BUSY, D_IDLE, D_KERNELS, D_NAME };
static const struct column device_columns[] = {
	{"device", CELL_TEXT, UNIT_NONE, "which device"},
	{"busy_pct", CELL_REAL, UNIT_PERCENT, "of its span, first start to last end"},
	{"idle_ns", CELL_INT, UNIT_NS, "span without any work"},
	{"kernels", CELL_INT, UNIT_COUNT, "kernels run"},
	{"name", CELL_TEXT, UNIT_NONE, "model"},
};

static const struct cell *from(const struct table *t, uint32_t row, const char *column)
{
	static const struct cell unknown = {.null = true};
	int col = table_column(t, column);
	return col < 0 ? &unknown : table_cell(t, row, (uint32_t)col);
}

static void add_device(struct state *st, struct table *t, const struct table *devices, uint32_t row)
{
	char text[128];
	const struct cell *busy = from(devices, row, "busy_ns"), *span = from(devices, row, "span_ns");
	struct cell *out = table_row(t);
	cell_text(&out[D_DEVICE], arena_strdup(t->mem, trace_device_label(st->t, row, text, sizeof text)));
	if (!busy->null && !span->null)
		cell_real(&out[D_BUSY], share_of(busy->i, span->i));
	out[D_IDLE] = *from(devices, row, "idle_ns");
	out[D_KERNELS] = *from(devices, row, "kernels");
	out[D_NAME] = *from(devices, row, "name");
	const struct evidence *e = table_evidence_of(devices, row);
	table_evidence(t, e->a_ns, e->b_ns, e->rows, e->n);
}

struct table *overview_devices(struct state *st, const struct table *devices)
{
	struct overview *o = &st->overview;
	if (o->devices || !devices || devices->n_rows != trace_devices(st->t))
		return o->devices;
	o->devices = table_new(&o->mem, "devices", "Devices", device_columns,
			       sizeof device_columns / sizeof *device_columns);
	for (uint32_t row = 0; row < devices->n_rows; row++)
		add_device(st, o->devices, devices, row);
	return o->devices;
}

struct table *overview_kernel_names(struct state *st, const struct table *kernels)
{
	struct overview *o = &st->overview;
	if (!o->kernels && kernels)
		o->kernels = kernels_by_name(kernels, &o->mem);
	return o->kernels;
}

void overview_top(struct state *st)
{
	struct overview *o = &st->overview;
	struct top_req r = {.d = st->d, .b_ns = trace_span_ns(st->t)};
	if (o->looked)
		return;
	o->looked = true;
	o->has_kernels = top_has_kernels(st->d);
	if (trace_devices(st->t) == 0) {
		o->threads = top_threads(&r, &o->mem);
		o->events = top_events(&r, &o->mem);
	} else if (!o->has_kernels) {
		o->ops = top_ops(&r, &o->mem);
	}
}

/* ---- headline numbers --------------------------------------------------------------------------------------------- */

#define PLUS_MINUS "\xc2\xb1"
static const struct headline list[] = {
	{SHOW_HOST, "Events", "events_shown", "in", "span_ns", false},
	{SHOW_HOST, "  merged", "events_merged", NULL, NULL, false},
	{SHOW_HOST, "  noted", "events_noted", NULL, NULL, false},
	{SHOW_HOST, "Lanes", "tracks", NULL, NULL, false},
	{SHOW_HOST, "Processes", "processes", NULL, NULL, false},
	{SHOW_HOST, "Hosts", "hosts", NULL, NULL, false},
	{SHOW_HOST, "Flows", "flows", NULL, NULL, false},
	{SHOW_STEPS, "Step time", "step_mean_ns", PLUS_MINUS, "step_sd_ns", false},
	{SHOW_STEPS, "  steps", "steps", NULL, NULL, false},
	{SHOW_STEPS, "  device compute", "device_compute_pct", NULL, NULL, true},
	{SHOW_STEPS, "  device copies", "device_to_device_pct", NULL, NULL, true},
	{SHOW_STEPS, "  collectives", "collectives_pct", NULL, NULL, true},
	{SHOW_STEPS, "  input", "input_pct", NULL, NULL, true},
	{SHOW_STEPS, "  output", "output_pct", NULL, NULL, true},
	{SHOW_STEPS, "  kernel launch", "kernel_launch_pct", NULL, NULL, true},
	{SHOW_STEPS, "  host compute", "host_compute_pct", NULL, NULL, true},
	{SHOW_STEPS, "  compilation", "compilation_pct", NULL, NULL, true},
	{SHOW_STEPS, "  other", "other_pct", NULL, NULL, true},
	{SHOW_DEVICES, "Device busy", "duty_cycle_pct", NULL, NULL, true},
	{SHOW_DEVICES, "  idle", "idle_ns", "of", "span_ns", false},
	{SHOW_KERNELS, "Kernels", "kernels", "in", "kernel_ns", false},
	{SHOW_KERNELS, "  16-bit", "kernels_16bit", NULL, NULL, false},
	{SHOW_KERNELS, "  16-bit time", "kernels_16bit_time_pct", NULL, NULL, true},
	{SHOW_KERNELS, "  Tensor Core", "tensor_core_time_pct", NULL, NULL, true},
	{SHOW_KERNELS, "  could use it", "tensor_core_unused_pct", NULL, NULL, true},
	{SHOW_KERNELS, "Ops on device", "device_ops_count_pct", NULL, NULL, true},
};

static bool shows(const struct state *st, enum headline_when when)
{
	switch (when) {
	case SHOW_HOST:
		return trace_devices(st->t) == 0;
	case SHOW_DEVICES:
		return trace_devices(st->t) > 0;
	case SHOW_KERNELS:
		return st->overview.has_kernels;
	case SHOW_STEPS:
		return derived_steps(st->d) > 0;
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
		if (strcmp(from(overview, r, "key")->s, key) == 0)
			return r;
	return NONE_ID;
}

static const char *value_of(const struct table *t, const char *key, char *buf, size_t size)
{
	uint32_t row = key ? overview_row(t, key) : NONE_ID;
	int col = t ? table_column(t, "value") : -1;
	return row == NONE_ID || col < 0 ? "-" : cell_format(t, row, (uint32_t)col, buf, size);
}

static void draw_bar(const struct cell *v, struct surface *s, int y, int x, int w)
{
	double pct = v->null || v->type != CELL_REAL ? 0 : v->r;
	int64_t eighths = (int64_t)(pct / 100 * w * 8 + 0.5);
	for (int c = 0; c < w; c++, eighths -= 8) {
		uint32_t cp = eighths >= 8 ? 0x2588 : eighths > 0 ? (uint32_t)(0x2590 - eighths) : ' ';
		if (cp != ' ')
			surface_put(s, y, x + c, cp, INK_BUSY, PEN_SHAPE);
		else
			surface_put(s, y, x + c, 0x00B7, INK_QUIET, 0);
	}
}

enum { LABEL_COLS = 16, VALUE_COLS = 10 };

void headline_draw(const struct headline *h, const struct table *t, struct surface *s, int y, int x, int w, bool chosen)
{
	char buf[192], other[192];
	int ink = chosen ? INK_SELECTED : INK_TEXT, rest = x + LABEL_COLS + VALUE_COLS + 1;
	if (chosen)
		surface_fill(s, (struct rect){y, x, 1, w}, ' ', INK_SELECTED, 0);
	surface_text(s, y, x, LABEL_COLS, chosen ? ink : *h->label == ' ' ? INK_TEXT : INK_GROUP, 0, h->label);
	surface_text_right(s, y, x + LABEL_COLS, VALUE_COLS, chosen ? ink : INK_STRONG, 0,
			   value_of(t, h->key, buf, sizeof buf));
	const char *second = value_of(t, h->second, other, sizeof other);
	if (h->joint && strcmp(second, "-") != 0)
		surface_printf(s, y, rest, x + w - rest, chosen ? ink : INK_QUIET, 0, "%s %s",
			       s->ascii && *h->joint == PLUS_MINUS[0] ? "+-" : h->joint, second);
	uint32_t row = overview_row(t, h->key);
	if (h->bar && row != NONE_ID && x + w - rest > 3)
		draw_bar(from(t, row, "value"), s, y, rest, x + w - rest > 24 ? 24 : x + w - rest);
}
