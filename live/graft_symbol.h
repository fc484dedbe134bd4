/* live/graft_symbol.h - where a function lies in another process: its mapped files and their symbol tables. */
#ifndef STEPSCOPE_LIVE_GRAFT_SYMBOL_H
#define STEPSCOPE_LIVE_GRAFT_SYMBOL_H
#include <stdbool.h>
#include <stdint.h>

/* Address of the dynamic symbol `name` in process pid, looked for in the first mapped file whose name begins with `file`
 * (libc.so.6). 0: no such file or symbol. */
uint64_t symbol_in_process(int pid, const char *file, const char *name);
#endif
