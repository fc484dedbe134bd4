/* live/inject/control.h - the thread that talks to the viewer and works CUPTI.
 * Life:    control_init and control_open while the driver starts up, then control_forever on its own thread, then
 *          control_finish from the thread that exits.
 * Fork:    the child calls control_forget and has no part in it any more. */
#ifndef STEPSCOPE_INJECT_CONTROL_H
#define STEPSCOPE_INJECT_CONTROL_H
#include "recorder.h"

struct control {
	struct recorder recorder;
	const struct settings *settings;
	int listener, viewer, wake,
		data;               /* descriptors, -1 = none; wake: eventfd that ends the thread; data: viewer's */
	char path[WIRE_PATH_BYTES]; /* of the listener */
	unsigned dials_left;
	uint32_t flush_ms;
	uint64_t head_told; /* ring position when the viewer was last woken */
	enum wire_state state_told;
	uint32_t due;           /* a verb that waits for the driver to have started up, to be answered then; 0 = none */
	_Atomic bool recording; /* for the exit: is there something to wait for */
	void (*exit_again)(void); /* called once, when records have begun to come; NULL = done or not wanted */
	sem_t over;
};

bool control_init(struct control *c, const struct settings *s);
void control_open(struct control *c); /* records from the start if asked to, listens, dials */
void *control_forever(void *control);
void control_finish(struct control *c);  /* waits for the last records, at most about a second */
void control_give_up(struct control *c); /* there is no thread to run it: leaves CUPTI and the folder of sockets */
void control_forget(struct control *c);  /* in a forked child: closes descriptors, touches nothing else */
#endif
