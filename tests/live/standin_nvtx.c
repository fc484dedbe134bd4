/* tests/live/standin_nvtx.c - the stand-in CUPTI as the one that NVTX calls: ranges pushed and popped, and points, become marker
 * records. Numbers are those of NVTX's own header (core module, ASCII texts); what is not listed stays a call to nothing. */
#include "standin_cupti.h"
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum { NVTX_CALLBACKS = 1, NVTX_CORE = 1, NVTX_MARK = 2, NVTX_PUSH = 9, NVTX_POP = 11 };
typedef void nvtx_function(void);
struct nvtx_callbacks {
	size_t bytes;
	int (*table)(int module, nvtx_function ****table, unsigned *n);
};
typedef const void *nvtx_export_table(uint32_t id);

enum { NVTX_INSTANT = 1, NVTX_START = 2, NVTX_END = 4, NVTX_DEPTH = 64 };
static _Atomic bool is_started;
static _Atomic uint32_t next_range = 1;
static _Thread_local uint32_t ranges[NVTX_DEPTH];
static _Thread_local int depth;

static void emit_marker(uint32_t flags, uint32_t id, const char *text)
{
	uint8_t r[56] = {0};
	if (!enabled[CUPTI_KIND_MARKER] || !subscribed)
		return;
	PUT(r, uint32_t, 0, CUPTI_KIND_MARKER);
	PUT(r, uint32_t, 4, flags);
	PUT(r, uint64_t, 8, stamp(now_ns()));
	PUT(r, uint32_t, 16, id);
	PUT(r, uint32_t, 20, CUPTI_OBJECT_THREAD);
	PUT(r, uint32_t, 24, getpid());
	PUT(r, uint32_t, 28, gettid());
	PUT(r, const char *, 40, text ? strdup(text) : NULL); /* as long as the process lives */
	emit(r, sizeof r);
}

/* Measured with the wheels of 13.0 and 13.1: a range that reaches a CUPTI that never started up ends the process. */
static void see_that_cupti_runs(void)
{
	if (version() >= 130000 && !is_started)
		raise(SIGSEGV);
}

static void nvtx_mark(const char *text)
{
	see_that_cupti_runs();
	emit_marker(NVTX_INSTANT, atomic_fetch_add(&next_range, 1), text);
}

static int nvtx_push(const char *text)
{
	see_that_cupti_runs();
	uint32_t id = atomic_fetch_add(&next_range, 1);
	if (depth == NVTX_DEPTH)
		abort();
	ranges[depth++] = id;
	emit_marker(NVTX_START, id, text);
	return depth - 1;
}

static int nvtx_pop(void)
{
	if (!depth)
		return -2;
	emit_marker(NVTX_END, ranges[--depth], NULL);
	return depth;
}

/* Takes the ranges whether CUPTI runs or not; 0 as every function of CUPTI (measured with libcupti 12.0 to 13.1). */
EXPORT(cuptiNvtxInitialize2, (nvtx_export_table * get))
{
	const struct nvtx_callbacks *c = get(NVTX_CALLBACKS);
	nvtx_function ***slots;
	unsigned n;
	if (driver_or_not() || getenv("STANDIN_NO_NVTX") || !c || !c->table(NVTX_CORE, &slots, &n) || n <= NVTX_POP)
		return CUPTI_UNKNOWN;
	*slots[NVTX_MARK] = (nvtx_function *)(void *)nvtx_mark;
	*slots[NVTX_PUSH] = (nvtx_function *)(void *)nvtx_push;
	*slots[NVTX_POP] = (nvtx_function *)(void *)nvtx_pop;
	return CUPTI_OK;
}

/* CUPTI's own entry, for NVTX_INJECTION64_PATH=libcupti.so: starts CUPTI up, and takes the ranges when that went well; says 1 all
 * the same when it did not (read in the code of 13.0 Update 1, measured with the wheels of 13.0.85 to 13.5). Up to 12.9 ranges
 * are taken without a driver, too. */
EXPORT(InitializeInjectionNvtx2, (nvtx_export_table * get))
{
	is_started = is_started || dlopen("libcuda.so.1", RTLD_LAZY);
	if (version() >= 130000 && !is_started)
		return 1;
	return cuptiNvtxInitialize2(get) == CUPTI_OK;
}
