/* live/preload/preload.c - the second way into a target, for drivers and programs that do not honour CUDA_INJECTION64_PATH.
 * LD_PRELOAD puts this library into every process of the command, most of which never use CUDA. It holds nothing but a
 * dlopen that looks at the name: when the program loads the driver, a thread waits until the program itself has initialised
 * it, and only then the real library is loaded and attaches as to any running process. Nothing is done before that, and the
 * driver is never initialised by us: what a program sets between loading and using CUDA keeps its effect.
 * Hazards, the reason why this is opt-in: each process carries one more library and one more name in front of the C library's;
 * programs that are static or set-user-id do not see it; sanitizers refuse to start after another library; what was done
 * before the thread saw the driver is not recorded. */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { STACK_BYTES = 256 << 10, FIRST_MS = 1, LAST_MS = 20, NOT_INITIALISED = 3 };
typedef void *open_function(const char *file, int flags);

static const char *library;   /* what to load; NULL = asleep */
static _Atomic pid_t watcher; /* process that waits, so that a forked child may wait for itself */

/* ---- waiting for the driver ---- */

static void sleep_ms(int ms)
{
	struct timespec t = {.tv_nsec = ms * 1000000L};
	nanosleep(&t, NULL);
}

static open_function *real_dlopen(void)
{
	static _Atomic(open_function *) found;
	open_function *f = found;
	if (!f) {
		*(void **)&f = dlsym(RTLD_NEXT, "dlopen");
		found = f;
	}
	return f;
}

/* Asking the driver for its devices initialises nothing: it refuses until the program has done that. */
static bool is_initialised(void)
{
	static int (*count)(int *);
	void *driver = count ? NULL : real_dlopen()("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
	int n;
	if (driver)
		*(void **)&count = dlsym(driver, "cuDeviceGetCount");
	return count && count(&n) != NOT_INITIALISED;
}

static void *wait_for_driver(void *unused)
{
	for (int ms = FIRST_MS; !is_initialised(); ms = ms < LAST_MS ? ms + 1 : ms)
		sleep_ms(ms);
	void *inject = real_dlopen()(library, RTLD_NOW | RTLD_LOCAL);
	int (*attach)(void) = NULL;
	if (inject)
		*(void **)&attach = dlsym(inject, "stepscope_attach");
	if (attach)
		attach();
	return unused;
}

/* The program's signals are not for this thread. */
static void watch(void)
{
	pthread_attr_t attributes;
	pthread_t thread;
	sigset_t all, before;
	if (atomic_exchange(&watcher, getpid()) == getpid() || pthread_attr_init(&attributes))
		return;
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pthread_create(&thread, &attributes, wait_for_driver, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
}

/* ---- who loads it ---- */

__attribute__((constructor)) static void wake(void)
{
	const char *off = getenv("STEPSCOPE_DISABLE"), *path = getenv("STEPSCOPE_PRELOAD");
	if (!path || *path != '/' || (off && *off && *off != '0'))
		return;
	library = strdup(path); /* the program may change its environment */
	if (library && dlsym(RTLD_DEFAULT, "cuInit"))
		watch(); /* linked to the driver: there will be no dlopen */
}

/* Must end in a jump, not a call: the loader looks for libraries where its caller's file says (RUNPATH). gcc needs to be told
 * where the build does not optimize. */
#ifdef __clang__
#define ENDS_IN_A_JUMP
#else
#define ENDS_IN_A_JUMP __attribute__((optimize("O2")))
#endif
void *dlopen(const char *file, int flags);
__attribute__((visibility("default"))) ENDS_IN_A_JUMP void *dlopen(const char *file, int flags)
{
	open_function *next = real_dlopen();
	if (library && file && strstr(file, "libcuda.so")) {
		int saved = errno;
		watch();
		errno = saved;
	}
	return next ? next(file, flags) : NULL;
}
