/* tui/explorer/reader_output.c - what the command under `run --view` has printed: the end of its file, in the reader. */
#include "reader.h"
#include "tui/text/utf8.h"
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TAIL_BYTES = 64 << 10, LINE_MAX_BYTES = 1024 };

/* A screen shows what a terminal would after "\r": what follows it. Other control characters become blanks. */
static const char *shown_line(char line[LINE_MAX_BYTES], const char *p, size_t n)
{
	size_t used = 0;
	while (n > 0 && p[n - 1] == '\r')
		n--;
	for (size_t i = n; i > 0; i--)
		if (p[i - 1] == '\r') {
			p += i;
			n -= i;
			break;
		}
	for (size_t i = 0; i < n && used + 1 < LINE_MAX_BYTES; i++)
		line[used++] = (unsigned char)p[i] < ' ' || p[i] == 0x7f ? ' ' : p[i];
	line[used] = 0;
	return line;
}

static size_t read_tail(const char *path, char *buf, size_t size, bool *cut)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = 0;
	*cut = false;
	if (fd < 0)
		return 0;
	if (fstat(fd, &st) == 0) {
		off_t from = st.st_size > (off_t)size ? st.st_size - (off_t)size : 0;
		*cut = from > 0;
		n = pread(fd, buf, size, from);
	}
	close(fd);
	return n > 0 ? (size_t)n : 0;
}

static void fill(struct state *st, const char *text, size_t n, bool cut)
{
	const char *path = feed_source(st->feed)->output, *end = text + n;
	struct reader *r = &st->reader;
	char line[LINE_MAX_BYTES];
	reader_clear(r, "Output");
	reader_add(r, INK_HEAD, NULL, path);
	if (cut)
		reader_add(r, INK_QUIET, NULL, "(only the end of it is shown)");
	if (n == 0)
		reader_add(r, INK_QUIET, NULL, "nothing has been printed so far");
	while (text < end) {
		const char *eol = memchr(text, '\n', (size_t)(end - text));
		size_t length = (size_t)((eol ? eol : end) - text);
		reader_add(r, INK_TEXT, NULL, shown_line(line, text, length));
		text += length + 1;
	}
}

void reader_output(struct state *st)
{
	static char text[TAIL_BYTES];
	bool cut;
	size_t n = read_tail(feed_source(st->feed)->output, text, sizeof text, &cut);
	fill(st, text, n, cut);
	st->mode = MODE_READER;
	reader_act(st, ACT_TEXT_LAST);
}

void reader_output_again(struct state *st)
{
	if (st->mode != MODE_READER || strcmp(st->reader.title, "Output") != 0)
		return;
	uint32_t top = st->reader.top;
	reader_act(st, ACT_TEXT_LAST);
	if (st->reader.top == top)
		reader_output(st);
	else
		st->reader.top = top;
}

/* Where the last `rows` lines begin. */
static size_t last_lines(const char *text, size_t n, int rows)
{
	size_t at = n;
	if (at && text[at - 1] == '\n')
		at--;
	while (at && (text[at - 1] != '\n' || --rows > 0))
		at--;
	return at;
}

void output_draw(const char *path, struct surface *s, struct rect body)
{
	static char text[TAIL_BYTES];
	char line[LINE_MAX_BYTES];
	bool cut;
	size_t n = read_tail(path, text, sizeof text, &cut);
	const char *end = text + n, *at = text + last_lines(text, n, body.h);
	if (n == 0)
		surface_text(s, body.y, body.x, body.w, INK_QUIET, 0, "nothing has been printed so far");
	for (int y = body.y; at < end && y < body.y + body.h; y++) {
		const char *eol = memchr(at, '\n', (size_t)(end - at));
		size_t length = (size_t)((eol ? eol : end) - at);
		surface_text(s, y, body.x, body.w, INK_TEXT, 0, shown_line(line, at, length));
		at += length + 1;
	}
}
