/* tui/app/app.c - the loop: wait for a key, a resize or a worker; change the state; draw what is stale. No sleeping. */
#include "app.h"
#include "loading.h"
#include "remember.h"
#include "shown_trace.h"
#include "start.h"
#include "trace_load.h"
#include "tui/beside/beside.h"
#include "model/store/base/clock.h"
#include "tui/explorer/pane.h"
#include "tui/explorer/reader.h"
#include "tui/explorer/session_log.h"
#include "tui/keys/keys_file.h"
#include "tui/screen/term.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FRAME_MS = 40, LOADING_MS = 100, TELL_MS = 500 };

struct app {
	const struct app_opts *opts;
	struct app_opts own;   /* once a trace was chosen */
	const char *chosen[1]; /* its path */
	struct found_list found;
	struct start start;
	bool choosing;
	int wake[2]; /* workers write, the loop reads */
	struct load *load;
	struct shown_traces traces;
	struct state *st; /* of the trace that is shown */
	/* Two runs beside each other, instead of it or, by `=`, on top of it; NULL = none. */
	struct beside *beside;
	struct derived *ranks[2];    /* of the trace that is shown, where two of its ranks are compared */
	const struct diff_run *runs; /* both, where the command line names them */
	struct surface screen;
	struct theme theme; /* until there is a state */
	bool ascii, stale, cancelled, left;
	struct arena keys; /* the user's own; both until the end */
	struct err keys_err;
	bool keys_wrong;
	bool output; /* while waiting for the first trace of a feed: with what the target has printed */
	int64_t drawn_ms, told_ms;
};

/* ---- start -------------------------------------------------------------------------------------------------------- */

static bool pick_theme(struct app *a, struct err *e)
{
	const char *name = term_depth() == DEPTH_MONO ? "mono" : a->opts->theme ? a->opts->theme : "dark";
	return theme_load(&a->theme, name, e);
}

static bool open_pipe(int fds[2], struct err *e)
{
	if (pipe2(fds, O_CLOEXEC | O_NONBLOCK) != 0)
		return err_usage(e, "cannot make a pipe");
	return true;
}

static void size_screen(struct app *a)
{
	int rows, cols;
	term_size(&rows, &cols);
	session_log("screen %d columns, %d rows", cols, rows);
	surface_resize(&a->screen, rows, cols);
	a->screen.ascii = a->ascii;
	if (a->beside)
		beside_resize(a->beside, rows, cols);
	if (a->st)
		state_resize(a->st, rows, cols);
	a->stale = true;
}

static bool start_load(struct app *a, struct err *e)
{
	a->load = load_start(a->opts, a->wake[1], e);
	return a->load != NULL;
}

static void start_choosing(struct app *a)
{
	found_traces(&a->found, ".");
	a->start.list = &a->found;
}

/* ---- two runs ----------------------------------------------------------------------------------------------------- */

static void compare_runs(struct app *a, const struct diff_run *before, const struct diff_run *after)
{
	struct beside_req r = {.opts = a->opts, .a = *before, .b = *after, .wake_fd = a->wake[1]};
	a->beside = beside_new(&r);
	if (a->st)
		beside_look(a->beside, &a->st->theme, a->st->ascii, a->st->mono);
	else
		beside_look(a->beside, &a->theme, a->ascii, term_depth() == DEPTH_MONO);
	size_screen(a);
}

static struct diff_run run_of_window(struct state *st, struct window *w)
{
	struct query q = window_query(w, NULL);
	q.all_steps = st->all_steps;
	return (struct diff_run){st->d,
				 q,
				 trace_sources(st->t) ? trace_source(st->t, 0).path : "",
				 w->text,
				 NULL,
				 {0},
				 w->kind == WINDOW_ALL ? NULL : w->text};
}

static bool take_rank(struct app *a, int side, struct diff_run *run, struct err *e)
{
	char text[32];
	snprintf(text, sizeof text, "%lld", (long long)a->st->compared_rank[side]);
	TRY(job_rank_find(a->st->t, text, &run->rank, e));
	run->whole = a->st->d;
	run->d = a->ranks[side] = job_rank_derive(a->st->d, &run->rank, NULL, e);
	return run->d != NULL;
}

static void free_ranks(struct app *a)
{
	for (int i = 0; i < 2; i++) {
		if (a->ranks[i])
			derived_free(a->ranks[i]);
		a->ranks[i] = NULL;
	}
}

/* What `=` has asked for. */
static void compare_windows(struct app *a)
{
	struct err e = {.at = -1};
	char why[640];
	struct diff_run run[2];
	a->st->compare = false;
	for (int i = 0; i < 2; i++) {
		run[i] = run_of_window(a->st, &a->st->compared[i]);
		if (a->st->compared_rank[i] != UNKNOWN_I64 && !take_rank(a, i, &run[i], &e)) {
			state_say(a->st, INK_WARN, "%s", err_text(&e, why, sizeof why));
			free_ranks(a);
			return;
		}
	}
	compare_runs(a, &run[0], &run[1]);
}

/* Closed, it gives the screen back to what lies below, if there is anything. */
static void end_comparison(struct app *a)
{
	enum beside_end end = a->beside ? beside_end(a->beside) : BESIDE_STAYS;
	if (end == BESIDE_STAYS)
		return;
	a->left = end == BESIDE_LEAVES || !a->st;
	beside_free(a->beside);
	a->beside = NULL;
	free_ranks(a);
	a->stale = true;
	if (a->st)
		size_screen(a);
}

static bool start(struct app *a, struct err *e)
{
	struct theme probe;
	TRY(session_log_open(getenv("STEPSCOPE_LOG"), e));
	session_log("explorer begins: version " VERSION ", %d paths, first '%s'", a->opts->n_paths,
		    a->opts->n_paths ? a->opts->paths[0] : "");
	TRY(theme_load(&probe, a->opts->theme ? a->opts->theme : "dark", e));
	a->keys_wrong = !keys_file_load(&a->keys, &a->keys_err);
	TRY(open_pipe(a->wake, e));
	term_hold_signals();
	a->choosing = !a->opts->feed && !a->runs && a->opts->n_paths == 0;
	if (a->choosing)
		start_choosing(a);
	else if (!a->runs)
		TRY(a->opts->feed ? feed_start(a->opts->feed, a->wake[1], e) : start_load(a, e));
	TRY(term_open(a->opts->color, e));
	a->ascii = a->opts->ascii || !term_is_utf8();
	TRY(pick_theme(a, e));
	term_mouse(!a->opts->no_mouse);
	size_screen(a);
	if (a->runs)
		compare_runs(a, &a->runs[0], &a->runs[1]);
	return true;
}

/* What the user has arranged is kept at once: a terminal may die. */
static void keep_arranged(struct app *a)
{
	if (a->st && a->st->arranged)
		arrangement_keep(a->st);
}

static void finish(struct app *a)
{
	term_close();
	keep_arranged(a);
	if (a->load)
		load_cancel(a->load);
	if (a->opts->feed)
		feed_stop(a->opts->feed);
	beside_free(a->beside);
	free_ranks(a);
	shown_traces_free(&a->traces);
	surface_free(&a->screen);
	found_free(&a->found);
	keymap_use(NULL);
	arena_free(&a->keys);
	if (a->cancelled)
		return; /* a worker may still hold the pipe */
	close(a->wake[0]);
	close(a->wake[1]);
}

/* ---- loading ends ------------------------------------------------------------------------------------------------- */

static void first_state(struct app *a)
{
	a->st = a->traces.now->st;
	state_look(a->st, &a->theme, a->ascii, term_depth() == DEPTH_MONO);
	a->st->only_ascii = !term_is_utf8();
	size_screen(a);
	if (a->keys_wrong && !*a->st->message)
		state_say_err(a->st, &a->keys_err);
}

static bool take_trace(struct app *a, struct err *e)
{
	struct derived *d = load_finish(a->load, e);
	a->load = NULL;
	TRY(d != NULL);
	a->traces.now = shown_trace_new(a->opts, d, a->wake[1]);
	first_state(a);
	arrangement_take(a->st);
	if (*term_note())
		state_say(a->st, INK_WARN, "%s", term_note());
	if (a->opts->remember && a->opts->n_paths == 1 && !a->opts->summary)
		remember_opened(a->opts->paths[0]);
	if (a->opts->remember && remember_hints_due()) {
		a->st->hints = HINTS_SHOWN;
		size_screen(a);
	}
	return true;
}

/* ---- traces that follow one another -------------------------------------------------------------------------------- */

static void take_next(struct app *a)
{
	bool first = !a->st;
	if (!shown_traces_update(&a->traces, a->opts, a->wake[1]))
		return;
	if (first)
		first_state(a);
	if (first && a->output)
		reader_output(a->st);
	a->st = a->traces.now->st;
	a->st->theme_changed = a->stale = true;
}

static void tell_feed(struct app *a)
{
	if (a->st) {
		feed_tell(a->opts->feed, &a->st->told);
		reader_output_again(a->st);
	}
	a->told_ms = now_ms();
	a->stale = true;
}

/* ---- frames ------------------------------------------------------------------------------------------------------- */

/* Whose look holds, and whose wishes about the terminal are heard; NULL while there is none. */
static struct state *state_shown(const struct app *a)
{
	return a->beside ? beside_state(a->beside) : a->st;
}

static void apply_settings(struct app *a, struct state *st)
{
	if (st->theme_changed)
		term_theme_changed();
	a->screen.ascii = st->ascii;
	if (st->mouse_changed)
		term_mouse(st->mouse);
	if (st->clip)
		term_copy(st->clip);
	free(st->clip);
	st->clip = NULL;
	if (st->redraw)
		term_redraw();
	st->theme_changed = st->mouse_changed = st->redraw = false;
}

static void draw(struct app *a)
{
	struct state *st = state_shown(a);
	if (a->beside) {
		apply_settings(a, st);
		beside_draw(a->beside, &a->screen);
	} else if (st) {
		apply_settings(a, st);
		state_draw(st, &a->screen);
	} else if (a->choosing) {
		start_draw(&a->start, &a->screen);
	} else if (a->opts->feed) {
		waiting_draw(a->opts, a->output, &a->screen);
	} else {
		struct load_picture p = load_picture(a->load);
		loading_draw(&p, a->opts, &a->screen);
	}
	term_draw(&a->screen, st ? &st->theme : &a->theme);
	a->drawn_ms = now_ms();
	a->stale = false;
}

static int due_in_ms(int64_t since_ms, int every_ms)
{
	int64_t gone_ms = now_ms() - since_ms;
	return gone_ms >= every_ms ? 0 : (int)(every_ms - gone_ms);
}

/* How long to wait: until the next frame is due when something is stale, else until something happens. */
static int wait_ms(const struct app *a)
{
	int busy_ms = term_busy_ms();
	if (busy_ms && (a->stale || a->load))
		return busy_ms; /* keys that come meanwhile are for the next frame */
	if (a->stale)
		return due_in_ms(a->drawn_ms, FRAME_MS);
	if (a->load)
		return due_in_ms(a->drawn_ms, LOADING_MS);
	if (a->opts->feed)
		return due_in_ms(a->told_ms, TELL_MS);
	return -1;
}

/* ---- events ------------------------------------------------------------------------------------------------------- */

/* What is clicked may stand for a key. */
static int key_clicked(const struct app *a, const struct mouse *m)
{
	bool click = m->what == MOUSE_CLICK || m->what == MOUSE_DOUBLE;
	int key = click ? surface_key_at(&a->screen, m->y, m->x) : 0;
	return key ? key : K_MOUSE;
}

static void on_mouse(struct app *a, const struct mouse *m)
{
	static const enum mouse_button buttons[] = {
		[MOUSE_CLICK] = BUTTON_CLICK,       [MOUSE_DOUBLE] = BUTTON_DOUBLE,
		[MOUSE_DRAG] = BUTTON_DRAG,         [MOUSE_RELEASE] = BUTTON_RELEASE,
		[MOUSE_WHEEL_UP] = BUTTON_WHEEL_UP, [MOUSE_WHEEL_DOWN] = BUTTON_WHEEL_DOWN,
	};
	if (a->beside)
		beside_mouse(a->beside, buttons[m->what], m->y, m->x);
	else
		state_mouse(a->st, buttons[m->what], m->y, m->x);
}

static void on_early_key(struct app *a, int key)
{
	if (keymap_find(SCOPE_LOADING, false, key) == ACT_STOP)
		a->cancelled = true;
	else if (a->opts->feed && feed_source(a->opts->feed)->output &&
		 keymap_find(SCOPE_GLOBAL, false, key) == ACT_OUTPUT)
		a->output = !a->output;
}

/* The chosen trace is loaded as if it had been named at the start; NULL: none is chosen yet. */
static bool take_choice(struct app *a, const char *path, struct err *e)
{
	if (!path)
		return true;
	session_log("chosen: '%s'", path);
	a->own = *a->opts;
	a->chosen[0] = path;
	a->own.paths = a->chosen;
	a->own.n_paths = 1;
	a->opts = &a->own;
	a->choosing = false;
	return start_load(a, e);
}

static bool on_choosing(struct app *a, int key, const struct mouse *m, struct err *e)
{
	const char *path = key == K_MOUSE ? start_mouse(&a->start, m->what, m->y)
					  : start_act(&a->start, keymap_find(SCOPE_START, false, key), &a->cancelled);
	return take_choice(a, path, e);
}

static void on_key(struct app *a, int key)
{
	if (a->beside) {
		beside_key(a->beside, key);
		return;
	}
	state_key(a->st, key);
	if (a->st->hints == HINTS_USED) {
		remember_hints_used();
		a->st->hints = HINTS_NONE;
	}
}

/* Keys that wait are all taken before the next frame: holding a key down never queues up pictures. */
static bool take_keys(struct app *a, struct err *e)
{
	struct mouse m;
	for (int key; (key = term_key(&m)) != K_NONE; a->stale = true) {
		if (key == K_MOUSE)
			key = key_clicked(a, &m);
		if (key == K_RESIZE)
			size_screen(a);
		else if (state_shown(a) && key == K_MOUSE)
			on_mouse(a, &m);
		else if (state_shown(a))
			on_key(a, key);
		else if (a->choosing)
			TRY(on_choosing(a, key, &m, e));
		else
			on_early_key(a, key);
	}
	return true;
}

static bool take_workers(struct app *a, struct err *e)
{
	if (a->load && load_done(a->load))
		return take_trace(a, e);
	if (a->opts->feed && !a->beside) /* which looks at the trace that is shown */
		take_next(a);
	if (a->st && state_collect(a->st))
		a->stale = true;
	if (a->beside && beside_collect(a->beside))
		a->stale = true;
	return true;
}

static void wait(struct app *a)
{
	shown_traces_let(&a->traces);
	if (a->beside)
		beside_let(a->beside);
	term_wait(wait_ms(a), a->wake[0]);
	shown_traces_hold(&a->traces);
	if (a->beside)
		beside_hold(a->beside);
}

static bool loop(struct app *a, struct err *e)
{
	draw(a);
	while (!a->cancelled && !(a->st && a->st->quit)) {
		wait(a);
		TRY(take_keys(a, e));
		if (a->st && a->st->compare)
			compare_windows(a);
		TRY(take_workers(a, e));
		end_comparison(a);
		if (a->left)
			break;
		if (a->opts->feed && due_in_ms(a->told_ms, TELL_MS) == 0)
			tell_feed(a);
		bool due = a->stale || (a->load && due_in_ms(a->drawn_ms, LOADING_MS) == 0);
		if (due && wait_ms(a) == 0) {
			draw(a);
			keep_arranged(a);
		}
	}
	return true;
}

static int exit_code(const struct app *a)
{
	enum { FINE = 0, PARTLY = 4 };
	return a->traces.now && notes_of(trace_notes(derived_trace(a->traces.now->d)), NOTE_LOST) ? PARTLY : FINE;
}

static int run(struct app *a, struct err *e)
{
	enum { USAGE = 2, UNREADABLE = 3 };
	struct err own = {.at = -1};
	struct err *why = e ? e : &own;
	bool ok = start(a, why) && loop(a, why);
	int code = ok ? exit_code(a) : why->unreadable ? UNREADABLE : USAGE;
	finish(a);
	session_log("explorer ends: exit code %d", code);
	return code;
}

int app_run(const struct app_opts *o, struct err *e)
{
	struct app a = {.opts = o, .wake = {-1, -1}, .keys_err.at = -1};
	return run(&a, e);
}

int app_compare(const struct app_opts *o, const struct diff_run *before, const struct diff_run *after, struct err *e)
{
	const struct diff_run runs[] = {*before, *after};
	struct app a = {.opts = o, .wake = {-1, -1}, .keys_err.at = -1, .runs = runs};
	return run(&a, e);
}
