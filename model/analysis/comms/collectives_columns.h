/* model/analysis/comms/collectives_columns.h - the columns of the table collectives: one row per call and device. */
#ifndef STEPSCOPE_COLLECTIVES_COLUMNS_H
#define STEPSCOPE_COLLECTIVES_COLUMNS_H
#include "comms_columns.h"

/* clang-format off */
#define COLLECTIVES_COLUMNS(_) \
	_(COL_COLLECTIVES_RANK,        "rank",            INT,  ID,      "rank of the host in the distributed job") \
	_(COL_COLLECTIVES_DEVICE,      SHARED_DEVICE) \
	_(COL_COLLECTIVES_STEP,        SHARED_STEP) \
	_(COL_COLLECTIVES_OP,          "op",              TEXT, NONE,    "AllReduce, AllGather, ReduceScatter, AllToAll, ...: by its record, the annotation that launched it, or its kernel's name; null: none says so") \
	_(COL_COLLECTIVES_ALGORITHM,   "algorithm",       TEXT, NONE,    "ring, tree, NVLS, ...: by the kernel's name; null: it does not say") \
	_(COL_COLLECTIVES_PROTOCOL,    "protocol",        TEXT, NONE,    "LL, LL128, simple: by the kernel's name; null: it does not say") \
	_(COL_COLLECTIVES_MESSAGE,     "message_bytes",   INT,  BYTES,   "bytes of the message, of gathers and scatters the whole one: as recorded, or --parameters x 4 where it is the step's only AllReduce; null: not recorded") \
	_(COL_COLLECTIVES_DTYPE,       "dtype",           TEXT, NONE,    "type of its elements, as recorded or by the kernel's name; null: not recorded") \
	_(COL_COLLECTIVES_GROUP,       COMMS_GROUP) \
	_(COL_COLLECTIVES_GROUP_KIND,  COMMS_GROUP_KIND) \
	_(COL_COLLECTIVES_PURPOSE,     "purpose",         TEXT, NONE,    "what it is part of, by the annotations around its launch: DDP bucket, FSDP gather, FSDP scatter; null: they do not say") \
	_(COL_COLLECTIVES_MATCH,       "call",            INT,  ID,      "number of the call: rows of one number are one call on several devices; null: no other device's is known to be the same") \
	_(COL_COLLECTIVES_DEVICES,     "call_devices",    INT,  COUNT,   "devices whose part of the call is recorded") \
	_(COL_COLLECTIVES_PLACE,       "step_place",      INT,  COUNT,   "its place among the collectives of its step on its device, from 0 on; null: no step, or an inferred one, which may begin anywhere in the loop") \
	_(COL_COLLECTIVES_START,       "start_ns",        INT,  NS,      "start, from the first event of the trace") \
	_(COL_COLLECTIVES_DUR,         "dur_ns",          INT,  NS,      "whole duration") \
	_(COL_COLLECTIVES_WAIT,        COMMS_WAIT) \
	_(COL_COLLECTIVES_TRANSFER,    COMMS_TRANSFER) \
	_(COL_COLLECTIVES_LAST,        "last_rank",       INT,  ID,      "rank that started last, for which the others waited; for hosts without a rank, the device of last_host; null: two or more started last together") \
	_(COL_COLLECTIVES_LAST_BY,     "last_by_ns",      INT,  NS,      "how much later the last rank started than the one before it") \
	_(COL_COLLECTIVES_EXPOSED,     COMMS_EXPOSED) \
	_(COL_COLLECTIVES_HIDDEN,      COMMS_HIDDEN) \
	_(COL_COLLECTIVES_EXPOSED_BY,  COMMS_EXPOSED_BY) \
	_(COL_COLLECTIVES_BYTES_PER_S, "algorithm_bytes_per_s", REAL, BYTES_PER_S, "algorithm bandwidth: message_bytes / transfer_ns, where that is not known / dur_ns") \
	_(COL_COLLECTIVES_BUS,         "bus_bytes_per_s", REAL, BYTES_PER_S, "bus bandwidth: the same x 2(n-1)/n for AllReduce, (n-1)/n for gathers, scatters and AllToAll among n devices, else 1") \
	_(COL_COLLECTIVES_EXPECTED,    COMMS_EXPECTED) \
	_(COL_COLLECTIVES_EVENT,       "event",           INT,  ID,      "id of the event") \
	_(COL_COLLECTIVES_HOST, SHARED_HOST) \
	_(COL_COLLECTIVES_LAST_HOST,   "last_host",       TEXT, NONE,    "host of the one that started last; null: two or more started last together")
/* clang-format on */
enum { COLLECTIVES_COLUMNS(COLUMN_ID) };
#endif
