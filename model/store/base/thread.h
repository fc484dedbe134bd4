/* model/store/base/thread.h - every thread of the program starts here: its stack is large enough for whatever runs on it, whatever
 * limit the shell has set for stacks (ulimit -s), which would else be its size. */
#ifndef STEPSCOPE_THREAD_H
#define STEPSCOPE_THREAD_H
#include <pthread.h>
#include <stdbool.h>

/* False: there is no thread, and *thread is not to be joined. */
bool thread_start(pthread_t *thread, void *(*run)(void *ctx), void *ctx);
#endif
