#include "source.h"
#include "intake.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A window that is filled ahead has this much room in front, for what was not read of the one before. */
enum { WINDOW_BYTES = 1 << 20, FRONT_BYTES = 64 << 10, LEAST_AHEAD_BYTES = 4096 };

struct window {
	unsigned char *p; /* SOURCE_PAD bytes more than cap */
	size_t cap;
};
struct source {
	char *name;
	int fd;              /* -1 = memory; the intake's */
	bool regular, named; /* a plain file; one that has a path: stdin may stand anywhere in its file */
	struct stat opened;  /* as it was then */
	struct intake *intake;
	struct filled state; /* of what is at hand, and all before: the intake may be ahead */
	int io_errno;

	struct window win; /* bytes [at, n) are at hand, SOURCE_PAD zero bytes follow n */
	size_t at, n;
	size_t step;                      /* how many bytes are read at a time; a token that needs more gets more */
	struct window before;             /* the window before this one, still readable, and the next one's place */
	struct window next[INTAKE_AHEAD]; /* being filled, where that is done ahead, */
	unsigned first;                   /* the first of them here */
	bool ahead, no_thread;            /* no_thread: none can be had */
	unsigned threads;
	int64_t win_at; /* offset of win.p[0] in the unpacked stream */
	bool ended;
};

static bool window_room(struct window *w, size_t cap)
{
	if (w->cap >= cap)
		return true;
	unsigned char *p = malloc(cap + SOURCE_PAD);
	if (!p)
		return false;
	free(w->p);
	*w = (struct window){p, cap};
	return true;
}

static struct source *source_new(const char *name, int fd, const void *memory, size_t n, struct progress *p)
{
	struct source *s = calloc(1, sizeof *s);
	if (!s)
		return NULL;
	s->fd = fd;
	s->name = strdup(name);
	s->step = WINDOW_BYTES;
	s->threads = 1;
	if (s->name && window_room(&s->win, WINDOW_BYTES) && (s->intake = intake_new(fd, memory, n, p)))
		return s;
	source_close(s);
	return NULL;
}

static struct source *opened(struct source *s, struct err *e)
{
	if (s && intake_find_packing(s->intake))
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
	if (s->regular)
		intake_expect(s->intake, st->st_size - at);
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
	struct source *s = source_new(path, fd, NULL, 0, p);
	if (s)
		remember(s, &st, !is_stdin);
	else
		close(fd);
	return opened(s, e);
}

struct source *source_memory(const void *bytes, size_t n, const char *name)
{
	return opened(source_new(name, -1, bytes, n, NULL), NULL);
}

struct source *source_stream(size_t (*read)(void *ctx, void *to, size_t room, const char **damage), void *ctx,
			     const char *name, struct progress *p)
{
	struct source *s = source_new(name, -1, NULL, 0, p);
	if (s)
		intake_read_by(s->intake, read, ctx);
	return opened(s, NULL);
}

void source_bound(struct source *s, int64_t most_bytes)
{
	intake_bound(s->intake, most_bytes);
}

void source_close(struct source *s)
{
	if (!s)
		return;
	intake_free(s->intake); /* first: it may be filling a window */
	free(s->name);
	free(s->win.p);
	free(s->before.p);
	for (int i = 0; i < INTAKE_AHEAD; i++)
		free(s->next[i].p);
	free(s);
}

void source_set_window(struct source *s, size_t bytes)
{
	size_t left = s->n - s->at;
	struct window win = {0};
	if (!bytes || !window_room(&win, bytes > left ? bytes : left))
		return;
	memcpy(win.p, s->win.p + s->at, left);
	memset(win.p + left, 0, SOURCE_PAD);
	free(s->win.p);
	s->win = win;
	s->win_at += (int64_t)s->at;
	s->at = 0;
	s->n = left;
	s->step = bytes;
	intake_step(s->intake, bytes); /* packed input comes in steps of that size, too */
}

int64_t source_file_bytes(const struct source *s)
{
	return s->regular ? s->opened.st_size : 0;
}

size_t source_window(const struct source *s)
{
	return s->step;
}

/* Makes room for `cap` bytes from the current position on: in the other window, so that what was at hand stays where it is. */
static bool grow_window(struct source *s, size_t cap)
{
	size_t left = s->n - s->at;
	if (!window_room(&s->before, cap)) {
		s->io_errno = ENOMEM;
		return false;
	}
	struct window win = s->before;
	memcpy(win.p, s->win.p + s->at, left);
	s->before = s->win;
	s->win = win;
	s->win_at += (int64_t)s->at;
	s->at = 0;
	s->n = left;
	return true;
}

static void adopt(struct source *s, struct filled got)
{
	s->state = got;
	s->ended = got.ended;
	s->io_errno = got.error ? got.error : s->io_errno;
}

/* ---- ahead ---------------------------------------------------------------------------------------------------------- */

/* Bytes as stored are copied sooner than they come over from another processor. And a pipe that has nothing to say would keep the other
 * thread, and who closes the source. */
static bool may_go_ahead(const struct source *s)
{
	return s->threads > 1 && s->step >= LEAST_AHEAD_BYTES && !s->no_thread && intake_packed(s->intake) &&
	       (s->regular || s->fd < 0);
}

/* The window is the last one to be filled, and another one the first. */
static void begin_last(struct source *s)
{
	struct window *last = &s->next[s->first];
	s->first = (s->first + 1) % INTAKE_AHEAD;
	if (!window_room(last, FRONT_BYTES + s->step)) {
		s->io_errno = ENOMEM;
		s->ended = true;
	}
	if (!s->ended)
		intake_begin(s->intake, last->p + FRONT_BYTES, s->step);
}

/* The window that was filled first becomes this one, with what was not read in front of it. */
static void turn_over(struct source *s, struct filled got)
{
	size_t left = s->n - s->at;
	struct window win = s->next[s->first];
	memcpy(win.p + FRONT_BYTES - left, s->win.p + s->at, left);
	s->next[s->first] = s->before;
	s->before = s->win;
	s->win = win;
	s->win_at += (int64_t)(s->at + left) - FRONT_BYTES;
	s->at = FRONT_BYTES - left;
	s->n = FRONT_BYTES + got.n;
	adopt(s, got);
	begin_last(s);
}

/* What is needed has no place in such a window. */
static void append_next(struct source *s, struct filled got)
{
	memcpy(s->win.p + s->n, s->next[s->first].p + FRONT_BYTES, got.n);
	s->n += got.n;
	adopt(s, got);
	begin_last(s);
}

static void take_ahead(struct source *s, size_t want)
{
	size_t left = s->n - s->at;
	struct filled got = intake_wait(s->intake);
	if (left <= FRONT_BYTES && (want <= left + got.n || got.ended)) {
		turn_over(s, got);
		return;
	}
	if (!grow_window(s, (left > want ? left : want) + 2 * s->step)) {
		s->ended = true;
		return;
	}
	append_next(s, got);
	while (s->n < want && !s->ended)
		append_next(s, intake_wait(s->intake));
}

/* From the first window on, or from where the source stands, of a packed file that has more. */
static void go_ahead(struct source *s)
{
	if (s->ahead || s->ended || !may_go_ahead(s))
		return;
	bool room = true;
	for (int i = 0; room && i < INTAKE_AHEAD; i++)
		room = window_room(&s->next[i], FRONT_BYTES + s->step);
	s->ahead = room && intake_ahead(s->intake);
	s->no_thread = !s->ahead;
	for (int i = 0; s->ahead && i < INTAKE_AHEAD; i++)
		begin_last(s);
}

bool source_begin(struct source *s)
{
	go_ahead(s);
	return s->ahead;
}

/* ---- reading -------------------------------------------------------------------------------------------------------- */

static void read_more(struct source *s, size_t want)
{
	size_t full = want > s->step ? want : s->step;
	bool waits = s->fd >= 0 &&
		     !intake_packed(s->intake); /* a pipe gives what it has: do not wait for more than was asked */
	if (s->ahead) {
		take_ahead(s, want);
		return;
	}
	if (!grow_window(s, full))
		return;
	while (s->n < full && !s->ended && !(waits && s->n >= want)) {
		struct filled got = intake_fill(s->intake, s->win.p + s->n, full - s->n, false);
		s->n += got.n;
		adopt(s, got);
	}
	go_ahead(s);
}

const unsigned char *source_need(struct source *s, size_t want, size_t *have)
{
	if (s->n - s->at < want && !s->ended)
		read_more(s, want);
	memset(s->win.p + s->n, 0, SOURCE_PAD);
	*have = s->n - s->at;
	return s->win.p + s->at;
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

void source_go_on_at(struct source *s, int64_t at)
{
	intake_go_on_at(s->intake, at, (int64_t)(s->n - s->at));
	s->ended = false;
	s->win_at = at;
	s->at = s->n = 0;
}

int source_file(const struct source *s)
{
	return s->regular && s->named && !intake_packed(s->intake) ? s->fd : -1;
}

int64_t source_cut_at(const struct source *s)
{
	return s->state.cut && !intake_packed(s->intake) ? s->win_at + (int64_t)s->n : -1;
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
	return s->state.damage;
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
