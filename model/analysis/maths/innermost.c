#include "innermost.h"
#include <stdlib.h>

static struct innermost_calls calls_of(const struct innermost *m)
{
	return (struct innermost_calls){m->piece, m->done, m->opened};
}

void innermost_open(struct innermost *m, uint32_t id, int64_t start_ns, int64_t end_ns)
{
	struct innermost_calls by = calls_of(m);
	innermost_open_by(m, &by, id, start_ns, end_ns);
}

void innermost_close_all(struct innermost *m)
{
	struct innermost_calls by = calls_of(m);
	if (!m->stack)
		return;
	innermost_advance_by(m, &by, INT64_MAX);
	free(m->stack);
	m->stack = NULL;
	m->n = m->cap = 0;
}
