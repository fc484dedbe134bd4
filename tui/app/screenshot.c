#include "screenshot.h"
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

static void press_words(struct state *st, const char *words)
{
	while (*(words += strspn(words, " "))) {
		size_t n = strcspn(words, " ");
		int key = key_parse(words, n);
		if (key != K_NONE)
			press(st, key);
		for (size_t i = 0; key == K_NONE && i < n; i++)
			press(st, (unsigned char)words[i]);
		words += n;
	}
}

bool screenshot_write(const struct screenshot *s, const struct app_opts *o, const struct derived *d, struct err *e)
{
	struct theme theme;
	TRY(theme_load(&theme, s->mono ? "mono" : o->theme ? o->theme : "dark", e));
	struct state *st = state_new(o, d, -1, true);
	state_look(st, &theme, o->ascii, s->mono);
	state_resize(st, s->rows, s->cols);
	press_words(st, s->keys ? s->keys : "");
	bool ok = export_screen(st, s->file, e);
	state_free(st);
	return ok;
}
