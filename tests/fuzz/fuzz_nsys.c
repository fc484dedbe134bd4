/* tests/fuzz/fuzz_nsys.c - any bytes as an SQLite database of Nsight Systems or, where the name of one of its tables is there, of rocprofv3, all
 * the way to the sealed trace. What comes out must balance. */
#include <stdlib.h>
#include "importers/importer.h"
#include "model/store/trace/trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
extern const unsigned fuzz_every;

const unsigned fuzz_every = 4;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct source *s = source_memory(data, size, "fuzz.sqlite");
	struct ingest *in = ingest_new();
	struct err e;
	if (!s || !in)
		abort();
	const struct importer *i =
		importer_rocpd.sniff(data, size) > importer_nsys.sniff(data, size) ? &importer_rocpd : &importer_nsys;
	ingest_source(in, "fuzz.sqlite", i->name);
	if (i->load(s, in, NULL, &e)) {
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
