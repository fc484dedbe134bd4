/* live/kineto.h - the daemon that PyTorch's profiler asks for work when it runs with KINETO_USE_DAEMON=1: the protocol of
 * dynolog, as far as a trigger needs it. A process introduces itself ("ctxt") and asks every few seconds for a
 * configuration ("req"); the answer makes it write a profile.
 * Trust:  a client says which processes it is; the answer only names a file that the process itself writes. */
#ifndef STEPSCOPE_LIVE_KINETO_H
#define STEPSCOPE_LIVE_KINETO_H
#include "model/store/base/err.h"
#include <sys/types.h>

struct kineto_daemon {
	int fd;
	char path[108]; /* "" = an abstract name */
};
/* Fails when a daemon serves this machine (this network namespace) already. */
bool kineto_open(struct kineto_daemon *d, struct err *e);
void kineto_close(struct kineto_daemon *d);
/* Answers one message, waiting at most wait_ms for it. Returns the process that was given `config`, 0 = none was. A
 * process is given it when `wants` says so; others get the empty answer. */
int kineto_serve(struct kineto_daemon *d, const char *config, bool (*wants)(void *ctx, const int *pids, int n),
		 void *ctx, int wait_ms);
#endif
