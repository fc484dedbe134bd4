/* tui/app/found.h - traces to choose from: those that were opened before, and those below a folder.
 * Search:  by names alone, no file is opened: TensorBoard run folders (plugins/profile/RUN), *.pt.trace.json, *.xplane.pb, packed or
 *          not, and saved *.stepscope files. Near folders first; hidden folders and links to folders are passed over. It stops at
 *          FOUND_DEPTH folders below, FOUND_ENTRIES names or FOUND_MS, whichever comes first, and says so.
 * List:    of what lies below, the FOUND_MOST that changed last.
 * Threads: one. */
#ifndef STEPSCOPE_FOUND_H
#define STEPSCOPE_FOUND_H
#include "model/store/base/arena.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { FOUND_DEPTH = 8, FOUND_ENTRIES = 50000, FOUND_MS = 500, FOUND_MOST = 100 };

struct found {
	const char *path;  /* to open it: full when it was opened before, else from the folder on */
	int64_t bytes;     /* of a run folder: of all its files */
	int64_t changed_s; /* seconds since 1970; of a run folder: its latest file */
	bool opened;       /* before; those come first, the latest of them at the top, then the others by `changed_s` */
};
struct found_list {
	struct found *at;
	size_t n;
	bool cut; /* the search stopped before its end, or there are more */
	struct arena mem;
};
/* Below `folder`; its paths begin with `folder` unless that is ".". */
void found_traces(struct found_list *l, const char *folder);
void found_free(struct found_list *l);

/* "3 days": how long ago that was, in a few columns. */
const char *found_age(int64_t changed_s, int64_t now_s, char *buf, size_t size);
/* One line of text for each, under two headings. */
void found_print(const struct found_list *l, FILE *f);
#endif
