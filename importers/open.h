/* importers/open.h - from what the user named to a trace.
 * A path is a file, "-" (stdin), or a directory: a `plugins/profile/<run>` folder, a parent of one (newest run wins),
 * or any folder of traces of one kind (one host or rank per file). Several paths become one trace.
 * A saved file (.stepscope, told by its first bytes) is loaded as it is and stands alone. */
#ifndef STEPSCOPE_OPEN_H
#define STEPSCOPE_OPEN_H
#include "model/store/ingest/ingest.h"
#include "model/store/trace/trace.h"

struct open_opts {
	struct progress *progress;
	/* Called on the importing thread as soon as ingest exists, and with NULL before it is spent: lets the explorer draw
	 * ingest_coverage meanwhile. May be NULL. */
	void (*on_ingest)(void *ctx, struct ingest *in);
	void *ctx;
	unsigned threads; /* 0 = as many as there are cores; 1 = no thread but the caller's; the result is the same */
	size_t window_bytes; /* 0 = default; tests use tiny ones */
	bool cache;          /* look in the cache first, and keep there what took long; see cache.h */
};
struct trace *open_trace(const char *const *paths, int n_paths, const struct open_opts *o, struct err *e);
/* True when the cache cannot be used because of its folder, which dir receives: another user owns or may enter it, or it is a
 * link. */
bool open_cache_refused(char *dir, size_t size);
/* A cache entry may still be being written when open_trace returns: call this before leaving, to wait for it or to give
 * it up. */
void open_finish(bool wait);
void open_settle(void); /* waits for it: nobody else reads the trace afterwards */
#endif
