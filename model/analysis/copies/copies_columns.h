/* model/analysis/copies/copies_columns.h - the columns of the table copies. */
#ifndef STEPSCOPE_COPIES_COLUMNS_H
#define STEPSCOPE_COPIES_COLUMNS_H
#include "model/shared_columns.h"

/* clang-format off */
#define COPIES_COLUMNS(_) \
	_(COL_COPIES_DIRECTION,      "direction",        TEXT, NONE,    "direction: H2D, D2H, D2D, P2P (between devices), H2H") \
	_(COL_COPIES_FROM,      "src",              TEXT, NONE,    "where the bytes come from: host, or a device") \
	_(COL_COPIES_TO,        "dst",              TEXT, NONE,    "where they go") \
	_(COL_COPIES_COUNT,     SHARED_COPIES) \
	_(COL_COPIES_BYTES,     SHARED_COPY_BYTES) \
	_(COL_COPIES_TOTAL,     "total_ns",         INT,  NS,      "time inside the window (cut at its edges)") \
	_(COL_COPIES_RATE,      "bytes_per_s",      REAL, BYTES_PER_S, "copy_bytes / whole time of the copies whose size is known") \
	_(COL_COPIES_MEMORY,    "memory",           TEXT, NONE,    "the host's memory (pageable or pinned), and whether the call is async or sync") \
	_(COL_COPIES_OP,        "op",               TEXT, NONE,    "framework op the copy belongs to") \
	_(COL_COPIES_OP_BY,     "op_by",            TEXT, NONE,    "how the op is known: correlation (from the copy or the op around its launch) or neighbour (from ops launched around it)") \
	_(COL_COPIES_PER_STEP,  "copies_per_step",  REAL, COUNT,   "copies that belong to a step / steps of the device in the window") \
	_(COL_COPIES_EXPECTED,  "expected",         BOOL, NONE,    "whether it is input or output of the step: copies to the device before its first kernel, to the host from its last kernel on (if there are none: its first or last burst), no round trips; null for other directions and outside steps") \
	_(COL_COPIES_BLOCKING,   "blocking_ns",      INT,  NS,      "time of the copies in which no kernel ran on the device although the next one was launched, or was waiting for the copy to be launched; null where launches are not recorded") \
	_(COL_COPIES_SIZE,      "size",             TEXT, NONE,    "size class of one copy") \
	_(COL_COPIES_SHARE,     "copy_time_pct",    REAL, PERCENT, "share of the time of all copies in the table") \
	_(COL_COPIES_EXPOSED,   "exposed_ns",       INT,  NS,      "time of the copies in which no kernel ran on the device") \
	_(COL_COPIES_PLACES,    "places",           INT,  COUNT,   "places at which it recurs in nine steps of ten; the n-th copy of a row in its step is a place") \
	_(COL_COPIES_IN_STEPS,  "in_steps",         INT,  COUNT,   "steps that have such copies") \
	_(COL_COPIES_OF_STEPS,  "of_steps",         INT,  COUNT,   "steps of the device in the window") \
	_(COL_COPIES_PEAK,      "peak_bytes_per_s", REAL, BYTES_PER_S, "the fastest that the link can be: to the host, to other devices, or half the memory bandwidth, as a copy reads and writes; from the trace or the table of peaks") \
	_(COL_COPIES_PEAK_PCT,  "rate_pct",         REAL, PERCENT, "bytes_per_s as a share of it") \
	_(COL_COPIES_CALLER,    "caller",           TEXT, NONE,    "outermost op around the launch, where it is a different one") \
	_(COL_COPIES_CALLED_IN, "called_in",        TEXT, NONE,    "Python frame or annotation around the longest copy's launch") \
	_(COL_COPIES_AVG,       "avg_ns",           INT,  NS,      "mean whole duration of those whose bytes are known, rounded down") \
	_(COL_COPIES_MIN,       "min_ns",           INT,  NS,      "shortest of the counted ones") \
	_(COL_COPIES_MAX,       "max_ns",           INT,  NS,      "longest of the counted ones") \
	_(COL_COPIES_RANK,      SHARED_RANK) \
	_(COL_COPIES_DEVICE,    SHARED_DEVICE) \
	_(COL_COPIES_HOST, SHARED_HOST)
/* clang-format on */
enum copies_column { COPIES_COLUMNS(COLUMN_ID) };
#endif
