/* tui/screen/term.h - the terminal: the only part that knows curses. Takes whole surfaces, gives keys.
 * Life:    term_open -> term_draw / term_wait / term_key -> term_close. One terminal per process.
 * Frames:  curses keeps what the screen shows and sends only what changed: one update per term_draw.
 * Safety:  the terminal is restored by term_close and by every signal that ends the program (term_restore.h). */
#ifndef STEPSCOPE_TERM_H
#define STEPSCOPE_TERM_H
#include "keys.h"
#include "surface.h"
#include "theme.h"

enum term_depth { DEPTH_MONO, DEPTH_8, DEPTH_16, DEPTH_256, DEPTH_RGB };
enum mouse_what { MOUSE_CLICK, MOUSE_WHEEL_UP, MOUSE_WHEEL_DOWN };
struct mouse {
	enum mouse_what what;
	int y, x;
};

/* False when there is no terminal that a screen can be drawn on (no tty, TERM unset, dumb or unknown). */
bool term_open(enum color_mode color, struct err *e);
void term_close(void);
bool term_is_utf8(void);
enum term_depth term_depth(void);
void term_mouse(bool on);
void term_size(int *rows, int *cols);
void term_draw(const struct surface *s, const struct theme *t);
void term_theme_changed(void);
void term_redraw(void); /* the next frame is sent whole */
/* Keeps changes of size for term_wait: a signal that came between two waits, or to a worker, would go unseen until the next
 * key. Call before the first worker starts, it inherits this. */
void term_hold_resize(void);
/* Waits for a key or a byte on wake_fd (-1 = none) at most timeout_ms (-1 = for ever). */
void term_wait(int timeout_ms, int wake_fd);
int term_key(struct mouse *m); /* K_NONE when nothing waits; fills m for K_MOUSE */
#endif
