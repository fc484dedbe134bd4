#include "graft.h"
#include "graft_symbol.h"
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#if defined(__x86_64__)
#include <dlfcn.h>
#include <elf.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>

enum { TRIES = 200, TRY_EVERY_MS = 10, RED_ZONE_BYTES = 128 };

static bool fail(struct err *e, int pid, const char *what)
{
	return err_usage(e, "process %d: %s: %s", pid, what,
			 errno == EPERM ? "not permitted (same user? kernel.yama.ptrace_scope 0? no other debugger?)"
					: strerror(errno));
}

/* A thread that waits in one of these holds no lock of malloc or of the dynamic linker. */
static bool is_harmless(long call)
{
	static const long calls[] = {SYS_read,
				     SYS_poll,
				     SYS_ppoll,
				     SYS_select,
				     SYS_pselect6,
				     SYS_epoll_wait,
				     SYS_epoll_pwait,
				     SYS_nanosleep,
				     SYS_clock_nanosleep,
				     SYS_wait4,
				     SYS_waitid,
				     SYS_recvfrom,
				     SYS_recvmsg,
				     SYS_accept,
				     SYS_accept4,
				     SYS_pause,
				     SYS_rt_sigtimedwait,
				     SYS_rt_sigsuspend};
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		if (calls[i] == call)
			return true;
	return false;
}

static bool stop(int pid, struct user_regs_struct *regs)
{
	int status;
	return !ptrace(PTRACE_INTERRUPT, pid, 0, 0) && waitpid(pid, &status, __WALL) == pid && WIFSTOPPED(status) &&
	       !ptrace(PTRACE_GETREGS, pid, 0, regs);
}

/* Stops the thread while it waits. */
static bool stop_while_it_waits(int pid, struct user_regs_struct *regs, struct err *e)
{
	struct timespec pause = {0, TRY_EVERY_MS * 1000000};
	for (int i = 0; i < TRIES; i++) {
		if (!stop(pid, regs))
			return fail(e, pid, "cannot be stopped");
		if (is_harmless((long)regs->orig_rax))
			return true;
		ptrace(PTRACE_CONT, pid, 0, 0);
		nanosleep(&pause, NULL);
	}
	return err_usage(e, "process %d is busy in its first thread, where nothing can be put in safely: try again",
			 pid);
}

static bool poke(int pid, uint64_t at, const void *bytes, size_t n)
{
	struct iovec local = {(void *)(uintptr_t)bytes, n}, remote = {(void *)(uintptr_t)at, n};
	return process_vm_writev(pid, &local, 1, &remote, 1, 0) == (ssize_t)n;
}

/* Lets the thread run until the called function returns to address 0. Signals for the process meanwhile wait their turn. */
static bool run_to_zero(int pid, struct user_regs_struct *regs, int *held)
{
	int status;
	for (;;) {
		if (ptrace(PTRACE_CONT, pid, 0, 0) || waitpid(pid, &status, __WALL) != pid || !WIFSTOPPED(status) ||
		    ptrace(PTRACE_GETREGS, pid, 0, regs))
			return false;
		if (WSTOPSIG(status) == SIGSEGV && regs->rip == 0)
			return true;
		if (WSTOPSIG(status) == SIGSEGV || WSTOPSIG(status) == SIGBUS || WSTOPSIG(status) == SIGILL)
			return false;
		if (WSTOPSIG(status) != SIGTRAP && WSTOPSIG(status) != SIGSTOP)
			*held = WSTOPSIG(status);
	}
}

/* Calls a function of two arguments on the thread's stack, below what the thread may use there. */
static bool call(int pid, const struct user_regs_struct *saved, uint64_t function, const char *text, uint64_t second,
		 uint64_t *result, int *held)
{
	static const uint64_t zero;
	struct user_regs_struct regs = *saved;
	size_t n = text ? strlen(text) + 1 : 0;
	uint64_t at = (saved->rsp - RED_ZONE_BYTES - n) & ~(uint64_t)15;
	regs.rsp = at - 4096 + 8; /* as behind a call instruction: 8 off a multiple of 16 */
	regs.rsp = ((regs.rsp - 8) & ~(uint64_t)15) + 8;
	regs.rip = function;
	regs.rdi = text ? at : 0;
	regs.rsi = second;
	regs.rax = 0;
	regs.orig_rax = (unsigned long long)-1; /* no system call to restart on the way in */
	if ((n && !poke(pid, at, text, n)) || !poke(pid, regs.rsp, &zero, sizeof zero) ||
	    ptrace(PTRACE_SETREGS, pid, 0, &regs) || !run_to_zero(pid, &regs, held))
		return false;
	*result = regs.rax;
	return true;
}

static bool load_and_start(int pid, const struct user_regs_struct *saved, const char *library, int *held, struct err *e)
{
	uint64_t dlopen_at = symbol_in_process(pid, "libc.so.6", "dlopen"), handle = 0, failed = 1;
	if (!dlopen_at)
		return err_usage(e, "process %d has no dlopen in its libc: glibc 2.34 or newer is needed", pid);
	if (!call(pid, saved, dlopen_at, library, RTLD_NOW, &handle, held))
		return fail(e, pid, "the call of dlopen did not come back");
	if (!handle)
		return err_usage(e, "process %d cannot load %.200s", pid, library);
	const char *base = strrchr(library, '/');
	uint64_t attach_at = symbol_in_process(pid, base ? base + 1 : library, "stepscope_attach");
	if (!attach_at || !call(pid, saved, attach_at, NULL, 0, &failed, held) || (int)failed)
		return err_usage(e, "process %d: the library did not start", pid);
	return true;
}

/* Floating point and vector registers, which a system call keeps and a function call does not. */
struct vectors {
	_Alignas(64) char bytes[16384];
	struct iovec part;
};

static bool get_vectors(int pid, struct vectors *v)
{
	v->part = (struct iovec){v->bytes, sizeof v->bytes};
	return !ptrace(PTRACE_GETREGSET, pid, NT_X86_XSTATE, &v->part);
}

bool graft_library(int pid, const char *library, struct err *e)
{
	struct user_regs_struct saved;
	struct vectors vectors;
	int held = 0;
	if (ptrace(PTRACE_SEIZE, pid, 0, 0))
		return fail(e, pid, "cannot be traced");
	if (!stop_while_it_waits(pid, &saved, e) || !get_vectors(pid, &vectors)) {
		ptrace(PTRACE_DETACH, pid, 0, 0);
		return false;
	}
	bool ok = load_and_start(pid, &saved, library, &held, e);
	ptrace(PTRACE_SETREGSET, pid, NT_X86_XSTATE, &vectors.part);
	ptrace(PTRACE_SETREGS, pid, 0, &saved); /* with the system call it waited in, which the kernel restarts */
	ptrace(PTRACE_DETACH, pid, 0, held);
	return ok;
}
#else
bool graft_library(int pid, const char *library, struct err *e)
{
	(void)library;
	return err_usage(
		e, "process %d: putting the library in is known for x86-64 only; start it with 'stepscope run'", pid);
}
#endif
