/* model/store/base/err.h - errors are values: a message, a file and a byte offset.
 * Owner:   the caller's stack. Every function that can fail takes `struct err *` (NULL allowed) and returns false/NULL.
 * Rule:    only tui/main.c prints an error and exits. The first error set wins nothing: the last writer overwrites. */
#ifndef STEPSCOPE_ERR_H
#define STEPSCOPE_ERR_H
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

struct err {
	int64_t at;      /* byte in the uncompressed input, -1 = none */
	char file[240];  /* as the user named it, "" = none; cut at the front when longer */
	char msg[320];   /* one sentence, lower case, no full stop */
	bool unreadable; /* the input cannot be read at all (exit 3); none of these three: anything else (exit 2) */
	bool unwritten;  /* the output was not written as asked (exit 5) */
	bool memory;     /* memory was out; the exit code is that of memory.h */
};

#define TRY(call)                     \
	do {                          \
		if (!(call))          \
			return false; \
	} while (0)

/* Fills `e` (when not NULL) for an input that cannot be read. Always returns false, so `return err_set(...)` works.
 * file may be NULL; at = -1 when no offset applies. */
bool err_set(struct err *e, const char *file, int64_t at, const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* Fills `e` for a wrong request (bad option, unknown column, no such step). Always returns false. */
bool err_usage(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Fills `e` for want of memory; file may be NULL. Always returns false. */
bool err_memory(struct err *e, const char *file);

/* Fills `e` for an output that was not written as asked. Always returns false. */
bool err_unwritten(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Writes "FILE: message (at byte N)" into buf, always NUL-terminated. Returns buf. */
const char *err_text(const struct err *e, char *buf, unsigned long size);
#endif
