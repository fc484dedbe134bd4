/* Any bytes as an XSpace, all the way to a sealed trace. The first byte chooses the window, so that every length of what is
 * at hand is met; the ledger must balance whatever comes. */
#include "whole.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Every attribute can be read and written as text. */
static void look_at(struct trace *t)
{
	const struct columns *c = trace_columns(t);
	struct arena mem = {0};
	struct attr *a;
	size_t n;
	for (row_id r = 0; r < c->n; r++)
		if (attrs_read(trace_attrs(t), number_at(c->attrs, r), &mem, &a, &n))
			for (size_t i = 0; i < n; i++)
				attr_text(&a[i], trace_strings(t), &mem);
	arena_free(&mem);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	importer_xspace.sniff(data + 1, size - 1);
	import_whole(&importer_xspace, data + 1, size - 1, 16u << (data[0] & 7), look_at);
	return 0;
}
