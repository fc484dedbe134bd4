/* Any bytes as an XSpace, all the way to a sealed trace, and a part cut out of them. The first byte chooses the window, so that every length of what is
 * at hand is met; the ledger must balance whatever comes. */
#include "whole.h"
#include "importers/xspace/cut.h"

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

static const char *choose(void *ctx, int64_t start_ns, int64_t dur_ns, struct span name)
{
	(void)ctx;
	return name.n & 1 ? NULL : (start_ns ^ dur_ns) & 1 ? "ends behind" : "";
}

static void cut_some(const uint8_t *data, size_t size)
{
	struct err e = {0};
	struct xspace_slice c = {.a_ns = 1000, .b_ns = INT64_MAX / 2, .choose = choose};
	struct source *src = source_memory(data, size, "fuzz");
	FILE *out = fopen("/dev/null", "w");
	if (!src || !out)
		abort();
	xspace_is_source(src);
	xspace_slice(src, &c, NULL, out, &e);
	fclose(out);
	source_close(src);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	importer_xspace.sniff(data + 1, size - 1);
	import_whole(&importer_xspace, data + 1, size - 1, 16u << (data[0] & 7), look_at);
	cut_some(data + 1, size - 1);
	return 0;
}
