#define NCURSES_WIDECHAR 1
#include "term.h"
#include "clip.h"
#include "line.h"
#include "term_caps.h"
#include "term_restore.h"
#include "terminfo.h"
#include <curses.h>
#include <term.h>
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>
#include "model/store/base/clock.h"

static struct {
	SCREEN *screen;
	WINDOW *keys; /* never drawn: reading from it shows nothing */
	FILE *in;
	int in_fd;
	bool utf8, mouse, stopped;
	struct paint paint;
	struct line line;
	struct mouse_track track;
	char note[160];
} term;
static volatile sig_atomic_t stop_wanted;

/* ---- opening ------------------------------------------------------------------------------------------------------ */

static size_t add_string(char *buf, size_t n, size_t size, const char *s)
{
	/* Delays "$<..>" are for hardware terminals; a signal handler cannot wait. */
	for (; s && *s && n + 1 < size; s++) {
		const char *end = s[0] == '$' && s[1] == '<' ? strchr(s, '>') : NULL;
		if (end)
			s = end;
		else
			buf[n++] = *s;
	}
	return n;
}

const char *term_text(const char *cap)
{
	const char *text = tigetstr(cap);
	return text == (const char *)-1 ? NULL : text;
}

int term_number(const char *cap)
{
	return tigetnum(cap);
}

bool term_flag(const char *cap)
{
	return tigetflag(cap) > 0;
}

/* What gives the screen back, written down while it is safe to ask the terminal database. */
static void prepare_undo(void)
{
	static const char *const caps[] = {"sgr0", "op", "rmkx", "rmcup", "cnorm"};
	char undo[512];
	size_t n = 0;
	if (term.mouse)
		n = add_string(undo, n, sizeof undo, MOUSE_OFF);
	if (term.paint.caps.sync)
		n = add_string(undo, n, sizeof undo, "\033[?2026l");
	if (term.paint.caps.shift_lines)
		n = add_string(undo, n, sizeof undo, "\033[r");
	for (size_t i = 0; i < sizeof caps / sizeof *caps; i++)
		n = add_string(undo, n, sizeof undo, term_text(caps[i]));
	term_restore_undo(undo, n);
}

static bool open_input(struct err *e)
{
	/* The trace may come in through stdin; keys then come from the terminal itself. */
	term.in = isatty(STDIN_FILENO) ? stdin : fopen("/dev/tty", "re");
	if (!term.in)
		return err_usage(e, "no terminal to read keys from");
	term.in_fd = fileno(term.in);
	return true;
}

static void close_input(void)
{
	if (term.in && term.in != stdin)
		fclose(term.in);
	term.in = NULL;
}

/* By the machine's own database first: it may know this very terminal better than we do. */
static bool is_known(const char *type)
{
	int why;
	if (setupterm(type, STDOUT_FILENO, &why) == OK)
		return true;
	return terminfo_lend(type) && setupterm(type, STDOUT_FILENO, &why) == OK;
}

/* The type to draw for: the terminal's own; "foot" for "foot-direct"; what nearly all terminals of today understand. */
static const char *find_type(const char *type, char base[static 64])
{
	static const char common[] = "xterm-256color";
	size_t n = strlen(type), ending = strlen("-direct");
	if (is_known(type))
		return type;
	snprintf(base, 64, "%s", type);
	bool direct = n > ending && n < 64 && strcmp(type + n - ending, "-direct") == 0;
	if (direct)
		base[n - ending] = 0;
	if (direct && is_known(base))
		return base;
	snprintf(term.note, sizeof term.note,
		 "terminal type \"%.60s\" is not described on this machine: drawn as for %s", type, common);
	return is_known(common) ? common : NULL;
}

static bool open_screen(enum color_mode color, struct err *e)
{
	char base[64];
	const char *asked = getenv("TERM");
	if (!asked || !*asked || strcmp(asked, "dumb") == 0)
		return err_usage(e, "terminal type \"%s\" cannot show a screen; use `stepscope report` or a pipe",
				 asked ? asked : "");
	const char *type = find_type(asked, base), *cup = type ? term_text("cup") : NULL;
	if (!cup || strncmp(cup, "\033[", 2) != 0) {
		terminfo_take_back();
		return err_usage(
			e,
			"terminal type \"%s\" cannot move the cursor as current terminals do; use `stepscope report`",
			asked);
	}
	/* of a type that ends like this only the colours are not those of the other one */
	if (color == COLOR_AUTO && type != asked && strstr(asked, "-direct") && !getenv("NO_COLOR"))
		color = COLOR_TRUECOLOR;
	term.paint.caps = term_caps(color, asked);
	prepare_undo(); /* before newterm takes the screen */
	term.screen = newterm(type, stdout, term.in);
	terminfo_take_back(); /* newterm has read it, too */
	return term.screen ? true : err_memory(e, NULL);
}

static void write_all(const char *bytes, size_t n)
{
	while (n) {
		ssize_t w = write(STDOUT_FILENO, bytes, n);
		if (w < 0 && errno == EAGAIN)
			poll(&(struct pollfd){STDOUT_FILENO, POLLOUT, 0}, 1, -1);
		else if (w < 0 && errno != EINTR)
			return; /* the terminal is gone, as the next wait will tell */
		bytes += w > 0 ? w : 0;
		n -= w > 0 ? (size_t)w : 0;
	}
}

void term_copy(const char *text)
{
	size_t n;
	char *sequence = clip_sequence(text, strlen(text), clip_wrap_here(), &n);
	write_all(sequence, n);
	free(sequence);
}

static void say(const char *text)
{
	write_all(text, strlen(text));
}

/* curses takes the screen with its first frame, which is empty; from then on it writes no other one. */
static void take_screen(void)
{
	clearok(curscr, TRUE);
	refresh();
	if (term.mouse)
		say(MOUSE_ON);
	paint_forget(&term.paint);
	line_begin(&term.line, now_ms());
	say(LINE_QUESTION);
}

static void on_stop(int sig)
{
	(void)sig;
	stop_wanted = 1;
}

static void catch_stop(void (*handler)(int))
{
	struct sigaction sa = {.sa_handler = handler};
	sigemptyset(&sa.sa_mask);
	sigaction(SIGTSTP, &sa, NULL);
}

static void set_up(void)
{
	cbreak();
	noecho();
	nonl(); /* Return arrives as CR, Ctrl-J as LF */
	curs_set(0);
	set_escdelay(25); /* ms after which an Esc was the key, not the start of a sequence */
	term.keys = newpad(1, 1);
	keypad(term.keys, TRUE);
	nodelay(term.keys, TRUE);
	define_key(NULL, KEY_MOUSE); /* mouse.h reads its reports */
	paint_start(&term.paint, term.paint.caps);
	take_screen();
}

bool term_open(enum color_mode color, struct err *e)
{
	memset(&term, 0, sizeof term);
	if (!isatty(STDOUT_FILENO))
		return err_usage(e, "standard output is not a terminal");
	TRY(open_input(e));
	term.utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	term_restore_arm(STDOUT_FILENO);
	struct sigaction before;
	sigaction(SIGTSTP, NULL, &before);
	if (before.sa_handler == SIG_DFL)
		catch_stop(on_stop); /* before newterm, which would catch it itself */
	if (!open_screen(color, e)) {
		term_restore_now();
		term_restore_disarm();
		close_input();
		return false;
	}
	set_up();
	return true;
}

const char *term_note(void)
{
	return term.note;
}

/* ---- giving the screen back --------------------------------------------------------------------------------------- */

/* The answer to the last frame must not be taken for something typed at the shell. */
static void await_answers(void)
{
	enum { AT_MOST_MS = 1000 };
	struct mouse m;
	for (int64_t until = now_ms() + AT_MOST_MS; term.line.n && now_ms() < until;) {
		poll(&(struct pollfd){term.in_fd, POLLIN, 0}, 1, (int)(until - now_ms()));
		while (term_key(&m) != K_NONE)
			;
		if (!term.line.answers)
			break;
	}
}

static void leave_screen(void)
{
	if (term.mouse)
		say(MOUSE_OFF);
	await_answers();
	endwin();
	/* Terminals inside vim and neovim take back, with the main screen, whether the cursor was visible when curses last
	 * saved its place, which may have been while it was hidden. */
	if (cursor_normal)
		putp(cursor_normal);
	fflush(stdout);
}

void term_close(void)
{
	if (!term.screen)
		return;
	leave_screen();
	term_restore_disarm(); /* no delscreen: the program ends, and it crashes where memory was out before */
	catch_stop(SIG_DFL);
	close_input();
	paint_free(&term.paint);
	term.screen = NULL;
}

/* Ctrl-Z: the shell gets the terminal as it was; whoever brings the program back finds it as he left it. */
static void stop(void)
{
	sigset_t set, before;
	stop_wanted = 0;
	leave_screen();
	catch_stop(SIG_DFL);
	raise(SIGTSTP);
	sigemptyset(&set);
	sigaddset(&set, SIGTSTP);
	pthread_sigmask(SIG_UNBLOCK, &set, &before);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	catch_stop(on_stop);
	take_screen();
	curs_set(0);
	term.stopped = true;
}

bool term_is_utf8(void)
{
	return term.utf8;
}

enum term_depth term_depth(void)
{
	return term.paint.caps.depth;
}

void term_mouse(bool on)
{
	if (on == term.mouse)
		return;
	say(on ? MOUSE_ON : MOUSE_OFF);
	term.mouse = on;
	prepare_undo();
}

void term_size(int *rows, int *cols)
{
	*rows = LINES;
	*cols = COLS;
}

#ifdef __SANITIZE_ADDRESS__
/* What curses keeps until the program ends is no leak of ours. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libtinfo\nleak:libncursesw\n";
}
#endif

/* ---- drawing ------------------------------------------------------------------------------------------------------ */

void term_theme_changed(void)
{
	paint_theme_changed(&term.paint);
}

void term_draw(const struct surface *s, const struct theme *t)
{
	paint_frame(&term.paint, s, t);
	if (!term.paint.n)
		return;
	bool asks = line_asks(&term.line);
	write_all(term.paint.out, term.paint.n);
	if (asks)
		say(LINE_QUESTION);
	line_sent(&term.line, term.paint.n, now_ms());
}

int term_busy_ms(void)
{
	return line_wait_ms(&term.line, now_ms());
}

void term_redraw(void)
{
	paint_forget(&term.paint);
	line_forget(&term.line);
}

/* ---- keys --------------------------------------------------------------------------------------------------------- */

static sigset_t held_signals(void)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGWINCH);
	sigaddset(&set, SIGTSTP);
	return set;
}

void term_hold_signals(void)
{
	sigset_t set = held_signals();
	pthread_sigmask(SIG_BLOCK, &set, NULL);
}

/* A terminal that hung up can be read for ever, and nothing comes. */
static bool is_gone(const struct pollfd *f)
{
	int waiting = 0;
	return f->revents & (POLLHUP | POLLERR | POLLNVAL) && (ioctl(f->fd, FIONREAD, &waiting) != 0 || !waiting);
}

void term_wait(int timeout_ms, int wake_fd)
{
	struct pollfd fds[2] = {{term.in_fd, POLLIN, 0}, {wake_fd, POLLIN, 0}};
	struct timespec wait = {timeout_ms / 1000, timeout_ms % 1000 * 1000000L};
	sigset_t mask;
	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	sigdelset(&mask, SIGWINCH); /* let in only while waiting: see term_hold_signals */
	sigdelset(&mask, SIGTSTP);
	int ready = ppoll(fds, wake_fd >= 0 ? 2 : 1, timeout_ms < 0 ? NULL : &wait, &mask);
	if (stop_wanted)
		stop();
	if (ready < 0)
		return; /* a signal: a resize shows up as a key */
	if (is_gone(&fds[0]))
		raise(SIGHUP);
	char drain[64];
	if (wake_fd >= 0 && fds[1].revents & POLLIN)
		while (read(wake_fd, drain, sizeof drain) > 0)
			;
}

static const struct {
	int curses, key;
} special[] = {
	{KEY_UP, K_UP},          {KEY_DOWN, K_DOWN},     {KEY_LEFT, K_LEFT},   {KEY_RIGHT, K_RIGHT},
	{KEY_PPAGE, K_PGUP},     {KEY_NPAGE, K_PGDN},    {KEY_HOME, K_HOME},   {KEY_END, K_END},
	{KEY_BTAB, K_SHIFT_TAB}, {KEY_DC, K_DELETE},     {KEY_ENTER, K_ENTER}, {KEY_BACKSPACE, K_BACKSPACE},
	{KEY_F(1), K_F1},        {KEY_RESIZE, K_RESIZE},
};

/* After ESC [ up to the letter that ends it. */
static void read_sequence(char *text, size_t size)
{
	wint_t c = 0;
	size_t n = 0;
	while (wget_wch(term.keys, &c) == OK) {
		if (n + 1 < size)
			text[n++] = (char)c;
		if (c >= 0x40 && c <= 0x7E)
			break;
	}
	text[n] = 0;
}

/* "M" and three characters: button, column, row, each with 32 added. */
static bool old_mouse_report(struct mouse *m)
{
	wint_t at[3];
	for (int i = 0; i < 3; i++)
		if (wget_wch(term.keys, &at[i]) != OK)
			return false;
	return mouse_take(&term.track, (int)at[0] - 32, (int)at[2] - 33, (int)at[1] - 33, false, now_ms(), m);
}

/* Esc, or a control sequence that curses does not know: its bytes must not act as keys. */
static int after_escape(struct mouse *m)
{
	wint_t c;
	char text[64];
	if (wget_wch(term.keys, &c) != OK)
		return K_ESC;
	/* Alt and a key: Esc now, the key next */
	if (c != '[') {
		unget_wch((wchar_t)c);
		return K_ESC;
	}
	read_sequence(text, sizeof text);
	if (strcmp(text, "0n") == 0 || strcmp(text, "3n") == 0) {
		line_answered(&term.line, now_ms());
		return K_ANSWER;
	}
	bool mouse = strcmp(text, "M") == 0 ? old_mouse_report(m) : mouse_report(&term.track, text, now_ms(), m);
	return mouse && term.mouse ? K_MOUSE : text[0] == '<' || text[0] == 'M' ? K_ANSWER : K_UNKNOWN;
}

static int next_key(struct mouse *m)
{
	wint_t c;
	int rc = wget_wch(term.keys, &c);
	if (rc == ERR)
		return K_NONE;
	if (rc == OK && c == K_ESC)
		return after_escape(m);
	if (rc == OK)
		return c == '\n' ? K_ENTER : c == 8 ? K_BACKSPACE : (int)c;
	for (size_t i = 0; i < sizeof special / sizeof *special; i++)
		if ((int)c == special[i].curses)
			return special[i].key;
	return K_UNKNOWN;
}

int term_key(struct mouse *m)
{
	int key;
	if (term.stopped) {
		term.stopped = false;
		return K_RESIZE; /* nobody saw a change meanwhile */
	}
	do
		key = next_key(m);
	while (key == K_ANSWER);
	if (key == K_RESIZE)
		line_forget(&term.line);
	return key;
}
