/* live/inject/recorder.h - CUPTI's life in this process: subscribe, enable, flush, rest, let go.
 * Threads: all calls below come from one thread (first the one in InitializeInjection, then the control thread), except
 *          recorder_decode_forever, the decoder's. CUPTI's callbacks meet them only in the pool. No lock is held while
 *          CUPTI is called, so its own locks cannot meet ours.
 * Errors:  CUPTI's refusals become states; the target goes on as if we were not there. */
#ifndef STEPSCOPE_INJECT_RECORDER_H
#define STEPSCOPE_INJECT_RECORDER_H
#include "live/inject/base/buffer_pool.h"
#include "live/inject/base/settings.h"
#include "live/inject/cupti/convert.h"
#include "live/inject/cupti/shared.h"
#include "live/inject/cupti/takeover.h"

enum recorder_wish { RECORDER_WISH_NONE, RECORDER_WISH_START, RECORDER_WISH_STOP, RECORDER_WISH_DETACH };

struct recorder {
	const struct settings *settings;
	struct cupti cupti;
	struct output out;
	struct convert convert;
	void *subscriber; /* NULL = not subscribed */
	enum wire_state state;
	cupti_result code;
	char text[WIRE_TEXT_BYTES];
	uint32_t kinds;           /* being recorded */
	bool is_injected;         /* InitializeInjection is over: calls come from our own thread, contexts may exist */
	_Atomic bool has_context; /* CUPTI has told of one */
	void (*on_context)(void); /* called then, on a thread of the target; NULL = no callback */
	uint64_t initialised_ns;  /* when cuInit was first seen to be over */
	bool is_settled;          /* that is long enough ago */
	enum recorder_wish wish;  /* what was asked for while the driver starts up, to be done after */
	uint32_t wished_kinds;
	bool is_leaving; /* the subscription goes as soon as CUPTI holds no buffer of ours */
	unsigned leave_tries;
	struct shared shared;
	uint64_t rest_at; /* device records at which CUPTI is rested next, 0 = never */
	uint64_t rested_ns, clock_told_ns;
	struct takeover takeover;
	uint32_t left_on; /* kinds that were on when another client took over */
	uint64_t rearmed;
};

void recorder_init(struct recorder *r, const struct settings *s); /* state tells how it went */
bool recorder_open_ring(struct recorder *r);                      /* a fresh one; false with errno */
/* Also while recording: other kinds. Asked amid cuInit, it is done once that is over; so are stop and detach. */
bool recorder_start(struct recorder *r, uint32_t kinds);
void recorder_stop(struct recorder *r);    /* everything recorded is in the ring when this returns, or 1 s is over */
void recorder_detach(struct recorder *r);  /* as stop, then gives CUPTI up; recorder_start takes it again */
void recorder_tick(struct recorder *r);    /* fetches half full buffers, looks after clocks and watchdogs */
void recorder_publish(struct recorder *r); /* state and counters into the ring's header */
bool recorder_is_waiting(const struct recorder *r); /* for the driver to have started up: ticks are wanted soon */
uint32_t recorder_kinds(const struct recorder *r);  /* recorded, or to be recorded */
bool recorder_saw_device(struct recorder *r);       /* a record of device work has come */
void recorder_finish(struct recorder *r);           /* the process ends: last records, last frame */
void *recorder_decode_forever(void *recorder);
#endif
