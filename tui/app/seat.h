/* tui/app/seat.h - one trace with the state that shows it, and how the next one of a feed takes its place.
 * The next one gets ready behind the picture: its tables are made by a worker of its own, and only when all that the user
 * sees is there do the two change places. So no pane goes blank, however long a table takes. */
#ifndef STEPSCOPE_SEAT_H
#define STEPSCOPE_SEAT_H
#include "tui/explorer/state.h"

struct seat {
	struct derived *d;
	struct state *st;
	struct app_opts opts; /* as the user gave them, with the paths of this trace */
	const char *path[1];
};
struct seats {
	struct seat *now, *next; /* NULL = none */
};
/* Takes d. */
struct seat *seat_new(const struct app_opts *o, struct derived *d, int wake_fd);
void seat_free(struct seat *s); /* NULL is fine */
/* Looks after the feed: takes what is new, gets it ready, changes places. True when the picture is another one. */
bool seats_turn(struct seats *s, const struct app_opts *o, int wake_fd);
void seats_free(struct seats *s);
#endif
