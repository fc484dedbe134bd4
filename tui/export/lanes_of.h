/* tui/export/lanes_of.h - under which process and thread numbers the tracks of a trace go into a file of Chrome's format. Each track
 * has its own pair, and so has each further row of events that overlap: viewers nest what one thread holds. The numbers recorded stay
 * where they are free.
 * Life: lanes_of_new -> read only -> lanes_of_free. */
#ifndef STEPSCOPE_EXPORT_LANES_OF_H
#define STEPSCOPE_EXPORT_LANES_OF_H
#include "model/store/trace/trace.h"

struct thread_number {
	int64_t pid, tid;
};
struct extra_lane {
	uint32_t track, row; /* row: of the display, where the overlapping events begin */
	int64_t tid;
};
struct lanes_of {
	const struct trace *t;
	struct thread_number *track; /* by track */
	int64_t *process, *device;   /* pid of each */
	struct extra_lane *extra;    /* sorted by (track, row) */
	uint32_t n_extra, cap_extra;
	int64_t next; /* a number that nobody has */
};
void lanes_of_new(struct lanes_of *l, const struct trace *t);
void lanes_of_free(struct lanes_of *l);
/* Whether a track alone has its recorded number, which is then told where viewers need another: lanes of a stream may share its. */
bool lanes_of_own_number(const struct lanes_of *l, uint32_t track);
/* The thread of an event. */
struct thread_number lanes_of_event(const struct lanes_of *l, row_id r);
#endif
