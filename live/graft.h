/* live/graft.h - puts the library into a process that was started without it. Experimental, asked for by name, x86-64 only.
 * One thread of the process is stopped while it waits in a system call, made to call dlopen and stepscope_attach on its own
 * stack, and then goes on where it was. What can go wrong: a thread stopped inside the dynamic linker's or malloc's lock
 * would wait for ever, which is why only a thread that waits in a harmless call is taken, and nothing is tried otherwise.
 * Needs the right to trace the process: same user and kernel.yama.ptrace_scope 0, or CAP_SYS_PTRACE, and no debugger on it. */
#ifndef STEPSCOPE_LIVE_GRAFT_H
#define STEPSCOPE_LIVE_GRAFT_H
#include "../model/store/err.h"

/* library: absolute path as the process sees it. True once the library's own thread runs; its socket appears soon. */
bool graft_library(int pid, const char *library, struct err *e);
#endif
