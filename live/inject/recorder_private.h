/* live/inject/recorder_private.h - what recorder.c (subscribe, start, stop) and recorder_tick.c (what goes on in between)
 * share. Threads: the recorder's one, except recorder_pool and recorder_launches, which CUPTI's callbacks use. */
#ifndef STEPSCOPE_INJECT_RECORDER_PRIVATE_H
#define STEPSCOPE_INJECT_RECORDER_PRIVATE_H
#include "recorder.h"

extern struct pool recorder_pool;          /* CUPTI's buffer callbacks carry no user data: one for the process */
extern _Atomic uint64_t recorder_launches; /* counted only while takeover.h looks */

void recorder_set_state(struct recorder *r, enum wire_state state, cupti_result code, const char *text);
void recorder_tell_session(struct recorder *r); /* a frame: what is recorded from now on */
void recorder_release(struct recorder *r);      /* gives the subscription up */
void recorder_flush(struct recorder *r, uint32_t forced);
void recorder_tell_lost(struct recorder *r); /* what CUPTI says it has lost */
/* Switches everything off and fetches what there is. */
void recorder_end(struct recorder *r);
/* The subscription is given up once CUPTI holds no buffer of ours; to be called again while is_leaving. */
void recorder_leave(struct recorder *r);
/* As recorder_start, not put off; kinds as they are enabled. */
bool recorder_start_now(struct recorder *r, uint32_t kinds);
/* Does what was put off while the driver was starting up, if that is over. */
void recorder_fulfil(struct recorder *r);
bool recorder_may_flush(struct recorder *r); /* false: the driver is still starting up */
uint64_t recorder_thread_ns(void);           /* CPU time of the calling thread */
#endif
