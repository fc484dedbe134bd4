/* live/inject/recorder.h - CUPTI's life in this process: subscribe, enable, flush, rest, let go.
 * Threads: all calls below come from one thread (first the one in InitializeInjection, then the control thread), except
 *          recorder_decode_forever, the decoder's. CUPTI's callbacks meet them only in the pool. No lock is held while
 *          CUPTI is called, so its own locks cannot meet ours.
 * Errors:  CUPTI's refusals become states; the target goes on as if we were not there. */
#ifndef STEPSCOPE_INJECT_RECORDER_H
#define STEPSCOPE_INJECT_RECORDER_H
#include "convert.h"
#include "pool.h"
#include "settings.h"

struct recorder {
	const struct settings *settings;
	struct cupti cupti;
	struct output out;
	struct convert convert;
	void *subscriber; /* NULL = not subscribed */
	enum wire_state state;
	cupti_result code;
	char text[WIRE_TEXT_BYTES];
	uint32_t kinds;    /* being recorded */
	bool driver_is_up; /* InitializeInjection is over: contexts may exist */
	uint64_t rest_at;  /* device records at which CUPTI is rested next, 0 = never */
	uint64_t rested_ns, clock_told_ns, quiet_since_ns, buffers_then, launches_then;
	bool watching; /* launches are being counted */
	uint64_t rearmed;
};

void recorder_init(struct recorder *r, const struct settings *s); /* state tells how it went */
bool recorder_open_ring(struct recorder *r);                      /* a fresh one; false with errno */
bool recorder_start(struct recorder *r, uint32_t kinds);          /* also while recording: other kinds */
void recorder_stop(struct recorder *r);    /* everything recorded is in the ring when this returns, or 1 s is over */
void recorder_detach(struct recorder *r);  /* as stop, then gives CUPTI up; recorder_start takes it again */
void recorder_tick(struct recorder *r);    /* fetches half full buffers, looks after clocks and watchdogs */
void recorder_publish(struct recorder *r); /* state and counters into the ring's header */
void recorder_finish(struct recorder *r);  /* the process ends: last records, last frame */
void *recorder_decode_forever(void *recorder);
#endif
