/* live/inject/cupti/shared.h - what of CUPTI is the whole process's and not our subscription's: changed while we record, put back
 * after, and what another client may have changed before us.
 * Threads: one. */
#ifndef STEPSCOPE_INJECT_SHARED_H
#define STEPSCOPE_INJECT_SHARED_H
#include "cupti.h"

enum shared_clock {
	SHARED_CLOCK_WALL, /* as CUPTI has it on Linux: CLOCK_REALTIME */
	SHARED_CLOCK_OTHER, /* ns, but of another clock: WSL's, or another client's (cuptiActivityRegisterTimestampCallback) */
	SHARED_CLOCK_NO_NS /* another client's, in units of its own */
};
struct shared {
	bool has_thread_ids; /* records name threads as the system does */
	int thread_ids_before;
	bool is_changed;
	int64_t behind_ns; /* CLOCK_REALTIME minus CUPTI's clock, 0 while they are the same */
};
/* Before the first kind is enabled, and after the last one was disabled. */
void shared_take(struct shared *s, const struct cupti *c);
void shared_give_back(struct shared *s, const struct cupti *c);
/* We hand out zeroed buffers, so CUPTI need not zero them on the thread that launches; other clients' are not zeroed. */
void shared_promise_zeros(const struct cupti *c, bool on);
/* What clock records will be in, found by asking twice within a few ms; sets behind_ns. */
enum shared_clock shared_clock(struct shared *s, const struct cupti *c);
/* Once a second while recording: follows a clock that runs at its own pace. True: it is another one than before. */
bool shared_follow_clock(struct shared *s, const struct cupti *c);
#endif
