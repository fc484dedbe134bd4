/* live/inject/cupti/takeover.h - notices when another client of CUPTI receives our records.
 * Another client's cuptiActivityRegisterCallbacks silently replaces ours. Launches without any sign of life in our buffers
 * mean that. Silence alone does not: a buffer with one kernel in flight is withheld (cuptiActivityFlushAll with flag 0), for
 * as long as a program launches without ever waiting, or one kernel lasts. So the content of the buffers that CUPTI holds is
 * looked at: ours are zeroed when handed out and grow with each launch.
 * Threads: one; the buffers are written by CUPTI meanwhile, which is what is looked for. */
#ifndef STEPSCOPE_INJECT_TAKEOVER_H
#define STEPSCOPE_INJECT_TAKEOVER_H
#include "cupti.h"
#include "live/inject/base/buffer_pool.h"

struct takeover {
	uint64_t quiet_since_ns, window_since_ns;
	uint64_t callbacks_then, launches_then, content_then;
	unsigned doubts;
	bool watching; /* launches are being counted */
};
/* From now on. */
void takeover_begin(struct takeover *t, const struct pool *p, uint64_t now_ns);
/* A buffer was requested or returned since the last check: our callbacks are still registered. */
bool takeover_is_over(const struct takeover *t, const struct pool *p);
/* Stops counting launches. */
void takeover_end(struct takeover *t, const struct cupti *c, void *subscriber);
/* To be asked at each tick while `kinds` (bits of enum wire_kind) are recorded. launches: calls of our callback so far, which
 * this switches on and off. True: another client gets the records. */
bool takeover_look(struct takeover *t, const struct cupti *c, void *subscriber, const struct pool *p, uint32_t kinds,
		   const _Atomic uint64_t *launches, uint64_t now_ns);
#endif
