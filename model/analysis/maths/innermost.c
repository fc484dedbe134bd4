#include "innermost.h"
#include "model/store/base/grow.h"
#include <stdlib.h>

static void pop(struct innermost *m)
{
	const struct innermost_entry *top = &m->stack[--m->n];
	if (m->done)
		m->done(m->arg, top->id, top->self_ns);
}

/* Moves the sweep from at_ns to to_ns. The stack is in order of start, not of end: an event that ends below the top stays
 * there until it surfaces and is dropped then, so events need not nest. */
static void advance(struct innermost *m, int64_t to_ns)
{
	while (m->n) {
		struct innermost_entry *top = &m->stack[m->n - 1];
		if (top->end_ns <= m->at_ns) {
			pop(m);
			continue;
		}
		if (m->at_ns >= to_ns)
			return;
		int64_t until = top->end_ns < to_ns ? top->end_ns : to_ns;
		top->self_ns += until - m->at_ns;
		if (m->piece)
			m->piece(m->arg, top->id, m->at_ns, until);
		m->at_ns = until;
	}
	if (m->at_ns < to_ns)
		m->at_ns = to_ns;
}

void innermost_open(struct innermost *m, uint32_t id, int64_t start_ns, int64_t end_ns)
{
	if (!m->n)
		m->at_ns = start_ns;
	advance(m, start_ns);
	GROW_ARRAY(m->stack, m->n, m->cap);
	m->stack[m->n++] = (struct innermost_entry){end_ns, 0, id};
	if (m->opened)
		m->opened(m->arg, id, m->n - 1);
}

void innermost_close_all(struct innermost *m)
{
	advance(m, INT64_MAX);
	free(m->stack);
	m->stack = NULL;
	m->n = m->cap = 0;
}
