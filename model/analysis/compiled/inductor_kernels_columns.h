/* model/analysis/compiled/inductor_kernels_columns.h - the columns of the table inductor_kernels. */
#ifndef STEPSCOPE_INDUCTOR_KERNELS_COLUMNS_H
#define STEPSCOPE_INDUCTOR_KERNELS_COLUMNS_H
#include "model/shared_columns.h"

/* clang-format off */
#define INDUCTOR_KERNELS_COLUMNS(_) \
	_(COL_INDUCTOR_KERNELS_KERNEL,  "inductor_kernel", TEXT, NONE,  "name given by Inductor") \
	_(COL_INDUCTOR_KERNELS_BACKEND, "backend",       TEXT, NONE,    "triton, cpp: what it was written in") \
	_(COL_INDUCTOR_KERNELS_SORT,    "kernel_sort",   TEXT, NONE,    "pointwise, reduction, persistent reduction, template, foreach, split scan; empty: the name does not say") \
	_(COL_INDUCTOR_KERNELS_OPS,     "source_ops",    TEXT, NONE,    "ops that it stands for, as its name lists them: each once, alphabetically") \
	_(COL_INDUCTOR_KERNELS_KERNELS, SHARED_KERNELS) \
	_(COL_INDUCTOR_KERNELS_TIME,    SHARED_KERNEL_NS) \
	_(COL_INDUCTOR_KERNELS_CALLS,   "calls",         INT,  COUNT,   "calls on the host that begin inside the window: launches, or runs where the host computes") \
	_(COL_INDUCTOR_KERNELS_CALL_NS, "calls_ns",      INT,  NS,      "their time") \
	_(COL_INDUCTOR_KERNELS_FILE,    "kernel_file",   TEXT, NONE,    "file with its source, where recorded") \
	_(COL_INDUCTOR_KERNELS_CONFIG,  "kernel_kwargs", TEXT, NONE,    "sizes of its blocks, where recorded") \
	_(COL_INDUCTOR_KERNELS_WARPS,   "num_warps",     INT,  COUNT,   "warps of a program, where recorded") \
	_(COL_INDUCTOR_KERNELS_STAGES,  "num_stages",    INT,  COUNT,   "stages of its loads, where recorded")
/* clang-format on */
enum inductor_kernels_column { INDUCTOR_KERNELS_COLUMNS(COLUMN_ID) };
#endif
