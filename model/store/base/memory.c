#include "memory.h"
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

static _Atomic int used_for = MEMORY_READS;
static void (*leave_program)(void);

void memory_use(enum memory_use what)
{
	atomic_store(&used_for, what);
}

enum memory_use memory_used_for(void)
{
	return (enum memory_use)atomic_load(&used_for);
}

void memory_on_exhausted(void (*leave)(void))
{
	leave_program = leave;
}

void memory_exhausted(void)
{
	static const char text[] = "out of memory\n";
	if (leave_program)
		leave_program();
	if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
		abort();
	abort();
}

enum { LARGE_PAGE = 2 << 20 };

enum { HEAP_BYTES = 48 << 20, ANSWER_BYTES = 512 << 20, GROWTH_BYTES = 1 << 20, BLOCK_BYTES = 1 << 18 };
static bool large_pages;

/* It goes on shortly before a large page begins, which is returned: what lies before that stays untouched, while up to 2 MiB of the heap
 * would be small pages. Not right where it begins: a large page of which malloc has written something, as it does now, stays one of
 * small ones. Volatile: a compiler may leave out a block that is freed unused. */
static char *begin_heap(void)
{
	enum { SMALL_BYTES = 1 << 18, BYTES = SMALL_BYTES / 4 * 3 /* more than a small heap has left */ };
	char *begin = sbrk(0);
	size_t ahead = (LARGE_PAGE - ((uintptr_t)begin + SMALL_BYTES) % LARGE_PAGE) % LARGE_PAGE;
	bool moved = sbrk((intptr_t)ahead) != (void *)-1;
	void *volatile p = malloc(BYTES);
	free(p);
	return begin + ahead + (moved ? SMALL_BYTES : 0);
}

/* By what malloc takes beyond a block that fits nowhere in what is free. */
static char *extend_heap(void)
{
	enum { BLOCKS_OUTSIDE = 1 << 16 /* as malloc has it */ };
	char *begin = sbrk(0);
	mallopt(M_MMAP_MAX, 0);
	void *volatile p = malloc(mallinfo2().fordblks + 1);
	free(p);
	mallopt(M_MMAP_MAX, BLOCKS_OUTSIDE);
	return begin;
}

static void grow_heap(char *(*grow)(void), size_t bytes)
{
	mallopt(M_TOP_PAD, (int)bytes);
	char *begin = grow(), *end = sbrk(0);
	mallopt(M_TOP_PAD, GROWTH_BYTES);
	if (end > begin)
		madvise(begin, (size_t)(end - begin), MADV_HUGEPAGE);
}

/* Limits that were said once stay: else they grow to the size of what was freed last. */
void memory_in_large_pages(void)
{
	large_pages = true;
	mallopt(M_ARENA_MAX, 1);
	mallopt(M_TRIM_THRESHOLD, 2 * HEAP_BYTES);
	mallopt(M_MMAP_THRESHOLD, BLOCK_BYTES);
	grow_heap(begin_heap, HEAP_BYTES);
}

/* Room that is asked for ahead would count. */
static bool space_is_limited(void)
{
	struct rlimit most;
	return getrlimit(RLIMIT_AS, &most) != 0 || most.rlim_cur != RLIM_INFINITY;
}

void memory_for_answers(void)
{
	static atomic_flag done = ATOMIC_FLAG_INIT;
	if (!large_pages || atomic_flag_test_and_set(&done) || space_is_limited())
		return;
	mallopt(M_TRIM_THRESHOLD, 2 * ANSWER_BYTES);
	grow_heap(extend_heap, ANSWER_BYTES);
}

void *try_large_zeroed(size_t n, size_t size)
{
	char *p = calloc(n, size);
	if (!p)
		return NULL;
	size_t ahead = (LARGE_PAGE - (uintptr_t)p % LARGE_PAGE) % LARGE_PAGE, bytes = n * size;
	if (bytes >= ahead + LARGE_PAGE)
		madvise(p + ahead, (bytes - ahead) / LARGE_PAGE * LARGE_PAGE, MADV_HUGEPAGE);
	return p;
}

void pages_take(void *p, size_t bytes)
{
	enum { PAGE = 4096, LEAST_BYTES = 1 << 18 /* less comes from the heap, where most is touched */ };
	size_t ahead = (PAGE - (uintptr_t)p % PAGE) % PAGE;
	if (bytes >= LEAST_BYTES)
		madvise((char *)p + ahead, (bytes - ahead) / PAGE * PAGE, MADV_POPULATE_WRITE);
}

void *touched_zeroed(size_t n, size_t size)
{
	char *p = large_zeroed(n, size);
	pages_take(p, n * size);
	return p;
}
