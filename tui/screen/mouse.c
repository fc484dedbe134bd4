#include "mouse.h"
#include <stdio.h>
#include <string.h>

enum { DOUBLE_MS = 500, BUTTON_BITS = 3, MODIFIERS = 4 + 8 + 16, MOVED = 32, WHEEL = 64, NO_BUTTON = 3 };

static bool is_double(const struct mouse_track *t, int y, int x, int64_t now_ms)
{
	return t->pressed_ms && t->y == y && t->x == x && now_ms - t->pressed_ms <= DOUBLE_MS;
}

static bool pressed(struct mouse_track *t, int64_t now_ms, struct mouse *out)
{
	bool twice = is_double(t, out->y, out->x, now_ms);
	*t = (struct mouse_track){false, out->y, out->x, twice ? 0 : now_ms};
	out->what = twice ? MOUSE_DOUBLE : MOUSE_CLICK;
	return true;
}

static bool moved(struct mouse_track *t, struct mouse *out)
{
	if (!t->dragging && t->y == out->y && t->x == out->x)
		return false;
	t->dragging = true;
	t->pressed_ms = 0;
	out->what = MOUSE_DRAG;
	return true;
}

static bool released(struct mouse_track *t, struct mouse *out)
{
	bool dragged = t->dragging;
	t->dragging = false;
	out->what = MOUSE_RELEASE;
	return dragged;
}

bool mouse_take(struct mouse_track *t, int button, int y, int x, bool up, int64_t now_ms, struct mouse *out)
{
	int which = button & BUTTON_BITS;
	*out = (struct mouse){MOUSE_CLICK, y, x};
	if (y < 0 || x < 0 || button & ~(BUTTON_BITS | MODIFIERS | MOVED | WHEEL))
		return false;
	if (button & WHEEL) {
		out->what = which ? MOUSE_WHEEL_DOWN : MOUSE_WHEEL_UP;
		return which <= 1 && !up;
	}
	/* the older form does not say which button went up */
	if (up || (which == NO_BUTTON && !(button & MOVED)))
		return released(t, out);
	if (which)
		return false;
	return button & MOVED ? moved(t, out) : pressed(t, now_ms, out);
}

bool mouse_report(struct mouse_track *t, const char *text, int64_t now_ms, struct mouse *out)
{
	int button, x, y;
	char end;
	if (sscanf(text, "<%d;%d;%d%c", &button, &x, &y, &end) != 4 || !strchr("Mm", end))
		return false;
	return mouse_take(t, button, y - 1, x - 1, end == 'm', now_ms, out);
}
