/* model/analysis/names/launch_names.h - what the name of a call says about what it launches. */
#ifndef STEPSCOPE_LAUNCH_NAMES_H
#define STEPSCOPE_LAUNCH_NAMES_H
#include <stdbool.h>

/* A call that starts a whole graph of kernels. */
bool launch_is_graph(const char *call);
#endif
