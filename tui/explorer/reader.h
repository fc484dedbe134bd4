/* tui/explorer/reader.h - text over the panes: help, everything about an event, what the target has printed. */
#ifndef STEPSCOPE_READER_H
#define STEPSCOPE_READER_H
#include "state.h"

void reader_clear(struct reader *r, const char *title);
void reader_add(struct reader *r, int ink, const char *key, const char *text); /* copies both */
/* What a number is called where it stands, and what it means, after the name that scripts have where that is another word. */
void reader_named(struct reader *r, const char *head, const char *name, const char *help);
void reader_columns(struct reader *r, const struct table *t); /* all of a table that way */
void reader_addf(struct reader *r, const char *key, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void reader_help(struct state *st, enum scope here); /* the keys of that scope come first */
void reader_output(struct state *st);                /* the end of what the target has printed (reader_output.c) */
void reader_output_again(struct state *st);          /* looks for more, unless the user has scrolled back */
/* The last lines of it that fit, while there is no state yet. */
void output_draw(const char *path, struct surface *s, struct rect body);
void reader_act(struct state *st, enum action a);
/* To the next (1) or previous (-1) line that st->reader_search hits, from the line that was found last or, `again`, from the one the
 * search began at. Says so when there is none. */
void reader_seek(struct state *st, int direction, bool again);
void reader_draw(const struct state *st, struct surface *s, struct rect body);
#endif
