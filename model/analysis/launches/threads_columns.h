/* model/analysis/launches/threads_columns.h - the columns of the table threads. */
#ifndef STEPSCOPE_THREADS_COLUMNS_H
#define STEPSCOPE_THREADS_COLUMNS_H
#include "model/shared_columns.h"

/* clang-format off */
#define THREADS_COLUMNS(_) \
	_(COL_THREADS_THREAD,    SHARED_THREAD) \
	_(COL_THREADS_DEVICE,    SHARED_DEVICE) \
	_(COL_THREADS_LAUNCHES,  SHARED_LAUNCHES) \
	_(COL_THREADS_FIRST_NS,  "first_launch_ns", INT,  NS,      "from the start of a step to the thread's first launch for the device: median over the steps in which it has one") \
	_(COL_THREADS_SKEW_NS,   "skew_ns",         INT,  NS,      "how much later the device's first launch of a step comes than that of the step's first device: median over the same steps; null where one device works") \
	_(COL_THREADS_ROLE,      "thread_role",     TEXT, NONE,    "what its name, its launches or its events tell: launch, input, autograd, NCCL (watchdog, heartbeat, proxy), collectives, profiler, lane (no thread), other") \
	_(COL_THREADS_QUIET_NS,  "quiet_ns",        INT,  NS,      "time between the device's first and last work in which it is idle and no thread that launches for it records anything but Python frames and step markers: waiting, off its core, or in work that is not recorded") \
	_(COL_THREADS_INPUT_NS,  "input_beside_ns", INT,  NS,      "part of quiet_ns in which threads of the host that launch nothing prepare input; on the row of such a thread: how long it does so while a device of the host is quiet; null: none is recorded") \
	_(COL_THREADS_OFF_CPU_NS, "off_cpu_ns",     INT,  NS,      "part of quiet_ns in which the thread is on no CPU; null: the trace does not record when it is on one") \
	_(COL_THREADS_CPUS,      "cpus",            INT,  COUNT,   "different CPUs on which it runs inside the window; null: not recorded") \
	_(COL_THREADS_IS_THREAD, SHARED_IS_THREAD) \
	_(COL_THREADS_RANK,      SHARED_RANK) \
	_(COL_THREADS_HOST,      SHARED_HOST)
/* clang-format on */
enum threads_column { THREADS_COLUMNS(COLUMN_ID) };
#endif
