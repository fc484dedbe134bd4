/* tui/screen/mouse.h - what terminals say of the mouse: reports of xterm's modes 1000 and 1002, as 1006 writes them or older. */
#ifndef STEPSCOPE_MOUSE_H
#define STEPSCOPE_MOUSE_H
#include <stdbool.h>
#include <stdint.h>

enum mouse_what {
	MOUSE_CLICK,
	MOUSE_DOUBLE,  /* the second click at one place; the first came as a click */
	MOUSE_DRAG,    /* moved while the button is down */
	MOUSE_RELEASE, /* after it was moved */
	MOUSE_WHEEL_UP,
	MOUSE_WHEEL_DOWN
};
struct mouse {
	enum mouse_what what;
	int y, x;
};
/* What makes two clicks a double one, and a movement a drag. */
struct mouse_track {
	bool dragging;
	int y, x;
	int64_t pressed_ms; /* 0 = a click is none that could be doubled */
};
#define MOUSE_ON  "\033[?1000h\033[?1002h\033[?1006h"
#define MOUSE_OFF "\033[?1006l\033[?1002l\033[?1000l\033[?1003l"

/* A report: the number of the button, where (from 0), whether it went up. False for what means nothing here. */
bool mouse_take(struct mouse_track *t, int button, int y, int x, bool up, int64_t now_ms, struct mouse *out);
/* "<0;12;5M", as it comes after ESC [ in mode 1006, the last letter with it. */
bool mouse_report(struct mouse_track *t, const char *text, int64_t now_ms, struct mouse *out);
#endif
