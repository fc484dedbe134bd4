#include "unpack.h"
#include <isa-l/igzip_lib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>
#include "model/store/base/memory.h"

/* Between two members only the magic decides whether another one follows. */
enum state { IN_STREAM, BETWEEN, MAGIC_SECOND, PADDING, DONE };

struct unpack {
	enum packing packing;
	enum state state;
	char damage[96];
	ZSTD_DStream *zstd;
	struct inflate_state gzip;
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

static void start_member(struct unpack *u)
{
	isal_inflate_reset(&u->gzip);
	u->gzip.crc_flag = ISAL_GZIP;
	u->state = IN_STREAM;
}

struct unpack *unpack_new(enum packing packing)
{
	struct unpack *u = calloc(1, sizeof *u);
	if (!u)
		return NULL;
	u->packing = packing;
	if (packing == PACKING_GZIP) {
		isal_inflate_init(&u->gzip);
		start_member(u);
		return u;
	}
	u->zstd = ZSTD_createDStream();
	if (u->zstd)
		return u;
	free(u);
	return NULL;
}

void unpack_free(struct unpack *u)
{
	if (!u)
		return;
	ZSTD_freeDStream(u->zstd);
	free(u);
}

static void damaged(struct unpack *u, const char *what)
{
	snprintf(u->damage, sizeof u->damage, "%s: %s", u->packing == PACKING_GZIP ? "gzip" : "zstd", what);
	u->state = DONE;
}

static const char *gzip_error(int code)
{
	switch (code) {
	case ISAL_INVALID_BLOCK:
		return "invalid block";
	case ISAL_INVALID_SYMBOL:
		return "invalid symbol";
	case ISAL_INVALID_LOOKBACK:
		return "a reference before the start";
	case ISAL_INVALID_WRAPPER:
		return "invalid header";
	case ISAL_UNSUPPORTED_METHOD:
		return "unsupported method";
	case ISAL_INCORRECT_CHECKSUM:
		return "checksum does not match";
	default:
		return "corrupt data";
	}
}

/* Looks at one byte behind a member. */
static void between_members(struct unpack *u, unsigned char c)
{
	if (u->state == BETWEEN && c == 0x1f) {
		u->state = MAGIC_SECOND;
	} else if (u->state == MAGIC_SECOND && c == 0x8b) {
		/* the two magic bytes are gone from the input: hand them to the new member */
		static unsigned char magic[2] = {0x1f, 0x8b};
		start_member(u);
		u->gzip.next_in = magic;
		u->gzip.avail_in = sizeof magic;
		u->gzip.avail_out = 0;
		isal_inflate(&u->gzip);
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
	u->gzip.next_in = (unsigned char *)in + *used;
	u->gzip.avail_in = (uint32_t)(in_n - *used);
	u->gzip.next_out = out;
	u->gzip.avail_out = (uint32_t)room;
	int code = isal_inflate(&u->gzip);
	*used = in_n - u->gzip.avail_in;
	if (code < 0)
		damaged(u, gzip_error(code));
	else if (u->gzip.block_state == ISAL_BLOCK_FINISH)
		u->state = BETWEEN;
	return room - u->gzip.avail_out;
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
