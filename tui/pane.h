/* tui/pane.h - a pane is three functions. Body is everything between the title line and the status line. */
#ifndef STEPSCOPE_PANE_H
#define STEPSCOPE_PANE_H
#include "state.h"

struct pane_ops {
	const char *title;
	enum scope scope;
	void (*enter)(struct state *st); /* became visible, or the screen's size changed; may be NULL */
	void (*act)(struct state *st, enum action a);
	void (*mouse)(struct state *st, enum mouse_button what, int y, int x);
	void (*draw)(const struct state *st, struct surface *s, struct rect body);
	void (*status)(const struct state *st, char *buf, size_t size); /* one line about what is selected */
};
extern const struct pane_ops pane_overview, pane_timeline, pane_table, pane_steps, pane_input, pane_guide,
	pane_launches;
const struct pane_ops *pane_of(const struct state *st);
struct rect pane_body(const struct state *st);

/* ---- what the digits open (tabs.c) ---- */
struct tab {
	enum action action;
	char key; /* 0: opened from its table */
	const char *name;
	enum pane_id pane;
	const char *table; /* what it shows as a plain table; NULL = none */
};
/* In the order of their keys. Tabs whose table this version does not have are not there. */
const struct tab *tab_at(size_t i); /* NULL behind the last one */
const struct tab *tab_of(const struct state *st);
void tab_open(struct state *st, const struct tab *t);
void tab_turn(struct state *st); /* from the picture to the plain table, and back */
bool tab_turns(const struct state *st);
void open_table_named(struct state *st, const char *name);
/* The table of the current question by name; NULL while it is not ready, and when there is none of this name. */
struct table *pane_table_named(const struct state *st, const char *name);
void pane_want(struct state *st, const char *name);

/* ---- panes that are a list with one item selected (pane_list.c) ---- */
/* Moves the selection among n items; false when the action is another one. */
bool list_move(struct state *st, enum action a, uint32_t n);
/* What every list does beside: moves, turns to its plain table, searches; false when the action is another one. */
bool list_act(struct state *st, enum action a, uint32_t n);
/* A click selects the row-th line shown, the wheel moves; row < 0: no line. */
void list_mouse(struct state *st, enum mouse_button what, int row, uint32_t n);
/* Lines from y to the body's end, at least 1. */
int list_height(struct rect body, int y);
/* Cuts row and top so that the row is seen among h. */
void list_clamp(struct state *st, uint32_t n, int h);

struct table *table_shown(const struct state *st); /* of the table pane; NULL while it is not ready */
bool table_has_names(const struct state *st);      /* the table pane shows kernels: by name, or each apart */
void table_select(struct state *st, uint32_t row); /* of the table that is shown, and brings it into view */
/* Enter on a row of a table: selects the gap or step it names, else shows its evidence. */
void table_open_row(struct state *st, const struct table *t, uint32_t row);

/* ---- the reader over the panes (pane_help.c) ---- */
void reader_clear(struct reader *r, const char *title);
void reader_add(struct reader *r, int ink, const char *key, const char *text); /* copies both */
void reader_addf(struct reader *r, const char *key, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void reader_help(struct state *st);
void reader_output(struct state *st);       /* the end of what the target has printed (pane_output.c) */
void reader_output_again(struct state *st); /* looks for more, unless the user has scrolled back */
/* The last lines of it that fit, while there is no state yet. */
void output_draw(const char *path, struct surface *s, struct rect body);
void reader_act(struct state *st, enum action a);
void reader_draw(const struct state *st, struct surface *s, struct rect body);

/* ---- frame around the panes (frame.c) ---- */
void frame_draw(const struct state *st, struct surface *s);
const char *frame_pane_name(const struct state *st, char *buf, size_t size);
#endif
