/* tests/fuzz/fuzz_chrome.c - any bytes as a Chrome trace, all the way to the sealed trace. The window is tiny, so that every
 * boundary is crossed. What comes out must balance. */
#include <stdlib.h>
#include "importers/importer.h"
#include "model/store/trace/trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct source *s = source_memory(data, size, "fuzz.json");
	struct ingest *in = ingest_new();
	struct err e;
	if (!s || !in)
		abort();
	source_set_window(s, 7);
	ingest_source(in, "fuzz.json", "chrome");
	if (importer_chrome.load(s, in, NULL, &e)) {
		struct trace *t = ingest_seal(in, &e);
		if (t && !notes_balance(trace_notes(t)))
			abort();
		trace_free(t);
	} else {
		ingest_free(in);
	}
	source_close(s);
	return 0;
}
