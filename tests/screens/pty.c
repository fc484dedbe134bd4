/* tests/screens/pty.c - a person at a terminal, as a program: runs a command on a pseudo-terminal and plays a script.
 *
 *   pty [-s COLSxROWS] [-t TERM] SCRIPT|- COMMAND...
 *
 * Script, one order per line ('#' starts a comment):
 *   keys b Enter C-l      keys in tmux send-keys notation: characters, names, C-x, M-x
 *   type TEXT             the characters of TEXT
 *   wait TEXT             until the screen shows TEXT; fails after `timeout`
 *   gone TEXT             until the screen no longer shows TEXT
 *   settle                until the program waits for a key in all its threads (idle.h); where that cannot be known, until
 *                           in 13 looks it wrote nothing, left no key unread and had no thread at work
 *   screen                print the screen, one |line| each
 *   attrs                 print the runs of cells that are not plain: "row: from-to bold reverse fg=4 bg=0"
 *   resize COLSxROWS      change the size (the program gets SIGWINCH)
 *   click ROW COL         press and release the left mouse button (from 0)
 *   signal TERM           send a signal to the program
 *   terminal              print what the program has done to the terminal: "terminal: alternate screen on cursor hidden"
 *   drag ROW COL ROW COL  press the left mouse button, move, release
 *   double ROW COL        press and release it twice
 *   bytes                 print how many bytes the program has written since the last time: "bytes 1234"
 *   record FILE           from now on what the program writes also goes into this new file
 *   slow BYTES            from now on a line that carries that many bytes in each tick of 20 ms (0: as many as come)
 *   ticks N               let N ticks of 20 ms go by
 *   hangup                the terminal is gone: no more is read or written
 *   touch FILE            make an empty file, for which something outside may wait
 *   timeout SECONDS       for the orders that follow (60 at first; $TEST_SLOW times as long)
 *   end                   wait until the program has ended, then print how it ended and what it left behind:
 *                           "exit 0" or "signal 15", then "terminal: restored" or what is not
 * At the end of the script a program that still runs is killed. Exit status 0: every order succeeded. */
#include <errno.h>
#include <fcntl.h>
#include "keys.h"
#include "picture.h"
#include "model/store/base/clock.h"

enum { QUIET_LOOKS = 13, IDLE_LOOKS = 3, MAX_SIDE = 1000 };

/* ---- orders -------------------------------------------------------------------------------------------------------- */

static bool press(struct pty *p, const char *key)
{
	if (!key_press(p->vt, key))
		return fail("no such key: %s", key);
	answer(p);
	pump(p, 0);
	return true;
}

static bool do_keys(struct pty *p, char *rest)
{
	for (char *key = strtok(rest, " \t"); key; key = strtok(NULL, " \t"))
		if (!press(p, key))
			return false;
	return true;
}

static bool do_type(struct pty *p, char *rest)
{
	for (; *rest; rest++) {
		vterm_keyboard_unichar(p->vt, (unsigned char)*rest, VTERM_MOD_NONE);
		answer(p); /* the library keeps only a few dozen bytes */
	}
	pump(p, 0);
	return true;
}

static bool wait_for(struct pty *p, const char *text, bool there)
{
	int64_t until = now_ms() + p->timeout_ms;

	while (screen_shows(p, text) != there) {
		bool more = pump(p, TICK_MS);

		if ((p->ended && !more) || now_ms() > until) {
			fail("%s \"%s\"%s; the screen is:", there ? "waited in vain for" : "still there:", text,
			     p->ended ? " (the program has ended)" : "");
			print_screen(p);
			return false;
		}
	}
	return true;
}

static bool do_wait(struct pty *p, char *rest)
{
	return wait_for(p, rest, true);
}

static bool do_gone(struct pty *p, char *rest)
{
	return wait_for(p, rest, false);
}

static bool keys_unread(const struct pty *p)
{
	int unread = 0;

	return ioctl(p->slave, FIONREAD, &unread) == 0 && unread > 0;
}

/* Nothing is on its way to the program, and its first thread has slept since the last key was pressed and since the size changed. */
static bool keys_taken(const struct pty *p)
{
	return !keys_unread(p) && (p->slept_before_key < 0 || times_slept(reader(p)) > p->slept_before_key);
}

static bool do_settle(struct pty *p, char *rest)
{
	int64_t until = now_ms() + p->timeout_ms;
	int quiet = 0,
	    idle = 0; /* looks in a row, a tick apart: on a busy machine a time may pass in which nobody looked */

	(void)rest;
	while (quiet < QUIET_LOOKS && idle < IDLE_LOOKS) {
		bool wrote = pump(p, TICK_MS);

		quiet = wrote || (!p->ended && (keys_unread(p) || program_at_work(reader(p)))) ? 0 : quiet + 1;
		idle = wrote || p->ended || !keys_taken(p) || !program_waits(reader(p)) ? 0 : idle + 1;
		if (now_ms() > until)
			return fail("the program never stopped writing");
	}
	return true;
}

static bool do_screen(struct pty *p, char *rest)
{
	(void)rest;
	print_screen(p);
	return true;
}

static bool do_attrs(struct pty *p, char *rest)
{
	(void)rest;
	for (int row = 0; row < p->rows; row++)
		print_attrs_row(p, row);
	return true;
}

static bool parse_size(const char *s, int *cols, int *rows)
{
	return sscanf(s, "%dx%d", cols, rows) == 2 && *cols > 0 && *rows > 0 && *cols <= MAX_SIDE && *rows <= MAX_SIDE;
}

static bool do_resize(struct pty *p, char *rest)
{
	struct winsize w = {0};
	int cols = p->cols, rows = p->rows;
	long slept = times_slept(reader(p));

	if (!parse_size(rest, &p->cols, &p->rows))
		return fail("no such size: %s", rest);
	w.ws_col = (unsigned short)p->cols;
	w.ws_row = (unsigned short)p->rows;
	vterm_set_size(p->vt, p->rows, p->cols);
	if (p->cols != cols || p->rows != rows) /* else no signal is sent */
		p->slept_before_key = slept;
	return ioctl(p->master, TIOCSWINSZ, &w) == 0 || fail("cannot resize: %s", strerror(errno));
}

static bool do_click(struct pty *p, char *rest)
{
	int row, col;

	if (sscanf(rest, "%d %d", &row, &col) != 2)
		return fail("click needs a row and a column: %s", rest);
	vterm_mouse_move(p->vt, row, col, VTERM_MOD_NONE);
	vterm_mouse_button(p->vt, 1, true, VTERM_MOD_NONE);
	vterm_mouse_button(p->vt, 1, false, VTERM_MOD_NONE);
	answer(p);
	return true;
}

static void button(struct pty *p, int row, int col, bool down)
{
	vterm_mouse_move(p->vt, row, col, VTERM_MOD_NONE);
	vterm_mouse_button(p->vt, 1, down, VTERM_MOD_NONE);
	answer(p);
}

static bool do_drag(struct pty *p, char *rest)
{
	int row, col, to_row, to_col;

	if (sscanf(rest, "%d %d %d %d", &row, &col, &to_row, &to_col) != 4)
		return fail("drag needs two places: %s", rest);
	button(p, row, col, true);
	for (int i = 1; i <= 4; i++) {
		vterm_mouse_move(p->vt, row + (to_row - row) * i / 4, col + (to_col - col) * i / 4, VTERM_MOD_NONE);
		answer(p);
	}
	button(p, to_row, to_col, false);
	return true;
}

static bool do_double(struct pty *p, char *rest)
{
	char again[64];

	snprintf(again, sizeof again, "%s", rest);
	return do_click(p, rest) && do_click(p, again);
}

static bool do_bytes(struct pty *p, char *rest)
{
	(void)rest;
	printf("bytes %zu\n", p->bytes);
	p->bytes = 0;
	return true;
}

static bool do_record(struct pty *p, char *rest)
{
	p->record = fopen(rest, "wxe");
	return p->record || fail("cannot write %s: %s", rest, strerror(errno));
}

static bool do_slow(struct pty *p, char *rest)
{
	p->bytes_a_tick = (size_t)atoi(rest);
	return true;
}

static bool do_ticks(struct pty *p, char *rest)
{
	for (int n = atoi(rest); n > 0; n--) {
		int64_t begun = now_ms();

		pump(p, TICK_MS);
		while (now_ms() - begun < TICK_MS)
			usleep(1000);
	}
	return true;
}

static bool do_hangup(struct pty *p, char *rest)
{
	(void)rest;
	close(p->master);
	close(p->slave);
	p->master = p->slave = open("/dev/null", O_RDWR | O_CLOEXEC); /* which can be waited on and closed like them */
	return p->master >= 0;
}

static bool do_signal(struct pty *p, char *rest)
{
	for (int s = 1; s < NSIG; s++) {
		const char *name = sigabbrev_np(s);

		if (name && strcmp(name, rest) == 0)
			return kill(p->child, s) == 0 || fail("cannot signal: %s", strerror(errno));
	}
	return fail("no such signal: %s", rest);
}

static bool do_touch(struct pty *p, char *rest)
{
	int fd = open(rest, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	(void)p;
	return (fd >= 0 && close(fd) == 0) || fail("cannot make %s: %s", rest, strerror(errno));
}

/* How many times longer than usual everything may take. */
static int slowness(void)
{
	const char *times = getenv("TEST_SLOW");
	return times && atoi(times) > 0 ? atoi(times) : 1;
}

static bool do_timeout(struct pty *p, char *rest)
{
	p->timeout_ms = 1000 * atoi(rest) * slowness();
	return p->timeout_ms > 0 || fail("no such timeout: %s", rest);
}

static bool do_terminal(struct pty *p, char *rest)
{
	(void)rest;
	print_left_behind(p);
	return true;
}

/* On a busy machine the last bytes of a program come later than its end: a title that is written behind them comes later still. */
static void read_last_words(struct pty *p)
{
	static const char title[] = "\033]2;that is all\007";
	int64_t until = now_ms() + p->timeout_ms;

	while (pump(p, TICK_MS))
		;
	p->titled = !isatty(p->slave) || write(p->slave, title, sizeof title - 1) < 0;
	while (!p->titled && now_ms() <= until)
		pump(p, TICK_MS);
}

static bool do_end(struct pty *p, char *rest)
{
	int64_t until = now_ms() + p->timeout_ms;

	(void)rest;
	while (!p->ended && now_ms() <= until)
		pump(p, TICK_MS);
	if (!p->ended)
		return fail("the program has not ended");
	read_last_words(p);
	if (WIFEXITED(p->status))
		printf("exit %d\n", WEXITSTATUS(p->status));
	else
		printf("signal %d\n", WTERMSIG(p->status));
	print_left_behind(p);
	return true;
}

static const struct {
	const char *word;
	bool (*run)(struct pty *p, char *rest);
} orders[] = {
	{"keys", do_keys},         {"type", do_type},     {"wait", do_wait},       {"gone", do_gone},
	{"settle", do_settle},     {"screen", do_screen}, {"attrs", do_attrs},     {"resize", do_resize},
	{"click", do_click},       {"signal", do_signal}, {"timeout", do_timeout}, {"end", do_end},
	{"terminal", do_terminal}, {"touch", do_touch},   {"drag", do_drag},       {"double", do_double},
	{"bytes", do_bytes},       {"slow", do_slow},     {"hangup", do_hangup},   {"record", do_record},
	{"ticks", do_ticks},
};

static bool run_order(struct pty *p, char *line)
{
	char *rest = line + strcspn(line, " \t");

	if (*rest)
		*rest++ = '\0';
	for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
		if (strcmp(orders[i].word, line) == 0)
			return orders[i].run(p, rest);
	return fail("no such order: %s", line);
}

static bool play(struct pty *p, FILE *script)
{
	char *line = NULL;
	size_t cap = 0;
	bool ok = true;

	while (ok && getline(&line, &cap, script) >= 0) {
		line[strcspn(line, "\r\n")] = '\0';
		char *start = line + strspn(line, " \t");

		if (*start && *start != '#')
			ok = run_order(p, start);
		fflush(stdout);
	}
	free(line);
	return ok;
}

int main(int argc, char **argv)
{
	struct pty p = {.cols = 80, .rows = 24, .timeout_ms = 60000 * slowness(), .slept_before_key = -1};
	const char *term = "xterm-256color";
	int c;

	while ((c = getopt(argc, argv, "+s:t:")) != -1) {
		if (c == 't')
			term = optarg;
		else if (c != 's' || !parse_size(optarg, &p.cols, &p.rows))
			return 2;
	}
	if (argc - optind < 2)
		return 2;
	FILE *script = strcmp(argv[optind], "-") == 0 ? stdin : fopen(argv[optind], "r");

	if (!script)
		return !fail("cannot read %s", argv[optind]) + 1;
	terminal_new(&p);
	bool ok = terminal_start(&p, argv + optind + 1, term) && play(&p, script);

	terminal_stop(&p);
	return !ok;
}
