/* model/analysis/traffic/collective_sizes_columns.h - the columns of the table collective_sizes: one row per step, device and size class. */
#ifndef STEPSCOPE_COLLECTIVE_SIZES_COLUMNS_H
#define STEPSCOPE_COLLECTIVE_SIZES_COLUMNS_H
#include "model/analysis/comms/comms_columns.h"

/* clang-format off */
#define COLLECTIVE_SIZES_COLUMNS(_) \
	_(COL_COLLECTIVE_SIZES_STEP,    SHARED_STEP) \
	_(COL_COLLECTIVE_SIZES_RANK,    SHARED_RANK) \
	_(COL_COLLECTIVE_SIZES_DEVICE,  SHARED_DEVICE) \
	_(COL_COLLECTIVE_SIZES_SIZE,    "message_size",      TEXT, NONE,    "size class of one message: below 1 KiB, then classes four times as wide each, as those of copies; null: its bytes are not recorded") \
	_(COL_COLLECTIVE_SIZES_CALLS,   "sized_calls",       INT,  COUNT,   "collectives whose message is of that size and that start inside the window") \
	_(COL_COLLECTIVE_SIZES_BYTES,   "sized_bytes",       INT,  BYTES,   "bytes of their messages; null: not recorded") \
	_(COL_COLLECTIVE_SIZES_NS,      "sized_ns",          INT,  NS,      "time of those calls, waiting included, summed") \
	_(COL_COLLECTIVE_SIZES_EXPOSED, COMMS_EXPOSED) \
	_(COL_COLLECTIVE_SIZES_HOST, SHARED_HOST)
/* clang-format on */
enum { COLLECTIVE_SIZES_COLUMNS(COLUMN_ID) };
#endif
