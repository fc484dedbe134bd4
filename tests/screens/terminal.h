/* tests/screens/terminal.h - a pseudo-terminal with a program after it and what libvterm makes of its output: terminal_new() ->
 * terminal_start() -> answer(), pump(), ... -> terminal_stop(). */
#ifndef STEPSCOPE_TESTS_TERMINAL_H
#define STEPSCOPE_TESTS_TERMINAL_H
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <utmp.h>
#include <vterm.h>
#include "idle.h"

enum { TICK_MS = 20 };

struct pty {
	int master, slave; /* the slave stays open here: its modes can be read after the program has ended */
	pid_t child;
	int cols, rows;
	struct termios before;
	VTerm *vt;
	VTermScreen *screen;
	bool leaving; /* the alternate screen: the next word about the cursor is only what was saved */
	bool alternate, cursor_hidden, mouse; /* as the program last asked for */
	bool titled;                          /* the window has been given a title */
	bool ended;
	int status;
	int64_t timeout_ms;
	FILE *record;
	size_t bytes;          /* since `bytes` was last asked for */
	size_t bytes_a_tick;   /* of a slow line, 0 = no limit */
	long slept_before_key; /* times_slept() before the last key or change of size was sent, -1 when none was */
};

static inline bool fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static inline bool fail(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fputs("pty: ", stdout);
	vprintf(fmt, ap);
	putchar('\n');
	va_end(ap);
	return false;
}

static inline int on_property(VTermProp prop, VTermValue *v, void *user)
{
	struct pty *p = user;

	/* libvterm restores the cursor's visibility with its place when the alternate screen is left; terminals do not */
	if (prop == VTERM_PROP_ALTSCREEN)
		p->leaving = (p->alternate = v->boolean) == false;
	else if (prop == VTERM_PROP_CURSORVISIBLE && p->leaving)
		p->leaving = false;
	else if (prop == VTERM_PROP_CURSORVISIBLE)
		p->cursor_hidden = !v->boolean;
	else if (prop == VTERM_PROP_MOUSE)
		p->mouse = v->number != VTERM_PROP_MOUSE_NONE;
	else if (prop == VTERM_PROP_TITLE)
		p->titled = true;
	return 1;
}

static inline void terminal_new(struct pty *p)
{
	static const VTermScreenCallbacks callbacks = {.settermprop = on_property};

	p->vt = vterm_new(p->rows, p->cols);
	vterm_set_utf8(p->vt, 1);
	p->screen = vterm_obtain_screen(p->vt);
	vterm_screen_set_callbacks(p->screen, &callbacks, p);
	vterm_screen_enable_altscreen(p->screen, 1);
	vterm_screen_reset(p->screen, 1);
}

/* Who reads the terminal: in a shell that is the program it runs. */
static inline pid_t reader(const struct pty *p)
{
	pid_t group = tcgetpgrp(p->slave);

	return group > 0 ? group : p->child;
}

/* What the terminal wants to say to the program: keys, mouse reports, answers to questions. */
static inline void answer(struct pty *p)
{
	char buf[256];
	long slept = times_slept(reader(p));

	for (size_t n; (n = vterm_output_read(p->vt, buf, sizeof buf)) > 0; p->slept_before_key = slept)
		if (write(p->master, buf, n) < 0 && errno != EIO)
			return;
}

/* Reads what the program wrote within wait_ms; true when there was something. */
static inline bool pump(struct pty *p, int wait_ms)
{
	struct pollfd f = {.fd = p->master, .events = POLLIN};
	char buf[16384];
	size_t most = p->bytes_a_tick && p->bytes_a_tick < sizeof buf ? p->bytes_a_tick : sizeof buf;

	if (p->bytes_a_tick)
		usleep(TICK_MS * 1000);
	ssize_t n = poll(&f, 1, wait_ms) > 0 ? read(p->master, buf, most) : 0;

	if (n > 0) {
		p->bytes += (size_t)n;
		if (p->record)
			fwrite(buf, 1, (size_t)n, p->record);
		vterm_input_write(p->vt, buf, (size_t)n);
		answer(p);
	}
	if (!p->ended && waitpid(p->child, &p->status, WNOHANG) == p->child)
		p->ended = true;
	return n > 0;
}

static inline bool modes_restored(struct pty *p)
{
	struct termios after;

	return tcgetattr(p->slave, &after) == 0 && after.c_iflag == p->before.c_iflag &&
	       after.c_oflag == p->before.c_oflag && after.c_lflag == p->before.c_lflag &&
	       after.c_cflag == p->before.c_cflag && memcmp(after.c_cc, p->before.c_cc, sizeof after.c_cc) == 0;
}

static inline bool is_restored(struct pty *p)
{
	return !p->alternate && !p->cursor_hidden && !p->mouse && modes_restored(p);
}

static inline void print_left_behind(struct pty *p)
{
	bool modes = modes_restored(p);

	printf("terminal:%s%s%s%s%s\n", p->alternate ? " alternate screen on" : "",
	       p->cursor_hidden ? " cursor hidden" : "", p->mouse ? " mouse on" : "", modes ? "" : " modes changed",
	       is_restored(p) ? " restored" : "");
}

static inline bool terminal_start(struct pty *p, char **command, const char *term)
{
	struct winsize w = {.ws_col = (unsigned short)p->cols, .ws_row = (unsigned short)p->rows};

	if (openpty(&p->master, &p->slave, NULL, NULL, &w) != 0 || tcgetattr(p->slave, &p->before) != 0)
		return fail("no pseudo-terminal: %s", strerror(errno));
	p->child = fork();
	if (p->child == 0) {
		close(p->master);
		login_tty(p->slave);
		setenv("TERM", term, 1);
		unsetenv("COLUMNS");
		unsetenv("LINES");
		execvp(command[0], command);
		_exit(127);
	}
	fcntl(p->slave, F_SETFD, FD_CLOEXEC);
	return p->child > 0 || fail("cannot start: %s", strerror(errno));
}

static inline void terminal_stop(struct pty *p)
{
	if (!p->ended && p->child > 0) {
		kill(p->child, SIGKILL);
		waitpid(p->child, &p->status, 0);
	}
	vterm_free(p->vt);
	if (p->record)
		fclose(p->record);
	close(p->master);
	close(p->slave);
}

#endif
