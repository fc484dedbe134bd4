/* model/analysis/compat/steps_kineto.h - steps and their parts as the TensorBoard plugin for PyTorch traces counts them.
 * Step: a ProfilerStep of the process; its end moves to that of the last device work launched by a runtime call inside it,
 * its start to the end of the step before (the first one's to the end of the last work that ended before its own began, if that is later).
 * Steps after the last one with device work are dropped, and that one too when it has less than 80 % of the device work of
 * the one before. Without ProfilerSteps one step "0" reaches from the first op or Python event to the end of the last.
 * Parts: each moment goes to the first role active; all devices and threads of the process count together.
 * Life: kineto_steps -> kineto_free. */
#ifndef STEPSCOPE_STEPS_KINETO_H
#define STEPSCOPE_STEPS_KINETO_H
#include "model/analysis/derived/derived.h"
#include "model/query.h"

/* clang-format off */
/*    id,            column,          in words */
#define KINETO_ROLES(_) \
	_(KERNEL,        "kernel_ns",        "kernels but those of a communication op") \
	_(MEMCPY,        "memcpy_ns",        "copies, while no kernel runs") \
	_(MEMSET,        "memset_ns",        "memsets, while nothing above runs") \
	_(COMMUNICATION, "communication_ns", "ops nccl:all_reduce, broadcast, reduce, all_gather, reduce_scatter and the kernels that they launched, while nothing above runs") \
	_(RUNTIME,       "runtime_ns",       "CUDA runtime calls (not driver calls), while nothing above runs") \
	_(DATALOADER,    "dataloader_ns",    "enumerate(DataLoader)#...__next__ and enumerate(DataPipe)#, while nothing above runs") \
	_(CPU_OP,        "cpu_exec_ns",      "other ops and annotations, while nothing above runs")
/* clang-format on */
enum kineto_role {
#define KINETO_ENUM(id, column, help) KINETO_##id,
	KINETO_ROLES(KINETO_ENUM)
#undef KINETO_ENUM
		KINETO_COUNT,
	KINETO_NONE = KINETO_COUNT
};
struct kineto_step {
	const char *label;
	row_id marker; /* NONE_ID: the whole trace as one step */
	uint32_t host, process;
	int64_t a_ns, b_ns;
	uint32_t work; /* device work launched inside it */
	int64_t ns[KINETO_COUNT], other_ns;
};
struct kineto_steps {
	struct kineto_step *at;
	uint32_t n, cap;
};
struct kineto_steps kineto_steps(const struct derived *d);
void kineto_free(struct kineto_steps *s);
#endif
