/* model/analysis/steps/steps_columns.h - the columns of the table steps. */
#ifndef STEPSCOPE_STEPS_COLUMNS_H
#define STEPSCOPE_STEPS_COLUMNS_H
#include "model/shared_columns.h"

/* clang-format off */
#define STEPS_COLUMNS(_) \
	_(COL_STEPS_STEP,           SHARED_STEP) \
	_(COL_STEPS_NAME,           COLUMN_NAME,           TEXT, NONE,    "name of the marker") \
	_(COL_STEPS_SOURCE,         "step_source",         TEXT, NONE,    "marker: an event of the trace; group: the file's own grouping; inferred: by stepscope") \
	_(COL_STEPS_RANK,           SHARED_RANK) \
	_(COL_STEPS_DEVICE,         SHARED_DEVICE) \
	_(COL_STEPS_START_NS,       "start_ns",            INT,  NS,      "start of the step time") \
	_(COL_STEPS_DUR_NS,         "dur_ns",              INT,  NS,      "step time: from the marker's start to the later of its end and the end of the step's last member, but not beyond the next marker of that name; inferred steps: start to start; groups without a marker: first to last device work") \
	_(COL_STEPS_COMPUTE_NS,     "device_compute_ns",   INT,  NS,      "kernels and memsets. Each moment counts once, for the most important activity: compute > copy to host > copy between devices > input wait > collective > launch > copy to device > compilation > host") \
	_(COL_STEPS_D2D_NS,         "device_to_device_ns", INT,  NS,      "copies inside or between devices") \
	_(COL_STEPS_COLLECTIVES_NS, "collectives_ns",      INT,  NS,      "collectives that nothing hides, on the device or on the host (gloo, MPI): with no compute, no copy from or on the device and no wait for input at the same time") \
	_(COL_STEPS_HOST_NS,        "host_compute_ns",     INT,  NS,      "other work of the marker's thread and of the threads that launch the step's work, as a part of the step; Python frames do not count. The cause of idle time called 'host compute' is another figure") \
	_(COL_STEPS_LAUNCH_NS,      "kernel_launch_ns",    INT,  NS,      "calls that launch device work, while nothing more important runs") \
	_(COL_STEPS_INPUT_NS,       "input_ns",            INT,  NS,      "waiting for the input pipeline, and copies to the device (of input or not)") \
	_(COL_STEPS_INPUT_COPY_NS,  "input_copy_ns",       INT,  NS,      "the part of input_ns that is copies to the device; the rest is waiting for the input pipeline") \
	_(COL_STEPS_OUTPUT_NS,      "output_ns",           INT,  NS,      "copies to the host") \
	_(COL_STEPS_COMPILE_NS,     "compilation_ns",      INT,  NS,      "compilation on the host, by the event's name") \
	_(COL_STEPS_OTHER_NS,       "other_ns",            INT,  NS,      "none of the above, idle time included") \
	_(COL_STEPS_HOST,           SHARED_HOST) \
	_(COL_STEPS_WORK,           SHARED_WORK) \
	_(COL_STEPS_PHASE,          SHARED_PHASE) \
	_(COL_STEPS_IDLE_PCT,       SHARED_IDLE_PCT) \
	_(COL_STEPS_CUT,            SHARED_CUT) \
	_(COL_STEPS_COUNTED,        SHARED_COUNTED)
/* clang-format on */
enum steps_column { STEPS_COLUMNS(COLUMN_ID) };
#endif
