/* tests/bench/peak.h - the highest anonymous memory of this process: what it wrote itself. Pages of files (the program, its
 * libraries, a saved trace) do not count: the kernel drops them when others need the room. What was spilled to a file that is
 * read, not mapped, is no memory of the process at all.
 * The kernel keeps no such peak, so a thread looks every millisecond; VmHWM, which counts everything, bounds it from above. */
#ifndef BENCH_PEAK_H
#define BENCH_PEAK_H
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static _Atomic long peak_anon_pages;

/* /proc/self/statm: size, resident, of these shared with files, ... in pages */
static void *peak_watch(void *fd)
{
	char text[128];
	for (;;) {
		ssize_t n = pread(*(int *)fd, text, sizeof text - 1, 0);
		if (n <= 0)
			return NULL;
		text[n] = 0;
		char *p = text;
		strtol(p, &p, 10);
		long resident = strtol(p, &p, 10), anon = resident - strtol(p, &p, 10);
		if (anon > atomic_load(&peak_anon_pages))
			atomic_store(&peak_anon_pages, anon);
		usleep(1000);
	}
}

static inline void peak_begin(void)
{
	static int fd;
	pthread_t watcher;
	fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	if (fd >= 0 && pthread_create(&watcher, NULL, peak_watch, &fd) == 0)
		pthread_detach(watcher);
}

static inline long peak_anon_kib(void)
{
	return atomic_load(&peak_anon_pages) * (sysconf(_SC_PAGESIZE) / 1024);
}
#endif
