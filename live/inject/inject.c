/* live/inject/inject.c - the way into the target and out of it.
 * libcuda loads the library named by CUDA_INJECTION64_PATH and calls InitializeInjection while it starts up. Rules of a
 * guest in the process: no signal handler, no output, no change of environment, folder, umask or locale; no abort, no exit;
 * two threads
 * of our own with all signals blocked; the exit code and the target's own descriptors are never touched; whatever goes
 * wrong here, the target runs on. */
#include "control.h"
#include "live/inject/base/log.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum { CONTROL_STACK_BYTES = 1 << 20, DECODER_STACK_BYTES = 256 << 10 };

static struct settings settings;
static struct control control;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Atomic bool is_up; /* false: nothing to leave behind, or a forked child */
static pid_t owner;        /* a child made without fork() has our memory, but is not the process we serve */

int InitializeInjection(void);
int stepscope_attach(void);
int InitializeInjectionNvtx2(void *get_export_table);

static void at_exit(void)
{
	if (getpid() == owner && atomic_exchange(&is_up, false))
		control_finish(&control);
}

/* Handlers run last in, first out. Registered again with the first context, and once a record of device work has come, ours
 * runs before those that CUDA has put in since, when there still is a driver to fetch the last records from. */
static void exit_again(void)
{
	atexit(at_exit);
}

/* In the child CUDA is unusable and our threads do not exist. */
static void after_fork(void)
{
	if (atomic_exchange(&is_up, false))
		control_forget(&control);
}

static bool start_thread(void *(*run)(void *), void *argument, size_t stack_bytes, const char *name)
{
	pthread_attr_t attributes;
	pthread_t thread;
	if (pthread_attr_init(&attributes))
		return false;
	pthread_attr_setstacksize(&attributes, stack_bytes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	bool ok = !pthread_create(&thread, &attributes, run, argument);
	if (ok)
		pthread_setname_np(thread, name);
	pthread_attr_destroy(&attributes);
	return ok;
}

static bool start_threads(void)
{
	return start_thread(recorder_decode_forever, &control.recorder, DECODER_STACK_BYTES, "stepscope-dec") &&
	       start_thread(control_forever, &control, CONTROL_STACK_BYTES, "stepscope-ctl");
}

static void begin(void)
{
	settings_read(&settings);
	if (settings.disabled)
		return;
	log_open(settings.log);
	if (!control_init(&control, &settings))
		return;
	control.exit_again = control.recorder.on_context = exit_again;
	control_open(&control);
	if (!start_threads()) {
		log_line("no threads to be had");
		control_give_up(&control);
		return;
	}
	owner = getpid();
	is_up = true;
	pthread_atfork(NULL, NULL, after_fork);
	atexit(at_exit);
}

/* Signals are the target's business: its handlers must not run on our threads, which inherit this mask. A limit on the
 * size of files would kill it by SIGXFSZ when we make the ring; here that is an error like any other. */
static void begin_unheard(void)
{
	sigset_t all, before, file_size, pending;
	struct timespec now = {0, 0};
	sigfillset(&all);
	sigemptyset(&file_size);
	sigaddset(&file_size, SIGXFSZ);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	bool was_pending = !sigpending(&pending) && sigismember(&pending, SIGXFSZ);
	begin();
	if (!was_pending)
		sigtimedwait(&file_size, NULL, &now);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

__attribute__((visibility("default"))) int InitializeInjection(void)
{
	int saved = errno;
	pthread_once(&once, begin_unheard);
	errno = saved;
	return 1;
}

static void *begin_late(void *unused)
{
	(void)unused;
	control.recorder.is_injected = true;
	control.recorder.has_context = true;
	pthread_once(&once, begin_unheard);
	return NULL;
}

/* For a library that was put into a running process: does nothing but start a thread, which looks for the driver and CUPTI.
 * Returns 0, or an errno value. */
__attribute__((visibility("default"))) int stepscope_attach(void)
{
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	bool ok = start_thread(begin_late, NULL, CONTROL_STACK_BYTES, "stepscope-new");
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return ok ? 0 : EAGAIN;
}

/* NVTX_INJECTION64_PATH: NVTX asks us, the process's CUPTI answers by its own entry of that name: 1 = loaded, 0 = NVTX turns
 * every call into nothing. That entry starts CUPTI up first and takes no range when that fails; cuptiNvtxInitialize2 alone
 * takes them all the same, and 13.0 and 13.1 then die of the first one where there is no driver. 13.0.0 dies in any case.
 * NVTX may come long before the driver, and once for each object that uses it: a table of its own each time. */
__attribute__((visibility("default"))) int InitializeInjectionNvtx2(void *get_export_table)
{
	enum { CUPTI_NVTX_CRASHES = 130000 };
	const char *off = getenv("STEPSCOPE_DISABLE");
	struct cupti cupti;
	char why[256];
	if (off && *off && *off != '0')
		return 0;
	if (!cupti_load(&cupti, getenv("STEPSCOPE_CUPTI"), false, why, sizeof why) || !cupti.nvtx_injection ||
	    cupti.number == CUPTI_NVTX_CRASHES)
		return 0;
	return cupti.nvtx_injection(get_export_table);
}
