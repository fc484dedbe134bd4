/* tui/explorer/nav.c - moving about on the timeline: lanes, events, cursor, links; and back again. */
#include "pane.h"
#include "timeline_layout.h"
#include "model/finding.h"
#include <string.h>

/* A lane is remembered by its track: folding, resizing and a growing trace number lanes anew. */
struct view nav_remember(const struct state *st)
{
	struct view v = st->view;
	const struct lane *l = v.lane < st->lanes.n ? &st->lanes.at[v.lane] : NULL;
	v.lane_track = l ? l->track : NONE_ID;
	v.lane_disp = l ? lanes_disp(&st->lanes, v.lane) : 0;
	v.ask = st->lanes.ask;
	return v;
}

/* The lane that was remembered, as lanes are numbered now. */
static void find_lane(struct state *st, const struct view *v)
{
	uint32_t lane = v->lane_track == NONE_ID ? NONE_ID : lanes_cover(&st->lanes, v->lane_track, v->lane_disp);
	if (lane == NONE_ID || lane == v->lane)
		return;
	st->view.lane = lane;
	/* the lane keeps its distance from the top, where it can */
	st->view.top = lane > v->lane ? v->top + (lane - v->lane) : lane < v->top ? lane : v->top;
}

static int64_t column_ns(const struct viewport *p)
{
	return p->cols ? p->span_ns / p->cols : 0;
}

/* The screen may have another width now, and lanes may have been unfolded meanwhile. */
void nav_restore(struct state *st, const struct view *v)
{
	uint32_t cols = st->view.port.cols;
	st->view = *v;
	viewport_resize(&st->view.port, cols);
	lanes_look(&st->lanes, column_ns(&st->view.port), v->ask);
	find_lane(st, v);
}

/* Each pane and each table remembers its own row, sorting and scrolling while another is shown. */
static struct table_place *home_of(struct state *st, const struct view *v)
{
	return v->pane == PANE_TABLE ? &st->places[v->analysis] : &st->pane_places[v->pane];
}

void nav_pane(struct state *st, enum pane_id pane, uint32_t analysis)
{
	struct view *v = &st->view;
	if (v->pane != PANE_TIMELINE)
		*home_of(st, v) = v->place;
	if (v->pane != PANE_TIMELINE && pane == PANE_TIMELINE) {
		v->from_list = true;
		v->list = v->pane;
		v->list_analysis = v->analysis;
	}
	st->view.pane = pane;
	st->view.analysis = analysis;
	if (pane != PANE_TIMELINE)
		st->view.place = *home_of(st, &st->view);
}

void nav_tell_gone(struct state *st)
{
	if (st->view.gone)
		state_say(st, INK_WARN, "what was shown here is no longer kept: --keep says how much is");
	st->view.gone = false;
}

static void follow_lane(struct state *st)
{
	struct timeline_layout l = timeline_layout(st);
	uint32_t h = l.h_lanes > 0 ? (uint32_t)l.h_lanes : 1;
	struct view *v = &st->view;
	if (st->lanes.n == 0)
		return;
	if (v->lane >= st->lanes.n)
		v->lane = st->lanes.n - 1;
	/* a group's first lane brings the group's name along */
	uint32_t first = v->lane > 0 && !lane_selects(&st->lanes.at[v->lane - 1]) ? v->lane - 1 : v->lane;
	if (first < v->top)
		v->top = first;
	if (v->lane >= v->top + h)
		v->top = v->lane - h + 1;
	if (v->top + h > st->lanes.n)
		v->top = st->lanes.n > h ? st->lanes.n - h : 0;
}

void nav_lanes(struct state *st)
{
	struct view before = nav_remember(st);
	if (!lanes_look(&st->lanes, column_ns(&st->view.port), st->lanes.ask))
		return;
	find_lane(st, &before);
	follow_lane(st);
}

/* Nothing is asked for any more. */
void nav_whole(struct state *st)
{
	st->lanes.ask.track = NONE_ID;
	st->view.port = viewport_whole(st->view.port.total_ns, st->view.port.cols);
}

/* Keeps the zoom; moves only when the instant is out of sight. */
static void show_instant(struct state *st, int64_t ts_ns)
{
	struct viewport *p = &st->view.port;
	if (viewport_shows(p, ts_ns))
		return;
	/* a step of nothing brings the view back inside the trace */
	p->from_ns = ts_ns - p->span_ns / 2;
	viewport_pan(p, 0);
}

/* Time of an event that its children on the same lane do not cover. */
static void measure_self(struct state *st, row_id r)
{
	const struct columns *c = trace_columns(st->t);
	int64_t a = c->start_ns[r], b = a + c->dur_ns[r], self = b - a;
	struct event_iter it = event_iter(st->t, c->track[r], a, b, KINDS_ALL);
	while (event_next(&it))
		if (it.row > r && c->depth[it.row] == c->depth[r] + 1 && trace_parent(st->t, it.row) == r)
			self -= c->dur_ns[it.row];
	st->self_ns = self;
	st->self_of = r;
}

static void select_event(struct state *st, row_id r)
{
	const struct columns *c = trace_columns(st->t);
	struct view *v = &st->view;
	v->event = r;
	/* one thing is selected at a time: event, gap or step */
	v->gap = NULL;
	v->step = NONE_ID;
	nav_lanes(st);
	uint32_t lane = lanes_find(&st->lanes, c->track[r], c->disp[r]);
	if (lane != NONE_ID)
		v->lane = lane;
	measure_self(st, r);
	nav_grow_range(st);
}

void nav_event(struct state *st, row_id r)
{
	const struct columns *c = trace_columns(st->t);
	if (r >= c->n)
		return;
	select_event(st, r);
	int64_t a = c->start_ns[r], b = a + c->dur_ns[r];
	const struct viewport *p = &st->view.port;
	/* its start may be out of sight while it fills the screen: then the view stays */
	bool covers_view = a <= p->from_ns && b >= p->from_ns + p->span_ns;
	if (!covers_view)
		show_instant(st, a);
	st->view.cursor_ns = a > p->from_ns ? a : p->from_ns;
	if (b < st->view.cursor_ns)
		st->view.cursor_ns = a;
	follow_lane(st);
}

/* Selects what lies under the cursor on the current lane, or nothing. */
static void pick_under_cursor(struct state *st)
{
	struct view *v = &st->view;
	const struct lane *lane = v->lane < st->lanes.n ? &st->lanes.at[v->lane] : NULL;
	row_id r = NONE_ID;
	if (lane && lane_selects(lane))
		r = trace_at_on_row(st->t, lane->track, lane->disp, v->cursor_ns);
	if (r == NONE_ID) {
		v->event = NONE_ID;
		nav_grow_range(st);
		return;
	}
	select_event(st, r);
}

void nav_cursor(struct state *st, int64_t ts_ns)
{
	struct view *v = &st->view;
	v->cursor_ns = ts_ns < 0 ? 0 : ts_ns >= v->port.total_ns ? v->port.total_ns - 1 : ts_ns;
	v->gap = NULL;
	show_instant(st, v->cursor_ns);
	pick_under_cursor(st);
	follow_lane(st);
}

void nav_time(struct state *st, int64_t ts_ns)
{
	nav_push(st);
	nav_pane(st, PANE_TIMELINE, 0);
	nav_cursor(st, ts_ns);
	struct viewport *p = &st->view.port;
	p->from_ns = st->view.cursor_ns - p->span_ns / 2;
	viewport_pan(p, 0);
}

const struct lane *nav_selected_lane(const struct state *st)
{
	const struct lane *l = st->view.lane < st->lanes.n ? &st->lanes.at[st->view.lane] : NULL;
	return l && lane_selects(l) ? l : NULL;
}

void nav_lane(struct state *st, int lanes_moved)
{
	int direction = lanes_moved < 0 ? -1 : 1;
	for (int i = 0; i != lanes_moved; i += direction)
		st->view.lane = lanes_step(&st->lanes, st->view.lane, direction);
	pick_under_cursor(st);
	follow_lane(st);
}

/* A filter passes over what it does not show. */
static row_id beside_on_row(const struct state *st, const struct lane *lane, int64_t at, int direction)
{
	if (st->hits)
		return direction > 0 ? hits_next(st->hits, lane->track, lane->disp, at)
				     : hits_prev(st->hits, lane->track, lane->disp, at);
	return direction > 0 ? trace_next_on_row(st->t, lane->track, lane->disp, at)
			     : trace_prev_on_row(st->t, lane->track, lane->disp, at);
}

/* The neighbour of the selected event, or of the cursor when none is selected. */
void nav_event_beside(struct state *st, int direction)
{
	const struct columns *c = trace_columns(st->t);
	struct view *v = &st->view;
	const struct lane *lane = v->lane < st->lanes.n ? &st->lanes.at[v->lane] : NULL;
	if (!lane || !lane_selects(lane))
		return;
	int64_t at = v->event != NONE_ID ? c->start_ns[v->event] : v->cursor_ns;
	row_id r = beside_on_row(st, lane, at, direction);
	if (r == NONE_ID)
		state_say(st, INK_STATUS, "no %s event on this lane%s", direction > 0 ? "later" : "earlier",
			  st->hits ? " passes the filter" : "");
	else
		nav_event(st, r);
}

/* False of what takes a block of memory back, and of other events. */
static bool gives_out(const struct state *st, row_id r)
{
	const struct allocation *a = trace_side(st->t, SIDE_ALLOCATIONS, r);
	return a && a->bytes > 0;
}

/* The other end of the first arrow into the selected event, or out of it; NONE_ID = none. */
static row_id other_end(const struct state *st, bool in)
{
	enum { LOOKED_AT = 64 };
	struct event_link links[LOOKED_AT];
	uint32_t n = event_links_of(timeline_links(st->jobs), st->t, st->view.event, links, LOOKED_AT);
	for (uint32_t i = 0; i < n && i < LOOKED_AT; i++)
		if (link_kind_leads_in(links[i].kind) == in)
			return links[i].row;
	return gives_out(st, st->view.event) != in ? timeline_block_end(st->jobs, st->view.event) : NONE_ID;
}

/* A block of memory has an end of its own. True when the selected event is one, of the side that is asked. */
static bool told_of_block(struct state *st, bool in)
{
	row_id r = st->view.event;
	if (r == NONE_ID || !trace_side(st->t, SIDE_ALLOCATIONS, r) || gives_out(st, r) == in)
		return false;
	state_say(st, INK_WARN,
		  !timeline_links(st->jobs) ? "the other end of this block is still being looked for"
		  : in                      ? "the allocation of this block is not in the trace"
					    : "nothing in the trace frees this block");
	return true;
}

void nav_to_launch(struct state *st)
{
	char key[ACTION_NAME_BUF];
	row_id r = st->view.event, from = r == NONE_ID ? NONE_ID : other_end(st, true);
	if (from == NONE_ID && told_of_block(st, true))
		return;
	if (from == NONE_ID && (r == NONE_ID || !kind_is_work(trace_columns(st->t)->kind[r]))) {
		state_say(st, INK_STATUS, "select a kernel or copy first: %s goes to its launch",
			  action_key(ACT_TO_LAUNCH, key));
		return;
	}
	if (from == NONE_ID) {
		state_say(st, INK_WARN, "the launch of this event is not in the trace");
		return;
	}
	nav_push(st);
	nav_event(st, from);
}

/* From a launch to its first device event, from an allocation to its free; from device work to the next one of the same launch. */
void nav_to_work(struct state *st)
{
	char key[ACTION_NAME_BUF];
	const struct columns *c = trace_columns(st->t);
	row_id r = st->view.event, next = NONE_ID;
	const row_id *rows;
	uint32_t n = 0;
	if (r != NONE_ID && kind_is_work(c->kind[r]) && c->link[r] != NONE_ID) {
		n = trace_launched(st->t, c->link[r], &rows);
		for (uint32_t i = 0; i < n; i++)
			if (rows[i] == r)
				next = rows[(i + 1) % n];
	} else if (r != NONE_ID) {
		n = trace_launched(st->t, r, &rows);
		next = n ? rows[0] : other_end(st, false);
	}
	if (next == NONE_ID && told_of_block(st, false))
		return;
	if (next == NONE_ID) {
		state_say(st, INK_STATUS, "select a launch first: %s goes to the device work it started",
			  action_key(ACT_TO_WORK, key));
		return;
	}
	nav_push(st);
	nav_event(st, next);
	if (n > 1)
		state_say(st, INK_STATUS, "one of %u device events of this launch; ] goes on", n);
}

/* What a finding was judged by: a table about its subject rather than the overview, where it has both. */
static const struct finding_input *judged_by(const struct finding_inputs *inputs)
{
	const struct finding_input *found = NULL;
	for (uint32_t i = 0; inputs && i < inputs->n; i++) {
		const struct finding_input *x = &inputs->at[i];
		if (x->table && strcmp(x->table, "overview") != 0)
			return x;
		found = !found && x->table ? x : found;
	}
	return found;
}

/* Evidence without a place in time: the table that holds the number. */
static void open_numbers(struct state *st, const struct evidence *e)
{
	const struct finding_input *x = judged_by(e->inputs);
	if (!x) {
		state_say(st, INK_STATUS, "this is about the whole trace: no single event or table shows it");
		return;
	}
	open_table_named(st, x->table);
	bool key = x->rows && strncmp(x->rows, "key=", 4) == 0; /* a table of keys and values: the key says it all */
	state_say(st, INK_STATUS, "not an event: judged by %s in this table%s%s",
		  key         ? x->rows + 4
		  : x->column ? x->column
			      : "the rows",
		  key || !x->rows ? "" : ", ", key || !x->rows ? "" : x->rows);
}

void nav_device(struct state *st, uint32_t device)
{
	const struct lanes *l = &st->lanes;
	nav_pane(st, PANE_TIMELINE, 0);
	nav_lanes(st);
	for (uint32_t i = 0; i < l->n; i++) {
		uint32_t of = l->at[i].kind == LANE_DEVICE ? l->at[i].owner
			      : l->at[i].kind == LANE_ROW  ? trace_track(st->t, l->at[i].track)->device
							   : NONE_ID;
		if (of == device && lane_selects(&l->at[i])) {
			st->view.lane = i;
			break;
		}
	}
	follow_lane(st);
}

void nav_evidence(struct state *st, const struct evidence *e)
{
	if (e->a_ns >= e->b_ns && e->n == 0) {
		open_numbers(st, e);
		return;
	}
	nav_push(st);
	nav_pane(st, PANE_TIMELINE, 0);
	if (e->a_ns < e->b_ns)
		viewport_show(&st->view.port, e->a_ns, e->b_ns, 10);
	st->view.cursor_ns = e->a_ns;
	if (e->n == 0)
		return;
	nav_event(st, e->rows[0]);
	if (e->a_ns >= e->b_ns)
		nav_fit(st);
}
