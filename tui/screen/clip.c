#include "clip.h"
#include "model/store/base/memory.h"
#include "model/store/files/text_stream.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* screen cuts what it passes on at 768 bytes. */
enum { SCREEN_PIECE = 700 };

enum clip_wrap clip_wrap_here(void)
{
	const char *term = getenv("TERM");
	if (getenv("TMUX") || (term && strncmp(term, "tmux", 4) == 0))
		return CLIP_TMUX;
	return getenv("STY") || (term && strncmp(term, "screen", 6) == 0) ? CLIP_SCREEN : CLIP_PLAIN;
}

static void put_base64(FILE *f, const char *text, size_t n)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	for (size_t i = 0; i < n; i += 3) {
		unsigned bits = (unsigned)(unsigned char)text[i] << 16;
		bits |= i + 1 < n ? (unsigned)(unsigned char)text[i + 1] << 8 : 0;
		bits |= i + 2 < n ? (unsigned char)text[i + 2] : 0;
		fputc(letters[bits >> 18 & 63], f);
		fputc(letters[bits >> 12 & 63], f);
		fputc(i + 1 < n ? letters[bits >> 6 & 63] : '=', f);
		fputc(i + 2 < n ? letters[bits & 63] : '=', f);
	}
}

static char *plain(const char *text, size_t n, size_t *size)
{
	struct text_stream s;
	FILE *f = must(text_stream_open(&s));
	fputs("\033]52;c;", f);
	put_base64(f, text, n);
	fputc('\a', f);
	return must(text_stream_close(&s, size));
}

/* In a sequence for the program between, of which tmux wants each ESC twice. */
static void put_wrapped(FILE *f, const char *p, size_t n, enum clip_wrap wrap)
{
	fputs(wrap == CLIP_TMUX ? "\033Ptmux;" : "\033P", f);
	for (size_t i = 0; i < n; i++) {
		if (p[i] == '\033' && wrap == CLIP_TMUX)
			fputc(p[i], f);
		fputc(p[i], f);
	}
	fputs("\033\\", f);
}

char *clip_sequence(const char *text, size_t n, enum clip_wrap wrap, size_t *size)
{
	size_t length;
	char *inner = plain(text, n, &length);
	struct text_stream s;
	if (wrap == CLIP_PLAIN) {
		*size = length;
		return inner;
	}
	size_t piece = wrap == CLIP_SCREEN ? SCREEN_PIECE : length;
	FILE *f = must(text_stream_open(&s));
	for (size_t at = 0; at < length; at += piece)
		put_wrapped(f, inner + at, length - at < piece ? length - at : piece, wrap);
	if (wrap == CLIP_TMUX)
		fwrite(inner, 1, length, f);
	free(inner);
	return must(text_stream_close(&s, size));
}
