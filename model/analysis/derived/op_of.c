/* Which framework op device work belongs to. */
#include "derived_data.h"

static str_id op_of_details(const struct derived *d, row_id r)
{
	const struct kernel_info *k = trace_kernel_with_op(d->pub.t, r);
	if (k)
		return k->op;
	const struct copy_info *copy = trace_copy(d->pub.t, r);
	return copy ? copy->op : 0;
}

static str_id op_of_host(const struct derived *d, row_id r)
{
	const struct host_info *h = trace_host_detail(d->pub.t, r);
	if (h && h->op)
		return h->op;
	return d->pub.c->kind[r] == KIND_OP && !row_is_marker(d, r) ? d->pub.c->name[r] : 0;
}

str_id op_of_event(const struct derived *d, row_id r)
{
	str_id op = op_of_details(d, r);
	if (!op && row_is_work(d->pub.c, r))
		/* the innermost op around the call that launched it */
		for (row_id at = d->pub.c->link[r]; at != NONE_ID && !op; at = parent_of(d, at))
			op = op_of_host(d, at);
	return op;
}

const char *derived_op(const struct derived *d, row_id r)
{
	return trace_str(d->pub.t, op_of_event(d, r));
}
