/* importers/importer.h - one row per format. An importer turns a source into ingest calls; it never sees the trace,
 * sorts nothing, prints nothing, and holds neither the whole file nor a tree of it.
 * Errors:  load returns false only when nothing of the file can be used (wrong format, not even one sound record) or
 *          on cancel; partly sound input returns true and says what was lost in the notes. */
#ifndef STEPSCOPE_IMPORTER_H
#define STEPSCOPE_IMPORTER_H
#include "source.h"
#include "model/store/ingest/ingest.h"

struct importer {
	const char *name;           /* "xspace": shown as the format */
	const char *what;           /* "an XSpace file (.xplane.pb)": for the help */
	const char *const *endings; /* of its files' names, up to a NULL; packed files have .gz or .zst after them */
	const char *run_ending; /* files of this ending that lie together are one run, one for each host; NULL = none */
	int (*sniff)(const unsigned char *head,
		     size_t n); /* unpacked first bytes (up to 64 KiB): 0 not mine .. 100 certain */
	bool (*load)(struct source *src, struct ingest *out, struct progress *p, struct err *e);
	uint32_t traits;      /* enum source_trait bits: what it promises of the events it hands over */
	const char *producer; /* who writes such files, where the file does not say */
};

/* The fact "producer" of Chrome JSON that is read by arguments of its own instead of by categories. */
#define PRODUCER_OF_OWN_WORDS "rocprof"
/* That of Nsight Systems, also where an export of ours is read back. */
#define PRODUCER_NSYS "Nsight Systems"

/* Every format once: a line here, and importer_NAME in a folder of its own. */
#define IMPORTERS(_) \
	_(xspace)    \
	_(chrome)    \
	_(nsys)      \
	_(rocpd)     \
	_(rocprof)
#define IMPORTER_EXTERN(name) extern const struct importer importer_##name;
IMPORTERS(IMPORTER_EXTERN)
#undef IMPORTER_EXTERN
/* All importers; *n receives how many. */
const struct importer *const *importer_list(unsigned *n);

/* The importer that claims these bytes most surely, NULL = none. *score (may be NULL) gets its answer. */
const struct importer *importer_for(const unsigned char *head, size_t n, int *score);

/* What the names of trace files tell; it says nothing of what is in them. */
bool importer_is_name(const char *name);     /* "a.json.gz": called like a trace of some format */
bool importer_is_run_name(const char *name); /* "host.xplane.pb": one of the files of a run */
bool importer_is_ending(const char *text);   /* ".json.gz": such an ending and nothing before it */

/* Recognised but not read: returns one clear sentence on what it is and what to do, or NULL. */
const char *importer_refusal(const unsigned char *head, size_t n);
#endif
