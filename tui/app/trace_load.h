/* tui/app/trace_load.h - opening the trace on a worker while the screen already lives.
 * Life:    load_start -> load_done polled after each wake-up -> load_finish takes the result or the error.
 * Cancel:  load_cancel asks the worker to stop and waits a moment; a worker that sits in a blocked read (stdin) is left
 *          behind with what it owns: the process is about to end anyway.
 * Threads: the worker writes one byte to wake_fd when it is finished. */
#ifndef STEPSCOPE_TRACE_LOAD_H
#define STEPSCOPE_TRACE_LOAD_H
#include "model/store/ingest/ingest.h"
#include "tui/explorer/app_opts.h"

struct load;
struct load *load_start(const struct app_opts *o, int wake_fd, struct err *e);
bool load_done(const struct load *l);
/* What is known so far, for the picture. */
struct load_picture {
	int64_t bytes_done, bytes_total, events;
	enum progress_phase phase;
	double seconds;
	int64_t span_ns;
	uint32_t n_tracks;
	struct coverage_track *tracks; /* owned by the load */
};
struct load_picture load_picture(struct load *l);
/* The derived trace, or NULL and e. Frees the load. */
struct derived *load_finish(struct load *l, struct err *e);
void load_cancel(struct load *l);
#endif
