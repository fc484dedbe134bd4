/* model/store/facts/facts.h - what a trace is made of besides events: hosts, processes, devices, tracks, detail rows.
 * Plain data, no functions except names of enums. "Unknown" has its own value everywhere and is never 0. */
#ifndef STEPSCOPE_FACTS_H
#define STEPSCOPE_FACTS_H
#include "attrs.h"
#include "model/store/base/strings.h"
#include <stdbool.h>
#include <stdint.h>

#define UNKNOWN_U32 UINT32_MAX
#define UNKNOWN_I64 INT64_MIN
#define NONE_ID     UINT32_MAX /* no such host, process, device, track, row */

/* What an event is, as far as its producer says (category, plane, details) - never guessed from its name alone. New kinds
 * stand last: saved files hold the number. What follows the word is said once, here, and used where a kind is looked at:
 *   work    device work, counts as busy
 *   ink     the role of its colour on the screen (INKS), the first one where several are chosen from by the name
 *   inks    how many that are
 *   fill    how a bar of it is filled: colour is never the only sign (FILLS)
 *   paint   its colour, letter and legend in reports (PAINTS), NONE = not drawn there */
/* clang-format off */
/*   id            word            work  ink         inks  fill    paint */
#define EVENT_KINDS(_) \
	_(OTHER,        "other",        0,    OTHER,      1,    SOLID,  OTHER) \
	_(OP,           "op",           0,    OP_0,       4,    SOLID,  OP)          /* host framework op: cpu_op, TF op on a host thread */ \
	_(ANNOTATION,   "annotation",   0,    ANNOTATION, 1,    SOLID,  ANNOTATION)  /* user ranges, TraceMe, record_function, NVTX */ \
	_(RUNTIME,      "runtime",      0,    RUNTIME,    1,    SOLID,  RUNTIME)     /* CUDA/HIP runtime or driver API call, kernel launches included */ \
	_(PYTHON,       "python",       0,    PYTHON,     1,    SOLID,  PYTHON)      /* python function frames */ \
	_(ASYNC,        "async",        0,    OTHER,      1,    SOLID,  OTHER) \
	_(INSTANT,      "instant",      0,    OTHER,      1,    SOLID,  NONE) \
	_(MEMORY,       "memory",       0,    OTHER,      1,    SOLID,  NONE)        /* allocator events */ \
	_(OVERHEAD,     "overhead",     0,    OTHER,      1,    MEDIUM, OTHER)       /* the profiler's own cost */ \
	_(PROFILE,      "profile",      0,    OTHER,      1,    MEDIUM, NONE)        /* spans that describe the capture itself ("PyTorch Profiler (0)") */ \
	_(DEVICE_RANGE, "device_range", 0,    LANE,       1,    SOLID,  RANGE)       /* annotation or op lane drawn on a device: not work */ \
	_(KERNEL,       "kernel",       1,    KERNEL_0,   6,    SOLID,  COMPUTE) \
	_(COPY,         "copy",         1,    COPY,       1,    DARK,   COPY) \
	_(MEMSET,       "memset",       1,    MEMSET,     1,    MEDIUM, MEMSET) \
	_(DEVICE_OTHER, "device_other", 1,    MEMSET,     1,    SOLID,  COMPUTE)     /* device activity that is none of the above */
/* clang-format on */

enum event_kind {
#define KIND_ENUM(id, ...) KIND_##id,
	EVENT_KINDS(KIND_ENUM)
#undef KIND_ENUM
		KIND_COUNT
};
#define KIND_BIT(k)                         (1u << (k))
#define KINDS_ALL                           (~0u)
#define KIND_WORK_BIT_(id, word, work, ...) | (uint32_t)(work) << KIND_##id
#define KINDS_WORK                          (0u EVENT_KINDS(KIND_WORK_BIT_)) /* all that is device work, as bits */
/* The word of a kind ("kernel"), and whether the kind counts as device work. */
const char *kind_name(enum event_kind k);
static inline bool kind_is_work(enum event_kind k)
{
	return (unsigned)k < KIND_COUNT && (KINDS_WORK >> k & 1);
}

/* What an importer promises of the events it hands over, whatever its format is called. New bits stand last: saved files
 * hold the number. */
enum source_trait {
	SOURCE_PROFILER = 1, /* written by a profiler of frameworks, not by any program that measures itself */
	SOURCE_OP_PATHS =
		2, /* framework ops are named as TensorFlow and JAX do: "model/dense/MatMul", "MatMul:MatMul" */
	SOURCE_EDGES =
		4, /* what one thread handed to another is told: those edges alone say which step an event belongs to */
	SOURCE_OUTSIDE =
		8 /* recorded from outside of the framework, by Nsight Systems: its options are the user's, not a profiler's */
};

enum track_kind {
	TRACK_STREAM,      /* a device stream: device work only */
	TRACK_STREAM_LANE, /* op, annotation or module lane that belongs to a stream or device; no device work */
	TRACK_THREAD,      /* a host thread */
	TRACK_COUNTER,     /* samples, no events */
	TRACK_ASYNC,       /* async events of one (process, category) */
	TRACK_OTHER,       /* spans about the capture, global instants */
	TRACK_KINDS
};
/* The word of a kind of track ("stream"). */
const char *track_kind_name(enum track_kind k);

struct host {
	str_id name;
	int32_t rank; /* -1 = unknown */
	int64_t clock_shift_ns;
	uint32_t source;    /* index of the file */
	bool several_files; /* that one and others, which only an import knows: false in a saved file */
};
struct process {
	uint32_t host;
	int64_t pid; /* number, or an id made for a text pid */
	str_id name; /* process_name metadata, "" = none */
	str_id labels;
};
/* Unknown numbers: UNKNOWN_I64. */
struct device {
	uint32_t host;
	int64_t ordinal; /* GPU number as the producer counts */
	str_id name;     /* "Tesla V100-SXM2-32GB", "" = unknown */
	str_id vendor;
	int64_t cc_major, cc_minor;
	int64_t sms, clock_khz, memory_bytes, memory_bytes_per_s;
	attr_at attrs; /* everything the producer said about it */
};
struct track_info {
	enum track_kind kind : 8;
	bool derived_by_producer; /* a lane the recording tool computed (XSpace derived lines): shown, not counted in statistics */
	uint32_t host;
	uint32_t process;  /* NONE_ID for streams and device lanes */
	uint32_t device;   /* NONE_ID for host tracks */
	int64_t key;       /* stream id, thread id, line id */
	str_id lane;       /* "" or what tells several tracks of one key apart ("ops", counter name, async category) */
	str_id name;       /* as shown; "" = made from the key */
	int64_t sort;      /* producer's sort index, UNKNOWN_I64 = none */
	uint64_t first, n; /* rows of the trace's columns */
	uint32_t n_rows;   /* display rows: nesting depth + overflow rows */
	uint32_t overlaps; /* events on overflow rows */
};

/* Kernel facts; identical rows are stored once. Unknown = UNKNOWN_U32 / NaN / 0 for texts. */
struct kernel_info {
	uint32_t registers, static_smem_bytes, dynamic_smem_bytes; /* one of the two alone: their sum */
	uint32_t grid[3], block[3];
	float occupancy_pct; /* theoretical or estimated, as the producer says */
	float blocks_per_sm;
	str_id op;              /* framework op of the launch, name part ("model/dense/MatMul") */
	str_id op_type;         /* "MatMul", "" = unknown */
	str_id module;          /* XLA module or "" */
	str_id equation, shape; /* einsum equation; tensor shapes as written */
	uint32_t hlo; /* row of the XLA instructions, 0 = none. The last member: saved apart from the others */
};
enum copy_kind { COPY_H2D, COPY_D2H, COPY_D2D, COPY_P2P, COPY_H2H, COPY_UNKNOWN, COPY_MEMSET, COPY_KINDS };
const char *copy_kind_name(enum copy_kind k); /* "H2D" */
enum memory_kind { MEM_UNKNOWN, MEM_PAGEABLE, MEM_PINNED, MEM_DEVICE, MEM_ARRAY, MEM_MANAGED, MEM_KINDS };
const char *memory_kind_name(enum memory_kind k);
struct copy_info {
	uint8_t kind;     /* enum copy_kind */
	uint8_t src, dst; /* enum memory_kind */
	uint8_t is_async; /* 0, 1, 255 = unknown */
	uint32_t hlo;     /* as in kernel_info */
	int64_t bytes;    /* UNKNOWN_I64 */
	str_id op, op_type;
	int16_t from_device,
		to_device; /* numbers of the devices at both ends as the producer counts, -1 = not recorded */
};
/* An instruction of a compiled XLA program that device work says it belongs to. What stands below `known` is told by the
 * program itself: where the trace does not hold it, known is 0 and the rest unknown (0 for texts, UNKNOWN_I64). */
struct hlo_info {
	int64_t program;         /* id of the program, UNKNOWN_I64 */
	str_id module, name;     /* "jit_matmul", "fusion.3" */
	uint32_t known;          /* 0 or 1 */
	str_id op, op_type;      /* of the framework: "jit(f)/dot_general", "dot_general" */
	str_id opcode, category; /* "fusion", "loop fusion" */
	str_id target;           /* of a custom-call: "__cublas$gemm" */
	str_id source;           /* "model.py:26" */
	int64_t flops, bytes;    /* of one run: arithmetic, and memory it must read and write */
};
/* Facts of a host event that steps are made from (XSpace stats, TF-style args, ProfilerStep). Unknown = UNKNOWN_I64. */
struct host_info {
	int64_t step_num, iter_num, step_id; /* stats step_num, iter_num, id */
	int64_t root_level;                  /* stat _r */
	int64_t producer_type, consumer_type;
	uint64_t producer_id, consumer_id; /* valid when the type is known */
	int64_t device_ordinal;            /* stat device_id of launch calls */
	int64_t is_func;                   /* EagerExecute */
	str_id step_name, op, op_type, graph_type;
	bool is_async; /* stat _a */
};
#endif
