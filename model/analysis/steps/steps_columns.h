/* model/analysis/steps/steps_columns.h - the columns of the table steps. */
#ifndef STEPSCOPE_STEPS_COLUMNS_H
#define STEPSCOPE_STEPS_COLUMNS_H
#include "model/columns.h"

/* clang-format off */
#define STEPS_COLUMNS(_) \
	_(COL_STEPS_STEP,           "step",                TEXT, NONE,    "the producer's step number, with name or rank where numbers repeat") \
	_(COL_STEPS_NAME,           COLUMN_NAME, TEXT, NONE,    "name of the marker") \
	_(COL_STEPS_SOURCE,         "source",              TEXT, NONE,    "marker: an event of the trace; group: the file's own grouping; inferred: by stepscope") \
	_(COL_STEPS_RANK,           COLUMN_RANK, INT,  ID,      "rank of the distributed job") \
	_(COL_STEPS_DEVICE,         COLUMN_DEVICE, INT,  ID,      "GPU number; empty for a step without device work, and as XProf counts, which pools the devices of a host") \
	_(COL_STEPS_START_NS,       "start_ns",            INT,  NS,      "begin of the step time") \
	_(COL_STEPS_DUR_NS,         "dur_ns",              INT,  NS,      "step time: the marker, or for TensorFlow-style traces first to last device work of the step unless the marker contains it") \
	_(COL_STEPS_COMPUTE_NS,     "device_compute_ns",   INT,  NS,      "kernels and memsets. Each moment counts once, for the most important activity: compute > copy to host > copy between devices > input wait > collective > launch > copy to device > compilation > host") \
	_(COL_STEPS_D2D_NS,         "device_to_device_ns", INT,  NS,      "copies inside or between devices") \
	_(COL_STEPS_COLLECTIVES_NS, "collectives_ns",      INT,  NS,      "collective communication on the device") \
	_(COL_STEPS_HOST_NS,        "host_compute_ns",     INT,  NS,      "other work of the marker's thread and of the threads that launch the step's work; Python frames do not count") \
	_(COL_STEPS_LAUNCH_NS,      "kernel_launch_ns",    INT,  NS,      "calls that launch device work, while nothing more important runs") \
	_(COL_STEPS_INPUT_NS,       "input_ns",            INT,  NS,      "waiting for the input pipeline, and copies to the device") \
	_(COL_STEPS_OUTPUT_NS,      "output_ns",           INT,  NS,      "copies to the host") \
	_(COL_STEPS_COMPILE_NS,     "compilation_ns",      INT,  NS,      "compilation on the host, by the event's name") \
	_(COL_STEPS_OTHER_NS,       "other_ns",            INT,  NS,      "nothing of the above: idle time included") \
	_(COL_STEPS_HOST,           COLUMN_HOST, TEXT, NONE,    "host of the step") \
	_(COL_STEPS_WORK,           "work",                INT,  COUNT,   "kernels, copies and memsets of the step on the device") \
	_(COL_STEPS_PHASE,          "phase",               TEXT, NONE,    "warmup: slow or compiling, before the first other step; outlier: further from the median than five deviations (median distance * 1.4826) and a tenth of it; steady; empty: fewer than four steps") \
	_(COL_STEPS_IDLE_PCT,       "idle_pct",            REAL, PERCENT, "share of the step time in which the device does nothing at all: no kernel, copy or memset on any stream. Table idle says what it waits for") \
	_(COL_STEPS_CUT,            COLUMN_CUT, BOOL, NONE,    "the window cuts the step: its times are the part inside") \
	_(COL_STEPS_COUNTED,        COLUMN_COUNTED, BOOL, NONE,    "part of means and shares: steady steps are, where there are any in the window, else all")
/* clang-format on */
enum steps_column { STEPS_COLUMNS(COLUMN_ID) };
#endif
