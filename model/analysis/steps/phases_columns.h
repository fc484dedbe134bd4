/* model/analysis/steps/phases_columns.h - the columns of the table phases. */
#ifndef STEPSCOPE_PHASES_COLUMNS_H
#define STEPSCOPE_PHASES_COLUMNS_H
#include "model/shared_columns.h"

/* clang-format off */
#define PHASES_COLUMNS(_) \
	_(COL_PHASES_STEP,          SHARED_STEP) \
	_(COL_PHASES_RANK,          SHARED_RANK) \
	_(COL_PHASES_DEVICE,        SHARED_DEVICE) \
	_(COL_PHASES_START,         "start_ns",      INT,  NS,      "first device work of the step; of all: inside the window") \
	_(COL_PHASES_SPAN,          "step_span_ns",  INT,  NS,      "first to last device work of the step, whole") \
	_(COL_PHASES_WORK,          SHARED_WORK_NS) \
	_(COL_PHASES_FORWARD_NS,    "forward_ns",    INT,  NS,      "layers, by names, autograd's links, or because it comes before the first backward kernel of its step") \
	_(COL_PHASES_LOSS_NS,       "loss_ns",       INT,  NS,      "loss functions, by names") \
	_(COL_PHASES_BACKWARD_NS,   "backward_ns",   INT,  NS,      "gradients, by names and autograd's links") \
	_(COL_PHASES_OPTIMIZER_NS,  "optimizer_ns",  INT,  NS,      "updates of parameters, clearing and scaling of gradients, by names") \
	_(COL_PHASES_NO_PHASE_NS,      "no_phase_ns",   INT,  NS,      "no evidence") \
	_(COL_PHASES_FORWARD_PCT,   "forward_pct",   REAL, PERCENT, "share of work_ns") \
	_(COL_PHASES_LOSS_PCT,      "loss_pct",      REAL, PERCENT, "share of work_ns") \
	_(COL_PHASES_BACKWARD_PCT,  "backward_pct",  REAL, PERCENT, "share of work_ns") \
	_(COL_PHASES_OPTIMIZER_PCT, "optimizer_pct", REAL, PERCENT, "share of work_ns") \
	_(COL_PHASES_NO_PHASE_PCT,     "no_phase_pct",  REAL, PERCENT, "share of work_ns") \
	_(COL_PHASES_BY,            "by",            TEXT, NONE,    "what most of it was judged by: names, links (autograd) or order") \
	_(COL_PHASES_HOST, SHARED_HOST)
/* clang-format on */
enum phases_column { PHASES_COLUMNS(COLUMN_ID) };
#endif
