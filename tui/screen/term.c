#define NCURSES_WIDECHAR 1
#include "term.h"
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
#include <time.h>
#include <unistd.h>

static struct {
	SCREEN *screen;
	FILE *in;
	int in_fd;
	bool utf8, mouse;
	enum term_depth depth;
	struct surface shown; /* what the last frame drew: rows that did not change are not even looked at again */
	int pairs_used, pairs_cap;
	struct {
		int fg, bg;
	} pairs[256];
	attr_t attrs[INK_COUNT][2];
	short pair_of[INK_COUNT][2];
	bool inks_ready;
} term;

static bool env_set(const char *name)
{
	const char *v = getenv(name);
	return v && *v;
}

static enum term_depth pick_depth(enum color_mode color)
{
	if (color == COLOR_NEVER || (color == COLOR_AUTO && env_set("NO_COLOR")) || !has_colors())
		return DEPTH_MONO;
	enum term_depth has = COLORS > 256    ? DEPTH_RGB
			      : COLORS >= 256 ? DEPTH_256
			      : COLORS >= 16  ? DEPTH_16
			      : COLORS >= 8   ? DEPTH_8
					      : DEPTH_MONO;
	static const enum term_depth asked[] = {
		[COLOR_AUTO] = DEPTH_RGB, [COLOR_8] = DEPTH_8,           [COLOR_16] = DEPTH_16,
		[COLOR_256] = DEPTH_256,  [COLOR_TRUECOLOR] = DEPTH_RGB,
	};
	return has < asked[color] ? has : asked[color];
}

static size_t add_string(char *buf, size_t n, size_t size, const char *s)
{
	/* Delays "$<..>" are for hardware terminals; a signal handler cannot wait. */
	for (; s && s != (char *)-1 && *s && n + 1 < size; s++) {
		const char *end = s[0] == '$' && s[1] == '<' ? strchr(s, '>') : NULL;
		if (end)
			s = end;
		else
			buf[n++] = *s;
	}
	return n;
}

/* What gives the screen back, written down while it is safe to ask the terminal database. */
static void prepare_undo(void)
{
	static const char *const caps[] = {"sgr0", "op", "rmkx", "rmcup", "cnorm"};
	char undo[512];
	size_t n = add_string(undo, 0, sizeof undo, "\033[?1000l\033[?1002l\033[?1003l\033[?1006l");
	if (!term.mouse)
		n = 0;
	for (size_t i = 0; i < sizeof caps / sizeof *caps; i++)
		n = add_string(undo, n, sizeof undo, tigetstr(caps[i]));
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

/* "$TERM-direct" when the user wants true colour and the database has such an entry, else $TERM. */
static SCREEN *new_screen(const char *type, enum color_mode color)
{
	char direct[128];
	snprintf(direct, sizeof direct, "%s-direct", type);
	SCREEN *made = color == COLOR_TRUECOLOR ? newterm(direct, stdout, term.in) : NULL;
	return made ? made : newterm(type, stdout, term.in);
}

/* By the machine's own database first: it may know this very terminal better than we do. */
static bool is_known(const char *type)
{
	int why;
	if (setupterm(type, STDOUT_FILENO, &why) == OK)
		return true;
	return terminfo_lend(type) && setupterm(type, STDOUT_FILENO, &why) == OK;
}

static bool open_screen(enum color_mode color, struct err *e)
{
	const char *type = getenv("TERM");
	if (!type || !*type || strcmp(type, "dumb") == 0)
		return err_usage(e, "terminal type \"%s\" cannot show a screen; use `stepscope report` or a pipe",
				 type ? type : "");
	bool known = is_known(type);
	if (known)
		prepare_undo(); /* before newterm takes the screen */
	term.screen = new_screen(type, color);
	terminfo_take_back(); /* newterm has read it, too */
	if (!term.screen && known)
		return err_memory(e, NULL);
	if (!term.screen)
		return err_usage(e, "terminal type \"%s\" is unknown here; set TERM or use `stepscope report`", type);
	const char *cup = tigetstr("cup");
	if (!cup || cup == (char *)-1) {
		endwin();
		return err_usage(e, "terminal type \"%s\" cannot move the cursor; use `stepscope report`", type);
	}
	return true;
}

static void set_up(enum color_mode color)
{
	cbreak();
	noecho();
	nonl(); /* Return arrives as CR, Ctrl-J as LF */
	curs_set(0);
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	set_escdelay(25); /* ms after which an Esc was the key, not the begin of a sequence */
	mouseinterval(0); /* clicks come at once: curses would wait for a second one */
	if (has_colors()) {
		start_color();
		use_default_colors(); /* -1: the terminal's own colours, which may be transparent */
	}
	term.depth = pick_depth(color);
	term.pairs_cap = COLOR_PAIRS < 256 ? COLOR_PAIRS : 256;
	prepare_undo();
}

bool term_open(enum color_mode color, struct err *e)
{
	memset(&term, 0, sizeof term);
	if (!isatty(STDOUT_FILENO))
		return err_usage(e, "standard output is not a terminal");
	TRY(open_input(e));
	term.utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	term_restore_arm(STDOUT_FILENO);
	if (!open_screen(color, e)) {
		term_restore_now();
		term_restore_disarm();
		close_input();
		return false;
	}
	set_up(color);
	return true;
}

void term_close(void)
{
	if (!term.screen)
		return;
	term_mouse(false);
	endwin();
	/* Terminals inside vim and neovim take back, with the main screen, whether the cursor was visible when curses last
	 * saved its place, which may have been while it was hidden. */
	if (cursor_normal)
		putp(cursor_normal);
	fflush(stdout);
	term_restore_disarm(); /* no delscreen: the program ends, and it crashes where memory was out before */
	close_input();
	surface_free(&term.shown);
	term.screen = NULL;
}

bool term_is_utf8(void)
{
	return term.utf8;
}

enum term_depth term_depth(void)
{
	return term.depth;
}

void term_mouse(bool on)
{
	if (on == term.mouse)
		return;
	mousemask(on ? BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON4_PRESSED | BUTTON5_PRESSED : 0, NULL);
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

/* ---- colours ------------------------------------------------------------------------------------------------------ */

static short pair_for(int fg, int bg)
{
	for (int i = 0; i < term.pairs_used; i++)
		if (term.pairs[i].fg == fg && term.pairs[i].bg == bg)
			return (short)(i + 1);
	if (term.pairs_used + 1 >= term.pairs_cap || init_extended_pair(term.pairs_used + 1, fg, bg) != OK)
		return 0;
	term.pairs[term.pairs_used].fg = fg;
	term.pairs[term.pairs_used].bg = bg;
	return (short)++term.pairs_used;
}

static int to_terminal(int32_t color)
{
	if (color < 0)
		return -1;
	if (term.depth == DEPTH_RGB)
		return color_to_rgb(color);
	return color_to_256(color);
}

static attr_t pen_attrs(int pen)
{
	return (pen & PEN_BOLD ? A_BOLD : 0) | (pen & PEN_REVERSE ? A_REVERSE : 0) |
	       (pen & PEN_UNDERLINE ? A_UNDERLINE : 0);
}

/* Eight-colour terminals show a bright foreground as bold; a bright background does not exist there. */
static struct style fit_style(struct style st)
{
	if (term.depth == DEPTH_8 && st.fg >= 8) {
		st.fg -= 8;
		st.pen |= PEN_BOLD;
	}
	if (term.depth == DEPTH_8 && st.bg >= 8)
		st.bg -= 8;
	return st;
}

static void prepare_ink(const struct theme *t, int ink)
{
	const struct style *inks = term.depth >= DEPTH_256 ? t->rich : t->basic;
	struct style text = fit_style(theme_cell(inks, ink, 0)), shape = fit_style(theme_cell(inks, ink, PEN_SHAPE));
	term.attrs[ink][0] = pen_attrs(text.pen);
	term.attrs[ink][1] = 0;
	if (term.depth == DEPTH_MONO)
		return;
	term.pair_of[ink][0] = pair_for(to_terminal(text.fg), to_terminal(text.bg));
	term.pair_of[ink][1] = pair_for(to_terminal(shape.fg), to_terminal(shape.bg));
}

static void prepare_inks(const struct theme *t)
{
	term.pairs_used = 0;
	memset(term.pair_of, 0, sizeof term.pair_of);
	for (int i = 0; i < INK_COUNT; i++)
		prepare_ink(t, i);
	/* what curses clears gets the theme's ground, not the terminal's */
	bkgdset((chtype)' ' | (chtype)COLOR_PAIR(term.pair_of[INK_TEXT][0]));
	term.inks_ready = true;
}

void term_theme_changed(void)
{
	term.inks_ready = false;
	term_redraw();
}

/* ---- drawing ------------------------------------------------------------------------------------------------------ */

static void draw_cell(const struct surface *s, int y, int x)
{
	const struct surface_cell *c = &s->cells[y * s->cols + x];
	/* curses fills both columns with the left half */
	if (!c->cp)
		return;
	int shape = c->pen & PEN_SHAPE ? 1 : 0;
	wchar_t text[2] = {(wchar_t)c->cp, 0};
	cchar_t cell;
	setcchar(&cell, text, term.attrs[c->ink][shape] | pen_attrs(c->pen), term.pair_of[c->ink][shape], NULL);
	mvadd_wch(y, x, &cell);
}

static bool row_same(const struct surface *s, int y)
{
	size_t n = (size_t)s->cols;
	return memcmp(s->cells + (size_t)y * n, term.shown.cells + (size_t)y * n, n * sizeof *s->cells) == 0;
}

void term_draw(const struct surface *s, const struct theme *t)
{
	if (!term.inks_ready)
		prepare_inks(t);
	bool all = term.shown.rows != s->rows || term.shown.cols != s->cols;
	if (all) {
		surface_resize(&term.shown, s->rows, s->cols);
		erase();
	}
	/* curses may know of another size already; the frame after K_RESIZE fits again */
	for (int y = 0; y < s->rows && y < LINES; y++) {
		if (!all && row_same(s, y))
			continue;
		for (int x = 0; x < s->cols && x < COLS; x++)
			draw_cell(s, y, x);
	}
	memcpy(term.shown.cells, s->cells, (size_t)s->rows * (size_t)s->cols * sizeof *s->cells);
	wnoutrefresh(stdscr);
	doupdate();
}

void term_redraw(void)
{
	surface_free(&term.shown);
	clearok(curscr, TRUE);
}

/* ---- keys --------------------------------------------------------------------------------------------------------- */

static sigset_t only_resize(void)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGWINCH);
	return set;
}

void term_hold_resize(void)
{
	sigset_t set = only_resize();
	pthread_sigmask(SIG_BLOCK, &set, NULL);
}

void term_wait(int timeout_ms, int wake_fd)
{
	struct pollfd fds[2] = {{term.in_fd, POLLIN, 0}, {wake_fd, POLLIN, 0}};
	struct timespec wait = {timeout_ms / 1000, timeout_ms % 1000 * 1000000L};
	sigset_t mask;
	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	sigdelset(&mask, SIGWINCH); /* let in only while waiting: see term_hold_resize */
	if (ppoll(fds, wake_fd >= 0 ? 2 : 1, timeout_ms < 0 ? NULL : &wait, &mask) < 0)
		return; /* a signal: a resize shows up as a key */
	if (fds[0].revents & (POLLHUP | POLLERR) && !(fds[0].revents & POLLIN))
		raise(SIGHUP); /* the terminal is gone */
	char drain[64];
	if (wake_fd >= 0 && fds[1].revents & POLLIN)
		while (read(wake_fd, drain, sizeof drain) > 0)
			;
}

static int translate_mouse(struct mouse *m)
{
	MEVENT ev;
	if (getmouse(&ev) != OK)
		return K_NONE;
	*m = (struct mouse){MOUSE_CLICK, ev.y, ev.x};
	if (ev.bstate & BUTTON4_PRESSED)
		m->what = MOUSE_WHEEL_UP;
	else if (ev.bstate & BUTTON5_PRESSED)
		m->what = MOUSE_WHEEL_DOWN;
	return K_MOUSE;
}

static const struct {
	int curses, key;
} special[] = {
	{KEY_UP, K_UP},          {KEY_DOWN, K_DOWN},     {KEY_LEFT, K_LEFT},   {KEY_RIGHT, K_RIGHT},
	{KEY_PPAGE, K_PGUP},     {KEY_NPAGE, K_PGDN},    {KEY_HOME, K_HOME},   {KEY_END, K_END},
	{KEY_BTAB, K_SHIFT_TAB}, {KEY_DC, K_DELETE},     {KEY_ENTER, K_ENTER}, {KEY_BACKSPACE, K_BACKSPACE},
	{KEY_F(1), K_F1},        {KEY_RESIZE, K_RESIZE},
};

/* Esc, or a control sequence that curses does not know: its bytes must not act as keys. */
static int after_escape(void)
{
	wint_t c;
	if (get_wch(&c) != OK)
		return K_ESC;
	/* Alt and a key: Esc now, the key next */
	if (c != '[') {
		unget_wch((wchar_t)c);
		return K_ESC;
	}
	while (get_wch(&c) == OK && (c < 0x40 || c > 0x7E))
		;
	return K_UNKNOWN;
}

int term_key(struct mouse *m)
{
	wint_t c;
	int rc = get_wch(&c);
	if (rc == ERR)
		return K_NONE;
	if (rc == OK && c == K_ESC)
		return after_escape();
	if (rc == OK)
		return c == '\n' ? K_ENTER : c == 8 ? K_BACKSPACE : (int)c;
	if (c == KEY_MOUSE)
		return translate_mouse(m);
	for (size_t i = 0; i < sizeof special / sizeof *special; i++)
		if ((int)c == special[i].curses)
			return special[i].key;
	return K_UNKNOWN;
}
