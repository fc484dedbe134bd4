"""Writes small databases as Nsight Systems exports them: made up, with just the columns that a test is about."""
import os
import sqlite3
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import scratch  # noqa: E402

PID, TID = 1 << 48 | 100 << 24, 1 << 48 | 100 << 24 | 101
COLUMNS = {
    "StringIds": "id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL",
    "META_DATA_EXPORT": "name TEXT, value TEXT",
    "TARGET_INFO_SESSION_START_TIME": "utcEpochNs INTEGER, utcTime TEXT, localTime TEXT, systemClockNs INTEGER",
    "TARGET_INFO_SYSTEM_ENV": "name TEXT, value TEXT",
    "TARGET_INFO_GPU": "id INTEGER, name TEXT, totalMemory INTEGER, memoryBandwidth INTEGER, clockRate INTEGER, smCount INTEGER, "
                       "computeMajor INTEGER, computeMinor INTEGER",
    "TARGET_INFO_CUDA_DEVICE": "gpuId INTEGER, cudaId INTEGER, pid INTEGER, uuid TEXT, numMultiprocessors INTEGER",
    "PROCESSES": "globalPid INTEGER, pid INTEGER, name TEXT",
    "ThreadNames": "nameId INTEGER, priority INTEGER, globalTid INTEGER",
    "CUPTI_ACTIVITY_KIND_KERNEL": "start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER, correlationId INTEGER, "
                                  "globalPid INTEGER, demangledName INTEGER, shortName INTEGER, registersPerThread INTEGER, gridX INTEGER, "
                                  "gridY INTEGER, gridZ INTEGER, blockX INTEGER, blockY INTEGER, blockZ INTEGER, staticSharedMemory INTEGER, "
                                  "dynamicSharedMemory INTEGER, graphNodeId INTEGER",
    "CUPTI_ACTIVITY_KIND_MEMCPY": "start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER, correlationId INTEGER, "
                                  "globalPid INTEGER, bytes INTEGER, copyKind INTEGER, srcKind INTEGER, dstKind INTEGER",
    "CUPTI_ACTIVITY_KIND_MEMSET": "start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER, correlationId INTEGER, "
                                  "globalPid INTEGER, bytes INTEGER, value INTEGER, memKind INTEGER",
    "CUPTI_ACTIVITY_KIND_GRAPH_TRACE": "start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER, "
                                       "correlationId INTEGER, globalPid INTEGER, graphId INTEGER",
    "CUPTI_ACTIVITY_KIND_RUNTIME": "start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER, correlationId INTEGER, nameId INTEGER, "
                                   "returnValue INTEGER",
    "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION": "start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER, "
                                           "globalPid INTEGER, syncType INTEGER, eventId INTEGER",
    "CUPTI_ACTIVITY_KIND_CUDA_EVENT": "timestamp INTEGER, deviceId INTEGER, streamId INTEGER, globalPid INTEGER, eventId INTEGER",
    "CUDA_GPU_MEMORY_USAGE_EVENTS": "start INTEGER, globalPid INTEGER, deviceId INTEGER, address INTEGER, bytes INTEGER, memKind INTEGER, "
                                    "memoryOperationType INTEGER",
    "NVTX_EVENTS": "start INTEGER, end INTEGER, eventType INTEGER, category INTEGER, text TEXT, globalTid INTEGER, textId INTEGER, "
                   "domainId INTEGER, uint64Value INTEGER, jsonText TEXT, binaryData BLOB",
    "NVTX_PAYLOAD_SCHEMA_ENTRIES": "domainId INTEGER, schemaId INTEGER, idx INTEGER, flags INTEGER, type INTEGER, name TEXT, description TEXT, "
                                   "arrayOrUnionDetail INTEGER, offset INTEGER",
    "NVTX_PAYLOAD_ENUM_ENTRIES": "domainId INTEGER, schemaId INTEGER, idx INTEGER, name TEXT, value INTEGER, isFlag INTEGER",
    "OSRT_API": "start INTEGER, end INTEGER, globalTid INTEGER, nameId INTEGER, returnValue INTEGER",
    "SCHED_EVENTS": "start INTEGER, cpu INTEGER, isSchedIn INTEGER, globalTid INTEGER",
    "COMPOSITE_EVENTS": "id INTEGER, start INTEGER, cpu INTEGER, globalTid INTEGER",
    "CUDA_UM_CPU_PAGE_FAULT_EVENTS": "start INTEGER, globalPid INTEGER, address INTEGER",
    "CUDA_UM_GPU_PAGE_FAULT_EVENTS": "start INTEGER, end INTEGER, globalPid INTEGER, deviceId INTEGER, address INTEGER, numberOfPageFaults INTEGER",
    "PROFILER_OVERHEAD": "start INTEGER, end INTEGER, globalTid INTEGER, nameId INTEGER, overheadType INTEGER",
    "TARGET_INFO_GPU_METRICS": "typeId INTEGER, metricId INTEGER, metricName TEXT",
    "GPU_METRICS": "timestamp INTEGER, typeId INTEGER, metricId INTEGER, value INTEGER",
    "DIAGNOSTIC_EVENT": "timestamp INTEGER, severity INTEGER, text TEXT, globalPid INTEGER",
}


def write(path, rows, extra="", columns=None):
    """rows: table -> list of dicts; what a dict lacks is NULL. columns: declarations other than those above. extra: SQL run last."""
    db = sqlite3.connect(path)
    for name, listed in rows.items():
        db.execute(f"CREATE TABLE {name} ({(columns or {}).get(name, COLUMNS.get(name))})")
        for row in listed:
            keys = ",".join(f'"{k}"' for k in row)
            db.execute(f"INSERT INTO {name} ({keys}) VALUES ({','.join('?' * len(row))})", list(row.values()))
    db.executescript(extra)
    db.commit()
    db.close()
    return path


def small(name, rows, **more):
    return write(scratch(name), rows, **more)


def work(start, end, corr=0, pid=PID, device=0, stream=7, context=1, **more):
    return {"start": start, "end": end, "deviceId": device, "contextId": context, "streamId": stream, "correlationId": corr, "globalPid": pid, **more}


def call(start, end, corr, name=2, tid=TID, **more):
    return {"start": start, "end": end, "globalTid": tid, "correlationId": corr, "nameId": name, "returnValue": 0, **more}


def texts(**ids):
    return [{"id": int(k[1:]), "value": v} for k, v in ids.items()]


def usual():
    """One process: an op that launches a kernel and a copy, on a GPU that is described."""
    return {
        "StringIds": texts(_1="void gemm<float>(int)", _2="cudaLaunchKernel_v7000", _3="cuMemcpyHtoDAsync_v2", _4="trainer", _5="poll",
                           _6="registered range"),
        "META_DATA_EXPORT": [{"name": "EXPORT_PRODUCT_VERSION", "value": "2024.5.1"}, {"name": "EXPORT_HOST", "value": "secret-host"}],
        "TARGET_INFO_SESSION_START_TIME": [{"utcEpochNs": 1700000000000000000, "systemClockNs": 1000000}],
        "TARGET_INFO_SYSTEM_ENV": [{"name": "DeviceEnvironment", "value": "TOKEN=secret-token"}],
        "TARGET_INFO_GPU": [{"id": 3, "name": "NVIDIA H100", "totalMemory": 85899345920, "memoryBandwidth": 3352320000000,
                             "clockRate": 1980000000, "smCount": 132, "computeMajor": 9, "computeMinor": 0}],
        "TARGET_INFO_CUDA_DEVICE": [{"gpuId": 3, "cudaId": 0, "pid": 100}],
        "PROCESSES": [{"globalPid": PID, "pid": 100, "name": "python3"}],
        "ThreadNames": [{"nameId": 4, "globalTid": TID}],
        "CUPTI_ACTIVITY_KIND_KERNEL": [work(5000, 9000, 1, demangledName=1, registersPerThread=64, gridX=8, gridY=1, gridZ=1, blockX=128,
                                            blockY=1, blockZ=1, staticSharedMemory=16, dynamicSharedMemory=32)],
        "CUPTI_ACTIVITY_KIND_MEMCPY": [work(9500, 9900, 2, bytes=4096, copyKind=1, srcKind=1, dstKind=2)],
        "CUPTI_ACTIVITY_KIND_RUNTIME": [call(2000, 3000, 1), call(3100, 3300, 2, 3)],
        "NVTX_EVENTS": [{"start": 1000, "end": 4000, "eventType": 59, "globalTid": TID, "domainId": 0,
                         "text": "aten::mm, seq = 7, op_id = 12, sizes = [[2, 3], [3, 4]]"},
                        {"start": 500, "end": 12000, "eventType": 59, "globalTid": TID, "domainId": 2, "textId": 6},
                        {"start": 0, "eventType": 75, "domainId": 2, "text": "my domain", "globalTid": TID}],
    }
