/* tui/explorer/worker.h - one thread beside the user interface, and the jobs that wait for it in turn.
 * Life:    worker_new -> worker_run / worker_collect any number of times -> worker_free. The thread starts with the first job.
 * Threads: work() runs on the worker's thread; everything else, done() included, on the caller's. One byte is written to
 *          wake_fd (-1 = none) whenever a job has ended. With `inline_jobs` (for tests), and where
 *          the system gives no thread, everything happens in worker_run.
 * Cancel:  a job is given its own struct progress, or a flag like it, by the code that starts it. */
#ifndef STEPSCOPE_WORKER_H
#define STEPSCOPE_WORKER_H
#include <stdbool.h>

struct worker;
struct worker *worker_new(int wake_fd, bool inline_jobs);
/* Waits for the job under way; done() is called for it, and for those that never started. */
void worker_free(struct worker *w);
/* done() is called from worker_collect or worker_free. False when the job cannot be taken (nothing is called then). `what` names
 * the job in the log (session_log.h) and is copied. */
bool worker_run(struct worker *w, const char *what, void (*work)(void *ctx), void (*done)(void *ctx), void *ctx);
bool worker_busy(struct worker *w); /* a job waits, runs, or is not collected */
/* Calls done() of what has ended; true when something had. Call after a wake-up. */
bool worker_collect(struct worker *w);
#endif
