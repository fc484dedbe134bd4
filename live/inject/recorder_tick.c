#include "recorder_private.h"
#include "live/inject/base/process.h"
#include "live/inject/cupti/raw.h"
#include <errno.h>

static const uint64_t clock_every_ns = 1000000000u, rest_every_ns = 10000000000u;
static const uint64_t zero_stamps_alarm = 1000;
enum { LEAVE_TRIES = 10 };

/* CUPTI forgets what ails it when it is left and taken again; the frames show the pause. */
static void rest(struct recorder *r)
{
	uint32_t kinds = r->kinds;
	recorder_end(r);
	recorder_release(r);
	r->rearmed++;
	r->rested_ns = clock_ns(CLOCK_MONOTONIC);
	recorder_start_now(r, kinds);
}

static bool needs_rest(struct recorder *r)
{
	pthread_mutex_lock(&r->out.lock);
	bool zeros = r->convert.zero_stamps >= zero_stamps_alarm,
	     full = r->rest_at && r->convert.device_records >= r->rest_at;
	if (full)
		r->convert.device_records = 0;
	if (zeros)
		r->convert.zero_stamps = 0;
	pthread_mutex_unlock(&r->out.lock);
	return full || (zeros && clock_ns(CLOCK_MONOTONIC) - r->rested_ns > rest_every_ns);
}

static void settle(struct recorder *r)
{
	pthread_mutex_lock(&r->out.lock);
	if (output_is_open(&r->out))
		output_settle(&r->out);
	pthread_mutex_unlock(&r->out.lock);
}

/* Once a second. False: another client has registered a different clock with CUPTI since the last time. */
static bool tell_clock(struct recorder *r)
{
	uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
	if (now_ns - r->clock_told_ns < clock_every_ns)
		return true;
	r->clock_told_ns = now_ns;
	bool same = !r->kinds || !shared_follow_clock(&r->shared, &r->cupti);
	pthread_mutex_lock(&r->out.lock);
	if (same)
		r->convert.behind_ns = r->shared.behind_ns;
	if (output_is_open(&r->out))
		output_clock(&r->out);
	pthread_mutex_unlock(&r->out.lock);
	return same;
}

/* CUPTI is the other's now: nothing of it is ours to switch off, as long as a viewer may still hope. */
static void give_way(struct recorder *r)
{
	r->left_on = r->kinds;
	r->kinds = 0;
	takeover_end(&r->takeover, &r->cupti, r->subscriber);
	shared_promise_zeros(&r->cupti, false);
	recorder_set_state(r, WIRE_STATE_TAKEN, 0, "another client of CUPTI receives the records");
	recorder_tell_session(r);
}

/* A buffer of ours came back or was requested: no other client has replaced our callbacks. */
static void come_back(struct recorder *r)
{
	r->kinds = r->left_on;
	r->left_on = 0;
	shared_promise_zeros(&r->cupti, true);
	takeover_begin(&r->takeover, &recorder_pool, clock_ns(CLOCK_MONOTONIC));
	recorder_set_state(r, WIRE_STATE_RECORDING, CUPTI_OK, "");
	recorder_tell_session(r);
}

static void look_around(struct recorder *r)
{
	if (takeover_look(&r->takeover, &r->cupti, r->subscriber, &recorder_pool, r->kinds, &recorder_launches,
			  clock_ns(CLOCK_MONOTONIC)))
		give_way(r);
}

/* What the last forced flush left with CUPTI may come with a later one; else the place stays ours. */
static void try_to_leave(struct recorder *r)
{
	recorder_leave(r);
	if (r->is_leaving && ++r->leave_tries == LEAVE_TRIES)
		r->is_leaving = false;
}

static void while_recording(struct recorder *r, bool same_clock)
{
	recorder_flush(r, 0);
	recorder_tell_lost(r);
	if (!same_clock || needs_rest(r))
		rest(r);
	else
		look_around(r);
}

void recorder_tick(struct recorder *r)
{
	bool same_clock = tell_clock(r);
	settle(r);
	if (r->kinds && recorder_may_flush(r))
		while_recording(r, same_clock);
	else if (r->left_on && takeover_is_over(&r->takeover, &recorder_pool))
		come_back(r);
	else if (r->is_leaving)
		try_to_leave(r);
	recorder_fulfil(r);
	recorder_publish(r);
}

bool recorder_saw_device(struct recorder *r)
{
	pthread_mutex_lock(&r->out.lock);
	bool saw = r->convert.device_records;
	pthread_mutex_unlock(&r->out.lock);
	return saw;
}

void recorder_finish(struct recorder *r)
{
	if (r->kinds)
		recorder_end(r);
	recorder_set_state(r, WIRE_STATE_ENDED, 0, "");
	recorder_publish(r);
	pthread_mutex_lock(&r->out.lock);
	if (output_is_open(&r->out))
		output_end(&r->out);
	pthread_mutex_unlock(&r->out.lock);
}

/* ---- the decoder thread ---- */

static void decode_one(struct recorder *r, uint8_t *buffer, size_t valid_bytes)
{
	pthread_mutex_lock(&r->out.lock);
	convert_buffer(&r->convert, buffer, valid_bytes);
	if (output_is_open(&r->out))
		atomic_store(&r->out.ring.header->decode_ns, recorder_thread_ns());
	pthread_mutex_unlock(&r->out.lock);
}

void *recorder_decode_forever(void *recorder)
{
	struct recorder *r = recorder;
	uint8_t *buffer;
	size_t valid_bytes;
	for (;;) {
		while (sem_wait(&recorder_pool.wake) && errno == EINTR)
			continue;
		while (pool_pop(&recorder_pool, &buffer, &valid_bytes)) {
			raw_write(r->settings->raw, &r->cupti, buffer, valid_bytes);
			decode_one(r, buffer, valid_bytes);
			pool_give_back(&recorder_pool, buffer, valid_bytes);
		}
	}
	return NULL;
}
