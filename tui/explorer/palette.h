/* tui/explorer/palette.h - the list above the input line: what the letters typed so far may stand for. After `:` commands, actions with
 * their keys, panes, tables, lanes, steps, ops and kernels; while an argument or a filter is typed, the candidates of its completion.
 * Made anew with each letter (tui/commands/palette.c). */
#ifndef STEPSCOPE_PALETTE_H
#define STEPSCOPE_PALETTE_H
#include "tui/keys/keymap.h"
#include "tui/screen/surface.h"
#include "model/store/base/arena.h"
#include <stdint.h>

enum palette_kind {
	PALETTE_COMMAND,
	PALETTE_ACTION,
	PALETTE_PANE,
	PALETTE_TABLE,
	PALETTE_LANE,
	PALETTE_STEP,
	PALETTE_KERNEL,
	PALETTE_OP,
	PALETTE_LINE /* a whole line that completes what is typed */
};
struct palette_row {
	enum palette_kind kind;
	uint32_t id; /* action, number of the tab, analysis, track, step, row of the table */
	int score;
	const char *text, *key, *help;
};
enum { PALETTE_ROWS = 48, PALETTE_NONE = -1 };
struct palette {
	struct arena mem;
	struct palette_row rows[PALETTE_ROWS]; /* the best first */
	int n, chosen;                         /* chosen by Up and Down, PALETTE_NONE = not yet */
};

struct state;
void palette_fill(struct state *st); /* for the line as it is typed now */
void palette_more(struct state *st); /* the same when tables have come; what is chosen stays */
void palette_choose(struct state *st, int direction);
/* Whether the accepted line, or what was chosen, goes on: a command that still wants a word. Else it was obeyed, by the list or as a
 * command. */
bool palette_run(struct state *st);
void palette_draw(const struct state *st, struct surface *s);
/* Chooses the row that is drawn at y; false: none is there. */
bool palette_choose_at(struct state *st, int y);
void palette_free(struct palette *p);
#endif
