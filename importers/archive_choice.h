/* importers/archive_choice.h - which files of an archive are meant: those that are traces by their first bytes, of one kind; of the runs of
 * a profiler the newest. */
#ifndef STEPSCOPE_ARCHIVE_CHOICE_H
#define STEPSCOPE_ARCHIVE_CHOICE_H
#include "archive.h"
#include "importer.h"

struct archive_choice {
	bool *wanted; /* by place in the archive */
	size_t n;
	size_t traces;      /* wanted ones */
	int64_t most_bytes; /* that all of them may unpack to: more than packing can save is not sound */
};
/* Looks into each member of the archive that outer is at the beginning of, at the bytes that `packed` are stored in. False: fills e. */
bool archive_choose(struct archive_choice *out, struct source *outer, int64_t packed_bytes, struct progress *p,
		    struct err *e);
void archive_choice_free(struct archive_choice *c);
#endif
