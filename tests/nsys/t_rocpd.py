#!/usr/bin/env python3
"""Databases of rocprofv3 (rocpd). Made up here after the published schema: no real one was to be had."""
import os
import sqlite3
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import Tap, need_program, number, scratch, stepscope, table  # noqa: E402

WORK = 'id INTEGER PRIMARY KEY, guid TEXT, nid INTEGER, pid INTEGER, tid INTEGER, start BIGINT, "end" BIGINT, event_id INTEGER, stream_id INTEGER, '
COLUMNS = {
    "string": "id INTEGER PRIMARY KEY, guid TEXT, string TEXT",
    "info_node": "id INTEGER PRIMARY KEY, hostname TEXT",
    "info_process": "id INTEGER PRIMARY KEY, nid INTEGER, pid INTEGER, command TEXT, environment JSONB",
    "info_thread": "id INTEGER PRIMARY KEY, nid INTEGER, pid INTEGER, tid INTEGER, name TEXT",
    "info_agent": "id INTEGER PRIMARY KEY, nid INTEGER, pid INTEGER, type TEXT, logical_index INTEGER, type_index INTEGER, name TEXT, "
                  "product_name TEXT, vendor_name TEXT, extdata JSONB",
    "info_stream": "id INTEGER PRIMARY KEY, nid INTEGER, pid INTEGER, name TEXT",
    "info_kernel_symbol": "id INTEGER PRIMARY KEY, kernel_name TEXT, display_name TEXT, arch_vgpr_count INTEGER",
    "event": "id INTEGER PRIMARY KEY, category_id INTEGER, stack_id INTEGER, parent_stack_id INTEGER, correlation_id INTEGER",
    "kernel_dispatch": WORK + "agent_id INTEGER, kernel_id INTEGER, dispatch_id INTEGER, queue_id INTEGER, group_segment_size INTEGER, "
                              "workgroup_size_x INTEGER, workgroup_size_y INTEGER, workgroup_size_z INTEGER, grid_size_x INTEGER, "
                              "grid_size_y INTEGER, grid_size_z INTEGER",
    "memory_copy": WORK + "name_id INTEGER, dst_agent_id INTEGER, src_agent_id INTEGER, size INTEGER",
    "region": WORK + "name_id INTEGER, extdata JSONB",
    "memory_allocate": WORK + "agent_id INTEGER, type TEXT, level TEXT, address INTEGER, size INTEGER",
    "pmc_event": "id INTEGER PRIMARY KEY, event_id INTEGER, pmc_id INTEGER, value REAL",
}


def write(path, sets):
    """sets: suffix -> table without its prefix -> rows as dicts."""
    db = sqlite3.connect(path)
    for suffix, tables in sets.items():
        for name, listed in tables.items():
            db.execute(f'CREATE TABLE IF NOT EXISTS "rocpd_{name}{suffix}" ({COLUMNS[name]})')
            for row in listed:
                keys = ",".join(f'"{k}"' for k in row)
                db.execute(f'INSERT INTO "rocpd_{name}{suffix}" ({keys}) VALUES ({",".join("?" * len(row))})', list(row.values()))
    db.executescript("".join(f'CREATE VIEW "rocpd_{n}" AS SELECT * FROM "rocpd_{n}{s}";' for s in list(sets)[:1] if s for n in sets[s]))
    db.commit()
    db.close()
    return path


def usual():
    return {
        "string": [{"id": i, "string": s} for i, s in enumerate(("HIP_RUNTIME_API", "hipLaunchKernel", "hipMemcpyAsync", "MARKER_CORE_RANGE_API", "roctxRangePushA",
                                                                 "MEMORY_COPY_HOST_TO_DEVICE", "KERNEL_DISPATCH"), 1)],
        "info_node": [{"hostname": "secret-host"}],
        "info_process": [{"id": 1, "nid": 1, "pid": 4321, "command": "python secret.py", "environment": '{"TOKEN":"secret"}'}],
        "info_thread": [{"id": 1, "nid": 1, "pid": 1, "tid": 4322, "name": "trainer"}],
        "info_agent": [{"id": 1, "type": "CPU", "type_index": 0, "name": "EPYC"},
                       {"id": 2, "type": "GPU", "type_index": 0, "logical_index": 1, "name": "gfx942", "product_name": "AMD Instinct MI300X",
                        "vendor_name": "AMD", "extdata": '{"cu_count": 304, "simd_count": 1216}'}],
        "info_stream": [{"id": 5, "name": "Stream 1"}],
        "info_kernel_symbol": [{"id": 9, "kernel_name": "_Z4gemmPf.kd", "display_name": "gemm(float*)", "arch_vgpr_count": 96}],
        "event": [{"id": 1, "category_id": 1, "stack_id": 11}, {"id": 2, "category_id": 7, "stack_id": 11}, {"id": 3, "category_id": 1, "stack_id": 12},
                  {"id": 4, "category_id": 6, "stack_id": 12}, {"id": 5, "category_id": 4, "stack_id": 13}],
        "kernel_dispatch": [{"start": 2000, "end": 5000, "agent_id": 2, "kernel_id": 9, "stream_id": 5, "event_id": 2, "pid": 1, "group_segment_size": 512,
                             "workgroup_size_x": 256, "workgroup_size_y": 1, "workgroup_size_z": 1, "grid_size_x": 1024, "grid_size_y": 2, "grid_size_z": 1}],
        "memory_copy": [{"start": 6000, "end": 7000, "name_id": 6, "dst_agent_id": 2, "src_agent_id": 1, "size": 8192, "stream_id": 5, "event_id": 4}],
        "region": [{"start": 1000, "end": 1500, "pid": 1, "tid": 1, "name_id": 2, "event_id": 1}, {"start": 1600, "end": 1700, "pid": 1, "tid": 1, "name_id": 3, "event_id": 3},
                   {"start": 900, "end": 8000, "pid": 1, "tid": 1, "name_id": 5, "event_id": 5, "extdata": '{"message":"forward pass"}'}],
        "memory_allocate": [{"start": 100, "end": 200, "pid": 1, "agent_id": 2, "type": "ALLOC", "level": "REAL", "address": 4096, "size": 1000},
                            {"start": 9000, "end": 9100, "pid": 1, "agent_id": 2, "type": "FREE", "level": "REAL", "address": 4096, "size": 0}],
        "pmc_event": [{"event_id": 2, "pmc_id": 1, "value": 3.5}],
    }


def whole(tap):
    path = write(scratch("run_results.db"), {"_0001": usual()})
    rows = {row["name"]: row for row in table("events", path, "--all-columns").rows}
    tap.equal({name: row["kind"] for name, row in rows.items()},
              {"gemm(float*)": "kernel", "Memcpy HtoD": "copy", "hipLaunchKernel": "runtime", "hipMemcpyAsync": "runtime", "forward pass": "annotation",
               "allocation": "memory", "free": "memory"}, "kernels, copies, calls, markers, allocations")
    tap.equal([rows[n]["corr"] for n in ("gemm(float*)", "hipLaunchKernel", "Memcpy HtoD", "hipMemcpyAsync")], [11, 11, 12, 12], "work is joined with its call")
    device, kernel, copy = table("devices", path).rows[0], table("kernels", path).rows[0], table("copies", path).rows[0]
    tap.equal((device["device"], device["name"], device["kernels"], device["kernel_ns"]), (0, "AMD Instinct MI300X", 1, 3000), "the agent is a device")
    tap.equal([kernel[c] for c in ("registers", "smem_bytes", "block", "grid")], [96, 512, "256,1,1", "4,2,1"], "a dispatch: the grid in work-groups")
    tap.equal((copy["direction"], copy["copy_bytes"]), ("H2D", 8192), "a copy")
    tap.equal([row["name"] for row in table("streams", path).rows], ["Stream 1"], "a stream has its name")
    tap.equal([(row["allocator"], row["peak_bytes"]) for row in table("memory", path).rows], [("hip", 1000)], "memory has its peak")
    facts = table("trace", path).keyed()
    read = sum(len(v) for k, v in usual().items() if k not in ("info_node", "pmc_event"))
    sums = [number(facts[k]) for k in ("entries_in_file", "events_shown", "events_merged", "events_noted")]
    tap.equal((sums[0], sum(sums[1:])), (read, read), "rows of the tables read = shown + merged + noted")
    tap.equal((facts["format"], facts["producer"]), ("rocpd", "rocprofv3"), "format and producer")
    tap.equal(table("notes", path).keyed_by("note").get("table_unread", {}).get("times"), 1, "counters of kernels are noted as not read")
    tap.ok("secret" not in stepscope("report", path, "--format", "html").out + stepscope("table", "trace", path).out, "command, environment and host are not told")


def merged(tap):
    two = usual()
    two["info_process"] = [{"id": 1, "pid": 9999}]
    path = write(scratch("merged.db"), {"_a": usual(), "_b": two})
    tap.equal([row["kernels"] for row in table("devices", path).rows], [1, 1], "what two processes wrote is two hosts")
    small = stepscope("table", "devices", path, "--no-cache", env={"STEPSCOPE_WINDOW_BYTES": "65536"})
    tap.equal(small.status, 0, "whatever the window: the list of tables may lie far behind")
    tap.equal(table("notes", path).keyed_by("note").get("corr_duplicate"), None, "and their correlation ids are their own")


def broken(tap):
    bad = usual()
    bad["kernel_dispatch"] += [{"start": "x", "end": 5}, {"start": 1, "end": None}, {"start": 9000, "end": 9500, "agent_id": 77, "kernel_id": 78, "event_id": 79}]
    run = stepscope("table", "trace", write(scratch("bad.db"), {"": bad}))
    tap.ok(run.status == 4 and not run.crashed, "rows without times, and that name nothing", run.told())
    run = stepscope("table", "trace", write(scratch("none.db"), {"": {"info_process": [{"id": 1, "pid": 2}]}}))
    tap.ok(run.status == 3 and "rocprofv3" in run.err, "nothing happened", run.told())
    data = open(write(scratch("cut.db"), {"_0": usual()}), "rb").read()
    found = table("notes", os.path.join(os.path.dirname(os.path.abspath(__file__)), "round.db"), "--no-cache").keyed_by("note")
    tap.equal(found.get("damaged_region", {}).get("times"), 1, "pages that lead to the same ones again and again: no more rows than the file has room for")
    for share in (20, 50, 80, 95):
        with open(scratch("part.db"), "wb") as f:
            f.write(data[:len(data) * share // 100])
        run = stepscope("table", "trace", scratch("part.db"))
        tap.ok(run.status in (3, 4) and not run.crashed, f"cut at {share} %", run.told())


def main():
    need_program()
    tap = Tap()
    whole(tap)
    merged(tap)
    broken(tap)
    tap.done()


if __name__ == "__main__":
    main()
