/* tui/cli/launch.h - starting a command whose processes can be watched, and ending as it ended.
 * The command gets the environment that arms it, and nothing else of ours: its descriptors, its signals, its place in the
 * terminal's foreground are as they would be without us. */
#ifndef STEPSCOPE_LAUNCH_H
#define STEPSCOPE_LAUNCH_H
#include "cli.h"
#include "model/store/base/err.h"
#include <sys/types.h>

enum { LAUNCH_PATH_BYTES = 512 };
/* The library that goes into the target: beside the program, in ../lib/stepscope, or unpacked by the one-file program. */
bool launch_library(char path[LAUNCH_PATH_BYTES], struct err *e);
/* Sets the environment that arms what is started from now on. viewer: our socket, NULL = none; a target with a viewer
 * records from its start. Refuses to replace what another tool has put there, unless --force. */
bool launch_arm(const struct cli *c, const char *viewer, struct err *e);
/* Becomes the command. Returns only when it cannot: the exit code, with e filled. */
int launch_become(const char *const *words, struct err *e);

struct launched {
	pid_t pid;
	bool ended;
	int status; /* of waitpid */
};
/* Starts it beside us. output_fd >= 0: its stdout and stderr; its stdin is then /dev/null when ours is a terminal.
 * 0, or the exit code with e filled. Signals that would end us are held back from now on and passed on to it. */
int launch_start(struct launched *l, const char *const *words, int output_fd, struct err *e);
/* Waits until it ends or ms have passed (-1 = for ever), passing signals on. True when it has ended. */
bool launch_wait(struct launched *l, int ms);
/* Has it ended? Any thread; leaves it to launch_wait. */
bool launch_peek(const struct launched *l, char *buf, unsigned long size);
/* Lets signals do again what they did, as the explorer wants it. */
void launch_release_signals(void);
/* Ends as it ended: the exit code for main, or does not return because the same signal ended us. */
int launch_exit_code(const struct launched *l);
#endif
