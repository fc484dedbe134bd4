/* model/analysis/serving/attention_context_columns.h - the columns of the table attention_context. */
#ifndef STEPSCOPE_ATTENTION_CONTEXT_COLUMNS_H
#define STEPSCOPE_ATTENTION_CONTEXT_COLUMNS_H
#include "model/shared_columns.h"

/* clang-format off */
#define ATTENTION_CONTEXT_COLUMNS(_) \
	_(COL_ATTENTION_CONTEXT_KIND,    "iteration_kind",      TEXT, NONE,    "what it does: prefill (prompts), decode (a token for each request), mixed, verify and draft (speculative decoding), diffusion; unknown: its label does not say") \
	_(COL_ATTENTION_CONTEXT_FROM,    "context_from",        INT,  COUNT,   "context tokens of a request, mean of the iteration: from so many on; powers of two") \
	_(COL_ATTENTION_CONTEXT_BELOW,   "context_below",       INT,  COUNT,   "and below so many") \
	_(COL_ATTENTION_CONTEXT_COUNT,   "context_iterations",  INT,  COUNT,   "iterations of that kind with such a context, whose labels tell their requests and context tokens") \
	_(COL_ATTENTION_CONTEXT_TOKENS,  "context_mean_tokens", REAL, COUNT,   "context tokens of one such iteration, all requests, mean") \
	_(COL_ATTENTION_CONTEXT_MEAN,    "attention_mean_ns",   INT,  NS,      "time of its kernels in attention, by their names, mean") \
	_(COL_ATTENTION_CONTEXT_SHARE,   "attention_mean_pct",  REAL, PERCENT, "share of that in the time of all their kernels") \
	_(COL_ATTENTION_CONTEXT_EACH,    "attention_per_1000_ns", REAL, NS,    "time of attention for a thousand context tokens: level, where attention grows with the context")
/* clang-format on */
enum attention_context_column { ATTENTION_CONTEXT_COLUMNS(COLUMN_ID) };
#endif
