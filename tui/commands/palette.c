/* tui/commands/palette.c - what the letters after : may stand for, and what becomes of the one that is chosen. */
#include "tui/explorer/palette.h"
#include "commands.h"
#include "model/analysis/kernels/kernels_columns.h"
#include "model/analysis/ops/ops_columns.h"
#include "tui/explorer/pane.h"
#include "tui/keys/fuzzy.h"
#include <string.h>

enum { MOST_TABLE_ROWS = 5000, MOST_CANDIDATES = 256 };

void palette_free(struct palette *p)
{
	arena_free(&p->mem);
	*p = (struct palette){.chosen = PALETTE_NONE};
}

/* ---- the best rows ------------------------------------------------------------------------------------------------- */

/* Keeps the best in order; what comes first stays first among equals. Texts that are not static are copied only when they stay. */
static void offer(struct palette *p, struct palette_row row, bool copy)
{
	if (row.score < 0 || (p->n == PALETTE_ROWS && p->rows[p->n - 1].score >= row.score))
		return;
	int i = p->n < PALETTE_ROWS ? p->n++ : p->n - 1;
	for (; i > 0 && p->rows[i - 1].score < row.score; i--)
		p->rows[i] = p->rows[i - 1];
	if (copy)
		row.text = arena_strdup(&p->mem, row.text);
	p->rows[i] = row;
}

static void offer_text(struct palette *p, const char *typed, enum palette_kind kind, uint32_t id, const char *text)
{
	offer(p, (struct palette_row){kind, id, fuzzy_score(typed, text), text, "", ""}, true);
}

/* Whether an action means something from here: of this pane, everywhere, or on the timeline, which is gone to first. */
static bool reachable(const struct state *st, enum scope scope)
{
	return scope == SCOPE_GLOBAL || scope == SCOPE_TIMELINE || scope == pane_of(st)->scope ||
	       (scope == SCOPE_BESIDE && st->beside);
}

/* By its name, or by what the help says of it. */
static void offer_actions(const struct state *st, struct palette *p, const char *typed)
{
	size_t n;
	const struct key_binding *b = keymap(&n);
	for (size_t i = 0; i < n; i++) {
		char name[ACTION_NAME_BUF];
		if (!reachable(st, b[i].scope) || !*b[i].help)
			continue;
		action_name(b[i].action, name);
		const char *help = tab_key_help(st, &b[i]);
		int by_name = fuzzy_score(typed, name), by_help = fuzzy_score(typed, help);
		by_help = by_help < 0 ? by_help : by_help / 2;
		offer(p,
		      (struct palette_row){PALETTE_ACTION, (uint32_t)b[i].action, by_name > by_help ? by_name : by_help,
					   name, b[i].keys, help},
		      true);
	}
}

static void offer_panes(const struct state *st, struct palette *p, const char *typed)
{
	const struct tab *t;
	for (size_t i = 0; (t = tab_at(i)); i++) {
		const char *name = tab_shown(st, t)->name;
		offer(p, (struct palette_row){PALETTE_PANE, (uint32_t)i, fuzzy_score(typed, name), name, t->key, ""},
		      false);
	}
	uint32_t n;
	const struct table_desc *const *list = analysis_list(&n);
	for (uint32_t i = 0; i < n; i++)
		offer(p,
		      (struct palette_row){PALETTE_TABLE, i, fuzzy_score(typed, list[i]->name), list[i]->name, "",
					   list[i]->help},
		      false);
}

static void offer_places(const struct state *st, struct palette *p, const char *typed)
{
	char text[160];
	for (uint32_t i = 0; i < trace_tracks(st->t); i++) {
		if (trace_track(st->t, i)->n)
			offer_text(p, typed, PALETTE_LANE, i, trace_track_label(st->t, i, text, sizeof text));
	}
	for (uint32_t i = 0; i < derived_steps(st->d); i++) {
		snprintf(text, sizeof text, "step %s", derived_step(st->d, i)->label);
		offer_text(p, typed, PALETTE_STEP, i, text);
	}
}

static struct table *names_table(const struct state *st, enum palette_kind kind, int *column)
{
	bool kernels = kind == PALETTE_KERNEL;
	struct table *t = pane_table_named(st, kernels ? "kernels" : "ops");
	*column = t ? table_place(t, kernels ? (uint32_t)COL_KERNELS_NAME : (uint32_t)COL_OPS_OPERATION) : -1;
	return *column < 0 ? NULL : t;
}

/* A kernel has a row for each of its shapes: the first one stands for all. */
static void offer_names(const struct state *st, struct palette *p, const char *typed, enum palette_kind kind)
{
	int column;
	struct table *t = names_table(st, kind, &column);
	for (uint32_t i = 0; t && i < t->n_rows && i < MOST_TABLE_ROWS; i++) {
		const struct cell *c = table_cell(t, i, (uint32_t)column);
		bool again = false;
		for (int k = 0; k < p->n && !c->null; k++)
			again |= p->rows[k].kind == kind && strcmp(p->rows[k].text, c->s) == 0;
		if (!c->null && !again)
			offer_text(p, typed, kind, i, c->s);
	}
}

/* ---- filling --------------------------------------------------------------------------------------------------------- */

static void offer_lines(struct state *st, const char *line)
{
	struct palette *p = &st->palette;
	const char *found[MOST_CANDIDATES];
	size_t n = typed_candidates(st, line, found, MOST_CANDIDATES, &p->mem);
	for (size_t i = 0; i < n && p->n < PALETTE_ROWS; i++)
		p->rows[p->n++] = (struct palette_row){PALETTE_LINE, 0, 0, found[i], "", ""};
}

/* A command that the word stands for goes before everything else: Enter obeys it. */
static void offer_commands(struct palette *p, const char *typed)
{
	const struct command *one = command_named(typed, strlen(typed));
	for (uint32_t i = 0; i < command_count(); i++) {
		const struct command *c = command_at(i);
		int score = *typed ? fuzzy_score(typed, c->name) : 1;
		const char *text = arena_printf(&p->mem, "%s%s%s", c->name, *c->written ? " " : "", c->written);
		offer(p, (struct palette_row){PALETTE_COMMAND, i, c == one ? INT32_MAX : score, text, ":", c->help},
		      false);
	}
}

static void offer_all(struct state *st, const char *line)
{
	struct palette *p = &st->palette;
	offer_commands(p, line);
	if (!*line)
		return; /* nothing typed: the list of commands */
	offer_actions(st, p, line);
	offer_panes(st, p, line);
	offer_places(st, p, line);
	offer_names(st, p, line, PALETTE_KERNEL);
	offer_names(st, p, line, PALETTE_OP);
}

void palette_fill(struct state *st)
{
	struct palette *p = &st->palette;
	const char *line = st->prompt.choice ? st->prompt.typed : st->prompt.text;
	palette_free(p);
	if (st->prompt.kind == PROMPT_SEARCH)
		return;
	if (st->prompt.kind == PROMPT_FILTER) {
		offer_lines(st, line);
		return;
	}
	pane_want(st, "kernels");
	pane_want(st, "ops");
	const char *blank = strchr(line, ' ');
	if (st->prompt.choice || (blank && command_named(line, (size_t)(blank - line))))
		offer_lines(st, line);
	else
		offer_all(st, line);
}

void palette_more(struct state *st)
{
	int chosen = st->palette.chosen;
	palette_fill(st);
	st->palette.chosen = chosen < st->palette.n ? chosen : PALETTE_NONE;
}

void palette_choose(struct state *st, int direction)
{
	struct palette *p = &st->palette;
	int at = p->chosen + direction;
	p->chosen = at < 0 ? PALETTE_NONE : at >= p->n ? p->n - 1 : at;
}

/* ---- running --------------------------------------------------------------------------------------------------------- */

static enum scope scope_of(enum action a)
{
	size_t n;
	const struct key_binding *b = keymap(&n);
	for (size_t i = 0; i < n; i++)
		if (b[i].action == a)
			return b[i].scope;
	return SCOPE_GLOBAL;
}

static void run_action(struct state *st, enum action a)
{
	if (scope_of(a) == SCOPE_TIMELINE && st->view.pane != PANE_TIMELINE) {
		nav_push(st);
		nav_pane(st, PANE_TIMELINE, 0);
	}
	state_act(st, a);
}

static void go_lane(struct state *st, uint32_t track)
{
	nav_push(st);
	nav_pane(st, PANE_TIMELINE, 0);
	uint32_t lane = lanes_find(&st->lanes, track, 0);
	if (lane == NONE_ID)
		return;
	st->view.lane = lane;
	nav_lane(st, 0);
}

static void go_name(struct state *st, const struct palette_row *row)
{
	int column;
	struct table *t = names_table(st, row->kind, &column);
	if (t && row->id < t->n_rows)
		nav_evidence(st, table_evidence_of(t, row->id));
}

static void go_step(struct state *st, uint32_t step)
{
	nav_push(st);
	nav_pane(st, PANE_TIMELINE, 0);
	nav_step(st, step);
}

static void reopen(struct state *st, const char *line)
{
	prompt_open(&st->prompt, st->prompt.kind, line);
	st->mode = MODE_PROMPT;
	palette_fill(st);
}

/* A command that wants a word is written into the line, and so is what completes a filter. */
static bool goes_on(struct state *st, const struct palette_row *row)
{
	if (row->kind == PALETTE_LINE && st->prompt.kind == PROMPT_FILTER && strcmp(row->text, st->prompt.text) != 0) {
		char line[PROMPT_SIZE];
		snprintf(line, sizeof line, "%s", row->text);
		reopen(st, line);
		return true;
	}
	const struct command *c = row->kind == PALETTE_COMMAND ? command_at(row->id) : NULL;
	if (!c || !command_wants_word(c))
		return false;
	char line[PROMPT_SIZE];
	snprintf(line, sizeof line, "%s ", c->name);
	reopen(st, line);
	return true;
}

static void run_row(struct state *st, const struct palette_row *row)
{
	switch (row->kind) {
	case PALETTE_COMMAND:
		command_run(st, command_at(row->id)->name);
		break;
	case PALETTE_ACTION:
		run_action(st, (enum action)row->id);
		break;
	case PALETTE_PANE:
		tab_open(st, tab_at(row->id));
		break;
	case PALETTE_TABLE:
		open_table_named(st, analysis_at(row->id)->name);
		break;
	case PALETTE_LANE:
		go_lane(st, row->id);
		break;
	case PALETTE_STEP:
		go_step(st, row->id);
		break;
	case PALETTE_KERNEL:
	case PALETTE_OP:
		go_name(st, row);
		break;
	case PALETTE_LINE:
		if (st->prompt.kind == PROMPT_FILTER)
			state_filter(st, row->text);
		else
			command_run(st, row->text);
		break;
	}
}

bool palette_run(struct state *st)
{
	struct palette *p = &st->palette;
	const char *line = st->prompt.text;
	size_t word = strcspn(line, " ");
	/* a line that begins as a command does is one, unless something else was chosen */
	bool listed = st->prompt.kind == PROMPT_COMMAND && p->n && *line && !command_named(line, word) &&
		      !command_is_time(line);
	int at = p->chosen != PALETTE_NONE ? p->chosen : listed ? 0 : PALETTE_NONE;
	if (at == PALETTE_NONE) {
		if (st->prompt.kind == PROMPT_FILTER)
			state_filter(st, line);
		else
			command_run(st, line);
		return false;
	}
	struct palette_row row = p->rows[at];
	if (goes_on(st, &row))
		return true;
	run_row(st, &row);
	return false;
}

/* ---- picture --------------------------------------------------------------------------------------------------------- */

static const char *kind_word(enum palette_kind k)
{
	static const char *const words[] = {
		[PALETTE_COMMAND] = "command", [PALETTE_ACTION] = "action", [PALETTE_PANE] = "pane",
		[PALETTE_TABLE] = "table",     [PALETTE_LANE] = "lane",     [PALETTE_STEP] = "step",
		[PALETTE_KERNEL] = "kernel",   [PALETTE_OP] = "op",         [PALETTE_LINE] = "",
	};
	return words[k];
}

enum { KIND_X = 1, TEXT_X = 10, KEY_COLS = 10 };

static void draw_row(struct surface *s, int y, const struct palette_row *r, bool chosen)
{
	int cols = s->cols, text_w = r->kind == PALETTE_LINE || (!*r->key && !*r->help) ? cols - TEXT_X - 1 : cols / 3;
	int key_x = TEXT_X + text_w + 1, help_x = key_x + KEY_COLS + 1;
	surface_fill(s, (struct rect){y, 0, 1, cols}, ' ', chosen ? INK_SELECTED : INK_FOOTER, 0);
	surface_text(s, y, KIND_X, TEXT_X - KIND_X - 1, chosen ? INK_SELECTED : INK_FOOTER, 0, kind_word(r->kind));
	surface_text(s, y, r->kind == PALETTE_LINE ? KIND_X : TEXT_X, text_w, chosen ? INK_SELECTED : INK_FOOTER, 0,
		     r->text);
	surface_text(s, y, key_x, KEY_COLS, chosen ? INK_SELECTED : INK_KEY, 0, r->key);
	if (help_x < cols)
		surface_text(s, y, help_x, cols - help_x - 1, chosen ? INK_SELECTED : INK_FOOTER, 0, r->help);
}

struct list_place {
	int y, rows, top; /* first row of the screen, how many, and which row of the list is the first one */
};

static struct list_place list_place(const struct state *st)
{
	const struct palette *p = &st->palette;
	int room = pane_body(st).h / 2, rows = p->n < room ? p->n : room;
	return (struct list_place){st->rows - 2 - rows, rows, p->chosen >= rows ? p->chosen - rows + 1 : 0};
}

void palette_draw(const struct state *st, struct surface *s)
{
	const struct palette *p = &st->palette;
	struct list_place l = list_place(st);
	for (int i = 0; i < l.rows; i++)
		draw_row(s, l.y + i, &p->rows[l.top + i], l.top + i == p->chosen);
}

bool palette_choose_at(struct state *st, int y)
{
	struct list_place l = list_place(st);
	if (y < l.y || y >= l.y + l.rows)
		return false;
	st->palette.chosen = l.top + y - l.y;
	return true;
}
