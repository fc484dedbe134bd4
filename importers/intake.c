#include "intake.h"
#include "unpack.h"
#include "model/store/base/thread.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK_BYTES = 256 << 10 };

/* What is filled ahead. */
struct place {
	unsigned char *to;
	size_t room;
	struct filled filled;
};
struct intake {
	int fd; /* -1 = memory */
	const unsigned char *mem;
	size_t mem_left;
	size_t (*read)(void *ctx, void *to, size_t room, const char **damage); /* instead of memory */
	void *ctx;
	const char *damage; /* of stored bytes, or too many of them */
	int64_t may_give;   /* bytes */
	struct progress *progress;
	int64_t left;         /* bytes of a plain file that must still come */
	bool cut;             /* they did not */
	int error;            /* of read(2) */
	unsigned char *chunk; /* packed bytes (and the first raw ones, read to tell what this is) */
	size_t chunk_at, chunk_n, chunk_cap;
	bool stored_ended, ended;
	struct unpack *unpack; /* NULL = stored as is */

	/* the thread that fills ahead */
	bool ahead, stop;
	struct place places[INTAKE_AHEAD]; /* number N in place N % INTAKE_AHEAD */
	uint64_t n_asked, n_filled, n_taken;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t change;
};

/* Bytes as stored: from the file or from memory. 0 = end or error. */
static size_t stored_read(struct intake *x, void *to, size_t room)
{
	ssize_t got;
	if (x->read)
		return x->read(x->ctx, to, room, &x->damage);
	if (x->fd < 0) {
		got = (ssize_t)(room < x->mem_left ? room : x->mem_left);
		memcpy(to, x->mem, (size_t)got);
		x->mem += got;
		x->mem_left -= (size_t)got;
		return (size_t)got;
	}
	do {
		got = read(x->fd, to, room);
	} while (got < 0 && errno == EINTR);
	if (got < 0)
		x->error = errno;
	x->cut |= got == 0 && x->left > 0;
	if (got <= 0)
		return 0;
	x->left -= got;
	if (x->progress)
		atomic_fetch_add_explicit(&x->progress->bytes_done, got, memory_order_relaxed);
	return (size_t)got;
}

/* Adds stored bytes to the chunk; false when there are none left. */
static bool chunk_fill(struct intake *x)
{
	if (x->chunk_at == x->chunk_n)
		x->chunk_at = x->chunk_n = 0;
	if (x->stored_ended || x->chunk_n == x->chunk_cap)
		return !x->stored_ended;
	size_t got = stored_read(x, x->chunk + x->chunk_n, x->chunk_cap - x->chunk_n);
	x->chunk_n += got;
	if (!got)
		x->stored_ended = true;
	return got > 0;
}

static size_t take_stored(struct intake *x, unsigned char *to, size_t room)
{
	size_t left = x->chunk_n - x->chunk_at;
	if (!left)
		return stored_read(x, to, room);
	size_t n = left < room ? left : room;
	memcpy(to, x->chunk + x->chunk_at, n);
	x->chunk_at += n;
	return n;
}

static size_t take_unpacked(struct intake *x, unsigned char *to, size_t room)
{
	for (;;) {
		size_t used = 0;
		size_t got = unpack_some(x->unpack, x->chunk + x->chunk_at, x->chunk_n - x->chunk_at, &used, to, room);
		x->chunk_at += used;
		if (got || unpack_done(x->unpack))
			return got;
		bool stuck = x->chunk_at < x->chunk_n && !used;
		if (stuck || !(x->chunk_at < x->chunk_n || chunk_fill(x))) {
			unpack_end_of_input(x->unpack);
			return 0;
		}
	}
}

struct intake *intake_new(int fd, const void *memory, size_t n, struct progress *p)
{
	struct intake *x = calloc(1, sizeof *x);
	if (!x)
		return NULL;
	x->fd = -1; /* the caller's until all is well */
	x->mem = memory;
	x->mem_left = n;
	x->progress = p;
	x->may_give = INT64_MAX;
	x->chunk_cap = CHUNK_BYTES;
	x->chunk = malloc(x->chunk_cap);
	pthread_mutex_init(&x->lock, NULL);
	pthread_cond_init(&x->change, NULL);
	if (x->chunk) {
		x->fd = fd;
		return x;
	}
	intake_free(x);
	return NULL;
}

void intake_read_by(struct intake *x, size_t (*read)(void *ctx, void *to, size_t room, const char **damage), void *ctx)
{
	x->read = read;
	x->ctx = ctx;
}

void intake_bound(struct intake *x, int64_t most_bytes)
{
	x->may_give = most_bytes;
}

void intake_expect(struct intake *x, int64_t bytes)
{
	x->left = bytes;
}

void intake_go_on_at(struct intake *x, int64_t at, int64_t unused)
{
	off_t read_to = lseek(x->fd, 0, SEEK_CUR);
	unused += (int64_t)(x->chunk_n - x->chunk_at);
	if (read_to < 0 || lseek(x->fd, at, SEEK_SET) < 0) {
		x->error = errno;
		x->ended = true;
		return;
	}
	x->left += read_to - at;
	x->chunk_at = x->chunk_n = 0;
	x->stored_ended = x->ended = false;
	if (x->progress)
		atomic_fetch_sub_explicit(&x->progress->bytes_done, unused, memory_order_relaxed);
}

/* What is already read stays readable. */
void intake_step(struct intake *x, size_t bytes)
{
	x->chunk_cap = bytes < CHUNK_BYTES ? bytes : CHUNK_BYTES;
	if (x->chunk_cap < x->chunk_n)
		x->chunk_cap = x->chunk_n;
}

/* A pipe may deliver the first bytes one by one. */
bool intake_find_packing(struct intake *x)
{
	while (x->chunk_n < UNPACK_MAGIC_BYTES && chunk_fill(x))
		;
	x->stored_ended = false; /* a terminal may go on after an end; a file simply says so again */
	enum packing packing = packing_of(x->chunk, x->chunk_n);
	if (packing == PACKING_NONE)
		return true;
	x->unpack = unpack_new(packing);
	return x->unpack != NULL;
}

bool intake_packed(const struct intake *x)
{
	return x->unpack != NULL;
}

/* Room for what may still come; at none the stream is too long. */
static size_t room_left(struct intake *x, size_t room)
{
	if (x->may_give <= 0)
		x->damage = "unpacks to more than a sound archive can hold";
	return (int64_t)room < x->may_give ? room : x->may_give > 0 ? (size_t)x->may_give : 0;
}

static const char *damage_of(const struct intake *x)
{
	const char *unpacked = x->unpack ? unpack_damage(x->unpack) : NULL;
	return x->damage ? x->damage : unpacked;
}

struct filled intake_fill(struct intake *x, unsigned char *to, size_t room, bool whole)
{
	size_t n = 0;
	while (n < room && !x->ended) {
		size_t may = room_left(x, room - n);
		size_t got = !may ? 0 : x->unpack ? take_unpacked(x, to + n, may) : take_stored(x, to + n, may);
		x->ended = got == 0;
		x->may_give -= (int64_t)got;
		n += got;
		if (n && !whole)
			break;
	}
	return (struct filled){.n = n, .ended = x->ended, .cut = x->cut, .error = x->error, .damage = damage_of(x)};
}

/* ---- ahead ---------------------------------------------------------------------------------------------------------- */

static void *run(void *arg)
{
	struct intake *x = arg;
	pthread_mutex_lock(&x->lock);
	for (;;) {
		while (x->n_filled == x->n_asked && !x->stop)
			pthread_cond_wait(&x->change, &x->lock);
		if (x->stop)
			break;
		struct place *p = &x->places[x->n_filled % INTAKE_AHEAD];
		pthread_mutex_unlock(&x->lock);
		p->filled = intake_fill(x, p->to, p->room, true);
		pthread_mutex_lock(&x->lock);
		x->n_filled++;
		pthread_cond_signal(&x->change);
	}
	pthread_mutex_unlock(&x->lock);
	return NULL;
}

bool intake_ahead(struct intake *x)
{
	x->ahead = thread_start(&x->thread, run, x);
	return x->ahead;
}

void intake_begin(struct intake *x, unsigned char *to, size_t room)
{
	pthread_mutex_lock(&x->lock);
	x->places[x->n_asked++ % INTAKE_AHEAD] = (struct place){.to = to, .room = room};
	pthread_cond_signal(&x->change);
	pthread_mutex_unlock(&x->lock);
}

struct filled intake_wait(struct intake *x)
{
	pthread_mutex_lock(&x->lock);
	while (x->n_taken == x->n_filled)
		pthread_cond_wait(&x->change, &x->lock);
	struct filled filled = x->places[x->n_taken++ % INTAKE_AHEAD].filled;
	pthread_mutex_unlock(&x->lock);
	return filled;
}

void intake_free(struct intake *x)
{
	if (!x)
		return;
	if (x->ahead) {
		pthread_mutex_lock(&x->lock);
		x->stop = true;
		pthread_cond_signal(&x->change);
		pthread_mutex_unlock(&x->lock);
		pthread_join(x->thread, NULL);
	}
	if (x->fd >= 0)
		close(x->fd);
	unpack_free(x->unpack);
	free(x->chunk);
	pthread_cond_destroy(&x->change);
	pthread_mutex_destroy(&x->lock);
	free(x);
}
