/* model/analysis/kernels/tensor_cores_columns.h - the columns of the table tensor_cores. */
#ifndef STEPSCOPE_TENSOR_CORES_COLUMNS_H
#define STEPSCOPE_TENSOR_CORES_COLUMNS_H
#include "model/shared_columns.h"

/* clang-format off */
#define TENSOR_CORES_COLUMNS(_) \
	_(COL_TENSOR_CORES_KERNEL,    SHARED_KERNEL) \
	_(COL_TENSOR_CORES_OP,        "op",          TEXT, NONE,    "framework op that launched it; of several, that of the longest kernel") \
	_(COL_TENSOR_CORES_TOTAL,     "total_ns",    INT,  NS,      "their time inside the window") \
	_(COL_TENSOR_CORES_STAKE,     "stake_ns",    INT,  NS,      "the most time that could be saved: 2/3 of an unused one (Tensor Cores promise 3x), half of one that moves bytes; null where that is not known, as where the compute capability is not") \
	_(COL_TENSOR_CORES_REASON,    "reason",      TEXT, NONE,    "fp32, fp32 without tf32, fp64, dimension (no multiple of 8; of 16 in 8 bit), layout, 32 bit, unknown") \
	_(COL_TENSOR_CORES_DETAIL,    COLUMN_DETAIL, TEXT, NONE,    "the dimension with its remainder, or the rows that begin between multiples of 8") \
	_(COL_TENSOR_CORES_PROBLEM,      "tc_problem",  TEXT, NONE,    "unused: a product, convolution or attention on ordinary units; inefficient: uses Tensor Cores, but a dimension holds it back; bytes: memory-bound as a rule, and 16 bit would halve its bytes") \
	_(COL_TENSOR_CORES_PRECISION, SHARED_PRECISION) \
	_(COL_TENSOR_CORES_COUNT,     SHARED_KERNELS) \
	_(COL_TENSOR_CORES_SHARE,     SHARED_KERNEL_TIME_PCT) \
	_(COL_TENSOR_CORES_M,         "m",           INT,  COUNT,   "of a product M x K by K x N, where shapes are recorded") \
	_(COL_TENSOR_CORES_N,         "n",           INT,  COUNT,   "see m") \
	_(COL_TENSOR_CORES_K,         "k",           INT,  COUNT,   "see m") \
	_(COL_TENSOR_CORES_ADVICE,    SHARED_ADVICE)
/* clang-format on */
enum tensor_cores_column { TENSOR_CORES_COLUMNS(COLUMN_ID) };
#endif
