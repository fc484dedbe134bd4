/* model/analysis/comms/comms_columns.h - columns that several tables of this room have with one meaning. */
#ifndef STEPSCOPE_COMMS_COLUMNS_H
#define STEPSCOPE_COMMS_COLUMNS_H
#include "model/shared_columns.h"

/* clang-format off */
#define COMMS_WAIT     "wait_ns",     INT, NS, "waiting in collectives: from their start on this device until the last device of the call has started, at most until its own end; null: one device alone cannot show it"
#define COMMS_TRANSFER "transfer_ns", INT, NS, "the rest of their time, in which all devices take part; null as wait_ns"
#define COMMS_EXPOSED  "exposed_comms_ns", INT, NS, "time in collectives during which the device runs no kernel that computes"
#define COMMS_HIDDEN   "hidden_comms_ns", INT, NS, "the rest of their time, hidden by compute"
#define COMMS_GROUP "comm_group", TEXT, NONE, "process group: its description, else its name, as recorded"
#define COMMS_GROUP_KIND "group_kind", TEXT, NONE, "what the process group is for: DP, FSDP, TP, PP, EP or CP, by its recorded description; null: it does not say"
#define COMMS_EXPOSED_BY "exposed_by", TEXT, NONE, "why it is exposed, the reason with the most time: waited for a rank; slow link; on the compute stream; launched late; no compute left; cannot tell (one rank alone). Null: nothing is exposed"
#define COMMS_EXPECTED "expected_ns", INT, NS, "bytes of the message / --link-bandwidth, of a step of all its messages, else --parameters x 4 bytes; null where either is not known"
/* clang-format on */
#endif
