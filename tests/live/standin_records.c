/* tests/live/standin_records.c - the buffers of the stand-in CUPTI, and the records of what the stand-in driver reports. */
#include "standin.h"
#include "standin_cupti.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static _Atomic uint32_t next_corr = 1;
static _Thread_local uint64_t entered_ns;

/* ---- buffers ---- */

size_t kernel_bytes(void)
{
	uint32_t v = version();
#ifdef STANDIN_OLD
	v = v == 18 ? 19 : v; /* 12.0 and 12.1 say 18, their headers have Kernel9 */
#endif
	return v >= 130000 ? 216 : v >= 19 ? 208 : v >= 18 ? 200 : v >= 17 ? 176 : v >= 14 ? 168 : v >= 13 ? 160 : 144;
}

size_t record_bytes(uint32_t kind)
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

unsigned deliverable(void)
{
	unsigned n = 0;
	for (unsigned i = 0; i < state.n_full; i++)
		n += state.forced || state.full[i].until_ns <= now_ns();
	return n;
}

/* A forced flush gives incomplete records, too (cupti_activity.h: cuptiActivityFlushAll); a kernel that still runs has no end. */
static void cut_off(struct full *f)
{
	size_t n;
	for (size_t at = 0; at < f->valid && (n = record_bytes(cupti_kind_of(f->buffer + at))); at += n) {
		uint64_t end;
		memcpy(&end, f->buffer + at + 24, sizeof end);
		if (cupti_kind_of(f->buffer + at) == CUPTI_KIND_KERNEL && end > stamp(now_ns()))
			memset(f->buffer + at + 24, 0, sizeof end);
	}
}

static struct full take_deliverable(void)
{
	unsigned i = 0;
	while (!state.forced && state.full[i].until_ns > now_ns())
		i++;
	struct full f = state.full[i];
	memmove(state.full + i, state.full + i + 1, (--state.n_full - i) * sizeof f);
	return f;
}

static void *deliver_forever(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&state.lock);
	for (;;) {
		while (!deliverable()) {
			uint64_t at_ns = now_ns() + 5000000;
			struct timespec at = {(time_t)(at_ns / 1000000000u), (long)(at_ns % 1000000000u)};
			if (state.n_full)
				pthread_cond_timedwait(&state.work, &state.lock, &at);
			else
				pthread_cond_wait(&state.work, &state.lock);
		}
		struct full f = take_deliverable();
		if (f.until_ns > now_ns())
			cut_off(&f);
		state.delivering++;
		pthread_mutex_unlock(&state.lock);
		state.complete(NULL, 0, f.buffer, f.size, f.valid);
		pthread_mutex_lock(&state.lock);
		state.delivering--;
		pthread_cond_broadcast(&state.idle);
	}
	return NULL;
}

void hand_over(void)
{
	pthread_t worker;
	if (!state.buffer)
		return;
	if (!state.has_worker) {
		state.has_worker = !pthread_create(&worker, NULL, deliver_forever, NULL);
		pthread_detach(worker);
	}
	if (state.n_full == MAX_FULL)
		abort();
	state.full[state.n_full++] = (struct full){state.buffer, state.size, state.used, state.until_ns};
	state.buffer = NULL;
	pthread_cond_signal(&state.work);
}

static void see_to_zeros(uint8_t *buffer, size_t size)
{
	if (!zeros_promised)
		memset(buffer, 0, size);
	for (size_t i = 0; i < size; i++)
		if (buffer[i])
			abort();
}

void *append(size_t n)
{
	size_t max_records;
	if (state.buffer && state.size - state.used < n)
		hand_over();
	if (!state.buffer && state.request) {
		state.request(&state.buffer, &state.size, &max_records);
		state.used = 0;
		state.until_ns = 0;
		if (!state.buffer && version() < 27)
			abort();
		if (state.buffer && version() >= 27) /* the one that is thrown away serves many */
			see_to_zeros(state.buffer, state.size);
	}
	if (!state.buffer) {
		state.lost++;
		return NULL;
	}
	state.used += n;
	return state.buffer + state.used - n;
}

static bool is_taken(void)
{
	long after = told("STANDIN_TAKEN_AFTER", -1);
	return after >= 0 && state.kernels > (uint64_t)after;
}

void emit_until(const void *record, size_t n, uint64_t until_ns)
{
	pthread_mutex_lock(&state.lock);
	void *to = is_taken() ? NULL : append(n);
	if (to)
		memcpy(to, record, n);
	if (to && until_ns > state.until_ns)
		state.until_ns = until_ns;
	pthread_mutex_unlock(&state.lock);
}

void emit(const void *record, size_t n)
{
	emit_until(record, n, 0);
}

/* ---- what the driver reports ---- */

static uint32_t on_enter(uint32_t cbid)
{
	entered_ns = now_ns();
	if (watched_call[cbid] && state.callback)
		state.callback(state.callback_user, CUPTI_DOMAIN_DRIVER, cbid, NULL);
	return atomic_fetch_add(&next_corr, 1);
}

static void on_leave(uint32_t cbid, uint32_t corr)
{
	uint8_t r[40] = {0};
	if (!enabled[CUPTI_KIND_DRIVER] && !driver_call[cbid])
		return;
	PUT(r, uint32_t, 0, CUPTI_KIND_DRIVER);
	PUT(r, uint32_t, 4, cbid);
	PUT(r, uint64_t, 8, stamp(entered_ns));
	PUT(r, uint64_t, 16, stamp(now_ns()));
	PUT(r, uint32_t, 24, getpid());
	PUT(r, uint32_t, 28, thread_id_type == 1 ? (uint32_t)gettid() : (uint32_t)pthread_self());
	PUT(r, uint32_t, 32, corr);
	emit(r, sizeof r);
}

/* The stream is busy until its last piece of work ends. */
static void place_in_time(const struct standin_work *w, uint64_t *start, uint64_t *end)
{
	pthread_mutex_lock(&state.lock);
	uint64_t *free_ns = &state.stream_free_ns[w->stream % 64];
	*start = now_ns();
	*start = *start < *free_ns ? *free_ns : *start;
	*end = *free_ns = *start + w->dur_ns;
	pthread_mutex_unlock(&state.lock);
}

/* With STANDIN_KERNEL_US time on the device is real: kernels last so long, one after the other, the first one of all
 * STANDIN_STRAGGLER_MS beside them; waits wait, and a record is complete when its kernel is. */
static bool is_paced(void)
{
	return told("STANDIN_KERNEL_US", 0);
}

static struct standin_work at_its_pace(const struct standin_work *w)
{
	static _Atomic bool has_straggled;
	struct standin_work paced = *w;
	long straggler_ms = told("STANDIN_STRAGGLER_MS", 0);
	if (w->what != STANDIN_KERNEL || !is_paced())
		return paced;
	paced.dur_ns = (uint64_t)told("STANDIN_KERNEL_US", 0) * 1000;
	if (straggler_ms && enabled[CUPTI_KIND_KERNEL] && !atomic_exchange(&has_straggled, true)) {
		paced.dur_ns = (uint64_t)straggler_ms * 1000000;
		paced.stream = 63;
	}
	return paced;
}

static void wait_for_device(void)
{
	for (unsigned i = 0; is_paced() && i < sizeof state.stream_free_ns / sizeof *state.stream_free_ns; i++)
		while (state.stream_free_ns[i] > now_ns())
			usleep(1000);
}

static void emit_kernel(const struct standin_work *w, uint64_t start, uint64_t end)
{
	uint8_t r[216] = {0};
	long zero_after = told("STANDIN_ZERO_AFTER", -1);
	bool is_forever = !strcmp(w->name, "k_forever");
	pthread_mutex_lock(&state.lock);
	uint64_t n = ++state.kernels;
	pthread_mutex_unlock(&state.lock);
	if (zero_after >= 0 && n > (uint64_t)zero_after)
		start = end = 0;
	PUT(r, uint32_t, 0, CUPTI_KIND_KERNEL);
	PUT(r, uint16_t, 6, 32);
	PUT(r, uint64_t, 16, stamp(start));
	PUT(r, uint64_t, 24, is_forever ? 0 : stamp(end));
	PUT(r, uint32_t, 44, w->context);
	PUT(r, uint32_t, 48, w->stream);
	memcpy(r + 52, w->grid, sizeof w->grid);
	memcpy(r + 64, w->block, sizeof w->block);
	PUT(r, uint32_t, 80, w->smem_bytes);
	PUT(r, uint32_t, 92, w->corr);
	PUT(r, const char *, 104, w->name);
	if (kernel_bytes() > 200)
		PUT(r, uint32_t, 204, 2); /* maxActiveClusters */
	PUT(r, uint64_t, 144, w->graph_node);
	if (kernel_bytes() > 160)
		PUT(r, uint32_t, 156, w->graph);
	if (!is_forever) {
		emit_until(r, kernel_bytes(), is_paced() ? end : 0);
		return;
	}
	pthread_mutex_lock(&state.lock);
	memcpy(state.forever, r, sizeof r);
	state.has_forever = true;
	pthread_mutex_unlock(&state.lock);
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
	PUT(r, uint64_t, 16, stamp(start));
	PUT(r, uint64_t, 24, stamp(end));
	PUT(r, uint32_t, 36, w->context);
	PUT(r, uint32_t, 40, w->stream);
	PUT(r, uint32_t, 44, w->corr);
	if (version() < 130000)
		PUT(r, uint8_t, 84, 0xff); /* padding then, isDeviceLaunched since */
	PUT(r, uint64_t, 88, 1);
	emit(r, sizeof r);
}

static void emit_memset(const struct standin_work *w, uint64_t start, uint64_t end)
{
	uint8_t r[88] = {0};
	PUT(r, uint32_t, 0, CUPTI_KIND_MEMSET);
	PUT(r, uint32_t, 4, w->value);
	PUT(r, uint64_t, 8, w->bytes);
	PUT(r, uint64_t, 16, stamp(start));
	PUT(r, uint64_t, 24, stamp(end));
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
	PUT(r, uint64_t, 8, stamp(entered_ns));
	PUT(r, uint64_t, 16, stamp(now_ns()));
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
	PUT(r, uint64_t, 32, stamp(now_ns()));
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
	PUT(r, uint64_t, 8, stamp(start));
	PUT(r, uint64_t, 16, stamp(end));
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

static void on_work(const struct standin_work *unpaced)
{
	uint64_t start, end;
	struct standin_work paced = at_its_pace(unpaced), *w = &paced;
	if (is_left_out(w))
		return;
	if (w->what == STANDIN_SYNC)
		wait_for_device();
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

void emit_device(void)
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

void emit_stream(void)
{
	uint8_t r[24] = {0};
	PUT(r, uint32_t, 0, CUPTI_KIND_STREAM);
	PUT(r, uint32_t, 4, 1);
	PUT(r, uint32_t, 8, 7);
	PUT(r, uint32_t, 16, 3);
	emit(r, sizeof r);
}

static void on_context(void)
{
	if (watched_contexts && state.callback)
		state.callback(state.callback_user, CUPTI_DOMAIN_RESOURCE, CUPTI_CONTEXT_CREATED, NULL);
}

enum standin_phase phase(void)
{
	void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
	standin_phase *ask = NULL;
	if (driver)
		*(void **)&ask = dlsym(driver, "standin_phase_");
	return ask ? ask() : STANDIN_RUNNING;
}

void join_driver(bool on)
{
	static const struct standin_hooks hooks = {on_enter, on_leave, on_work, on_context};
	void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
	standin_set_hooks *set = NULL;
	if (driver)
		*(void **)&set = dlsym(driver, "standin_set_hooks_");
	if (set)
		set(on ? &hooks : NULL);
}
