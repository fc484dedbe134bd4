/* model/analysis/maths/innermost.h - the innermost event at each moment: the one that started last and is still active.
 * Feed events in start order (ties: outer first); each one interrupts those before it until it ends. The pieces that come
 * out are disjoint and in time order, also for events that partly overlap. Cost: O(1) amortised per event.
 * Life:    fill the callbacks -> innermost_open... -> innermost_close_all (frees the stack). */
#ifndef STEPSCOPE_INNERMOST_H
#define STEPSCOPE_INNERMOST_H
#include <stdint.h>

struct innermost_entry {
	int64_t end_ns, self_ns;
	uint32_t id;
};
struct innermost {
	void (*piece)(void *arg, uint32_t id, int64_t a_ns, int64_t b_ns); /* may be NULL */
	void (*done)(void *arg, uint32_t id, int64_t self_ns);             /* may be NULL: all pieces of id, summed */
	void (*opened)(void *arg, uint32_t id, uint32_t at);               /* may be NULL: id lies at stack[at] now */
	void *arg;
	struct innermost_entry *stack;
	uint32_t n, cap;
	int64_t at_ns;
};
void innermost_open(struct innermost *m, uint32_t id, int64_t start_ns, int64_t end_ns);
void innermost_close_all(struct innermost *m);
#endif
