/* importers/mapped.h - a large plain file window by window as it lies in the system's memory, without a copy.
 * Why:    copying is a fourteenth of the import of a JSON trace.
 * Safety: a file that is cut while it is mapped would kill who looks at it. Mapped is only a file of a local file system on
 *         which the kernel gives a lease: nobody has it open for writing, and who wants to waits until the lease is back. We
 *         ask before every window whether someone waits and then stop mapping: the rest is read. Every page is known to be
 *         there before the window is given out, so that a bad disk is an error of read, not a signal. (What the kernel waits
 *         for at most is 45 seconds unless set otherwise, /proc/sys/fs/lease-break-time; a window takes milliseconds.)
 * Else:   any refusal means that the file is read: nothing depends on mapping.
 * Life:   two windows at most: this one and the one before. */
#ifndef STEPSCOPE_MAPPED_H
#define STEPSCOPE_MAPPED_H
#include <stddef.h>
#include <stdint.h>

struct mapped;
struct mapped *mapped_open(int fd);  /* borrowed until mapped_close; NULL: read it */
void mapped_close(struct mapped *m); /* NULL is fine */
int64_t mapped_size(const struct mapped *m);

/* The bytes from `from` on: at least `want` unless the file ends there; a page of zero bytes follows. The window before the
 * one before goes. NULL: read on, and call mapped_retire where the next windows would have been asked for. */
unsigned char *mapped_window(struct mapped *m, int64_t from, size_t want, size_t *have);
void mapped_retire(struct mapped *m); /* the older window goes; with the last one the lease */
#endif
