/* model/analysis/launches/threads_columns.h - the columns of the table threads. */
#ifndef STEPSCOPE_THREADS_COLUMNS_H
#define STEPSCOPE_THREADS_COLUMNS_H
#include "model/shared_columns.h"

/* clang-format off */
#define THREADS_COLUMNS(_) \
	_(COL_THREADS_THREAD,    SHARED_THREAD) \
	_(COL_THREADS_DEVICE,    SHARED_DEVICE) \
	_(COL_THREADS_LAUNCHES,  SHARED_LAUNCHES) \
	_(COL_THREADS_FIRST_NS,  "first_launch_ns", INT,  NS,      "from the begin of a step to the thread's first launch for the device: median over the steps in which it has one") \
	_(COL_THREADS_SKEW_NS,   "skew_ns",         INT,  NS,      "how much later the device's first launch of a step comes than that of the step's first device: median over the same steps; null where one device works") \
	_(COL_THREADS_IS_THREAD, SHARED_IS_THREAD) \
	_(COL_THREADS_RANK,      SHARED_RANK) \
	_(COL_THREADS_HOST,      SHARED_HOST)
/* clang-format on */
enum threads_column { THREADS_COLUMNS(COLUMN_ID) };
#endif
