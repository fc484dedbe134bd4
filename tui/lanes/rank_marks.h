/* tui/lanes/rank_marks.h - what the rows of devices show of collectives: when each device is in one, when it only waits there for
 * others, which device the others wait for most. Numbers are those of the tables collectives and replicas.
 * Life:    rank_marks_new, on a worker -> read only -> rank_marks_free. */
#ifndef STEPSCOPE_RANK_MARKS_H
#define STEPSCOPE_RANK_MARKS_H
#include "model/analysis/comms/lateness.h"

struct rank_marks {
	struct arena mem;
	const struct collectives *all;   /* of the overlay, comms_of */
	const uint32_t *by_row;          /* places in all.at, by row */
	struct intervals *calls, *waits; /* per device, on recorded times */
	uint32_t devices;
	const struct lateness *late;  /* per device */
	const int64_t *waited_for_ns; /* per device: what the others waited for it */
	uint32_t latest;              /* device that the others wait for most; NONE_ID: nobody waits */
	uint32_t n_calls;             /* that are known on several devices */
	int64_t wait_ns;              /* of all devices */
};
/* NULL when it was cancelled. */
struct rank_marks *rank_marks_new(const struct derived *d, struct progress *p);
void rank_marks_free(struct rank_marks *m);
/* The collective that an event is; NULL: it is none. */
const struct collective *rank_marks_call(const struct rank_marks *m, row_id r);
/* "rank 7 is last at 5 of 8 collectives; the others wait 35.552 ms for it"; "" where nobody waits. */
const char *rank_marks_say(const struct rank_marks *m, const struct derived *d, char *buf, size_t size);
/* The same of one device: "waits 5.580 ms for others, last at 1 of 8". */
const char *rank_marks_say_device(const struct rank_marks *m, uint32_t device, char *buf, size_t size);
#endif
