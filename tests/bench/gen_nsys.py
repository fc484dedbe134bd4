#!/usr/bin/env python3
"""Writes an export of Nsight Systems of so many rows: gen_nsys.py ROWS OUT. Of ten rows four are kernels on 8 streams, four the calls that
launch them and two NVTX ranges around these, with 2000 names and steps of 1000 kernels."""
import os
import sqlite3
import sys

SCHEMA = """
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL,
 greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL,
 mangledName INTEGER, launchType INTEGER, cacheConfig INTEGER, registersPerThread INTEGER NOT NULL, gridX INTEGER NOT NULL, gridY INTEGER NOT NULL,
 gridZ INTEGER NOT NULL, blockX INTEGER NOT NULL, blockY INTEGER NOT NULL, blockZ INTEGER NOT NULL, staticSharedMemory INTEGER NOT NULL,
 dynamicSharedMemory INTEGER NOT NULL, localMemoryPerThread INTEGER NOT NULL, localMemoryTotal INTEGER NOT NULL, gridId INTEGER NOT NULL,
 sharedMemoryExecuted INTEGER, graphNodeId INTEGER, sharedMemoryLimitConfig INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL, globalTid INTEGER, correlationId INTEGER,
 nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL, callchainId INTEGER);
CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, rangeId INTEGER, category INTEGER, color INTEGER, text TEXT,
 globalTid INTEGER, endGlobalTid INTEGER, textId INTEGER, domainId INTEGER, uint64Value INTEGER, int64Value INTEGER, doubleValue REAL, uint32Value INTEGER,
 int32Value INTEGER, floatValue REAL, jsonTextId INTEGER, jsonText TEXT, binaryData TEXT);
"""
PID, TID = 4242 << 24, 4242 << 24 | 4242
COUNT = "WITH RECURSIVE c(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM c WHERE i+1<?) "


def main():
    rows, out = int(sys.argv[1]), sys.argv[2]
    if os.path.exists(out):
        os.remove(out)
    db = sqlite3.connect(out)
    db.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;" + SCHEMA)
    launches = rows * 2 // 5
    db.executemany("INSERT INTO StringIds VALUES (?,?)", [(i, f"void kernel_{i}<float, {i % 7}>(float const*, float*, int)") for i in range(1, 2001)])
    db.execute("INSERT INTO StringIds VALUES (2001,'cudaLaunchKernel_v7000')")
    db.execute(f"INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL {COUNT} SELECT i*2000+900, i*2000+2300+i%977, 0, 1, NULL, 7+i%8, i+1, {PID}, 1+i%1000*2+i/1000%2, 1+i%2000, "
               "NULL, 1, 1, 32+i%96, 1+i%4096, 1, 1, 128+i%8*64, 1, 1, 0, i%49152, 0, 0, i, 32768, NULL, NULL FROM c", (launches,))
    db.execute(f"INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME {COUNT} SELECT i*2000, i*2000+700+i%211, 0, {TID}, i+1, 2001, 0, NULL FROM c", (launches,))
    db.execute(f"INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId) {COUNT} SELECT i*4000-100, i*4000+3500, 59, "
               f"'aten::op_'||(i%300)||', seq = '||i||', op_id = '||i, {TID}, 0 FROM c", (rows - 2 * launches,))
    db.commit()
    db.close()


if __name__ == "__main__":
    main()
