/* importers/importer.h - one row per format. An importer turns a source into ingest calls; it never sees the trace,
 * sorts nothing, prints nothing, and holds neither the whole file nor a tree of it.
 * Errors:  load returns false only when nothing of the file can be used (wrong format, not even one sound record) or
 *          on cancel; partly sound input returns true and says what was lost in the notes. */
#ifndef STEPSCOPE_IMPORTER_H
#define STEPSCOPE_IMPORTER_H
#include "source.h"
#include "model/store/ingest/ingest.h"

struct importer {
	const char *name; /* "xspace": shown as the format, and the --format word */
	int (*sniff)(const unsigned char *head,
		     size_t n); /* unpacked first bytes (up to 64 KiB): 0 not mine .. 100 certain */
	bool (*load)(struct source *src, struct ingest *out, struct progress *p, struct err *e);
};
extern const struct importer importer_xspace, importer_chrome;

/* The importer that claims these bytes most surely, NULL = none. *score (may be NULL) gets its answer. */
const struct importer *importer_for(const unsigned char *head, size_t n, int *score);

/* Recognised but not read: returns one clear sentence on what it is and what to do, or NULL. */
const char *importer_refusal(const unsigned char *head, size_t n);
#endif
