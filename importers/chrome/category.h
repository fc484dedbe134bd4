/* importers/chrome/category.h - what the producer's own words say: event categories, process and thread names. */
#ifndef STEPSCOPE_CHROME_CATEGORY_H
#define STEPSCOPE_CHROME_CATEGORY_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What has to be beside a word that other programs use, too, before it is believed. */
enum evidence { PROOF_NONE, PROOF_DEVICE, PROOF_CALL, PROOF_EXTERNAL_ID, PROOF_PADDLE };

/* Classes of what runs on the host, and the kind of their events. TF_NODE: TensorFlow 1 timeline, every row says "Op". */
#define HOST_CLASSES(_)           \
	_(OP, OP)                 \
	_(RUNTIME, RUNTIME)       \
	_(PYTHON, PYTHON)         \
	_(ANNOTATION, ANNOTATION) \
	_(MEMORY, MEMORY)         \
	_(OVERHEAD, OVERHEAD)     \
	_(PROFILE, PROFILE)       \
	_(TF_NODE, OP)            \
	_(LAUNCH_FLOW, OTHER)
enum category_class {
	CLASS_NONE,
#define CLASS_ENUM(class, kind) CLASS_##class,
	HOST_CLASSES(CLASS_ENUM)
#undef CLASS_ENUM
		CLASS_FIRST_ON_DEVICE,
	CLASS_KERNEL = CLASS_FIRST_ON_DEVICE,
	CLASS_COPY,
	CLASS_MEMSET,
	CLASS_DEVICE_ANNOTATION,
	CLASS_DEVICE_SYNC,
	CLASS_DEVICE_COUNTERS,
	CLASS_COUNT
};
struct category {
	enum category_class class;
	enum evidence proof;
};
/* Who made the device that events of this category are about, where it is neither NVIDIA's nor AMD's; NULL: it does not tell. */
const char *category_vendor(const char *p, size_t n);
struct category category_of(const char *p, size_t n); /* in any case of letters */

/* The role of a process by its name. */
enum process_role {
	ROLE_UNNAMED,
	ROLE_HOST,       /* anything that is not one of the following */
	ROLE_TF_HOST,    /* "/host:CPU", "myhost /host:CPU": TraceMe events */
	ROLE_TF_OPS,     /* ".../device:GPU:0 Compute": host-side node times of ops placed on a device */
	ROLE_TF_DEVICE,  /* "/device:GPU:0", "myhost /device:GPU:0": threads are streams and lanes */
	ROLE_TF1_STREAM, /* "/gpu:0/stream:13 Compute": the whole process is one stream */
	ROLE_TF1_COPIES, /* "/gpu:0/stream:all Compute", "/gpu:0/memcpy Compute": what the streams show, once more */
	ROLE_ROCPROF_DEVICE,  /* "GPU0", "4 GPU0" */
	ROLE_ROCPROF_HIP,     /* "CPU HIP API" */
	ROLE_ROCPROF_CALLS,   /* "CPU HSA API", "CPU KFD API" */
	ROLE_ROCPROF_MARKERS, /* "Markers and Ranges" */
	ROLE_FIRST_OF_ASCEND,
	ROLE_ASCEND_DEVICE = ROLE_FIRST_OF_ASCEND, /* "Ascend Hardware" */
	ROLE_ASCEND_CALLS,                         /* "CANN" */
	ROLE_ASCEND_LINKS,                         /* "Communication", "HCCL": threads are groups and planes */
	ROLE_ASCEND_DERIVED                        /* "Overlap Analysis" */
};
struct process_name {
	enum process_role role;
	int64_t device, stream;
};
/* Reads a process name of n bytes; numbers that it does not hold are -1. */
struct process_name process_name_parse(const char *p, size_t n);

/* "stream 7", "Stream #7(Compute,MemcpyH2D)": true and its number. compute: whether kernels may run there. */
bool stream_name_parse(const char *p, size_t n, int64_t *stream, bool *compute);
#endif
