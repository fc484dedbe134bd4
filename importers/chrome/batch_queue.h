/* importers/chrome/batch_queue.h - hands batches from the scanner to the one who takes them: on another thread, or right here.
 * Order:   batches are taken one at a time in the order sent.
 * Threads: the scanner calls these functions; `take` runs on the other thread, or inside crew_send without one. After
 *          crew_wait for everything sent, whatever `take` touches is the caller's to touch. */
#ifndef STEPSCOPE_BATCH_QUEUE_H
#define STEPSCOPE_BATCH_QUEUE_H
#include "batch.h"

struct crew;
/* threaded: on a thread of its own, if the system gives one. NULL: out of memory. */
struct crew *crew_new(bool threaded, void (*take)(void *ctx, const struct batch *b), void *ctx);
void crew_free(struct crew *c); /* takes what was sent, not what is being filled */

struct batch *crew_batch(struct crew *c);      /* the one to fill; the same until crew_send */
void crew_send(struct crew *c);                /* waits while too many are under way */
uint64_t crew_sent(const struct crew *c);      /* how many so far */
void crew_wait(struct crew *c, uint64_t sent); /* until that many have been taken */
#endif
