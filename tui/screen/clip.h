/* tui/screen/clip.h - texts for the terminal's clipboard, through any number of ssh hops: the sequence OSC 52. */
#ifndef STEPSCOPE_CLIP_H
#define STEPSCOPE_CLIP_H
#include <stddef.h>

/* Programs between here and the terminal pass a sequence on when it is wrapped. tmux does so with allow-passthrough, and takes the bare
 * one with set-clipboard on: it gets both, and ignores what it is not allowed to take. screen always passes on, and prints what
 * is left of a bare sequence that is too long for it: it gets the wrapped one alone. */
enum clip_wrap { CLIP_PLAIN, CLIP_TMUX, CLIP_SCREEN };
/* Which one is between, by what the environment says: $TMUX, $STY, $TERM. */
enum clip_wrap clip_wrap_here(void);
/* The sequence that puts n bytes into the clipboard; from malloc, NUL-terminated, *size bytes. */
char *clip_sequence(const char *text, size_t n, enum clip_wrap wrap, size_t *size);
#endif
