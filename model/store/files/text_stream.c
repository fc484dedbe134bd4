/* model/store/files/text_stream.c - a stream whose text stays in memory. */
#include "text_stream.h"
#include "model/store/base/grow.h"
#include <errno.h>
#include <string.h>

/* One byte more than is written, for the 0 at the end. */
static ssize_t keep(void *to, const char *from, size_t n)
{
	struct text_stream *s = to;
	if (!TRY_GROW_ARRAY(s->text, s->n + n, s->cap)) {
		errno = ENOMEM;
		return 0;
	}
	memcpy(s->text + s->n, from, n);
	s->n += n;
	return (ssize_t)n;
}

FILE *text_stream_open(struct text_stream *s)
{
	*s = (struct text_stream){0};
	s->f = fopencookie(s, "w", (cookie_io_functions_t){.write = keep});
	return s->f;
}

char *text_stream_close(struct text_stream *s, size_t *n)
{
	bool whole = !ferror(s->f), closed = fclose(s->f) == 0;
	if (!whole || !closed || !TRY_GROW_ARRAY(s->text, s->n, s->cap)) {
		free(s->text);
		return NULL;
	}
	s->text[s->n] = 0;
	if (n)
		*n = s->n;
	return s->text;
}
