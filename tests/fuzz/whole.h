/* tests/fuzz/whole.h - a fuzz input as a whole file: read, sealed, its ledger checked. */
#ifndef WHOLE_H
#define WHOLE_H
#include "importers/importer.h"
#include "model/store/trace/trace.h"
#include <stdlib.h>

/* Reads the bytes with the importer, at most `window` of them at hand (0: as files are read), and aborts when the trace that comes out does
 * not balance; `look`, when given, sees it. */
static inline void import_whole(const struct importer *i, const uint8_t *data, size_t size, size_t window,
				void (*look)(struct trace *))
{
	struct source *s = source_memory(data, size, "fuzz");
	struct ingest *in = ingest_new();
	struct err e = {0};
	if (!s || !in)
		abort();
	if (window)
		source_set_window(s, window);
	ingest_source(in, "fuzz", i->name);
	if (i->load(s, in, NULL, &e)) {
		struct trace *t = ingest_seal(in, &e);
		if (t && look)
			look(t);
		if (t && !notes_balance(trace_notes(t)))
			abort();
		trace_free(t);
	} else {
		ingest_free(in);
	}
	source_close(s);
}
#endif
