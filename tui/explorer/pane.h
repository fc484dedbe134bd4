/* tui/explorer/pane.h - a pane is three functions. Body is everything between the title line and the status line. */
#ifndef STEPSCOPE_PANE_H
#define STEPSCOPE_PANE_H
#include "state.h"

struct iteration;
struct pane_ops {
	const char *title;
	enum scope scope;
	void (*enter)(struct state *st); /* became visible, or the screen's size changed; may be NULL */
	void (*act)(struct state *st, enum action a);
	void (*mouse)(struct state *st, enum mouse_button what, int y, int x);
	void (*draw)(const struct state *st, struct surface *s, struct rect body);
	void (*status)(const struct state *st, char *buf, size_t size); /* one line about what is selected */
	/* Whether a key that only some panes know means something here now; NULL: none of them does. */
	bool (*knows)(const struct state *st, enum action a);
	/* The table that a pane of tables shows, NULL while it is not ready; NULL function: a pane of another sort. */
	struct table *(*shown)(const struct state *st);
	void (*select)(struct state *st, uint32_t row); /* of that table, and brings it into view */
	/* Of a pane that is a list: how many lines can be selected now. Keys about them are offered where there are any. */
	uint32_t (*items)(const struct state *st);
};
extern const struct pane_ops *const pane_list[PANE_IDS]; /* pane_registry.c */
const struct pane_ops *pane_of(const struct state *st);  /* of_summary.c */
struct table *pane_shown(const struct state *st);        /* what `shown` says; NULL without one */
struct rect pane_body(const struct state *st);

/* ---- what the digits open (tabs.c) ---- */
struct tab {
	enum action action;
	const char *key; /* "": opened from its table */
	const char *name;
	enum pane_id pane;
	const char *table; /* what it shows as a plain table; NULL = none */
	const char *help;
};
/* In the order of their keys. Tabs whose table this version does not have are not there. */
const struct tab *tab_at(size_t i); /* NULL after the last one */
/* Whether the title names it: panes about several devices are named where there are several, that of memory where allocations or
 * compiled programs are recorded. Its key opens it all the same. */
bool tab_named(const struct state *st, const struct tab *t);
const struct tab *tab_of(const struct state *st);
void tab_open(struct state *st, const struct tab *t);
void tab_turn(struct state *st); /* from the picture to the plain table, and back */
bool tab_turns(const struct state *st);
void open_table_named(struct state *st, const char *name);
/* The table of the current question by name; NULL while it is not ready, and when there is none of this name. */
struct table *pane_table_named(const struct state *st, const char *name);
void pane_want(struct state *st, const char *name);
/* The pane that is shown asks for what it needs; every title needs to know whether iterations stand for steps. */
void pane_look(struct state *st);

/* The table of iterations where the pane of steps shows it: a server is recognised, and nothing else marks steps; `place.by`: the
 * other one of both. NULL: it shows steps, or the table is not ready. nav_iteration.c */
struct table *nav_iterations_shown(const struct state *st);
bool nav_iterations_turn(const struct state *st); /* there are both, to choose from */
/* By time, those of the selected lane's thread; else of a thread of its process, else of any. NULL: there are none. */
const struct iteration *nav_iterations_row(const struct state *st, uint32_t *n);
/* What a tab is now: itself, or what it shows instead (TABS_INSTEAD), with the name, the table and the help of that. */
const struct tab *tab_shown(const struct state *st, const struct tab *t);
/* What the help says of a key: of one that opens a tab what it opens now. */
const char *tab_key_help(const struct state *st, const struct key_binding *b);
/* The name of the pane or table that `v` is about. */
const char *tab_view_name(const struct state *st, const struct view *v);

/* What tables call the rank that is selected in Comms; UNKNOWN_I64: none is, or another pane is shown (pane_comms.c). */
int64_t comms_rank(const struct state *st);

/* ---- first start (hints.c) ---- */
int hints_rows(const struct state *st); /* that they take from the body, at its end; 0 = none are shown */
void hints_draw(const struct state *st, struct surface *s);
void hints_after(struct state *st, enum action a); /* gone with the first key they are about */

/* ---- frame around the panes (frame.c) ---- */
void frame_draw(const struct state *st, struct surface *s);
/* The keys of a scope in the last line, from column x to end: what the footer says of them. st NULL: before there is a state.
 * Returns the column after them. */
int frame_keys(const struct state *st, struct surface *s, enum scope scope, int x, int end);
/* The action means something for what is shown: keys that do nothing are not offered. */
bool frame_offers(const struct state *st, enum action a);
const char *frame_pane_name(const struct state *st, char *buf, size_t size);
#endif
