/* live/inject/base/process.h - facts about this process, its threads and its clocks, from /proc and the environment. */
#ifndef STEPSCOPE_INJECT_PROCESS_H
#define STEPSCOPE_INJECT_PROCESS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

uint64_t process_start_ticks(void);                       /* field 22 of /proc/self/stat, 0 = unknown */
void process_command(char *out, size_t size);             /* command line, words separated by blanks, cut to fit */
void process_host(char *out, size_t size);                /* name of the machine */
int32_t process_rank(void);                               /* -1 = unknown */
int32_t process_local_rank(void);                         /* -1 = unknown */
size_t thread_name(uint32_t tid, char *out, size_t size); /* of a thread of ours; its length, 0 = gone */

/* A reading of the clock, in ns. */
uint64_t clock_ns(clockid_t clock);
#endif
