/* tests/gpu/launches.c - launches kernels on command and tells what a launch costs the host.
 *   launches [THREADS]   reads lines "KIND N" and answers each with "HOST_NS DEVICE_NS": what one launch cost on the host, and
 *                        how long the device took for all of them by its own events
 *     kernels N          N empty-handed kernels, one after the other, from each of THREADS threads
 *     graphs N           a CUDA graph of 1000 kernels, N times
 *     long N             N kernels of 2 ms
 *     beside N           one kernel of N ms, and 20 short ones a second beside it for as long
 * Ends at the end of input with 0. Runs on the stand-in driver as well. */
#include "tests/live/driver.h"
#include <pthread.h>
#include <string.h>
#include <time.h>

enum { NODES = 1000, MAX_THREADS = 64 };
static struct driver cuda;
static handle stream, own_streams[MAX_THREADS], graph_executable, from_event, to_event;
static uint64_t buffer;
static unsigned n_threads = 1;

static uint64_t now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void launch_many(handle kernel, unsigned long n, void *parameter, handle on)
{
	unsigned count = 32;
	void *parameters[] = {parameter, &count};
	for (unsigned long i = 0; i < n; i++)
		CHECK(cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, on, parameters, NULL));
}

static unsigned long each_launches;

static void *one_thread(void *own)
{
	CHECK(cuCtxSetCurrent(cuda.context));
	launch_many(cuda.k_add, each_launches, &buffer, *(handle *)own);
	return NULL;
}

static void kernels(unsigned long n)
{
	pthread_t threads[MAX_THREADS];
	each_launches = n;
	if (n_threads == 1)
		launch_many(cuda.k_add, n, &buffer, stream);
	for (unsigned i = 0; n_threads > 1 && i < n_threads; i++)
		if (pthread_create(&threads[i], NULL, one_thread, &own_streams[i]))
			exit(97);
	for (unsigned i = 0; n_threads > 1 && i < n_threads; i++)
		pthread_join(threads[i], NULL);
}

static void make_graph(void)
{
	handle graph;
	CHECK(cuStreamBeginCapture_v2(stream, 0));
	launch_many(cuda.k_add, NODES, &buffer, stream);
	CHECK(cuStreamEndCapture(stream, &graph));
	CHECK(cuGraphInstantiateWithFlags(&graph_executable, graph, 0));
}

static void graphs(unsigned long n)
{
	if (!graph_executable)
		make_graph();
	for (unsigned long i = 0; i < n; i++)
		CHECK(cuGraphLaunch(graph_executable, stream));
}

static void long_ones(unsigned long n)
{
	uint64_t ns = 2000000;
	launch_many(cuda.k_spin, n, &ns, stream);
}

static void beside(unsigned long ms)
{
	uint64_t ns = ms * 1000000, until_ns = now_ns() + ns;
	struct timespec pause = {0, 50000000};
	launch_many(cuda.k_spin, 1, &ns, own_streams[0]);
	while (now_ns() < until_ns) {
		launch_many(cuda.k_add, 1, &buffer, stream);
		nanosleep(&pause, NULL);
	}
}

static void answer(const char *kind, unsigned long n)
{
	static const struct {
		const char *kind;
		void (*run)(unsigned long n);
	} kinds[] = {{"kernels", kernels}, {"graphs", graphs}, {"long", long_ones}, {"beside", beside}};
	float ms = 0;
	CHECK(cuEventRecord(from_event, stream));
	uint64_t began_ns = now_ns();
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (!strcmp(kinds[i].kind, kind))
			kinds[i].run(n);
	uint64_t took_ns = now_ns() - began_ns;
	for (unsigned i = 0; n_threads > 1 && i < n_threads; i++)
		CHECK(cuStreamSynchronize(own_streams[i])); /* the event's stream does not wait for theirs */
	CHECK(cuEventRecord(to_event, stream));
	CHECK(cuCtxSynchronize());
	CHECK(cuEventElapsedTime(&ms, from_event, to_event));
	printf("%.1f %.0f\n", (double)took_ns / (double)(n ? n : 1), (double)ms * 1e6);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	char kind[32];
	unsigned long n;
	n_threads = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
	if (n_threads < 1 || n_threads > MAX_THREADS)
		return 2;
	cuda = driver_start();
	CHECK(cuStreamCreate(&stream, 1));
	for (unsigned i = 0; i < n_threads; i++)
		CHECK(cuStreamCreate(&own_streams[i], 1));
	CHECK(cuEventCreate(&from_event, 0));
	CHECK(cuEventCreate(&to_event, 0));
	CHECK(cuMemAlloc_v2(&buffer, 1 << 20));
	while (scanf("%31s %lu", kind, &n) == 2)
		answer(kind, n);
	return 0;
}
