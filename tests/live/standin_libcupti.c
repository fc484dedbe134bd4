/* tests/live/standin_libcupti.c - a stand-in for libcupti, so that live mode can be tested without a GPU.
 * It fills activity buffers from what the stand-in driver reports, with the layout of the real records, and can be told
 * to misbehave. It proves our code, not CUPTI: nothing measured with it is a statement about CUPTI.
 *   STANDIN_CUPTI_VERSION  what cuptiGetVersion says (130001)
 *   STANDIN_HOLDER         another client of this name holds the process
 *   STANDIN_REFUSE         subscribing fails with this result
 *   STANDIN_FLUSH_MS       cuptiActivityFlushAll takes so long
 *   STANDIN_ZERO_AFTER     kernels behind the n-th have no times, until the next subscription
 *   STANDIN_TAKEN_AFTER    records behind the n-th kernel go to somebody else
 *   STANDIN_DROP           so many records are reported lost at the first question
 *   STANDIN_LATE_BUFFER    1: a buffer is delivered 50 ms after unsubscribing
 *   STANDIN_BAD_KIND       1: a record of an unknown kind ends the first buffer
 *   STANDIN_LACKS          kind that cannot be enabled
 *   STANDIN_NO_NVTX        cuptiNvtxInitialize2 does nothing
 *   STANDIN_REPLAY         file of recorded buffers, delivered at the first flush instead of anything else
 * A request for a buffer that is answered with NULL kills the process below version 27, as it did then. So does a promise of
 * zeroed buffers that is broken, or still stands when nothing is recorded: other clients' buffers would be taken for zeroed. */
#include "../../live/inject/abi.h"
#include "standin.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

typedef void request_function(uint8_t **buffer, size_t *size, size_t *max_records);
typedef void complete_function(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid_size);
typedef void callback_function(void *user, int domain, uint32_t cbid, const void *data);

enum { MAX_KIND = 64, MAX_CBID = 2048, MAX_FULL = 4096 };
struct full {
	uint8_t *buffer;
	size_t size, valid;
};
static struct {
	pthread_mutex_t lock;
	pthread_cond_t work, idle;
	request_function *request;
	complete_function *complete;
	callback_function *callback;
	uint8_t *buffer;
	size_t size, used;
	struct full full[MAX_FULL];
	unsigned n_full, delivering;
	bool has_worker;
	uint64_t kernels, lost;
	uint64_t stream_free_ns[64];
	uint8_t forever[216]; /* a kernel that does not end */
	bool has_forever;
} s = {.lock = PTHREAD_MUTEX_INITIALIZER, .work = PTHREAD_COND_INITIALIZER, .idle = PTHREAD_COND_INITIALIZER};
static _Atomic uint32_t next_corr = 1, subscribed;
static _Atomic bool enabled[MAX_KIND], driver_call[MAX_CBID], watched_call[MAX_CBID], zeros_promised;
static _Thread_local uint64_t entered_ns;

static long told(const char *name, long otherwise)
{
	const char *value = getenv(name);
	return value && *value ? atol(value) : otherwise;
}

static uint32_t version(void)
{
	static _Atomic uint32_t known;
	if (!known)
		known = (uint32_t)told("STANDIN_CUPTI_VERSION", 130001);
	return known;
}

static uint64_t now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* ---- buffers ---- */

static size_t kernel_bytes(void)
{
	uint32_t v = version();
	return v >= 130000 ? 216 : v >= 19 ? 208 : v >= 18 ? 200 : v >= 17 ? 176 : v >= 14 ? 168 : v >= 13 ? 160 : 144;
}

static size_t record_bytes(uint32_t kind)
{
	switch (kind) {
#define SIZE_(RECORD, record, theirs, bytes) \
	case CUPTI_KIND_##RECORD:            \
		return bytes;
		SIZE_(MEMCPY, , , 96)
		SIZE_(MEMSET, , , 88)
		SIZE_(DRIVER, , , 40)
		SIZE_(INTERNAL_LAUNCH, , , 40)
		SIZE_(RUNTIME, , , 40)
		SIZE_(DEVICE, , , 184)
		SIZE_(CONTEXT, , , 32)
		SIZE_(NAME, , , 32)
		SIZE_(MARKER, , , 56)
		SIZE_(MARKER_DATA, , , 40)
		SIZE_(OVERHEAD, , , 56)
		SIZE_(MEMCPY_PEER, , , 96)
		SIZE_(CUDA_EVENT, , , 56)
		SIZE_(STREAM, , , 24)
		SIZE_(SYNC, , , 56)
		SIZE_(EXTERNAL, , , 24)
		SIZE_(MEMORY, , , 128)
		SIZE_(GRAPH, , , 56)
		SIZE_(JIT, , , 72)
	case CUPTI_KIND_KERNEL:
		return kernel_bytes();
	}
	return 0;
}

static void *deliver_forever(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&s.lock);
	for (;;) {
		while (!s.n_full)
			pthread_cond_wait(&s.work, &s.lock);
		struct full f = s.full[0];
		memmove(s.full, s.full + 1, --s.n_full * sizeof f);
		s.delivering++;
		pthread_mutex_unlock(&s.lock);
		s.complete(NULL, 0, f.buffer, f.size, f.valid);
		pthread_mutex_lock(&s.lock);
		s.delivering--;
		pthread_cond_broadcast(&s.idle);
	}
	return NULL;
}

/* Lock held. The current buffer goes to the worker. */
static void hand_over(void)
{
	pthread_t worker;
	if (!s.buffer)
		return;
	if (!s.has_worker) {
		s.has_worker = !pthread_create(&worker, NULL, deliver_forever, NULL);
		pthread_detach(worker);
	}
	if (s.n_full == MAX_FULL)
		abort();
	s.full[s.n_full++] = (struct full){s.buffer, s.size, s.used};
	s.buffer = NULL;
	pthread_cond_signal(&s.work);
}

static void see_to_zeros(uint8_t *buffer, size_t size)
{
	if (!zeros_promised)
		memset(buffer, 0, size);
	for (size_t i = 0; i < size; i++)
		if (buffer[i])
			abort();
}

static void see_that_promise_ended(void)
{
	bool any = false;
	for (int kind = 0; kind < MAX_KIND; kind++)
		any = any || enabled[kind];
	if (zeros_promised && !any)
		abort();
}

/* Lock held. Room for one record; NULL: dropped. */
static void *append(size_t n)
{
	size_t max_records;
	if (s.buffer && s.size - s.used < n)
		hand_over();
	if (!s.buffer && s.request) {
		s.request(&s.buffer, &s.size, &max_records);
		s.used = 0;
		if (!s.buffer && version() < 27)
			abort();
		if (s.buffer && version() >= 27) /* the one that is thrown away serves many */
			see_to_zeros(s.buffer, s.size);
	}
	if (!s.buffer) {
		s.lost++;
		return NULL;
	}
	s.used += n;
	return s.buffer + s.used - n;
}

static bool is_taken(void)
{
	long after = told("STANDIN_TAKEN_AFTER", -1);
	return after >= 0 && s.kernels > (uint64_t)after;
}

static void emit(const void *record, size_t n)
{
	pthread_mutex_lock(&s.lock);
	void *to = is_taken() ? NULL : append(n);
	if (to)
		memcpy(to, record, n);
	pthread_mutex_unlock(&s.lock);
}

#define PUT(record, type, offset, value)                                 \
	do {                                                             \
		type put_ = (type)(value);                               \
		memcpy((char *)(record) + (offset), &put_, sizeof put_); \
	} while (0)

#include "standin_nvtx.h"

/* ---- what the driver reports ---- */

static uint32_t on_enter(uint32_t cbid)
{
	entered_ns = now_ns();
	if (watched_call[cbid] && s.callback)
		s.callback(NULL, CUPTI_DOMAIN_DRIVER, cbid, NULL);
	return atomic_fetch_add(&next_corr, 1);
}

static void on_leave(uint32_t cbid, uint32_t corr)
{
	uint8_t r[40] = {0};
	if (!enabled[CUPTI_KIND_DRIVER] && !driver_call[cbid])
		return;
	PUT(r, uint32_t, 0, CUPTI_KIND_DRIVER);
	PUT(r, uint32_t, 4, cbid);
	PUT(r, uint64_t, 8, entered_ns);
	PUT(r, uint64_t, 16, now_ns());
	PUT(r, uint32_t, 24, getpid());
	PUT(r, uint32_t, 28, gettid());
	PUT(r, uint32_t, 32, corr);
	emit(r, sizeof r);
}

/* The stream is busy until its last piece of work ends. */
static void place_in_time(const struct standin_work *w, uint64_t *start, uint64_t *end)
{
	pthread_mutex_lock(&s.lock);
	uint64_t *free_ns = &s.stream_free_ns[w->stream % 64];
	*start = now_ns();
	*start = *start < *free_ns ? *free_ns : *start;
	*end = *free_ns = *start + w->dur_ns;
	pthread_mutex_unlock(&s.lock);
}

static void emit_kernel(const struct standin_work *w, uint64_t start, uint64_t end)
{
	uint8_t r[216] = {0};
	long zero_after = told("STANDIN_ZERO_AFTER", -1);
	bool is_forever = !strcmp(w->name, "k_forever");
	pthread_mutex_lock(&s.lock);
	uint64_t n = ++s.kernels;
	pthread_mutex_unlock(&s.lock);
	if (zero_after >= 0 && n > (uint64_t)zero_after)
		start = end = 0;
	PUT(r, uint32_t, 0, CUPTI_KIND_KERNEL);
	PUT(r, uint16_t, 6, 32);
	PUT(r, uint64_t, 16, start);
	PUT(r, uint64_t, 24, is_forever ? 0 : end);
	PUT(r, uint32_t, 44, w->context);
	PUT(r, uint32_t, 48, w->stream);
	memcpy(r + 52, w->grid, sizeof w->grid);
	memcpy(r + 64, w->block, sizeof w->block);
	PUT(r, uint32_t, 80, w->smem_bytes);
	PUT(r, uint32_t, 92, w->corr);
	PUT(r, const char *, 104, w->name);
	PUT(r, uint64_t, 144, w->graph_node);
	if (kernel_bytes() > 160)
		PUT(r, uint32_t, 156, w->graph);
	if (!is_forever) {
		emit(r, kernel_bytes());
		return;
	}
	pthread_mutex_lock(&s.lock);
	memcpy(s.forever, r, sizeof r);
	s.has_forever = true;
	pthread_mutex_unlock(&s.lock);
}

static void emit_copy(const struct standin_work *w, uint64_t start, uint64_t end)
{
	uint8_t r[96] = {0};
	PUT(r, uint32_t, 0, CUPTI_KIND_MEMCPY);
	PUT(r, uint8_t, 4, w->copy_kind);
	PUT(r, uint8_t, 5, w->from_kind);
	PUT(r, uint8_t, 6, w->to_kind);
	PUT(r, uint8_t, 7, w->is_async);
	PUT(r, uint64_t, 8, w->bytes);
	PUT(r, uint64_t, 16, start);
	PUT(r, uint64_t, 24, end);
	PUT(r, uint32_t, 36, w->context);
	PUT(r, uint32_t, 40, w->stream);
	PUT(r, uint32_t, 44, w->corr);
	PUT(r, uint64_t, 88, 1);
	emit(r, sizeof r);
}

static void emit_memset(const struct standin_work *w, uint64_t start, uint64_t end)
{
	uint8_t r[88] = {0};
	PUT(r, uint32_t, 0, CUPTI_KIND_MEMSET);
	PUT(r, uint32_t, 4, w->value);
	PUT(r, uint64_t, 8, w->bytes);
	PUT(r, uint64_t, 16, start);
	PUT(r, uint64_t, 24, end);
	PUT(r, uint32_t, 36, w->context);
	PUT(r, uint32_t, 40, w->stream);
	PUT(r, uint32_t, 44, w->corr);
	PUT(r, uint16_t, 48, w->is_async);
	PUT(r, uint16_t, 50, 3);
	emit(r, sizeof r);
}

static void emit_sync(const struct standin_work *w)
{
	uint8_t r[56] = {0};
	PUT(r, uint32_t, 0, CUPTI_KIND_SYNC);
	PUT(r, uint32_t, 4, w->sync_type);
	PUT(r, uint64_t, 8, entered_ns);
	PUT(r, uint64_t, 16, now_ns());
	PUT(r, uint32_t, 24, w->corr);
	PUT(r, uint32_t, 28, w->context);
	PUT(r, uint32_t, 32, w->stream);
	emit(r, sizeof r);
}

static void emit_memory(const struct standin_work *w)
{
	uint8_t r[128] = {0};
	PUT(r, uint32_t, 0, CUPTI_KIND_MEMORY);
	PUT(r, uint32_t, 4, w->what == STANDIN_ALLOC ? 1 : 2);
	PUT(r, uint32_t, 8, 3);
	PUT(r, uint32_t, 12, w->corr);
	PUT(r, uint64_t, 16, w->address);
	PUT(r, uint64_t, 24, w->bytes);
	PUT(r, uint64_t, 32, now_ns());
	PUT(r, uint32_t, 56, w->context);
	PUT(r, uint32_t, 60, w->stream);
	PUT(r, uint32_t, 72, w->is_async);
	emit(r, sizeof r);
}

static void emit_graph(const struct standin_work *w, uint64_t start, uint64_t end)
{
	uint8_t r[56] = {0};
	PUT(r, uint32_t, 0, CUPTI_KIND_GRAPH);
	PUT(r, uint32_t, 4, w->corr);
	PUT(r, uint64_t, 8, start);
	PUT(r, uint64_t, 16, end);
	PUT(r, uint32_t, 28, w->graph);
	PUT(r, uint32_t, 32, w->context);
	PUT(r, uint32_t, 36, w->stream);
	PUT(r, uint32_t, 52, w->context);
	emit(r, sizeof r);
}

/* Graphs are recorded as a whole or node by node, never both. */
static bool is_left_out(const struct standin_work *w)
{
	return enabled[CUPTI_KIND_GRAPH] ? w->what != STANDIN_GRAPH && w->graph : w->what == STANDIN_GRAPH;
}

static void on_work(const struct standin_work *w)
{
	uint64_t start, end;
	if (is_left_out(w))
		return;
	place_in_time(w, &start, &end);
	if (w->what == STANDIN_KERNEL && enabled[CUPTI_KIND_KERNEL])
		emit_kernel(w, start, end);
	else if (w->what == STANDIN_COPY && enabled[CUPTI_KIND_MEMCPY])
		emit_copy(w, start, end);
	else if (w->what == STANDIN_MEMSET && enabled[CUPTI_KIND_MEMSET])
		emit_memset(w, start, end);
	else if (w->what == STANDIN_SYNC && enabled[CUPTI_KIND_SYNC])
		emit_sync(w);
	else if (w->what == STANDIN_GRAPH)
		emit_graph(w, start, end);
	else if (w->what >= STANDIN_ALLOC && enabled[CUPTI_KIND_MEMORY])
		emit_memory(w);
}

static void join_driver(bool on)
{
	static const struct standin_hooks hooks = {on_enter, on_leave, on_work};
	void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
	standin_set_hooks *set = NULL;
	if (driver)
		*(void **)&set = dlsym(driver, "standin_set_hooks_");
	if (set)
		set(on ? &hooks : NULL);
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
	s.request(&buffer, &size, &max_records);
	if (!buffer || size < n) {
		s.lost++;
		return;
	}
	memcpy(buffer, block, n);
	for (size_t at = 0; at < n && record_bytes(cupti_kind_of(buffer + at));
	     at += record_bytes(cupti_kind_of(buffer + at))) {
		move_times(buffer + at);
		point_to_text(pointer_in(buffer + at, 0));
		point_to_text(pointer_in(buffer + at, 1));
	}
	s.complete(NULL, 0, buffer, size, n);
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

#define EXPORT(name, parameters) \
	int name parameters;     \
	__attribute__((visibility("default"))) int name parameters

EXPORT(cuptiGetVersion, (uint32_t * v))
{
	*v = version();
	return 0;
}

EXPORT(cuptiGetResultString, (int result, const char **text))
{
	*text = result == 39 ? "CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED"
		: result     ? "CUPTI_ERROR_STANDIN"
			     : "CUPTI_SUCCESS";
	return 0;
}

EXPORT(cuptiGetTimestamp, (uint64_t * t))
{
	*t = now_ns();
	return 0;
}

EXPORT(cuptiSubscribe, (void **subscriber, callback_function *f, void *user))
{
	(void)user;
	if (getenv("STANDIN_HOLDER") || atomic_exchange(&subscribed, 1))
		return CUPTI_MULTIPLE_SUBSCRIBERS;
	if (told("STANDIN_REFUSE", 0)) {
		subscribed = 0;
		return (int)told("STANDIN_REFUSE", 0);
	}
	s.callback = f;
	s.kernels = 0;
	*subscriber = &s;
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
	s.request(&buffer, &size, &max_records);
	if (buffer)
		s.complete(NULL, 0, buffer, size, 0);
	return NULL;
}

EXPORT(cuptiUnsubscribe, (void *subscriber))
{
	pthread_t late;
	if (subscriber != &s || !atomic_exchange(&subscribed, 0))
		return 1;
	see_that_promise_ended();
	join_driver(false);
	if (told("STANDIN_LATE_BUFFER", 0) && !pthread_create(&late, NULL, deliver_late, NULL))
		pthread_detach(late);
	return 0;
}

EXPORT(cuptiEnableCallback, (uint32_t on, void *subscriber, int domain, uint32_t cbid))
{
	if (subscriber != &s || domain != CUPTI_DOMAIN_DRIVER || cbid >= MAX_CBID)
		return 1;
	watched_call[cbid] = on;
	return 0;
}

static void emit_device(void)
{
	uint8_t r[184] = {0};
	PUT(r, uint32_t, 0, CUPTI_KIND_DEVICE);
	PUT(r, uint64_t, 8, 4000000000);
	PUT(r, uint64_t, 16, 1ull << 37);
	PUT(r, uint32_t, 32, 32);
	PUT(r, uint32_t, 36, 1980000);
	PUT(r, uint32_t, 44, 132);
	PUT(r, uint32_t, 104, 9);
	PUT(r, const char *, 136, "stand-in device 0");
	emit(r, sizeof r);
}

static void emit_stream(void)
{
	uint8_t r[24] = {0};
	PUT(r, uint32_t, 0, CUPTI_KIND_STREAM);
	PUT(r, uint32_t, 4, 1);
	PUT(r, uint32_t, 8, 7);
	PUT(r, uint32_t, 16, 3);
	emit(r, sizeof r);
}

EXPORT(cuptiActivityEnable, (int kind))
{
	uint8_t bad[8] = {0xee, 0x02};
	if (kind <= 0 || kind >= MAX_KIND)
		return CUPTI_INVALID_KIND;
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
	if (kind > 0 && kind < MAX_KIND)
		enabled[kind] = false;
	return 0;
}

EXPORT(cuptiActivityEnableDriverApi, (uint32_t cbid, uint8_t on))
{
	if (cbid == 600) /* cuMemFreeAsync: one that refuses must not spoil the rest */
		return 1;
	driver_call[cbid % MAX_CBID] = on;
	return 0;
}

EXPORT(cuptiActivityRegisterCallbacks, (request_function * request, complete_function *complete))
{
	s.request = request;
	s.complete = complete;
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

EXPORT(cuptiActivityFlushAll, (uint32_t forced))
{
	static _Atomic bool replayed;
	const char *file = getenv("STANDIN_REPLAY");
	see_that_promise_ended();
	usleep((useconds_t)told("STANDIN_FLUSH_MS", 0) * 1000);
	if (file && !atomic_exchange(&replayed, true))
		replay(file);
	pthread_mutex_lock(&s.lock);
	void *to = forced && s.has_forever ? append(kernel_bytes()) : NULL;
	if (to) {
		memcpy(to, s.forever, kernel_bytes());
		s.has_forever = false;
	}
	hand_over();
	while (s.n_full || s.delivering)
		pthread_cond_wait(&s.idle, &s.lock);
	pthread_mutex_unlock(&s.lock);
	return 0;
}

EXPORT(cuptiActivityGetNumDroppedRecords, (void *context, uint32_t stream, size_t *n))
{
	static _Atomic bool asked;
	(void)context, (void)stream;
	pthread_mutex_lock(&s.lock);
	*n = s.lost + (atomic_exchange(&asked, true) ? 0 : (size_t)told("STANDIN_DROP", 0));
	s.lost = 0;
	pthread_mutex_unlock(&s.lock);
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
	return type != 1;
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
