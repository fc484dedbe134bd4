/* tui/screen/term.h - the terminal: the only part that knows curses. Takes whole surfaces, gives keys.
 * Life:    term_open -> term_draw / term_wait / term_key -> term_close. One terminal per process.
 * Frames:  paint.h makes them; curses knows the terminal's database, its keys and its size, and draws nothing.
 * Safety:  the terminal is restored by term_close and by every signal that ends the program (term_restore.h). A terminal that is
 *          gone raises SIGHUP. */
#ifndef STEPSCOPE_TERM_H
#define STEPSCOPE_TERM_H
#include "keys.h"
#include "mouse.h"
#include "paint.h"

/* False when there is no terminal that a screen can be drawn on (no tty, TERM unset or dumb, or one that knows no ESC [). A type
 * that no database describes is taken for xterm-256color. */
bool term_open(enum color_mode color, struct err *e);
const char *term_note(void); /* what the user should know of how that went, "" = nothing */
void term_close(void);
bool term_is_utf8(void);
enum term_depth term_depth(void);
void term_mouse(bool on);
void term_size(int *rows, int *cols);
void term_draw(const struct surface *s, const struct theme *t);
/* Puts a text into the terminal's clipboard (clip.h), if it lets programs do so. */
void term_copy(const char *text);
void term_theme_changed(void);
void term_redraw(void); /* the next frame is sent whole */
/* 0: a frame may be drawn; else for how many ms the terminal's answer to the last one is waited for (line.h). It comes as a key. */
int term_busy_ms(void);
/* Keeps changes of size and Ctrl-Z for term_wait: a signal that came between two waits, or to a worker, would go unseen until the next
 * key. Call before the first worker starts, it inherits this. */
void term_hold_signals(void);
/* Waits for a key or a byte on wake_fd (-1 = none) at most timeout_ms (-1 = for ever). */
void term_wait(int timeout_ms, int wake_fd);
/* K_NONE when nothing waits; fills m for K_MOUSE; K_RESIZE also when the program was stopped. */
int term_key(struct mouse *m);
#endif
