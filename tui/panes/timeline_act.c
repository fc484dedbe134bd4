/* tui/panes/timeline_act.c - keys and mouse of the timeline. */
#include "pane_registry.h"
#include "pane_timeline.h"
#include "model/store/base/units.h"
#include "tui/timeline/memory_lane.h"

/* The column that stays where it is when zooming: the cursor's, or the middle when the cursor is out of view. */
static uint32_t focus(const struct state *st)
{
	const struct viewport *p = &st->view.port;
	return viewport_shows(p, st->view.cursor_ns) ? viewport_col_of(p, st->view.cursor_ns) : p->cols / 2;
}

static void move_columns(struct state *st, int cols)
{
	struct viewport *p = &st->view.port;
	int64_t col = (int64_t)viewport_col_of(p, st->view.cursor_ns) + cols;
	if (!viewport_shows(p, st->view.cursor_ns))
		col = p->cols / 2;
	/* at the edge the view moves on by an eighth, and the cursor with it */
	if (col < 0 || col >= (int64_t)p->cols)
		viewport_pan(p, cols * (int64_t)p->cols / 8);
	col = viewport_shows(p, st->view.cursor_ns) ? (int64_t)viewport_col_of(p, st->view.cursor_ns) + cols : col;
	col = col < 0 ? 0 : col >= (int64_t)p->cols ? (int64_t)p->cols - 1 : col;
	int64_t at = viewport_col_start(p, (uint32_t)col);
	/* less than 1 ns per column: still move by one */
	if (at == st->view.cursor_ns)
		at += cols > 0 ? 1 : -1;
	nav_cursor(st, at);
}

/* Folded again, the lane may stand for others: what covers the row stays selected. */
static void toggle_fold(struct state *st)
{
	struct view *v = &st->view;
	if (v->lane < st->lanes.n && lanes_disp(&st->lanes, v->lane) == DISP_GROUP) {
		nav_fold_group(st);
		return;
	}
	if (v->lane >= st->lanes.n || st->lanes.at[v->lane].kind != LANE_ROW) {
		state_say(st, INK_STATUS, "z unfolds the rows of a lane: select one with j and k first");
		return;
	}
	const struct lane *l = &st->lanes.at[v->lane];
	uint32_t track = l->track, disp = l->disp, rows = trace_track(st->t, track)->n_rows;
	if (!lanes_folds(&st->lanes, track)) {
		state_say(st, INK_STATUS, "nothing is folded here: this lane has %u row%s, all of them are shown", rows,
			  rows == 1 ? "" : "s");
		return;
	}
	lanes_toggle(&st->lanes, track);
	st->arranged = true;
	uint32_t lane = lanes_cover(&st->lanes, track, disp);
	v->lane = lane == NONE_ID ? v->lane : lane;
	nav_lane(st, 0);
}

static void details(struct state *st)
{
	if (st->view.event != NONE_ID) {
		event_reader(st, st->view.event);
	} else if (st->view.gap) {
		gap_reader(st, st->view.gap);
	} else if (st->view.step != NONE_ID) {
		step_reader(st, st->view.step);
	} else {
		state_say(st, INK_STATUS, "select an event first: Tab takes the next one on this lane");
		return;
	}
	st->mode = MODE_READER;
}

static void toggle_side(struct state *st)
{
	st->no_side = !st->no_side;
	state_resize(st, st->rows, st->cols);
	if (!st->no_side && !timeline_layout(st).w_side)
		state_say(st, INK_STATUS, "the statistics need a screen of 160 columns");
}

static void zoom_or_pan(struct state *st, enum action a)
{
	struct viewport *p = &st->view.port;
	int64_t eighth = p->cols / 8 ? p->cols / 8 : 1;
	if (a == ACT_ZOOM_IN)
		viewport_zoom(p, focus(st), 1, 2);
	else if (a == ACT_ZOOM_OUT)
		viewport_zoom(p, focus(st), 2, 1);
	else
		viewport_pan(p, a == ACT_PAN_LEFT ? -eighth : eighth);
}

static void act_move(struct state *st, enum action a)
{
	switch (a) {
	case ACT_LANE_DOWN:
		nav_lane(st, 1);
		break;
	case ACT_LANE_UP:
		nav_lane(st, -1);
		break;
	case ACT_LANES_DOWN:
		nav_lane(st, 10);
		break;
	case ACT_LANES_UP:
		nav_lane(st, -10);
		break;
	case ACT_CURSOR_LEFT:
		move_columns(st, -1);
		break;
	case ACT_CURSOR_RIGHT:
		move_columns(st, 1);
		break;
	case ACT_TIME_FIRST:
		nav_cursor(st, 0);
		break;
	case ACT_TIME_LAST:
		nav_cursor(st, INT64_MAX);
		break;
	case ACT_WHOLE:
		nav_whole(st);
		break;
	case ACT_FIT:
		nav_fit(st);
		break;
	default:
		zoom_or_pan(st, a);
		break;
	}
}

/* What arranges lanes. */
static void act_lanes(struct state *st, enum action a)
{
	switch (a) {
	case ACT_HIDE_LANE:
	case ACT_HIDE_DEVICE:
		nav_hide(st, a == ACT_HIDE_DEVICE);
		break;
	case ACT_SHOW_LANES:
		nav_show_all(st);
		break;
	case ACT_FOLD_ALL:
		nav_fold_all(st);
		break;
	case ACT_LANE_ORDER:
		nav_order_next(st);
		break;
	case ACT_PIN_LANE:
		nav_pin(st);
		break;
	case ACT_MOVE_LANE_UP:
	case ACT_MOVE_LANE_DOWN:
		nav_move_lane(st, a == ACT_MOVE_LANE_UP ? -1 : 1);
		break;
	case ACT_FOLD:
		toggle_fold(st);
		break;
	default:
		act_move(st, a);
		break;
	}
}

static void act(struct state *st, enum action a)
{
	switch (a) {
	case ACT_EVENT_NEXT:
	case ACT_EVENT_PREV:
		nav_event_beside(st, a == ACT_EVENT_NEXT ? 1 : -1);
		break;
	case ACT_GAP_NEXT:
	case ACT_GAP_PREV:
		nav_gap_beside(st, a == ACT_GAP_NEXT ? 1 : -1);
		break;
	case ACT_STEP_NEXT:
	case ACT_STEP_PREV:
		nav_step_beside(st, a == ACT_STEP_NEXT ? 1 : -1);
		break;
	case ACT_SEARCH_NEXT:
	case ACT_SEARCH_PREV:
		seek_event(st, a == ACT_SEARCH_NEXT ? 1 : -1);
		break;
	case ACT_TO_LAUNCH:
		nav_to_launch(st);
		break;
	case ACT_TO_WORK:
		nav_to_work(st);
		break;
	case ACT_IDLE_NEXT:
	case ACT_IDLE_PREV:
		nav_idle_beside(st, a == ACT_IDLE_NEXT ? 1 : -1);
		break;
	case ACT_MEASURE:
		nav_measure(st);
		break;
	case ACT_RANGE:
		nav_range(st);
		break;
	case ACT_DETAILS:
		details(st);
		break;
	case ACT_SIDE:
		toggle_side(st);
		break;
	default:
		act_lanes(st, a);
		break;
	}
}

static void click(struct state *st, const struct timeline_layout *l, int y, int x)
{
	int col = x - l->x;
	/* the strip at the top shows the whole trace, whatever the view is */
	if (y == l->y_map && col >= 0 && col < l->cols) {
		struct viewport whole = viewport_whole(st->view.port.total_ns, (uint32_t)l->cols);
		nav_cursor(st, viewport_col_start(&whole, (uint32_t)col));
		return;
	}
	uint32_t lane = st->view.top + (uint32_t)(y - l->y_lanes);
	while (y >= l->y_lanes && lane < st->lanes.n && lane &&
	       (st->lanes.at[lane].kind == LANE_OP || st->lanes.at[lane].kind == LANE_LOWER))
		lane--; /* they belong to the stream above them */
	if (y >= l->y_lanes && y < l->y_lanes + l->h_lanes && lane < st->lanes.n && lane_selects(&st->lanes.at[lane])) {
		st->view.lane = lane;
		if (col < 0)
			nav_lane(st, 0);
	}
	if (col >= 0 && col < l->cols && y < l->y_panel)
		nav_cursor(st, viewport_col_start(&st->view.port, (uint32_t)col));
}

/* From where the button went down, which moved the cursor there, to where it is now. */
static void drag(struct state *st, uint32_t col)
{
	const struct viewport *p = &st->view.port;
	uint32_t from = viewport_shows(p, st->view.cursor_ns) ? viewport_col_of(p, st->view.cursor_ns) : col;
	uint32_t first = from < col ? from : col, last = from < col ? col : from;
	nav_drag(st, viewport_col_start(p, first), viewport_col_start(p, last + 1));
}

static void click_more(struct state *st, const struct timeline_layout *l, enum mouse_button what, int y, int x,
		       uint32_t col)
{
	if (what == BUTTON_DRAG)
		drag(st, col);
	else if (what == BUTTON_RELEASE)
		nav_drag_end(st);
	else if (x >= l->x && y < l->y_panel) {
		click(st, l, y, x);
		nav_push(st);
		if (st->view.event != NONE_ID || st->view.gap)
			nav_fit(st);
		else
			viewport_zoom(&st->view.port, col, 1, 2);
	}
}

static void mouse(struct state *st, enum mouse_button what, int y, int x)
{
	struct timeline_layout l = timeline_layout(st);
	int col = x - l.x < 0 ? 0 : x - l.x >= l.cols ? l.cols - 1 : x - l.x;
	if (what == BUTTON_CLICK || (what == BUTTON_DRAG && y == l.y_map)) {
		click(st, &l, y, x);
		return;
	}
	if (what == BUTTON_DOUBLE || what == BUTTON_DRAG || what == BUTTON_RELEASE) {
		click_more(st, &l, what, y, x, (uint32_t)col);
		return;
	}
	bool in = what == BUTTON_WHEEL_UP;
	viewport_zoom(&st->view.port, (uint32_t)col, in ? 1 : 2, in ? 2 : 1);
}

static void enter(struct state *st)
{
	timeline_jobs_follow(st);
	memory_lane_want(st);
	/* folding, a filter or a growing trace may have taken the lane away */
	if (st->view.lane < st->lanes.n)
		return;
	st->view.lane = 0;
}

static uint32_t hidden_tracks(const struct state *st)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < trace_tracks(st->t); i++)
		n += st->lanes.shut[i];
	return n;
}

static void status(const struct state *st, char *buf, size_t size)
{
	uint32_t hidden = hidden_tracks(st);
	char label[128] = "", at[UNITS_BUF], span[UNITS_BUF], range[UNITS_BUF];
	const struct view *v = &st->view;
	if (v->lane < st->lanes.n && lanes_disp(&st->lanes, v->lane) == DISP_GROUP)
		trace_device_label(st->t, st->lanes.at[v->lane].owner, label, sizeof label);
	else if (v->lane < st->lanes.n && st->lanes.at[v->lane].kind == LANE_ROW)
		trace_track_label(st->t, st->lanes.at[v->lane].track, label, sizeof label);
	if (*nav_measured(st, buf, size))
		return;
	int n = snprintf(buf, size, "%s  at %s  view %s", label, fmt_ns(at, v->cursor_ns),
			 fmt_ns(span, v->port.span_ns));
	if (hidden && n > 0 && (size_t)n < size)
		n += snprintf(buf + n, size - (size_t)n, "  %u hidden (X)", hidden);
	if (v->range && n > 0 && (size_t)n < size)
		snprintf(buf + n, size - (size_t)n, "  range %s", fmt_ns(range, v->range_b_ns - v->range_a_ns));
}

const struct pane_ops pane_timeline = {.title = "Timeline",
				       .scope = SCOPE_TIMELINE,
				       .enter = enter,
				       .act = act,
				       .mouse = mouse,
				       .draw = timeline_draw,
				       .status = status};
