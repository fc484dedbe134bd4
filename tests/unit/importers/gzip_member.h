/* tests/unit/importers/gzip_member.h - packs bytes as one gzip member. */
#ifndef STEPSCOPE_GZIP_MEMBER_H
#define STEPSCOPE_GZIP_MEMBER_H
#include "tests/unit/unit.h"
#include <zlib.h>

/* Writes a member of the `n` bytes at `p` to `out`, which has room for `room`; gives its size. */
static inline size_t gzip_member(unsigned char *out, size_t room, const unsigned char *p, size_t n)
{
	z_stream z = {
		.next_in = (unsigned char *)p, .avail_in = (unsigned)n, .next_out = out, .avail_out = (unsigned)room};
	assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	deflateEnd(&z);
	return room - z.avail_out;
}
#endif
