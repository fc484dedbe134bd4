/* tests/exhaust/fail.c - preloaded into stepscope by the tests: the n-th call of a kind fails, as when the system is out of it.
 *   STEPSCOPE_FAIL=KIND:N    the N-th call of that kind (from 1 on) fails; KIND:N+ fails all later ones, too
 *   STEPSCOPE_FAIL_COUNT=F   at exit, F gets one line for each kind: its name and how many calls there were
 *   STEPSCOPE_FAIL_STACK=F   F gets the stack of the first call that failed
 *   STEPSCOPE_FAIL_IN=NAME   only calls made by the object (program or library) whose path holds NAME count
 * Kinds: alloc (malloc and its family, those inside libc too), map (mmap, mremap), thread (pthread_create), write (write and
 * its family, fsync, ftruncate, rename; not those inside stdio: for them the tests bound the size of files). */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { ALLOC, MAP, THREAD, WRITE, KINDS };
static const char *const kind_names[KINDS] = {"alloc", "map", "thread", "write"};
static _Atomic uint64_t calls[KINDS];
static enum kind chosen = KINDS;
static uint64_t from_call;
static bool all_later;
static const char *only_in;

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t n, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);
void *__libc_memalign(size_t align, size_t bytes);

static void choose(const char *text)
{
	const char *colon = strchr(text, ':');
	for (int k = 0; colon && k < KINDS; k++)
		if (strncmp(text, kind_names[k], (size_t)(colon - text)) == 0 && !kind_names[k][colon - text]) {
			char *end;
			from_call = strtoull(colon + 1, &end, 10);
			all_later = *end == '+';
			chosen = (enum kind)k;
		}
}

__attribute__((constructor)) static void begin(void)
{
	void *warm[1];
	if (getenv("STEPSCOPE_FAIL_STACK"))
		backtrace(warm, 1); /* loads what it needs now, while memory is there */
	for (int k = 0; k < KINDS; k++)
		calls[k] = 0;
	only_in = getenv("STEPSCOPE_FAIL_IN");
	if (getenv("STEPSCOPE_FAIL"))
		choose(getenv("STEPSCOPE_FAIL"));
}

__attribute__((destructor)) static void end(void)
{
	const char *path = getenv("STEPSCOPE_FAIL_COUNT");
	int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
	for (int k = 0; fd >= 0 && k < KINDS; k++)
		dprintf(fd, "%s %llu\n", kind_names[k], (unsigned long long)calls[k]);
}

static void tell_stack(void)
{
	static _Atomic bool told;
	void *at[40];
	const char *path = getenv("STEPSCOPE_FAIL_STACK");
	int fd =
		path && !atomic_exchange(&told, true) ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
	if (fd < 0)
		return;
	backtrace_symbols_fd(at, backtrace(at, 40), fd);
	syscall(SYS_close, fd);
}

static bool counts(const void *caller)
{
	Dl_info at;
	return !only_in || (dladdr(caller, &at) && at.dli_fname && strstr(at.dli_fname, only_in));
}

static bool fails(enum kind k, const void *caller)
{
	if (!counts(caller))
		return false;
	uint64_t n = ++calls[k];
	if (k != chosen || n < from_call || (n > from_call && !all_later))
		return false;
	tell_stack();
	errno = k == WRITE ? ENOSPC : k == THREAD ? EAGAIN : ENOMEM;
	return true;
}

#define CALLER __builtin_return_address(0)

/* ---- memory ------------------------------------------------------------------------------------------------------- */

void *malloc(size_t bytes)
{
	return fails(ALLOC, CALLER) ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t n, size_t bytes)
{
	return fails(ALLOC, CALLER) ? NULL : __libc_calloc(n, bytes);
}

void *realloc(void *old, size_t bytes)
{
	return fails(ALLOC, CALLER) ? NULL : __libc_realloc(old, bytes);
}

void *memalign(size_t align, size_t bytes)
{
	return fails(ALLOC, CALLER) ? NULL : __libc_memalign(align, bytes);
}

void *aligned_alloc(size_t align, size_t bytes)
{
	return fails(ALLOC, CALLER) ? NULL : __libc_memalign(align, bytes);
}

int posix_memalign(void **to, size_t align, size_t bytes)
{
	void *p = fails(ALLOC, CALLER) ? NULL : __libc_memalign(align, bytes);
	if (!p)
		return ENOMEM;
	*to = p;
	return 0;
}

void *mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t from)
{
	return fails(MAP, CALLER) ? MAP_FAILED : (void *)syscall(SYS_mmap, at, bytes, protection, flags, fd, from);
}

void *mmap64(void *at, size_t bytes, int protection, int flags, int fd, off64_t from)
{
	return fails(MAP, CALLER) ? MAP_FAILED : (void *)syscall(SYS_mmap, at, bytes, protection, flags, fd, from);
}

void *mremap(void *old, size_t old_bytes, size_t bytes, int flags, ...)
{
	va_list ap;
	va_start(ap, flags);
	void *to = flags & MREMAP_FIXED ? va_arg(ap, void *) : NULL;
	va_end(ap);
	return fails(MAP, CALLER) ? MAP_FAILED : (void *)syscall(SYS_mremap, old, old_bytes, bytes, flags, to);
}

/* ---- threads ------------------------------------------------------------------------------------------------------ */

int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *arg)
{
	int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
	*(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
	return fails(THREAD, CALLER) ? EAGAIN : real(thread, attr, run, arg);
}

/* ---- files -------------------------------------------------------------------------------------------------------- */

ssize_t write(int fd, const void *bytes, size_t n)
{
	return fails(WRITE, CALLER) ? -1 : syscall(SYS_write, fd, bytes, n);
}

ssize_t pwrite(int fd, const void *bytes, size_t n, off_t at)
{
	return fails(WRITE, CALLER) ? -1 : syscall(SYS_pwrite64, fd, bytes, n, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t n, off64_t at)
{
	return fails(WRITE, CALLER) ? -1 : syscall(SYS_pwrite64, fd, bytes, n, at);
}

ssize_t writev(int fd, const struct iovec *all, int n)
{
	return fails(WRITE, CALLER) ? -1 : syscall(SYS_writev, fd, all, n);
}

int fsync(int fd)
{
	return fails(WRITE, CALLER) ? -1 : (int)syscall(SYS_fsync, fd);
}

int ftruncate(int fd, off_t bytes)
{
	return fails(WRITE, CALLER) ? -1 : (int)syscall(SYS_ftruncate, fd, bytes);
}

int rename(const char *from, const char *to)
{
	return fails(WRITE, CALLER) ? -1 : (int)syscall(SYS_rename, from, to);
}
