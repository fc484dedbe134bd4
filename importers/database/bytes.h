/* importers/database/bytes.h - the bytes of a source as a file that SQLite reads: the source's own file, or what came through
 * a pipe or was packed, in a temporary file without a name. Nothing else can be opened: no journal, no other database.
 * Cut:     a database that says it is longer than its file reads as zeros after the end: what is sound of it can be read.
 * Threads: one at a time. */
#ifndef STEPSCOPE_DATABASE_BYTES_H
#define STEPSCOPE_DATABASE_BYTES_H
#include "importers/source.h"
#include <sqlite3.h>

struct bytes {
	int fd;                    /* read with pread */
	bool own_fd;               /* a temporary file */
	bool cut;                  /* the database says it is longer than the file */
	bool failed;               /* a read failed */
	int64_t size, claimed;     /* of the file; of the database as its first page says */
	struct progress *progress; /* told what was read, NULL = nobody */
};

/* False when the source cannot be read or no temporary file can be had. */
bool bytes_open(struct bytes *b, struct source *src, struct progress *p, struct err *e);
void bytes_close(struct bytes *b);
/* A connection that reads these bytes only; they must outlive it. NULL: SQLite refuses. */
sqlite3 *bytes_connect(struct bytes *b);
#endif
