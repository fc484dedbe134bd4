/* Life of two runs beside each other, and what each key does there. */
#include "beside_private.h"
#include "tui/explorer/pane.h"
#include "tui/explorer/reader.h"
#include "tui/explorer/session_log.h"
#include "tui/explorer/timeline_layout.h"
#include "tui/explorer/typed.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>

/* ---- the comparison -------------------------------------------------------------------------------------------------------- */

static void compare(void *ctx)
{
	struct beside *b = ctx;
	struct diff_req r = {.a = &b->run[0],
			     .b = &b->run[1],
			     .n_a = 1,
			     .n_b = 1,
			     .n_tables = DIFF_SHOWN,
			     .places = true,
			     .program = b->opts.program,
			     .progress = &b->progress};
	b->made = diff_make(&r, &b->mem, &b->diff, &b->err);
}

static void compared(void *ctx)
{
	struct beside *b = ctx;
	b->ready = b->made;
	b->failed = !b->made;
	if (b->failed)
		return;
	session_log("comparison is ready");
	beside_make_lists(b);
	beside_begin(b);
	beside_size_sides(b);
}

/* ---- life ------------------------------------------------------------------------------------------------------------------ */

static struct state *new_side(struct beside *b, const struct beside_req *r, const struct derived *d)
{
	struct state *st = state_new(&b->opts, d, r->wake_fd, r->inline_jobs);
	st->beside = true;
	st->view.pane = st->home = PANE_TIMELINE;
	return st;
}

struct beside *beside_new(const struct beside_req *r)
{
	struct beside *b = must(calloc(1, sizeof *b));
	b->opts = *r->opts;
	b->opts.start_window = NULL;
	b->opts.remember = false;
	b->run[0] = r->a;
	b->run[1] = r->b;
	b->err.at = -1;
	b->where = BOTH;
	b->half = must(calloc(1, sizeof *b->half));
	for (int i = 0; i < 2; i++)
		b->side[i] = new_side(b, r, b->run[i].d);
	b->port = viewport_whole(trace_span_ns(b->side[0]->t), 64);
	beside_resize(b, 24, 80);
	b->worker = worker_new(r->wake_fd, r->inline_jobs);
	worker_run(b->worker, "comparison", compare, compared, b);
	worker_collect(b->worker);
	return b;
}

void beside_free(struct beside *b)
{
	if (!b)
		return;
	atomic_store(&b->progress.cancel, true);
	worker_free(b->worker);
	for (int i = 0; i < 2; i++)
		state_free(b->side[i]);
	surface_free(b->half);
	free(b->half);
	arena_free(&b->mem);
	free(b);
}

void beside_look(struct beside *b, const struct theme *t, bool ascii, bool mono)
{
	for (int i = 0; i < 2; i++)
		state_look(b->side[i], t, ascii, mono);
}

void beside_resize(struct beside *b, int rows, int cols)
{
	b->rows = rows;
	b->cols = cols;
	if (b->where != BOTH)
		state_resize(b->side[b->where], rows, cols);
	beside_size_sides(b);
}

bool beside_collect(struct beside *b)
{
	bool any = worker_collect(b->worker);
	for (int i = 0; i < 2; i++)
		any |= state_collect(b->side[i]);
	if (any && b->where == BOTH)
		beside_size_sides(b); /* which the states may have moved */
	return any;
}

void beside_let(struct beside *b)
{
	for (int i = 0; i < 2; i++)
		seek_let(b->side[i]->seeker);
}

void beside_hold(struct beside *b)
{
	for (int i = 0; i < 2; i++)
		seek_hold(b->side[i]->seeker);
}

struct state *beside_state(struct beside *b)
{
	return b->side[b->where == BOTH ? SIDE_A : b->where];
}

enum beside_end beside_end(const struct beside *b)
{
	return b->end;
}

/* ---- one run by itself ------------------------------------------------------------------------------------------------------ */

static void look_at(struct beside *b, int side)
{
	struct state *st = b->side[side];
	b->where = side;
	b->aside = st->view;
	st->no_side = false;
	state_resize(st, b->rows, b->cols);
}

static void look_at_both(struct beside *b)
{
	struct state *st = b->side[b->where];
	st->quit = false;
	st->mode = MODE_PANE;
	st->view = b->aside;
	st->n_back = st->n_forward = 0;
	b->where = BOTH;
	b->visiting = false;
	beside_size_sides(b);
}

static bool is_ours(enum action a)
{
	size_t n;
	const struct key_binding *k = keymap(&n);
	for (size_t i = 0; i < n; i++)
		if (k[i].action == a)
			return k[i].scope == SCOPE_BESIDE;
	return false;
}

static void act(struct beside *b, enum action a);

/* Help was closed, or nothing came of what was typed. */
static bool visit_ends(const struct beside *b)
{
	const struct state *st = b->side[b->where];
	return b->visiting && st->mode == MODE_PANE && st->view.pane == PANE_TIMELINE && !*st->message;
}

/* After whatever the state of one run did. */
static void after(struct beside *b)
{
	struct state *st = b->side[b->where];
	enum action last = st->last;
	if (st->quit && last == ACT_LEAVE) {
		b->end = BESIDE_LEAVES;
	} else if (is_ours(last)) { /* chosen in the list of actions */
		st->last = ACT_NONE;
		look_at_both(b);
		act(b, last);
	} else if (st->quit || visit_ends(b)) {
		look_at_both(b);
	}
}

/* ---- keys ------------------------------------------------------------------------------------------------------------------- */

static void choose(struct beside *b, int64_t row)
{
	struct beside_list *l = &b->lists[b->list];
	uint32_t h = (uint32_t)beside_layout(b).h_rows;
	if (!l->n)
		return;
	l->chosen = row < 0 ? 0 : row >= l->n ? l->n - 1 : (uint32_t)row;
	l->top = l->chosen < l->top ? l->chosen : l->chosen >= l->top + h ? l->chosen - h + 1 : l->top;
	beside_show_chosen(b);
}

static void step_rows(struct beside *b, int rows)
{
	const struct beside_list *l = &b->lists[b->list];
	int64_t to = (int64_t)l->chosen + rows;
	if (to >= l->n && l->n && l->chosen + 1 == l->n)
		snprintf(b->message, sizeof b->message, "the last difference of this list; Tab shows the next list");
	choose(b, to);
}

static void turn_list(struct beside *b, int direction)
{
	for (int i = 0; i < LISTS; i++) {
		b->list = (b->list + (direction > 0 ? 1 : LISTS - 1)) % LISTS;
		if (b->lists[b->list].n)
			break;
	}
	choose(b, b->lists[b->list].chosen);
}

static void open_side(struct beside *b, int side)
{
	struct state *st = b->side[side];
	row_id r = st->view.event;
	look_at(b, side);
	nav_steps_row(st);
	if (r != NONE_ID)
		nav_event(st, r);
	char key[ACTION_NAME_BUF];
	state_say(st, INK_STATUS, "%s, %s; %s goes back to the comparison", side == SIDE_A ? "A" : "B",
		  b->run[side].label, action_key(ACT_QUIT, key));
}

/* Where the chosen row is: in B, or in A where B has it not. */
static void open_chosen(struct beside *b)
{
	const struct beside_row *row = beside_chosen(b);
	bool only_a = row && row->place.at_ns[0] != UNKNOWN_I64 && row->place.at_ns[1] == UNKNOWN_I64;
	open_side(b, only_a ? SIDE_A : SIDE_B);
}

static void visit(struct beside *b)
{
	look_at(b, SIDE_A);
	b->side[SIDE_A]->last = ACT_NONE;
	state_quiet(b->side[SIDE_A]);
	b->visiting = true;
}

static void show_help(struct beside *b)
{
	visit(b);
	reader_help(b->side[SIDE_A], SCOPE_BESIDE);
	b->side[SIDE_A]->mode = MODE_READER;
}

static void type_command(struct beside *b)
{
	visit(b);
	typed_open(b->side[SIDE_A], PROMPT_COMMAND);
}

static void leave(struct beside *b, int how)
{
	b->end = (enum beside_end)how;
}

static void help(struct beside *b, int unused)
{
	(void)unused;
	show_help(b);
}

static void command(struct beside *b, int unused)
{
	(void)unused;
	type_command(b);
}

static void redraw(struct beside *b, int unused)
{
	(void)unused;
	b->side[SIDE_A]->redraw = true;
}

/* BOTH: wherever it is. */
static void open_run(struct beside *b, int side)
{
	if (side == BOTH)
		open_chosen(b);
	else
		open_side(b, side);
}

static void turn_page(struct beside *b, int direction)
{
	step_rows(b, direction * beside_layout(b).h_rows);
}

static void go_end(struct beside *b, int direction)
{
	choose(b, direction < 0 ? 0 : b->lists[b->list].n);
}

static void zoom(struct beside *b, int direction)
{
	beside_zoom(b, direction > 0 ? 1 : 2, direction > 0 ? 2 : 1);
}

static void fit(struct beside *b, int step)
{
	if (step)
		beside_fit_step(b);
	else
		beside_fit_event(b);
}

static void act(struct beside *b, enum action a)
{
	static const struct {
		enum action action;
		void (*act)(struct beside *b, int how);
		int how;
	} acts[] = {{ACT_BESIDE_LEAVE, leave, BESIDE_BACK},
		    {ACT_BESIDE_LEAVE_ALL, leave, BESIDE_LEAVES},
		    {ACT_BESIDE_HELP, help, 0},
		    {ACT_BESIDE_COMMAND, command, 0},
		    {ACT_BESIDE_REDRAW, redraw, 0},
		    {ACT_BESIDE_OPEN, open_run, BOTH},
		    {ACT_BESIDE_OPEN_A, open_run, SIDE_A},
		    {ACT_BESIDE_OPEN_B, open_run, SIDE_B},
		    {ACT_DIFFERENCE_NEXT, step_rows, 1},
		    {ACT_DIFFERENCE_PREV, step_rows, -1},
		    {ACT_DIFFERENCES_NEXT, turn_page, 1},
		    {ACT_DIFFERENCES_PREV, turn_page, -1},
		    {ACT_DIFFERENCE_FIRST, go_end, -1},
		    {ACT_DIFFERENCE_LAST, go_end, 1},
		    {ACT_BESIDE_LIST_NEXT, turn_list, 1},
		    {ACT_BESIDE_LIST_PREV, turn_list, -1},
		    {ACT_BESIDE_ZOOM_IN, zoom, 1},
		    {ACT_BESIDE_ZOOM_OUT, zoom, -1},
		    {ACT_BESIDE_LEFT, beside_pan, -1},
		    {ACT_BESIDE_RIGHT, beside_pan, 1},
		    {ACT_BESIDE_CURSOR_LEFT, beside_move_cursor, -1},
		    {ACT_BESIDE_CURSOR_RIGHT, beside_move_cursor, 1},
		    {ACT_BESIDE_FIT, fit, false},
		    {ACT_BESIDE_STEP, fit, true}};
	for (size_t i = 0; i < sizeof acts / sizeof *acts; i++)
		if (acts[i].action == a) {
			acts[i].act(b, acts[i].how);
			return;
		}
	snprintf(b->message, sizeof b->message, "this key does nothing here; ? shows all keys");
}

/* Before the comparison is there nothing but leaving and help means anything. */
static bool acts_now(const struct beside *b, enum action a)
{
	return b->ready || a == ACT_BESIDE_LEAVE || a == ACT_BESIDE_LEAVE_ALL || a == ACT_BESIDE_HELP ||
	       a == ACT_BESIDE_REDRAW;
}

void beside_key(struct beside *b, int key)
{
	b->message[0] = 0;
	if (b->where != BOTH) {
		state_key(b->side[b->where], key);
		after(b);
		return;
	}
	enum action a = keymap_find(SCOPE_BESIDE, false, key);
	if (acts_now(b, a))
		act(b, a);
}

static void click(struct beside *b, int y, int x)
{
	struct beside_layout l = beside_layout(b);
	int gutter = timeline_layout(b->side[0]).x;
	if (y >= l.y_rows && y < l.y_rows + l.h_rows)
		choose(b, (int64_t)b->lists[b->list].top + (y - l.y_rows));
	else if (y >= l.y_ruler && x >= gutter)
		beside_cursor_to(b, x - gutter);
}

void beside_mouse(struct beside *b, enum mouse_button what, int y, int x)
{
	b->message[0] = 0;
	if (b->where != BOTH) {
		state_mouse(b->side[b->where], what, y, x);
		after(b);
	} else if (b->ready && (what == BUTTON_CLICK || what == BUTTON_DRAG)) {
		click(b, y, x);
	} else if (b->ready && what == BUTTON_DOUBLE) {
		click(b, y, x);
		open_chosen(b);
	} else if (b->ready && (what == BUTTON_WHEEL_UP || what == BUTTON_WHEEL_DOWN)) {
		step_rows(b, what == BUTTON_WHEEL_UP ? -1 : 1);
	}
}
