/* importers/open.h - from what the user named to a trace.
 * A path is a file, "-" (stdin), or a directory: a `plugins/profile/<run>` folder, a parent of one (newest run wins),
 * or any folder of traces of one kind (one host or rank per file). Several paths become one trace. */
#ifndef STEPSCOPE_OPEN_H
#define STEPSCOPE_OPEN_H
#include "../model/store/ingest.h"
#include "../model/store/trace.h"

struct open_opts {
	struct progress *progress;
	/* Called on the importing thread as soon as ingest exists, and with NULL before it is spent: lets the explorer draw
	 * ingest_coverage meanwhile. May be NULL. */
	void (*on_ingest)(void *ctx, struct ingest *in);
	void *ctx;
	size_t window_bytes; /* 0 = default; tests use tiny ones */
};
struct trace *open_trace(const char *const *paths, int n_paths, const struct open_opts *o, struct err *e);
#endif
