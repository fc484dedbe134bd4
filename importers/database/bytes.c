#include "bytes.h"
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "model/store/files/spill.h"

/* ---- where the bytes are ---------------------------------------------------------------------------------------------- */

static uint32_t big_endian(const unsigned char *p, int n)
{
	uint32_t v = 0;
	for (int i = 0; i < n; i++)
		v = v << 8 | p[i];
	return v;
}

/* The length that the first page tells: bytes 16..17 the page, 28..31 how many. */
static int64_t claimed_bytes(int fd)
{
	unsigned char head[32];
	if (spill_read(fd, head, sizeof head, 0) < sizeof head)
		return 0;
	uint32_t page = big_endian(head + 16, 2);
	return (int64_t)big_endian(head + 28, 4) * (page == 1 ? 65536 : page);
}

/* What has no file of its own is copied to one. */
static bool spool(struct bytes *b, struct source *src, struct progress *p, struct err *e)
{
	size_t have;
	b->fd = spill_open();
	b->own_fd = true;
	if (b->fd < 0)
		return err_set(e, source_name(src), -1, "no temporary file can be had to unpack this database into");
	for (;;) {
		const unsigned char *at = source_need(src, 1, &have);
		if (have == 0)
			break;
		if (!spill_write(b->fd, at, have, b->size))
			return err_set(e, source_name(src), -1,
				       "no room in the temporary folder to unpack this database into");
		b->size += (int64_t)have;
		source_skip(src, have);
		if (progress_cancelled(p))
			return err_usage(e, "cancelled");
	}
	return !source_io_error(src, e);
}

bool bytes_open(struct bytes *b, struct source *src, struct progress *p, struct err *e)
{
	struct stat st;
	*b = (struct bytes){.fd = source_file(src)};
	if (b->fd >= 0 && fstat(b->fd, &st) == 0) {
		b->size = st.st_size;
		b->progress = p; /* of packed files the source tells it */
	} else if (!spool(b, src, p, e)) {
		return false;
	}
	b->claimed = claimed_bytes(b->fd);
	b->cut = b->claimed > b->size;
	return true;
}

void bytes_close(struct bytes *b)
{
	if (b->own_fd && b->fd >= 0)
		close(b->fd);
	b->fd = -1;
}

/* ---- as SQLite sees them ---------------------------------------------------------------------------------------------- */

struct file {
	sqlite3_file base; /* first */
	struct bytes *of;
};
static _Thread_local struct bytes *opening; /* what the next file opened on this thread is */

static int no_close(sqlite3_file *f)
{
	(void)f;
	return SQLITE_OK;
}

static int read_at(sqlite3_file *f, void *to, int n, sqlite3_int64 at)
{
	struct bytes *b = ((struct file *)f)->of;
	size_t got = spill_read(b->fd, to, (size_t)n, at);
	if (b->progress)
		atomic_fetch_add_explicit(&b->progress->bytes_done, (int64_t)got, memory_order_relaxed);
	if (got == (size_t)n)
		return SQLITE_OK;
	memset((char *)to + got, 0, (size_t)n - got);
	b->failed |= at + (int64_t)got < b->size;
	return SQLITE_IOERR_SHORT_READ;
}

static int file_size(sqlite3_file *f, sqlite3_int64 *size)
{
	const struct bytes *b = ((struct file *)f)->of;
	*size = b->cut ? b->claimed : b->size;
	return SQLITE_OK;
}

static int no_write(sqlite3_file *f, const void *from, int n, sqlite3_int64 at)
{
	(void)f, (void)from, (void)n, (void)at;
	return SQLITE_READONLY;
}

static int no_truncate(sqlite3_file *f, sqlite3_int64 size)
{
	(void)f, (void)size;
	return SQLITE_READONLY;
}

/* Syncing, locking and unlocking: nobody writes. */
static int nothing(sqlite3_file *f, int flags)
{
	(void)f, (void)flags;
	return SQLITE_OK;
}

static int not_reserved(sqlite3_file *f, int *out)
{
	(void)f;
	*out = 0;
	return SQLITE_OK;
}

static int no_control(sqlite3_file *f, int op, void *arg)
{
	(void)f, (void)op, (void)arg;
	return SQLITE_NOTFOUND;
}

static int sector(sqlite3_file *f)
{
	(void)f;
	return 4096;
}

static int traits(sqlite3_file *f)
{
	(void)f;
	return SQLITE_IOCAP_IMMUTABLE;
}

static int vfs_open(sqlite3_vfs *v, const char *name, sqlite3_file *f, int flags, int *out)
{
	static const sqlite3_io_methods methods = {.iVersion = 1,
						   .xClose = no_close,
						   .xRead = read_at,
						   .xWrite = no_write,
						   .xTruncate = no_truncate,
						   .xSync = nothing,
						   .xFileSize = file_size,
						   .xLock = nothing,
						   .xUnlock = nothing,
						   .xCheckReservedLock = not_reserved,
						   .xFileControl = no_control,
						   .xSectorSize = sector,
						   .xDeviceCharacteristics = traits};
	struct file *own = (struct file *)f;
	(void)v, (void)name;
	f->pMethods = NULL;
	if (!opening || !(flags & SQLITE_OPEN_MAIN_DB))
		return SQLITE_CANTOPEN;
	*own = (struct file){{&methods}, opening};
	if (out)
		*out = SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB;
	return SQLITE_OK;
}

static int vfs_delete(sqlite3_vfs *v, const char *name, int sync)
{
	(void)v, (void)name, (void)sync;
	return SQLITE_READONLY;
}

/* No journal, no log: what they would change is not ours to apply. */
static int vfs_access(sqlite3_vfs *v, const char *name, int flags, int *out)
{
	(void)v, (void)name, (void)flags;
	*out = 0;
	return SQLITE_OK;
}

static int vfs_path(sqlite3_vfs *v, const char *name, int room, char *out)
{
	(void)v;
	sqlite3_snprintf(room, out, "%s", name);
	return SQLITE_OK;
}

static sqlite3_vfs vfs = {.iVersion = 1,
			  .szOsFile = sizeof(struct file),
			  .mxPathname = 64,
			  .zName = "stepscope-bytes",
			  .xOpen = vfs_open,
			  .xDelete = vfs_delete,
			  .xAccess = vfs_access,
			  .xFullPathname = vfs_path};

static void register_once(void)
{
	const sqlite3_vfs *usual = sqlite3_vfs_find(NULL);
	if (!usual)
		return;
	vfs.xRandomness = usual->xRandomness;
	vfs.xSleep = usual->xSleep;
	vfs.xCurrentTime = usual->xCurrentTime;
	vfs.xGetLastError = usual->xGetLastError;
	sqlite3_vfs_register(&vfs, 0);
}

sqlite3 *bytes_connect(struct bytes *b)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	sqlite3 *db = NULL;
	pthread_once(&once, register_once);
	opening = b;
	int rc = sqlite3_open_v2("source", &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE,
				 vfs.zName);
	opening = NULL;
	if (rc == SQLITE_OK)
		return db;
	sqlite3_close(db);
	return NULL;
}
