#include "query.h"

struct query query_all(void)
{
	return (struct query){.a_ns = INT64_MIN, .b_ns = INT64_MAX};
}

void query_bounds(const struct query *q, const struct trace *t, int64_t *a_ns, int64_t *b_ns)
{
	int64_t span = trace_span_ns(t);
	*a_ns = q->a_ns < 0 ? 0 : q->a_ns > span ? span : q->a_ns;
	*b_ns = q->b_ns > span ? span : q->b_ns < *a_ns ? *a_ns : q->b_ns;
}
