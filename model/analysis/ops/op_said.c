#include "op_said.h"
#include "model/analysis/derived/derived.h"
#include <string.h>

static str_id key_named(const struct derived *d, const char *name)
{
	return strings_find(trace_strings(derived_trace(d)), name, strlen(name));
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
	attr_at at = number_at(derived_columns(x->d)->attrs, r);
	bool found = false;
	if (at && attrs_read(trace_attrs(derived_trace(x->d)), at, &scratch, &attrs, &n))
		for (size_t i = 0; i < n; i++)
			found |= attrs[i].key && (attrs[i].key == x->tf_op || attrs[i].key == x->hlo_op);
	arena_free(&scratch);
	return found;
}

bool op_said(struct op_said *x, row_id r)
{
	if (!x->tf_op && !x->hlo_op)
		return false;
	uint64_t key = (uint64_t)derived_columns(x->d)->kind[r] << 32 | derived_columns(x->d)->detail[r];
	uint32_t known = idmap_get(&x->known, key);
	if (known == UINT32_MAX)
		known = *idmap_put(&x->known, key, among_attributes(x, r));
	return known;
}

str_id op_as_said(struct op_said *x, row_id r)
{
	const struct hlo_info *h = trace_hlo(derived_trace(x->d), r);
	if (h && h->known)
		return h->op;
	const struct kernel_info *k = trace_kernel(derived_trace(x->d), r);
	const struct copy_info *c = k ? NULL : trace_copy(derived_trace(x->d), r);
	str_id op = k ? k->op : c ? c->op : 0;
	return op && op_said(x, r) ? op : 0;
}
