/* model/store/files/output.c - opening, completing, giving up. */
#include "output_private.h"
#include "spill.h"
#include "model/store/base/paths.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct output {
	struct target to;
	unsigned flags;
	FILE *f;
	int folder;                     /* TARGET_FILE */
	char temporary[TEMPORARY_NAME]; /* of a file in the folder: "" = it has no name */
	int stream; /* of what is written through when f is an unlinked file, -1 = f is the stream itself */
};

/* ---- before the work ------------------------------------------------------------------------------------------------ */

static bool can_make_file(const struct target *t)
{
	char name[TEMPORARY_NAME];
	int folder = target_folder(t);
	int fd = folder >= 0 ? temporary_open(folder, name) : -1;
	int why = errno;
	if (fd >= 0) {
		close(fd);
		if (*name)
			unlinkat(folder, name, 0);
		temporary_sweep(folder);
	}
	if (folder >= 0)
		close(folder);
	errno = why;
	return fd >= 0;
}

static bool refuse_terminal(struct err *e, const char *path)
{
	return err_unwritten(e, "%.200s is a terminal; write to a file", strcmp(path, "-") == 0 ? "stdout" : path);
}

static bool is_unwanted_terminal(int fd, unsigned flags)
{
	return flags & (OUTPUT_BINARY | OUTPUT_ON_SCREEN) && isatty(fd);
}

bool output_check(const char *path, unsigned flags, struct err *e)
{
	struct target t;
	TRY(target_find(&t, path, flags & ~(unsigned)OUTPUT_CHECKED, e));
	if (t.kind == TARGET_FD && is_unwanted_terminal(t.fd, flags))
		return refuse_terminal(e, path);
	return t.kind != TARGET_FILE || can_make_file(&t) || output_refuse(e, path, strerror(errno));
}

/* ---- opening ------------------------------------------------------------------------------------------------------- */

/* Like the file it is to replace. Where its group cannot be kept, the group may do no more than everybody. */
static void take_mode(int fd, const struct stat *old)
{
	mode_t mode = old->st_mode & 0777;
	if (fchown(fd, old->st_uid, old->st_gid) != 0 && fchown(fd, (uid_t)-1, old->st_gid) != 0)
		mode &= ~(mode_t)070 | (mode & 07) << 3;
	fchmod(fd, mode);
}

/* -1 with errno. */
static int open_file(struct output *o)
{
	o->folder = target_folder(&o->to);
	if (o->folder < 0)
		return -1;
	temporary_sweep(o->folder);
	int fd = temporary_open(o->folder, o->temporary);
	temporary_watch(o->folder, o->temporary);
	if (fd >= 0 && o->to.there && o->flags & OUTPUT_FORCE && S_ISREG(o->to.st.st_mode))
		take_mode(fd, &o->to.st);
	return fd;
}

/* The descriptor to write to: the stream's own, or an unlinked file's when it gets everything at the end. -1 with e. */
static int open_stream(struct output *o, const char *path, struct err *e)
{
	int fd = target_connect(&o->to, o->flags);
	if (fd < 0) {
		output_refuse(e, path, strerror(errno));
		return -1;
	}
	if (is_unwanted_terminal(fd, o->flags)) {
		close(fd);
		refuse_terminal(e, path);
		return -1;
	}
	if (!(o->flags & (OUTPUT_BINARY | OUTPUT_ON_SCREEN)))
		return fd;
	o->stream = fd;
	fd = spill_open();
	if (fd < 0)
		err_unwritten(e, "cannot write %.200s: no room for a temporary file: %s", path, strerror(errno));
	return fd;
}

struct output *output_open(const char *path, unsigned flags, struct err *e)
{
	struct output *o = calloc(1, sizeof *o);
	if (!o) {
		output_refuse(e, path, "out of memory");
		return NULL;
	}
	o->flags = flags;
	o->folder = o->stream = -1;
	if (!target_find(&o->to, path, flags, e)) {
		free(o);
		return NULL;
	}
	bool is_file = o->to.kind == TARGET_FILE;
	int fd = is_file ? open_file(o) : open_stream(o, path, e);
	if (fd < 0 && is_file)
		output_refuse(e, path, strerror(errno));
	if (fd >= 0 && !(o->f = fdopen(fd, "w"))) {
		output_refuse(e, path, "out of memory");
		close(fd);
	}
	if (o->f)
		return o;
	output_drop(o);
	return NULL;
}

FILE *output_stream(struct output *o)
{
	return o->f;
}

static void output_free(struct output *o)
{
	if (o->f)
		fclose(o->f);
	if (o->stream >= 0)
		close(o->stream);
	if (*o->temporary)
		unlinkat(o->folder, o->temporary, 0);
	temporary_unwatch(o->temporary);
	if (o->folder >= 0)
		close(o->folder);
	free(o);
}

void output_drop(struct output *o)
{
	if (o)
		output_free(o);
}

/* ---- completing a stream -------------------------------------------------------------------------------------------- */

static bool write_whole(int fd, const char *bytes, size_t n)
{
	for (size_t done = 0; done < n;) {
		ssize_t w = write(fd, bytes + done, n - done);
		if (w < 0 && errno == EINTR)
			continue;
		if (w < 0)
			return false;
		done += (size_t)w;
	}
	return true;
}

static bool copy_all(int from, int to)
{
	char block[1 << 16];
	int64_t at = 0;
	for (size_t n; (n = spill_read(from, block, sizeof block, at)) > 0; at += (int64_t)n)
		if (!write_whole(to, block, n))
			return false;
	return true;
}

/* A reader that goes away is an error here, not the end of the program: what was recorded is still to be kept. */
static bool copy_without_sigpipe(int from, int to)
{
	sigset_t pipe_only, before;
	sigemptyset(&pipe_only);
	sigaddset(&pipe_only, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &pipe_only, &before);
	bool sound = copy_all(from, to);
	int why = errno;
	if (!sound && why == EPIPE)
		sigtimedwait(&pipe_only, NULL, &(struct timespec){0});
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = why;
	return sound;
}

/* ---- completing a file ---------------------------------------------------------------------------------------------- */

/* For file systems without hard links; some of them cannot tell in one step, either. */
static bool rename_new(struct output *o, const char *name)
{
	if (renameat2(o->folder, o->temporary, o->folder, name, RENAME_NOREPLACE) == 0)
		return true;
	if (errno != EINVAL && errno != ENOSYS)
		return false;
	if (faccessat(o->folder, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
		errno = EEXIST;
	return errno != EEXIST && renameat(o->folder, o->temporary, o->folder, name) == 0;
}

/* Never over anything: EEXIST when something stands at `name`. */
static bool put_new(struct output *o, const char *name)
{
	if (!*o->temporary)
		return temporary_link(o->folder, fileno(o->f), name);
	if (linkat(o->folder, o->temporary, o->folder, name, 0) == 0)
		unlinkat(o->folder, o->temporary, 0);
	else if (errno == EEXIST || !rename_new(o, name))
		return false;
	*o->temporary = 0;
	return true;
}

/* What is no regular file any more is not replaced. */
static bool put_over(struct output *o, const char *name)
{
	struct stat st;
	if (fstatat(o->folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && !S_ISREG(st.st_mode)) {
		errno = EEXIST;
		return false;
	}
	if (!*o->temporary && !temporary_name(o->folder, fileno(o->f), o->temporary))
		return false;
	if (renameat(o->folder, o->temporary, o->folder, name) != 0)
		return false;
	*o->temporary = 0;
	return true;
}

/* "run.stepscope" -> "run-2.stepscope" */
static bool numbered(const char *path, int i, char *buf, size_t size)
{
	const char *name = path_last(path), *dot = strrchr(name, '.');
	if (!dot || dot == name)
		dot = name + strlen(name);
	int n = snprintf(buf, size, "%.*s-%d%s", (int)(dot - path), path, i, dot);
	return n > 0 && (size_t)n < size;
}

enum { FIRST_NUMBER = 2, LAST_NUMBER = 9999 };

static enum output_end put_beside(struct output *o, struct err *e)
{
	int why = errno;
	char name[NAME_MAX + 1];
	for (int i = FIRST_NUMBER; i <= LAST_NUMBER && numbered(o->to.name, i, name, sizeof name); i++) {
		if (put_new(o, name)) {
			if (why == EEXIST)
				err_unwritten(e,
					      "the output is in %s: meanwhile something else stands at %.40s beside it",
					      name, o->to.name);
			else
				err_unwritten(e, "the output is in %s: it cannot be put at %.40s beside it: %s", name,
					      o->to.name, strerror(why));
			return OUTPUT_BESIDE;
		}
		if (errno != EEXIST)
			break;
	}
	output_refuse(e, o->to.path, strerror(why));
	return OUTPUT_LOST;
}

static enum output_end put_in_place(struct output *o, struct err *e)
{
	bool put = o->flags & OUTPUT_FORCE ? put_over(o, o->to.name) : put_new(o, o->to.name);
	enum output_end end = put ? OUTPUT_DONE : put_beside(o, e);
	/* Not every file system can sync a folder; the file itself is safe. */
	if (end != OUTPUT_LOST && !(o->flags & OUTPUT_EXPENDABLE))
		fsync(o->folder);
	return end;
}

bool output_is_written(FILE *f)
{
	errno = 0;
	if (fflush(f) != 0)
		return false;
	if (!ferror(f))
		return true;
	/* an earlier write failed and its reason is gone: another one meets it again, and what it adds is given up anyway */
	if (write(fileno(f), "\n", 1) > 0)
		errno = 0;
	return false;
}

static enum output_end complete(struct output *o, struct err *e)
{
	bool is_file = o->to.kind == TARGET_FILE;
	bool sound = output_is_written(o->f);
	if (sound && is_file && !(o->flags & OUTPUT_EXPENDABLE))
		sound = fsync(fileno(o->f)) == 0;
	if (sound && o->stream >= 0)
		sound = copy_without_sigpipe(fileno(o->f), o->stream);
	if (!sound) {
		output_refuse(e, o->to.path, errno ? strerror(errno) : "not everything arrived");
		return OUTPUT_LOST;
	}
	return is_file ? put_in_place(o, e) : OUTPUT_DONE;
}

enum output_end output_close(struct output *o, struct err *e)
{
	enum output_end end = complete(o, e);
	output_free(o);
	return end;
}

/* ---- names --------------------------------------------------------------------------------------------------------- */

static bool is_free(const char *path)
{
	struct stat st;
	return lstat(path, &st) != 0 && errno == ENOENT;
}

bool output_free_name(const char *path, char *buf, size_t size)
{
	int n = snprintf(buf, size, "%s", path);
	bool fits = n >= 0 && (size_t)n < size;
	for (int i = FIRST_NUMBER; fits && !is_free(buf) && i <= LAST_NUMBER; i++)
		fits = numbered(path, i, buf, size);
	return fits;
}

int output_grow(const char *folder, const char *name, char *buf, size_t size)
{
	int n = snprintf(buf, size, "%s/%s", folder, name);
	errno = ENAMETOOLONG;
	return n < 0 || (size_t)n >= size ? -1 : open(buf, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
}
