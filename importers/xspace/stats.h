/* importers/xspace/stats.h - the stats of an event: each has a meaning, given by the name its metadata has.
 * Reading: numbers are taken whichever of int64 and uint64 was written; a text may be inline or a reference. */
#ifndef STEPSCOPE_XSPACE_STATS_H
#define STEPSCOPE_XSPACE_STATS_H
#include "protobuf_wire.h"
#include "model/store/facts/facts.h"

/* A reference becomes a text once the plane's stat metadata is known. */
enum stat_type { STAT_NONE, STAT_DOUBLE, STAT_UINT, STAT_INT, STAT_STR, STAT_BYTES, STAT_REF, STAT_TEXT };

/* One XStat as read. */
struct stat {
	int64_t id;
	uint8_t type; /* enum stat_type */
	str_id ref;   /* TEXT */
	union {
		uint64_t u; /* UINT, INT (two's complement), REF */
		double d;
	};
	struct span text; /* STR, BYTES: borrowed; p is NULL where only the size was kept */
};
/* Sets id, type and what the type uses; false when the bytes are no XStat. */
bool stat_decode(const unsigned char *p, size_t n, struct stat *out);

/* clang-format off */
/*  role                  name in the file */
#define STAT_ROLES(_)                                        \
	_(ADDR,               "addr")                        \
	_(ALLOCATION,         "memalloc_details")            \
	_(ALLOCATION_BYTES,   "allocation_bytes")            \
	_(ALLOCATOR,          "allocator_name")              \
	_(BYTES_ALLOCATED,    "bytes_allocated")             \
	_(BYTES_AVAILABLE,    "bytes_available")             \
	_(BYTES_RESERVED,     "bytes_reserved")              \
	_(DATA_TYPE,          "data_type")                   \
	_(DEVICE_ORDINAL,     "device_ordinal")              \
	_(FRAGMENTATION,      "fragmentation")               \
	_(INDEX_ON_HOST,      "index_on_host")               \
	_(PEAK_BYTES,         "peak_bytes_in_use")           \
	_(REGION_TYPE,        "region_type")                 \
	_(REQUESTED_BYTES,    "requested_bytes")             \
	_(ANNOTATION,         "annotation")                  \
	_(ASYNC,              "_a")                          \
	_(CLOCK_RATE,         "clock_rate")                  \
	_(COMPUTE_CAP_MAJOR,  "compute_cap_major")           \
	_(COMPUTE_CAP_MINOR,  "compute_cap_minor")           \
	_(CONSUMER_ID,        "_c")                          \
	_(CONSUMER_TYPE,      "_ct")                         \
	_(CORE_COUNT,         "core_count")                  \
	_(CORRELATION_ID,     "correlation_id")              \
	_(DEVICE_ID,          "device_id")                   \
	_(DEVICE_NAME,        "gpu_device_name")             \
	_(DEVICE_TYPE,        "device_type_string")          \
	_(DEVICE_VENDOR,      "device_vendor")               \
	_(DROPPED,            "dropped_traces")              \
	_(EQUATION,           "equation")                    \
	_(GRAPH_TYPE,         "graph_type")                  \
	_(GROUP_ID,           "group_id")                    \
	_(HLO_MODULE,         "hlo_module")                  \
	_(HLO_OP,             "hlo_op")                      \
	_(HLO_PROTO,          "Hlo Proto")                   \
	_(ID,                 "id")                          \
	_(IS_FUNC,            "is_func")                     \
	_(ITER_NUM,           "iter_num")                    \
	_(KERNEL_DETAILS,     "kernel_details")              \
	_(LEVEL_0,            "level 0")                     \
	_(OP_NAME,            "name")                        \
	_(MEMCPY_DETAILS,     "memcpy_details")              \
	_(MEMORY_BANDWIDTH,   "memory_bandwidth")            \
	_(MEMORY_SIZE,        "memory_size")                 \
	_(MEM_FREE,           "MemFree_details")             \
	_(MEMSET_DETAILS,     "Memset_details")              \
	_(OCCUPANCY,          "theoretical_occupancy_pct")   \
	_(PROCESS_ID,         "process_id")                  \
	_(PRODUCER_ID,        "_p")                          \
	_(PRODUCER_TYPE,      "_pt")                         \
	_(PROGRAM_ID,         "program_id")                  \
	_(RESIDENCY,          "MemoryResidency_details")     \
	_(ROOT,               "_r")                          \
	_(SHAPE,              "shape")                       \
	_(START_TIME,         "profile_start_time")          \
	_(STEP_NAME,          "step_name")                   \
	_(STEP_NUM,           "step_num")                    \
	_(STOP_TIME,          "profile_stop_time")           \
	_(TF_OP,              "tf_op")
/* clang-format on */

enum stat_role {
	ROLE_NONE,
#define ROLE_ENUM(id, name) ROLE_##id,
	STAT_ROLES(ROLE_ENUM)
#undef ROLE_ENUM
		ROLE_COUNT
};
_Static_assert(ROLE_COUNT <= 64, "roles are bits of one word");
/* The role of a stat by its name; ROLE_NONE for names that mean nothing to us. */
enum stat_role stat_role(struct span name);

/* A stat with a role: as in struct stat, smaller. */
struct fact {
	uint64_t u; /* also the bits of a double, a str_id, where a text begins */
	uint32_t n; /* bytes of a text */
	uint8_t role, type;
};
/* What one event (or plane) says, by role; texts are borrowed. Only roles in `present` are valid; a later stat overrides an earlier one. */
#define ROLE_BIT(r) (UINT64_C(1) << (r))
struct gathered {
	uint64_t present;
	struct fact at[ROLE_COUNT];
};
static inline bool has(const struct gathered *g, enum stat_role r)
{
	return g->present & ROLE_BIT(r);
}
static inline void gather_fact(struct gathered *g, const struct fact *f)
{
	g->present |= ROLE_BIT(f->role);
	g->at[f->role] = *f;
}
/* Writers differ in whether a number is an int64 or a uint64: both count. False: absent, or not a number. */
static inline bool gathered_int(const struct gathered *g, enum stat_role r, int64_t *out)
{
	if (!has(g, r) || (g->at[r].type != STAT_INT && g->at[r].type != STAT_UINT))
		return false;
	*out = (int64_t)g->at[r].u;
	return true;
}
int64_t gathered_or_unknown(const struct gathered *g, enum stat_role r); /* UNKNOWN_I64 when absent */
double gathered_double(const struct gathered *g, enum stat_role r);      /* NaN when absent */
bool gathered_says(const struct gathered *g, enum stat_role r);          /* a text that is not empty */
/* The text as an interned id; 0 when absent or not a text. */
str_id gathered_text(const struct gathered *g, enum stat_role r, struct strings *s);
#endif
