/* model/analysis/names/kernel_words.h - lists of words of which one in a kernel's name tells something: kernel_rules looks for all of
 * them in the pass over the name that finds the rules, so that a name is read once and not once for each list. */
#ifndef STEPSCOPE_KERNEL_WORDS_H
#define STEPSCOPE_KERNEL_WORDS_H
#include <stdbool.h>
#include <stddef.h>

/* clang-format off */
#define KERNEL_WORDS(_)                                                                                                   \
	_(APART,   strcasestr, "what a compiler made is fused already, and what libraries do around their own kernels "   \
			       "stays theirs",                                                                            \
	  "triton", "fusion", "fused", "cudnn", "miopen", "subtensorop", "transpose", "nchw", "nhwc", "im2col", "cutlass") \
	_(EXPERTS, strstr, "computes several experts at once, or carries tokens to them and back",                        \
	  "fused_moe", "moe_gemm", "MoeGemm", "MoeFCGemm", "kernel_moe", "fmoe_", "marlin_moe", "moe::dev::",             \
	  "grouped_gemm", "GroupedGemm", "grouped_mm", "group_gemm", "GroupProblemShape", "_matmul_ogs", "deep_ep::")
/* clang-format on */
enum kernel_words {
#define KERNEL_WORDS_ENUM(id, find, help, ...) KERNEL_WORDS_##id,
	KERNEL_WORDS(KERNEL_WORDS_ENUM)
#undef KERNEL_WORDS_ENUM
		KERNEL_WORD_LISTS
};
const char *const *kernel_words(enum kernel_words list, size_t *n);
/* Capitals in the name count as small letters, of which the list's words are then made. */
bool kernel_words_any_case(enum kernel_words list);
/* One of the words is in the name. */
bool kernel_words_in(enum kernel_words list, const char *name);
#endif
