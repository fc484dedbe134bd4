/* tests/live/standin_libcuda.c - a stand-in for libcuda.so.1, so that live mode can be tested without a GPU.
 * It honours CUDA_INJECTION64_PATH as the driver does (STANDIN_DEAF: not; STANDIN_INIT_MS: cuInit lasts so long after that), pretends one device, and reports each call and each piece of
 * "device work" to the stand-in CUPTI when that is loaded. Nothing is computed. It is not NVIDIA's driver and behaves like
 * it only where a test says so. */
#include "standin.h"
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef int CUresult;
enum {
	CALL_INIT = 1,
	CALL_LAUNCH = 307,
	CALL_HTOD = 277,
	CALL_DTOH = 279,
	CALL_DTOD = 281,
	CALL_SET = 216,
	CALL_STREAM_SYNC = 126,
	CALL_CTX_SYNC = 17,
	CALL_WAIT = 295,
	CALL_EVENT_SYNC = 121,
	CALL_ALLOC = 243,
	CALL_FREE = 245,
	CALL_ALLOC_ASYNC = 598,
	CALL_FREE_ASYNC = 600,
	CALL_GRAPH = 514,
	CALL_GET_DEVICE = 3
};

static const struct standin_hooks *_Atomic hooks;
static _Atomic uint32_t n_streams = 7;
static _Atomic uint64_t next_address = 0x7f0000000000;
static _Atomic int is_initialised, is_over;
static _Atomic pid_t starter; /* the thread inside cuInit, 0 = none */

void standin_set_hooks_(const struct standin_hooks *h);
void standin_set_hooks_(const struct standin_hooks *h)
{
	hooks = h;
}

static uint32_t enter(uint32_t cbid)
{
	const struct standin_hooks *h = hooks;
	return h ? h->enter(cbid) : 0;
}

static CUresult leave(uint32_t cbid, uint32_t corr)
{
	const struct standin_hooks *h = hooks;
	if (h)
		h->leave(cbid, corr);
	return 0;
}

static void work(const struct standin_work *w)
{
	const struct standin_hooks *h = hooks;
	if (h)
		h->work(w);
}

static uint32_t stream_of(const void *stream)
{
	return stream ? (uint32_t)(uintptr_t)stream : 7; /* 7 is what CUPTI calls the default stream */
}

/* What the driver does with its injection variable. */
static void inject(void)
{
	const char *path = getenv("CUDA_INJECTION64_PATH");
	void *library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
	int (*initialise)(void) = NULL;
	if (library)
		*(void **)&initialise = dlsym(library, "InitializeInjection");
	if (initialise)
		initialise();
}

#define API CUresult __attribute__((visibility("default")))
#define PROTOTYPE(name, parameters) \
	API name parameters;        \
	API name parameters

static void at_exit(void)
{
	is_over = 1;
}

enum standin_phase standin_phase_(void);
enum standin_phase standin_phase_(void)
{
	if (is_over)
		return STANDIN_OVER;
	if (starter && starter != gettid())
		return STANDIN_STARTING;
	return is_initialised ? STANDIN_RUNNING : STANDIN_IDLE;
}

/* Injected libraries are called somewhere in the middle; the driver's own exit handler is registered after that (simulated:
 * nobody has looked where). */
PROTOTYPE(cuInit, (unsigned flags))
{
	const char *takes_ms = getenv("STANDIN_INIT_MS");
	if (flags)
		return 1;
	if (is_initialised || starter)
		return 0;
	starter = gettid();
	if (!getenv("STANDIN_DEAF"))
		inject();
	if (takes_ms)
		usleep((useconds_t)atoi(takes_ms) * 1000);
	atexit(at_exit);
	is_initialised = 1;
	starter = 0;
	return 0;
}

PROTOTYPE(cuDriverGetVersion, (int *version))
{
	const char *told = getenv("STANDIN_DRIVER");
	*version = told ? atoi(told) : 13000;
	return 0;
}

#ifdef STANDIN_WHOLE
/* What CUPTI looks for first; nobody asks it anything here. */
PROTOTYPE(cuGetExportTable, (const void **table, const void *id))
{
	*table = NULL;
	return id ? 500 : 1; /* not found */
}
#endif

PROTOTYPE(cuDeviceGetCount, (int *n))
{
	*n = 1;
	return is_initialised ? 0 : 3;
}

PROTOTYPE(cuDeviceGet, (int *device, int ordinal))
{
	*device = ordinal;
	return leave(CALL_GET_DEVICE, enter(CALL_GET_DEVICE));
}

PROTOTYPE(cuDeviceGetName, (char *name, int n, int device))
{
	snprintf(name, (size_t)n, "stand-in device %d", device);
	return 0;
}

PROTOTYPE(cuDevicePrimaryCtxRetain, (void **context, int device))
{
	const struct standin_hooks *h = hooks;
	*context = (void *)(uintptr_t)(device + 1);
	if (h)
		h->context();
	return 0;
}

PROTOTYPE(cuCtxSetCurrent, (void *context))
{
	return context ? 0 : 0;
}

PROTOTYPE(cuModuleLoadData, (void **module, const void *image))
{
	*module = (void *)(uintptr_t)image;
	return 0;
}

PROTOTYPE(cuModuleGetFunction, (void **function, void *module, const char *name))
{
	*function = strdup(name); /* as long as the process lives, like a loaded module */
	return module ? 0 : 1;
}

PROTOTYPE(cuStreamCreate, (void **stream, unsigned flags))
{
	*stream = (void *)(uintptr_t)(13 + flags * 0 + atomic_fetch_add(&n_streams, 1) - 7);
	return 0;
}

PROTOTYPE(cuEventCreate, (void **event, unsigned flags))
{
	struct timespec *t = calloc(1, sizeof *t);
	*event = t;
	return flags > 7 || !t;
}

PROTOTYPE(cuEventRecord, (void *event, void *stream))
{
	(void)stream;
	return clock_gettime(CLOCK_MONOTONIC, event);
}

PROTOTYPE(cuEventElapsedTime, (float *ms, void *from, void *to))
{
	const struct timespec *a = from, *b = to;
	*ms = (float)((double)(b->tv_sec - a->tv_sec) * 1e3 + (double)(b->tv_nsec - a->tv_nsec) / 1e6);
	return 0;
}

static CUresult wait_for(uint32_t cbid, uint32_t type, uint32_t stream)
{
	uint32_t corr = enter(cbid);
	work(&(struct standin_work){
		.what = STANDIN_SYNC, .context = 1, .stream = stream, .corr = corr, .sync_type = type});
	return leave(cbid, corr);
}

PROTOTYPE(cuEventSynchronize, (void *event))
{
	return event ? wait_for(CALL_EVENT_SYNC, 1, UINT32_MAX) : 1;
}

PROTOTYPE(cuStreamWaitEvent, (void *stream, void *event, unsigned flags))
{
	return event && !flags ? wait_for(CALL_WAIT, 2, stream_of(stream)) : 1;
}

PROTOTYPE(cuStreamSynchronize, (void *stream))
{
	return wait_for(CALL_STREAM_SYNC, 3, stream_of(stream));
}

PROTOTYPE(cuCtxSynchronize, (void))
{
	return wait_for(CALL_CTX_SYNC, 4, UINT32_MAX);
}

static CUresult allocate(uint32_t cbid, uint64_t *address, size_t bytes, uint32_t stream, int is_async)
{
	uint32_t corr = enter(cbid);
	*address = atomic_fetch_add(&next_address, (bytes + 511) & ~(size_t)511);
	work(&(struct standin_work){.what = STANDIN_ALLOC,
				    .context = 1,
				    .stream = stream,
				    .corr = corr,
				    .bytes = bytes,
				    .address = *address,
				    .is_async = (uint8_t)is_async});
	return leave(cbid, corr);
}

static CUresult release(uint32_t cbid, uint64_t address, uint32_t stream, int is_async)
{
	uint32_t corr = enter(cbid);
	work(&(struct standin_work){.what = STANDIN_FREE,
				    .context = 1,
				    .stream = stream,
				    .corr = corr,
				    .address = address,
				    .is_async = (uint8_t)is_async});
	return leave(cbid, corr);
}

PROTOTYPE(cuMemAlloc_v2, (uint64_t * address, size_t bytes))
{
	return allocate(CALL_ALLOC, address, bytes, UINT32_MAX, 0);
}

PROTOTYPE(cuMemFree_v2, (uint64_t address))
{
	return release(CALL_FREE, address, UINT32_MAX, 0);
}

PROTOTYPE(cuMemAllocAsync, (uint64_t * address, size_t bytes, void *stream))
{
	return allocate(CALL_ALLOC_ASYNC, address, bytes, stream_of(stream), 1);
}

PROTOTYPE(cuMemFreeAsync, (uint64_t address, void *stream))
{
	return release(CALL_FREE_ASYNC, address, stream_of(stream), 1);
}

/* Pinned memory is distinguished from pageable by where it lies. */
static void *pinned_from, *pinned_to;

PROTOTYPE(cuMemHostAlloc, (void **memory, size_t bytes, unsigned flags))
{
	*memory = calloc(1, bytes);
	pinned_from = *memory;
	pinned_to = (char *)*memory + bytes;
	return flags > 7 || !*memory;
}

PROTOTYPE(cuMemFreeHost, (void *memory))
{
	free(memory);
	return 0;
}

static uint8_t host_kind(const void *p)
{
	return p >= pinned_from && p < pinned_to ? 2 : 1;
}

static CUresult copy(uint32_t cbid, uint8_t kind, uint8_t from, uint8_t to, size_t bytes, void *stream)
{
	uint32_t corr = enter(cbid);
	work(&(struct standin_work){.what = STANDIN_COPY,
				    .context = 1,
				    .stream = stream_of(stream),
				    .corr = corr,
				    .bytes = bytes,
				    .dur_ns = 500 + bytes / 50,
				    .copy_kind = kind,
				    .from_kind = from,
				    .to_kind = to,
				    .is_async = 1});
	return leave(cbid, corr);
}

PROTOTYPE(cuMemcpyHtoDAsync_v2, (uint64_t to, const void *from, size_t bytes, void *stream))
{
	return to ? copy(CALL_HTOD, 1, host_kind(from), 3, bytes, stream) : 1;
}

PROTOTYPE(cuMemcpyDtoHAsync_v2, (void *to, uint64_t from, size_t bytes, void *stream))
{
	return from ? copy(CALL_DTOH, 2, 3, host_kind(to), bytes, stream) : 1;
}

PROTOTYPE(cuMemcpyDtoDAsync_v2, (uint64_t to, uint64_t from, size_t bytes, void *stream))
{
	return to && from ? copy(CALL_DTOD, 8, 3, 3, bytes, stream) : 1;
}

PROTOTYPE(cuMemsetD8Async, (uint64_t to, unsigned char value, size_t bytes, void *stream))
{
	uint32_t corr = enter(CALL_SET);
	work(&(struct standin_work){.what = STANDIN_MEMSET,
				    .context = 1,
				    .stream = stream_of(stream),
				    .corr = corr,
				    .bytes = bytes,
				    .address = to,
				    .dur_ns = 800,
				    .value = value,
				    .is_async = 1});
	return leave(CALL_SET, corr);
}

/* While a stream is captured, launches become nodes. One graph at a time is enough here. */
static struct standin_work nodes[2048];
static unsigned n_nodes, is_capturing, next_graph = 1;

PROTOTYPE(cuLaunchKernel, (void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
			   unsigned smem, void *stream, void **parameters, void **extra))
{
	struct standin_work w = {.what = STANDIN_KERNEL,
				 .name = function,
				 .context = 1,
				 .stream = stream_of(stream),
				 .grid = {(int)gx, (int)gy, (int)gz},
				 .block = {(int)bx, (int)by, (int)bz},
				 .smem_bytes = smem,
				 .dur_ns = 1000};
	(void)parameters, (void)extra;
	if (is_capturing && n_nodes < sizeof nodes / sizeof *nodes) {
		nodes[n_nodes++] = w;
		return 0;
	}
	w.corr = enter(CALL_LAUNCH);
	work(&w);
	return leave(CALL_LAUNCH, w.corr);
}

PROTOTYPE(cuStreamBeginCapture_v2, (void *stream, int mode))
{
	(void)stream, (void)mode;
	n_nodes = 0;
	is_capturing = 1;
	return 0;
}

PROTOTYPE(cuStreamEndCapture, (void *stream, void **graph))
{
	(void)stream;
	is_capturing = 0;
	*graph = (void *)(uintptr_t)next_graph++;
	return 0;
}

PROTOTYPE(cuGraphInstantiateWithFlags, (void **executable, void *graph, unsigned long long flags))
{
	*executable = graph;
	return flags > 15;
}

PROTOTYPE(cuGraphLaunch, (void *executable, void *stream))
{
	uint32_t corr = enter(CALL_GRAPH);
	struct standin_work whole = {.what = STANDIN_GRAPH,
				     .context = 1,
				     .stream = stream_of(stream),
				     .corr = corr,
				     .graph = (uint32_t)(uintptr_t)executable};
	for (unsigned i = 0; i < n_nodes; i++)
		whole.dur_ns += nodes[i].dur_ns;
	work(&whole);
	for (unsigned i = 0; i < n_nodes; i++) {
		struct standin_work w = nodes[i];
		w.corr = corr;
		w.stream = stream_of(stream);
		w.graph = (uint32_t)(uintptr_t)executable;
		w.graph_node = ((uint64_t)w.graph << 32) + i + 1;
		work(&w);
	}
	return leave(CALL_GRAPH, corr);
}
