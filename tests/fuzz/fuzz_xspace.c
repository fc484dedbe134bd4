/* Any bytes as an XSpace, all the way to a sealed trace. The first byte chooses the window, so that every length of what is
 * at hand is met; the ledger must balance whatever comes. */
#include "importers/importer.h"
#include "model/store/trace/trace.h"
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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
	if (!notes_balance(trace_notes(t)))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	struct err e = {0};
	struct source *src = source_memory(data + 1, size - 1, "fuzz");
	struct ingest *in = ingest_new();
	if (!src || !in)
		abort();
	source_set_window(src, 16u << (data[0] & 7));
	importer_xspace.sniff(data + 1, size - 1);
	ingest_source(in, "fuzz", "xspace");
	if (importer_xspace.load(src, in, NULL, &e)) {
		struct trace *t = ingest_seal(in, &e);
		if (t)
			look_at(t);
		trace_free(t);
	} else {
		ingest_free(in);
	}
	source_close(src);
	return 0;
}
