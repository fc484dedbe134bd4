#include "typed.h"
#include "pane.h"
#include "reader.h"
#include <string.h>

/* ---- searches ----------------------------------------------------------------------------------------------------- */

static void set_search(struct state *st, struct search *s)
{
	search_free(st->search);
	st->search = s;
}

/* In the text over the pane the line that is hit is shown while it is typed. */
static void read_typed(struct state *st)
{
	struct search *s = *st->prompt.text ? search_new(st->prompt.text, NULL) : NULL;
	if (*st->prompt.text && !s)
		return;
	search_free(st->reader_search);
	st->reader_search = s;
	st->reader.hit = NONE_ID;
	if (s)
		reader_seek(st, 1, true);
}

/* Where the pane itself has what is searched, the first hit is shown while the pattern is typed. */
static void begin_typing(struct state *st)
{
	st->typing = st->view.pane == PANE_TIMELINE || pane_shown(st);
	st->typed_from = nav_remember(st);
	search_free(st->typed_before);
	st->typed_before = st->search ? search_keep(st->search) : NULL;
}

/* Each letter looks anew from where the search began; half a pattern that does not compile leaves things as they are. */
static void search_typed(struct state *st)
{
	const char *text = st->prompt.text;
	if (!st->typing || (st->search && *text && !strcmp(search_text(st->search), text)))
		return;
	struct search *s = *text ? search_new(text, NULL) : NULL;
	if (*text && !s) {
		seek_tell(st);
		return;
	}
	seek_stop(st);
	nav_restore(st, &st->typed_from);
	set_search(st, s ? s : st->typed_before ? search_keep(st->typed_before) : NULL);
	if (s)
		pane_of(st)->act(st, ACT_SEARCH_NEXT);
}

static void abandon_search(struct state *st)
{
	if (!st->typing)
		return;
	st->typing = false;
	seek_stop(st);
	nav_restore(st, &st->typed_from);
	set_search(st, st->typed_before ? search_keep(st->typed_before) : NULL);
}

/* What was found while typing stays, and Backspace leads back; an empty line repeats the last search; a pattern that does not
 * compile leaves it as it was. */
static void search_for(struct state *st, const char *text)
{
	struct err e = {.at = -1};
	bool shown = st->typing && st->search && *text && !strcmp(search_text(st->search), text);
	st->typing = false;
	if (shown) {
		if (st->view.event != st->typed_from.event || st->view.place.row != st->typed_from.place.row)
			nav_push_view(st, &st->typed_from);
		return;
	}
	state_quiet(st);
	struct search *s = *text ? search_new(text, &e) : NULL;
	if (*text && !s) {
		state_say_err(st, &e);
		return;
	}
	if (s)
		set_search(st, s);
	if (st->search)
		pane_of(st)->act(st, ACT_SEARCH_NEXT);
}

/* ---- the line ----------------------------------------------------------------------------------------------------- */

static size_t complete(void *ctx, const char *line, const char **out, size_t max, struct arena *mem)
{
	return typed_candidates(ctx, line, out, max, mem);
}

/* Up and Down walk the list above the line; Up, where nothing is chosen there, the lines of before. */
static bool walks_list(struct state *st, enum action a)
{
	const struct palette *p = &st->palette;
	if (st->prompt.kind == PROMPT_SEARCH || st->prompt.back || !p->n)
		return false;
	if (a == ACT_NEWER || (a == ACT_OLDER && p->chosen != PALETTE_NONE)) {
		palette_choose(st, a == ACT_NEWER ? 1 : -1);
		return true;
	}
	return false;
}

/* A theme is shown while its name is typed; the line decides whether it stays. */
static void preview_theme(struct state *st, enum prompt_result r)
{
	static const char command[] = "theme ";
	struct theme t;
	const char *text = st->prompt.text + (strncmp(st->prompt.text, "set ", 4) == 0 ? 4 : 0);
	bool named = r == PROMPT_MORE && st->prompt.kind == PROMPT_COMMAND && !st->mono &&
		     strncmp(text, command, sizeof command - 1) == 0 && theme_load(&t, text + sizeof command - 1, NULL);
	if (named && !st->previewing)
		st->theme_before = st->theme;
	if (named || st->previewing)
		state_theme(st, named ? &t : &st->theme_before);
	st->previewing = named;
}

/* && */
static void turn_filter(struct state *st)
{
	st->filter_hides = !st->filter_hides;
	state_say(st, INK_STATUS, "what does not pass a filter is %s", st->filter_hides ? "hidden" : "dimmed");
}

/* The line has changed: what it finds, or may stand for, is shown. */
static void show_typed(struct state *st)
{
	if (st->reading)
		read_typed(st);
	else if (st->prompt.kind == PROMPT_SEARCH)
		search_typed(st);
	else
		palette_fill(st);
	if (st->prompt.choice)
		st->palette.chosen = (int)(st->prompt.choice - 1) % (st->palette.n ? st->palette.n : 1);
}

static void accept(struct state *st)
{
	if (st->prompt.kind == PROMPT_SEARCH)
		search_for(st, st->prompt.text);
	else if (palette_run(st))
		return; /* the line goes on */
	palette_free(&st->palette);
}

void typed_key(struct state *st, int key)
{
	enum action a = keymap_find(SCOPE_PROMPT, false, key);
	/* what a search has said while it was typed stays when the line is accepted */
	if (st->prompt.kind != PROMPT_SEARCH || a != ACT_ACCEPT)
		state_quiet(st);
	if (walks_list(st, a))
		return;
	enum prompt_result r = prompt_key(&st->prompt, key, complete, st);
	preview_theme(st, r);
	if (r == PROMPT_MORE) {
		show_typed(st);
		return;
	}
	if (st->reading) {
		st->mode = MODE_READER;
		st->reading = false;
		return;
	}
	/* back to the pane before the line is obeyed: a command may open another mode */
	st->mode = MODE_PANE;
	if (r == PROMPT_DONE) {
		accept(st);
		return;
	}
	if (r == PROMPT_AGAIN)
		turn_filter(st);
	else if (st->prompt.kind == PROMPT_SEARCH)
		abandon_search(st);
	palette_free(&st->palette);
}

void typed_open(struct state *st, enum prompt_kind kind)
{
	st->reading = st->mode == MODE_READER;
	st->reader.hit_from = st->reader.hit == NONE_ID ? 0 : st->reader.hit;
	if (kind == PROMPT_SEARCH && !st->reading)
		begin_typing(st);
	prompt_open(&st->prompt, kind, "");
	st->mode = MODE_PROMPT;
	palette_fill(st);
}

void typed_free(struct state *st)
{
	search_free(st->typed_before);
}
