/* importers/archive.h - the files in a zip or tar archive, one after the other, without unpacking to the disk. A tar may be packed as
 * any source may; a zip of a plain file is read by its directory, else from its beginning.
 * Safety:  names are names only, nothing is written by them. What follows damage is not read.
 * Threads: one at a time. */
#ifndef STEPSCOPE_ARCHIVE_H
#define STEPSCOPE_ARCHIVE_H
#include "source.h"

bool archive_is(const unsigned char *head, size_t n); /* unpacked first bytes of one */

struct members;
/* The members of the archive that `outer` is at the beginning of; outer is borrowed. NULL: fills e. */
struct members *members_open(struct source *outer, struct progress *p, struct err *e);
void members_close(struct members *m);
/* Name of the next plain file, until the next call; NULL: no more, or damage. Its bytes are then read by source_stream with
 * members_read and m. */
const char *members_next(struct members *m);
size_t members_read(void *m, void *to, size_t room, const char **damage);
/* NULL when sound; else why nothing could be read after the last name. */
const char *members_damage(const struct members *m);
#endif
