/* tui/panes/pane_timeline.c - the picture of the timeline: ruler, steps, lanes. Cost depends on the screen only. */
#include "pane_timeline.h"
#include "model/analysis/derived/pauses.h"
#include "model/store/base/units.h"
#include "tui/explorer/pane.h"
#include "tui/screen/bars.h"
#include "tui/screen/ruler.h"
#include "tui/text/utf8.h"
#include "tui/timeline/arrows.h"
#include "tui/timeline/counter_label.h"
#include "tui/timeline/memory_lane.h"
#include "tui/timeline/iteration_row.h"
#include "tui/timeline/legend.h"
#include "tui/timeline/minimap.h"
#include "tui/timeline/ranks.h"
#include "tui/timeline/side_panel.h"
#include "tui/timeline/upright.h"
#include <string.h>

enum { MAX_COLS = TIMELINE_MAX_COLS, GAP_DOT = 0x00B7, TICK = 0x2502, CURSOR = 0x25BC };

/* ---- ruler and steps ---------------------------------------------------------------------------------------------- */

static void draw_ruler(const struct state *st, struct surface *s, const struct timeline_layout *l)
{
	const struct view *v = &st->view;
	ruler_draw(s, l->y_ruler, l->x, &v->port);
	if (v->range && v->range_b_ns > v->port.from_ns && v->range_a_ns < v->port.from_ns + v->port.span_ns) {
		int a = l->x + (int)viewport_col_of(&v->port, v->range_a_ns);
		int b = l->x + (int)viewport_col_of(&v->port, v->range_b_ns - 1);
		surface_paint(s, (struct rect){l->y_ruler, a, 1, b - a + 1}, INK_RANGE, 0);
	}
	marks_draw(st, s, l->y_ruler, l->x);
	if (!viewport_shows(&v->port, v->cursor_ns))
		return;
	/* the mark never covers a digit: on a label it only changes the colours */
	int x = l->x + (int)viewport_col_of(&v->port, v->cursor_ns);
	uint32_t under = surface_at(s, l->y_ruler, x)->cp;
	bool label = under != ' ' && under != TICK && under != '|';
	surface_put(s, l->y_ruler, x, label ? under : CURSOR, INK_CURSOR, 0);
}

/* Index into row_steps of the last step that starts at or before ts, -1 = none. */
static int64_t step_at(const struct state *st, int64_t ts_ns)
{
	uint32_t low = 0, high = st->n_row_steps;
	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		if (derived_step(st->d, st->row_steps[mid])->start_ns <= ts_ns)
			low = mid + 1;
		else
			high = mid;
	}
	return (int64_t)low - 1;
}

/* The step that a column shows: the one that reaches into it, -1 = none. */
static int64_t step_of_col(const struct state *st, uint32_t col)
{
	const struct viewport *p = &st->view.port;
	int64_t a = viewport_col_start(p, col), b = viewport_col_start(p, col + 1);
	int64_t i = step_at(st, b - 1);
	return i >= 0 && derived_step(st->d, st->row_steps[i])->end_ns > a ? i : -1;
}

static void draw_step(const struct state *st, struct surface *s, int y, int x, int w, int64_t i)
{
	const struct step *step = derived_step(st->d, st->row_steps[i]);
	bool chosen = st->view.step == st->row_steps[i];
	int ink = chosen ? INK_GAP_CHOSEN : i % 2 ? INK_STEP_ODD : INK_STEP_EVEN;
	char label[96];
	snprintf(label, sizeof label, "step %s", step->label);
	surface_fill(s, (struct rect){y, x, 1, w}, ' ', ink, 0);
	surface_put(s, y, x, 0x2502, ink, 0);
	const char *text = utf8_width(label) < w - 1 ? label : step->label;
	if (utf8_width(text) < w)
		surface_text(s, y, x + 1, w - 1, ink, 0, text);
}

static void draw_steps(const struct state *st, struct surface *s, const struct timeline_layout *l)
{
	if (iteration_row_draw(st, s, l))
		return;
	bool inferred = st->n_row_steps && derived_step(st->d, st->row_steps[0])->inferred;
	const char *label = !st->n_row_steps ? "no steps" : inferred ? "steps (inferred)" : "steps";
	surface_text_right(s, l->y_steps, 0, l->gutter - 1, INK_QUIET, 0, label);
	for (int c = 0; c < l->cols;) {
		int64_t i = step_of_col(st, (uint32_t)c);
		int to = c + 1;
		while (to < l->cols && i >= 0 && step_of_col(st, (uint32_t)to) == i)
			to++;
		if (i >= 0)
			draw_step(st, s, l->y_steps, l->x + c, to - c, i);
		c = to;
	}
}

/* ---- gaps --------------------------------------------------------------------------------------------------------- */

struct gap_place {
	uint32_t id;
	int64_t a_ns, b_ns;
	int from, to; /* columns [from, to) */
};

static bool place_gap(const struct viewport *p, struct gap_place *g)
{
	if (g->b_ns <= p->from_ns || g->a_ns >= p->from_ns + p->span_ns)
		return false;
	g->from = (int)viewport_col_of(p, g->a_ns);
	g->to = (int)viewport_col_of(p, g->b_ns - 1) + 1;
	return true;
}

static int gap_ink(const struct state *st, const struct gap_place *g)
{
	return st->view.gap && st->view.gap->id == g->id ? INK_GAP_CHOSEN : INK_GAP;
}

static void dots(const struct state *st, struct surface *s, int y, int x, const struct gap_place *g, const bool *used)
{
	int ink = gap_ink(st, g);
	for (int c = g->from; c < g->to; c++)
		if (!used || !used[c])
			surface_put(s, y, x + c, GAP_DOT, ink, 0);
}

static void gap_label(const struct state *st, struct surface *s, int y, int x, const struct gap_place *g)
{
	enum { SHORTEST = 4 }; /* "1 ns" */
	char name[64], length[UNITS_BUF], text[128];
	int w = g->to - g->from, ink = gap_ink(st, g);
	struct gap gap;
	if (w < SHORTEST || !derived_gap_at(st->d, g->id, &gap))
		return;
	snprintf(text, sizeof text, " %s %s ", gap_name(st->d, &gap, name, sizeof name), fmt_ns(length, gap.dur_ns));
	if (utf8_width(text) > w)
		snprintf(text, sizeof text, utf8_width(length) + 2 > w ? "%s" : " %s ", length);
	int width = utf8_width(text);
	if (width <= w)
		surface_text(s, y, x + g->from + (w - width) / 2, width, ink, 0, text);
}

static void draw_gap(const struct state *st, struct surface *s, int y, int x, const struct gap_place *g,
		     const bool *used)
{
	dots(st, s, y, x, g, used);
	if (!used)
		gap_label(st, s, y, x, g);
}

/* The device's last step gap of [from, n) that begins before ts, else the first of any device that begins later: of those between,
 * none reaches past ts. */
static uint32_t gap_around(const struct step_gaps *gaps, uint32_t from, uint32_t device, int64_t ts_ns)
{
	uint32_t after = from;
	for (uint32_t end = gaps->n; after < end;) {
		uint32_t mid = after + (end - after) / 2;
		if (step_gap_of(gaps, mid).start_ns < ts_ns)
			after = mid + 1;
		else
			end = mid;
	}
	for (uint32_t i = after; i-- > from;)
		if (step_gap_of(gaps, i).device == device)
			return i;
	return after;
}

/* Those that lie in a column where another one has been drawn show nothing more. */
static void draw_step_gaps(const struct state *st, struct surface *s, int y, int x, uint32_t device, const bool *used)
{
	const struct viewport *p = &st->view.port;
	const struct step_gaps gaps = derived_step_gaps(st->d);
	uint32_t i = gap_around(&gaps, 0, device, p->from_ns);
	while (i < gaps.n) {
		const struct step_gap g = step_gap_of(&gaps, i);
		struct gap_place place = {.id = i, .a_ns = g.start_ns, .b_ns = g.end_ns};
		if (g.start_ns >= p->from_ns + p->span_ns)
			return;
		i++;
		if (g.device != device || !place_gap(p, &place))
			continue;
		draw_gap(st, s, y, x, &place, used);
		i = gap_around(&gaps, i, device, viewport_col_start(p, (uint32_t)place.to));
	}
}

/* Marks of one lane: the step gaps of its device and the selected gap, where nothing else stands. */
static void draw_gaps(const struct state *st, struct surface *s, int y, int x, uint32_t device, uint32_t track,
		      const bool *used)
{
	const struct gap *g = st->view.gap;
	draw_step_gaps(st, s, y, x, device, used);
	if (!g || g->device != device || (g->scope == GAP_STREAM && g->track != track))
		return;
	struct gap_place place = {.id = g->id, .a_ns = g->start_ns, .b_ns = g->start_ns + g->dur_ns};
	if (place_gap(&st->view.port, &place))
		draw_gap(st, s, y, x, &place, used);
}

/* Of a device: where nothing was recorded, and so nothing idled. */
static void draw_pauses(const struct state *st, struct surface *s, const struct timeline_layout *l, int y,
			uint32_t device)
{
	const struct intervals *off = derived_off(st->d, device);
	const struct viewport *p = &st->view.port;
	char length[UNITS_BUF], text[64];
	for (uint32_t i = 0; i < off->n; i++) {
		int64_t a = off->at[i].a_ns, b = off->at[i].b_ns;
		if (b <= p->from_ns || a >= p->from_ns + p->span_ns)
			continue;
		int from = (int)viewport_col_of(p, a), to = (int)viewport_col_of(p, b - 1) + 1;
		snprintf(text, sizeof text, "profiler off %s", fmt_ns(length, b - a));
		if (utf8_width(text) > to - from)
			snprintf(text, sizeof text, "off");
		int width = utf8_width(text);
		if (width <= to - from)
			surface_text(s, y, l->x + from + (to - from - width) / 2, width, INK_QUIET, 0, text);
	}
}

/* ---- lanes -------------------------------------------------------------------------------------------------------- */

/* Lanes that sum events up: columns in which no event of theirs passes the filter. track NONE_ID: all streams of the device. */
static void dim_lane(const struct state *st, struct surface *s, const struct timeline_layout *l, int y, uint32_t device,
		     uint32_t track)
{
	const struct viewport *p = &st->view.port;
	for (uint32_t c = 0; st->hits && c < p->cols; c++) {
		int64_t a = viewport_col_start(p, c), b = viewport_col_start(p, c + 1);
		bool any = false;
		for (uint32_t i = 0; !any && i < trace_tracks(st->t); i++) {
			const struct track_info *info = trace_track(st->t, i);
			bool mine =
				track == NONE_ID ? info->kind == TRACK_STREAM && info->device == device : i == track;
			any = mine && hits_touch(st->hits, i, a, b);
		}
		if (!any)
			bars_dim(s, y, l->x + (int)c, 1, st->filter_hides);
	}
}

static void draw_device(const struct state *st, struct surface *s, const struct timeline_layout *l, int y,
			uint32_t device)
{
	const struct intervals *busy = derived_busy_device(st->d, device);
	const struct viewport *p = &st->view.port;
	for (uint32_t c = 0; c < p->cols; c++) {
		int64_t a = viewport_col_start(p, c), b = viewport_col_start(p, c + 1);
		surface_put(s, y, l->x + (int)c, bars_level(intervals_within(busy, a, b), b - a), INK_BUSY, PEN_SHAPE);
	}
	if (st->lanes.groups.on)
		ranks_draw_row(st, s, l, y, device);
	dim_lane(st, s, l, y, device, NONE_ID);
	draw_gaps(st, s, y, l->x, device, NONE_ID, NULL);
	draw_pauses(st, s, l, y, device);
}

/* A counter holds its last value until the next sample. */
static void draw_samples(const struct state *st, struct surface *s, const struct timeline_layout *l, int y,
			 uint32_t track)
{
	const struct sample *at;
	uint64_t n = trace_samples(st->t, track, &at);
	double most = st->lanes.sample_max[track];
	for (uint32_t c = 0; most > 0 && c < st->view.port.cols; c++) {
		uint64_t i = counter_samples_before(at, n, viewport_col_start(&st->view.port, c + 1));
		double part = i ? at[i - 1].value / most : 0;
		if (part > 0)
			surface_put(s, y, l->x + (int)c, bars_level((int64_t)(part * 1000) + 1, 1000), INK_OTHER,
				    PEN_SHAPE);
	}
}

static void draw_row(const struct state *st, struct surface *s, const struct timeline_layout *l, int y,
		     const struct lane *lane)
{
	bool used[MAX_COLS];
	const struct track_info *info = trace_track(st->t, lane->track);
	if (info->kind == TRACK_COUNTER) {
		draw_samples(st, s, l, y, lane->track);
		counter_label_draw(st, s, l, y, lane->track);
		if (st->hits) /* no event of a counter passes a filter */
			bars_dim(s, y, l->x, l->cols, st->filter_hides);
		return;
	}
	char says[64];
	/* what stands for several rows passes a filter where any event of the track does */
	bool several = lane->look != ROW_PLAIN;
	struct bars b = {.d = st->d,
			 .hits = several ? NULL : st->hits,
			 .chosen = st->view.event,
			 .patterns = st->patterns,
			 .hide = st->filter_hides};
	b.half = lane->kind == LANE_LOWER ? BARS_LOWER : lane->tall ? BARS_UPPER : BARS_WHOLE;
	b.look = lane->look == ROW_DENSE ? BARS_DENSITY : lane->look == ROW_WRAPPERS ? BARS_FOLDED : BARS_EVENTS;
	b.says = says;
	snprintf(says, sizeof says, "%u wrapper frames", lane->count);
	bars_draw(&b, s, y, l->x, &st->view.port, lane->track, lane->disp, used);
	if (several)
		dim_lane(st, s, l, y, NONE_ID, lane->track);
	if (info->kind == TRACK_STREAM && lane->disp == 0)
		draw_gaps(st, s, y, l->x, info->device, lane->track, used);
}

static void draw_op_lane(const struct state *st, struct surface *s, const struct timeline_layout *l, int y,
			 const struct lane *lane)
{
	op_lane_draw(st->d, lanes_ops(&st->lanes, lane->track), lane->track, lane->disp, &st->view.port, s, y, l->x);
	dim_lane(st, s, l, y, NONE_ID, lane->track);
}

static void draw_lane(const struct state *st, struct surface *s, const struct timeline_layout *l, int y, uint32_t at)
{
	const struct lane *lane = &st->lanes.at[at];
	char label[160];
	bool chosen = at == st->view.lane;
	bool head = lane->kind == LANE_DEVICE || lane->kind == LANE_PROCESS;
	int room = l->gutter - (head ? 1 : 2);
	lane_label_fit(&st->lanes, at, room, label, sizeof label);
	int ink = chosen ? INK_SELECTED : head ? INK_GROUP : INK_TEXT;
	if (chosen)
		surface_fill(s, (struct rect){y, 0, 1, l->gutter - 1}, ' ', INK_SELECTED, 0);
	surface_text(s, y, head ? 0 : 1, room, ink, 0, label);
	if (lane->kind == LANE_DEVICE)
		draw_device(st, s, l, y, lane->owner);
	else if (lane->kind == LANE_ROW || lane->kind == LANE_LOWER)
		draw_row(st, s, l, y, lane);
	else if (lane->kind == LANE_OP)
		draw_op_lane(st, s, l, y, lane);
	else if (lane->kind == LANE_MEMORY || lane->kind == LANE_HOST_MEMORY)
		memory_lane_draw(st, s, l, y, lane);
}

static void draw_lanes(const struct state *st, struct surface *s, const struct timeline_layout *l)
{
	for (int i = 0; i < l->h_lanes; i++)
		if (st->view.top + (uint32_t)i < st->lanes.n)
			draw_lane(st, s, l, l->y_lanes + i, st->view.top + (uint32_t)i);
	if (st->lanes.n == 0)
		surface_text(s, l->y_lanes, 1, st->cols - 2, INK_WARN, 0, "this trace holds no events");
}

void timeline_draw(const struct state *st, struct surface *s, struct rect body)
{
	struct timeline_layout l = timeline_layout(st);
	minimap_draw(st, s, &l);
	draw_ruler(st, s, &l);
	draw_steps(st, s, &l);
	draw_lanes(st, s, &l);
	legend_draw(s, &l); /* before lines are drawn over the bars that it names */
	upright_draw(st, s, &l);
	ranks_draw_map(st, s, &l);
	ranks_draw_call(st, s, &l);
	arrows_draw(st, s, &l);
	side_panel_draw(st, s, &l);
	timeline_panel(st, s, (struct rect){l.y_panel, 0, l.h_panel, body.w});
}
