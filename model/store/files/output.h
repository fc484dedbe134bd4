/* model/store/files/output.h - the one way to write a file that was asked for: saved traces, reports, tables, cache entries.
 * Life:      output_check before the work -> output_open -> write to output_stream -> output_close, which completes it, or
 *            output_drop, as if nothing had been written.
 * Target:    a link is followed: the file it points to is replaced or made, the link stays. What stands there decides:
 *              nothing, a regular file    written without a name, synced, then put in its place in one step. Its mode is that
 *                                         of the file it replaces, or what umask leaves of 0666
 *              FIFO, socket, terminal or other character device, "-", /dev/stdout, /dev/fd/N
 *                                         written through, never replaced; there is nothing to overwrite
 *              block device               written through, but only with OUTPUT_FORCE: it holds data
 *              folder                     refused
 *            In a folder like /tmp neither links nor FIFOs nor sockets of other users are trusted.
 * Overwrite: nothing is replaced without OUTPUT_FORCE. A file that appears after output_open (OUTPUT_CHECKED: after output_check),
 *            and a target that cannot be renamed over, stay as they are: the output is put beside them under a free name,
 *            which e tells.
 * Leftovers: where the file system knows no files without a name (O_TMPFILE), the temporary is .stepscope-MACHINE-PID-N beside
 *            the target; those of processes that are gone are removed when something is next written into their folder.
 * Errors:    all are err_unwritten: exit code 5.
 * Threads:   an output belongs to one thread; any number of outputs at a time. */
#ifndef STEPSCOPE_OUTPUT_H
#define STEPSCOPE_OUTPUT_H
#include "model/store/base/err.h"
#include <stddef.h>
#include <stdio.h>

struct output;

enum output_flags {
	OUTPUT_FORCE = 1,      /* replace an existing file */
	OUTPUT_BINARY = 2,     /* not for terminals; its writer may seek, so a stream gets it when it is complete */
	OUTPUT_ON_SCREEN = 4,  /* the caller draws on the terminal: none is written to, no FIFO is waited for */
	OUTPUT_EXPENDABLE = 8, /* can be made again: not synced */
	OUTPUT_CHECKED =
		16, /* output_check has agreed before the work: what stands there by now has appeared meanwhile */
};
enum output_end {
	OUTPUT_DONE,   /* as asked */
	OUTPUT_BESIDE, /* complete, but under another name, which e tells */
	OUTPUT_LOST,   /* nothing is left; e says why */
};

/* Could `path` be written? Tries to make a file in its folder, leaves nothing there, opens no FIFO or device. */
bool output_check(const char *path, unsigned flags, struct err *e);
/* NULL with e when not. With FIFOs it waits for a reader, unless OUTPUT_ON_SCREEN. */
struct output *output_open(const char *path, unsigned flags, struct err *e);
/* Where to write; belongs to the output. Errors may be left to output_close. */
FILE *output_stream(struct output *o);
/* Completes and frees `o`. Anything but OUTPUT_DONE fills e. */
enum output_end output_close(struct output *o, struct err *e);
void output_drop(struct output *o); /* NULL is fine */
/* Has all that was written to a stream left the program? If not, errno says why, 0: nothing tells. */
bool output_is_written(FILE *f);
/* For a signal that ends the program: what is not complete leaves nothing behind. Calls unlinkat and kill and nothing else. */
void output_give_up(void);
/* What it does away with, too, until `folder` is forgotten: another program that writes the file `path` of a folder of ours (0: it has
 * ended), the file, and the folder. Both must outlive the watch. */
void output_watch_folder(const char *folder, const char *path);
void output_watch_writer(const char *folder, int pid);
void output_forget_folder(const char *folder);
/* The first name at which nothing stands: `path` itself, or NAME-2.ending, NAME-3.ending ... False when buf is too small. */
bool output_free_name(const char *path, char *buf, size_t size);
/* A file that others read while it grows: made under its own name `folder`/`name`, mode 0600, open for appending, never over
 * anything. -1 with errno when it cannot be. buf gets the path. */
int output_grow(const char *folder, const char *name, char *buf, size_t size);
#endif
