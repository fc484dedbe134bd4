/* tui/explorer/state.c - life of the explorer's state and what each key means in each mode. */
#include "pane.h"
#include "reader.h"
#include "session_log.h"
#include "timeline_layout.h"
#include "typed.h"
#include "model/store/base/memory.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_ROWS = 10, LEAST_COLS = 40, LEAST_IDLE_NS = 10000 };

static void start_view(struct state *st)
{
	struct view *v = &st->view;
	v->port = viewport_whole(trace_span_ns(st->t), 64);
	v->event = v->step = NONE_ID;
	v->place.sort_col = -1;
	for (int i = 0; i < PANE_IDS; i++)
		st->pane_places[i] = v->place;
	for (uint32_t i = 0; i < MAX_TABLES; i++)
		st->places[i] = v->place;
	if (st->lanes.groups.on) /* several devices beside each other come first */
		v->pane = PANE_TIMELINE;
	if (st->opts->summary)
		v->pane = PANE_COMMS;
	/* the first lane that can be selected: headings cannot */
	v->lane = lanes_step(&st->lanes, UINT32_MAX, 1);
	if (v->lane == UINT32_MAX)
		v->lane = 0;
}

static void start_window(struct state *st)
{
	struct err e = {.at = -1};
	struct window w;
	st->window = window_all(st->d);
	if (!st->opts->start_window)
		return;
	if (!window_parse(st->d, st->opts->start_window, &w, &e)) {
		state_say_err(st, &e);
		return;
	}
	nav_window(st, &w);
	st->view.pane = PANE_TIMELINE;
}

struct state *state_new(const struct app_opts *o, const struct derived *d, int wake_fd, bool inline_jobs)
{
	struct state *st = must(calloc(1, sizeof *st));
	st->opts = o;
	st->d = d;
	st->t = derived_trace(d);
	st->rows = 24;
	st->cols = 80;
	st->self_of = st->measure = st->finding = NONE_ID;
	st->least_idle_ns = LEAST_IDLE_NS;
	st->mouse = !o->no_mouse;
	st->all_steps = o->all_steps;
	theme_load(&st->theme, "dark", NULL); /* until state_look: a state can be drawn from its first moment on */
	struct err e = {.at = -1};
	bool sound = lanes_init(&st->lanes, d, &e);
	st->tables = tables_new(d, wake_fd, inline_jobs);
	tables_all_steps(st->tables, st->all_steps);
	tables_of_summary(st->tables, o->summary);
	st->seeker = seeker_new(st, wake_fd, inline_jobs);
	st->jobs = timeline_jobs_new(d, wake_fd, inline_jobs);
	start_view(st);
	/* after start_view, whose view it moves; what is wrong with the window becomes the first message */
	start_window(st);
	state_resize(st, st->rows, st->cols);
	st->home = st->view.pane;
	state_say_clocks(st);
	if (!sound)
		state_say_err(st, &e);
	return st;
}

void state_theme(struct state *st, const struct theme *t)
{
	st->theme = *t;
	st->patterns = st->ascii || st->mono || strcmp(t->name, "mono") == 0;
	st->theme_changed = true;
}

void state_look(struct state *st, const struct theme *t, bool ascii, bool mono)
{
	st->ascii = ascii;
	st->mono = mono;
	state_theme(st, t);
}

void state_free(struct state *st)
{
	if (!st)
		return;
	seeker_free(st->seeker); /* before the tables that it reads */
	tables_free(st->tables);
	timeline_jobs_free(st->jobs);
	lanes_free(&st->lanes);
	filter_free(st->filter);
	hits_free(st->hits);
	search_free(st->search);
	typed_free(st);
	free(st->clip);
	search_free(st->reader_search);
	palette_free(&st->palette);
	arena_free(&st->kept_mem);
	arena_free(&st->reader.mem);
	arena_free(&st->overview.mem);
	free(st->row_steps);
	free(st);
}

/* ---- messages ----------------------------------------------------------------------------------------------------- */

void state_say(struct state *st, int ink, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(st->message, sizeof st->message, fmt, ap);
	va_end(ap);
	st->message_ink = ink;
}

void state_say_err(struct state *st, const struct err *e)
{
	char text[640];
	state_say(st, INK_BAD, "%s", err_text(e, text, sizeof text));
}

void state_quiet(struct state *st)
{
	st->message[0] = 0;
}

/* ---- the question ------------------------------------------------------------------------------------------------- */

/* Window, filter or the choice of steps has changed: workers answer all tables anew. Other rows come, so none stays selected. */
void state_question(struct state *st)
{
	tables_all_steps(st->tables, st->all_steps);
	tables_question(st->tables, &st->window, st->filter ? filter_text(st->filter) : "");
	st->view.place.row = st->view.place.top = 0;
}

void state_filter(struct state *st, const char *text)
{
	struct err e = {.at = -1};
	struct arena mem = {0};
	text = filter_line_expand(st, text, &mem, &e);
	if (!text || !seek_filter(st, text, &e)) {
		state_say_err(st, &e);
	} else if (!*text) {
		state_question(st);
		state_say(st, INK_STATUS, "no filter");
	}
	arena_free(&mem);
}

/* ---- workers ------------------------------------------------------------------------------------------------------ */

bool state_collect(struct state *st)
{
	struct err e;
	bool tables = tables_collect(st->tables), sought = seek_collect(st->seeker);
	sought |= timeline_jobs_collect(st->jobs);
	if (tables_failed(st->tables, &e))
		state_say_err(st, &e);
	if (tables && st->mode == MODE_PROMPT)
		palette_more(st);
	if (tables && st->finding_owed && pane_table_named(st, "findings")) {
		st->finding_owed = false;
		nav_next_finding(st);
	}
	if (tables || sought)
		state_resize(st, st->rows, st->cols); /* panes look at what is ready now */
	if (tables || sought)
		history_follow(st, st->last);
	return tables || sought;
}

bool state_busy(struct state *st)
{
	return tables_busy(st->tables) || seek_busy(st->seeker) || timeline_jobs_busy(st->jobs);
}

/* ---- modes -------------------------------------------------------------------------------------------------------- */

static void go_copy(struct state *st)
{
	st->mode = MODE_COPY;
}

/* Esc: a search under way is stopped first and nothing else is lost with it; the next Esc drops what is selected. */
static void drop(struct state *st)
{
	struct view *v = &st->view;
	if (seek_stop(st)) {
		state_say(st, INK_STATUS, "stopped looking");
		return;
	}
	/* the range was made the window: they go together */
	if (v->range && st->window.kind == WINDOW_TIME) {
		st->window = window_all(st->d);
		state_question(st);
	}
	v->range = v->range_open = false;
	v->event = v->step = NONE_ID;
	v->gap = NULL;
	st->gaps_shown = 0;
	search_free(st->search);
	st->search = NULL;
}

static void say_unbound(struct state *st)
{
	st->unbound = true;
	state_say(st, INK_STATUS, "this key does nothing here; ? shows all keys");
}

static void go_export(struct state *st)
{
	st->mode = MODE_EXPORT;
}

static void go_help(struct state *st)
{
	reader_help(st, pane_of(st)->scope);
	st->mode = MODE_READER;
}

static void go_command(struct state *st)
{
	typed_open(st, PROMPT_COMMAND);
}

static void go_search(struct state *st)
{
	typed_open(st, PROMPT_SEARCH);
}

static void go_filter(struct state *st)
{
	typed_open(st, PROMPT_FILTER);
}

static void clear_filter(struct state *st)
{
	if (st->filter)
		state_filter(st, "");
	else
		state_say(st, INK_STATUS, "no filter is set");
}

static void go_set_mark(struct state *st)
{
	st->mode = MODE_MARK;
}

static void go_mark(struct state *st)
{
	st->mode = MODE_GO_MARK;
}

static void go_notes(struct state *st)
{
	open_table_named(st, "notes");
}

static void state_freeze(struct state *st, bool frozen)
{
	st->frozen = frozen;
	feed_hold(st->feed, frozen);
	state_say(st, INK_STATUS,
		  frozen ? "frozen: the capture goes on while this picture stands still; F follows it again"
			 : "following the capture; F freezes the picture");
}

static void go_follow(struct state *st)
{
	if (!st->feed)
		state_say(st, INK_STATUS,
			  "this trace does not grow; 'stepscope attach' and 'watch' show traces that do");
	else
		state_freeze(st, !st->frozen);
}

static void go_output(struct state *st)
{
	if (!st->feed || !feed_source(st->feed)->output)
		state_say(st, INK_STATUS, "no output here: 'stepscope run --view' captures what its command prints");
	else
		reader_output(st);
}

static void go_redraw(struct state *st)
{
	st->redraw = true;
}

static void go_quit(struct state *st)
{
	st->quit = true;
}

/* What keys do everywhere. Panes are in tabs.c. */
static void (*const everywhere[ACT_COUNT])(struct state *st) = {
	[ACT_GAP_BIGGEST] = nav_biggest_gap,
	[ACT_EXPORT] = go_export,
	[ACT_HELP] = go_help,
	[ACT_COMMAND] = go_command,
	[ACT_SEARCH] = go_search,
	[ACT_FILTER] = go_filter,
	[ACT_CLEAR_FILTER] = clear_filter,
	[ACT_MARK] = go_set_mark,
	[ACT_GO_MARK] = go_mark,
	[ACT_BACK] = nav_back,
	[ACT_FORWARD] = nav_forward,
	[ACT_FINDING_NEXT] = nav_next_finding,
	[ACT_YANK] = go_copy,
	[ACT_LEAVE] = go_quit,
	[ACT_NOTES] = go_notes,
	[ACT_DROP] = drop,
	[ACT_FOLLOW] = go_follow,
	[ACT_OUTPUT] = go_output,
	[ACT_REDRAW] = go_redraw,
	[ACT_QUIT] = nav_quit,
	[ACT_COMPARE] = nav_compare,
};

static bool opens_tab(struct state *st, enum action a)
{
	const struct tab *t;
	for (size_t i = 0; (t = tab_at(i)); i++)
		if (t->action == a) {
			tab_open(st, t);
			return true;
		}
	return false;
}

static bool act_global(struct state *st, enum action a)
{
	if (everywhere[a]) {
		everywhere[a](st);
		return true;
	}
	return opens_tab(st, a);
}

/* The reader scrolls and closes; any other key closes it and acts on the pane below. */
static bool act_reader(struct state *st, enum action a)
{
	switch (a) {
	case ACT_LINE_DOWN:
	case ACT_LINE_UP:
	case ACT_TEXT_DOWN:
	case ACT_TEXT_UP:
	case ACT_TEXT_FIRST:
	case ACT_TEXT_LAST:
		reader_act(st, a);
		return true;
	case ACT_SEARCH:
		typed_open(st, PROMPT_SEARCH);
		return true;
	case ACT_SEARCH_NEXT:
	case ACT_SEARCH_PREV:
		reader_seek(st, a == ACT_SEARCH_NEXT ? 1 : -1, false);
		return true;
	case ACT_QUIT:
	case ACT_BACK:
	case ACT_DROP:
	case ACT_HELP:
		st->mode = MODE_PANE;
		return true;
	default:
		st->mode = MODE_PANE;
		return false;
	}
}

void state_act(struct state *st, enum action a)
{
	state_quiet(st);
	if (st->mode == MODE_READER && act_reader(st, a))
		return;
	if (!act_global(st, a))
		pane_of(st)->act(st, a);
	st->last = a;
	hints_after(st, a);
}

/* Whatever was done: lanes follow the zoom, the list of steps what is selected, and the pane that is shown now looks at what it needs. */
static void settle(struct state *st, enum action a)
{
	nav_lanes(st);
	nav_steps_row(st);
	pane_look(st);
	history_follow(st, a);
}

static void take_key(struct state *st, int key)
{
	st->finding_owed = st->unbound = false;
	switch (st->mode) {
	case MODE_PROMPT:
		typed_key(st, key);
		break;
	case MODE_EXPORT:
		export_key(st, key);
		break;
	case MODE_COPY:
		copy_key(st, key);
		break;
	case MODE_MARK:
	case MODE_GO_MARK:
		marks_key(st, key);
		break;
	case MODE_READER:
	case MODE_PANE: {
		enum scope scope = st->mode == MODE_READER ? SCOPE_READER : pane_of(st)->scope;
		enum action a = keymap_find(scope, true, key);
		if (a == ACT_NONE)
			say_unbound(st);
		else
			state_act(st, a);
		break;
	}
	}
	settle(st, st->last);
}

/* What is shown now, in words that change when it does. */
static const char *place_text(const struct state *st, char *buf, size_t size)
{
	static const char *const modes[] = {
		[MODE_PANE] = "",          [MODE_PROMPT] = ", input line", [MODE_EXPORT] = ", export menu",
		[MODE_READER] = "",        [MODE_MARK] = ", mark",         [MODE_GO_MARK] = ", go to mark",
		[MODE_COPY] = ", copying",
	};
	char pane[96];
	snprintf(buf, size, "%s%s", frame_pane_name(st, pane, sizeof pane), modes[st->mode]);
	return buf;
}

void state_key(struct state *st, int key)
{
	char before[128], after[128], name[KEY_NAME_BUF];
	if (!session_log_on()) {
		take_key(st, key);
		return;
	}
	session_log("key %s in %s", key_name(key, name), place_text(st, before, sizeof before));
	take_key(st, key);
	if (strcmp(before, place_text(st, after, sizeof after)) != 0)
		session_log("pane %s", after);
	if (*st->message)
		session_log("status: %s", st->message);
}

/* The second of two clicks on a row of a list opens it; the timeline has its own meaning for it. */
static void mouse_double(struct state *st, int y, int x)
{
	const struct pane_ops *p = pane_of(st);
	st->hit_row = false;
	p->mouse(st, st->view.pane == PANE_TIMELINE ? BUTTON_DOUBLE : BUTTON_CLICK, y, x);
	if (st->hit_row)
		state_act(st, keymap_find(p->scope, false, K_ENTER));
}

void state_mouse(struct state *st, enum mouse_button what, int y, int x)
{
	bool wheel = what == BUTTON_WHEEL_UP || what == BUTTON_WHEEL_DOWN;
	bool moving = what == BUTTON_DRAG || what == BUTTON_RELEASE;
	state_quiet(st);
	if (st->mode == MODE_READER && wheel)
		reader_act(st, what == BUTTON_WHEEL_UP ? ACT_LINE_UP : ACT_LINE_DOWN);
	else if (st->mode == MODE_PROMPT && what == BUTTON_CLICK && palette_choose_at(st, y))
		take_key(st, K_ENTER);
	else if (st->mode == MODE_PANE && what == BUTTON_DOUBLE)
		mouse_double(st, y, x);
	else if (st->mode == MODE_PANE && (!moving || st->view.pane == PANE_TIMELINE))
		pane_of(st)->mouse(st, what, y, x);
	settle(st, wheel || moving ? ACT_PAN_LEFT : ACT_NONE);
}

void state_resize(struct state *st, int rows, int cols)
{
	st->rows = rows;
	st->cols = cols;
	struct timeline_layout l = timeline_layout(st);
	viewport_resize(&st->view.port, (uint32_t)(l.cols > 0 ? l.cols : 1));
	/* other lanes may fit now, and lanes are numbered as they fit: what is selected is found again by what it is */
	struct view before = nav_remember(st);
	lanes_fill(&st->lanes, (uint32_t)(l.h_filled > 0 ? l.h_filled : 0));
	nav_restore(st, &before);
	nav_steps_row(st);
	pane_look(st);
}

/* ---- the picture -------------------------------------------------------------------------------------------------- */

struct table *pane_shown(const struct state *st)
{
	const struct pane_ops *p = pane_of(st);
	return p->shown ? p->shown(st) : NULL;
}

struct rect pane_body(const struct state *st)
{
	return (struct rect){1, 0, st->rows - 3 - hints_rows(st), st->cols};
}

bool state_reads(const struct state *st)
{
	return st->mode == MODE_READER || (st->mode == MODE_PROMPT && st->reading);
}

void state_draw(const struct state *st, struct surface *s)
{
	surface_clear(s);
	if (st->rows < LEAST_ROWS || st->cols < LEAST_COLS) {
		surface_text(s, 0, 0, st->cols, INK_WARN, 0, "too small");
		surface_printf(s, 1, 0, st->cols, INK_TEXT, 0, "need %dx%d", LEAST_COLS, LEAST_ROWS);
		surface_printf(s, 2, 0, st->cols, INK_TEXT, 0, "have %dx%d", st->cols, st->rows);
		return;
	}
	if (state_reads(st))
		reader_draw(st, s, pane_body(st));
	else
		pane_of(st)->draw(st, s, pane_body(st));
	hints_draw(st, s);
	frame_draw(st, s);
	if (st->mode == MODE_PROMPT)
		palette_draw(st, s);
}
