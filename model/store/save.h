/* model/store/save.h - a sealed trace as one file, and back.
 * Layout:  header {magic "STEPSCPE", major, minor, table offset, sections, checksum of the table}, sections, section table.
 *          A section: {name, required flag, codec, element size, offset, stored bytes, plain bytes, count, checksum}.
 *          Stored small: rows as differences to the one before or to the last one of their kind, structures field by field,
 *          a launch's link and a kernel's correlation not at all (they follow from the kernels' links): 10 bytes per event
 *          with all attributes on a PyTorch trace.
 * Reading: unknown sections that are not required are passed over; unknown required ones, another major version, a bad
 *          checksum, or an id out of bounds refuse the file with a reason and an offset. Nothing in it is trusted.
 *          Kernels, flows, correlations and attribute numbers are read and checked against their checksums at once, but
 *          unpacked and looked through when asked for (late.h).
 *          Attribute blocks stay in the file and are read when asked for; a file that shrinks meanwhile gives "no
 *          attributes", never a crash.
 * Writing: to a temporary file beside the target, renamed when complete. */
#ifndef STEPSCOPE_SAVE_H
#define STEPSCOPE_SAVE_H
#include "err.h"
#include "progress.h"
#include "trace.h"

enum { SAVE_MAJOR = 2, SAVE_MINOR = 3 };

bool trace_save(const struct trace *t, const char *path, bool force, struct err *e);
/* The same, given up between two sections when *stop becomes true (NULL: never). */
bool trace_save_until(const struct trace *t, const char *path, bool force, const _Atomic bool *stop, struct err *e);
bool trace_is_saved(const unsigned char *head, size_t n); /* the magic stands at the head */
struct trace *trace_load(const char *path, struct progress *p, struct err *e);
/* The same on up to two threads; the trace is the same whatever their number. */
struct trace *trace_load_on(const char *path, unsigned threads, struct progress *p, struct err *e);
#endif
