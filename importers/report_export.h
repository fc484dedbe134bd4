/* importers/report_export.h - a report of Nsight Systems (.nsys-rep), whose format is closed: the program `nsys` makes an SQLite export of it,
 * in a folder of its own in the cache, or among temporary files where there is no cache.
 * Safety: only an nsys in a folder that the PATH names from the root is started, with the report's full path, no input and no shell. */
#ifndef STEPSCOPE_REPORT_EXPORT_H
#define STEPSCOPE_REPORT_EXPORT_H
#include "model/store/base/err.h"
#include "model/store/base/progress.h"
#include <limits.h>
#include <stddef.h>

struct report_export {
	char folder[PATH_MAX], file[PATH_MAX]; /* the export, in the folder */
};
bool report_is(const unsigned char *head, size_t n); /* first bytes of one */
/* Waits for nsys and tells what it says of its progress; cancelling ends it. False: fills e, with the command to run by hand. */
bool report_export(struct report_export *x, const char *report, bool cache, struct progress *p, struct err *e);
void report_export_remove(struct report_export *x); /* the export and its folder */
#endif
