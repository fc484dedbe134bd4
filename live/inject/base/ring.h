/* live/inject/base/ring.h - the producing end of the shared ring of ../wire.h. Never waits: no room, no frame.
 * Threads: one at a time; the owner's lock sees to it. */
#ifndef STEPSCOPE_INJECT_RING_H
#define STEPSCOPE_INJECT_RING_H
#include "live/wire.h"

struct ring {
	struct wire_header *header; /* NULL = no ring */
	uint8_t *data;
	uint64_t bytes; /* of data */
	uint64_t head;  /* ours; the header's copy is for the viewer and never read back */
	uint64_t tail;  /* last believable one */
	int fd;
};

/* Makes the shared memory and seals its size. False with errno; the ring is empty then. */
bool ring_open(struct ring *r, uint64_t bytes);
void ring_close(struct ring *r); /* a viewer's own mapping lives on */

uint64_t ring_free_bytes(struct ring *r); /* free bytes, by the viewer's tail as far as it can be believed */

/* Room for one frame of n bytes (a multiple of 8) that leaves `spare` bytes free, padded to be in one piece; NULL when
 * there is none. Fill it in, then publish: the viewer sees nothing before. */
void *ring_reserve(struct ring *r, size_t n, size_t spare);
void ring_publish(struct ring *r, size_t n);
#endif
