/* tui/text/salted.h - a hash of a text that nobody can guess back: keyed by random bytes that are drawn once for each run and never
 * shown (SipHash-2-4). Equal texts have equal hashes within a run. Threads: any. */
#ifndef STEPSCOPE_SALTED_H
#define STEPSCOPE_SALTED_H
#include <stdint.h>

/* Of the bytes up to the NUL. */
uint64_t salted_hash(const char *text);
#endif
