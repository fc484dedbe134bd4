/* model/analysis/traffic/pipeline_columns.h - the columns of the table pipeline_stages: one row per stage. */
#ifndef STEPSCOPE_PIPELINE_COLUMNS_H
#define STEPSCOPE_PIPELINE_COLUMNS_H
#include "model/shared_columns.h"

/* clang-format off */
#define PIPELINE_COLUMNS(_) \
	_(COL_PIPELINE_STAGE,    "stage",         INT,  ID,      "number of the stage, from 0, in the order in which they begin to compute") \
	_(COL_PIPELINE_RANK,     SHARED_RANK) \
	_(COL_PIPELINE_DEVICE,   SHARED_DEVICE) \
	_(COL_PIPELINE_STEPS,    "stage_steps",   INT,  COUNT,   "whole steps, of those that carry means") \
	_(COL_PIPELINE_STEPS_NS, "stage_steps_ns", INT, NS,      "time of those steps, summed") \
	_(COL_PIPELINE_COMPUTE,  "stage_compute_ns", INT, NS,    "time of them in which kernels other than collectives run, each moment once") \
	_(COL_PIPELINE_BUBBLE,   "bubble_ns",     INT,  NS,      "time of them in which the device is idle, or only waits in a send, a receive or a collective for its other ends") \
	_(COL_PIPELINE_PCT,      "bubble_pct",    REAL, PERCENT, "bubble_ns / stage_steps_ns") \
	_(COL_PIPELINE_SENDS,    "sends",         INT,  COUNT,   "sends of those steps whose receive is recorded") \
	_(COL_PIPELINE_RECEIVES, "receives",      INT,  COUNT,   "receives of those steps whose send is recorded") \
	_(COL_PIPELINE_SENT,     "sent_bytes",    INT,  BYTES,   "bytes of those sends; null where one is not recorded") \
	_(COL_PIPELINE_HOST, SHARED_HOST)
/* clang-format on */
enum { PIPELINE_COLUMNS(COLUMN_ID) };
#endif
