/* tests/fuzz/load_database.h - bytes through one importer, all the way to the sealed trace. What comes out must balance. */
#ifndef LOAD_DATABASE_H
#define LOAD_DATABASE_H
#include <stdlib.h>
#include "importers/importer.h"
#include "model/store/trace/trace.h"

static inline void load_database(const struct importer *i, const uint8_t *data, size_t size)
{
	struct source *s = source_memory(data, size, "fuzz.sqlite");
	struct ingest *in = ingest_new();
	struct err e;
	if (!s || !in)
		abort();
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
}
#endif
