/* tests/live/standin_libcupti.c - a stand-in for libcupti, so that live mode can be tested without a GPU.
 * It fills activity buffers from what the stand-in driver reports, with the layout of the real records, and can be told
 * to misbehave. It proves our code, not CUPTI: nothing measured with it is a statement about CUPTI.
 *   STANDIN_CUPTI_VERSION  what cuptiGetVersion says (130001)
 *   STANDIN_NO_VERSION     cuptiGetVersion refuses
 *   STANDIN_HOLDER         another client of this name holds the process
 *   STANDIN_REFUSE         subscribing fails with this result
 *   STANDIN_FLUSH_MS       cuptiActivityFlushAll takes so long
 *   STANDIN_ZERO_AFTER     kernels after the n-th have no times, until the next subscription
 *   STANDIN_TAKEN_AFTER    records after the n-th kernel go to somebody else
 *   STANDIN_KERNEL_US      kernels last so long, and a buffer with one in flight is withheld (see is_paced)
 *   STANDIN_KEEPS          while this file exists, forced flushes leave the last buffer behind
 *   STANDIN_DROP           so many records are reported lost at the first question
 *   STANDIN_LATE_BUFFER    1: a buffer is delivered 50 ms after unsubscribing
 *   STANDIN_BAD_KIND       1: a record of an unknown kind ends the first buffer
 *   STANDIN_TELL           file that receives a line for each call that changes something
 *   STANDIN_TID_REFUSE     cuptiSetThreadIdType refuses
 *   STANDIN_CLOCK          "other": times lie an hour after the wall clock's; "ticks": they count something else than ns
 *   STANDIN_LACKS          kind that cannot be enabled
 *   STANDIN_NO_NVTX        cuptiNvtxInitialize2 does nothing
 *   STANDIN_REPLAY         file of recorded buffers, delivered at the first flush instead of anything else
 * Built with STANDIN_MINOR=2 or 3 it is one of those that turn to the driver before anything else: see driver_or_not.
 * A request for a buffer that is answered with NULL kills the process below version 27, as it did then. So does a promise of
 * zeroed buffers that is broken, or still stands when nothing is recorded: other clients' buffers would be taken for zeroed. */
#include "standin_cupti.h"
#include <dlfcn.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct standin_state state = {
	.lock = PTHREAD_MUTEX_INITIALIZER, .work = PTHREAD_COND_INITIALIZER, .idle = PTHREAD_COND_INITIALIZER};
_Atomic uint32_t subscribed;
_Atomic int thread_id_type;
_Atomic bool enabled[MAX_KIND], driver_call[MAX_CBID], watched_call[MAX_CBID], watched_contexts, zeros_promised;

long told(const char *name, long otherwise)
{
	const char *value = getenv(name);
	return value && *value ? atol(value) : otherwise;
}

uint32_t version(void)
{
	static _Atomic uint32_t known;
	if (!known)
		known = (uint32_t)told("STANDIN_CUPTI_VERSION", 130001);
	return known;
}

uint64_t now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t stamp(uint64_t ns)
{
	const char *clock = getenv("STANDIN_CLOCK");
	if (!clock || !ns)
		return ns;
	return strcmp(clock, "ticks") ? ns - 3600000000000u : ns / 10 * 21;
}

void see_that_driver_is_up(void)
{
	if (phase() == STANDIN_STARTING)
		abort();
}

void tell(const char *format, ...)
{
	const char *path = getenv("STANDIN_TELL");
	FILE *f = path ? fopen(path, "ae") : NULL;
	va_list ap;
	if (!f)
		return;
	va_start(ap, format);
	vfprintf(f, format, ap);
	va_end(ap);
	fputc('\n', f);
	fclose(f);
}

/* ---- replay ---- */

static uint64_t *pointer_in(uint8_t *r, unsigned which)
{
	static const struct {
		uint32_t kind, offset[2];
	} fields[] = {{CUPTI_KIND_KERNEL, {104, 0}},
		      {CUPTI_KIND_MARKER, {40, 48}},
		      {CUPTI_KIND_MEMORY, {64, 0}},
		      {CUPTI_KIND_NAME, {24, 0}},
		      {CUPTI_KIND_DEVICE, {136, 0}}};
	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
		if (fields[i].kind == cupti_kind_of(r) && fields[i].offset[which])
			return (uint64_t *)(void *)(r + fields[i].offset[which]);
	return NULL;
}

static struct {
	uint64_t was;
	char *text;
} texts[65536];
static unsigned n_texts;

static void point_to_text(uint64_t *pointer)
{
	uint64_t was = pointer ? *pointer : 0;
	for (unsigned i = n_texts; was && i-- > 0;)
		if (texts[i].was == was) {
			*pointer = (uintptr_t)texts[i].text;
			return;
		}
	if (was)
		*pointer = 0;
}

/* Times of a recording lie in the past; they are moved so that the first one seen is now. */
static void move_times(uint8_t *r)
{
	static const struct {
		uint32_t kind, offset[2];
	} times[] = {{CUPTI_KIND_KERNEL, {16, 24}},         {CUPTI_KIND_MEMCPY, {16, 24}},
		     {CUPTI_KIND_MEMCPY_PEER, {16, 24}},    {CUPTI_KIND_MEMSET, {16, 24}},
		     {CUPTI_KIND_DRIVER, {8, 16}},          {CUPTI_KIND_RUNTIME, {8, 16}},
		     {CUPTI_KIND_INTERNAL_LAUNCH, {8, 16}}, {CUPTI_KIND_SYNC, {8, 16}},
		     {CUPTI_KIND_OVERHEAD, {24, 32}},       {CUPTI_KIND_MARKER, {8, 0}},
		     {CUPTI_KIND_MEMORY, {32, 0}},          {CUPTI_KIND_GRAPH, {8, 16}}};
	static uint64_t shift;
	for (size_t i = 0; i < sizeof times / sizeof *times; i++)
		for (int k = 0; k < 2 && times[i].kind == cupti_kind_of(r) && times[i].offset[k]; k++) {
			uint64_t *t = (uint64_t *)(void *)(r + times[i].offset[k]);
			if (*t && !shift)
				shift = now_ns() - *t;
			*t += *t ? shift : 0;
		}
}

static void replay_buffer(uint8_t *block, size_t n)
{
	uint8_t *buffer;
	size_t size, max_records;
	state.request(&buffer, &size, &max_records);
	if (!buffer || size < n) {
		state.lost++;
		return;
	}
	memcpy(buffer, block, n);
	for (size_t at = 0; at < n && record_bytes(cupti_kind_of(buffer + at));
	     at += record_bytes(cupti_kind_of(buffer + at))) {
		move_times(buffer + at);
		point_to_text(pointer_in(buffer + at, 0));
		point_to_text(pointer_in(buffer + at, 1));
	}
	state.complete(NULL, 0, buffer, size, n);
}

static void replay(const char *path)
{
	struct {
		uint32_t type, bytes;
		uint64_t value;
	} head;
	FILE *f = fopen(path, "rb");
	static uint8_t block[4 << 20];
	if (!f || fread(block, 1, 16, f) != 16 || memcmp(block, "stepraw1", 8))
		abort();
	while (fread(&head, sizeof head, 1, f) == 1 && head.bytes < sizeof block &&
	       fread(block, 1, (head.bytes + 7) & ~7u, f) == ((head.bytes + 7) & ~7u)) {
		if (head.type == 2) {
			texts[n_texts].was = head.value;
			texts[n_texts++].text = strndup((char *)block, head.bytes);
		} else
			replay_buffer(block, head.bytes);
	}
	fclose(f);
}

/* ---- CUPTI's functions ---- */

static void see_that_promise_ended(void)
{
	bool any = false;
	for (int kind = 0; kind < MAX_KIND; kind++)
		any = any || enabled[kind];
	if (zeros_promised && !any)
		abort();
}

#ifdef STANDIN_MINOR
/* Measured with the wheels of 13.2 (.23, .75, .86) and of 13.3 to 13.5: whichever function is called first looks for libcuda's
 * cuGetExportTable. When it is not there, or is that of the toolkit's stub, 13.2 calls itself until the stack ends; later ones
 * refuse everything with 999 and have no words for it. */
int driver_or_not(void)
{
	void *driver = dlopen("libcuda.so.1", RTLD_LAZY);
	bool works = driver && dlsym(driver, "cuGetExportTable");
	if (!works && STANDIN_MINOR == 2)
		raise(SIGSEGV);
	return works ? CUPTI_OK : CUPTI_UNKNOWN;
}

EXPORT(cuptiActivityGetStructSize, (int kind, uint32_t v, size_t *bytes))
{
	*bytes = v ? record_bytes((uint32_t)kind) : 0;
	return driver_or_not();
}
#if STANDIN_MINOR > 2
EXPORT(cuptiGetTimestamp_v2, (void))
{
	return driver_or_not();
}
#endif
#else
int driver_or_not(void)
{
	return CUPTI_OK;
}
#endif

/* The next client registers its own callbacks and gets what is left, to free() it: PyTorch's and XLA's do. */
static void see_that_nothing_is_held(void)
{
	if (told("STANDIN_KEEPS", 0) && state.buffer)
		abort();
}

EXPORT(cuptiGetVersion, (uint32_t * v))
{
	int result = getenv("STANDIN_NO_VERSION") ? CUPTI_UNKNOWN : driver_or_not();
	if (!result)
		*v = version();
	return result;
}

EXPORT(cuptiGetResultString, (int result, const char **text))
{
	if (driver_or_not())
		return CUPTI_UNKNOWN;
	*text = result == 39 ? "CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED"
		: result     ? "CUPTI_ERROR_STANDIN"
			     : "CUPTI_SUCCESS";
	return 0;
}

EXPORT(cuptiGetTimestamp, (uint64_t * t))
{
	*t = stamp(now_ns());
	return 0;
}

EXPORT(cuptiSubscribe, (void **subscriber, callback_function *f, void *user))
{
	see_that_driver_is_up();
	if (getenv("STANDIN_HOLDER") || atomic_exchange(&subscribed, 1))
		return CUPTI_MULTIPLE_SUBSCRIBERS;
	if (told("STANDIN_REFUSE", 0)) {
		subscribed = 0;
		return (int)told("STANDIN_REFUSE", 0);
	}
	state.callback = f;
	state.callback_user = user;
	state.kernels = 0;
	*subscriber = &state;
	join_driver(true);
	return 0;
}

struct subscribe_params {
	size_t struct_size;
	const char *name;
	char *old_name;
	size_t old_size;
};
EXPORT(cuptiSubscribe_v2, (void **subscriber, callback_function *f, void *user, struct subscribe_params *p))
{
	int result = cuptiSubscribe(subscriber, f, user);
	const char *holder = getenv("STANDIN_HOLDER");
	if (result && holder && p && p->old_name)
		snprintf(p->old_name, p->old_size, "%s", holder);
	return result;
}

static void *deliver_late(void *unused)
{
	uint8_t *buffer = NULL;
	size_t size, max_records;
	(void)unused;
	usleep(50000);
	state.request(&buffer, &size, &max_records);
	if (buffer)
		state.complete(NULL, 0, buffer, size, 0);
	return NULL;
}

EXPORT(cuptiUnsubscribe, (void *subscriber))
{
	pthread_t late;
	if (subscriber != &state || !atomic_exchange(&subscribed, 0))
		return 1;
	see_that_promise_ended();
	see_that_nothing_is_held();
	join_driver(false);
	if (told("STANDIN_LATE_BUFFER", 0) && !pthread_create(&late, NULL, deliver_late, NULL))
		pthread_detach(late);
	return 0;
}

EXPORT(cuptiEnableCallback, (uint32_t on, void *subscriber, int domain, uint32_t cbid))
{
	if (subscriber == &state && domain == CUPTI_DOMAIN_RESOURCE && cbid == CUPTI_CONTEXT_CREATED) {
		watched_contexts = on;
		return 0;
	}
	if (subscriber != &state || domain != CUPTI_DOMAIN_DRIVER || cbid >= MAX_CBID)
		return 1;
	watched_call[cbid] = on;
	return 0;
}

EXPORT(cuptiActivityEnable, (int kind))
{
	uint8_t bad[8] = {0xee, 0x02};
	if (kind <= 0 || kind >= MAX_KIND)
		return CUPTI_INVALID_KIND;
	see_that_driver_is_up();
	tell("enable %d", kind);
	if (told("STANDIN_LACKS", 0) == kind)
		return 14; /* not compatible */
	enabled[kind] = true;
	/* the driver tells its devices while it starts up, and a context its default stream */
	if (kind == CUPTI_KIND_DEVICE)
		emit_device();
	if (kind == CUPTI_KIND_STREAM)
		emit_stream();
	if (kind == CUPTI_KIND_KERNEL && told("STANDIN_BAD_KIND", 0))
		emit(bad, sizeof bad);
	return 0;
}

EXPORT(cuptiActivityEnableAndDump, (int kind))
{
	return cuptiActivityEnable(kind);
}

EXPORT(cuptiActivityDisable, (int kind))
{
	see_that_driver_is_up();
	tell("disable %d", kind);
	if (kind > 0 && kind < MAX_KIND)
		enabled[kind] = false;
	return 0;
}

#ifndef STANDIN_OLD /* a switch for each call: from 12.5 on */
EXPORT(cuptiActivityEnableDriverApi, (uint32_t cbid, uint8_t on))
{
	if (cbid == 600) /* cuMemFreeAsync: one that refuses must not spoil the rest */
		return 1;
	driver_call[cbid % MAX_CBID] = on;
	return 0;
}
#endif

EXPORT(cuptiActivityRegisterCallbacks, (request_function * request, complete_function *complete))
{
	state.request = request;
	state.complete = complete;
	return 0;
}

EXPORT(cuptiActivityGetNextRecord, (uint8_t * buffer, size_t valid, uint8_t **record))
{
	size_t at = *record ? (size_t)(*record - buffer) + record_bytes(cupti_kind_of(*record)) : 0;
	if (at + 4 > valid)
		return CUPTI_MAX_LIMIT_REACHED;
	size_t n = record_bytes(cupti_kind_of(buffer + at));
	if (!n)
		return CUPTI_INVALID_KIND;
	if (at + n > valid)
		return CUPTI_MAX_LIMIT_REACHED;
	*record = buffer + at;
	return 0;
}

static bool keeps_last(void)
{
	const char *file = getenv("STANDIN_KEEPS");
	return file && access(file, F_OK) == 0;
}

EXPORT(cuptiActivityFlushAll, (uint32_t forced))
{
	static _Atomic bool replayed;
	const char *file = getenv("STANDIN_REPLAY");
	see_that_promise_ended();
	see_that_driver_is_up();
	tell("flush %u", forced);
	if (phase() == STANDIN_OVER) /* nothing to fetch from any more */
		return CUPTI_UNKNOWN;
	usleep((useconds_t)told("STANDIN_FLUSH_MS", 0) * 1000);
	if (file && !atomic_exchange(&replayed, true))
		replay(file);
	pthread_mutex_lock(&state.lock);
	void *to = forced && state.has_forever ? append(kernel_bytes()) : NULL;
	if (to) {
		memcpy(to, state.forever, kernel_bytes());
		state.has_forever = false;
	}
	if (!forced ? state.until_ns <= now_ns() : !keeps_last())
		hand_over();
	state.forced = forced;
	pthread_cond_signal(&state.work);
	while (deliverable() || state.delivering)
		pthread_cond_wait(&state.idle, &state.lock);
	state.forced = false;
	pthread_mutex_unlock(&state.lock);
	return 0;
}

EXPORT(cuptiActivityGetNumDroppedRecords, (void *context, uint32_t stream, size_t *n))
{
	static _Atomic bool asked;
	(void)context, (void)stream;
	pthread_mutex_lock(&state.lock);
	*n = state.lost + (atomic_exchange(&asked, true) ? 0 : (size_t)told("STANDIN_DROP", 0));
	state.lost = 0;
	pthread_mutex_unlock(&state.lock);
	return 0;
}

EXPORT(cuptiActivitySetAttribute, (int attribute, size_t *size, void *value))
{
	if (attribute == CUPTI_ATTR_ZEROED_BUFFERS && size && *size == 1 && value)
		zeros_promised = *(const uint8_t *)value;
	return attribute < 0 || !size || !value;
}

EXPORT(cuptiSetThreadIdType, (int type))
{
	if (told("STANDIN_TID_REFUSE", 0))
		return 27; /* not supported */
	tell("thread ids %d", type);
	thread_id_type = type;
	return 0;
}

EXPORT(cuptiGetThreadIdType, (int *type))
{
	*type = thread_id_type;
	return 0;
}

EXPORT(cuptiGetCallbackName, (int domain, uint32_t cbid, const char **name))
{
	static const struct {
		uint32_t cbid;
		const char *name;
	} names[] = {{1, "cuInit"},
		     {3, "cuDeviceGet"},
		     {17, "cuCtxSynchronize"},
		     {121, "cuEventSynchronize"},
		     {126, "cuStreamSynchronize"},
		     {216, "cuMemsetD8Async"},
		     {243, "cuMemAlloc_v2"},
		     {245, "cuMemFree_v2"},
		     {277, "cuMemcpyHtoDAsync_v2"},
		     {279, "cuMemcpyDtoHAsync_v2"},
		     {281, "cuMemcpyDtoDAsync_v2"},
		     {295, "cuStreamWaitEvent"},
		     {307, "cuLaunchKernel"},
		     {514, "cuGraphLaunch"},
		     {598, "cuMemAllocAsync"},
		     {600, "cuMemFreeAsync"}};
	for (size_t i = 0; domain == CUPTI_DOMAIN_DRIVER && i < sizeof names / sizeof *names; i++)
		if (names[i].cbid == cbid) {
			*name = names[i].name;
			return 0;
		}
	return 1;
}
