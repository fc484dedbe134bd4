#include "inflate.h"
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include "model/store/base/memory.h"
#ifndef STEPSCOPE_NO_ISAL
#include <isa-l/igzip_lib.h>
#endif

/* ---- zlib ----------------------------------------------------------------------------------------------------------- */

static void *zlib_open(void)
{
	z_stream *z = calloc(1, sizeof *z);
	if (z && inflateInit2(z, MAX_WBITS + 16) == Z_OK) /* 16: gzip's header and checksum */
		return z;
	free(z);
	return NULL;
}

static void zlib_close(void *state)
{
	if (state)
		inflateEnd(state);
	free(state);
}

static void zlib_restart(void *state)
{
	inflateReset(state);
}

static enum inflate_result zlib_some(void *state, struct inflate_buffers *b, const char **why)
{
	z_stream *z = state;
	z->next_in = (unsigned char *)b->in;
	z->avail_in = (unsigned)b->in_n;
	z->next_out = b->out;
	z->avail_out = (unsigned)b->room;
	int code = inflate(z, Z_NO_FLUSH);
	*b = (struct inflate_buffers){z->next_in, z->avail_in, z->next_out, z->avail_out};
	if (code == Z_MEM_ERROR)
		memory_exhausted();
	if (code == Z_STREAM_END)
		return INFLATE_END;
	if (code == Z_OK || code == Z_BUF_ERROR) /* no input or no room: the caller brings more */
		return INFLATE_MORE;
	*why = z->msg ? z->msg : "corrupt data";
	return INFLATE_DAMAGED;
}

const struct inflate_way inflate_by_zlib = {zlib_open, zlib_close, zlib_restart, zlib_some};

/* ---- ISA-L ---------------------------------------------------------------------------------------------------------- */

#ifndef STEPSCOPE_NO_ISAL
static void isal_restart(void *state)
{
	struct inflate_state *s = state;
	isal_inflate_reset(s);
	s->crc_flag = ISAL_GZIP;
}

static void *isal_open(void)
{
	struct inflate_state *s = calloc(1, sizeof *s);
	if (!s)
		return NULL;
	isal_inflate_init(s);
	isal_restart(s);
	return s;
}

static const char *isal_error(int code)
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

static enum inflate_result isal_some(void *state, struct inflate_buffers *b, const char **why)
{
	struct inflate_state *s = state;
	s->next_in = (unsigned char *)b->in;
	s->avail_in = (uint32_t)b->in_n;
	s->next_out = b->out;
	s->avail_out = (uint32_t)b->room;
	int code = isal_inflate(s);
	if ((int32_t)s->avail_in < 0) { /* damaged data made it take more than there is: fewer than no bytes are left */
		*b = (struct inflate_buffers){b->in + b->in_n, 0, s->next_out, s->avail_out};
		*why = "unexpected end";
		return INFLATE_DAMAGED;
	}
	*b = (struct inflate_buffers){s->next_in, s->avail_in, s->next_out, s->avail_out};
	if (code >= 0)
		return s->block_state == ISAL_BLOCK_FINISH ? INFLATE_END : INFLATE_MORE;
	*why = isal_error(code);
	return INFLATE_DAMAGED;
}

const struct inflate_way inflate_by_isal = {isal_open, free, isal_restart, isal_some};
#endif

const struct inflate_way *inflate_way(void)
{
#ifndef STEPSCOPE_NO_ISAL
	const char *asked = getenv("STEPSCOPE_INFLATE");
	if (!asked || strcmp(asked, "zlib") != 0)
		return &inflate_by_isal;
#endif
	return &inflate_by_zlib;
}
