#!/usr/bin/env python3
"""Writes the seeds of fuzz_nsys, fuzz_rocpd and fuzz_database: small databases in pages of 512 bytes."""
import os
import sqlite3
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../nsys"))
import make  # noqa: E402
import t_rocpd  # noqa: E402

CORPUS = os.path.join(HERE, "corpus")


def seed(name, rows):
    """Few columns are declared, so that most bytes are rows."""
    path = os.path.join(CORPUS, name)
    if os.path.exists(path):
        os.remove(path)
    columns = {table: ",".join(sorted({k for row in listed for k in row})) for table, listed in rows.items()}
    make.write(path, rows, columns=columns)
    shrink(path)


def shrink(path):
    db = sqlite3.connect(path)
    db.execute("PRAGMA page_size=512")
    db.execute("VACUUM")
    db.close()


def main():
    for target in ("nsys", "rocpd", "database"):
        os.makedirs(os.path.join(CORPUS, target), exist_ok=True)
    rows = make.usual()
    some = ("StringIds", "CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_RUNTIME", "NVTX_EVENTS")
    seed("nsys/work", {k: rows[k] for k in some})
    seed("nsys/facts", {k: v for k, v in rows.items() if k not in some or k == "CUPTI_ACTIVITY_KIND_KERNEL"})
    rocpd = os.path.join(CORPUS, "rocpd/usual")
    if os.path.exists(rocpd):
        os.remove(rocpd)
    t_rocpd.write(rocpd, {"": t_rocpd.usual()})
    shrink(rocpd)
    rest = {"SCHED_EVENTS": [{"start": i, "cpu": 1, "isSchedIn": i % 2, "globalTid": make.TID} for i in range(9)],
                  "GPU_METRICS": [{"timestamp": 1, "typeId": 2, "metricId": 3, "value": 4.5}],
                  "CUDA_GPU_MEMORY_USAGE_EVENTS": [{"start": 1, "globalPid": make.PID, "bytes": 10, "address": 7, "memoryOperationType": 0}]}
    seed("nsys/rest", rest)
    seed("database/rest", rest)


if __name__ == "__main__":
    main()
