#include "screenshot.h"
#include "tui/explorer/pane.h"
#include "tui/explorer/state.h"
#include <stdlib.h>
#include <string.h>

enum { LEAST_ROWS = 10, LEAST_COLS = 40, MOST = 500 };

bool screenshot_size(struct screenshot *s, const char *text, struct err *e)
{
	char *end;
	long cols = strtol(text, &end, 10), rows = *end == 'x' ? strtol(end + 1, &end, 10) : 0;
	if (*end || cols < LEAST_COLS || cols > MOST || rows < LEAST_ROWS || rows > MOST)
		return err_usage(e, "'%.40s' is not a screen size: COLUMNSxROWS, %dx%d to %dx%d", text, LEAST_COLS,
				 LEAST_ROWS, MOST, MOST);
	s->cols = (int)cols;
	s->rows = (int)rows;
	return true;
}

static void press(struct state *st, int key)
{
	state_key(st, key);
	state_collect(st);
}

static bool press_alone(struct state *st, int key, struct err *e)
{
	char name[KEY_NAME_BUF], pane[96];
	press(st, key);
	return !st->unbound || err_usage(e,
					 "--keys: '%s' does nothing in %s; the keys that do stand in the last line "
					 "there, all of them behind ?",
					 key_name(key, name), frame_pane_name(st, pane, sizeof pane));
}

/* Keys one after the other without blanks, and text for the input line that is open or that one of them opens. */
static bool type(struct state *st, const char *text, size_t n, struct err *e)
{
	for (size_t i = 0; i < n; i++) {
		bool into_line = st->mode == MODE_PROMPT;
		press(st, (unsigned char)text[i]);
		if (!into_line && st->unbound)
			return err_usage(
				e,
				"--keys: '%.*s' names no key and is not made of keys that do something here; text goes "
				"behind : / or &, as in ':table Space copies Enter'",
				(int)n, text);
	}
	return true;
}

static bool press_words(struct state *st, const char *words, struct err *e)
{
	while (*(words += strspn(words, " "))) {
		size_t n = strcspn(words, " ");
		int key = key_parse(words, n);
		TRY(key == K_NONE ? type(st, words, n, e) : press_alone(st, key, e));
		words += n;
	}
	return true;
}

bool screenshot_write(const struct screenshot *s, const struct app_opts *o, const struct derived *d, struct err *e)
{
	struct theme theme;
	TRY(theme_load(&theme, s->mono ? "mono" : o->theme ? o->theme : "dark", e));
	struct state *st = state_new(o, d, -1, true);
	state_look(st, &theme, o->ascii, s->mono);
	state_resize(st, s->rows, s->cols);
	bool ok = press_words(st, s->keys ? s->keys : "", e) && export_screen(st, s->file, e);
	state_free(st);
	return ok;
}
