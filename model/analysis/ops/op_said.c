#include "op_said.h"
#include "model/analysis/derived/derived_data.h"
#include <string.h>

static str_id key_named(const struct derived *d, const char *name)
{
	return strings_find(trace_strings(d->t), name, strlen(name));
}

void op_said_init(struct op_said *x, const struct derived *d)
{
	*x = (struct op_said){.d = d, .tf_op = key_named(d, "tf_op"), .hlo_op = key_named(d, "hlo_op")};
}

void op_said_free(struct op_said *x)
{
	idmap_free(&x->known);
}

static bool among_attributes(const struct op_said *x, row_id r)
{
	struct arena scratch = {0};
	struct attr *attrs;
	size_t n;
	attr_at at = number_at(x->d->c->attrs, r);
	bool found = false;
	if (at && attrs_read(trace_attrs(x->d->t), at, &scratch, &attrs, &n))
		for (size_t i = 0; i < n; i++)
			found |= attrs[i].key && (attrs[i].key == x->tf_op || attrs[i].key == x->hlo_op);
	arena_free(&scratch);
	return found;
}

bool op_said(struct op_said *x, row_id r)
{
	if (!x->tf_op && !x->hlo_op)
		return false;
	uint64_t key = (uint64_t)x->d->c->kind[r] << 32 | x->d->c->detail[r];
	uint32_t known = idmap_get(&x->known, key);
	if (known == UINT32_MAX)
		known = *idmap_put(&x->known, key, among_attributes(x, r));
	return known;
}

str_id op_as_said(struct op_said *x, row_id r)
{
	const struct hlo_info *h = trace_hlo(x->d->t, r);
	if (h && h->known)
		return h->op;
	const struct kernel_info *k = trace_kernel(x->d->t, r);
	const struct copy_info *c = k ? NULL : trace_copy(x->d->t, r);
	str_id op = k ? k->op : c ? c->op : 0;
	return op && op_said(x, r) ? op : 0;
}
