#include "typed.h"
#include "pane.h"
#include <string.h>

/* ---- searches ----------------------------------------------------------------------------------------------------- */

static void set_search(struct state *st, struct search *s)
{
	search_free(st->search);
	st->search = s;
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
	struct state *st = ctx;
	return st->prompt.kind == PROMPT_COMMAND ? command_complete(st, line, out, max, mem) : 0;
}

/* A theme is shown while its name is typed; the line decides whether it stays. */
static void preview_theme(struct state *st, enum prompt_result r)
{
	static const char command[] = "theme ";
	struct theme t;
	const char *text = st->prompt.text;
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

void typed_key(struct state *st, int key)
{
	/* what a search has said while it was typed stays when the line is accepted */
	if (st->prompt.kind != PROMPT_SEARCH || keymap_find(SCOPE_PROMPT, false, key) != ACT_ACCEPT)
		state_quiet(st);
	enum prompt_result r = prompt_key(&st->prompt, key, complete, st);
	preview_theme(st, r);
	if (r == PROMPT_MORE && st->prompt.kind == PROMPT_SEARCH)
		search_typed(st);
	if (r == PROMPT_MORE)
		return;
	st->mode = MODE_PANE;
	/* back to the pane before the line is obeyed: a command may open another mode */
	if (r == PROMPT_LEFT && st->prompt.kind == PROMPT_SEARCH)
		abandon_search(st);
	if (r == PROMPT_LEFT)
		return;
	if (r == PROMPT_AGAIN)
		turn_filter(st);
	else if (st->prompt.kind == PROMPT_COMMAND)
		command_run(st, st->prompt.text);
	else if (st->prompt.kind == PROMPT_SEARCH)
		search_for(st, st->prompt.text);
	else
		state_filter(st, st->prompt.text);
}

void typed_open(struct state *st, enum prompt_kind kind)
{
	if (kind == PROMPT_SEARCH)
		begin_typing(st);
	prompt_open(&st->prompt, kind, "");
	st->mode = MODE_PROMPT;
}

void typed_free(struct state *st)
{
	search_free(st->typed_before);
}
