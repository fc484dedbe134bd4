/* model/analysis/names/collective_name.h - what a collective is, from the name of its kernel or of its record.
 * Kernels: NCCL and RCCL of all versions ("ncclAllReduceRingLLKernel_sum_f32", "ncclKernel_AllReduce_RING_LL_Sum_float",
 *          "ncclDevKernel_AllReduce_Sum_f32_RING_LL"), multimem and custom all-reduce kernels, oneCCL, NVSHMEM.
 * Records: words of c10d ("_allgather_base"), annotations ("nccl:all_to_all"). */
#ifndef STEPSCOPE_COLLECTIVE_NAME_H
#define STEPSCOPE_COLLECTIVE_NAME_H
#include <stdbool.h>
#include <stdint.h>

/*   id, word, how often a byte crosses the links: bus bandwidth = algorithm bandwidth x FACTOR(n); nccl-tests' PERFORMANCE.md */
#define COLLECTIVE_OPS(_)                          \
	_(UNKNOWN, "", ONCE)                       \
	_(ALL_REDUCE, "AllReduce", TWICE_OTHERS)   \
	_(ALL_GATHER, "AllGather", OTHERS)         \
	_(REDUCE_SCATTER, "ReduceScatter", OTHERS) \
	_(ALL_TO_ALL, "AllToAll", OTHERS)          \
	_(BROADCAST, "Broadcast", ONCE)            \
	_(REDUCE, "Reduce", ONCE)                  \
	_(GATHER, "Gather", OTHERS)                \
	_(SCATTER, "Scatter", OTHERS)              \
	_(SEND_RECV, "SendRecv", ONCE)             \
	_(SEND, "Send", ONCE)                      \
	_(RECV, "Recv", ONCE)                      \
	_(BARRIER, "Barrier", ONCE)
enum collective_op {
#define COLLECTIVE_ENUM(id, ...) COLLECTIVE_##id,
	COLLECTIVE_OPS(COLLECTIVE_ENUM)
#undef COLLECTIVE_ENUM
		COLLECTIVE_OP_COUNT
};
const char *collective_op_word(enum collective_op op); /* "AllReduce"; NULL when unknown */
/* No rank leaves it before all have entered: what ends at one moment on all of them. */
bool collective_blocks(enum collective_op op);
/* Bytes over one link per byte of the message among n ranks; 1 where n is below 2. */
double collective_bus_factor(enum collective_op op, int64_t n);

struct collective_name {
	enum collective_op op;
	const char *algorithm, *protocol; /* "ring", "LL128"; NULL = not recorded */
	const char *dtype; /* "fp32"; NULL = not recorded. Of SendRecv kernels the name tells none: they move bytes */
};
/* Of the name up to its parameters; what it does not tell is COLLECTIVE_UNKNOWN and NULL. */
struct collective_name collective_of_kernel(const char *kernel);
/* COLLECTIVE_UNKNOWN: it is none. */
enum collective_op collective_of_record(const char *word);

/* An element type as the tables name it ("bf16"), and its bytes, from any producer's spelling ("c10::BFloat16", "Float", "half");
 * NULL and 0 when it is none. */
const char *collective_dtype(const char *spelling);
int collective_dtype_bytes(const char *spelling);
#endif
