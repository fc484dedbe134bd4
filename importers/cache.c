#include "cache.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "environment.h"
#include "model/store/base/thread.h"
#include "model/store/files/codec.h"
#include "model/store/files/trusted.h"
#include "model/store/saved/save.h"

enum { SAMPLES = 16, SAMPLE_BYTES = 4096, WORTH_MS = 500, MOST_MIB = 2048 };
#define ENDING ".stepscope"

/* ---- key ---------------------------------------------------------------------------------------------------------- */

static void mix(struct cache_key *k, const void *p, size_t n)
{
	k->high = codec_hash(p, n, k->high);
	k->low = codec_hash(p, n, k->low + 1);
}

static void mix_number(struct cache_key *k, int64_t v)
{
	mix(k, &v, sizeof v);
}

static void mix_identity(struct cache_key *k, const struct stat *st)
{
	mix_number(k, (int64_t)st->st_dev);
	mix_number(k, (int64_t)st->st_ino);
	mix_number(k, st->st_size);
	mix_number(k, st->st_mtim.tv_sec);
	mix_number(k, st->st_mtim.tv_nsec);
}

/* Another build may import differently. */
static void mix_build(struct cache_key *k)
{
	struct stat st;
	mix(k, VERSION, sizeof VERSION);
	mix_number(k, SAVE_MAJOR);
	mix_number(k, SAVE_MINOR);
	if (stat("/proc/self/exe", &st) == 0)
		mix_identity(k, &st);
}

/* Blocks from the first to the last, evenly spread; a small file is read whole. */
static bool mix_samples(struct cache_key *k, int fd, int64_t size)
{
	char block[SAMPLE_BYTES];
	int64_t last = size > SAMPLE_BYTES ? size - SAMPLE_BYTES : 0;
	for (int i = 0; i < SAMPLES; i++) {
		ssize_t n = pread(fd, block, sizeof block, (off_t)((__int128)last * i / (SAMPLES - 1)));
		if (n < 0)
			return false;
		mix(k, block, (size_t)n);
	}
	return true;
}

/* Pipes are not even opened: their writers would notice. */
static bool mix_source(struct cache_key *k, const char *path)
{
	struct stat st;
	bool file = strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISREG(st.st_mode);
	int fd = file ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (fd < 0)
		return false;
	bool ok = fstat(fd, &st) == 0;
	if (ok) {
		mix(k, path, strlen(path) + 1);
		mix_identity(k, &st);
		ok = mix_samples(k, fd, st.st_size);
	}
	close(fd);
	return ok;
}

bool cache_key(struct cache_key *k, const char *const *paths, size_t n)
{
	*k = (struct cache_key){1, 2};
	mix_build(k);
	for (size_t i = 0; i < n; i++)
		if (!mix_source(k, paths[i]))
			return false;
	return n > 0;
}

/* ---- place -------------------------------------------------------------------------------------------------------- */

/* A relative XDG_CACHE_HOME counts as none, as its specification says. */
static bool find_dir(char *dir, size_t size)
{
	const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	int n = -1;
	if (base && *base == '/')
		n = snprintf(dir, size, "%s/stepscope", base);
	else if (home && *home == '/')
		n = snprintf(dir, size, "%s/.cache/stepscope", home);
	return n > 0 && (size_t)n < size;
}

bool cache_refused(char *dir, size_t size)
{
	bool there;
	return find_dir(dir, size) && !trusted_folder(dir, &there) && there;
}

bool cache_folder(char *dir, size_t size)
{
	bool there;
	return find_dir(dir, size) && trusted_folder_make(dir) && trusted_folder(dir, &there);
}

static bool entry_path(const struct cache_key *k, char *path, size_t size)
{
	char dir[PATH_MAX];
	if (cache_refused(dir, sizeof dir) || !find_dir(dir, sizeof dir))
		return false;
	int n = snprintf(path, size, "%s/%016" PRIx64 "%016" PRIx64 ENDING, dir, k->high, k->low);
	return n > 0 && (size_t)n < size;
}

static int64_t most_bytes(void)
{
	return environment_number("STEPSCOPE_CACHE_MIB", 0, INT64_MAX >> 20, MOST_MIB) << 20;
}

bool cache_worth(int64_t import_ms)
{
	return import_ms >= environment_number("STEPSCOPE_CACHE_AFTER_MS", 0, INT64_MAX >> 20, WORTH_MS) &&
	       most_bytes() > 0;
}

struct trace *cache_load(const struct cache_key *k, unsigned threads, struct progress *p)
{
	char path[PATH_MAX];
	struct err e = {.at = -1};
	if (!entry_path(k, path, sizeof path) || access(path, R_OK) != 0)
		return NULL;
	struct trace *t = trace_load(path, threads, p, &e);
	if (t) {
		utimensat(AT_FDCWD, path, NULL, 0); /* used now: goes last */
		trace_drop_if_damaged(t, path);
	} else if (!e.memory) {
		unlink(path);
	}
	return t;
}

/* ---- size --------------------------------------------------------------------------------------------------------- */

struct entry {
	char name[NAME_MAX + 1];
	int64_t bytes;
	struct timespec used;
};

static int longest_ago_first(const void *a, const void *b)
{
	const struct timespec *x = &((const struct entry *)a)->used, *y = &((const struct entry *)b)->used;
	if (x->tv_sec != y->tv_sec)
		return x->tv_sec < y->tv_sec ? -1 : 1;
	return x->tv_nsec < y->tv_nsec ? -1 : x->tv_nsec > y->tv_nsec;
}

static bool is_entry(const struct entry *x)
{
	size_t n = strlen(x->name), k = strlen(ENDING);
	return n > k && strcmp(x->name + n - k, ENDING) == 0;
}

static struct entry *list_entries(int dir, size_t *n)
{
	struct column found = {.size = sizeof(struct entry)};
	int again = dup(dir);
	DIR *d = again >= 0 ? fdopendir(again) : NULL;
	struct dirent *at;
	while (d && (at = readdir(d))) {
		struct stat st;
		struct entry x = {0};
		snprintf(x.name, sizeof x.name, "%s", at->d_name);
		if (fstatat(dir, x.name, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(st.st_mode))
			continue;
		x.bytes = st.st_size;
		x.used = st.st_mtim;
		struct entry *row = is_entry(&x) ? column_push(&found) : NULL;
		if (row)
			*row = x;
	}
	if (d)
		closedir(d);
	*n = found.n;
	struct entry *list = malloc((found.n + 1) * sizeof *list);
	if (list && found.n)
		memcpy(list, found.p, found.n * sizeof *list);
	column_free(&found);
	return list;
}

void cache_trim(const char *dir, int64_t most)
{
	size_t n = 0;
	int64_t total = 0;
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct entry *list = fd >= 0 ? list_entries(fd, &n) : NULL;
	if (list)
		qsort(list, n, sizeof *list, longest_ago_first);
	for (size_t i = 0; list && i < n; i++)
		total += list[i].bytes;
	for (size_t i = 0; list && i < n && total > most; i++)
		if (unlinkat(fd, list[i].name, 0) == 0)
			total -= list[i].bytes;
	free(list);
	if (fd >= 0)
		close(fd);
}

/* ---- writing ------------------------------------------------------------------------------------------------------ */

static struct {
	pthread_mutex_t lock; /* guards thread and under_way */
	pthread_t thread;
	bool under_way;
	_Atomic bool stop;
	struct trace *t;
	char path[PATH_MAX];
} job = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void *write_entry(void *arg)
{
	char dir[PATH_MAX];
	struct err e;
	(void)arg;
	if (cache_folder(dir, sizeof dir) &&
	    trace_save_until(job.t, job.path, OUTPUT_FORCE | OUTPUT_EXPENDABLE, &job.stop, &e))
		cache_trim(dir, most_bytes());
	trace_free(job.t);
	return NULL;
}

static void end_job(bool wait)
{
	if (!job.under_way)
		return;
	atomic_store(&job.stop, !wait);
	pthread_join(job.thread, NULL);
	job.under_way = false;
}

void cache_begin(const struct cache_key *k, struct trace *t)
{
	pthread_mutex_lock(&job.lock);
	end_job(true);
	atomic_store(&job.stop, false);
	if (entry_path(k, job.path, sizeof job.path)) {
		job.t = trace_ref(t);
		job.under_way = thread_start(&job.thread, write_entry, NULL);
		if (!job.under_way)
			trace_free(t);
	}
	pthread_mutex_unlock(&job.lock);
}

void cache_end(bool wait)
{
	pthread_mutex_lock(&job.lock);
	end_job(wait);
	pthread_mutex_unlock(&job.lock);
}
