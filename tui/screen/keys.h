/* tui/screen/keys.h - keys as numbers, as the terminal gives them and the key table names them. */
#ifndef STEPSCOPE_KEYS_H
#define STEPSCOPE_KEYS_H

/* Keys are code points; Ctrl-a .. Ctrl-z are 1 .. 26; the rest lies behind Unicode. */
enum {
	K_NONE = 0,
	K_UNKNOWN = 0x10FFFF, /* a key without a binding */
	K_TAB = 9,
	K_ENTER = 13,
	K_ESC = 27,
	K_BACKSPACE = 127,
	K_UP = 0x110000,
	K_DOWN,
	K_LEFT,
	K_RIGHT,
	K_PGUP,
	K_PGDN,
	K_HOME,
	K_END,
	K_SHIFT_TAB,
	K_DELETE,
	K_F1,
	K_MOUSE,
	K_RESIZE,
	K_ANSWER /* what the terminal was asked; nobody's key */
};
#endif
