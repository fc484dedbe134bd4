/* importers/chrome/batch_queue.h - hands batches from the scanner to their consumer, on another thread or on this one.
 * Order:   batches are taken one at a time in the order sent.
 * Threads: the scanner calls these functions; `take` runs on the other thread, or inside batch_queue_send without one. Once
 *          batch_queue_wait has returned for everything sent, the caller may use what `take` writes. */
#ifndef STEPSCOPE_BATCH_QUEUE_H
#define STEPSCOPE_BATCH_QUEUE_H
#include "batch.h"

struct batch_queue;
/* threaded: consume on a second thread if one can be started. NULL: out of memory. */
struct batch_queue *batch_queue_new(bool threaded, void (*take)(void *ctx, const struct batch *b), void *ctx);
void batch_queue_free(struct batch_queue *c); /* consumes what was sent; drops the batch being filled */

struct batch *batch_queue_current(struct batch_queue *c); /* the batch to fill; stays the same until batch_queue_send */
void batch_queue_send(struct batch_queue *c);             /* queues the current batch; waits while the queue is full */
uint64_t batch_queue_sent(const struct batch_queue *c);   /* batches sent so far */
void batch_queue_wait(struct batch_queue *c, uint64_t sent); /* until that many have been consumed */
#endif
