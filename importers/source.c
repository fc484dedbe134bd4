#include "source.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "unpack.h"

enum { WINDOW_BYTES = 1 << 20, CHUNK_BYTES = 256 << 10 };

struct source {
	char *name;
	int fd;              /* -1 = memory */
	bool regular, named; /* a plain file; one that has a path: stdin may stand anywhere in its file */
	struct stat opened;  /* as it was then */
	int64_t left;        /* bytes of it that must still come */
	bool cut;            /* they did not */
	const unsigned char *mem;
	size_t mem_left;
	struct progress *progress;
	int io_errno;

	unsigned char *chunk; /* packed bytes (and the first raw ones, read to tell what this is) */
	size_t chunk_at, chunk_n, chunk_cap;
	bool stored_ended;
	struct unpack *unpack; /* NULL = stored as is */

	unsigned char *win; /* bytes [at, n) are at hand, SOURCE_PAD zero bytes follow n */
	size_t at, n, cap;
	size_t window;         /* how many bytes are read at a time; a token that needs more gets more */
	unsigned char *before; /* the window before this one, still readable, and the next one's place */
	size_t before_cap;
	unsigned threads;
	int64_t win_at; /* offset of win[0] in the unpacked stream */
	bool ended;
};

/* Bytes as stored: from the file or from memory. 0 = end or error. */
static size_t stored_read(struct source *s, void *to, size_t room)
{
	ssize_t got;
	if (s->fd < 0) {
		got = (ssize_t)(room < s->mem_left ? room : s->mem_left);
		memcpy(to, s->mem, (size_t)got);
		s->mem += got;
		s->mem_left -= (size_t)got;
		return (size_t)got;
	}
	do {
		got = read(s->fd, to, room);
	} while (got < 0 && errno == EINTR);
	if (got < 0)
		s->io_errno = errno;
	s->cut |= got == 0 && s->left > 0;
	if (got <= 0)
		return 0;
	s->left -= got;
	if (s->progress)
		atomic_fetch_add_explicit(&s->progress->bytes_done, got, memory_order_relaxed);
	return (size_t)got;
}

/* Adds stored bytes to the chunk; false when there are none left. */
static bool chunk_fill(struct source *s)
{
	if (s->chunk_at == s->chunk_n)
		s->chunk_at = s->chunk_n = 0;
	if (s->stored_ended || s->chunk_n == s->chunk_cap)
		return !s->stored_ended;
	size_t got = stored_read(s, s->chunk + s->chunk_n, s->chunk_cap - s->chunk_n);
	s->chunk_n += got;
	if (!got)
		s->stored_ended = true;
	return got > 0;
}

static size_t take_stored(struct source *s, unsigned char *to, size_t room)
{
	size_t left = s->chunk_n - s->chunk_at;
	if (!left)
		return stored_read(s, to, room);
	size_t n = left < room ? left : room;
	memcpy(to, s->chunk + s->chunk_at, n);
	s->chunk_at += n;
	return n;
}

static size_t take_unpacked(struct source *s, unsigned char *to, size_t room)
{
	for (;;) {
		size_t used = 0;
		size_t got = unpack_some(s->unpack, s->chunk + s->chunk_at, s->chunk_n - s->chunk_at, &used, to, room);
		s->chunk_at += used;
		if (got || unpack_done(s->unpack))
			return got;
		bool stuck = s->chunk_at < s->chunk_n && !used;
		if (stuck || !(s->chunk_at < s->chunk_n || chunk_fill(s))) {
			unpack_end_of_input(s->unpack);
			return 0;
		}
	}
}

static struct source *source_new(const char *name, int fd, struct progress *p)
{
	struct source *s = calloc(1, sizeof *s);
	if (!s)
		return NULL;
	s->fd = fd;
	s->progress = p;
	s->name = strdup(name);
	s->chunk_cap = CHUNK_BYTES;
	s->chunk = malloc(s->chunk_cap);
	s->cap = s->window = WINDOW_BYTES;
	s->threads = 1;
	s->win = malloc(s->cap + SOURCE_PAD);
	if (s->name && s->chunk && s->win)
		return s;
	source_close(s);
	return NULL;
}

/* Reads the first bytes and looks at their magic. A pipe may deliver them one by one. */
static bool find_packing(struct source *s)
{
	while (s->chunk_n < UNPACK_MAGIC_BYTES && chunk_fill(s))
		;
	s->stored_ended = false; /* a terminal may go on after an end; a file simply says so again */
	enum packing packing = packing_of(s->chunk, s->chunk_n);
	if (packing == PACKING_NONE)
		return true;
	s->unpack = unpack_new(packing);
	return s->unpack != NULL;
}

static struct source *opened(struct source *s, struct err *e)
{
	if (s && find_packing(s))
		return s;
	err_memory(e, s ? s->name : NULL);
	source_close(s);
	return NULL;
}

static bool usable_file(const char *path, int fd, struct progress *p, struct stat *st, struct err *e)
{
	if (fstat(fd, st))
		return err_set(e, path, -1, "%s", strerror(errno));
	if (S_ISDIR(st->st_mode))
		return err_set(e, path, -1, "is a directory");
	if (p && S_ISREG(st->st_mode) && !atomic_load_explicit(&p->bytes_total, memory_order_relaxed))
		atomic_store_explicit(&p->bytes_total, st->st_size, memory_order_relaxed);
	return true;
}

/* Size and time of change when the file was opened, to notice later that it was changed meanwhile. */
static void remember(struct source *s, const struct stat *st, bool named)
{
	off_t at = S_ISREG(st->st_mode) ? lseek(s->fd, 0, SEEK_CUR) : -1;
	s->regular = at >= 0;
	s->named = named;
	s->opened = *st;
	s->left = s->regular ? st->st_size - at : 0;
}

struct source *source_open(const char *path, struct progress *p, struct err *e)
{
	bool is_stdin = strcmp(path, "-") == 0;
	int fd = is_stdin ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		err_set(e, path, -1, "%s", strerror(errno));
		return NULL;
	}
	struct stat st;
	if (!usable_file(path, fd, p, &st, e)) {
		close(fd);
		return NULL;
	}
	struct source *s = source_new(path, fd, p);
	if (s)
		remember(s, &st, !is_stdin);
	else
		close(fd);
	return opened(s, e);
}

struct source *source_memory(const void *bytes, size_t n, const char *name)
{
	struct source *s = source_new(name, -1, NULL);
	if (!s)
		return NULL;
	s->mem = bytes;
	s->mem_left = n;
	return opened(s, NULL);
}

void source_close(struct source *s)
{
	if (!s)
		return;
	if (s->fd >= 0)
		close(s->fd);
	unpack_free(s->unpack);
	free(s->name);
	free(s->chunk);
	free(s->win);
	free(s->before);
	free(s);
}

void source_set_window(struct source *s, size_t bytes)
{
	size_t cap = bytes > s->n - s->at ? bytes : s->n - s->at;
	unsigned char *win = malloc(cap + SOURCE_PAD);
	if (!bytes || !win) {
		free(win);
		return;
	}
	memcpy(win, s->win + s->at, s->n - s->at);
	s->n -= s->at;
	s->win_at += (int64_t)s->at;
	s->at = 0;
	s->cap = cap;
	s->window = bytes;
	memset(win + s->n, 0, SOURCE_PAD);
	free(s->win);
	s->win = win;
	/* packed input comes in steps of that size, too; what is already read stays readable */
	s->chunk_cap = bytes < CHUNK_BYTES ? bytes : CHUNK_BYTES;
	if (s->chunk_cap < s->chunk_n)
		s->chunk_cap = s->chunk_n;
}

/* Makes room for `cap` bytes from the current position on: in the other window, so that what was at hand stays where it is. */
static bool grow_window(struct source *s, size_t cap)
{
	size_t left = s->n - s->at;
	if (s->before_cap < cap) {
		unsigned char *win = malloc(cap + SOURCE_PAD);
		if (!win) {
			s->io_errno = ENOMEM;
			return false;
		}
		free(s->before);
		s->before = win;
		s->before_cap = cap;
	}
	unsigned char *win = s->before;
	size_t win_cap = s->before_cap;
	memcpy(win, s->win + s->at, left);
	s->before = s->win;
	s->before_cap = s->cap;
	s->win = win;
	s->cap = win_cap;
	s->win_at += (int64_t)s->at;
	s->at = 0;
	s->n = left;
	return true;
}

static void read_more(struct source *s, size_t want, size_t full)
{
	if (!grow_window(s, full))
		return;
	while (s->n < full && !s->ended) {
		size_t room = full - s->n;
		size_t got = s->unpack ? take_unpacked(s, s->win + s->n, room) : take_stored(s, s->win + s->n, room);
		s->ended = got == 0;
		s->n += got;
		if (s->n >= want && s->fd >= 0 && !s->unpack)
			break; /* a pipe gives what it has: do not wait for more than was asked */
	}
}

const unsigned char *source_need(struct source *s, size_t want, size_t *have)
{
	size_t full = want > s->window ? want : s->window;
	if (s->n - s->at < want && !s->ended)
		read_more(s, want, full);
	memset(s->win + s->n, 0, SOURCE_PAD);
	*have = s->n - s->at;
	return s->win + s->at;
}

void source_skip(struct source *s, size_t n)
{
	size_t have = s->n - s->at;
	s->at += n < have ? n : have;
}

int64_t source_at(const struct source *s)
{
	return s->win_at + (int64_t)s->at;
}

int source_file(const struct source *s)
{
	return s->regular && s->named && !s->unpack ? s->fd : -1;
}

int64_t source_cut_at(const struct source *s)
{
	return s->cut && !s->unpack ? s->win_at + (int64_t)s->n : -1;
}

bool source_changed(const struct source *s)
{
	struct stat now;
	return s->regular &&
	       (fstat(s->fd, &now) || now.st_size != s->opened.st_size ||
		now.st_mtim.tv_sec != s->opened.st_mtim.tv_sec || now.st_mtim.tv_nsec != s->opened.st_mtim.tv_nsec);
}

int64_t source_bytes_now(const struct source *s)
{
	struct stat now;
	return s->regular && fstat(s->fd, &now) == 0 ? now.st_size : -1;
}

void source_set_threads(struct source *s, unsigned n)
{
	s->threads = n ? n : 1;
}

unsigned source_threads(const struct source *s)
{
	return s->threads;
}

bool source_ended(struct source *s)
{
	size_t have;
	source_need(s, 1, &have);
	return have == 0;
}

const char *source_name(const struct source *s)
{
	return s->name;
}

const char *source_damage(const struct source *s)
{
	return s->unpack ? unpack_damage(s->unpack) : NULL;
}

bool source_io_error(const struct source *s, struct err *e)
{
	if (!s->io_errno)
		return false;
	err_set(e, s->name, source_at(s), "%s", strerror(s->io_errno));
	return true;
}

bool source_out_of_memory(const struct source *s)
{
	return s->io_errno == ENOMEM;
}
