/* tui/commands/history.c - where one was: steps for Backspace and Ctrl-r, and the levels that `q` goes back. */
#include "model/store/base/clock.h"
#include "tui/explorer/pane.h"
#include <string.h>

enum { PAUSE_MS = 1500 };

void nav_push(struct state *st)
{
	struct view v = nav_remember(st);
	nav_push_view(st, &v);
}

void nav_push_view(struct state *st, const struct view *v)
{
	/* full: the oldest place is forgotten */
	if (st->n_back == MAX_BACK)
		memmove(st->back, st->back + 1, --st->n_back * sizeof *st->back);
	st->back[st->n_back++] = *v;
	st->n_forward = 0;
	st->history.told++;
}

void nav_back(struct state *st)
{
	if (st->n_back == 0) {
		state_say(st, INK_STATUS, "nothing to go back to");
		return;
	}
	st->forward[st->n_forward++ % MAX_BACK] = nav_remember(st);
	nav_restore(st, &st->back[--st->n_back]);
	st->history.told++;
	nav_tell_gone(st);
}

void nav_forward(struct state *st)
{
	if (st->n_forward == 0) {
		state_say(st, INK_STATUS, "Backspace has left nothing to come back to");
		return;
	}
	struct view here = nav_remember(st);
	uint32_t left = st->n_forward - 1;
	nav_push_view(st, &here); /* which forgets what lies ahead */
	st->n_forward = left;
	nav_restore(st, &st->forward[left % MAX_BACK]);
	nav_tell_gone(st);
}

/* ---- steps that nobody has told --------------------------------------------------------------------------------------- */

static bool is_small(enum action a)
{
	switch (a) {
	case ACT_ZOOM_IN:
	case ACT_ZOOM_OUT:
	case ACT_PAN_LEFT:
	case ACT_PAN_RIGHT:
	case ACT_CURSOR_LEFT:
	case ACT_CURSOR_RIGHT:
	case ACT_EVENT_NEXT:
	case ACT_EVENT_PREV:
	case ACT_SEARCH_NEXT:
	case ACT_SEARCH_PREV:
		return true;
	default:
		return false;
	}
}

static bool has_moved(const struct state *st)
{
	const struct view *a = &st->history.seen, *b = &st->view;
	return a->pane == PANE_TIMELINE && b->pane == PANE_TIMELINE && a->port.total_ns == b->port.total_ns &&
	       (a->port.from_ns != b->port.from_ns || a->port.span_ns != b->port.span_ns);
}

void history_follow(struct state *st, enum action a)
{
	struct history *h = &st->history;
	if (st->typing)
		return; /* what a search shows while it is typed is told when the line is accepted */
	/* `b` again and again is one step, which its first has told */
	bool told = h->told != h->seen_told || a == ACT_GAP_BIGGEST, moved = !told && has_moved(st);
	bool goes_on = is_small(a) && h->small_ms && now_ms() - h->small_ms < PAUSE_MS;
	if (moved && !goes_on)
		nav_push_view(st, &h->seen);
	if (told || !is_small(a))
		h->small_ms = 0;
	else if (moved)
		h->small_ms = now_ms();
	h->seen = nav_remember(st);
	h->seen_told = h->told;
}

/* ---- levels ----------------------------------------------------------------------------------------------------------- */

bool nav_quit_leaves(const struct state *st)
{
	return st->view.pane == st->home && !st->view.from_list;
}

/* At most twice before it leaves: the list, the first screen. Backspace undoes it like any other jump. */
void nav_quit(struct state *st)
{
	const struct view *v = &st->view;
	if (nav_quit_leaves(st)) {
		st->quit = true;
		return;
	}
	char quit[ACTION_NAME_BUF], leave[ACTION_NAME_BUF];
	bool listed = v->from_list;
	enum pane_id pane = listed ? v->list : st->home;
	uint32_t analysis = listed ? v->list_analysis : 0;
	nav_push(st);
	nav_pane(st, pane, analysis);
	st->view.from_list = false;
	if (nav_quit_leaves(st))
		state_say(st, INK_STATUS, "%s once more leaves; %s leaves at once from anywhere",
			  action_key(ACT_QUIT, quit), action_key(ACT_LEAVE, leave));
}
