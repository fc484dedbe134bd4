/* model/analysis/launches/launch_order_columns.h - the columns of the table launch_order: one row per device that is launched. */
#ifndef STEPSCOPE_LAUNCH_ORDER_COLUMNS_H
#define STEPSCOPE_LAUNCH_ORDER_COLUMNS_H
#include "model/shared_columns.h"

/* clang-format off */
#define LAUNCH_ORDER_COLUMNS(_) \
	_(COL_LAUNCH_ORDER_RANK,       SHARED_RANK) \
	_(COL_LAUNCH_ORDER_HOST,       SHARED_HOST) \
	_(COL_LAUNCH_ORDER_DEVICE,     SHARED_DEVICE) \
	_(COL_LAUNCH_ORDER_THREADS,    "launching_threads", INT, COUNT, "threads that launch for the device; TensorFlow's lanes tf_Compute/N are none") \
	_(COL_LAUNCH_ORDER_SHARED,     "threads_shared",   BOOL, NONE, "one of them launches for another device too") \
	_(COL_LAUNCH_ORDER_LAUNCHES,   "device_launches",  INT, COUNT, "launch calls for the device, including those of lanes that are not threads") \
	_(COL_LAUNCH_ORDER_STEPS,      "order_steps",      INT, COUNT, "whole steps, of those that carry means, in which two or more devices of the host are launched") \
	_(COL_LAUNCH_ORDER_FIRST,      "first_steps",      INT, COUNT, "of those, steps in which it alone is launched first") \
	_(COL_LAUNCH_ORDER_LATE,       "late_steps",       INT, COUNT, "of those, steps in which it is idle for 1 % of the step or more between the first launch for any device and its own") \
	_(COL_LAUNCH_ORDER_LATE_BY,    "behind_by_ns",     INT, NS,    "how much later than the first device it is launched in the late steps: median") \
	_(COL_LAUNCH_ORDER_BEHIND,     "behind_device",    INT, ID,    "the device that is first in the late steps, most often") \
	_(COL_LAUNCH_ORDER_IDLE,       "begin_idle_ns",    INT, NS,    "from the start of a step to the device's first work in it: median over order_steps") \
	_(COL_LAUNCH_ORDER_WAITING,    "unfed_ns",         INT, NS,    "time in which it is idle in the late steps from the first launch for any device to its own, summed") \
	_(COL_LAUNCH_ORDER_STEPS_NS,   "order_steps_ns",   INT, NS,    "time of order_steps, summed; without a marker from the first launch on") \
	_(COL_LAUNCH_ORDER_CAUSE,      "unfed_cause",      TEXT, NONE,  "of the device with the most unfed_ns: what it waits for in the step with most of it, where one cause makes half of that or more; null: none does, or it is another device")
/* clang-format on */
enum { LAUNCH_ORDER_COLUMNS(COLUMN_ID) };
#endif
