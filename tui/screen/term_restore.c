#include "term_restore.h"
#include "model/store/files/output.h"
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static const int ending[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
enum { N_ENDING = sizeof ending / sizeof *ending };

static struct sigaction before[N_ENDING];
static struct termios line;
static int screen = -1;  /* what the explorer draws to */
static int tty = -1;     /* the same terminal, by a descriptor of our own */
static int nowhere = -1; /* where it draws to once the terminal was given back */
static char undo_bytes[512];
static volatile sig_atomic_t undo_n, line_known, armed;
static char stack[65536] __attribute__((aligned(16))); /* a stack overflow needs another stack to be caught on */

/* Only what may be called in a signal handler: no curses, no stdio. Another thread may be about to draw, or to take the screen
 * in the first place: what it writes from now on goes nowhere. */
static void give_back(void)
{
	if (tty != screen && nowhere >= 0)
		dup2(nowhere, screen);
	if (undo_n && write(tty, undo_bytes, (size_t)undo_n) < 0)
		return; /* the terminal is gone: nothing to restore */
	if (line_known)
		tcsetattr(tty, TCSANOW, &line);
}

void term_restore_now(void)
{
	if (armed) {
		armed = 0; /* first: a second signal meanwhile finds nothing left to do */
		give_back();
	}
}

static void on_end(int sig)
{
	term_restore_now();
	output_give_up();
	signal(sig, SIG_DFL);
	raise(sig); /* the parent sees the program end by this signal */
}

void term_restore_arm(int tty_fd)
{
	screen = tty_fd;
	tty = fcntl(tty_fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (tty < 0)
		tty = tty_fd;
	nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	line_known = tcgetattr(tty, &line) == 0;
	undo_n = 0;
	armed = 1;
	stack_t alt = {.ss_sp = stack, .ss_size = sizeof stack};
	sigaltstack(&alt, NULL);
	struct sigaction sa = {.sa_handler = on_end, .sa_flags = SA_ONSTACK};
	sigfillset(&sa.sa_mask);
	for (int i = 0; i < N_ENDING; i++)
		sigaction(ending[i], &sa, &before[i]);
}

void term_restore_undo(const char *undo, size_t n)
{
	if (n > sizeof undo_bytes)
		n = sizeof undo_bytes;
	memcpy(undo_bytes, undo, n);
	undo_n = (sig_atomic_t)n;
}

void term_restore_disarm(void)
{
	armed = 0;
	for (int i = 0; i < N_ENDING; i++)
		sigaction(ending[i], &before[i], NULL);
	if (tty != screen)
		close(tty);
	if (nowhere >= 0)
		close(nowhere);
	tty = screen;
	nowhere = -1;
}
