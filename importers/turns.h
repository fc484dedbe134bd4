/* importers/turns.h - pieces of work that several threads make ready side by side and take one after the other, in their order.
 * Why:     what a thread has read and decoded is in the caches of its processor; where two share none, to hand it over costs more than
 *          to make it. So who made it takes it, when its turn comes, and only the trace moves.
 * Use:     number = turns_next -> make it ready, touching nothing of the others' -> turns_wait -> take it -> turns_pass.
 * Threads: any number. What is written between turns_wait and turns_pass is seen by whoever has the turn later. */
#ifndef STEPSCOPE_TURNS_H
#define STEPSCOPE_TURNS_H
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

struct turns {
	_Atomic uint64_t next; /* that nobody works on */
	_Atomic uint64_t turn; /* that may be taken */
	pthread_mutex_t lock;
	pthread_cond_t change;
};

void turns_init(struct turns *t); /* begins with number 0 */
void turns_free(struct turns *t);
void turns_begin(struct turns *t); /* with number 0 again; while no thread uses it */

/* A number that nobody else has: whoever asks for one waits for its turn and passes it, unless nobody will wait for a later one. */
uint64_t turns_next(struct turns *t);
void turns_wait(struct turns *t, uint64_t number);
void turns_pass(struct turns *t, uint64_t number);
#endif
