/*
 * yard_gunzip - yardstick: decompress one gzip member and drop the output.
 * Build:  cc -O2 -o yard_gunzip yard_gunzip.c -lz -ldeflate -lisal
 * Usage:  yard_gunzip zlib|isal|libdeflate FILE.gz
 *   zlib and isal stream through a 1 MiB window; libdeflate needs the whole output in memory at once
 *   (and takes its size from the trailer, so only files below 4 GiB unpacked).
 * A yardstick, not a model reader: one member only, nothing is kept.
 */
#include <fcntl.h>
#include <isa-l/igzip_lib.h>
#include <libdeflate.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <zlib.h>

static unsigned char window[1 << 20];

static int fails(const char *why)
{
	fprintf(stderr, "%s\n", why);
	return 1;
}

static int by_libdeflate(const unsigned char *in, size_t n, size_t *out)
{
	uint32_t size;
	memcpy(&size, in + n - 4, 4);
	unsigned char *whole = malloc(size ? size : 1);
	struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
	return libdeflate_gzip_decompress(d, in, n, whole, size, out) ? fails("bad data") : 0;
}

static int by_zlib(unsigned char *in, size_t n, size_t *out)
{
	z_stream z = {0};
	int r;
	inflateInit2(&z, 31);
	z.next_in = in;
	z.avail_in = (uInt)n;
	do {
		z.next_out = window;
		z.avail_out = sizeof window;
		r = inflate(&z, Z_NO_FLUSH);
		*out += sizeof window - z.avail_out;
	} while (r == Z_OK);
	return r == Z_STREAM_END ? 0 : fails("bad data");
}

static int by_isal(unsigned char *in, size_t n, size_t *out)
{
	static struct inflate_state st;
	isal_inflate_init(&st);
	st.crc_flag = ISAL_GZIP;
	st.next_in = in;
	st.avail_in = (uint32_t)n;
	do {
		st.next_out = window;
		st.avail_out = sizeof window;
		if (isal_inflate(&st) != ISAL_DECOMP_OK)
			return fails("bad data");
		*out += sizeof window - st.avail_out;
		if (!st.avail_in && st.avail_out && st.block_state != ISAL_BLOCK_FINISH)
			return fails("truncated");
	} while (st.block_state != ISAL_BLOCK_FINISH);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc != 3) {
		fprintf(stderr, "usage: yard_gunzip zlib|isal|libdeflate FILE\n");
		return 2;
	}
	int fd = open(argv[2], O_RDONLY);
	struct stat s;
	if (fd < 0 || fstat(fd, &s)) {
		perror(argv[2]);
		return 1;
	}
	size_t n = (size_t)s.st_size, out = 0;
	unsigned char *in = mmap(NULL, n, PROT_READ, MAP_PRIVATE, fd, 0);
	if (in == MAP_FAILED) {
		perror("mmap");
		return 1;
	}
	int failed = !strcmp(argv[1], "libdeflate") ? by_libdeflate(in, n, &out)
		     : !strcmp(argv[1], "zlib")     ? by_zlib(in, n, &out)
						    : by_isal(in, n, &out);
	if (!failed)
		printf("bytes %zu\n", out);
	return failed;
}
