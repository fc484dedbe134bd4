#include "recorder.h"
#include "kinds.h"
#include "log.h"
#include "process.h"
#include "raw.h"
#include <errno.h>
#include <unistd.h>

enum { DRAIN_MAX_MS = 1000, CUPTI_WITH_END_OF_BUFFERS_BUG = 130001 };
static const uint64_t clock_every_ns = 1000000000u, rest_every_ns = 10000000000u;
static const uint64_t default_window_records = 16000000; /* the bug was seen at 25 million */
static const uint64_t zero_stamps_alarm = 1000;
static const uint64_t quiet_alarm_ns = 3000000000u, launches_counted_ns = 500000000u;

/* CUPTI's callbacks carry no user data: one pool for the process. */
static struct pool pool;
static _Atomic uint64_t launches; /* counted only while the takeover watchdog looks */

static void on_request(uint8_t **buffer, size_t *size, size_t *max_records)
{
	*buffer = pool_take(&pool);
	*size = *buffer ? POOL_BUFFER_BYTES : 0;
	*max_records = 0;
}

static void on_complete(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid_size)
{
	(void)context, (void)stream, (void)size;
	if (buffer)
		pool_push(&pool, buffer, valid_size);
}

static void on_call(void *user, int domain, uint32_t cbid, const void *data)
{
	(void)user, (void)domain, (void)cbid, (void)data;
	atomic_fetch_add_explicit(&launches, 1, memory_order_relaxed);
}

/* ---- state ---- */

static void set_state(struct recorder *r, enum wire_state state, cupti_result code, const char *text)
{
	r->state = state;
	r->code = code;
	snprintf(r->text, sizeof r->text, "%s", text);
	log_line("state %u, result %d %s", (unsigned)state, code, text);
}

static bool refuse(struct recorder *r, const char *call, cupti_result code)
{
	char text[WIRE_TEXT_BYTES];
	snprintf(text, sizeof text, "%s: %s (CUPTI %u, driver %u)", call, cupti_text(&r->cupti, code), r->cupti.number,
		 r->cupti.driver);
	set_state(r, WIRE_STATE_FAILED, code, text);
	return false;
}

static void be_idle(struct recorder *r)
{
	set_state(r, r->subscriber ? WIRE_STATE_ARMED : WIRE_STATE_YIELDED, CUPTI_OK, "");
}

/* ---- subscription ---- */

/* Who holds the process; only newer versions can tell. */
static bool report_holder(struct recorder *r)
{
	char holder[128] = "";
	struct cupti_subscribe_params p = {sizeof p, "stepscope", holder, sizeof holder};
	void *subscriber = NULL;
	if (r->cupti.subscribe_v2 && !r->cupti.subscribe_v2(&subscriber, on_call, NULL, &p)) {
		r->cupti.unsubscribe(subscriber); /* it went away just now: the next START will do */
		*holder = 0;
	}
	holder[sizeof holder - 1] = 0;
	set_state(r, WIRE_STATE_BUSY, CUPTI_MULTIPLE_SUBSCRIBERS, holder);
	return false;
}

/* We hand out zeroed buffers, so CUPTI need not zero them on the thread that launches. The switch is the process's, not
 * ours alone: it is on only while we record, since the buffers of other clients are not zeroed. */
static void promise_zeros(struct recorder *r, uint8_t on)
{
	size_t size = sizeof on;
	r->cupti.set_attribute(CUPTI_ATTR_ZEROED_BUFFERS, &size, &on);
}

static void release(struct recorder *r)
{
	if (r->subscriber)
		r->cupti.unsubscribe(r->subscriber);
	r->subscriber = NULL;
	r->watching = false;
}

static bool subscribe(struct recorder *r)
{
	if (r->subscriber)
		return true;
	cupti_result code = r->cupti.subscribe(&r->subscriber, on_call, NULL);
	if (code) {
		r->subscriber = NULL;
		return code == CUPTI_MULTIPLE_SUBSCRIBERS ? report_holder(r) : refuse(r, "cuptiSubscribe", code);
	}
	if ((code = r->cupti.register_callbacks(on_request, on_complete))) {
		release(r);
		return refuse(r, "cuptiActivityRegisterCallbacks", code);
	}
	be_idle(r);
	return true;
}

/* Things that must be said before the first context exists. Refusals only cost comfort. */
static void prepare(struct recorder *r)
{
	if (r->cupti.thread_id_type)
		r->cupti.thread_id_type(1); /* gettid() */
	if (r->cupti.all_sync_records)
		r->cupti.all_sync_records(0); /* polls of events that are not ready yet: many, and no waiting */
	if (r->settings->latency && r->cupti.latency_timestamps)
		r->cupti.latency_timestamps(1);
	r->rest_at = r->settings->window_records;
	if (!r->rest_at && r->cupti.number >= 130000 && r->cupti.number <= CUPTI_WITH_END_OF_BUFFERS_BUG)
		r->rest_at = default_window_records;
	pool.sacrifice = r->cupti.number < CUPTI_NULL_BUFFER_VERSION;
}

void recorder_init(struct recorder *r, const struct settings *s)
{
	char why[WIRE_TEXT_BYTES];
	r->settings = s;
	r->convert = (struct convert){.cupti = &r->cupti, .out = &r->out};
	if (!output_init(&r->out) || !pool_init(&pool)) {
		set_state(r, WIRE_STATE_FAILED, 0, "no memory for buffers");
		return;
	}
	if (!cupti_load(&r->cupti, s->cupti, true, why, sizeof why)) {
		set_state(r, WIRE_STATE_NO_CUPTI, 0, why);
		return;
	}
	log_line("CUPTI %u at %s, driver %u", r->cupti.number, r->cupti.path, r->cupti.driver);
	prepare(r);
	if (s->yield)
		be_idle(r);
	else
		subscribe(r);
}

/* ---- the ring ---- */

static void fill_header(const struct recorder *r, struct wire_header *h, uint64_t ring_bytes)
{
	memcpy(h->magic, WIRE_MAGIC, sizeof h->magic);
	h->abi = WIRE_ABI;
	h->header_bytes = WIRE_HEADER_BYTES;
	h->ring_bytes = ring_bytes;
	h->pid = (int32_t)getpid();
	h->uid = getuid();
	h->start_ticks = process_start_ticks();
	h->cupti_version = r->cupti.number;
	h->cuda_version = r->cupti.driver;
	h->rank = process_rank();
	h->local_rank = process_local_rank();
	snprintf(h->cupti_path, sizeof h->cupti_path, "%s", r->cupti.path);
	process_command(h->command, sizeof h->command);
	process_host(h->host, sizeof h->host);
}

bool recorder_open_ring(struct recorder *r)
{
	pthread_mutex_lock(&r->out.lock);
	bool ok = output_open(&r->out, r->settings->ring_bytes);
	int saved = errno;
	if (ok) {
		fill_header(r, r->out.ring.header, r->settings->ring_bytes);
		output_clock(&r->out);
		output_session(&r->out, 0);
	}
	pthread_mutex_unlock(&r->out.lock);
	if (ok)
		recorder_publish(r);
	errno = saved;
	return ok;
}

static uint64_t thread_cpu_ns(void)
{
	return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

void recorder_publish(struct recorder *r)
{
	pthread_mutex_lock(&r->out.lock);
	struct wire_header *h = r->out.ring.header;
	if (h) {
		memcpy(h->text, r->text, sizeof h->text);
		atomic_store(&h->code, r->code);
		atomic_store(&h->kinds, r->kinds);
		atomic_store(&h->state, r->state);
		atomic_store(&h->heartbeat_ns, clock_ns(CLOCK_MONOTONIC));
		if (r->driver_is_up) /* before, this is a thread of the target */
			atomic_store(&h->control_ns, thread_cpu_ns());
		atomic_store(&h->buffers_in_use, atomic_load(&pool.in_use));
		atomic_store(&h->buffers_denied, atomic_load(&pool.denied));
		atomic_store(&h->rearmed, r->rearmed);
	}
	pthread_mutex_unlock(&r->out.lock);
}

/* ---- start and stop ---- */

static uint32_t wanted_kinds(const struct recorder *r, uint32_t kinds)
{
	kinds &= (1u << WIRE_KIND_COUNT) - 1;
	if (!kinds)
		kinds = WIRE_DEFAULT_KINDS;
	if (r->settings->whole_graphs)
		kinds |= 1u << WIRE_GRAPH;
	else if (kinds & 1u << WIRE_KERNEL)
		kinds &= ~(1u << WIRE_GRAPH); /* with it, the nodes inside graphs would vanish */
	return kinds;
}

static void tell_session(struct recorder *r)
{
	pthread_mutex_lock(&r->out.lock);
	if (output_is_open(&r->out)) {
		output_session(&r->out, r->kinds);
		if (r->kinds)
			output_retell(&r->out);
		if (r->driver_is_up)
			atomic_store(&r->out.ring.header->late, 1);
	}
	pthread_mutex_unlock(&r->out.lock);
}

static void disable_all(struct recorder *r)
{
	kinds_disable(&r->cupti, r->kinds);
	promise_zeros(r, 0);
	r->kinds = 0;
}

/* What is recorded already and stays wanted goes on without a moment's pause. */
static bool enable_recording(struct recorder *r, uint32_t kinds)
{
	cupti_result code = CUPTI_OK;
	uint32_t kept = r->kinds & kinds;
	if (r->kinds != kept)
		kinds_disable(&r->cupti, r->kinds & ~kept);
	promise_zeros(r, 1);
	uint32_t enabled = kept | kinds_enable(&r->cupti, kinds & ~kept, r->driver_is_up, &code);
	if (!enabled) {
		r->kinds = kinds;
		disable_all(r);
		release(r);
		return refuse(r, "cuptiActivityEnable", code);
	}
	r->kinds = enabled;
	set_state(r, WIRE_STATE_RECORDING, code, code ? "some kinds are not available here" : "");
	return true;
}

bool recorder_start(struct recorder *r, uint32_t kinds)
{
	if (!r->cupti.handle)
		return false;
	if (r->state == WIRE_STATE_TAKEN)
		release(r); /* so that our callbacks are registered anew */
	if (!subscribe(r) || !enable_recording(r, wanted_kinds(r, kinds))) {
		recorder_publish(r);
		return false;
	}
	r->quiet_since_ns = clock_ns(CLOCK_MONOTONIC);
	tell_session(r);
	recorder_publish(r);
	return true;
}

/* All buffers CUPTI gave back are decoded, or it took too long. */
static void drain(void)
{
	struct timespec ms = {0, 1000000};
	for (int i = 0; i < DRAIN_MAX_MS && atomic_load(&pool.done) < atomic_load(&pool.pushed); i++)
		nanosleep(&ms, NULL);
}

static void flush(struct recorder *r, uint32_t forced)
{
	uint64_t from_ns = clock_ns(CLOCK_MONOTONIC);
	r->cupti.flush_all(forced);
	uint64_t took_ns = clock_ns(CLOCK_MONOTONIC) - from_ns;
	pthread_mutex_lock(&r->out.lock);
	if (output_is_open(&r->out)) {
		atomic_fetch_add(&r->out.ring.header->flush_ns, took_ns);
		atomic_fetch_add(&r->out.ring.header->flushes, 1);
	}
	pthread_mutex_unlock(&r->out.lock);
}

static void tell_lost(struct recorder *r)
{
	size_t n = 0;
	if (r->cupti.dropped(NULL, 0, &n) || !n)
		return;
	pthread_mutex_lock(&r->out.lock);
	if (output_is_open(&r->out))
		output_lost(&r->out, n);
	pthread_mutex_unlock(&r->out.lock);
}

static void end_recording(struct recorder *r)
{
	disable_all(r);
	pthread_mutex_lock(&r->out.lock);
	r->convert.stopped_ns = clock_ns(CLOCK_REALTIME);
	pthread_mutex_unlock(&r->out.lock);
	flush(r, 1);
	drain();
	tell_lost(r);
	pthread_mutex_lock(&r->out.lock);
	r->convert.stopped_ns = 0;
	pthread_mutex_unlock(&r->out.lock);
	tell_session(r);
}

void recorder_stop(struct recorder *r)
{
	if (!r->kinds)
		return;
	end_recording(r);
	if (r->settings->yield)
		release(r);
	if (r->state == WIRE_STATE_RECORDING)
		be_idle(r);
	recorder_publish(r);
}

void recorder_detach(struct recorder *r)
{
	recorder_stop(r);
	release(r);
	if (r->state == WIRE_STATE_ARMED)
		be_idle(r);
	recorder_publish(r);
}

/* ---- while recording ---- */

/* CUPTI forgets what ails it when it is left and taken again; the frames show the pause. */
static void rest(struct recorder *r)
{
	uint32_t kinds = r->kinds;
	end_recording(r);
	release(r);
	r->rearmed++;
	r->rested_ns = clock_ns(CLOCK_MONOTONIC);
	recorder_start(r, kinds);
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

static void tell_clock(struct recorder *r)
{
	uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
	if (now_ns - r->clock_told_ns < clock_every_ns)
		return;
	r->clock_told_ns = now_ns;
	pthread_mutex_lock(&r->out.lock);
	if (output_is_open(&r->out))
		output_clock(&r->out);
	pthread_mutex_unlock(&r->out.lock);
}

/* Another client's cuptiActivityRegisterCallbacks silently replaces ours. When nothing arrived for a while, count
 * launches for a moment: launches without buffers mean that somebody else gets the records. */
static void watch_launches(struct recorder *r, bool on)
{
	static const uint32_t cbids[] = {307, 442, 514,
					 515, 652, 653}; /* cuLaunchKernel, cuGraphLaunch, cuLaunchKernelEx */
	for (size_t i = 0; i < sizeof cbids / sizeof *cbids; i++)
		r->cupti.enable_callback(on, r->subscriber, CUPTI_DOMAIN_DRIVER, cbids[i]);
	r->watching = on;
	if (on)
		r->launches_then = atomic_load(&launches);
}

static bool was_taken_over(struct recorder *r)
{
	uint64_t now_ns = clock_ns(CLOCK_MONOTONIC), buffers = atomic_load(&pool.pushed);
	if (buffers != r->buffers_then) {
		r->buffers_then = buffers;
		r->quiet_since_ns = now_ns;
	}
	bool quiet = now_ns - r->quiet_since_ns > quiet_alarm_ns;
	if (r->watching && (!quiet || now_ns - r->quiet_since_ns > quiet_alarm_ns + launches_counted_ns)) {
		watch_launches(r, false);
		if (quiet && atomic_load(&launches) > r->launches_then)
			return true;
		r->quiet_since_ns = now_ns;
	} else if (!r->watching && quiet)
		watch_launches(r, true);
	return false;
}

void recorder_tick(struct recorder *r)
{
	tell_clock(r);
	settle(r);
	if (r->kinds) {
		flush(r, 0);
		tell_lost(r);
		if (needs_rest(r))
			rest(r);
		else if (was_taken_over(r)) {
			r->kinds = 0; /* CUPTI is the other's now: not ours to switch off */
			promise_zeros(r, 0);
			set_state(r, WIRE_STATE_TAKEN, 0, "another client of CUPTI receives the records");
			tell_session(r);
		}
	}
	recorder_publish(r);
}

void recorder_finish(struct recorder *r)
{
	if (r->kinds)
		end_recording(r);
	set_state(r, WIRE_STATE_ENDED, 0, "");
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
		atomic_store(&r->out.ring.header->decode_ns, thread_cpu_ns());
	pthread_mutex_unlock(&r->out.lock);
}

void *recorder_decode_forever(void *recorder)
{
	struct recorder *r = recorder;
	uint8_t *buffer;
	size_t valid_bytes;
	for (;;) {
		while (sem_wait(&pool.wake) && errno == EINTR)
			continue;
		while (pool_pop(&pool, &buffer, &valid_bytes)) {
			raw_write(r->settings->raw, &r->cupti, buffer, valid_bytes);
			decode_one(r, buffer, valid_bytes);
			pool_give_back(&pool, buffer, valid_bytes);
		}
	}
	return NULL;
}
