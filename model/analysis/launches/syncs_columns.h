/* model/analysis/launches/syncs_columns.h - the columns of the table syncs. */
#ifndef STEPSCOPE_SYNCS_COLUMNS_H
#define STEPSCOPE_SYNCS_COLUMNS_H
#include "model/shared_columns.h"

/* clang-format off */
#define SYNCS_COLUMNS(_) \
	_(COL_SYNCS_NAME,    COLUMN_NAME,       TEXT, NONE,    "the call; where calls are nested, the innermost") \
	_(COL_SYNCS_OP,      "op",              TEXT, NONE,    "innermost framework op around it; null = none") \
	_(COL_SYNCS_RANK,    SHARED_RANK) \
	_(COL_SYNCS_DEVICE,  SHARED_DEVICE) \
	_(COL_SYNCS_COUNT,   "syncs",           INT,  COUNT,   "calls that begin inside the window") \
	_(COL_SYNCS_TOTAL,   "total_ns",        INT,  NS,      "time of the calls, clipped to the window") \
	_(COL_SYNCS_AVG,     "avg_ns",          REAL, NS,      "mean length") \
	_(COL_SYNCS_MAX,     "max_ns",          INT,  NS,      "longest one") \
	_(COL_SYNCS_WAITED,  "waited_ns",       INT,  NS,      "part of total_ns in which the device worked (the one of the last launch of the call's thread)") \
	_(COL_SYNCS_DRAINED, "drained",         INT,  COUNT,   "calls at whose end the device had nothing left to do: the queue was empty") \
	_(COL_SYNCS_DRAINED_IDLE,    "drained_idle_ns", INT,  NS,      "idle time of the device in which such calls end, from its last work to its next; each idle time counts once") \
	_(COL_SYNCS_LEAD,    "lost_lead_ns",    INT,  NS,      "idle time after such calls, until their thread next waits for the device, at most as long as they waited while it worked: so far ahead would the host have been; of each idle time 1 ms at most") \
	_(COL_SYNCS_ASKS,    "asks",            TEXT, NONE,    "what it asks the device, by the op right before it: overflow check (of the gradients, for loss scaling); null: not told") \
	_(COL_SYNCS_HOST, SHARED_HOST)
/* clang-format on */
enum syncs_column { SYNCS_COLUMNS(COLUMN_ID) };
#endif
