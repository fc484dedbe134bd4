/* tui/screen/term_restore.h - the terminal comes back whatever ends the program.
 * Arm:     before the screen is taken: remembers the line settings and catches signals that would end the program
 *          (TERM, INT, HUP, QUIT, SEGV, BUS, FPE, ILL, ABRT). The handler writes `undo`, sets the line back, removes outputs that
 *          are not complete and raises the signal again, so the parent sees the true cause. It uses only async-signal-safe
 *          calls and its own stack. What other threads draw after that goes to /dev/null.
 * Disarm:  after the screen was given back in the normal way. */
#ifndef STEPSCOPE_TERM_RESTORE_H
#define STEPSCOPE_TERM_RESTORE_H
#include <stddef.h>

void term_restore_arm(int tty_fd);
void term_restore_undo(const char *undo, size_t n); /* bytes that give the screen back; kept as a copy */
void term_restore_disarm(void);
/* For an exit amid anything, from any thread: gives the screen back when it is taken; allocates nothing. */
void term_restore_now(void);
#endif
