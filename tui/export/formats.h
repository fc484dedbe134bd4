/* tui/export/formats.h - the writers behind export.h. Errors of the stream are the caller's to find. */
#ifndef STEPSCOPE_EXPORT_FORMATS_H
#define STEPSCOPE_EXPORT_FORMATS_H
#include "export.h"
#include <stdio.h>

/* Chrome's format, as Perfetto, chrome://tracing and stepscope open it. False with `e` when it was cancelled. */
bool export_chrome(const struct export_req *r, FILE *out, struct err *e);
/* The recording itself, where that is an XSpace: whole, or the events of a slice. False with `e` too where it is none. */
bool export_xplane(const struct export_req *r, FILE *out, struct err *e);
/* One line for each stack: "thread;outer;inner NANOSECONDS", of its own time in the window. */
bool export_folded(const struct export_req *r, FILE *out, struct err *e);
/* A database of SQLite: README.md. */
bool export_sqlite(const struct export_req *r, FILE *out, struct err *e);
/* Every table as a file of the folder, which is made where it is not there. */
bool export_folder(const struct export_req *r, const char *path, unsigned flags, struct err *e);
/* A stream whose bytes go to `to` packed by gzip; fclose it to complete them. NULL: no memory. */
FILE *gzip_stream(FILE *to);
#endif
