/* live/inject/cupti/abi.h - the part of CUPTI's binary interface that we use, declared by ourselves: no CUDA header is needed.
 * Records are read through tables of (type, name, offset): from CUPTI 11 to 13 no field listed here ever moved, new ones were
 * appended, so one table serves them all; `since` is the cuptiGetVersion() that brought a field (0: always there), and
 * a getter gives 0 on older versions. 12.0 and 12.1 say 18 as 11.8 does, and have more: they count as CUPTI_LAYOUT_12_0.
 * Longer records than these are fine: CUPTI itself steps over them. tests/live/abi.c compares every line with NVIDIA's headers where they are installed. */
#ifndef STEPSCOPE_INJECT_ABI_H
#define STEPSCOPE_INJECT_ABI_H
#include <stdint.h>
#include <string.h>

typedef int cupti_result;
enum {
	CUPTI_OK = 0,
	CUPTI_MAX_LIMIT_REACHED = 12,
	CUPTI_NOT_INITIALIZED = 15, /* up to 12.9 also: no driver on this machine */
	CUPTI_INVALID_KIND = 21,
	CUPTI_INSUFFICIENT_PRIVILEGES = 35,
	CUPTI_MULTIPLE_SUBSCRIBERS = 39,
	CUPTI_UNKNOWN = 999, /* from 13.0 on also: no driver on this machine */
};
enum { CUPTI_NULL_BUFFER_VERSION = 27 }; /* before this one, handing out no buffer crashed it */
enum { CUPTI_11_8 = 18, CUPTI_LAYOUT_12_0 = 19 };
enum { CUPTI_OBJECT_PROCESS = 1, CUPTI_OBJECT_THREAD, CUPTI_OBJECT_DEVICE, CUPTI_OBJECT_CONTEXT, CUPTI_OBJECT_STREAM };
enum { CUPTI_DOMAIN_DRIVER = 1, CUPTI_DOMAIN_RUNTIME = 2, CUPTI_DOMAIN_RESOURCE = 3 };
enum { CUPTI_CONTEXT_CREATED = 1 };
enum cupti_attribute {
	CUPTI_ATTR_DEVICE_BUFFER_SIZE = 0,
	CUPTI_ATTR_POOL_LIMIT = 2,
	CUPTI_ATTR_ZEROED_BUFFERS = 5,
};

/* clang-format off */
/* Numbers of CUpti_ActivityKind. */
#define CUPTI_KINDS(_)           \
	_(MEMCPY, 1)             \
	_(MEMSET, 2)             \
	_(SERIAL_KERNEL, 3)      \
	_(DRIVER, 4)             \
	_(RUNTIME, 5)            \
	_(DEVICE, 8)             \
	_(CONTEXT, 9)            \
	_(KERNEL, 10)            \
	_(NAME, 11)              \
	_(MARKER, 12)            \
	_(MARKER_DATA, 13)       \
	_(OVERHEAD, 17)          \
	_(MEMCPY_PEER, 22)       \
	_(CUDA_EVENT, 36)        \
	_(STREAM, 37)            \
	_(SYNC, 38)              \
	_(EXTERNAL, 39)          \
	_(INTERNAL_LAUNCH, 48)   \
	_(MEMORY, 49)            \
	_(GRAPH, 51)             \
	_(JIT, 52)
#define CUPTI_KIND_(name, number) CUPTI_KIND_##name = number,
enum cupti_kind { CUPTI_KINDS(CUPTI_KIND_) };

/*	type      name           offset  NVIDIA's name                since */
#define CUPTI_KERNEL_FIELDS(_)                                             \
	_(uint16_t, registers,      6,   registersPerThread,            0) \
	_(uint64_t, start,          16,  start,                         0) \
	_(uint64_t, end,            24,  end,                           0) \
	_(uint32_t, device,         40,  deviceId,                      0) \
	_(uint32_t, context,        44,  contextId,                     0) \
	_(uint32_t, stream,         48,  streamId,                      0) \
	_(int32_t,  grid_x,         52,  gridX,                         0) \
	_(int32_t,  grid_y,         56,  gridY,                         0) \
	_(int32_t,  grid_z,         60,  gridZ,                         0) \
	_(int32_t,  block_x,        64,  blockX,                        0) \
	_(int32_t,  block_y,        68,  blockY,                        0) \
	_(int32_t,  block_z,        72,  blockZ,                        0) \
	_(int32_t,  static_smem,    76,  staticSharedMemory,            0) \
	_(int32_t,  dynamic_smem,   80,  dynamicSharedMemory,           0) \
	_(uint32_t, local,          84,  localMemoryPerThread,          0) \
	_(uint32_t, corr,           92,  correlationId,                 0) \
	_(uint64_t, name,           104, name,                          0) \
	_(uint64_t, queued,         120, queued,                        0) \
	_(uint64_t, submitted,      128, submitted,                     0) \
	_(uint8_t,  launch_type,    136, launchType,                    0) \
	_(uint32_t, executed_smem,  140, sharedMemoryExecuted,          0) \
	_(uint64_t, graph_node,     144, graphNodeId,                  13) \
	_(uint32_t, graph,          156, graphId,                      14) \
	_(uint32_t, channel,        168, channelID,                    17) \
	_(uint32_t, channel_type,   172, channelType,                  17) \
	_(uint32_t, cluster_x,      176, clusterX,                     18) \
	_(uint32_t, cluster_y,      180, clusterY,                     18) \
	_(uint32_t, cluster_z,      184, clusterZ,                     18) \
	_(uint32_t, max_clusters,   204, maxActiveClusters,            19) \
	_(uint8_t,  by_device,      208, isDeviceLaunched,         130000)
#define CUPTI_MEMCPY_FIELDS(_)                                             \
	_(uint8_t,  copy_kind,      4,   copyKind,                      0) \
	_(uint8_t,  from_kind,      5,   srcKind,                       0) \
	_(uint8_t,  to_kind,        6,   dstKind,                       0) \
	_(uint8_t,  flags,          7,   flags,                         0) \
	_(uint64_t, bytes,          8,   bytes,                         0) \
	_(uint64_t, start,          16,  start,                         0) \
	_(uint64_t, end,            24,  end,                           0) \
	_(uint32_t, device,         32,  deviceId,                      0) \
	_(uint32_t, context,        36,  contextId,                     0) \
	_(uint32_t, stream,         40,  streamId,                      0) \
	_(uint32_t, corr,           44,  correlationId,                 0) \
	_(uint64_t, graph_node,     64,  graphNodeId,                  13) \
	_(uint32_t, graph,          72,  graphId,                      14) \
	_(uint32_t, channel,        76,  channelID,                    17) \
	_(uint32_t, channel_type,   80,  channelType,                  17) \
	_(uint8_t,  by_device,      84,  isDeviceLaunched,         130000) \
	_(uint64_t, count,          88,  copyCount,                    26)
#define CUPTI_PEER_FIELDS(_)                                               \
	_(uint8_t,  copy_kind,      4,   copyKind,                      0) \
	_(uint8_t,  from_kind,      5,   srcKind,                       0) \
	_(uint8_t,  to_kind,        6,   dstKind,                       0) \
	_(uint8_t,  flags,          7,   flags,                         0) \
	_(uint64_t, bytes,          8,   bytes,                         0) \
	_(uint64_t, start,          16,  start,                         0) \
	_(uint64_t, end,            24,  end,                           0) \
	_(uint32_t, device,         32,  deviceId,                      0) \
	_(uint32_t, context,        36,  contextId,                     0) \
	_(uint32_t, stream,         40,  streamId,                      0) \
	_(uint32_t, from_device,    44,  srcDeviceId,                   0) \
	_(uint32_t, to_device,      52,  dstDeviceId,                   0) \
	_(uint32_t, corr,           60,  correlationId,                 0) \
	_(uint64_t, graph_node,     72,  graphNodeId,                  13) \
	_(uint32_t, graph,          80,  graphId,                      14) \
	_(uint32_t, channel,        84,  channelID,                    17) \
	_(uint32_t, channel_type,   88,  channelType,                  17)
#define CUPTI_MEMSET_FIELDS(_)                                             \
	_(uint32_t, value,          4,   value,                         0) \
	_(uint64_t, bytes,          8,   bytes,                         0) \
	_(uint64_t, start,          16,  start,                         0) \
	_(uint64_t, end,            24,  end,                           0) \
	_(uint32_t, device,         32,  deviceId,                      0) \
	_(uint32_t, context,        36,  contextId,                     0) \
	_(uint32_t, stream,         40,  streamId,                      0) \
	_(uint32_t, corr,           44,  correlationId,                 0) \
	_(uint16_t, flags,          48,  flags,                         0) \
	_(uint16_t, memory_kind,    50,  memoryKind,                    0) \
	_(uint64_t, graph_node,     64,  graphNodeId,                  13) \
	_(uint32_t, graph,          72,  graphId,                      14) \
	_(uint32_t, channel,        76,  channelID,                    17) \
	_(uint32_t, channel_type,   80,  channelType,                  17)
#define CUPTI_API_FIELDS(_)                                                \
	_(uint32_t, cbid,           4,   cbid,                          0) \
	_(uint64_t, start,          8,   start,                         0) \
	_(uint64_t, end,            16,  end,                           0) \
	_(uint32_t, process,        24,  processId,                     0) \
	_(uint32_t, thread,         28,  threadId,                      0) \
	_(uint32_t, corr,           32,  correlationId,                 0) \
	_(uint32_t, result,         36,  returnValue,                   0)
#define CUPTI_EXTERNAL_FIELDS(_)                                           \
	_(uint32_t, kind_of_id,     4,   externalKind,                  0) \
	_(uint64_t, id,             8,   externalId,                    0) \
	_(uint32_t, corr,           16,  correlationId,                 0)
#define CUPTI_SYNC_FIELDS(_)                                               \
	_(uint32_t, type,           4,   type,                          0) \
	_(uint64_t, start,          8,   start,                         0) \
	_(uint64_t, end,            16,  end,                           0) \
	_(uint32_t, corr,           24,  correlationId,                 0) \
	_(uint32_t, context,        28,  contextId,                     0) \
	_(uint32_t, stream,         32,  streamId,                      0) \
	_(uint32_t, event,          36,  cudaEventId,                   0) \
	_(uint32_t, result,         48,  returnValue,                  26)
#define CUPTI_OVERHEAD_FIELDS(_)                                           \
	_(uint32_t, what,           4,   overheadKind,                  0) \
	_(uint32_t, object_kind,    8,   objectKind,                    0) \
	_(uint32_t, object_first,   12,  objectId.dcs.deviceId,         0) \
	_(uint32_t, object_second,  16,  objectId.dcs.contextId,        0) \
	_(uint32_t, object_third,   20,  objectId.dcs.streamId,         0) \
	_(uint64_t, start,          24,  start,                         0) \
	_(uint64_t, end,            32,  end,                           0) \
	_(uint32_t, corr,           40,  correlationId,                21)
#define CUPTI_MARKER_FIELDS(_)                                             \
	_(uint32_t, flags,          4,   flags,                         0) \
	_(uint64_t, at,             8,   timestamp,                     0) \
	_(uint32_t, id,             16,  id,                            0) \
	_(uint32_t, object_kind,    20,  objectKind,                    0) \
	_(uint32_t, thread,         28,  objectId.pt.threadId,          0) \
	_(uint64_t, name,           40,  name,                          0) \
	_(uint64_t, domain,         48,  domain,                        0)
#define CUPTI_NAME_FIELDS(_)                                               \
	_(uint32_t, object_kind,    4,   objectKind,                    0) \
	_(uint32_t, object_first,   8,   objectId.dcs.deviceId,         0) \
	_(uint32_t, object_second,  12,  objectId.dcs.contextId,        0) \
	_(uint32_t, object_third,   16,  objectId.dcs.streamId,         0) \
	_(uint64_t, name,           24,  name,                          0)
#define CUPTI_MEMORY_FIELDS(_)                                             \
	_(uint32_t, operation,      4,   memoryOperationType,           0) \
	_(uint32_t, memory_kind,    8,   memoryKind,                    0) \
	_(uint32_t, corr,           12,  correlationId,                 0) \
	_(uint64_t, address,        16,  address,                       0) \
	_(uint64_t, bytes,          24,  bytes,                         0) \
	_(uint64_t, at,             32,  timestamp,                     0) \
	_(uint32_t, device,         52,  deviceId,                      0) \
	_(uint32_t, context,        56,  contextId,                     0) \
	_(uint32_t, stream,         60,  streamId,                      0) \
	_(uint64_t, name,           64,  name,                          0) \
	_(uint32_t, is_async,       72,  isAsync,                       0) \
	_(uint64_t, pool,           88,  memoryPoolConfig.address,      0)
#define CUPTI_GRAPH_FIELDS(_)                                              \
	_(uint32_t, corr,           4,   correlationId,                 0) \
	_(uint64_t, start,          8,   start,                         0) \
	_(uint64_t, end,            16,  end,                           0) \
	_(uint32_t, device,         24,  deviceId,                      0) \
	_(uint32_t, graph,          28,  graphId,                       0) \
	_(uint32_t, context,        32,  contextId,                     0) \
	_(uint32_t, stream,         36,  streamId,                      0)
#define CUPTI_EVENT_FIELDS(_)                                              \
	_(uint32_t, corr,           4,   correlationId,                 0) \
	_(uint32_t, context,        8,   contextId,                     0) \
	_(uint32_t, stream,         12,  streamId,                      0) \
	_(uint32_t, event,          16,  eventId,                       0) \
	_(uint32_t, device,         24,  deviceId,                     26) \
	_(uint64_t, at,             40,  deviceTimestamp,              26)
#define CUPTI_DEVICE_FIELDS(_)                                             \
	_(uint64_t, kb_per_s,       8,   globalMemoryBandwidth,         0) \
	_(uint64_t, memory_bytes,   16,  globalMemorySize,              0) \
	_(uint32_t, warp,           32,  numThreadsPerWarp,             0) \
	_(uint32_t, core_khz,       36,  coreClockRate,                 0) \
	_(uint32_t, sms,            44,  numMultiprocessors,            0) \
	_(uint32_t, warps,          52,  maxWarpsPerMultiprocessor,     0) \
	_(uint32_t, blocks,         56,  maxBlocksPerMultiprocessor,    0) \
	_(uint32_t, smem,           60,  maxSharedMemoryPerMultiprocessor, 0) \
	_(uint32_t, registers,      64,  maxRegistersPerMultiprocessor, 0) \
	_(uint32_t, cc_major,       104, computeCapabilityMajor,        0) \
	_(uint32_t, cc_minor,       108, computeCapabilityMinor,        0) \
	_(uint32_t, id,             112, id,                            0) \
	_(uint64_t, uuid_first,     120, uuid,                          0) \
	_(uint64_t, uuid_second,    128, uuid.bytes[8],                 0) \
	_(uint64_t, name,           136, name,                          0)
#define CUPTI_STREAM_FIELDS(_)                                             \
	_(uint32_t, context,        4,   contextId,                     0) \
	_(uint32_t, stream,         8,   streamId,                      0) \
	_(int32_t,  priority,       12,  priority,                      0) \
	_(uint32_t, flag,           16,  flag,                          0)
#define CUPTI_CONTEXT_FIELDS(_)                                            \
	_(uint32_t, context,        4,   contextId,                     0) \
	_(uint32_t, device,         8,   deviceId,                      0) \
	_(uint16_t, null_stream,    14,  nullStreamId,                  0)
#define CUPTI_JIT_FIELDS(_)                                                \
	_(uint32_t, entry,          4,   jitEntryType,                  0) \
	_(uint32_t, operation,      8,   jitOperationType,              0) \
	_(uint32_t, device,         12,  deviceId,                      0) \
	_(uint64_t, start,          16,  start,                         0) \
	_(uint64_t, end,            24,  end,                           0) \
	_(uint32_t, corr,           32,  correlationId,                 0)

/* Every record once: our word, NVIDIA's structure in the newest headers we know, its size there. */
#define CUPTI_RECORDS(_)                                        \
	_(KERNEL,   kernel,   CUpti_ActivityKernel10,           216) \
	_(MEMCPY,   memcpy,   CUpti_ActivityMemcpy6,             96) \
	_(PEER,     peer,     CUpti_ActivityMemcpyPtoP4,         96) \
	_(MEMSET,   memset,   CUpti_ActivityMemset4,             88) \
	_(API,      api,      CUpti_ActivityAPI,                 40) \
	_(EXTERNAL, external, CUpti_ActivityExternalCorrelation, 24) \
	_(SYNC,     sync,     CUpti_ActivitySynchronization2,    56) \
	_(OVERHEAD, overhead, CUpti_ActivityOverhead3,           56) \
	_(MARKER,   marker,   CUpti_ActivityMarker2,             56) \
	_(NAME,     name,     CUpti_ActivityName,                32) \
	_(MEMORY,   memory,   CUpti_ActivityMemory4,            128) \
	_(GRAPH,    graph,    CUpti_ActivityGraphTrace2,         56) \
	_(EVENT,    event,    CUpti_ActivityCudaEvent2,          56) \
	_(DEVICE,   device,   CUpti_ActivityDevice5,            184) \
	_(STREAM,   stream,   CUpti_ActivityStream,              24) \
	_(CONTEXT,  context,  CUpti_ActivityContext3,            32) \
	_(JIT,      jit,      CUpti_ActivityJit2,                72)
/* clang-format on */

static inline uint32_t cupti_kind_of(const void *record)
{
	uint32_t kind;
	memcpy(&kind, record, sizeof kind);
	return kind;
}

/* kernel_start(record, version) and so on: the field, 0 when this CUPTI does not have it yet. */
#define CUPTI_GETTER_(record, type, field, offset, since)                             \
	static inline type record##_##field(const void *bytes, uint32_t version)      \
	{                                                                             \
		type value = 0;                                                       \
		if (version + 1u > (since))                                           \
			memcpy(&value, (const char *)bytes + (offset), sizeof value); \
		return value;                                                         \
	}
#define CUPTI_KERNEL_GETTER_(type, field, offset, theirs, since)   CUPTI_GETTER_(kernel, type, field, offset, since)
#define CUPTI_MEMCPY_GETTER_(type, field, offset, theirs, since)   CUPTI_GETTER_(memcpy, type, field, offset, since)
#define CUPTI_PEER_GETTER_(type, field, offset, theirs, since)     CUPTI_GETTER_(peer, type, field, offset, since)
#define CUPTI_MEMSET_GETTER_(type, field, offset, theirs, since)   CUPTI_GETTER_(memset, type, field, offset, since)
#define CUPTI_API_GETTER_(type, field, offset, theirs, since)      CUPTI_GETTER_(api, type, field, offset, since)
#define CUPTI_EXTERNAL_GETTER_(type, field, offset, theirs, since) CUPTI_GETTER_(external, type, field, offset, since)
#define CUPTI_SYNC_GETTER_(type, field, offset, theirs, since)     CUPTI_GETTER_(sync, type, field, offset, since)
#define CUPTI_OVERHEAD_GETTER_(type, field, offset, theirs, since) CUPTI_GETTER_(overhead, type, field, offset, since)
#define CUPTI_MARKER_GETTER_(type, field, offset, theirs, since)   CUPTI_GETTER_(marker, type, field, offset, since)
#define CUPTI_NAME_GETTER_(type, field, offset, theirs, since)     CUPTI_GETTER_(name, type, field, offset, since)
#define CUPTI_MEMORY_GETTER_(type, field, offset, theirs, since)   CUPTI_GETTER_(memory, type, field, offset, since)
#define CUPTI_GRAPH_GETTER_(type, field, offset, theirs, since)    CUPTI_GETTER_(graph, type, field, offset, since)
#define CUPTI_EVENT_GETTER_(type, field, offset, theirs, since)    CUPTI_GETTER_(event, type, field, offset, since)
#define CUPTI_DEVICE_GETTER_(type, field, offset, theirs, since)   CUPTI_GETTER_(device, type, field, offset, since)
#define CUPTI_STREAM_GETTER_(type, field, offset, theirs, since)   CUPTI_GETTER_(stream, type, field, offset, since)
#define CUPTI_CONTEXT_GETTER_(type, field, offset, theirs, since)  CUPTI_GETTER_(context, type, field, offset, since)
#define CUPTI_JIT_GETTER_(type, field, offset, theirs, since)      CUPTI_GETTER_(jit, type, field, offset, since)
#define CUPTI_GETTERS_(RECORD, record, theirs, bytes)              CUPTI_##RECORD##_FIELDS(CUPTI_##RECORD##_GETTER_)
CUPTI_RECORDS(CUPTI_GETTERS_)
#endif
