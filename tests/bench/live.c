/* tests/bench/live.c - what the viewer's side of live mode costs, on a made-up target (tests/unit/fake_target.h: no CUPTI, so
 * nothing here is said about a target's own overhead).
 *   live [RECORDS]     reads launches and kernels from a ring as fast as both sides go, then makes a trace of them. */
#include "clock.h"
#include "live/capture.h"
#include "live/intake.h"
#include "model/store/trace/trace.h"
#include "tests/unit/fake_target.h"
#include <pthread.h>

#define T0 1700000000000000000ll
static struct fake fake;
static long pairs;

static void *produce(void *arg)
{
	(void)arg;
	fake_say_hello(&fake);
	fake_string(&fake, 1, "k_add");
	fake_string(&fake, 2, "cudaLaunchKernel");
	fake_shape(&fake, 1, 1);
	fake_place(&fake, 1, 0, 7);
	for (long i = 0; i < pairs; i++) {
		int64_t at = T0 + i * 5000;
		fake_call(&fake, at, at + 2000, (uint32_t)i + 1, 2, 77);
		fake_kernel(&fake, at + 2500, at + 4500, (uint32_t)i + 1, 1, 1);
	}
	return NULL;
}

static double cpu_s(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Everything is written first, so that only the reader is measured. */
static void reader_alone(void)
{
	struct target t = {0};
	struct names names;
	struct kept kept;
	int sock = fake_open(&fake, WIRE_RING_BYTES, true, 1);
	pairs = WIRE_RING_BYTES / 120;
	if (!client_take(&t.client, sock, NULL) || !names_init(&names))
		return;
	kept_init(&kept, 0, 0);
	produce(NULL);
	client_hear(&t.client);
	double begun = now_s();
	while (target_take(&t, 0, &names, &kept, 1 << 20))
		;
	double s = now_s() - begun;
	printf("reader alone: %.1f ns per record, %.1f M records/s\n", s * 1e9 / (double)(2 * pairs),
	       (double)(2 * pairs) / s / 1e6);
	target_free(&t);
	names_free(&names);
	kept_free(&kept);
	fake_close(&fake);
}

int main(int argc, char **argv)
{
	long records = argc > 1 ? atol(argv[1]) : 2000000;
	struct err e = {.at = -1};
	struct capture_status st;
	struct timespec pause = {.tv_nsec = 1000000};
	char path[WIRE_PATH_BYTES];
	pthread_t writer;
	reader_alone();
	struct capture *c = capture_new(&(struct capture_opts){0}, &e);
	if (!c || !capture_listen(c, path, &e) || !capture_start(c, &e)) {
		fprintf(stderr, "%s\n", e.msg);
		return 1;
	}
	pairs = records / 2;
	close(fake_open(&fake, WIRE_RING_BYTES, true, 1));
	close(fake.sock);
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	snprintf(a.sun_path, sizeof a.sun_path, "%s", path);
	fake.sock = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (connect(fake.sock, (struct sockaddr *)&a, sizeof a) != 0)
		return 1;
	double begun = now_s();
	pthread_create(&writer, NULL, produce, NULL);
	do {
		nanosleep(&pause, NULL);
		capture_status(c, &st);
	} while (st.records < (uint64_t)pairs * 2);
	double s = now_s() - begun;
	pthread_join(writer, NULL);
	printf("writer and reader side by side: %.2f M records/s, %llu kept in %.0f MiB\n",
	       (double)st.records / s / 1e6, (unsigned long long)st.kept, (double)st.kept_bytes / 1048576);
	begun = now_s();
	double cpu = cpu_s(CLOCK_PROCESS_CPUTIME_ID);
	struct trace *t = capture_trace(c, NULL, &e);
	s = now_s() - begun;
	cpu = cpu_s(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	printf("a trace of all of it: %.0f ms, %.0f ns per record (CPU %.0f), %llu events\n", s * 1e3,
	       s * 1e9 / (double)st.records, cpu * 1e9 / (double)st.records, (unsigned long long)trace_columns(t)->n);
	trace_free(t);
	capture_free(c);
	fake_close(&fake);
	return 0;
}
