/* model/store/saved/save.h - a sealed trace as one file, and back.
 * Layout:  header {magic "STEPSCPE", major, minor, table offset, sections, checksum of the table}, sections, section table.
 *          A section: {name, required flag, codec, element size, offset, stored bytes, plain bytes, count, checksum}.
 *          Attributes lie in blocks of 64 KiB, each packed as facts/attrs_packed.h says (before 2.5: a zstd frame), one after
 *          the other in the section attr_blocks; attr_sizes has their packed sizes, attr_hashes (from 2.4 on) a checksum of each
 *          as it is packed, attr_total the bytes of all of them unpacked: all blocks but the last are full. attr_coder (from 2.5
 *          on) says which coder packed them: older programs refuse the file rather than lose its attributes.
 *          Between the last section and the table there may be zeros: see Bound.
 *          Stored small: rows as differences to the one before or to the last one of their kind, structures field by field,
 *          a launch's link and a kernel's correlation not at all (they follow from the kernels' links): 10 bytes per event
 *          with all attributes on a PyTorch trace.
 * Reading: unknown sections that are not required are passed over; unknown required ones, another major version, a bad
 *          checksum, or an id out of bounds refuse the file with a reason and an offset. Nothing in it is trusted.
 *          Kernels, flows, correlations and attribute numbers are read and checked against their checksums at once, but
 *          unpacked and looked through when asked for (lazy_sections.h).
 *          Attribute blocks stay in the file. Each is read, compared with its checksum and unpacked when asked for. One that
 *          is damaged, or gone because the file shrank, is noted (NOTE_ATTRS_DAMAGED) and its attributes are unknown. A file
 *          from before 2.4 has one checksum for all blocks, which is compared when the file is opened.
 * Bound:   what a file unpacks to is compared with its size before memory is taken (SAVE_ANY_... below), so that a small file
 *          cannot take all memory. The writer pads a trace that packs even better with zeros, so that every saved file opens again.
 * Writing: as a whole or not at all, see output.h. */
#ifndef STEPSCOPE_SAVE_H
#define STEPSCOPE_SAVE_H
#include "model/store/base/err.h"
#include "model/store/base/progress.h"
#include "model/store/files/output.h"
#include "model/store/trace/trace.h"

enum { SAVE_MAJOR = 2, SAVE_MINOR = 5 };

/* A file may hold SAVE_ANY_EVENTS, and SAVE_EVENTS_PER_BYTE more for each byte it has: real traces take 3 to 30 bytes per
 * event. Everything besides the rows of events may unpack to SAVE_ANY_BYTES, and SAVE_TIMES_STORED bytes more for each byte
 * of the file and SAVE_BYTES_PER_EVENT for each event. */
enum {
	SAVE_ANY_EVENTS = 10 << 20,
	SAVE_EVENTS_PER_BYTE = 8,
	SAVE_ANY_BYTES = 32 << 20,
	SAVE_TIMES_STORED = 64,
	SAVE_BYTES_PER_EVENT = 64
};

/* flags: see output.h, which also says what becomes of targets that are no regular files; OUTPUT_BINARY is understood. */
bool trace_save(const struct trace *t, const char *path, unsigned flags, struct err *e);
/* The same, given up between two sections when *stop becomes true (NULL: never). */
bool trace_save_until(const struct trace *t, const char *path, unsigned flags, const _Atomic bool *stop, struct err *e);
/* For what cannot be recorded a second time: where `path` cannot be written, it is saved as stepscope-recording-PID.stepscope
 * in the current folder, $TMPDIR, /var/tmp or /tmp, and e tells both. True only when it is at `path`. */
bool trace_save_recorded(const struct trace *t, const char *path, unsigned flags, struct err *e);
bool trace_is_saved(const unsigned char *head, size_t n); /* the magic stands at the head */
/* On up to two threads; the trace is the same whatever their number. */
struct trace *trace_load(const char *path, unsigned threads, struct progress *p, struct err *e);
/* For a file that can be made again: when a part of it turns out damaged, `path` is removed as the trace is freed. */
void trace_drop_if_damaged(struct trace *t, const char *path);
#endif
