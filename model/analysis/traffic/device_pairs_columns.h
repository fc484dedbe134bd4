/* model/analysis/traffic/device_pairs_columns.h - the columns of the table device_pairs: one row per pair of devices and way. */
#ifndef STEPSCOPE_DEVICE_PAIRS_COLUMNS_H
#define STEPSCOPE_DEVICE_PAIRS_COLUMNS_H
#include "model/shared_columns.h"

/* clang-format off */
#define DEVICE_PAIRS_COLUMNS(_) \
	_(COL_DEVICE_PAIRS_RANK,      SHARED_RANK) \
	_(COL_DEVICE_PAIRS_HOST,      SHARED_HOST) \
	_(COL_DEVICE_PAIRS_FROM,      "from_device",     INT,  ID,     "GPU that sends, as the producer counts") \
	_(COL_DEVICE_PAIRS_TO,        "to_device",       INT,  ID,     "GPU that receives; null: not recorded") \
	_(COL_DEVICE_PAIRS_PATH,      "path",            TEXT, NONE,   "peer: copies from device to device; device link: such copies, faster than the link to the host can be (NVLink, Infinity Fabric); through the host: a copy to the host, and right after it one of the same bytes to the other device") \
	_(COL_DEVICE_PAIRS_TRANSFERS, "transfers",       INT,  COUNT,  "transfers that begin inside the window; through the host, both copies are one") \
	_(COL_DEVICE_PAIRS_BYTES,     "transfer_bytes",  INT,  BYTES,  "bytes moved from one device to the other, as far as recorded") \
	_(COL_DEVICE_PAIRS_NS,        "transfers_ns",    INT,  NS,     "time of the transfers, summed; through the host from the start of the first copy to the end of the second") \
	_(COL_DEVICE_PAIRS_RATE,      "transfer_bytes_per_s", REAL, BYTES_PER_S, "transfer_bytes / time of the transfers whose bytes are known") \
	_(COL_DEVICE_PAIRS_FASTEST,   "fastest_bytes_per_s", REAL, BYTES_PER_S, "the fastest one of 1 MiB or more; null: none is known")
/* clang-format on */
enum { DEVICE_PAIRS_COLUMNS(COLUMN_ID) };
#endif
