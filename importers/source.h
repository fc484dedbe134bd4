/* importers/source.h - a stream of bytes from a file, stdin, or memory, unpacked on the way (gzip incl. several members,
 * zstd incl. several frames), found by magic bytes, never by suffix.
 * Memory:  two windows of 1 MiB, carried over in turns by source_need, and three more where packed files are unpacked ahead;
 *          nothing ever holds the whole unpacked file.
 * Files:   are read, never mapped or leased: writers never wait for us, even while we are stopped, and buffered bytes cannot
 *          change or vanish. A file that becomes shorter meanwhile simply ends.
 * Offsets: always of the unpacked stream.
 * Damage:  a compressed stream that ends early or is corrupt behaves like the end of the file; source_damage tells.
 * Threads: one thread per source. With source_set_threads a thread of its own unpacks the next windows meanwhile; what is told of
 *          the stream (its end, damage, errors) is of what source_need gave so far. */
#ifndef STEPSCOPE_SOURCE_H
#define STEPSCOPE_SOURCE_H
#include "model/store/base/err.h"
#include "model/store/base/progress.h"
#include <stddef.h>

struct source;
struct source *source_open(const char *path, struct progress *p, struct err *e); /* "-" = stdin */
struct source *source_memory(const void *bytes, size_t n, const char *name);     /* borrowed; unpacks like a file */
/* Bytes that `read` gives: up to room of them, 0 at the end; it may say what is wrong with them. ctx is borrowed. */
struct source *source_stream(size_t (*read)(void *ctx, void *to, size_t room, const char **damage), void *ctx,
			     const char *name, struct progress *p);
void source_close(struct source *s);
/* The stream ends, as damaged, where it would give more than so many bytes. Before the first source_need. */
void source_bound(struct source *s, int64_t most_bytes);
/* Tests: tiny windows cross every boundary. Before the first source_need. */
void source_set_window(struct source *s, size_t bytes);
size_t source_window(const struct source *s);
int64_t source_file_bytes(const struct source *s); /* of the file as it is stored, when it was opened; 0: it is none */

/* How many threads importers may use, and the source. 1 unless set. */
void source_set_threads(struct source *s, unsigned n);
unsigned source_threads(const struct source *s);
/* Unpacks ahead from now on, before anything is asked for: for a file that is read next. False: it is not packed, may keep who reads it
 * waiting, or has no thread of its own. Before the first source_need. */
bool source_begin(struct source *s);

/* The bytes at hand: pointer to the current position and how many follow it. Valid until the next source_ call; the bytes
 * themselves stay where they are while source_need is called once more: another thread may still be reading them.
 * source_need tries to have at least `want` bytes (it grows the window if it must); fewer only at the end. */
enum { SOURCE_PAD = 64 }; /* readable zero bytes after the bytes at hand: vector loads and sentinels need no bound */
const unsigned char *source_need(struct source *s, size_t want, size_t *have);
void source_skip(struct source *s, size_t n); /* n <= have */
int64_t source_at(const struct source *s);    /* offset of the current position in the unpacked stream */
/* A plain file named by its path: offsets of the stream are its own, and it can be read anywhere (pread). Else -1. */
int source_file(const struct source *s);
/* Goes on at that offset of a plain file (source_file), whose bytes up to there were read otherwise: nothing is at hand. */
void source_go_on_at(struct source *s, int64_t at);
/* Where the bytes of a plain file ended although it was longer when it was opened; -1: they did not, or not yet. */
int64_t source_cut_at(const struct source *s);
/* Since it was opened the file was written to or cut, as its size and time of change tell. Pipes and memory: never. */
bool source_changed(const struct source *s);
int64_t source_bytes_now(const struct source *s); /* how large the plain file is at this moment; -1: unknown */
bool source_ended(struct source *s);              /* true when no byte follows */
const char *source_name(const struct source *s);
/* NULL when sound; otherwise why the packed stream could not be unpacked to its end ("gzip: unexpected end"). */
const char *source_damage(const struct source *s);
bool source_io_error(const struct source *s,
		     struct err *e); /* read(2) failed, or memory is out: fills e and returns true */
bool source_out_of_memory(const struct source *s);
#endif
