#include "formats.h"
#include <stdlib.h>
#include <zlib.h>

struct gzip {
	FILE *to;
	z_stream z;
	unsigned char out[1 << 16];
};

static bool deflate_some(struct gzip *g, const char *p, size_t n, int flush)
{
	g->z.next_in = (unsigned char *)(uintptr_t)p;
	g->z.avail_in = (unsigned)n;
	do {
		g->z.next_out = g->out;
		g->z.avail_out = sizeof g->out;
		deflate(&g->z, flush);
		size_t made = sizeof g->out - g->z.avail_out;
		if (fwrite(g->out, 1, made, g->to) != made)
			return false;
	} while (g->z.avail_out == 0);
	return true;
}

static ssize_t write_some(void *cookie, const char *p, size_t n)
{
	enum { MOST = 1 << 20 };
	n = n < MOST ? n : MOST;
	return deflate_some(cookie, p, n, Z_NO_FLUSH) ? (ssize_t)n : 0;
}

static int close_all(void *cookie)
{
	struct gzip *g = cookie;
	bool ok = deflate_some(g, "", 0, Z_FINISH);
	deflateEnd(&g->z);
	free(g);
	return ok ? 0 : EOF;
}

FILE *gzip_stream(FILE *to)
{
	enum { GZIP_HEADER = 16 };
	struct gzip *g = calloc(1, sizeof *g);
	if (!g || deflateInit2(&g->z, 6, Z_DEFLATED, MAX_WBITS + GZIP_HEADER, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
		free(g);
		return NULL;
	}
	g->to = to;
	FILE *f = fopencookie(g, "w", (cookie_io_functions_t){.write = write_some, .close = close_all});
	if (!f) {
		deflateEnd(&g->z);
		free(g);
	}
	return f;
}
