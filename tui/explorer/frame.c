/* tui/explorer/frame.c - what stands around every pane: title line above, status line and footer below. */
#include "pane.h"
#include "tui/screen/wrap.h"
#include "tui/text/utf8.h"
#include <string.h>

/* ---- title -------------------------------------------------------------------------------------------------------- */

static const char *last_part(const char *path)
{
	if (strcmp(path, "-") == 0)
		return "standard input";
	size_t n = strlen(path);
	while (n > 1 && path[n - 1] == '/')
		n--;
	for (size_t i = n; i > 0; i--)
		if (path[i - 1] == '/' && i < n)
			return path + i;
	return path;
}

const char *frame_pane_name(const struct state *st, char *buf, size_t size)
{
	if (state_reads(st))
		snprintf(buf, size, "%s", st->reader.title);
	else
		snprintf(buf, size, "%s", tab_view_name(st, &st->view));
	return buf;
}

enum { WIDE_TABS = 100, NAME_COLS = 12 };
/* How tabs are distinguished, the most telling first. The current one has always its name. */
enum tab_form { TAB_WIDE, TAB_NAMED, TAB_SHORT, TAB_TINY, TAB_KEY, TAB_FORMS };

static int tab_text(const struct state *st, enum tab_form form, const struct tab *t, bool here, char *buf, size_t size)
{
	const char *name = tab_shown(st, t)->name;
	/* words that are longer than `longest` are cut to `cut` letters */
	static const struct {
		const char *form;
		size_t longest;
		int cut;
	} forms[] = {
		{" %s %.*s ", 99, 99}, {" %s %.*s", 99, 99}, {" %s %.*s", 5, 4}, {" %s %.*s", 3, 3}, {" %s", 99, 99}};
	if (here)
		return snprintf(buf, size, form == TAB_WIDE ? "[%s %s]" : " [%s %s]", t->key, name);
	bool is_long = strlen(name) > forms[form].longest;
	return snprintf(buf, size, forms[form].form, t->key, is_long ? forms[form].cut : 99, name);
}

/* A click on a tab presses its key; x: where the first one begins. */
static void tab_buttons(const struct state *st, enum tab_form form, struct surface *s, int x)
{
	char text[64];
	const struct tab *chosen = st->mode == MODE_READER ? NULL : tab_of(st), *t;
	for (size_t i = 0; (t = tab_at(i)); i++) {
		int w = tab_named(st, t) ? tab_text(st, form, t, t == chosen, text, sizeof text) : 0;
		if (w)
			surface_button(s, (struct rect){0, x, 1, w}, *t->key);
		x += w;
	}
}

/* The tabs as one line, the current one in brackets. */
static const char *tabs_line(const struct state *st, enum tab_form form, char *line, size_t size)
{
	char current[64];
	size_t n = 0;
	const struct tab *chosen = tab_of(st), *t;
	bool reading = state_reads(st);
	line[0] = 0;
	for (size_t i = 0; (t = tab_at(i)) && n < size; i++)
		if (tab_named(st, t))
			n += (size_t)tab_text(st, form, t, t == chosen && !reading, line + n, size - n);
	if ((!chosen || !tab_named(st, chosen) || reading) && n < size)
		snprintf(line + n, size - n, " [%s]", frame_pane_name(st, current, sizeof current));
	return line;
}

/* Words of tabs are cut before the name of the trace is: `name` columns are left for it, as far as that goes. */
static int draw_tabs(const struct state *st, struct surface *s, int name)
{
	char line[200];
	enum tab_form form = st->cols >= WIDE_TABS ? TAB_WIDE : TAB_NAMED;
	int room = st->cols - (name < NAME_COLS ? name : NAME_COLS) - 4;
	while (utf8_width(tabs_line(st, form, line, sizeof line)) > room + (line[0] == ' ') && form + 1 < TAB_FORMS)
		form++;
	const char *shown = line[0] == ' ' ? line + 1 : line;
	int width = utf8_width(shown);
	surface_text(s, 0, st->cols - width - 1, width, INK_TITLE, 0, shown);
	tab_buttons(st, form, s, st->cols - width - 1 - (line[0] == ' '));
	return width + 2;
}

static void draw_title(const struct state *st, struct surface *s)
{
	char more[32] = "";
	surface_fill(s, (struct rect){0, 0, 1, st->cols}, ' ', INK_TITLE, 0);
	const char *path = trace_sources(st->t) ? trace_source(st->t, 0).path : "";
	if (trace_sources(st->t) > 1)
		snprintf(more, sizeof more, " +%u", trace_sources(st->t) - 1);
	char name[256];
	int room = st->cols - draw_tabs(st, s, utf8_width(last_part(path)) + utf8_width(more)) - 1;
	utf8_shorten(last_part(path), room - 1 - utf8_width(more), name, sizeof name);
	surface_printf(s, 0, 1, room - 1, INK_TITLE, 0, "%s%s", name, more);
}

/* ---- status ------------------------------------------------------------------------------------------------------- */

static void notes_text(const struct state *st, char *buf, size_t size, int *ink)
{
	const struct notes *n = trace_notes(st->t);
	uint32_t kinds = 0;
	for (int i = 0; i < NOTE_COUNT; i++)
		kinds += n->at[i].count > 0;
	*ink = notes_of(n, NOTE_LOST) ? INK_BAD : notes_of(n, NOTE_WARN) ? INK_WARN : INK_STATUS;
	buf[0] = 0;
	if (kinds)
		snprintf(buf, size, " ! %u note%s ", kinds, kinds == 1 ? "" : "s");
}

static void scope_text(const struct state *st, char *buf, size_t size)
{
	buf[0] = 0;
	if (st->window.kind != WINDOW_ALL)
		snprintf(buf, size, " window %s ", st->window.text);
	size_t n = strlen(buf);
	if (st->filter)
		snprintf(buf + n, size - n, " filter%s %s ", st->filter_hides ? " (others hidden)" : "",
			 filter_text(st->filter));
}

/* "LIVE 12.3 k/s  lost 0  kept 45 s", or FROZEN where the user holds the picture. */
static void feed_text(const struct state *st, char *buf, size_t size, int *ink)
{
	static const int inks[] = {[FEED_FINE] = INK_GOOD, [FEED_WARNS] = INK_WARN, [FEED_BAD] = INK_BAD};
	buf[0] = 0;
	if (!st->feed)
		return;
	*ink = st->frozen ? INK_WARN : inks[st->told.mood];
	snprintf(buf, size, " %s%s ", st->frozen ? "FROZEN " : "", st->told.text);
}

/* A message that is too long for its row takes those above, too: until the next key it is worth more than what stands there. */
static void draw_message(const struct state *st, struct surface *s, int y, int room)
{
	struct rect r = {y, 1, 0, room - 2};
	int rows = wrap_text(NULL, r, 0, st->message, 0, 0), most = st->rows / 2,
	    pen = st->message_ink == INK_STATUS ? 0 : PEN_BOLD;
	rows = rows < most ? rows : most;
	if (rows == 1) {
		surface_printf(s, y, 0, room, st->message_ink, pen, " %s ", st->message);
		return;
	}
	r.y = y - rows + 1;
	surface_fill(s, (struct rect){r.y, 0, rows - 1, st->cols}, ' ', INK_STATUS, 0);
	wrap_text(s, r, st->message_ink, st->message, r.y, y + 1);
	surface_paint(s, (struct rect){r.y, 0, rows, room}, st->message_ink, pen);
}

static void draw_status(const struct state *st, struct surface *s)
{
	char notes[48], scope[320], left[512], feed[200];
	int y = st->rows - 2, ink, feed_ink = INK_STATUS;
	surface_fill(s, (struct rect){y, 0, 1, st->cols}, ' ', INK_STATUS, 0);
	notes_text(st, notes, sizeof notes, &ink);
	scope_text(st, scope, sizeof scope);
	feed_text(st, feed, sizeof feed, &feed_ink);
	int right = utf8_width(notes), live = utf8_width(feed), middle = utf8_width(scope);
	if (middle > st->cols / 2)
		middle = st->cols / 2;
	surface_text(s, y, st->cols - right, right, ink, PEN_BOLD, notes);
	surface_button(s, (struct rect){y, st->cols - right, 1, right}, '!');
	live = live < st->cols / 2 ? live : st->cols / 2;
	right += live;
	surface_text(s, y, st->cols - right, live, feed_ink, PEN_BOLD, feed);
	if (st->message[0]) {
		draw_message(st, s, y, st->cols - right);
		return;
	}
	surface_text(s, y, st->cols - right - middle, middle, INK_RANGE, 0, scope);
	left[0] = 0;
	if (!seek_tells(st->seeker, left, sizeof left) && st->mode != MODE_READER)
		pane_of(st)->status(st, left, sizeof left);
	surface_text(s, y, 1, st->cols - right - middle - 1, INK_STATUS, 0, left);
}

/* ---- footer ------------------------------------------------------------------------------------------------------- */

/* A click on a key presses it, one on the word after them the first. */
static void make_buttons(struct surface *s, int y, int x, int w, const struct key_binding *b, size_t n)
{
	surface_button(s, (struct rect){y, x, 1, w}, key_parse(b->keys, strcspn(b->keys, " ")));
	for (size_t i = 0; i < n; i++) {
		size_t first = strcspn(b[i].keys, " ");
		surface_button(s, (struct rect){y, x, 1, (int)first}, key_parse(b[i].keys, first));
		x += (int)first + 1;
	}
}

/* `q` says whether it leaves. */
static const char *word_of(const struct state *st, const struct key_binding *b)
{
	return st && b->action == ACT_QUIT && !nav_quit_leaves(st) ? "back" : b->word;
}

/* Rows with the same word that follow each other share it: "w s zoom". */
static int put_keys(struct surface *s, int y, int x, int room, const struct key_binding *b, size_t n, const char *word)
{
	char keys[64] = "";
	for (size_t i = 0; i < n; i++) {
		size_t have = strlen(keys), first = strcspn(b[i].keys, " ");
		snprintf(keys + have, sizeof keys - have, "%s%.*s", have ? " " : "", (int)first, b[i].keys);
	}
	int width = utf8_width(keys) + 1 + utf8_width(word);
	if (width > room)
		return 0;
	int used = surface_text(s, y, x, room, INK_KEY, 0, keys);
	surface_text(s, y, x + used + 1, room - used - 1, INK_FOOTER, 0, word);
	make_buttons(s, y, x, width, b, n);
	return width;
}

static bool pane_knows(const struct state *st, enum action a)
{
	const struct pane_ops *p = pane_of(st);
	return p->knows && p->knows(st, a);
}

static uint32_t items(const struct state *st)
{
	const struct pane_ops *p = pane_of(st);
	return p->items ? p->items(st) : 0;
}

static bool has_steps(const struct state *st, uint32_t least)
{
	return st->d && derived_steps(st->d) >= least;
}

bool frame_offers(const struct state *st, enum action a)
{
	switch (a) {
	case ACT_GROUPS:
	case ACT_COL_LEFT:
		return pane_knows(st, a);
	case ACT_NAMES:
	case ACT_IDLE:
		return items(st) > 0 && pane_knows(st, a);
	case ACT_OPEN:
	case ACT_ITEM_OPEN:
		return items(st) > 0;
	case ACT_ROW_DOWN:
	case ACT_SORT_PREV:
	case ACT_SORT_TURN:
	case ACT_ITEM_NEXT:
		return items(st) > 1;
	case ACT_ITEM_TABLE:
	case ACT_FORMULAS:
		return items(st) > 0 || pane_knows(st, a);
	case ACT_GAP_NEXT:
		return has_steps(st, 2);
	case ACT_STEP_PREV:
		return has_steps(st, 1);
	case ACT_GAP_BIGGEST:
		return st->d && (trace_devices(st->t) > 0 || has_steps(st, 2));
	case ACT_PICTURE:
		return tab_turns(st) || pane_knows(st, a);
	case ACT_FOLLOW:
		return st->feed != NULL;
	case ACT_OUTPUT:
		return st->feed && feed_source(st->feed)->output;
	default:
		return true;
	}
}

int frame_keys(const struct state *st, struct surface *s, enum scope scope, int x, int end)
{
	size_t n;
	const struct key_binding *b = keymap(&n);
	for (size_t i = 0; i < n;) {
		size_t run = 1;
		while (i + run < n && b[i + run].scope == b[i].scope && *b[i].word &&
		       strcmp(b[i + run].word, b[i].word) == 0)
			run++;
		if (b[i].scope == scope && *b[i].word && (!st || frame_offers(st, b[i].action))) {
			int used = put_keys(s, s->rows - 1, x, end - x, b + i, run, word_of(st, b + i));
			x += used ? used + 2 : 0;
		}
		i += run;
	}
	return x;
}

static void draw_prompt(const struct state *st, struct surface *s)
{
	int y = st->rows - 1, room = st->cols - 2;
	const char *text = st->prompt.text;
	while (utf8_width(text) > room) /* the end is where typing happens */
		utf8_next(&text);
	int x = surface_text(s, y, 0, 1, INK_KEY, 0, prompt_sign(&st->prompt));
	x += surface_text(s, y, x, room, INK_TEXT, 0, text);
	surface_put(s, y, x, ' ', INK_CURSOR, 0);
	frame_keys(st, s, SCOPE_PROMPT, x + 3, st->cols);
}

static void draw_close(const struct state *st, struct surface *s, int y)
{
	char key[ACTION_NAME_BUF], text[ACTION_NAME_BUF + 8];
	action_key(ACT_QUIT, key);
	snprintf(text, sizeof text, "%s close", key);
	int w = utf8_width(text);
	surface_text_right(s, y, 0, st->cols, INK_FOOTER, 0, text);
	surface_button(s, (struct rect){y, st->cols - w, 1, w}, key_parse(key, strlen(key)));
}

/* Where the keys of a pane end, so that, but on narrow screens, three fit after them: the biggest gap, export, help. */
static int pane_keys_end(int cols)
{
	enum { EVERYWHERE_COLS = 33 };
	int left = cols - EVERYWHERE_COLS, least = cols / 2, most = cols * 2 / 3;
	return left < least ? least : left > most ? most : left;
}

/* Which window, unless a format would have no room for that. */
static int draw_export(const struct state *st, struct surface *s, int y)
{
	enum { FORMATS_COLS = 60 };
	struct window w = nav_export_window(st);
	char text[sizeof w.text + 16];
	int used = snprintf(text, sizeof text, "export %s as: ", w.text);
	return surface_text(s, y, 0, st->cols, INK_KEY, 0,
			    used + FORMATS_COLS > st->cols ? "export window as: " : text);
}

static void draw_footer(const struct state *st, struct surface *s)
{
	int y = st->rows - 1, x = 0;
	char marks[256];
	surface_fill(s, (struct rect){y, 0, 1, st->cols}, ' ', INK_FOOTER, 0);
	switch (st->mode) {
	case MODE_PROMPT:
		draw_prompt(st, s);
		break;
	case MODE_EXPORT:
		x = draw_export(st, s, y);
		frame_keys(st, s, SCOPE_EXPORT, x + 1, st->cols);
		break;
	case MODE_COPY:
		x = surface_text(s, y, 0, st->cols, INK_KEY, 0, "copy: ");
		frame_keys(st, s, SCOPE_COPY, x + 1, st->cols);
		break;
	case MODE_MARK:
	case MODE_GO_MARK:
		surface_printf(s, y, 0, st->cols, INK_KEY, 0, "%s  %s",
			       st->mode == MODE_MARK ? "mark this view with a letter a-z" : "go to mark a-z",
			       marks_text(st, marks, sizeof marks));
		break;
	case MODE_READER:
		frame_keys(st, s, SCOPE_READER, 0, st->cols);
		draw_close(st, s, y);
		break;
	case MODE_PANE:
		x = frame_keys(st, s, pane_of(st)->scope, 0, pane_keys_end(st->cols));
		frame_keys(st, s, SCOPE_GLOBAL, x, st->cols);
		break;
	}
}

void frame_draw(const struct state *st, struct surface *s)
{
	draw_title(st, s);
	draw_status(st, s);
	draw_footer(st, s);
}
