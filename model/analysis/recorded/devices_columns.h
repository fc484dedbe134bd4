/* model/analysis/recorded/devices_columns.h - the columns of the table devices. */
#ifndef STEPSCOPE_DEVICES_COLUMNS_H
#define STEPSCOPE_DEVICES_COLUMNS_H
#include "model/columns.h"

/* clang-format off */
#define DEVICES_COLUMNS(_) \
	_(COL_DEVICES_HOST,      COLUMN_HOST, TEXT, NONE,    "host the device belongs to") \
	_(COL_DEVICES_RANK,      COLUMN_RANK, INT,  ID,      "rank of the distributed job") \
	_(COL_DEVICES_DEVICE,    COLUMN_DEVICE, INT,  ID,      "GPU number as the producer counts") \
	_(COL_DEVICES_NAME,      COLUMN_NAME, TEXT, NONE,    "model of the device") \
	_(COL_DEVICES_KERNELS,   "kernels",   INT,  COUNT,   "kernels that start inside the window") \
	_(COL_DEVICES_KERNEL_NS, "kernel_ns", INT,  NS,      "sum of kernel durations; overlapping kernels count twice") \
	_(COL_DEVICES_BUSY_NS,   "busy_ns",   INT,  NS,      "time with at least one kernel, copy or memset on any stream (union)") \
	_(COL_DEVICES_IDLE_NS,   "idle_ns",   INT,  NS,      "span_ns - busy_ns") \
	_(COL_DEVICES_SPAN_NS,   "span_ns",   INT,  NS,      "first start to last end of device work, inside the window") \
	_(COL_DEVICES_BUSY_PCT,  "busy_pct",  REAL, PERCENT, "busy_ns / span_ns") \
	_(COL_DEVICES_COPIES,    "copies",    INT,  COUNT,   "copies that start inside the window") \
	_(COL_DEVICES_MEMSETS,   "memsets",   INT,  COUNT,   "memsets that start inside the window") \
	_(COL_DEVICES_STREAMS,   "streams",   INT,  COUNT,   "streams that carry work")
/* clang-format on */
enum devices_column { DEVICES_COLUMNS(COLUMN_ID) };
#endif
