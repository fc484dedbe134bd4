/* tui/commands/nav_more.c - idle times of a stream, findings one by one, measuring between events, lanes that are hidden or pinned. */
#include "model/analysis/findings/findings_columns.h"
#include "model/store/base/units.h"
#include "tui/explorer/pane.h"

/* ---- idle times ---------------------------------------------------------------------------------------------------------- */

static uint32_t stream_of_lane(const struct state *st)
{
	const struct view *v = &st->view;
	uint32_t track = v->lane < st->lanes.n ? st->lanes.at[v->lane].track : NONE_ID;
	return track != NONE_ID && trace_track(st->t, track)->kind == TRACK_STREAM ? track : NONE_ID;
}

static bool is_idle_of(const struct state *st, const struct gap_span *g, uint32_t track)
{
	return g->scope == GAP_STREAM && g->dur_ns >= st->least_idle_ns &&
	       derived_gap_lane(st->d, g->id).track == track;
}

void nav_idle_beside(struct state *st, int direction)
{
	uint32_t track = stream_of_lane(st), best = NONE_ID;
	int64_t here = st->view.gap ? st->view.gap->start_ns : st->view.cursor_ns, best_ns = 0;
	struct gap_span g;
	char least[UNITS_BUF];
	if (track == NONE_ID) {
		state_say(st, INK_STATUS, "select the lane of a stream first: i steps through its idle times");
		return;
	}
	struct gap_iter it = direction > 0 ? gap_iter(st->d, here, INT64_MAX) : gap_iter(st->d, 0, here);
	while (gap_next(&it, &g)) {
		bool ahead = direction > 0 ? g.start_ns > here : g.start_ns < here;
		bool nearer = best == NONE_ID || (direction > 0 ? g.start_ns < best_ns : g.start_ns > best_ns);
		if (!ahead || !nearer || !is_idle_of(st, &g, track))
			continue;
		best = g.id;
		best_ns = g.start_ns;
	}
	if (best != NONE_ID)
		nav_gap(st, derived_gap_kept(st->d, best));
	else
		state_say(st, INK_STATUS, "no %s idle time of %s or more on this stream; :idle TIME changes that",
			  direction > 0 ? "later" : "earlier", fmt_ns(least, st->least_idle_ns));
}

/* ---- findings ------------------------------------------------------------------------------------------------------------ */

static bool has_place(const struct table *t, uint32_t row)
{
	const struct evidence *e = table_evidence_of(t, row);
	return e->a_ns < e->b_ns || e->n;
}

void nav_next_finding(struct state *st)
{
	pane_want(st, "findings");
	struct table *t = pane_table_named(st, "findings");
	int sentence = t ? table_place(t, COL_FINDINGS_SENTENCE) : -1;
	uint32_t row = st->finding, tried = 0;
	if (!t) {
		st->finding_owed = true;
		state_say(st, INK_STATUS,
			  "findings are still being computed: the next one is shown when they are ready");
		return;
	}
	do {
		row = row + 1 < t->n_rows ? row + 1 : 0; /* NONE_ID + 1 is 0 */
	} while (tried++ < t->n_rows && !has_place(t, row));
	if (!t->n_rows || !has_place(t, row)) {
		state_say(st, INK_STATUS, "no finding has a place on the timeline");
		return;
	}
	nav_evidence(st, table_evidence_of(t, row));
	st->finding = row;
	const struct cell *c = sentence < 0 ? NULL : table_cell(t, row, (uint32_t)sentence);
	state_say(st, INK_STATUS, "finding %u of %u: %s", row + 1, t->n_rows, c && !c->null ? c->s : "");
}

/* ---- measuring ----------------------------------------------------------------------------------------------------------- */

void nav_measure(struct state *st)
{
	char key[ACTION_NAME_BUF];
	row_id r = st->view.event;
	if (st->measure != NONE_ID) {
		st->measure = NONE_ID;
		state_say(st, INK_STATUS, "no longer measuring");
		return;
	}
	if (r == NONE_ID) {
		state_say(st, INK_STATUS, "select an event first: %s measures from it to those selected after it",
			  action_key(ACT_MEASURE, key));
		return;
	}
	st->measure = r;
	state_say(st, INK_STATUS, "measuring from %s: select another event; %s stops",
		  trace_str(st->t, trace_columns(st->t)->name[r]), action_key(ACT_MEASURE, key));
}

const char *nav_measured(const struct state *st, char *buf, size_t size)
{
	const struct columns *c = trace_columns(st->t);
	char starts[UNITS_BUF], between[UNITS_BUF];
	row_id a = st->measure, b = st->view.event;
	*buf = 0;
	if (a == NONE_ID || b == NONE_ID || a == b)
		return buf;
	if (c->start_ns[b] < c->start_ns[a]) {
		a = b;
		b = st->measure;
	}
	int64_t apart = c->start_ns[b] - c->start_ns[a], idle = apart - c->dur_ns[a];
	snprintf(buf, size, "from %s: %s start to start, %s %s", trace_str(st->t, c->name[st->measure]),
		 fmt_ns(starts, apart), fmt_ns(between, idle < 0 ? -idle : idle),
		 idle < 0 ? "together" : "end to start");
	return buf;
}

/* ---- lanes --------------------------------------------------------------------------------------------------------------- */

static uint32_t track_of_lane(const struct state *st)
{
	const struct view *v = &st->view;
	return v->lane < st->lanes.n && lane_selects(&st->lanes.at[v->lane]) ? st->lanes.at[v->lane].track : NONE_ID;
}

/* The device whose group the selected lane stands for as a whole; NONE_ID: it is another lane. */
static uint32_t group_of_lane(const struct state *st)
{
	const struct view *v = &st->view;
	bool group = v->lane < st->lanes.n && lanes_disp(&st->lanes, v->lane) == DISP_GROUP;
	return group && lane_selects(&st->lanes.at[v->lane]) ? st->lanes.at[v->lane].owner : NONE_ID;
}

/* The lane that stands now where the old one stood, or the nearest that can be selected. */
static void settle_lane(struct state *st)
{
	struct view *v = &st->view;
	if (v->lane >= st->lanes.n)
		v->lane = st->lanes.n ? st->lanes.n - 1 : 0;
	if (v->lane < st->lanes.n && !lane_selects(&st->lanes.at[v->lane])) {
		uint32_t next = lanes_step(&st->lanes, v->lane, 1);
		v->lane = next != v->lane ? next : lanes_step(&st->lanes, v->lane, -1);
	}
	nav_lane(st, 0);
}

void nav_hide(struct state *st, bool all_of_owner)
{
	char label[128], key[ACTION_NAME_BUF];
	uint32_t track = track_of_lane(st), group = group_of_lane(st);
	if (track == NONE_ID)
		return;
	if (!lanes_hide(&st->lanes, track, all_of_owner || group != NONE_ID)) {
		state_say(st, INK_STATUS, "no lane would be left");
		return;
	}
	settle_lane(st);
	st->arranged = true;
	if (group != NONE_ID)
		trace_device_label(st->t, group, label, sizeof label);
	else
		trace_track_label(st->t, track, label, sizeof label);
	state_say(st, INK_STATUS, "%s%s hidden; %s shows all again", label,
		  group == NONE_ID && all_of_owner ? " and what is beside it" : "", action_key(ACT_SHOW_LANES, key));
}

/* The first lane that comes back is selected: it is what is looked for. */
void nav_show_all(struct state *st)
{
	struct view v = nav_remember(st);
	uint32_t first = 0;
	while (first < trace_tracks(st->t) && !st->lanes.shut[first])
		first++;
	uint32_t n = lanes_show_all(&st->lanes), lane;
	nav_restore(st, &v);
	if (n && (lane = lanes_cover(&st->lanes, first, 0)) != NONE_ID) {
		st->view.lane = lane;
		settle_lane(st);
	}
	st->arranged |= n > 0;
	state_say(st, INK_STATUS,
		  n == 1 ? "1 hidden track is shown again"
		  : n    ? "%u hidden tracks are shown again"
			 : "no track is hidden",
		  n);
}

void nav_pin(struct state *st)
{
	uint32_t track = track_of_lane(st), group = group_of_lane(st);
	if (track == NONE_ID)
		return;
	bool pinned;
	char key[ACTION_NAME_BUF];
	if (group == NONE_ID) {
		pinned = lanes_pin(&st->lanes, track);
	} else {
		pinned = lane_groups_pin(&st->lanes.groups, group);
		lanes_build(&st->lanes);
	}
	st->view.lane = lanes_find(&st->lanes, track, group == NONE_ID ? 0 : DISP_GROUP);
	st->view.top = pinned ? 0 : st->view.top;
	settle_lane(st);
	st->arranged = true;
	state_say(st, INK_STATUS, pinned ? "pinned above all others; %s unpins it" : "no longer pinned",
		  action_key(ACT_PIN_LANE, key));
}

void nav_move_lane(struct state *st, int direction)
{
	char label[128], key[ACTION_NAME_BUF];
	uint32_t track = track_of_lane(st), group = group_of_lane(st);
	struct view v = nav_remember(st);
	if (track == NONE_ID)
		return;
	enum lanes_moved moved = lanes_move(&st->lanes, track, group != NONE_ID, direction);
	if (moved == MOVED_NOTHING) {
		state_say(st, INK_STATUS, "it is the %s one; %s pins a lane above all others",
			  direction < 0 ? "first" : "last", action_key(ACT_PIN_LANE, key));
		return;
	}
	st->arranged = true;
	nav_restore(st, &v);
	nav_lane(st, 0);
	/* what is selected stays, which moving to a lane would have changed */
	st->view.event = v.event;
	st->view.gap = v.gap;
	st->view.step = v.step;
	if (group != NONE_ID)
		trace_device_label(st->t, group, label, sizeof label);
	else
		trace_track_label(st->t, track, label, sizeof label);
	state_say(st, INK_STATUS, "%s%s moved %s; :forget puts everything back",
		  moved == MOVED_OWNER && group == NONE_ID ? "all lanes beside " : "", label,
		  direction < 0 ? "up" : "down");
}

/* ---- groups of devices ----------------------------------------------------------------------------------------------------- */

static void lanes_changed(struct state *st, const struct view *before)
{
	lanes_build(&st->lanes);
	nav_restore(st, before);
	settle_lane(st);
	st->arranged = true;
}

static bool groups_here(struct state *st)
{
	if (!st->lanes.groups.on)
		state_say(st, INK_STATUS, "GPUs have one row each where more than %d of them work", MOST_APART);
	return st->lanes.groups.on;
}

void nav_fold_group(struct state *st)
{
	char label[128], key[ACTION_NAME_BUF];
	uint32_t device = group_of_lane(st);
	struct view v = nav_remember(st);
	if (device == NONE_ID)
		return;
	bool *open = &st->lanes.groups.open[device];
	*open = !*open;
	lanes_changed(st, &v);
	state_say(st, INK_STATUS, *open ? "%s with its streams and host threads; %s folds them" : "%s folded",
		  trace_device_label(st->t, device, label, sizeof label), action_key(ACT_FOLD, key));
}

void nav_fold_all(struct state *st)
{
	if (!groups_here(st))
		return;
	struct view v = nav_remember(st);
	bool open = lane_groups_toggle_all(&st->lanes.groups);
	lanes_changed(st, &v);
	state_say(st, INK_STATUS, open ? "all GPUs with their streams and host threads" : "one row for each GPU");
}

void nav_order(struct state *st, enum lane_order by)
{
	static const char *const words[] = {
#define ORDER_HELP(id, word, help) help,
		LANE_ORDERS(ORDER_HELP)
#undef ORDER_HELP
	};
	if (!groups_here(st))
		return;
	struct view v = nav_remember(st);
	lane_groups_sort(&st->lanes.groups, by);
	lanes_changed(st, &v);
	state_say(st, INK_STATUS, "GPUs by %s, first %s", lane_order_word(by), words[by]);
}

void nav_order_next(struct state *st)
{
	nav_order(st, (enum lane_order)((st->lanes.groups.by + 1) % LANE_ORDER_COUNT));
}
