/* importers/detail_texts.h - the small texts that profilers put beside an event, as facts. Shared by every importer.
 * Input:  bytes with a length, no NUL needed. Tokens are separated by blanks or newlines and are `key:value`; the order is
 *         free, the last of a repeated key wins, a token that is no `key:value` or has an unknown key is passed over.
 * Output: only what the text tells is written, so initialise first (kernel_info_init, copy_info_init). A number that does
 *         not fit its field leaves it unknown; the attribute keeps the producer's text. */
#ifndef STEPSCOPE_DETAIL_TEXTS_H
#define STEPSCOPE_DETAIL_TEXTS_H
#include "model/store/facts/facts.h"

/* kernel_details, all eras (the numbers are TensorFlow releases):
 *   2.4 on, XLA, ROCm   "regs:32 static_shared:0 dynamic_shared:64 grid:8,1,1 block:256,1,1 occ_pct:100"
 *   between             "regs:32 shm:4096 grid:8,1,1 block:256,1,1"       shm becomes static_smem_bytes
 *   ROCm, 2025 on       "grid:8,1,1 block:256,1,1 private_mem:0 group_mem:512"  group_mem becomes static_smem_bytes
 *   2.1 to 2.3          "registers_per_thread:32\nblock_x:256\ngrid_x:8\n..."
 * Dimensions left out of a list are 1. Returns true when at least one key was understood. */
bool details_kernel(const char *p, size_t n, struct kernel_info *k);

/* True when the text holds a number no GPU can have (uninitialised memory of some recorders). */
bool details_kernel_absurd(const char *p, size_t n);

/* memcpy_details of both eras, Memset_details, memalloc_details, MemFree_details, MemoryResidency_details:
 *   "kind_src:pinned kind_dst:device size:4096 dest:0 async:1", "num_bytes:64\ndestination:0\nasync:1", "kind:device num_bytes:8".
 * A lone `kind` is the memory written to. `kind` is set when both ends are known memories, or when the text names a
 * direction; MEMSET is for the caller to set. Returns true when at least one key was understood. */
bool details_copy(const char *p, size_t n, struct copy_info *c);

/* An event's name: "MemcpyH2D", "MemcpyHToD", "Memcpy HtoD (Pinned -> Device)", "UM_BYTES_TRANSFER_DTOH", "Memset 3",
 * "Memset (Device)", "CopyHostToDevice" (ROCm), any case. Sets kind (COPY_MEMSET for memsets), and the memories when they are named. Returns false,
 * with nothing changed, for a name that is neither a copy nor a memset. */
bool details_copy_name(const char *p, size_t n, struct copy_info *c);

/* A detail as recorded, or UNKNOWN_U32 where it is negative or more than `most`: what no AMD GPU can have. */
enum { DETAILS_MOST_LDS = 16 << 20, DETAILS_MOST_GROUP = 1 << 16, DETAILS_MOST_REGISTERS = 4096 };
uint32_t details_small(int64_t v, int64_t most);
/* Work-groups of so many work-items each that a grid of `items` has, as AMD's recorders count; UNKNOWN_U32: not recorded. */
uint32_t details_groups(int64_t items, int64_t group);

/* What rocprofiler calls a copy, "MEMORY_COPY_HOST_TO_DEVICE", or one before release 6.3 without the first words; the copy as Kineto names it
 * ("Memcpy HtoD"); and what a call of a domain ("HIP_RUNTIME_API_EXT", "MARKER_CORE_API") is: a runtime call, an annotation, or another event. */
enum copy_kind details_rocm_direction(const char *p, size_t n);
const char *details_copy_text(enum copy_kind k);
enum event_kind details_rocm_call(const char *p, size_t n);

/* A framework op's full name, "model/dense/MatMul:MatMul", split at the first colon as TensorFlow's profiler does:
 * TensorFlow ops, JAX ops (type cut at '['), tf.data iterators (op = the whole text, type "Dataset") and copies. Any other
 * text: op is all of it, op_type is 0. */
void details_tf_op(struct strings *s, const char *p, size_t n, str_id *op, str_id *op_type);
#endif
