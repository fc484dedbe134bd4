/* tests/live/abi.c - our declaration of CUPTI's records against NVIDIA's own headers, at compile time; that it compiles is the
 * proof. cupti_headers.py compiles it and says what those headers have: -DLAYOUT=N (their version, as struct cupti has it),
 * -DTHEIR_KERNEL=CUpti_ActivityKernel9 for each record, and -DSINCE_N(...) to keep or leave out fields that came with N. */
#include "live/inject/cupti/abi.h"
#include "live/wire.h"
#include <cuda.h>
#include <cupti_activity.h>
#include <cupti_callbacks.h>
#include <stddef.h>

#define SAME_PLACE(RECORD, type, offset, theirs, since)                                                               \
	SINCE_##since(                                                                                                \
		_Static_assert(offsetof(RECORD, theirs) == (offset) && sizeof(((RECORD *)0)->theirs) == sizeof(type), \
			       #RECORD "." #theirs);)
#define KERNEL_(type, field, offset, theirs, since)   SAME_PLACE(THEIR_KERNEL, type, offset, theirs, since)
#define MEMCPY_(type, field, offset, theirs, since)   SAME_PLACE(THEIR_MEMCPY, type, offset, theirs, since)
#define PEER_(type, field, offset, theirs, since)     SAME_PLACE(THEIR_PEER, type, offset, theirs, since)
#define MEMSET_(type, field, offset, theirs, since)   SAME_PLACE(THEIR_MEMSET, type, offset, theirs, since)
#define API_(type, field, offset, theirs, since)      SAME_PLACE(THEIR_API, type, offset, theirs, since)
#define EXTERNAL_(type, field, offset, theirs, since) SAME_PLACE(THEIR_EXTERNAL, type, offset, theirs, since)
#define SYNC_(type, field, offset, theirs, since)     SAME_PLACE(THEIR_SYNC, type, offset, theirs, since)
#define OVERHEAD_(type, field, offset, theirs, since) SAME_PLACE(THEIR_OVERHEAD, type, offset, theirs, since)
#define MARKER_(type, field, offset, theirs, since)   SAME_PLACE(THEIR_MARKER, type, offset, theirs, since)
#define NAME_(type, field, offset, theirs, since)     SAME_PLACE(THEIR_NAME, type, offset, theirs, since)
#define MEMORY_(type, field, offset, theirs, since)   SAME_PLACE(THEIR_MEMORY, type, offset, theirs, since)
#define GRAPH_(type, field, offset, theirs, since)    SAME_PLACE(THEIR_GRAPH, type, offset, theirs, since)
#define EVENT_(type, field, offset, theirs, since)    SAME_PLACE(THEIR_EVENT, type, offset, theirs, since)
#define STREAM_(type, field, offset, theirs, since)   SAME_PLACE(THEIR_STREAM, type, offset, theirs, since)
#define CONTEXT_(type, field, offset, theirs, since)  SAME_PLACE(THEIR_CONTEXT, type, offset, theirs, since)
#define JIT_(type, field, offset, theirs, since)      SAME_PLACE(THEIR_JIT, type, offset, theirs, since)
/* The uuid is read as two halves. */
#define DEVICE_(type, field, offset, theirs, since) \
	_Static_assert(offsetof(THEIR_DEVICE, theirs) == (offset), "THEIR_DEVICE." #theirs);

CUPTI_KERNEL_FIELDS(KERNEL_)
CUPTI_MEMCPY_FIELDS(MEMCPY_)
CUPTI_PEER_FIELDS(PEER_)
CUPTI_MEMSET_FIELDS(MEMSET_)
CUPTI_API_FIELDS(API_)
CUPTI_EXTERNAL_FIELDS(EXTERNAL_)
CUPTI_SYNC_FIELDS(SYNC_)
CUPTI_OVERHEAD_FIELDS(OVERHEAD_)
CUPTI_MARKER_FIELDS(MARKER_)
CUPTI_NAME_FIELDS(NAME_)
CUPTI_MEMORY_FIELDS(MEMORY_)
CUPTI_GRAPH_FIELDS(GRAPH_)
CUPTI_EVENT_FIELDS(EVENT_)
CUPTI_STREAM_FIELDS(STREAM_)
CUPTI_CONTEXT_FIELDS(CONTEXT_)
CUPTI_JIT_FIELDS(JIT_)
CUPTI_DEVICE_FIELDS(DEVICE_)

/* From 13.0 on, whose sizes abi.h has, records only grow. */
#define SAME_SIZE(RECORD, record, theirs, bytes) \
	_Static_assert(LAYOUT < 130000 || sizeof(THEIR_##RECORD) >= (bytes), #theirs " shrank");
CUPTI_RECORDS(SAME_SIZE)

#define SAME_NUMBER(ours, theirs) _Static_assert((int)(ours) == (int)(theirs), #ours);
SAME_NUMBER(CUPTI_KIND_KERNEL, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
SAME_NUMBER(CUPTI_KIND_SERIAL_KERNEL, CUPTI_ACTIVITY_KIND_KERNEL)
SAME_NUMBER(CUPTI_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMCPY)
SAME_NUMBER(CUPTI_KIND_MEMCPY_PEER, CUPTI_ACTIVITY_KIND_MEMCPY2)
SAME_NUMBER(CUPTI_KIND_MEMSET, CUPTI_ACTIVITY_KIND_MEMSET)
SAME_NUMBER(CUPTI_KIND_DRIVER, CUPTI_ACTIVITY_KIND_DRIVER)
SAME_NUMBER(CUPTI_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_RUNTIME)
SAME_NUMBER(CUPTI_KIND_DEVICE, CUPTI_ACTIVITY_KIND_DEVICE)
SAME_NUMBER(CUPTI_KIND_CONTEXT, CUPTI_ACTIVITY_KIND_CONTEXT)
SAME_NUMBER(CUPTI_KIND_NAME, CUPTI_ACTIVITY_KIND_NAME)
SAME_NUMBER(CUPTI_KIND_MARKER, CUPTI_ACTIVITY_KIND_MARKER)
SAME_NUMBER(CUPTI_KIND_MARKER_DATA, CUPTI_ACTIVITY_KIND_MARKER_DATA)
SAME_NUMBER(CUPTI_KIND_OVERHEAD, CUPTI_ACTIVITY_KIND_OVERHEAD)
SAME_NUMBER(CUPTI_KIND_CUDA_EVENT, CUPTI_ACTIVITY_KIND_CUDA_EVENT)
SAME_NUMBER(CUPTI_KIND_STREAM, CUPTI_ACTIVITY_KIND_STREAM)
SAME_NUMBER(CUPTI_KIND_SYNC, CUPTI_ACTIVITY_KIND_SYNCHRONIZATION)
SAME_NUMBER(CUPTI_KIND_EXTERNAL, CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION)
SAME_NUMBER(CUPTI_KIND_INTERNAL_LAUNCH, CUPTI_ACTIVITY_KIND_INTERNAL_LAUNCH_API)
SAME_NUMBER(CUPTI_KIND_MEMORY, CUPTI_ACTIVITY_KIND_MEMORY2)
SAME_NUMBER(CUPTI_KIND_GRAPH, CUPTI_ACTIVITY_KIND_GRAPH_TRACE)
SAME_NUMBER(CUPTI_KIND_JIT, CUPTI_ACTIVITY_KIND_JIT)
SAME_NUMBER(CUPTI_MAX_LIMIT_REACHED, CUPTI_ERROR_MAX_LIMIT_REACHED)
SAME_NUMBER(CUPTI_INVALID_KIND, CUPTI_ERROR_INVALID_KIND)
SAME_NUMBER(CUPTI_INSUFFICIENT_PRIVILEGES, CUPTI_ERROR_INSUFFICIENT_PRIVILEGES)
SAME_NUMBER(CUPTI_MULTIPLE_SUBSCRIBERS, CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED)
SAME_NUMBER(CUPTI_UNKNOWN, CUPTI_ERROR_UNKNOWN)
SAME_NUMBER(CUPTI_OBJECT_PROCESS, CUPTI_ACTIVITY_OBJECT_PROCESS)
SAME_NUMBER(CUPTI_OBJECT_THREAD, CUPTI_ACTIVITY_OBJECT_THREAD)
SAME_NUMBER(CUPTI_OBJECT_DEVICE, CUPTI_ACTIVITY_OBJECT_DEVICE)
SAME_NUMBER(CUPTI_OBJECT_CONTEXT, CUPTI_ACTIVITY_OBJECT_CONTEXT)
SAME_NUMBER(CUPTI_OBJECT_STREAM, CUPTI_ACTIVITY_OBJECT_STREAM)
SAME_NUMBER(CUPTI_DOMAIN_DRIVER, CUPTI_CB_DOMAIN_DRIVER_API)
SAME_NUMBER(CUPTI_DOMAIN_RUNTIME, CUPTI_CB_DOMAIN_RUNTIME_API)
SAME_NUMBER(CUPTI_ATTR_DEVICE_BUFFER_SIZE, CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE)
SAME_NUMBER(CUPTI_ATTR_POOL_LIMIT, CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_POOL_LIMIT)
SAME_NUMBER(CUPTI_ATTR_ZEROED_BUFFERS, CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER)
SAME_NUMBER(WIRE_MARK_START, CUPTI_ACTIVITY_FLAG_MARKER_START)
SAME_NUMBER(WIRE_MARK_END, CUPTI_ACTIVITY_FLAG_MARKER_END)
SAME_NUMBER(WIRE_MARK_INSTANT, CUPTI_ACTIVITY_FLAG_MARKER_INSTANTANEOUS)
