/* importers/paths.h - which files a user means by a path.
 * A file or "-" means itself. A directory means, in this order: its *.xplane.pb (the
 * files of a run, importer.h); the newest run below it; all files in it
 * that look like traces of one kind. */
#ifndef STEPSCOPE_PATHS_H
#define STEPSCOPE_PATHS_H
#include <stdbool.h>
#include <stddef.h>
#include "model/store/base/err.h"

struct path_list {
	char **path;
	bool *by_name; /* the user named this very file: it must be readable */
	size_t n;
};
/* Appends, sorted by name, numbers by their value: rank2 before rank10. */
bool paths_expand(struct path_list *l, const char *path, struct err *e);
void paths_free(struct path_list *l);
char *path_join(const char *dir, const char *name); /* "DIR/NAME", to be freed */
#endif
