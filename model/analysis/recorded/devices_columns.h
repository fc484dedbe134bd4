/* model/analysis/recorded/devices_columns.h - the columns of the table devices. */
#ifndef STEPSCOPE_DEVICES_COLUMNS_H
#define STEPSCOPE_DEVICES_COLUMNS_H
#include "model/shared_columns.h"

/* clang-format off */
#define DEVICES_COLUMNS(_) \
	_(COL_DEVICES_HOST,      SHARED_HOST) \
	_(COL_DEVICES_RANK,      SHARED_RANK) \
	_(COL_DEVICES_DEVICE,    SHARED_DEVICE) \
	_(COL_DEVICES_NAME,      COLUMN_NAME, TEXT, NONE,    "model of the device") \
	_(COL_DEVICES_KERNELS,   SHARED_KERNELS) \
	_(COL_DEVICES_KERNEL_NS, SHARED_KERNEL_NS) \
	_(COL_DEVICES_BUSY_NS,   SHARED_BUSY_NS) \
	_(COL_DEVICES_IDLE_NS,   SHARED_IDLE_NS) \
	_(COL_DEVICES_SPAN_NS,   "span_ns",   INT,  NS,      "first start to last end of device work, inside the window") \
	_(COL_DEVICES_BUSY_PCT,  "busy_pct",  REAL, PERCENT, "busy_ns / span_ns") \
	_(COL_DEVICES_COPIES,    SHARED_COPIES) \
	_(COL_DEVICES_MEMSETS,   SHARED_MEMSETS) \
	_(COL_DEVICES_STREAMS,   SHARED_STREAMS) \
	_(COL_DEVICES_RECORDING, "recording", INT,  ID,      "number of this recording of the device, which is open more than once; null: none is")
/* clang-format on */
enum devices_column { DEVICES_COLUMNS(COLUMN_ID) };
#endif
