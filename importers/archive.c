#include "archive.h"
#include <archive.h>
#include <archive_entry.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "model/store/base/memory.h"
#include "model/store/files/spill.h"

enum { BLOCK_BYTES = 256 << 10, TAR_MAGIC_AT = 257 };

struct members {
	struct archive *a;
	struct source *outer;
	struct progress *progress;
	size_t lent; /* bytes of outer that the library looks at */

	int fd; /* of a plain file, read anywhere; -1 = outer is read in order */
	int64_t at, size;
	unsigned char *block;

	char name[1024], damage[160];
	bool damaged;
};

bool archive_is(const unsigned char *head, size_t n)
{
	return (n >= 4 && memcmp(head, "PK\3\4", 4) == 0) ||
	       (n >= TAR_MAGIC_AT + 5 && memcmp(head + TAR_MAGIC_AT, "ustar", 5) == 0);
}

/* ---- the library, loaded with the first archive: it brings more libraries along than everything else together -------------------- */

/* clang-format off */
#define ARCHIVE_CALLS(_) \
	_(archive_read_new) \
	_(archive_read_free) \
	_(archive_read_support_format_zip) \
	_(archive_read_support_format_tar) \
	_(archive_read_set_read_callback) \
	_(archive_read_set_callback_data) \
	_(archive_read_set_seek_callback) \
	_(archive_read_open1) \
	_(archive_read_next_header) \
	_(archive_read_data) \
	_(archive_error_string) \
	_(archive_set_error) \
	_(archive_entry_filetype) \
	_(archive_entry_pathname) \
	_(archive_entry_pathname_utf8)
/* clang-format on */

static struct {
#define CALL_MEMBER(name) __typeof__(&name) name;
	ARCHIVE_CALLS(CALL_MEMBER)
#undef CALL_MEMBER
	bool there;
} lib;

#ifdef STEPSCOPE_STATIC
static void load_library(void)
{
#define CALL_LINKED(name) lib.name = name;
	ARCHIVE_CALLS(CALL_LINKED)
#undef CALL_LINKED
	lib.there = true;
}
#else
static void load_library(void)
{
	void *so = dlopen("libarchive.so.13", RTLD_NOW | RTLD_LOCAL);
	lib.there = so != NULL;
#define CALL_FOUND(name)                                            \
	if (lib.there && !(*(void **)&lib.name = dlsym(so, #name))) \
		lib.there = false;
	ARCHIVE_CALLS(CALL_FOUND)
#undef CALL_FOUND
}
#endif

static bool has_library(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, load_library);
	return lib.there;
}

/* ---- bytes for the library --------------------------------------------------------------------------------------------- */

static la_ssize_t read_in_order(struct members *m, const void **block)
{
	size_t have;
	source_skip(m->outer, m->lent);
	*block = source_need(m->outer, 1, &have);
	m->lent = have;
	return (la_ssize_t)have;
}

static la_ssize_t read_block(struct archive *a, void *ctx, const void **block)
{
	struct members *m = ctx;
	if (progress_cancelled(m->progress)) {
		lib.archive_set_error(a, ECANCELED, "cancelled");
		return -1;
	}
	if (m->fd < 0)
		return read_in_order(m, block);
	size_t got = spill_read(m->fd, m->block, BLOCK_BYTES, m->at);
	m->at += (int64_t)got;
	if (m->progress)
		atomic_fetch_add_explicit(&m->progress->bytes_done, (int64_t)got, memory_order_relaxed);
	*block = m->block;
	return (la_ssize_t)got;
}

static la_int64_t move_to(struct archive *a, void *ctx, la_int64_t offset, int whence)
{
	struct members *m = ctx;
	int64_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? m->at : m->size, to;
	(void)a;
	if (__builtin_add_overflow(from, offset, &to) || to < 0 || to > m->size)
		return ARCHIVE_FATAL;
	m->at = to;
	return to;
}

/* ---- members --------------------------------------------------------------------------------------------------------- */

/* What the library says may hold bytes of the file. */
static void damaged(struct members *m)
{
	const char *why = lib.archive_error_string(m->a);
	snprintf(m->damage, sizeof m->damage, "a zip or tar archive that cannot be read: %s",
		 why ? why : "it is damaged");
	for (unsigned char *p = (unsigned char *)m->damage; *p; p++)
		if (*p < ' ' || *p > '~')
			*p = '?';
	m->damaged = true;
}

static bool start(struct members *m)
{
	lib.archive_read_support_format_zip(m->a);
	lib.archive_read_support_format_tar(m->a);
	lib.archive_read_set_read_callback(m->a, read_block);
	lib.archive_read_set_callback_data(m->a, m);
	if (m->fd >= 0)
		lib.archive_read_set_seek_callback(m->a, move_to);
	return lib.archive_read_open1(m->a) >= ARCHIVE_WARN;
}

struct members *members_open(struct source *outer, struct progress *p, struct err *e)
{
	if (!has_library()) {
		err_set(e, source_name(outer), 0,
			"a zip or tar archive; reading it needs libarchive (libarchive.so.13), which is not installed");
		return NULL;
	}
	struct members *m = must(calloc(1, sizeof *m));
	struct stat st;
	m->outer = outer;
	m->progress = p;
	m->fd = source_file(outer);
	m->block = must(malloc(BLOCK_BYTES));
	m->a = must(lib.archive_read_new());
	m->size = m->fd >= 0 && fstat(m->fd, &st) == 0 ? st.st_size : 0;
	if (start(m))
		return m;
	damaged(m);
	err_set(e, source_name(outer), 0, "%s", m->damage);
	members_close(m);
	return NULL;
}

void members_close(struct members *m)
{
	if (!m)
		return;
	lib.archive_read_free(m->a);
	free(m->block);
	free(m);
}

const char *members_next(struct members *m)
{
	struct archive_entry *entry;
	while (!m->damaged) {
		int got = lib.archive_read_next_header(m->a, &entry);
		if (got == ARCHIVE_EOF)
			return NULL;
		if (got < ARCHIVE_WARN) {
			damaged(m);
			return NULL;
		}
		if (lib.archive_entry_filetype(entry) != AE_IFREG)
			continue;
		const char *name = lib.archive_entry_pathname_utf8(entry);
		name = name ? name : lib.archive_entry_pathname(entry);
		snprintf(m->name, sizeof m->name, "%s", name ? name : "(no name)");
		return m->name;
	}
	return NULL;
}

size_t members_read(void *ctx, void *to, size_t room, const char **damage)
{
	struct members *m = ctx;
	la_ssize_t got;
	do
		got = m->damaged ? 0 : lib.archive_read_data(m->a, to, room);
	while (got == ARCHIVE_RETRY);
	if (got < 0)
		damaged(m);
	*damage = members_damage(m);
	return got > 0 ? (size_t)got : 0;
}

const char *members_damage(const struct members *m)
{
	return m->damaged ? m->damage : NULL;
}
