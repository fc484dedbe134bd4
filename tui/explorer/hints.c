/* tui/explorer/hints.c - three lines for who sees the program for the first time; gone when one of their keys was pressed. */
#include "pane.h"
#include <string.h>

static const struct {
	enum action action;
	const char *text;
} hints[] = {
	{ACT_GAP_BIGGEST, "the biggest gap: how long a device idled there, and why"},
	{ACT_PANE_GUIDE, "the guide: what to do first, with numbers"},
	{ACT_HELP, "all keys. These lines go away once you have pressed one of the three"},
};
enum { N_HINTS = sizeof hints / sizeof *hints, LEAST_ROWS = 20 };

int hints_rows(const struct state *st)
{
	return st->hints == HINTS_SHOWN && st->rows >= LEAST_ROWS ? N_HINTS : 0;
}

void hints_after(struct state *st, enum action a)
{
	for (size_t i = 0; i < N_HINTS; i++)
		if (st->hints == HINTS_SHOWN && hints[i].action == a) {
			st->hints = HINTS_USED;
			state_resize(st, st->rows, st->cols);
		}
}

void hints_draw(const struct state *st, struct surface *s)
{
	int rows = hints_rows(st);
	for (int i = 0; i < rows; i++) {
		char key[ACTION_NAME_BUF];
		int y = st->rows - 2 - rows + i;
		surface_fill(s, (struct rect){y, 0, 1, st->cols}, ' ', INK_FOOTER, 0);
		surface_text(s, y, 1, 2, INK_KEY, 0, action_key(hints[i].action, key));
		surface_text(s, y, 3, st->cols - 4, INK_FOOTER, 0, hints[i].text);
	}
}
