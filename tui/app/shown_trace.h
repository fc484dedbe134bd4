/* tui/app/shown_trace.h - one trace with the state that shows it, and how the next one of a feed takes its place.
 * The next one gets ready behind the picture: its tables are made by a worker of its own, and only when all that the user
 * sees is there do the two change places. So no pane goes blank, however long a table takes. */
#ifndef STEPSCOPE_SHOWN_TRACE_H
#define STEPSCOPE_SHOWN_TRACE_H
#include "tui/explorer/state.h"

struct shown_trace {
	struct derived *d;
	struct state *st;
	struct app_opts opts; /* as the user gave them, with the paths of this trace */
	const char *path[1];
};
struct shown_traces {
	struct shown_trace *now, *next; /* NULL = none */
};
/* Takes d. */
struct shown_trace *shown_trace_new(const struct app_opts *o, struct derived *d, int wake_fd);
void shown_trace_free(struct shown_trace *s); /* NULL is fine */
/* Looks after the feed: takes what is new, gets it ready, changes places. True when the picture is another one. */
bool shown_traces_update(struct shown_traces *s, const struct app_opts *o, int wake_fd);
void shown_traces_free(struct shown_traces *s);
#endif
