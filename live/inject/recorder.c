#include "recorder_private.h"
#include "live/inject/base/log.h"
#include "live/inject/base/process.h"
#include "live/inject/cupti/driver.h"
#include "live/inject/cupti/kinds.h"
#include <errno.h>
#include <unistd.h>

enum { DRAIN_MAX_MS = 1000, CUPTI_WITH_END_OF_BUFFERS_BUG = 130001 };
static const uint64_t default_window_records = 16000000; /* the bug was seen at 25 million */
static const uint64_t settle_ns = 1000000000u;

struct pool recorder_pool;
_Atomic uint64_t recorder_launches;

static void on_request(uint8_t **buffer, size_t *size, size_t *max_records)
{
	*buffer = pool_take(&recorder_pool);
	*size = *buffer ? POOL_BUFFER_BYTES : 0;
	*max_records = 0;
}

static void on_complete(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid_size)
{
	(void)context, (void)stream, (void)size;
	if (buffer)
		pool_push(&recorder_pool, buffer, valid_size);
}

static void on_call(void *user, int domain, uint32_t cbid, const void *data)
{
	struct recorder *r = user;
	(void)cbid, (void)data;
	if (domain != CUPTI_DOMAIN_RESOURCE)
		atomic_fetch_add_explicit(&recorder_launches, 1, memory_order_relaxed);
	else if (r && !atomic_exchange(&r->has_context, true) && r->on_context)
		r->on_context();
}

/* ---- state ---- */

void recorder_set_state(struct recorder *r, enum wire_state state, cupti_result code, const char *text)
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
	recorder_set_state(r, WIRE_STATE_FAILED, code, text);
	return false;
}

static void be_idle(struct recorder *r)
{
	recorder_set_state(r, r->subscriber ? WIRE_STATE_ARMED : WIRE_STATE_YIELDED, CUPTI_OK, "");
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
	recorder_set_state(r, WIRE_STATE_BUSY, CUPTI_MULTIPLE_SUBSCRIBERS, holder);
	return false;
}

void recorder_release(struct recorder *r)
{
	if (!r->subscriber)
		return;
	takeover_end(&r->takeover, &r->cupti, r->subscriber);
	r->cupti.unsubscribe(r->subscriber);
	r->subscriber = NULL;
}

static bool subscribe(struct recorder *r)
{
	if (r->subscriber)
		return true;
	cupti_result code = r->cupti.subscribe(&r->subscriber, on_call, r);
	if (code) {
		r->subscriber = NULL;
		return code == CUPTI_MULTIPLE_SUBSCRIBERS ? report_holder(r) : refuse(r, "cuptiSubscribe", code);
	}
	if ((code = r->cupti.register_callbacks(on_request, on_complete))) {
		recorder_release(r);
		return refuse(r, "cuptiActivityRegisterCallbacks", code);
	}
	if (!atomic_load(&r->has_context))
		r->cupti.enable_callback(1, r->subscriber, CUPTI_DOMAIN_RESOURCE, CUPTI_CONTEXT_CREATED);
	be_idle(r);
	return true;
}

/* Things that must be said before the first context exists. Refusals only cost comfort. */
static void prepare(struct recorder *r)
{
	if (r->cupti.all_sync_records)
		r->cupti.all_sync_records(0); /* polls of events that are not ready yet: many, and no waiting */
	if (r->settings->latency && r->cupti.latency_timestamps)
		r->cupti.latency_timestamps(1);
	r->rest_at = r->settings->window_records;
	if (!r->rest_at && r->cupti.number >= 130000 && r->cupti.number <= CUPTI_WITH_END_OF_BUFFERS_BUG)
		r->rest_at = default_window_records;
	recorder_pool.sacrifice = r->cupti.number < CUPTI_NULL_BUFFER_VERSION;
}

void recorder_init(struct recorder *r, const struct settings *s)
{
	char why[WIRE_TEXT_BYTES];
	r->settings = s;
	r->convert = (struct convert){.cupti = &r->cupti, .out = &r->out};
	if (!output_init(&r->out) || !pool_init(&recorder_pool)) {
		recorder_set_state(r, WIRE_STATE_FAILED, 0, "no memory for buffers");
		return;
	}
	if (!cupti_load(&r->cupti, s->cupti, true, why, sizeof why)) {
		recorder_set_state(r, WIRE_STATE_NO_CUPTI, 0, why);
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

uint64_t recorder_thread_ns(void)
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
		atomic_store(&h->kinds, recorder_kinds(r));
		atomic_store(&h->state, r->state);
		atomic_store(&h->heartbeat_ns, clock_ns(CLOCK_MONOTONIC));
		if (r->is_injected) /* before, this is a thread of the target */
			atomic_store(&h->control_ns, recorder_thread_ns());
		atomic_store(&h->buffers_in_use, atomic_load(&recorder_pool.in_use));
		atomic_store(&h->buffers_denied, atomic_load(&recorder_pool.denied));
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
	if (kinds == WIRE_DEFAULT_KINDS && !r->cupti.enable_driver_api)
		kinds &= ~(
			1u
			<< WIRE_DRIVER); /* before 12.5 it is every call or none; every call costs too much to be a default */
	if (r->settings->whole_graphs)
		kinds |= 1u << WIRE_GRAPH;
	else if (kinds & 1u << WIRE_KERNEL)
		kinds &= ~(1u << WIRE_GRAPH); /* with it, the nodes inside graphs would vanish */
	return kinds;
}

void recorder_tell_session(struct recorder *r)
{
	pthread_mutex_lock(&r->out.lock);
	if (output_is_open(&r->out)) {
		output_session(&r->out, r->kinds);
		if (r->kinds)
			output_retell(&r->out);
		if (r->is_injected)
			atomic_store(&r->out.ring.header->late, 1);
	}
	pthread_mutex_unlock(&r->out.lock);
}

static void disable_all(struct recorder *r)
{
	kinds_disable(&r->cupti, r->kinds);
	shared_promise_zeros(&r->cupti, false);
	shared_give_back(&r->shared, &r->cupti);
	r->kinds = 0;
}

static void set_behind(struct recorder *r)
{
	pthread_mutex_lock(&r->out.lock);
	r->convert.behind_ns = r->shared.behind_ns;
	pthread_mutex_unlock(&r->out.lock);
}

/* NULL, or what there is to say about the times to come; *usable: whether they are times. */
static const char *check_clock(struct recorder *r, bool *usable)
{
	enum shared_clock clock = shared_clock(&r->shared, &r->cupti);
	*usable = clock != SHARED_CLOCK_NO_NS;
	set_behind(r);
	return clock == SHARED_CLOCK_OTHER ? "another clock than the system's is in CUPTI; its times are converted"
					   : NULL;
}

/* What is recorded already and stays wanted goes on without a moment's pause. */
static bool enable_recording(struct recorder *r, uint32_t kinds)
{
	cupti_result code = CUPTI_OK;
	uint32_t kept = r->kinds & kinds;
	bool usable = true;
	const char *remark = r->kinds ? NULL : check_clock(r, &usable);
	if (!usable) {
		recorder_set_state(r, WIRE_STATE_FAILED, 0,
				   "another client of CUPTI (a profiler of the framework) has put a clock of its own "
				   "in, which does not "
				   "count nanoseconds; start the program anew without that profiler");
		return false;
	}
	if (r->kinds != kept)
		kinds_disable(&r->cupti, r->kinds & ~kept);
	shared_take(&r->shared, &r->cupti);
	shared_promise_zeros(&r->cupti, true);
	uint32_t enabled = kept | kinds_enable(&r->cupti, kinds & ~kept, r->is_injected, &code);
	if (!enabled) {
		r->kinds = kinds;
		disable_all(r);
		recorder_release(r);
		return refuse(r, "cuptiActivityEnable", code);
	}
	r->kinds = enabled;
	recorder_set_state(r, WIRE_STATE_RECORDING, code,
			   code                        ? "some kinds are not available here"
			   : remark                    ? remark
			   : !r->shared.has_thread_ids ? "CUPTI refuses to name threads as the system does"
						       : "");
	return true;
}

/* Kinds that were still on when another client took over: their records would never be fetched. */
static void leave_nothing_on(struct recorder *r)
{
	kinds_disable(&r->cupti, r->left_on);
	shared_give_back(&r->shared, &r->cupti);
	r->left_on = 0;
}

bool recorder_start_now(struct recorder *r, uint32_t kinds)
{
	r->wish = RECORDER_WISH_NONE;
	r->is_leaving = false;
	r->leave_tries = 0;
	if (r->left_on) {
		leave_nothing_on(r);
		recorder_release(r); /* so that our callbacks are registered anew */
	}
	if (!subscribe(r) || !enable_recording(r, kinds)) {
		recorder_publish(r);
		return false;
	}
	takeover_begin(&r->takeover, &recorder_pool, clock_ns(CLOCK_MONOTONIC));
	recorder_tell_session(r);
	recorder_publish(r);
	return true;
}

/* All buffers CUPTI gave back are decoded, or it took too long. */
static void drain(void)
{
	struct timespec ms = {0, 1000000};
	for (int i = 0; i < DRAIN_MAX_MS && atomic_load(&recorder_pool.done) < atomic_load(&recorder_pool.pushed); i++)
		nanosleep(&ms, NULL);
}

void recorder_flush(struct recorder *r, uint32_t forced)
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

void recorder_tell_lost(struct recorder *r)
{
	size_t n = 0;
	if (r->cupti.dropped(NULL, 0, &n) || !n)
		return;
	pthread_mutex_lock(&r->out.lock);
	if (output_is_open(&r->out))
		output_lost(&r->out, n);
	pthread_mutex_unlock(&r->out.lock);
}

void recorder_end(struct recorder *r)
{
	disable_all(r);
	pthread_mutex_lock(&r->out.lock);
	r->convert.stopped_ns = clock_ns(CLOCK_REALTIME);
	pthread_mutex_unlock(&r->out.lock);
	recorder_flush(r, 1);
	drain();
	recorder_tell_lost(r);
	pthread_mutex_lock(&r->out.lock);
	r->convert.stopped_ns = r->convert.zero_stamps = 0;
	pthread_mutex_unlock(&r->out.lock);
	recorder_tell_session(r);
}

/* A buffer that CUPTI still holds would go to the callbacks of the next client, which would free() it: as long as there is
 * one, the place stays ours. */
void recorder_leave(struct recorder *r)
{
	if (pool_out(&recorder_pool)) {
		recorder_flush(r, 1);
		drain();
	}
	r->is_leaving = pool_out(&recorder_pool);
	if (r->is_leaving)
		recorder_set_state(r, WIRE_STATE_ARMED, CUPTI_OK,
				   "CUPTI still holds a buffer of ours and is kept for its sake");
	else {
		recorder_release(r);
		if (r->state == WIRE_STATE_ARMED || r->state == WIRE_STATE_RECORDING)
			be_idle(r);
	}
}

static void stop_now(struct recorder *r)
{
	r->wish = RECORDER_WISH_NONE;
	if (!r->kinds && !r->left_on)
		return;
	if (r->left_on)
		leave_nothing_on(r);
	else
		recorder_end(r);
	if (r->state == WIRE_STATE_RECORDING || r->state == WIRE_STATE_TAKEN)
		be_idle(r);
	if (r->settings->yield)
		recorder_leave(r);
	recorder_publish(r);
}

static void detach_now(struct recorder *r)
{
	stop_now(r);
	recorder_leave(r);
	recorder_publish(r);
}

/* ---- what is asked for while the driver starts up ---- */

/* NVIDIA's samples enable kinds inside InitializeInjection, on the thread that starts the driver up (cupti_trace_injection), or
 * once it is up. From another thread in between nothing is asked of CUPTI: not before the first context exists, or, should the
 * program make none for a while, some time after cuInit. Without a subscription nothing tells of contexts: cuInit has to do. */
static bool is_up(struct recorder *r)
{
	if (!r->is_injected || r->is_settled || atomic_load(&r->has_context))
		return true;
	if (!driver_is_initialised())
		return false;
	uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
	if (!r->initialised_ns)
		r->initialised_ns = now_ns;
	r->is_settled = r->is_settled || !r->subscriber || now_ns - r->initialised_ns > settle_ns;
	return r->is_settled;
}

bool recorder_may_flush(struct recorder *r)
{
	return is_up(r);
}

static bool put_off(struct recorder *r, enum recorder_wish wish, uint32_t kinds)
{
	if (!r->cupti.handle || is_up(r))
		return false;
	r->wish = wish;
	r->wished_kinds = kinds;
	return true;
}

bool recorder_start(struct recorder *r, uint32_t asked)
{
	uint32_t kinds = wanted_kinds(r, asked);
	if (!r->cupti.handle)
		return false;
	if (!put_off(r, RECORDER_WISH_START, kinds))
		return recorder_start_now(r, kinds);
	recorder_set_state(r, WIRE_STATE_RECORDING, CUPTI_OK, "begins once the driver has started up");
	recorder_publish(r);
	return true;
}

void recorder_stop(struct recorder *r)
{
	if (r->wish == RECORDER_WISH_DETACH)
		return;
	if (!r->kinds && r->wish) {
		r->wish = RECORDER_WISH_NONE;
		be_idle(r);
	} else if (!r->kinds || !put_off(r, RECORDER_WISH_STOP, 0))
		stop_now(r);
}

void recorder_detach(struct recorder *r)
{
	if (!put_off(r, RECORDER_WISH_DETACH, 0))
		detach_now(r);
}

void recorder_fulfil(struct recorder *r)
{
	if (!r->wish || !is_up(r))
		return;
	if (r->wish == RECORDER_WISH_START)
		recorder_start_now(r, r->wished_kinds);
	else if (r->wish == RECORDER_WISH_STOP)
		stop_now(r);
	else
		detach_now(r);
}

bool recorder_is_waiting(const struct recorder *r)
{
	return r->wish;
}

uint32_t recorder_kinds(const struct recorder *r)
{
	return r->wish == RECORDER_WISH_START ? r->wished_kinds : r->kinds;
}
