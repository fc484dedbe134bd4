/* model/analysis/maths/innermost.h - the innermost event at each moment: the one that started last and is still active.
 * Feed events in start order (ties: outer first); each one interrupts those before it until it ends. The pieces that come
 * out are disjoint and in time order, also for events that partly overlap. Cost: O(1) amortised per event.
 * Life:    fill the callbacks -> innermost_open... -> innermost_close_all (frees the stack). */
#ifndef STEPSCOPE_INNERMOST_H
#define STEPSCOPE_INNERMOST_H
#include "model/store/base/grow.h"
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

/* The same for loops over millions of events, with callbacks that the compiler knows: `by` points to a constant, and those of `m`
 * are not asked. */
struct innermost_calls {
	void (*piece)(void *arg, uint32_t id, int64_t a_ns, int64_t b_ns);
	void (*done)(void *arg, uint32_t id, int64_t self_ns);
	void (*opened)(void *arg, uint32_t id, uint32_t at);
};
#define INNERMOST_INLINE static inline __attribute__((always_inline))
/* Moves the sweep from at_ns to to_ns. The stack is in order of start, not of end: an event that ends below the top stays
 * there until it surfaces and is dropped then, so events need not nest. */
INNERMOST_INLINE void innermost_advance_by(struct innermost *m, const struct innermost_calls *by, int64_t to_ns)
{
	while (m->n) {
		struct innermost_entry *top = &m->stack[m->n - 1];
		if (top->end_ns <= m->at_ns) {
			struct innermost_entry ended = *top;
			m->n--;
			if (by->done)
				by->done(m->arg, ended.id, ended.self_ns);
			continue;
		}
		if (m->at_ns >= to_ns)
			return;
		int64_t until = top->end_ns < to_ns ? top->end_ns : to_ns;
		top->self_ns += until - m->at_ns;
		if (by->piece)
			by->piece(m->arg, top->id, m->at_ns, until);
		m->at_ns = until;
	}
	if (m->at_ns < to_ns)
		m->at_ns = to_ns;
}
INNERMOST_INLINE void innermost_open_by(struct innermost *m, const struct innermost_calls *by, uint32_t id,
					int64_t start_ns, int64_t end_ns)
{
	if (!m->n)
		m->at_ns = start_ns;
	innermost_advance_by(m, by, start_ns);
	GROW_ARRAY(m->stack, m->n, m->cap);
	m->stack[m->n++] = (struct innermost_entry){end_ns, 0, id};
	if (by->opened)
		by->opened(m->arg, id, m->n - 1);
}
#endif
