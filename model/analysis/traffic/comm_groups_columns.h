/* model/analysis/traffic/comm_groups_columns.h - the columns of the table comm_groups: one row per process group. */
#ifndef STEPSCOPE_COMM_GROUPS_COLUMNS_H
#define STEPSCOPE_COMM_GROUPS_COLUMNS_H
#include "model/analysis/comms/comms_columns.h"

/* clang-format off */
#define COMM_GROUPS_COLUMNS(_) \
	_(COL_COMM_GROUPS_GROUP,    COMMS_GROUP) \
	_(COL_COMM_GROUPS_KIND,     COMMS_GROUP_KIND) \
	_(COL_COMM_GROUPS_SIZE,     "group_ranks",     INT,  COUNT, "ranks of the group, as recorded; null: not recorded") \
	_(COL_COMM_GROUPS_RECORDED, "recorded_ranks",  INT,  COUNT, "ranks of which calls are recorded here") \
	_(COL_COMM_GROUPS_MISSING,  "missing_ranks",   TEXT, NONE,  "ranks of the group of which nothing is recorded; null: none, or the record does not list them") \
	_(COL_COMM_GROUPS_CALLS,    "group_calls",     INT,  COUNT, "collectives, sends and receives that start inside the window, on every device by itself") \
	_(COL_COMM_GROUPS_ALONE,    "lone_calls",      INT,  COUNT, "of those, calls that are not known on every rank of the group, sends and receives at both ends; where the size is not recorded: on no other rank") \
	_(COL_COMM_GROUPS_BYTES,    "group_bytes",     INT,  BYTES, "bytes of their messages, as far as recorded, on every device by itself") \
	_(COL_COMM_GROUPS_NS,       "group_calls_ns",  INT,  NS,    "their time, summed") \
	_(COL_COMM_GROUPS_WAIT,     "group_wait_ns",   INT,  NS,    "the part of it that waits for the last rank of the call, where known") \
	_(COL_COMM_GROUPS_TRANSFER, "group_transfer_ns", INT, NS,   "the part of it in which all ranks of the call take part, where known") \
	_(COL_COMM_GROUPS_EXPOSED,  COMMS_EXPOSED)
/* clang-format on */
enum { COMM_GROUPS_COLUMNS(COLUMN_ID) };
#endif
