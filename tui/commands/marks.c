/* tui/commands/marks.c - views remembered under the letters a to z: set, gone to, named, listed, drawn on the ruler;
 * and the part of the trace that `=` remembers for a comparison. */
#include "model/store/base/units.h"
#include "tui/explorer/pane.h"
#include "tui/explorer/reader.h"
#include <string.h>

void marks_key(struct state *st, int key)
{
	bool set = st->mode == MODE_MARK;
	st->mode = MODE_PANE;
	if (key < 'a' || key > 'z') {
		state_say(st, INK_STATUS, "marks are the letters a to z");
		return;
	}
	int i = key - 'a';
	if (set) {
		st->marks[i] = nav_remember(st);
		st->marked[i] = true;
		*st->mark_names[i] = 0;
		st->arranged = true;
		state_say(st, INK_STATUS, "mark %c set: ' and %c come back here", key, key);
	} else if (st->marked[i]) {
		nav_push(st);
		nav_restore(st, &st->marks[i]);
		nav_tell_gone(st);
	} else {
		state_say(st, INK_WARN, "mark %c is not set", key);
	}
}

/* Its name, else where it is. */
static const char *place_of(const struct state *st, int i, char *buf, size_t size)
{
	char at[UNITS_BUF];
	const struct view *v = &st->marks[i];
	if (*st->mark_names[i])
		snprintf(buf, size, "%s", st->mark_names[i]);
	else if (v->pane == PANE_TIMELINE)
		snprintf(buf, size, "%s", fmt_ns(at, v->cursor_ns));
	else
		snprintf(buf, size, "%s", tab_view_name(st, v));
	return buf;
}

const char *marks_text(const struct state *st, char *buf, size_t size)
{
	char place[64];
	size_t n = 0;
	*buf = 0;
	for (int i = 0; i < MARKS && n < size; i++)
		if (st->marked[i])
			n += (size_t)snprintf(buf + n, size - n, "%s%c %s", n ? ", " : "", 'a' + i,
					      place_of(st, i, place, sizeof place));
	return buf;
}

bool marks_name(struct state *st, const char *text, struct err *e)
{
	int i = *text - 'a';
	if (i < 0 || i >= MARKS || (text[1] && text[1] != ' '))
		return err_usage(e, "write :mark a NAME");
	if (!st->marked[i]) {
		st->marks[i] = nav_remember(st);
		st->marked[i] = true;
	}
	snprintf(st->mark_names[i], sizeof st->mark_names[i], "%s", text + 1 + strspn(text + 1, " "));
	st->arranged = true;
	state_say(st, INK_STATUS, "mark %c: %s", *text, *st->mark_names[i] ? st->mark_names[i] : "no name");
	return true;
}

void marks_list(struct state *st)
{
	struct reader *r = &st->reader;
	char place[64], at[UNITS_BUF];
	bool any = false;
	reader_clear(r, "Marks");
	for (int i = 0; i < MARKS; i++) {
		if (!st->marked[i])
			continue;
		char key[2] = {(char)('a' + i), 0};
		reader_addf(r, key, "%s   at %s", place_of(st, i, place, sizeof place),
			    fmt_ns(at, st->marks[i].cursor_ns));
		any = true;
	}
	if (!any)
		reader_add(r, INK_TEXT, NULL, "no marks: m and a letter remembers a view, ' and the letter goes there");
	st->mode = MODE_READER;
}

void marks_draw(const struct state *st, struct surface *s, int y, int x)
{
	const struct viewport *p = &st->view.port;
	for (int i = 0; i < MARKS; i++) {
		const struct view *v = &st->marks[i];
		if (st->marked[i] && v->pane == PANE_TIMELINE && viewport_shows(p, v->cursor_ns))
			surface_put(s, y, x + (int)viewport_col_of(p, v->cursor_ns), (uint32_t)('a' + i), INK_MATCH, 0);
	}
}

/* ---- two windows of one trace ---------------------------------------------------------------------------------------------- */

/* In the list of steps the one that is chosen there, else what a report would be of. */
static struct window chosen_window(struct state *st)
{
	struct table *t =
		st->view.pane == PANE_STEPS && !nav_iterations_shown(st) ? pane_table_named(st, "steps") : NULL;
	struct err e = {.at = -1};
	struct window w;
	char text[96], cell[80];
	if (!t || st->view.place.row >= t->n_rows)
		return nav_export_window(st);
	snprintf(text, sizeof text, "step:%s", cell_format(t, st->view.place.row, 0, cell, sizeof cell));
	return window_parse(st->d, text, &w, &e) ? w : nav_export_window(st);
}

/* One rank of all of the trace, where ranks are chosen. */
static int64_t chosen_rank(const struct state *st, struct window *w)
{
	int64_t rank = comms_rank(st);
	if (rank == UNKNOWN_I64)
		return rank;
	*w = window_all(st->d);
	snprintf(w->text, sizeof w->text, "rank %lld", (long long)rank);
	return rank;
}

void nav_compare(struct state *st)
{
	struct window w = chosen_window(st);
	int64_t rank = chosen_rank(st, &w);
	char key[ACTION_NAME_BUF];
	action_key(ACT_COMPARE, key);
	const char *others = rank == UNKNOWN_I64 ? "range, step or gap" : "rank";
	if (st->beside) {
		state_say(st, INK_STATUS, "this is one of two runs that are compared; q goes back to them");
	} else if (!st->remembered_a) {
		st->compared[0] = w;
		st->remembered_a = true;
		st->compared_rank[0] = rank;
		state_say(st, INK_STATUS, "A is %s; choose another %s, then %s compares it with A", w.text, others,
			  key);
	} else if (strcmp(w.text, st->compared[0].text) == 0) {
		st->remembered_a = false;
		state_say(st, INK_STATUS, "this was A itself: nothing is remembered any more; %s remembers a new A",
			  key);
	} else if ((rank == UNKNOWN_I64) != (st->compared_rank[0] == UNKNOWN_I64)) {
		st->remembered_a = false;
		state_say(st, INK_STATUS, "A was %s, which cannot be compared with %s; %s remembers a new A",
			  st->compared[0].text, w.text, key);
	} else {
		st->compared[1] = w;
		st->compared_rank[1] = rank;
		st->remembered_a = false;
		st->compare = true;
	}
}
