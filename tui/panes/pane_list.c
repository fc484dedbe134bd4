/* tui/panes/pane_list.c - what panes share that are a list with one item selected. */
#include "pane_list.h"
#include "tui/explorer/reader.h"

enum { PAGE = 8 };

static bool moved(enum action a, uint32_t n, int64_t *row)
{
	switch (a) {
	case ACT_ITEM_NEXT:
		++*row;
		return true;
	case ACT_ITEM_PREV:
		--*row;
		return true;
	case ACT_ITEMS_NEXT:
		*row += PAGE;
		return true;
	case ACT_ITEMS_PREV:
		*row -= PAGE;
		return true;
	case ACT_ITEM_FIRST:
		*row = 0;
		return true;
	case ACT_ITEM_LAST:
		*row = n;
		return true;
	default:
		return false;
	}
}

static uint32_t items(const struct state *st)
{
	return pane_of(st)->items(st);
}

bool list_move(struct state *st, enum action a)
{
	uint32_t n = items(st);
	int64_t row = st->view.place.row;
	if (!moved(a, n, &row))
		return false;
	st->view.place.row = (uint32_t)(row < 0 || n == 0 ? 0 : row >= n ? n - 1 : row);
	return true;
}

int list_height(struct rect body, int y)
{
	int h = body.y + body.h - y;
	return h > 1 ? h : 1;
}

void list_clamp(struct state *st, uint32_t n, int h)
{
	struct table_place *p = &st->view.place;
	uint32_t room = h > 1 ? (uint32_t)h : 1;
	if (p->row >= n)
		p->row = n ? n - 1 : 0;
	if (p->top + room > n)
		p->top = n > room ? n - room : 0;
	if (p->row < p->top)
		p->top = p->row;
	if (p->row >= p->top + room)
		p->top = p->row - room + 1;
}

/* These panes are about the whole; a name is searched where the events are. */
static void search(struct state *st, int direction)
{
	nav_push(st);
	nav_pane(st, PANE_TIMELINE, 0);
	seek_event(st, direction);
}

bool list_act(struct state *st, enum action a)
{
	if (list_move(st, a)) {
		if (!items(st))
			state_say(st, INK_STATUS, "there is nothing to select here");
		return true;
	}
	if (a == ACT_ITEM_TABLE)
		tab_turn(st);
	else if (a == ACT_SEARCH_NEXT || a == ACT_SEARCH_PREV)
		search(st, a == ACT_SEARCH_NEXT ? 1 : -1);
	else
		return false;
	return true;
}

void list_mouse(struct state *st, enum mouse_button what, int row)
{
	if (what != BUTTON_CLICK)
		list_move(st, what == BUTTON_WHEEL_UP ? ACT_ITEM_PREV : ACT_ITEM_NEXT);
	else if (row >= 0 && st->view.place.top + (uint32_t)row < items(st)) {
		st->view.place.row = st->view.place.top + (uint32_t)row;
		st->hit_row = true;
	}
}

void list_columns_told(struct state *st, const char *title, const struct table *t)
{
	reader_clear(&st->reader, title);
	reader_add(&st->reader, INK_HEAD, NULL, "what the numbers of this pane mean");
	if (t)
		reader_columns(&st->reader, t);
	st->mode = MODE_READER;
}
