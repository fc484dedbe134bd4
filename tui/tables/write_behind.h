/* tui/tables/write_behind.h - bytes on their way to a FILE: a second thread writes what has been handed over, in that order, while the
 * caller gathers more. What a file takes up costs the kernel half of what a long table costs its writer.
 * Life:    write_behind_new -> write_behind_put... -> write_behind_free, after which all is with the FILE. Nobody else may write to it
 *          meanwhile. Errors are those of the FILE, for the caller to check then.
 * Memory:  1.5 MiB. Threads: one hands over. */
#ifndef STEPSCOPE_WRITE_BEHIND_H
#define STEPSCOPE_WRITE_BEHIND_H
#include <stddef.h>
#include <stdio.h>

struct write_behind;
struct write_behind *write_behind_new(FILE *out); /* NULL: there is no second thread */
void write_behind_put(struct write_behind *x, const void *at, size_t n);
void write_behind_free(struct write_behind *x); /* NULL is fine */
#endif
