/* model/store/files/output_private.h - between the files of output.h: where an output goes, and what temporaries are called. */
#ifndef STEPSCOPE_OUTPUT_PRIVATE_H
#define STEPSCOPE_OUTPUT_PRIVATE_H
#include "output.h"
#include <limits.h>
#include <sys/stat.h>

enum target_kind {
	TARGET_FILE,   /* a regular file, or nothing yet */
	TARGET_FD,     /* a descriptor of this process */
	TARGET_STREAM, /* a FIFO or device, to be opened */
	TARGET_SOCKET, /* to be connected to */
};
struct target {
	enum target_kind kind;
	char path[PATH_MAX]; /* no link at its end */
	const char *name;    /* in path: its last part */
	int fd;              /* TARGET_FD: borrowed */
	bool there;          /* TARGET_FILE: something stands there, as st tells */
	struct stat st;
};
/* Follows links and judges what stands at `path`. False with e when it cannot be written to, or only with OUTPUT_FORCE. */
bool target_find(struct target *t, const char *path, unsigned flags, struct err *e);
/* The folder of a TARGET_FILE, for openat and its like; -1 with errno. */
int target_folder(const struct target *t);
/* Opens what is written through; -1 with errno. */
int target_connect(const struct target *t, unsigned flags);

enum { TEMPORARY_NAME = 64 };
/* Makes a file in a folder and opens it for reading and writing: without a name (name is ""), or under a temporary's name.
 * -1 with errno. */
int temporary_open(int folder, char name[TEMPORARY_NAME]);
/* Gives a file without a name one that marks it as a temporary. */
bool temporary_name(int folder, int fd, char name[TEMPORARY_NAME]);
/* Gives a file without a name this one, at which nothing may stand (else EEXIST). */
bool temporary_link(int folder, int fd, const char *name);
/* While it is watched, output_give_up removes the file that `name` says at that moment, if any. Both must outlive the watch. */
void temporary_watch(int folder, const char *name);
void temporary_unwatch(const char *name);
/* Removes temporaries of this user's processes that are gone. */
void temporary_sweep(int folder);

/* "cannot write PATH: WHY"; always false. */
bool output_refuse(struct err *e, const char *path, const char *why);
#endif
