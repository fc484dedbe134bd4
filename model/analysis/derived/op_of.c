/* Which framework op device work belongs to. */
#include "derived_data.h"

static str_id op_of_details(const struct derived *d, row_id r)
{
	const struct kernel_info *k = trace_kernel_with_op(d->pub.t, r);
	if (k)
		return k->op;
	const struct copy_info *copy = d->pub.c->kind[r] == KIND_KERNEL ? NULL : trace_copy(d->pub.t, r);
	return copy ? copy->op : 0;
}

static str_id op_of_host(const struct derived *d, row_id r)
{
	const struct host_info *h = d->pub.c->detail[r] ? trace_host_detail(d->pub.t, r) : NULL;
	if (h && h->op)
		return h->op;
	return d->pub.c->kind[r] == KIND_OP && !row_is_marker(d, r) ? d->pub.c->name[r] : 0;
}

static bool is_op(void *d, row_id r)
{
	return op_of_host(d, r) != 0;
}

str_id op_of_event(const struct derived *d, row_id r)
{
	str_id op = op_of_details(d, r);
	if (op || !row_is_work(d->pub.c, r))
		return op;
	struct derived *later = (struct derived *)d; /* what is kept of the way up */
	row_id around = climb_find(&later->ops, d, d->pub.c->link[r], is_op, later);
	return around == NONE_ID ? 0 : op_of_host(d, around);
}

const char *derived_op(const struct derived *d, row_id r)
{
	return trace_str(d->pub.t, op_of_event(d, r));
}
