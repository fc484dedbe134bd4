/* model/analysis/names/launch_names.h - what the name of a call says about what it launches. */
#ifndef STEPSCOPE_LAUNCH_NAMES_H
#define STEPSCOPE_LAUNCH_NAMES_H
#include <stdbool.h>

/* A call that starts a whole graph of kernels. */
bool launch_is_graph(const char *call);
/* What a call of the runtime or the driver puts on a stream. */
enum launch_sort { LAUNCHES_NOTHING, LAUNCHES_KERNEL, LAUNCHES_COPY, LAUNCHES_SET };
enum launch_sort launch_starts(const char *call);
/* A call where a capture of a stream begins or ends, or its graph is made. */
bool launch_divides_captures(const char *call);
#endif
