/* model/analysis/traffic/exchange_columns.h - the columns of the table all_to_all: one row per device. */
#ifndef STEPSCOPE_EXCHANGE_COLUMNS_H
#define STEPSCOPE_EXCHANGE_COLUMNS_H
#include "model/analysis/comms/comms_columns.h"

/* clang-format off */
#define EXCHANGE_COLUMNS(_) \
	_(COL_EXCHANGE_RANK,     SHARED_RANK) \
	_(COL_EXCHANGE_DEVICE,   SHARED_DEVICE) \
	_(COL_EXCHANGE_CALLS,    "exchanges",        INT,  COUNT, "all-to-alls whose bytes are recorded and that start inside the window") \
	_(COL_EXCHANGE_SENT,     "given_bytes",      INT,  BYTES, "bytes that the rank gives to all of the group, itself included") \
	_(COL_EXCHANGE_RECEIVED, "received_bytes",   INT,  BYTES, "bytes that it gets from all of the group, itself included") \
	_(COL_EXCHANGE_TO_ONE,   "given_to_one_pct", REAL, PERCENT, "share of given_bytes that goes to the rank that gets most of the call, by the recorded split sizes; null: none are recorded") \
	_(COL_EXCHANGE_TO_MEAN,  "received_to_mean", REAL, NONE,  "received_bytes / its mean over the devices; the largest one is the imbalance; null for one device alone") \
	_(COL_EXCHANGE_NS,       "exchanges_ns",     INT,  NS,    "time of those calls, summed") \
	_(COL_EXCHANGE_EXPOSED,  COMMS_EXPOSED) \
	_(COL_EXCHANGE_HOST, SHARED_HOST)
/* clang-format on */
enum { EXCHANGE_COLUMNS(COLUMN_ID) };
#endif
