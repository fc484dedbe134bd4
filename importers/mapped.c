#include "mapped.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#endif
#ifndef XFS_SUPER_MAGIC
#define XFS_SUPER_MAGIC 0x58465342
#endif

enum { WORTH_BYTES = 4 << 20 }; /* below, reading is as fast */

struct view {
	unsigned char *p; /* NULL: none */
	size_t bytes;
};

struct mapped {
	int fd;
	int64_t size;
	size_t page;
	struct view view[2];
	unsigned older; /* which view goes next */
	bool leased;
};

/* Where every change comes through this kernel. What lies on another machine changes without asking us. */
static bool local(int fd)
{
	static const unsigned long kinds[] = {EXT4_SUPER_MAGIC, XFS_SUPER_MAGIC, BTRFS_SUPER_MAGIC,
					      F2FS_SUPER_MAGIC, TMPFS_MAGIC,     OVERLAYFS_SUPER_MAGIC};
	struct statfs fs;
	if (fstatfs(fd, &fs))
		return false;
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if ((unsigned long)fs.f_type == kinds[i])
			return true;
	return false;
}

/* We look ourselves whether someone waits; the signal that tells it is one that nobody minds. */
static bool lease(int fd)
{
	return fcntl(fd, F_SETSIG, SIGURG) == 0 && fcntl(fd, F_SETLEASE, F_RDLCK) == 0;
}

static bool wanted_back(const struct mapped *m)
{
	return fcntl(m->fd, F_GETLEASE) != F_RDLCK;
}

struct mapped *mapped_open(int fd)
{
	struct stat st;
	struct mapped *m = calloc(1, sizeof *m);
	if (!m)
		return NULL;
	m->fd = fd;
	m->page = (size_t)sysconf(_SC_PAGESIZE);
	m->leased = local(fd) && lease(fd);
	if (m->leased && fstat(fd, &st) == 0 && st.st_size >= WORTH_BYTES) {
		m->size = st.st_size;
		return m;
	}
	mapped_close(m);
	return NULL;
}

static void view_drop(struct view *v)
{
	if (v->p)
		munmap(v->p, v->bytes);
	*v = (struct view){0};
}

static void give_lease_back(struct mapped *m)
{
	if (m->leased)
		fcntl(m->fd, F_SETLEASE, F_UNLCK);
	m->leased = false;
}

void mapped_close(struct mapped *m)
{
	if (!m)
		return;
	view_drop(&m->view[0]);
	view_drop(&m->view[1]);
	give_lease_back(m);
	free(m);
}

int64_t mapped_size(const struct mapped *m)
{
	return m->size;
}

static size_t round_up(const struct mapped *m, size_t bytes)
{
	return (bytes + m->page - 1) / m->page * m->page;
}

/* Zero pages with the file's laid over all but the last. False: not to be had, or not all of it. */
static bool view_map(const struct mapped *m, struct view *v, int64_t from, size_t bytes)
{
	v->bytes = round_up(m, bytes) + m->page;
	v->p = mmap(NULL, v->bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (v->p == MAP_FAILED) {
		v->p = NULL;
		return false;
	}
	if (mmap(v->p, bytes, PROT_READ, MAP_PRIVATE | MAP_FIXED, m->fd, (off_t)from) != MAP_FAILED &&
	    madvise(v->p, bytes, MADV_POPULATE_READ) == 0)
		return true;
	view_drop(v);
	return false;
}

unsigned char *mapped_window(struct mapped *m, int64_t from, size_t want, size_t *have)
{
	if (!m->leased || wanted_back(m))
		return NULL;
	size_t skip = (size_t)from % m->page;
	int64_t left = m->size - from;
	size_t n = left < (int64_t)want ? (size_t)left : round_up(m, skip + want) - skip;
	n = (int64_t)n < left ? n : (size_t)left;
	struct view v;
	if (n == 0 || !view_map(m, &v, from - (int64_t)skip, skip + n))
		return NULL;
	view_drop(&m->view[m->older]);
	m->view[m->older] = v;
	m->older ^= 1;
	*have = n;
	return v.p + skip;
}

void mapped_retire(struct mapped *m)
{
	view_drop(&m->view[m->older]);
	m->older ^= 1;
	if (!m->view[m->older].p)
		give_lease_back(m);
}
