/* importers/handover.h - hands batches of work from the thread that makes them to the one that takes them, or takes them on
 * the maker's own thread.
 * Order:   batches are taken one at a time in the order sent.
 * Caches:  the other thread reads what was filled where it lies, which is slow where processors share no cache (turns.h).
 * Threads: the maker calls these functions; `take` runs on the other thread, or inside handover_send and handover_wait. Once
 *          handover_wait has returned for everything sent, the maker may use what `take` writes. */
#ifndef STEPSCOPE_HANDOVER_H
#define STEPSCOPE_HANDOVER_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is handed over. A batch begins as zeros and is filled again and again. */
struct handover_kind {
	size_t bytes;                         /* of a batch */
	unsigned batches;                     /* under way at most; at least 2, even */
	void (*take)(void *ctx, void *batch); /* leaves it as it is to be filled again */
	void (*drop)(void *batch);            /* frees what it owns */
};

struct handover;
/* threaded: take on a second thread if one can be started. NULL: out of memory. */
struct handover *handover_new(bool threaded, const struct handover_kind *kind, void *ctx);
void handover_free(struct handover *h); /* takes what was sent; drops the batch being filled */

void *handover_current(struct handover *h);            /* the batch to fill */
void handover_send(struct handover *h);                /* queues what is in it; waits while too many are under way */
uint64_t handover_sent(const struct handover *h);      /* batches sent so far */
void handover_wait(struct handover *h, uint64_t sent); /* until that many have been taken */
#endif
