#include "buffer_pool.h"
#include <string.h>
#include <sys/mman.h>

static uint8_t *slot_memory(const struct pool *p, uint32_t slot)
{
	return p->memory + (size_t)slot * POOL_BUFFER_BYTES;
}

static uint32_t slot_of(const struct pool *p, const uint8_t *buffer)
{
	size_t at = (size_t)(buffer - p->memory);
	return buffer < p->memory || at % POOL_BUFFER_BYTES || at / POOL_BUFFER_BYTES >= POOL_BUFFERS
		       ? POOL_NONE
		       : (uint32_t)(at / POOL_BUFFER_BYTES);
}

static void push_free(struct pool *p, uint32_t slot)
{
	uint64_t top = atomic_load_explicit(&p->free_top, memory_order_relaxed), next;
	do {
		atomic_store_explicit(&p->slots[slot].next, (uint32_t)top, memory_order_relaxed);
		next = (((top >> 32) + 1) << 32) | slot;
	} while (!atomic_compare_exchange_weak_explicit(&p->free_top, &top, next, memory_order_release,
							memory_order_relaxed));
}

bool pool_init(struct pool *p)
{
	memset(p, 0, sizeof *p);
	/* one buffer more than there are slots: the sacrificial one */
	void *memory = mmap(NULL, (size_t)(POOL_BUFFERS + 1) * POOL_BUFFER_BYTES, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED || sem_init(&p->wake, 0, 0))
		return false;
	p->memory = memory;
	p->free_top = POOL_NONE;
	p->queue_top = POOL_NONE;
	p->popped = POOL_NONE;
	for (uint32_t slot = POOL_BUFFERS; slot-- > 0;)
		push_free(p, slot);
	return true;
}

uint8_t *pool_take(struct pool *p)
{
	uint64_t top = atomic_load_explicit(&p->free_top, memory_order_acquire), next;
	do {
		if ((uint32_t)top == POOL_NONE) {
			atomic_fetch_add_explicit(&p->denied, 1, memory_order_relaxed);
			return p->sacrifice ? slot_memory(p, POOL_BUFFERS) : NULL;
		}
		uint32_t after = atomic_load_explicit(&p->slots[(uint32_t)top].next, memory_order_relaxed);
		next = (((top >> 32) + 1) << 32) | after;
	} while (!atomic_compare_exchange_weak_explicit(&p->free_top, &top, next, memory_order_acquire,
							memory_order_acquire));
	atomic_store_explicit(&p->slots[(uint32_t)top].is_out, true, memory_order_relaxed);
	atomic_fetch_add_explicit(&p->in_use, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&p->taken, 1, memory_order_relaxed);
	return slot_memory(p, (uint32_t)top);
}

bool pool_push(struct pool *p, const uint8_t *buffer, size_t valid_bytes)
{
	uint32_t slot = slot_of(p, buffer);
	if (slot == POOL_NONE)
		return false;
	atomic_store_explicit(&p->slots[slot].is_out, false, memory_order_relaxed);
	p->slots[slot].valid_bytes = valid_bytes < POOL_BUFFER_BYTES ? valid_bytes : POOL_BUFFER_BYTES;
	atomic_fetch_add_explicit(&p->pushed, 1, memory_order_relaxed);
	uint32_t top = atomic_load_explicit(&p->queue_top, memory_order_relaxed);
	do
		atomic_store_explicit(&p->slots[slot].next, top, memory_order_relaxed);
	while (!atomic_compare_exchange_weak_explicit(&p->queue_top, &top, slot, memory_order_release,
						      memory_order_relaxed));
	sem_post(&p->wake);
	return true;
}

/* The pushed ones, newest first, become the tail of the list that is popped oldest first. */
static void turn_around(struct pool *p)
{
	uint32_t slot = atomic_exchange_explicit(&p->queue_top, POOL_NONE, memory_order_acquire), list = POOL_NONE;
	while (slot != POOL_NONE) {
		uint32_t next = atomic_load_explicit(&p->slots[slot].next, memory_order_relaxed);
		atomic_store_explicit(&p->slots[slot].next, list, memory_order_relaxed);
		list = slot;
		slot = next;
	}
	p->popped = list;
}

bool pool_pop(struct pool *p, uint8_t **buffer, size_t *valid_bytes)
{
	if (p->popped == POOL_NONE)
		turn_around(p);
	if (p->popped == POOL_NONE)
		return false;
	uint32_t slot = p->popped;
	p->popped = atomic_load_explicit(&p->slots[slot].next, memory_order_relaxed);
	*buffer = slot_memory(p, slot);
	*valid_bytes = p->slots[slot].valid_bytes;
	return true;
}

void pool_give_back(struct pool *p, uint8_t *buffer, size_t valid_bytes)
{
	memset(buffer, 0, valid_bytes);
	push_free(p, slot_of(p, buffer));
	atomic_fetch_sub_explicit(&p->in_use, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&p->done, 1, memory_order_release);
}

unsigned pool_out(const struct pool *p)
{
	unsigned n = 0;
	for (uint32_t slot = 0; slot < POOL_BUFFERS; slot++)
		n += atomic_load_explicit(&p->slots[slot].is_out, memory_order_relaxed);
	return n;
}

/* CUPTI writes while this reads: any mixture of old and new will do. */
__attribute__((no_sanitize("thread"))) uint64_t pool_content(const struct pool *p)
{
	uint64_t sum = 0;
	for (uint32_t slot = 0; slot < POOL_BUFFERS; slot++) {
		const volatile uint64_t *words = (const volatile uint64_t *)(const void *)slot_memory(p, slot);
		if (!atomic_load_explicit(&p->slots[slot].is_out, memory_order_relaxed))
			continue;
		for (size_t i = 0; i < POOL_BUFFER_BYTES / sizeof *words; i++)
			sum = sum * 31 + words[i];
	}
	return sum;
}
