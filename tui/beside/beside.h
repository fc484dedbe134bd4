/* tui/beside/beside.h - two runs, or two windows of one, on one screen. No terminal in here: keys come in as numbers, the picture
 * goes out as a surface.
 * Life:    beside_new -> beside_resize -> beside_key / beside_draw any number of times -> beside_free.
 * Threads: one, except the workers: one makes the comparison, each run's state has its own. wake_fd gets a byte when one is done. */
#ifndef STEPSCOPE_BESIDE_H
#define STEPSCOPE_BESIDE_H
#include "tui/compare/diff.h"
#include "tui/explorer/state.h"

struct beside;
struct beside_req {
	const struct app_opts *opts;
	struct diff_run a, b; /* their traces outlive it */
	int wake_fd;          /* -1: none */
	bool inline_jobs;     /* for tests: everything happens at once */
};
struct beside *beside_new(const struct beside_req *r);
void beside_free(struct beside *b); /* stops what is being made; NULL is fine */
void beside_look(struct beside *b, const struct theme *t, bool ascii, bool mono);
void beside_resize(struct beside *b, int rows, int cols);
void beside_key(struct beside *b, int key);
void beside_mouse(struct beside *b, enum mouse_button what, int y, int x);
void beside_draw(const struct beside *b, struct surface *s);
bool beside_collect(struct beside *b); /* takes over what workers have finished; true when there was something */
/* Around every wait for keys: seek.h. */
void beside_let(struct beside *b);
void beside_hold(struct beside *b);
/* The state whose look holds for the screen, and which is shown where one run is looked at by itself. */
struct state *beside_state(struct beside *b);
enum beside_end { BESIDE_STAYS, BESIDE_BACK, BESIDE_LEAVES }; /* back: this screen is closed; leaves: the program is */
enum beside_end beside_end(const struct beside *b);
#endif
