/* live/inject/base/buffer_pool.h - the activity buffers that CUPTI fills, and the queue of full ones.
 * Callbacks of CUPTI run on the target's threads: taking and pushing is lock-free, allocates nothing, logs nothing.
 * Life:    pool_init once; every buffer is in one place: free, with CUPTI, queued, or with the decoder.
 * Memory:  address space is reserved at once, pages are touched as CUPTI fills them; the free list is last in first out, so
 *          a quiet program keeps few pages warm. Small, because CUPTI keeps a buffer that is not full for as long as one
 *          of its kernels is in flight: 32 KiB are 150 kernels, so a program that never waits shows its first ones within
 *          a second from 150 launches a second on. Never unmapped: CUPTI, or another client, may still hold one. Free buffers
 *          are all zeros (CUPTI is told so and skips its own memset on
 *          the launching thread).
 * Threads: take and push from anywhere; pop and give back from the one decoder thread. */
#ifndef STEPSCOPE_BUFFER_POOL_H
#define STEPSCOPE_BUFFER_POOL_H
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { POOL_BUFFERS = 2048, POOL_BUFFER_BYTES = 32 << 10, POOL_NONE = UINT16_MAX };

struct pool_slot {
	_Atomic uint32_t next; /* in the free list or in the queue */
	_Atomic bool is_out;   /* with CUPTI */
	size_t valid_bytes;
};
struct pool {
	uint8_t *memory;
	struct pool_slot slots[POOL_BUFFERS];
	_Atomic uint64_t free_top; /* low half: slot; high half: a count against ABA */
	_Atomic uint32_t queue_top;
	uint32_t popped; /* the queue is a stack: the decoder turns it around into this list */
	_Atomic uint32_t in_use;
	_Atomic uint64_t taken, pushed, done, denied;
	sem_t wake;     /* posted for each push, and to stop */
	bool sacrifice; /* this CUPTI crashes when it gets no buffer: it gets a spare one, whose content is discarded */
};

bool pool_init(struct pool *p);     /* false: no memory */
uint8_t *pool_take(struct pool *p); /* a zeroed buffer; NULL (or the sacrificial one) when all are out */
bool pool_push(struct pool *p, const uint8_t *buffer, size_t valid_bytes); /* false: not one of ours to decode */
bool pool_pop(struct pool *p, uint8_t **buffer, size_t *valid_bytes);      /* oldest first; false: none */
void pool_give_back(struct pool *p, uint8_t *buffer, size_t valid_bytes);  /* zeroes what was used */
unsigned pool_out(const struct pool *p);                                   /* buffers that CUPTI holds */
uint64_t pool_content(const struct pool *p); /* a number that changes when CUPTI writes into one of them */
#endif
