/* tui/explorer/nav_gap.c - moving by gaps, steps, ranges and windows: everything that has a length. */
#include "state.h"
#include "tui/text/window.h"
#include "model/analysis/gaps/verdict.h"
#include "model/store/base/memory.h"
#include "model/store/base/grow.h"
#include <inttypes.h>
#include <stdlib.h>

enum { GAP_MARGIN_PCT = 60, STEP_MARGIN_PCT = 4, FIT_MARGIN_PCT = 10 };

/* The heading of the gap's device, or its stream; NONE_ID: neither is shown. */
static uint32_t place_of_gap(const struct state *st, const struct gap *g)
{
	for (uint32_t i = 0; i < st->lanes.n; i++) {
		const struct lane *l = &st->lanes.at[i];
		if (g->scope == GAP_STREAM ? l->kind == LANE_ROW && l->track == g->track
					   : l->kind == LANE_DEVICE && l->owner == g->device)
			return i;
	}
	return NONE_ID;
}

/* Headings cannot be selected: the first lane below. */
static void lane_of_gap(struct state *st, const struct gap *g)
{
	uint32_t i = place_of_gap(st, g);
	if (i != NONE_ID) {
		st->view.lane = lane_selects(&st->lanes.at[i]) ? i : lanes_step(&st->lanes, i, 1);
		st->view.top = i < st->view.top ? i : st->view.top;
	}
	nav_lane(st, 0);
}

/* The row of the event that filled most of the gap; false: none is known, or it runs on a device. */
static bool row_of_cause(const struct state *st, const struct gap *g, struct lane_ask *out)
{
	const struct columns *c = trace_columns(st->t);
	struct gap_verdict v;
	gap_verdict_of(st->d, g, &v);
	if (v.row == NONE_ID || trace_track(st->t, c->track[v.row])->device != NONE_ID)
		return false;
	*out = (struct lane_ask){c->track[v.row], c->disp[v.row], NONE_ID};
	return true;
}

/* Brings the rows of what filled the gap onto the screen, below the gap's own lanes. Where others stand between them and do not
 * fit, the two move together. */
static void show_cause(struct state *st, const struct gap *g)
{
	struct lane_ask ask;
	uint32_t room = st->lanes.room;
	if (!row_of_cause(st, g, &ask))
		return;
	lanes_open_group(&st->lanes, ask.track);
	lanes_look(&st->lanes, st->lanes.col_ns, ask);
	uint32_t at = place_of_gap(st, g), cause = lanes_cover(&st->lanes, ask.track, ask.disp);
	if (at != NONE_ID && cause != NONE_ID && cause >= at + room) {
		ask.device = g->device;
		lanes_look(&st->lanes, st->lanes.col_ns, ask);
		cause = lanes_cover(&st->lanes, ask.track, ask.disp);
	}
	lane_of_gap(st, g);
	if (cause != NONE_ID && room && cause >= st->view.top + room)
		st->view.top = cause + 1 - room;
}

void nav_gap(struct state *st, const struct gap *g)
{
	struct view *v = &st->view;
	v->cursor_ns = g->start_ns;
	viewport_show(&v->port, g->start_ns, g->start_ns + g->dur_ns, GAP_MARGIN_PCT);
	nav_lanes(st);
	if (g->scope == GAP_STREAM)
		lanes_open_group(&st->lanes, g->track);
	/* before the gap is selected: moving to a lane selects what is under the cursor there */
	lane_of_gap(st, g);
	show_cause(st, g);
	v->event = NONE_ID;
	v->step = NONE_ID;
	v->gap = g;
}

static const struct gap *gap_ranked(const struct state *st, uint32_t rank)
{
	return derived_gap_ranked(st->d, rank, st->window.a_ns, st->window.b_ns);
}

/* How many of the biggest gaps are behind `b`: none when it comes from another pane; the biggest also when it was chosen otherwise. */
static uint32_t gaps_behind(const struct state *st)
{
	const struct gap *chosen = st->view.gap, *biggest;
	if (st->view.pane != PANE_TIMELINE)
		return 0;
	if (st->gaps_shown || !chosen)
		return st->gaps_shown;
	biggest = gap_ranked(st, 0);
	return biggest && biggest->id == chosen->id ? 1 : 0;
}

/* On the timeline the next biggest, however one has moved there since; from another pane, and after the last one, the biggest. */
void nav_biggest_gap(struct state *st)
{
	bool again = st->last == ACT_GAP_BIGGEST && st->view.pane == PANE_TIMELINE && st->view.gap;
	uint32_t rank = gaps_behind(st);
	const struct gap *g = gap_ranked(st, rank);
	if (!g && rank > 0) {
		rank = 0;
		g = gap_ranked(st, 0);
		state_say(st, INK_STATUS, "that was the last one; this is the biggest again");
	} else if (g && rank > 0 && !again) {
		state_say(st, INK_STATUS, "the next biggest gap, number %" PRIu32 "; Esc and b: the biggest again",
			  rank + 1);
	}
	if (!g) {
		state_say(st, INK_WARN, "no gap here: %s", window_no_gap(st->d));
		return;
	}
	if (!again)
		nav_push(st);
	nav_pane(st, PANE_TIMELINE, 0);
	nav_gap(st, g);
	st->gaps_shown = rank + 1;
}

static bool comes_before(const struct gap *a, const struct gap *b)
{
	return a->start_ns != b->start_ns ? a->start_ns < b->start_ns : a->id < b->id;
}

/* g and G walk along the step gaps; where there are none, along the idle intervals of the devices. */
void nav_gap_beside(struct state *st, int direction)
{
	const struct gap *chosen = st->view.gap;
	/* gaps that begin together are distinguished by their id */
	struct gap here = {.start_ns = st->view.cursor_ns, .id = direction > 0 ? 0 : UINT32_MAX};
	struct gap g, best = {.id = NONE_ID};
	enum gap_scope scope = derived_step_gap_count(st->d) ? GAP_STEP : GAP_DEVICE;
	if (chosen)
		here = *chosen;
	for (uint32_t i = 0; derived_gap_at(st->d, i, &g) && g.scope <= scope; i++) {
		bool ahead = direction > 0 ? comes_before(&here, &g) : comes_before(&g, &here);
		if (!ahead || g.scope != scope)
			continue;
		if (best.id == NONE_ID || (direction > 0 ? comes_before(&g, &best) : comes_before(&best, &g)))
			best = g;
	}
	if (best.id != NONE_ID)
		nav_gap(st, derived_gap_kept(st->d, best.id));
	else
		state_say(st, INK_STATUS, direction > 0 ? "no later gap" : "no earlier gap");
}

/* ---- steps -------------------------------------------------------------------------------------------------------- */

static uint32_t process_of_lane(const struct state *st)
{
	const struct lane *l = nav_selected_lane(st);
	if (l) {
		uint32_t process = trace_track(st->t, l->track)->process;
		for (uint32_t i = 0; process != NONE_ID && i < derived_steps(st->d); i++)
			if (derived_step(st->d, i)->process == process)
				return process;
	}
	return derived_steps(st->d) ? derived_step(st->d, 0)->process : NONE_ID;
}

/* The marker row shows the steps of the selected lane's process, else of the first that has any. */
void nav_steps_row(struct state *st)
{
	uint32_t process = process_of_lane(st), n = derived_steps(st->d);
	if (st->row_steps && process == st->row_steps_process)
		return;
	st->row_steps_process = process;
	if (!st->row_steps)
		st->row_steps = must(malloc((n ? n : 1) * sizeof *st->row_steps));
	st->n_row_steps = 0;
	for (uint32_t i = 0; i < n; i++)
		if (derived_step(st->d, i)->process == process)
			st->row_steps[st->n_row_steps++] = i;
}

void nav_step(struct state *st, uint32_t step)
{
	const struct step *s = derived_step(st->d, step);
	struct view *v = &st->view;
	v->event = NONE_ID;
	v->gap = NULL;
	v->step = step;
	v->cursor_ns = s->start_ns;
	viewport_show(&v->port, s->start_ns, s->members_end_ns, STEP_MARGIN_PCT);
}

void nav_step_beside(struct state *st, int direction)
{
	if (nav_iteration_beside(st, direction))
		return;
	nav_steps_row(st);
	uint32_t found = NONE_ID;
	for (uint32_t i = 0; i < st->n_row_steps; i++) {
		uint32_t step = st->row_steps[i];
		int64_t start = derived_step(st->d, step)->start_ns;
		if (direction > 0 && found == NONE_ID && start > st->view.cursor_ns)
			found = step;
		if (direction < 0 && start < st->view.cursor_ns)
			found = step;
		/* standing before the first step's end without a step chosen: } takes the one around the cursor */
		if (direction > 0 && st->view.step == NONE_ID && start == st->view.cursor_ns)
			found = step;
	}
	if (found != NONE_ID)
		nav_step(st, found);
	else if (!st->n_row_steps)
		state_say(st, INK_WARN, "this trace has no steps; name them with --steps-by REGEX");
	else
		state_say(st, INK_STATUS, direction > 0 ? "no later step" : "no earlier step");
}

/* ---- ranges and windows ------------------------------------------------------------------------------------------- */

/* What the cursor stands on: the selected event at its whole length, else a single column. */
static void extent(const struct state *st, int64_t *a_ns, int64_t *b_ns)
{
	const struct columns *c = trace_columns(st->t);
	const struct view *v = &st->view;
	int64_t column = v->port.span_ns / v->port.cols;
	*a_ns = v->cursor_ns;
	*b_ns = *a_ns + (column > 0 ? column : 1);
	if (v->event != NONE_ID) {
		*a_ns = c->start_ns[v->event];
		*b_ns = *a_ns + (c->dur_ns[v->event] > 0 ? c->dur_ns[v->event] : 1);
	}
}

void nav_grow_range(struct state *st)
{
	struct view *v = &st->view;
	int64_t a, b;
	if (!v->range_open)
		return;
	extent(st, &a, &b);
	v->range_a_ns = a < v->anchor_a_ns ? a : v->anchor_a_ns;
	v->range_b_ns = b > v->anchor_b_ns ? b : v->anchor_b_ns;
	if (v->range_b_ns > v->port.total_ns)
		v->range_b_ns = v->port.total_ns;
}

static void end_range(struct state *st)
{
	struct view *v = &st->view;
	v->range_open = false;
	st->window = window_of_time(st->d, v->range_a_ns, v->range_b_ns);
	st->gaps_shown = 0;
	state_question(st);
	state_say(st, INK_STATUS, "window %s: tables and exports follow it; Esc drops it", st->window.text);
}

void nav_drag(struct state *st, int64_t from_ns, int64_t to_ns)
{
	struct view *v = &st->view;
	v->range = v->range_open = true;
	v->range_a_ns = v->anchor_a_ns = from_ns;
	v->range_b_ns = v->anchor_b_ns = to_ns < v->port.total_ns ? to_ns : v->port.total_ns;
}

void nav_drag_end(struct state *st)
{
	if (st->view.range_open)
		end_range(st);
}

void nav_range(struct state *st)
{
	struct view *v = &st->view;
	if (v->range_open) {
		end_range(st);
		return;
	}
	v->range = v->range_open = true;
	if (v->gap) {
		v->anchor_a_ns = v->gap->start_ns;
		v->anchor_b_ns = v->gap->start_ns + v->gap->dur_ns;
	} else {
		extent(st, &v->anchor_a_ns, &v->anchor_b_ns);
	}
	v->range_a_ns = v->anchor_a_ns;
	v->range_b_ns = v->anchor_b_ns;
}

/* Event, gap, range or step. */
static bool nav_selection(const struct state *st, int64_t *a_ns, int64_t *b_ns)
{
	const struct view *v = &st->view;
	if (v->range) {
		*a_ns = v->range_a_ns;
		*b_ns = v->range_b_ns;
	} else if (v->event != NONE_ID) {
		extent(st, a_ns, b_ns);
	} else if (v->gap) {
		*a_ns = v->gap->start_ns;
		*b_ns = v->gap->start_ns + v->gap->dur_ns;
	} else if (v->step != NONE_ID) {
		*a_ns = derived_step(st->d, v->step)->start_ns;
		*b_ns = derived_step(st->d, v->step)->members_end_ns;
	} else {
		return false;
	}
	return true;
}

void nav_fit(struct state *st)
{
	int64_t a, b;
	if (nav_selection(st, &a, &b))
		viewport_show(&st->view.port, a, b, FIT_MARGIN_PCT);
	else
		state_say(st, INK_STATUS, "nothing is selected: f fits an event, gap, step or range into the view");
}

void nav_window(struct state *st, const struct window *w)
{
	struct view *v = &st->view;
	st->window = *w;
	st->gaps_shown = 0;
	state_question(st);
	v->range = v->range_open = false;
	v->gap = w->kind == WINDOW_GAP ? w->gap : NULL;
	v->step = w->kind == WINDOW_STEP ? w->step_first : NONE_ID;
	v->cursor_ns = w->a_ns;
	if (w->kind == WINDOW_ALL)
		nav_whole(st);
	else
		viewport_show(&v->port, w->a_ns, w->b_ns, w->kind == WINDOW_GAP ? GAP_MARGIN_PCT : STEP_MARGIN_PCT);
}

struct window nav_export_window(const struct state *st)
{
	const struct view *v = &st->view;
	struct window w;
	char word[128];
	if (v->range)
		return window_of_time(st->d, v->range_a_ns, v->range_b_ns);
	if (v->gap)
		return window_of_gap(st->d, v->gap);
	if (v->step != NONE_ID) {
		snprintf(word, sizeof word, "step:%s", derived_step(st->d, v->step)->label);
		if (window_parse(st->d, word, &w, NULL))
			return w;
	}
	if (st->window.kind != WINDOW_ALL)
		return st->window;
	if (v->pane != PANE_TIMELINE || v->port.span_ns == v->port.total_ns)
		return window_all(st->d);
	int64_t a = v->port.from_ns, b = a + v->port.span_ns;
	return window_of_time(st->d, a < 0 ? 0 : a, b > v->port.total_ns ? v->port.total_ns : b);
}
