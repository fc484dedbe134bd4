/* tui/app/shown_trace.h - one trace with the state that shows it, and how the next one of a feed takes its place.
 * The next trace is prepared in the background: a worker of its own makes its tables, and it replaces the shown one only when
 * everything on the screen is ready. So no pane goes blank, however long a table takes. */
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
/* Owns d from now on. wake_fd gets a byte when a table is ready. */
struct shown_trace *shown_trace_new(const struct app_opts *o, struct derived *d, int wake_fd);
/* Takes the newest trace from the feed, prepares it, and shows it once it is ready. True when the screen must be redrawn. */
bool shown_traces_update(struct shown_traces *s, const struct app_opts *o, int wake_fd);
/* Between two looks at the keys: the seekers of both may read tables (seek.h). Held again in the order in which they were made. */
void shown_traces_let(const struct shown_traces *s);
void shown_traces_hold(const struct shown_traces *s);
void shown_traces_free(struct shown_traces *s);
#endif
