/* model/said_words.h - words that analyses say of an event, every list once: the enums of the analyses and the values that the
 * filter language knows come from here. */
#ifndef STEPSCOPE_SAID_WORDS_H
#define STEPSCOPE_SAID_WORDS_H
#include <stdint.h>

/* clang-format off */
/*   id, word: does a kernel use Tensor Cores */
#define TC_WORDS(_) \
	_(USED,    "used")  \
	_(COULD,   "could") \
	_(NO,      "no") \
	_(UNKNOWN, "unknown")

/*   id, word: what a kernel computes in */
#define PRECISIONS(_) \
	_(UNKNOWN, "unknown") \
	_(FP64,    "fp64") \
	_(FP32,    "fp32") \
	_(TF32,    "tf32") \
	_(BF16,    "bf16") \
	_(FP16,    "fp16") \
	_(SIXTEEN, "fp16_bf16") /* either of both: the name does not say which */ \
	_(FP8,     "fp8") \
	_(INT8,    "int8") \
	_(OTHER,   "other")

/*   id, word, what it holds: what a kernel does */
#define KERNEL_FAMILIES(_) \
	_(GEMM,        "gemm",        "matrix products") \
	_(CONV,        "conv",        "convolutions and what libraries do around them") \
	_(ATTENTION,   "attention",   "attention in one kernel") \
	_(NORM,        "norm",        "normalisation: batch, layer, group, RMS") \
	_(SOFTMAX,     "softmax",     "softmax on its own, its logarithm and gradients") \
	_(REDUCE,      "reduce",      "sums, means, largest ones, running sums, losses, pools") \
	_(ELEMENTWISE, "elementwise", "each value for itself, fused or not") \
	_(COPY,        "copy/cast",   "copies, casts, transposes, fills done by kernels") \
	_(INDEXING,    "indexing",    "values gathered from, or scattered to, places that an index names") \
	_(EMBEDDING,   "embedding",   "tables looked up, and their gradients") \
	_(OPTIMIZER,   "optimizer",   "updates of parameters") \
	_(COLLECTIVE,  "collective",  "communication between devices") \
	_(SORT,        "sort",        "sorting, picking the largest, finding duplicates, routing of experts") \
	_(RNG,         "rng",         "random numbers, dropout") \
	_(OTHER,       "other",       "what no rule knows")

/*   id, word, what it is: what a kernel of the family copy/cast changes about the values that it moves */
#define COPYINGS(_) \
	_(LAYOUT,        "layout",        "their order: transposed, permuted, from NCHW to NHWC") \
	_(CONVERSION,    "conversion",    "their type") \
	_(CONCATENATION, "concatenation", "their neighbours: tensors put together into one") \
	_(PLAIN,         "copy",          "nothing: copied, cloned, made contiguous")

/*   id, word: the part of a training step that device work belongs to; also column and section of the rules */
#define WORK_PHASES_LIST(_) \
	_(FORWARD,   "forward") \
	_(LOSS,      "loss") \
	_(BACKWARD,  "backward") \
	_(OPTIMIZER, "optimizer") \
	_(OTHER,     "other")
/* clang-format on */

enum copying {
	COPYING_NONE, /* it computes, fills, gathers or scatters, or nobody knows */
#define COPYING_ENUM(id, word, help) COPYING_##id,
	COPYINGS(COPYING_ENUM)
#undef COPYING_ENUM
		COPYING_COUNT
};
enum tc_word {
#define TC_WORD_ENUM(id, word) TC_WORD_##id,
	TC_WORDS(TC_WORD_ENUM)
#undef TC_WORD_ENUM
		TC_WORD_COUNT
};
enum precision {
#define PRECISION_ENUM(id, word) PREC_##id,
	PRECISIONS(PRECISION_ENUM)
#undef PRECISION_ENUM
};
enum kernel_family {
#define KERNEL_FAMILY_ENUM(id, word, help) FAMILY_##id,
	KERNEL_FAMILIES(KERNEL_FAMILY_ENUM)
#undef KERNEL_FAMILY_ENUM
		FAMILY_COUNT
};
enum work_phase {
#define PHASE_ENUM(id, word) WORK_##id,
	WORK_PHASES_LIST(PHASE_ENUM)
#undef PHASE_ENUM
		WORK_PHASES
};

enum said_list { SAID_TC, SAID_PRECISION, SAID_FAMILY, SAID_PHASE, SAID_LISTS };
/* The word that has this number in a list: its place in the enum of the list. NULL after the last one. */
const char *said_word(enum said_list list, uint32_t number);
#endif
