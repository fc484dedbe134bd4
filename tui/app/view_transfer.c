#include "view_transfer.h"
#include "model/store/base/memory.h"
#include "tui/explorer/pane.h"
#include <stdlib.h>
#include <string.h>

struct transfer {
	struct state *to;
	const struct state *from;
	int64_t shift_ns; /* time in the new trace - time in the old one */
	uint32_t *tracks; /* [old track] = new one, or NONE_ID */
};

/* ---- tracks ------------------------------------------------------------------------------------------------------- */

static bool same_text(const struct transfer *c, str_id new_id, str_id old_id)
{
	return strcmp(trace_str(c->to->t, new_id), trace_str(c->from->t, old_id)) == 0;
}

static bool same_host(const struct transfer *c, uint32_t new_host, uint32_t old_host)
{
	const struct host *n = trace_host(c->to->t, new_host), *o = trace_host(c->from->t, old_host);
	return n->rank == o->rank && same_text(c, n->name, o->name);
}

static bool same_owner(const struct transfer *c, const struct track_info *n, const struct track_info *o)
{
	if ((n->process == NONE_ID) != (o->process == NONE_ID) || (n->device == NONE_ID) != (o->device == NONE_ID))
		return false;
	if (n->process != NONE_ID &&
	    trace_process(c->to->t, n->process)->pid != trace_process(c->from->t, o->process)->pid)
		return false;
	return n->device == NONE_ID ||
	       trace_device(c->to->t, n->device)->ordinal == trace_device(c->from->t, o->device)->ordinal;
}

static bool same_track(const struct transfer *c, uint32_t new_track, uint32_t old_track)
{
	const struct track_info *n = trace_track(c->to->t, new_track), *o = trace_track(c->from->t, old_track);
	return n->kind == o->kind && n->key == o->key && same_owner(c, n, o) && same_host(c, n->host, o->host) &&
	       same_text(c, n->lane, o->lane);
}

/* Both lists come in the same order, with a few that are only in one of them: look on from the last hit. */
static void match_tracks(struct transfer *c)
{
	uint32_t n_old = trace_tracks(c->from->t), n_new = trace_tracks(c->to->t), hint = 0;
	c->tracks = must(malloc((n_old + 1) * sizeof *c->tracks));
	for (uint32_t i = 0; i < n_old; i++) {
		uint32_t k = 0;
		while (k < n_new && !same_track(c, (hint + k) % n_new, i))
			k++;
		c->tracks[i] = k < n_new ? (hint + k) % n_new : NONE_ID;
		if (k < n_new)
			hint = c->tracks[i] + 1;
	}
}

static uint32_t track_of(const struct transfer *c, uint32_t old_track)
{
	return old_track < trace_tracks(c->from->t) ? c->tracks[old_track] : NONE_ID;
}

/* ---- events, steps, gaps ------------------------------------------------------------------------------------------ */

static row_id event_of(const struct transfer *c, row_id old)
{
	const struct columns *o = trace_columns(c->from->t), *n = trace_columns(c->to->t);
	uint32_t track = old < o->n ? track_of(c, o->track[old]) : NONE_ID;
	if (track == NONE_ID)
		return NONE_ID;
	int64_t start_ns = o->start_ns[old] + c->shift_ns;
	struct event_iter it = event_iter(c->to->t, track, start_ns, start_ns + 1, KINDS_ALL);
	while (event_next(&it))
		if (n->start_ns[it.row] == start_ns && n->dur_ns[it.row] == o->dur_ns[old] &&
		    same_text(c, n->name[it.row], o->name[old]))
			return it.row;
	return NONE_ID;
}

static uint32_t step_of(const struct transfer *c, uint32_t old)
{
	if (old >= derived_steps(c->from->d))
		return NONE_ID;
	const struct step *o = derived_step(c->from->d, old);
	for (uint32_t i = 0; i < derived_steps(c->to->d); i++) {
		const struct step *n = derived_step(c->to->d, i);
		if (n->start_ns == o->start_ns + c->shift_ns &&
		    trace_host(c->to->t, n->host)->rank == trace_host(c->from->t, o->host)->rank &&
		    strcmp(derived_step_name(c->to->d, n), derived_step_name(c->from->d, o)) == 0)
			return i;
	}
	return NONE_ID;
}

static const struct gap *gap_of(const struct transfer *c, const struct gap *old)
{
	const struct step_gaps gaps = derived_step_gaps(c->to->d);
	for (uint32_t i = 0; old && i < gaps.n; i++) {
		const struct step_gap g = step_gap_of(&gaps, i);
		if (g.start_ns == old->start_ns + c->shift_ns && g.device == old->device &&
		    g.end_ns - g.start_ns == old->dur_ns)
			return derived_gap_kept(c->to->d, i);
	}
	return NULL;
}

/* ---- views -------------------------------------------------------------------------------------------------------- */

/* A view that reached the end of the trace, or showed all of it, goes on doing so. */
static struct viewport port_of(const struct transfer *c, const struct viewport *old)
{
	struct viewport p = viewport_whole(trace_span_ns(c->to->t), old->cols);
	if (old->span_ns >= old->total_ns)
		return p;
	int64_t from_ns = old->from_ns + c->shift_ns;
	if (old->from_ns + old->span_ns >= old->total_ns)
		from_ns = p.total_ns - old->span_ns;
	p.span_ns = old->span_ns < p.total_ns ? old->span_ns : p.total_ns;
	p.from_ns = from_ns;
	viewport_pan(&p, 0);
	return p;
}

static bool is_gone(const struct transfer *c, const struct view *old)
{
	const struct viewport *p = &old->port;
	return p->span_ns < p->total_ns && p->from_ns + p->span_ns + c->shift_ns <= 0;
}

static struct view view_of(const struct transfer *c, const struct view *old)
{
	struct view v = *old;
	v.gone = old->gone || is_gone(c, old);
	v.port = port_of(c, &old->port);
	v.lane_track = track_of(c, old->lane_track);
	v.ask = (struct lane_ask){track_of(c, old->ask.track), old->ask.disp, NONE_ID};
	v.cursor_ns = old->cursor_ns + c->shift_ns;
	if (v.cursor_ns < 0)
		v.cursor_ns = 0;
	v.event = event_of(c, old->event);
	v.gap = gap_of(c, old->gap);
	v.step = step_of(c, old->step);
	v.anchor_a_ns += c->shift_ns;
	v.anchor_b_ns += c->shift_ns;
	v.range_a_ns += c->shift_ns;
	v.range_b_ns += c->shift_ns;
	if (v.range_b_ns <= 0)
		v.range = v.range_open = false;
	return v;
}

/* Tracks that are new stand after those that were there. */
static void transfer_order(const struct transfer *c)
{
	struct lanes *to = &c->to->lanes;
	const struct lanes *from = &c->from->lanes;
	uint32_t n_old = trace_tracks(c->from->t), n = trace_tracks(c->to->t),
		 *ranks = must(malloc((n + (size_t)1) * sizeof *ranks));
	for (uint32_t i = 0; i < n; i++)
		ranks[i] = UINT32_MAX;
	for (uint32_t place = 0; place < n_old; place++)
		if (c->tracks[from->order[place]] != NONE_ID)
			ranks[c->tracks[from->order[place]]] = place;
	lanes_sort(to, ranks, NULL, NULL);
	free(ranks);
	/* devices and processes of a growing trace are numbered as they come */
	if (trace_devices(c->to->t) == trace_devices(c->from->t))
		memcpy(to->devices, from->devices, trace_devices(c->to->t) * sizeof *to->devices);
	if (trace_processes(c->to->t) == trace_processes(c->from->t))
		memcpy(to->processes, from->processes, trace_processes(c->to->t) * sizeof *to->processes);
}

static void transfer_lanes(const struct transfer *c)
{
	struct lanes *to = &c->to->lanes;
	const struct lanes *from = &c->from->lanes;
	for (uint32_t i = 0; i < trace_tracks(c->from->t); i++)
		if (c->tracks[i] != NONE_ID) {
			to->unfolded[c->tracks[i]] = from->unfolded[i];
			to->shut[c->tracks[i]] = from->shut[i];
		}
	to->n_pins = 0;
	for (uint32_t i = 0; i < from->n_pins; i++)
		if (c->tracks[from->pins[i]] != NONE_ID && !lanes_pinned(to, c->tracks[from->pins[i]]))
			to->pins[to->n_pins++] = c->tracks[from->pins[i]];
	if (from->moved)
		transfer_order(c);
	lane_groups_like(&to->groups, &from->groups);
	lanes_build(to);
}

static void transfer_views(const struct transfer *c)
{
	struct state *to = c->to;
	const struct state *from = c->from;
	struct view now = nav_remember(from);
	to->n_back = from->n_back;
	for (uint32_t i = 0; i < from->n_back; i++)
		to->back[i] = view_of(c, &from->back[i]);
	to->n_forward = from->n_forward;
	for (uint32_t i = 0; i < from->n_forward && i < MAX_BACK; i++)
		to->forward[i] = view_of(c, &from->forward[i]);
	to->measure = event_of(c, from->measure);
	memcpy(to->marked, from->marked, sizeof to->marked);
	memcpy(to->mark_names, from->mark_names, sizeof to->mark_names);
	for (int i = 0; i < MARKS; i++)
		if (from->marked[i])
			to->marks[i] = view_of(c, &from->marks[i]);
	memcpy(to->places, from->places, sizeof to->places);
	memcpy(to->pane_places, from->pane_places, sizeof to->pane_places);
	now = view_of(c, &now);
	nav_restore(to, &now);
}

/* ---- the question ------------------------------------------------------------------------------------------------- */

/* Steps by their name; a gap and a range of time as the same instants. */
static void transfer_window(const struct transfer *c)
{
	const struct window *w = &c->from->window;
	struct window n = window_all(c->to->d);
	int64_t a_ns = w->a_ns + c->shift_ns, b_ns = w->b_ns + c->shift_ns;
	if (w->kind == WINDOW_STEP) {
		if (!window_parse(c->to->d, w->text, &n, NULL))
			n = window_all(c->to->d);
	} else if (w->kind != WINDOW_ALL && b_ns > 0) {
		n = window_of_time(c->to->d, a_ns > 0 ? a_ns : 0, b_ns);
	}
	if (w->kind != WINDOW_ALL && n.kind == WINDOW_ALL)
		state_say(c->to, INK_WARN, "window %s is no longer kept: the tables answer for all that is", w->text);
	c->to->window = n;
}

static void transfer_question(const struct transfer *c)
{
	const char *filter = c->from->filter ? filter_text(c->from->filter) : "";
	seek_transfer_filter(c->to, filter);
	search_free(c->to->search);
	c->to->search = c->from->search ? search_new(search_text(c->from->search), NULL) : NULL;
	transfer_window(c);
	tables_question(c->to->tables, &c->to->window, filter);
}

bool state_same_question(const struct state *a, const struct state *b)
{
	const char *fa = a->filter ? filter_text(a->filter) : "", *fb = b->filter ? filter_text(b->filter) : "";
	return a->view.pane == b->view.pane && a->view.analysis == b->view.analysis &&
	       a->window.kind == b->window.kind && strcmp(fa, fb) == 0 && a->rows == b->rows && a->cols == b->cols;
}

/* ---- all of it ---------------------------------------------------------------------------------------------------- */

static void transfer_plain(struct state *to, const struct state *from)
{
	to->theme = from->theme;
	to->ascii = from->ascii;
	to->patterns = from->patterns;
	to->mono = from->mono;
	to->only_ascii = from->only_ascii;
	to->lanes.apart = from->lanes.apart;
	to->mouse = from->mouse;
	to->no_side = from->no_side;
	to->home = from->home;
	to->all_steps = from->all_steps;
	tables_all_steps(to->tables, to->all_steps);
	to->filter_hides = from->filter_hides;
	to->least_idle_ns = from->least_idle_ns;
	to->prompt = from->prompt;
	to->last = from->last;
	to->quit = from->quit; /* a key may have come since the last look at it */
	to->mouse_changed = from->mouse_changed;
	to->redraw = from->redraw;
	to->frozen = from->frozen;
	to->told = from->told;
	memcpy(to->message, from->message, sizeof to->message);
	to->message_ink = from->message_ink;
}

void view_transfer_mode(struct state *to, struct state *from)
{
	arena_free(&to->reader.mem);
	to->reader = from->reader;
	from->reader = (struct reader){0};
	to->mode = from->mode;
}

void view_transfer_settings(struct state *to, const struct state *from)
{
	transfer_plain(to, from);
	nav_pane(to, from->view.pane, from->view.analysis);
	state_resize(to, from->rows, from->cols);
}

void view_transfer(struct state *to, const struct state *from)
{
	struct transfer c = {.to = to, .from = from, .shift_ns = trace_base_ns(from->t) - trace_base_ns(to->t)};
	transfer_plain(to, from);
	match_tracks(&c);
	transfer_lanes(&c);
	transfer_question(&c);
	state_resize(to, from->rows, from->cols);
	transfer_views(&c);
	free(c.tracks);
	state_resize(to, from->rows, from->cols); /* the pane asks for its tables */
	nav_tell_gone(to);
}
