/* model/analysis/comms/hosts_columns.h - the columns of the table hosts. */
#ifndef STEPSCOPE_HOSTS_COLUMNS_H
#define STEPSCOPE_HOSTS_COLUMNS_H
#include "model/columns.h"
#include "model/shared_columns.h"

/* clang-format off */
#define HOSTS_COLUMNS(_) \
	_(COL_HOSTS_HOST,     SHARED_HOST) \
	_(COL_HOSTS_RANK,     SHARED_RANK) \
	_(COL_HOSTS_DEVICES,  "devices",          INT,  COUNT, "devices of the host with events in the trace") \
	_(COL_HOSTS_AXIS,     "axis",             TEXT, NONE,  "how the host's clock is placed on the common time axis: recorded times; collectives, which end on all ranks at once, where recorded times disagree with that; by hand: --shift; own axis: recorded times say nothing, and each rank begins at 0") \
	_(COL_HOSTS_PAIRS,    "axis_pairs",       INT,  COUNT, "collective calls with other hosts whose ends were compared; null or 0: nothing tests the clocks") \
	_(COL_HOSTS_RESIDUAL, "axis_residual_ns", INT,  NS,    "median distance between the end of its calls and the median end of the same calls on all hosts, on that axis") \
	_(COL_HOSTS_SHIFT,    "axis_shift_ns",    INT,  NS,    "what is subtracted from its recorded times, at its first such call; 0: nothing") \
	_(COL_HOSTS_DRIFT,    "axis_drift_ppm",   REAL, NONE,  "by how many millionths its clock runs faster than that of the first host; 0 unless there are enough calls to know") \
	_(COL_HOSTS_RUN,      "run",              INT,  ID,    "recordings that overlap in time are one run, numbered from 1 in order of time; means over several runs mix them, so open one at a time") \
	_(COL_HOSTS_REPEATS,  "repeats_host",     INT,  ID,    "row of this table, from 1 on, that holds the same recording: leave out one of the files; null: none")
/* clang-format on */
enum { HOSTS_COLUMNS(COLUMN_ID) };
#endif
