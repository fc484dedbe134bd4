/* tui/explorer/session_log.h - what the explorer does, line by line, for debugging it: STEPSCOPE_LOG=FILE.
 * Lines:   seconds.microseconds of the wall clock, process id, what happened. The library in a watched process writes the same
 *          kind of lines to the same variable, so one file tells both sides in their order.
 * Content: keys as typed, commands, names of files and tables: nothing is hidden. Only its owner may read the file.
 * Threads: session_log_open once, before other threads log; the rest from any thread. Stays open until the process ends. */
#ifndef STEPSCOPE_SESSION_LOG_H
#define STEPSCOPE_SESSION_LOG_H
#include "model/store/base/err.h"

/* Opens the file for appending; NULL or "" means no log. False with a usage error when it cannot be written. */
bool session_log_open(const char *path, struct err *e);
bool session_log_on(void); /* for callers whose line costs more than the call */
/* One line; control characters become '?'. Does nothing without a log; a log on a full disk is given up. */
void session_log(const char *format, ...) __attribute__((format(printf, 1, 2)));
#endif
