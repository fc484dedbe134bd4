/* Which framework op device work belongs to. */
#include "derived_data.h"

static str_id op_of_details(const struct derived *d, row_id r)
{
	const struct kernel_info *k = trace_kernel(d->t, r);
	if (k)
		return k->op;
	const struct copy_info *copy = trace_copy(d->t, r);
	return copy ? copy->op : 0;
}

/* The reference tool asks the program alone, where the trace holds it: an instruction of no op has none. */
static bool program_decides(const struct derived *d, row_id r, str_id *op)
{
	const struct hlo_info *h = d->opts.semantics == SEM_XPROF ? trace_hlo(d->t, r) : NULL;
	*op = h && h->known ? h->op : 0;
	return h && h->known;
}

static str_id op_of_host(const struct derived *d, row_id r)
{
	const struct host_info *h = trace_host_detail(d->t, r);
	if (h && h->op)
		return h->op;
	return d->c->kind[r] == KIND_OP && !row_is_marker(d, r) ? d->c->name[r] : 0;
}

str_id op_of_event(const struct derived *d, row_id r)
{
	str_id op;
	if (program_decides(d, r, &op))
		return op;
	op = op_of_details(d, r);
	if (!op && row_is_work(d->c, r))
		for (row_id at = d->c->link[r]; at != NONE_ID && !op; at = parent_of(d, at))
			op = op_of_host(d, at);
	return op;
}

const char *derived_op(const struct derived *d, row_id r)
{
	return trace_str(d->t, op_of_event(d, r));
}
