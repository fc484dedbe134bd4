/* model/analysis/names/thread_names.h - what a host thread's name says about its work. Pure, any thread. */
#ifndef STEPSCOPE_THREAD_NAMES_H
#define STEPSCOPE_THREAD_NAMES_H
#include <stdbool.h>

/* A word that lives forever, "autograd"; NULL: the name tells nothing. */
const char *thread_name_role(const char *name);
/* Whether a lane of that name holds the times of its thread on CPUs, each named by its CPU. */
bool lane_name_on_cpu(const char *name);
#endif
