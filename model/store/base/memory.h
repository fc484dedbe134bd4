/* model/store/base/memory.h - what happens when memory is out.
 * Large things - columns, buffers of files, saved sections - fail as ordinary errors: err_memory, and the caller unwinds.
 * Small things amid a computation - arenas, names, lists that grow - cannot report it: must and memory_exhausted end the program
 * in a known way, set by main: it restores the terminal, prints one sentence and exits.
 * Threads: any; memory_on_exhausted before the first thread starts. */
#ifndef STEPSCOPE_MEMORY_H
#define STEPSCOPE_MEMORY_H
#include <stdlib.h>

/* What the program is doing when memory runs out: decides message and exit code. */
enum memory_use { MEMORY_READS, MEMORY_WRITES, MEMORY_RECORDS };
void memory_use(enum memory_use what); /* from now on; MEMORY_READS at first */
enum memory_use memory_used_for(void);

/* `leave` must not return, must not allocate, and may be called by several threads at once. */
void memory_on_exhausted(void (*leave)(void));
/* Ends the program as memory_on_exhausted says; without that, says so on stderr and aborts. */
_Noreturn void memory_exhausted(void);

/* One heap for all threads, in large pages: room for 48 MiB is asked for at once, of which memory is taken where it is touched. In small
 * pages their faults (1.3 us each) are a quarter of what an answer takes. When that is used up, blocks of 256 KiB and more lie outside and
 * go back to the system when they are freed: so do the lists of one large answer before the next. Called by main, before the first thread. */
void memory_in_large_pages(void);
/* Room for 512 MiB more of the same, once the first trace is there: what an import frees goes back to the system until then, and blocks of its
 * size would leave holes. Not where address space is limited. Any thread, any number of times. */
void memory_for_answers(void);

/* What malloc, calloc or realloc gave, when they gave something. */
static inline void *must(void *p)
{
	if (!p)
		memory_exhausted();
	return p;
}

/* calloc(n, size), and must of it, for arrays with a place for each event, track or process: in large pages where it fills some. Of small
 * ones one that is read before it is written is a fault more, which interrupts all threads of the program: two that share work would be as
 * slow as one; and of arrays that are only written a fault for each takes longer than the writing. */
void *try_large_zeroed(size_t n, size_t size);
static inline void *large_zeroed(size_t n, size_t size)
{
	return must(try_large_zeroed(n, size));
}
/* The same for what is soon written in most of its pages, in no order: a hash table that is half full. All of it is there at once. */
void *touched_zeroed(size_t n, size_t size);
/* Takes the whole pages of fresh memory that is soon written in no order: a page that is read before it is written is mapped twice, and
 * at the write the other thread is told to forget the page of zeros. What is small is left alone, and so is all on kernels before Linux 5.14. */
void pages_take(void *p, size_t bytes);
#endif
