/* importers/chrome/stretches.h - the events of a plain file, by two threads that each read, scan and take stretches of it.
 * Why:    turns.h.
 * Order:  a stretch is taken when the one before it has been, so the trace is made in file order by one thread at a time.
 * Exact:  where the first entry of a stretch begins is guessed; when the stretch before it ends elsewhere it is scanned again from
 *         there. What is not an entry after a comma is left to the caller, who goes on alone from it. */
#ifndef STEPSCOPE_CHROME_STRETCHES_H
#define STEPSCOPE_CHROME_STRETCHES_H
#include "model/store/base/progress.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct chrome;
struct stretches;
/* fd: read with pread, stays the caller's. bytes: of a stretch, and how far its last entry may reach past it. NULL: out of memory. */
struct stretches *stretches_new(struct chrome *c, int fd, size_t bytes, struct progress *p);
void stretches_free(struct stretches *s); /* NULL is fine */

/* Takes the entries from offset `at` on, where one begins, on this thread and another one, until something else comes or the
 * caller cancels. Everything before `at` must have been taken. Returns where that is: after an entry, or (*at_entry) at the
 * start of one that is not whole here. */
int64_t stretches_take(struct stretches *s, int64_t at, bool *at_entry);
#endif
