/* live/capture.h - a running capture of any number of targets: reads their rings on a thread of its own, keeps what shall be
 * kept, and makes a trace of it whenever asked.
 * Life:    capture_new -> capture_attach / capture_listen -> capture_start -> capture_trace any number of times ->
 *          capture_stop -> capture_trace once more -> capture_free.
 * Threads: the reader is inside; capture_trace may run on any one thread beside it: it holds the lock only to take
 *          references, never while it decodes. The target is never made to wait: what does not fit is counted there. */
#ifndef STEPSCOPE_LIVE_CAPTURE_H
#define STEPSCOPE_LIVE_CAPTURE_H
#include "wire.h"
#include "model/store/ingest/ingest.h"

struct capture_opts {
	uint64_t keep_bytes; /* of records, 0 = no limit */
	int64_t keep_ns;     /* 0 = no limit */
	bool spill;          /* sealed segments go to a temporary file */
	uint32_t kinds;      /* bits of enum wire_kind, 0 = the default ones */
};
enum { CAPTURE_KEEP_BYTES = 256 << 20, CAPTURE_KEEP_LEAST_BYTES = 1 << 20 };

struct capture;
struct capture *capture_new(const struct capture_opts *o, struct err *e);
void capture_free(struct capture *c);

/* Dials an armed process. */
bool capture_attach(struct capture *c, const char *path, struct err *e);
/* Targets dial us: the path of our socket, for STEPSCOPE_VIEWER, goes to path. It is removed by capture_free. */
bool capture_listen(struct capture *c, char path[WIRE_PATH_BYTES], struct err *e);
bool capture_start(struct capture *c, struct err *e);
/* Tells the targets to stop, and reads what they still give for at most wait_ms; then hangs up. */
void capture_stop(struct capture *c, int wait_ms);

struct capture_status {
	unsigned targets, live; /* met so far; connected and greeted now */
	uint64_t records;       /* received */
	uint64_t kept, let_go;
	uint64_t kept_bytes;
	int64_t kept_ns;            /* how far back it reaches, about */
	double per_s;               /* lately */
	uint64_t lost;              /* in rings, by CUPTI; at least */
	uint64_t bad;               /* impossible times, damaged frames */
	bool over;                  /* every target that was met is gone, and none can come */
	enum wire_state state;      /* of the target that needs attention most, else RECORDING */
	char text[WIRE_TEXT_BYTES]; /* with it; or why a connection ended out of order */
};
void capture_status(struct capture *c, struct capture_status *out);
/* Something came since the last trace was made. */
bool capture_grew(struct capture *c);
/* A trace of all that is kept now. NULL on cancel, on errors, and when nothing has come yet (e stays empty then). */
struct trace *capture_trace(struct capture *c, struct progress *p, struct err *e);
#endif
