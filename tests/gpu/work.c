/* tests/gpu/work.c - a known amount of everything on one GPU, for run.py to find again in the records.
 * What it does is printed as JSON on stdout; it exits with 7. Runs on the stand-in driver as well. */
#include "tests/live/driver.h"
#include <string.h>

enum {
	LAUNCHES = 1000,
	ON_FIRST = 600,
	PINNED = 100,
	PAGEABLE = 50,
	ON_DEVICE = 25,
	SETS = 30,
	STREAM_SYNCS = 10,
	WAITS = 3,
	POOLED = 8,
	SPINS = 20
};
enum { PINNED_BYTES = 1 << 20, PAGEABLE_BYTES = 64 << 10, DEVICE_BYTES = 256 << 10, SET_BYTES = 4096 };
static const uint64_t spin_ns = 5000000;

static struct driver cuda;
static handle first, second;
static uint64_t buffer, other;

static void launches(void)
{
	unsigned n = 896;
	void *parameters[] = {&buffer, &n};
	for (int i = 0; i < LAUNCHES; i++)
		CHECK(cuLaunchKernel(cuda.k_add, 7, 1, 1, 128, 1, 1, 3072, i < ON_FIRST ? first : second, parameters,
				     NULL));
}

static void copies(void)
{
	void *pinned = NULL, *pageable = calloc(1, PAGEABLE_BYTES);
	CHECK(cuMemHostAlloc(&pinned, PINNED_BYTES, 0));
	for (int i = 0; i < PINNED; i++)
		CHECK(cuMemcpyHtoDAsync_v2(buffer, pinned, PINNED_BYTES, first));
	for (int i = 0; i < PAGEABLE; i++)
		CHECK(cuMemcpyDtoHAsync_v2(pageable, buffer, PAGEABLE_BYTES, first));
	for (int i = 0; i < ON_DEVICE; i++)
		CHECK(cuMemcpyDtoDAsync_v2(other, buffer, DEVICE_BYTES, second));
	for (int i = 0; i < SETS; i++)
		CHECK(cuMemsetD8Async(other, 0xab, SET_BYTES, second));
	CHECK(cuStreamSynchronize(first));
	CHECK(cuMemFreeHost(pinned));
	free(pageable);
}

static void waits(void)
{
	handle event;
	CHECK(cuEventCreate(&event, 0));
	for (int i = 0; i < WAITS; i++) {
		CHECK(cuEventRecord(event, first));
		CHECK(cuStreamWaitEvent(second, event, 0));
		CHECK(cuEventSynchronize(event));
	}
	for (int i = 1; i < STREAM_SYNCS; i++)
		CHECK(cuStreamSynchronize(second));
}

static void pooled(void)
{
	uint64_t p;
	for (int i = 0; i < POOLED; i++) {
		CHECK(cuMemAllocAsync(&p, 1 << 16, first));
		CHECK(cuMemFreeAsync(p, first));
	}
}

/* Long kernels, measured by the device's own events: their records must say the same. */
static float spins(void)
{
	handle from, to;
	float ms = 0;
	uint64_t ns = spin_ns;
	void *parameters[] = {&ns};
	CHECK(cuEventCreate(&from, 0));
	CHECK(cuEventCreate(&to, 0));
	CHECK(cuEventRecord(from, first));
	for (int i = 0; i < SPINS; i++)
		CHECK(cuLaunchKernel(cuda.k_spin, 1, 1, 1, 1, 1, 1, 0, first, parameters, NULL));
	CHECK(cuEventRecord(to, first));
	CHECK(cuEventSynchronize(to));
	CHECK(cuEventElapsedTime(&ms, from, to));
	return ms;
}

int main(void)
{
	cuda = driver_start();
	CHECK(cuStreamCreate(&first, 1));
	CHECK(cuStreamCreate(&second, 1));
	CHECK(cuMemAlloc_v2(&buffer, PINNED_BYTES));
	CHECK(cuMemAlloc_v2(&other, PINNED_BYTES));
	launches();
	copies();
	waits();
	pooled();
	float ms = spins();
	CHECK(cuCtxSynchronize());
	printf("{\"launches\": %d, \"on_first\": %d, \"pinned\": %d, \"pageable\": %d, \"on_device\": %d, \"sets\": "
	       "%d,\n"
	       " \"stream_syncs\": %d, \"waits\": %d, \"pooled\": %d, \"spins\": %d, \"spin_event_ns\": %.0f,\n"
	       " \"pinned_bytes\": %d, \"pageable_bytes\": %d, \"device_bytes\": %d, \"set_bytes\": %d}\n",
	       LAUNCHES, ON_FIRST, PINNED, PAGEABLE, ON_DEVICE, SETS, STREAM_SYNCS, WAITS, POOLED, SPINS,
	       (double)ms * 1e6, PINNED_BYTES, PAGEABLE_BYTES, DEVICE_BYTES, SET_BYTES);
	return 7;
}
