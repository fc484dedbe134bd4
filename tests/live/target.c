/* tests/live/target.c - a program with a scripted use of CUDA, to be looked at from outside.
 *   target WORD...   words are done in order:
 *     kernels=N  copies=N  sets=N  graphs=N  forever   that much work, then a synchronisation
 *     mark=TEXT      the next steps are NVTX ranges "TEXT0", "TEXT1", ...
 *     steps=N        each a copy, some kernels of two names, and a synchronisation
 *     threads=N      the next kernels=M is done by N threads, M each
 *     rate=N         kernels per second from here on (0 = as fast as it goes)
 *     sleep=MS   say=TEXT   line (waits for a line on stdin)   until=FILE (waits until it exists)
 *     busy=FILE      kernels until it exists, at that rate
 *     fork  clone  vfork  exec  spawn   a child that does kernels=3 of its own where that is possible
 *     race=N         exits with N while four threads still launch
 *     exit=N  _exit=N  abort  segv  kill   how to end; without one of them: return 0
 * Prints what it did on stdout, so that a test can see that nothing changed it. */
#include "driver.h"
#include "nvtx.h"
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;
static struct driver cuda;
static unsigned n_threads = 1, rate;
static const char *mark; /* NULL: steps are not marked */
static uint64_t memory;

static void sleep_ns(uint64_t ns)
{
	struct timespec t = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
	nanosleep(&t, NULL);
}

static uint64_t now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void *launch(void *n)
{
	unsigned count = 256;
	void *parameters[] = {&memory, &count};
	CHECK(cuCtxSetCurrent(cuda.context));
	uint64_t from_ns = now_ns();
	for (unsigned long i = 0; i < (unsigned long)(uintptr_t)n; i++) {
		CHECK(cuLaunchKernel(cuda.k_add, 7, 1, 1, 128, 1, 1, 3072, NULL, parameters, NULL));
		if (rate && i % 16 == 15) {
			uint64_t due_ns = from_ns + (i + 1) * 1000000000u / rate, at_ns = now_ns();
			if (due_ns > at_ns)
				sleep_ns(due_ns - at_ns);
		}
	}
	return NULL;
}

static void kernels(unsigned long n)
{
	pthread_t threads[256];
	unsigned m = n_threads < 256 ? n_threads : 256;
	if (m == 1)
		launch((void *)(uintptr_t)n);
	for (unsigned i = 0; m > 1 && i < m; i++)
		if (pthread_create(&threads[i], NULL, launch, (void *)(uintptr_t)n))
			exit(97);
	for (unsigned i = 0; m > 1 && i < m; i++)
		pthread_join(threads[i], NULL);
	CHECK(cuCtxSynchronize());
}

/* Leaves by exit() while others are in the middle of CUDA calls. */
static void race(unsigned long status)
{
	pthread_t threads[4];
	for (int i = 0; i < 4; i++)
		if (pthread_create(&threads[i], NULL, launch, (void *)(uintptr_t)100000000))
			exit(97);
	sleep_ns(30000000);
	exit((int)status);
}

static bool exists(const char *file)
{
	return access(file, F_OK) == 0;
}

static void wait_until(const char *file)
{
	while (!exists(file))
		sleep_ns(5000000);
}

static void busy_until(const char *file)
{
	while (!exists(file))
		launch((void *)(uintptr_t)16);
	CHECK(cuCtxSynchronize());
}

static void copies(unsigned long n)
{
	static char pageable[4096];
	for (unsigned long i = 0; i < n; i++)
		CHECK(cuMemcpyHtoDAsync_v2(memory, pageable, sizeof pageable, NULL));
	CHECK(cuCtxSynchronize());
}

static void sets(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		CHECK(cuMemsetD8Async(memory, 0xab, 512, NULL));
	CHECK(cuCtxSynchronize());
}

/* Of n blocks all but the last are given back, each when the next one is there. */
static void blocks(unsigned long n)
{
	uint64_t block = 0, last = 0;
	for (unsigned long i = 0; i < n; i++, last = block) {
		CHECK(cuMemAlloc_v2(&block, 3 << 20));
		if (last)
			CHECK(cuMemFree_v2(last));
	}
}

static void graphs(unsigned long n)
{
	handle stream, graph, executable;
	CHECK(cuStreamCreate(&stream, 1));
	CHECK(cuStreamBeginCapture_v2(stream, 0));
	unsigned count = 256;
	void *parameters[] = {&memory, &count};
	for (int i = 0; i < 20; i++)
		CHECK(cuLaunchKernel(cuda.k_add, 7, 1, 1, 128, 1, 1, 0, stream, parameters, NULL));
	CHECK(cuStreamEndCapture(stream, &graph));
	CHECK(cuGraphInstantiateWithFlags(&executable, graph, 0));
	for (unsigned long i = 0; i < n; i++)
		CHECK(cuGraphLaunch(executable, stream));
	CHECK(cuStreamSynchronize(stream));
}

/* What a training loop looks like from here: data in, a few kernels in always the same order, a look at the result. */
static void step(unsigned long n)
{
	static char batch[4096];
	char text[64];
	unsigned count = 256;
	uint64_t spin_ns = 1000;
	void *add[] = {&memory, &count}, *spin[] = {&spin_ns};
	if (mark) {
		snprintf(text, sizeof text, "%s%lu", mark, n);
		nvtx_push(text);
	}
	CHECK(cuMemcpyHtoDAsync_v2(memory, batch, sizeof batch, NULL));
	for (int i = 0; i < 8; i++)
		CHECK(cuLaunchKernel(cuda.k_add, 7, 1, 1, 128, 1, 1, 0, NULL, add, NULL));
	CHECK(cuLaunchKernel(cuda.k_spin, 1, 1, 1, 32, 1, 1, 0, NULL, spin, NULL));
	CHECK(cuCtxSynchronize());
	if (mark)
		nvtx_pop();
}

static void steps(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++) {
		step(i);
		sleep_ns(500000);
	}
}

static void forever(void)
{
	handle f;
	CHECK(cuModuleGetFunction(&f, cuda.module, "k_forever")); /* the stand-in never ends this one */
	CHECK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
}

static void wait_for(pid_t child, const char *word)
{
	int status = 0;
	waitpid(child, &status, 0);
	printf("%s: child ended with %d\n", word, WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
}

/* A forked child cannot use CUDA; it must still run and end as it likes. */
static void do_fork(void)
{
	fflush(stdout);
	pid_t child = fork();
	if (!child)
		exit(5);
	wait_for(child, "fork");
}

/* A child of which no handler of fork() hears. */
static void do_clone(void)
{
	fflush(stdout);
	pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (!child)
		exit(5);
	wait_for(child, "clone");
}

static char word_0[] = "target", word_1[] = "kernels=3", word_2[] = "say=child", word_3[] = "exit=6";
static char *child_words[] = {word_0, word_1, word_2, word_3, NULL};

static void do_vfork(void)
{
	fflush(stdout);
	pid_t child = vfork();
	if (!child) {
		execv("/proc/self/exe", child_words);
		_exit(127);
	}
	wait_for(child, "vfork");
}

static void do_spawn(void)
{
	pid_t child = 0;
	fflush(stdout);
	if (posix_spawn(&child, "/proc/self/exe", NULL, NULL, child_words, environ))
		exit(96);
	wait_for(child, "spawn");
}

static void do_exec(void)
{
	fflush(stdout);
	execv("/proc/self/exe", child_words);
}

static void read_line(void)
{
	char line[256];
	fflush(stdout);
	if (!fgets(line, sizeof line, stdin))
		exit(95);
}

static void do_number(const char *word, size_t n, unsigned long value)
{
	static const struct {
		const char *word;
		void (*work)(unsigned long);
	} works[] = {{"kernels", kernels}, {"copies", copies}, {"sets", sets},    {"graphs", graphs},
		     {"race", race},       {"steps", steps},   {"blocks", blocks}};
	for (size_t i = 0; i < sizeof works / sizeof *works; i++)
		if (strlen(works[i].word) == n && !strncmp(works[i].word, word, n)) {
			works[i].work(value);
			printf("%.*s %lu\n", (int)n, word, value);
		}
	if (!strncmp(word, "threads", n))
		n_threads = (unsigned)value;
	else if (!strncmp(word, "rate", n))
		rate = (unsigned)value;
	else if (!strncmp(word, "sleep", n))
		sleep_ns(value * 1000000u);
	else if (!strncmp(word, "exit", n))
		exit((int)value);
	else if (!strncmp(word, "_exit", n))
		_exit((int)value);
}

static void do_word(const char *word)
{
	static const struct {
		const char *word;
		void (*act)(void);
	} acts[] = {{"forever", forever}, {"fork", do_fork}, {"clone", do_clone}, {"vfork", do_vfork},
		    {"spawn", do_spawn},  {"exec", do_exec}, {"line", read_line}, {"abort", abort}};
	const char *equals = strchr(word, '=');
	for (size_t i = 0; i < sizeof acts / sizeof *acts; i++)
		if (!strcmp(word, acts[i].word))
			acts[i].act();
	if (!strncmp(word, "say=", 4)) {
		puts(word + 4);
		fflush(stdout);
	} else if (!strncmp(word, "mark=", 5))
		mark = word[5] ? word + 5 : NULL;
	else if (!strncmp(word, "until=", 6))
		wait_until(word + 6);
	else if (!strncmp(word, "busy=", 5))
		busy_until(word + 5);
	else if (equals)
		do_number(word, (size_t)(equals - word), strtoul(equals + 1, NULL, 10));
	if (!strcmp(word, "segv"))
		raise(SIGSEGV);
	if (!strcmp(word, "kill"))
		raise(SIGKILL);
}

int main(int argc, char **argv)
{
	cuda = driver_start();
	CHECK(cuMemAlloc_v2(&memory, 1 << 20));
	for (int i = 1; i < argc; i++)
		do_word(argv[i]);
	return 0;
}
