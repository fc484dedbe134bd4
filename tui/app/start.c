#include "start.h"
#include "model/store/base/units.h"
#include "tui/explorer/pane.h"
#include "tui/screen/theme.h"
#include "tui/screen/wrap.h"
#include "tui/text/utf8.h"
#include <time.h>

enum { PAGE = 10, SIZE_X = 1, AGE_X = 13, PATH_X = 25, FIRST_Y = 2 };

static void move(struct start *s, size_t down, size_t up)
{
	size_t last = s->list->n ? s->list->n - 1 : 0;
	s->row = s->row < up ? 0 : s->row - up;
	s->row = down > last - s->row ? last : s->row + down;
}

const char *start_act(struct start *s, enum action a, bool *leave)
{
	switch (a) {
	case ACT_START_OPEN:
		return s->list->n ? s->list->at[s->row].path : NULL;
	case ACT_START_NEXT:
		move(s, 1, 0);
		break;
	case ACT_START_PREV:
		move(s, 0, 1);
		break;
	case ACT_START_PAGE:
		move(s, PAGE, 0);
		break;
	case ACT_START_BACK:
		move(s, 0, PAGE);
		break;
	case ACT_START_FIRST:
		move(s, 0, s->list->n);
		break;
	case ACT_START_LAST:
		move(s, s->list->n, 0);
		break;
	case ACT_START_LEAVE:
		*leave = true;
		break;
	default:
		break;
	}
	return NULL;
}

/* ---- the picture -------------------------------------------------------------------------------------------------- */

static void draw_nothing(struct surface *screen)
{
	static const char *const lines[] = {"No trace was opened before, and none was found below this folder.",
					    "stepscope TRACE opens one from anywhere: .xplane.pb, PyTorch or Chrome "
					    ".json, packed or not, or a folder of them.",
					    "stepscope watch FOLDER waits for what a framework writes there; stepscope "
					    "doctor says what live mode needs here."};
	int y = FIRST_Y;
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		y += 1 + wrap_text(screen, (struct rect){y, 1, 0, screen->cols - 2}, INK_TEXT, lines[i], 1,
				   screen->rows - 2);
}

/* Rows that trace i takes: a heading stands above the first of its kind. */
static int rows_of(const struct found_list *l, size_t i, size_t top)
{
	return i == top || l->at[i - 1].opened != l->at[i].opened ? 2 : 1;
}

/* The trace whose row of the screen this is; n of the list: none. Headings are none. */
static size_t trace_at(const struct start *s, int y)
{
	int at = FIRST_Y;
	for (size_t i = s->top; i < s->list->n; i++) {
		at += rows_of(s->list, i, s->top);
		if (y < at)
			return y == at - 1 ? i : s->list->n;
	}
	return s->list->n;
}

const char *start_mouse(struct start *s, enum mouse_what what, int y)
{
	size_t at = what == MOUSE_CLICK || what == MOUSE_DOUBLE ? trace_at(s, y) : s->list->n;
	if (what == MOUSE_WHEEL_UP || what == MOUSE_WHEEL_DOWN)
		move(s, what == MOUSE_WHEEL_DOWN, what == MOUSE_WHEEL_UP);
	if (at == s->list->n)
		return NULL;
	s->row = at;
	return what == MOUSE_DOUBLE ? s->list->at[at].path : NULL;
}

static int rows_between(const struct start *s)
{
	int rows = 0;
	for (size_t i = s->top; i <= s->row; i++)
		rows += rows_of(s->list, i, s->top);
	return rows;
}

static int draw_row(const struct start *s, size_t i, struct surface *screen, int y, int64_t now_s)
{
	const struct found *t = &s->list->at[i];
	char size[UNITS_BUF], age[UNITS_BUF], path[1024];
	int ink = i == s->row ? INK_SELECTED : INK_TEXT, rows = rows_of(s->list, i, s->top);
	if (rows == 2)
		surface_text(screen, y++, 1, screen->cols - 2, INK_HEAD, 0,
			     t->opened ? "Opened before" : "Below this folder");
	surface_fill(screen, (struct rect){y, 0, 1, screen->cols}, ' ', ink, 0);
	surface_text_right(screen, y, SIZE_X, 10, ink, 0, fmt_bytes(size, t->bytes));
	surface_text_right(screen, y, AGE_X, 9, ink, 0, found_age(t->changed_s, now_s, age, sizeof age));
	utf8_shorten(t->path, screen->cols - PATH_X - 1, path, sizeof path);
	surface_text(screen, y, PATH_X, screen->cols - PATH_X, ink, 0, path);
	return rows;
}

static void draw_list(struct start *s, struct surface *screen)
{
	int64_t now_s = time(NULL);
	int room = screen->rows - FIRST_Y - 2;
	s->top = s->row < s->top ? s->row : s->top;
	while (s->top < s->row && rows_between(s) > room)
		s->top++;
	for (size_t i = s->top; i < s->list->n && room >= rows_of(s->list, i, s->top); i++)
		room -= draw_row(s, i, screen, screen->rows - 2 - room, now_s);
}

void start_draw(struct start *s, struct surface *screen)
{
	int y = screen->rows - 2;
	surface_clear(screen);
	surface_fill(screen, (struct rect){0, 0, 1, screen->cols}, ' ', INK_TITLE, 0);
	surface_text(screen, 0, 1, screen->cols - 2, INK_TITLE, 0, "stepscope  which trace?");
	if (s->list->n)
		draw_list(s, screen);
	else
		draw_nothing(screen);
	surface_fill(screen, (struct rect){y, 0, 2, screen->cols}, ' ', INK_FOOTER, 0);
	surface_fill(screen, (struct rect){y, 0, 1, screen->cols}, ' ', INK_STATUS, 0);
	if (s->list->n)
		surface_printf(screen, y, 1, screen->cols - 2, INK_STATUS, 0, "%zu of %zu%s", s->row + 1, s->list->n,
			       s->list->cut ? "   there may be more; look in a folder nearer to them" : "");
	frame_keys(NULL, screen, SCOPE_START, 0, screen->cols);
}
