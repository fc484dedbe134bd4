/* tui/explorer/nav_iteration.c - iterations of a server beside steps: from one to the next where steps are marked by something else,
 * and which of both the pane of steps shows. */
#include "pane.h"
#include "model/analysis/serving/iterations.h"

/* Those that labels tell, and that are no steps; NULL: there are none. */
static const struct iterations *labelled(const struct state *st)
{
	const struct iterations *v = iterations_of(st->d, NULL, NULL);
	return v && v->n && v->labelled && !v->are_steps ? v : NULL;
}

/* The thread of the selected lane, where it has some. */
static uint32_t track_of_lane(const struct state *st, const struct iterations *v)
{
	const struct lane *l = nav_selected_lane(st);
	for (uint32_t i = 0; l && i < v->n; i++)
		if (v->at[i].track == l->track)
			return l->track;
	return NONE_ID;
}

bool nav_iteration_beside(struct state *st, int direction)
{
	const struct iterations *v = labelled(st);
	const struct iteration *found = NULL;
	if (!v)
		return false;
	uint32_t track = track_of_lane(st, v);
	for (uint32_t i = 0; i < v->n; i++) {
		const struct iteration *x = &v->at[i];
		bool beside = direction > 0 ? x->start_ns > st->view.cursor_ns : x->start_ns < st->view.cursor_ns;
		bool nearer = !found || (direction > 0 ? x->start_ns < found->start_ns : x->start_ns > found->start_ns);
		if (beside && nearer && (track == NONE_ID || x->track == track))
			found = x;
	}
	if (found)
		nav_event(st, found->marker);
	else
		state_say(st, INK_STATUS, direction > 0 ? "no later iteration" : "no earlier iteration");
	return true;
}

/* ---- the pane of steps ------------------------------------------------------------------------------------------------ */

static struct table *iterations_table(const struct state *st)
{
	struct table *t = pane_table_named(st, "iterations");
	return t && t->n_rows ? t : NULL;
}

/* Steps that the trace marks, and not by the labels of iterations. */
static bool steps_stand_beside(const struct state *st)
{
	return !iterations_stand_for_steps(st->d);
}

bool nav_iterations_turn(const struct state *st)
{
	return iterations_table(st) && derived_steps(st->d);
}

struct table *nav_iterations_shown(const struct state *st)
{
	struct table *t = iterations_table(st);
	const struct table_place *place = st->view.pane == PANE_STEPS ? &st->view.place : &st->pane_places[PANE_STEPS];
	return t && (!derived_steps(st->d) || !place->by != steps_stand_beside(st)) ? t : NULL;
}

/* After the last one of that thread. */
static uint32_t end_of_track(const struct iterations *v, uint32_t from)
{
	uint32_t low = from, high = v->n;
	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		if (v->at[mid].track == v->at[from].track)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

const struct iteration *nav_iterations_row(const struct state *st, uint32_t *n)
{
	const struct iterations *v = iterations_of(st->d, NULL, NULL);
	const struct lane *l = nav_selected_lane(st);
	uint32_t first = NONE_ID;
	for (uint32_t from = 0, to; v && from < v->n; from = to) {
		to = end_of_track(v, from);
		bool own = l && v->at[from].track == l->track;
		bool near = trace_track(st->t, v->at[from].track)->process == st->row_steps_process;
		if (own || first == NONE_ID ||
		    (near && trace_track(st->t, v->at[first].track)->process != st->row_steps_process))
			first = from;
		if (own)
			break;
	}
	if (first == NONE_ID)
		return NULL;
	*n = end_of_track(v, first) - first;
	return &v->at[first];
}
