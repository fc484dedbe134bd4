#include "unpack.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>
#include "inflate.h"
#include "model/store/base/memory.h"

/* Between two members only the magic decides whether another one follows. */
enum state { IN_STREAM, BETWEEN, MAGIC_SECOND, PADDING, DONE };

struct unpack {
	enum packing packing;
	enum state state;
	char damage[96];
	ZSTD_DStream *zstd;
	const struct inflate_way *way; /* of gzip */
	void *gzip;
};

static bool starts(const unsigned char *p, size_t n, const char *magic, size_t magic_n)
{
	return n >= magic_n && memcmp(p, magic, magic_n) == 0;
}

enum packing packing_of(const unsigned char *head, size_t n)
{
	if (starts(head, n, "\x1f\x8b", 2))
		return PACKING_GZIP;
	bool skippable = n >= 4 && (head[0] & 0xf0) == 0x50 && starts(head + 1, n - 1, "\x2a\x4d\x18", 3);
	return skippable || starts(head, n, "\x28\xb5\x2f\xfd", 4) ? PACKING_ZSTD : PACKING_NONE;
}

struct unpack *unpack_new(enum packing packing)
{
	struct unpack *u = calloc(1, sizeof *u);
	if (!u)
		return NULL;
	u->packing = packing;
	u->way = inflate_way();
	if (packing == PACKING_GZIP)
		u->gzip = u->way->open();
	else
		u->zstd = ZSTD_createDStream();
	if (u->gzip || u->zstd)
		return u;
	free(u);
	return NULL;
}

void unpack_free(struct unpack *u)
{
	if (!u)
		return;
	ZSTD_freeDStream(u->zstd);
	u->way->close(u->gzip);
	free(u);
}

static void damaged(struct unpack *u, const char *what)
{
	snprintf(u->damage, sizeof u->damage, "%s: %s", u->packing == PACKING_GZIP ? "gzip" : "zstd", what);
	u->state = DONE;
}

/* Moves b on; a member may end or turn out damaged. */
static void inflate_member(struct unpack *u, struct inflate_buffers *b)
{
	const char *why;
	switch (u->way->some(u->gzip, b, &why)) {
	case INFLATE_END:
		u->state = BETWEEN;
		break;
	case INFLATE_DAMAGED:
		damaged(u, why);
		break;
	case INFLATE_MORE:
		break;
	}
}

/* Looks at one byte after a member. */
static void between_members(struct unpack *u, unsigned char c)
{
	if (u->state == BETWEEN && c == 0x1f) {
		u->state = MAGIC_SECOND;
	} else if (u->state == MAGIC_SECOND && c == 0x8b) {
		/* the two magic bytes are gone from the input: hand them to the new member */
		unsigned char none;
		struct inflate_buffers magic = {(const unsigned char *)"\x1f\x8b", 2, &none, 0};
		u->way->restart(u->gzip);
		u->state = IN_STREAM;
		inflate_member(u, &magic);
	} else if (u->state != MAGIC_SECOND && c == 0) {
		u->state = PADDING;
	} else {
		damaged(u, "other bytes follow the packed data");
	}
}

static size_t gzip_some(struct unpack *u, const unsigned char *in, size_t in_n, size_t *used, unsigned char *out,
			size_t room)
{
	while (u->state != IN_STREAM && u->state != DONE && *used < in_n)
		between_members(u, in[(*used)++]);
	if (u->state != IN_STREAM)
		return 0;
	struct inflate_buffers b = {in + *used, in_n - *used, out, room};
	inflate_member(u, &b);
	*used = in_n - b.in_n;
	return room - b.room;
}

static size_t zstd_some(struct unpack *u, const unsigned char *in, size_t in_n, size_t *used, unsigned char *out,
			size_t room)
{
	ZSTD_inBuffer src = {in, in_n, 0};
	ZSTD_outBuffer dst = {out, room, 0};
	size_t code = ZSTD_decompressStream(u->zstd, &dst, &src);
	*used = src.pos;
	if (ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation)
		memory_exhausted();
	if (ZSTD_isError(code))
		damaged(u, ZSTD_getErrorName(code));
	else if (src.pos || dst.pos) /* else `code` already tells about the next frame */
		u->state = code == 0 ? BETWEEN : IN_STREAM;
	return dst.pos;
}

size_t unpack_some(struct unpack *u, const unsigned char *in, size_t in_n, size_t *used, unsigned char *out,
		   size_t room)
{
	*used = 0;
	if (u->state == DONE)
		return 0;
	if (u->packing == PACKING_GZIP)
		return gzip_some(u, in, in_n, used, out, room);
	return zstd_some(u, in, in_n, used, out, room);
}

void unpack_end_of_input(struct unpack *u)
{
	if (u->state == IN_STREAM || u->state == MAGIC_SECOND)
		damaged(u, "unexpected end");
	u->state = DONE;
}

bool unpack_done(const struct unpack *u)
{
	return u->state == DONE;
}

const char *unpack_damage(const struct unpack *u)
{
	return u->damage[0] ? u->damage : NULL;
}
