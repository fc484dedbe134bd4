/* importers/chrome/batch_queue.h - hands batches from the scanner to the one who takes them: on another thread, or right here.
 * Order:   batches are taken one at a time in the order sent.
 * Threads: the scanner calls these functions; `take` runs on the other thread, or inside batch_queue_send without one. After
 *          batch_queue_wait for everything sent, whatever `take` touches is the caller's to touch. */
#ifndef STEPSCOPE_BATCH_QUEUE_H
#define STEPSCOPE_BATCH_QUEUE_H
#include "batch.h"

struct batch_queue;
/* threaded: on a thread of its own, if the system gives one. NULL: out of memory. */
struct batch_queue *batch_queue_new(bool threaded, void (*take)(void *ctx, const struct batch *b), void *ctx);
void batch_queue_free(struct batch_queue *c); /* takes what was sent, not what is being filled */

struct batch *batch_queue_current(struct batch_queue *c);    /* the one to fill; the same until batch_queue_send */
void batch_queue_send(struct batch_queue *c);                /* waits while too many are under way */
uint64_t batch_queue_sent(const struct batch_queue *c);      /* how many so far */
void batch_queue_wait(struct batch_queue *c, uint64_t sent); /* until that many have been taken */
#endif
