/* tests/fuzz/fuzz_archive.c - any bytes as a zip or tar archive: what is meant is chosen, then read as a trace, all the way to the sealed one.
 * What comes out must balance. */
#include <stdlib.h>
#include <string.h>
#include "importers/archive_choice.h"
#include "model/store/trace/trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
extern const unsigned fuzz_every;

const unsigned fuzz_every = 2;

static void load(struct ingest *in, struct members *m, const char *name, int64_t *left)
{
	size_t n;
	struct err e;
	struct source *s = source_stream(members_read, m, name, NULL);
	if (!s)
		abort();
	source_set_window(s, 61);
	source_bound(s, *left);
	const unsigned char *head = source_need(s, 4096, &n);
	const struct importer *i = importer_for(head, n, NULL);
	if (i) {
		ingest_source(in, name, i->name);
		i->load(s, in, NULL, &e);
	}
	*left -= source_at(s);
	source_close(s);
}

static void load_all(struct ingest *in, struct source *s, struct archive_choice *chosen)
{
	struct members *m = members_open(s, NULL, NULL);
	const char *name;
	for (size_t i = 0; m && (name = members_next(m)); i++)
		if (i < chosen->n && chosen->wanted[i])
			load(in, m, name, &chosen->most_bytes);
	members_close(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct archive_choice chosen;
	struct source *first = source_memory(data, size, "fuzz.zip"), *again = source_memory(data, size, "fuzz.zip");
	struct ingest *in = ingest_new();
	struct err e;
	size_t n;
	if (!first || !again || !in)
		abort();
	const unsigned char *head = source_need(first, 4096, &n);
	bool ok = archive_is(head, n) && archive_choose(&chosen, first, (int64_t)size, NULL, &e);
	if (ok) {
		load_all(in, again, &chosen);
		struct trace *t = ingest_seal(in, &e);
		if (t && !notes_balance(trace_notes(t)))
			abort();
		trace_free(t);
	} else {
		ingest_free(in);
	}
	if (archive_is(head, n))
		archive_choice_free(&chosen);
	source_close(first);
	source_close(again);
	return 0;
}
