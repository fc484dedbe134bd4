/* model/store/files/text_stream.h - a stream whose text stays in memory. When memory is out it fails as a file does on a full disk; what
 * open_memstream has no memory for is left out of the text without a word (glibc 2.36).
 * Life:    text_stream_open -> write to what it returns -> text_stream_close. It cannot be sought in; the struct stays where it is meanwhile. */
#ifndef STEPSCOPE_TEXT_STREAM_H
#define STEPSCOPE_TEXT_STREAM_H
#include <stddef.h>
#include <stdio.h>

struct text_stream {
	FILE *f;
	char *text;
	size_t n, cap;
};
/* NULL: no memory. */
FILE *text_stream_open(struct text_stream *s);
/* All that was written and a 0 behind it, to be freed; n, which may be NULL, receives its bytes. NULL: memory was out on the way. */
char *text_stream_close(struct text_stream *s, size_t *n);
#endif
