#!/usr/bin/env python3
"""Exports of Nsight Systems against SQL on the same file: the three real ones, and small ones made up here."""
import collections
import glob
import gzip
import json
import os
import pty
import select
import signal
import sqlite3
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "../golden")]
from count import count_nsys  # noqa: E402
from harness import STEPSCOPE, TRACES, Tap, TableError, need_program, number, scratch, stepscope, table, until  # noqa: E402
from make import PID, TID, call, small, texts, usual, work  # noqa: E402


def events(*args):
    return table("events", *args, "--all-columns").rows


def kinds(rows):
    return dict(collections.Counter(row["kind"] for row in rows))


# ---- the real ones

def query(path):
    db = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    return lambda sql: db.execute(sql).fetchall()


def without_version(name):
    head, _, tail = name.rpartition("_v")
    return head if head and tail.isdigit() and len(tail) >= 4 else name


def sums(pairs):
    """name -> (calls, total, smallest, largest) as `nsys stats` lists them."""
    out = {}
    for name, ns in pairs:
        n, total, least, most = out.get(name, (0, 0, ns, ns))
        out[name] = (n + 1, total + ns, min(least, ns), max(most, ns))
    return out


def of_kind(rows, *wanted):
    return sums((row["name"], number(row["dur_ns"])) for row in rows if row["kind"] in wanted)


def nesting_by_sql(sql):
    """For each NVTX range: how many ranges of NVTX and calls of its thread hold it, as pairs of begin and length."""
    threads = collections.defaultdict(list)
    for tid, a, b, mine in sql("SELECT globalTid,start,end,1 FROM NVTX_EVENTS UNION ALL "
                               "SELECT globalTid,start,end,0 FROM CUPTI_ACTIVITY_KIND_RUNTIME"):
        threads[tid].append((a, -(b - a), mine))
    depths = collections.Counter()
    for spans in threads.values():
        open_ends = []
        for a, length, mine in sorted(spans):
            while open_ends and open_ends[-1] <= a:
                open_ends.pop()
            if mine:
                depths[len(open_ends)] += 1
            open_ends.append(a - length)
    return depths


def real(tap, path):
    name, sql = os.path.basename(path), query(path)
    rows, facts = events(path), table("trace", path).keyed()
    entries, shown, merged, noted = (number(facts[k]) for k in ("entries_in_file", "events_shown", "events_merged", "events_noted"))
    tap.equal((entries, entries), (count_nsys(path).entries, shown + merged + noted), f"{name}: rows of the tables read = shown + merged + noted")
    kernels = sums(sql("SELECT value,end-start FROM CUPTI_ACTIVITY_KIND_KERNEL JOIN StringIds ON id=demangledName"))
    tap.equal(of_kind(rows, "kernel"), kernels, f"{name}: count, sum, least and most of each kernel (cuda_gpu_kern_sum)")
    calls = sums((without_version(n), ns) for n, ns in sql("SELECT value,end-start FROM CUPTI_ACTIVITY_KIND_RUNTIME JOIN StringIds ON id=nameId"))
    tap.equal(of_kind(rows, "runtime"), calls, f"{name}: count, sum, least and most of each call (cuda_api_sum)")
    direction = {1: "H2D", 2: "D2H", 8: "D2D"}
    memory = collections.Counter()
    copied = collections.Counter()
    for kind, ns, size in sql("SELECT copyKind,end-start,bytes FROM CUPTI_ACTIVITY_KIND_MEMCPY"):
        memory[direction[kind]] += ns
        copied[direction[kind]] += size
    got_ns, got_bytes = collections.Counter(), collections.Counter()
    for row in table("copies", path).rows:
        got_ns[row["direction"]] += number(row["total_ns"])
        got_bytes[row["direction"]] += number(row["copy_bytes"])
    got_ns.pop("memset", None), got_bytes.pop("memset", None)
    tap.equal((+got_ns, +got_bytes), (+memory, +copied), f"{name}: time and bytes of each direction (cuda_gpu_mem_time_sum)")
    tap.equal(of_kind(rows, "memset").get("Memset (Device)", (0, 0))[:2],
              tuple(v or 0 for v in sql("SELECT count(*),sum(end-start) FROM CUPTI_ACTIVITY_KIND_MEMSET")[0]), f"{name}: memsets")
    texts_of = collections.Counter(t.split(", seq = ")[0].split(", op_id = ")[0] for (t,) in sql(
        "SELECT coalesce(text,(SELECT value FROM StringIds WHERE id=textId)) FROM NVTX_EVENTS"))
    tap.equal(collections.Counter(row["name"] for row in rows if row["kind"] in ("op", "annotation")), texts_of, f"{name}: NVTX ranges by name")
    depths = collections.Counter(row["depth"] for row in rows if row["kind"] in ("op", "annotation"))
    tap.equal(sorted(depths.elements()), sorted(nesting_by_sql(sql).elements()), f"{name}: NVTX ranges lie as deep as they nest")
    linked = sql("SELECT count(*) FROM (SELECT correlationId c,globalPid p FROM CUPTI_ACTIVITY_KIND_KERNEL UNION ALL SELECT correlationId,globalPid "
                 "FROM CUPTI_ACTIVITY_KIND_MEMCPY UNION ALL SELECT correlationId,globalPid FROM CUPTI_ACTIVITY_KIND_MEMSET) WHERE NOT EXISTS (SELECT 1 "
                 "FROM CUPTI_ACTIVITY_KIND_RUNTIME r WHERE r.correlationId=c AND r.globalTid/16777216=p/16777216)")[0][0]
    tap.equal(number(table("notes", path).keyed_by("note").get("kernel_no_launch", {"times": 0})["times"]), linked, f"{name}: work without its launch")
    devices = {row["rank"]: row["kernels"] for row in table("devices", path).rows}
    tap.equal(devices, dict(sql("SELECT deviceId,count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL GROUP BY 1")), f"{name}: a rank for each process with a GPU")


def every_table(tap, path):
    names = json.loads(stepscope("--version", "--json").out)["tables"]
    told = [f"{t}: {run.told()}" for t in names for run in [stepscope("table", t, path)] if run.status not in (0, 4)]
    tap.ok(len(names) > 40 and not told, f"{os.path.basename(path)}: each of {len(names)} tables can be asked for", "\n".join(told))


def secrets(tap, path):
    """What was recorded of the environment, of hosts, users and command lines is in no report and in no saved file."""
    report, saved = stepscope("report", path, "--format", "html").out, scratch("secret.stepscope")
    stepscope("pack", path, "-o", saved)
    dump = stepscope("table", "trace", saved).out + stepscope("dump", saved).out
    told = [w for w in ("torchrun", "FastVideo", "modal", "nproc_per_node", "fv_mfu_training") if w in report + dump]
    tap.equal(told, [], "no host, user, path or argument of the recording is told")


# ---- made up: one thing each

def made(tap):
    path = small("usual.sqlite", usual())
    rows, device = {row["name"]: row for row in events(path)}, table("devices", path).rows[0]
    tap.equal(sorted(rows), ["Memcpy HtoD (Pinned -> Device)", "aten::mm", "cuMemcpyHtoDAsync_v2", "cudaLaunchKernel", "registered range",
                             "void gemm<float>(int)"], "events by name, versions of calls left out")
    tap.equal((device["device"], device["name"], device["kernels"]), (3, "NVIDIA H100", 1), "the GPU is the machine's, not CUDA's number of it")
    op = rows["aten::mm"]
    tap.equal((op["kind"], op["args.Sequence number"], op["args.op_id"], op["args.Input Dims"]), ("op", 7, 12, "[[2, 3], [3, 4]]"), "an op of emit_nvtx")
    tap.equal((rows["registered range"]["kind"], rows["registered range"]["args.domain"], op["depth"]), ("annotation", "my domain", 1),
              "a registered text in a domain, around it")
    kernel = table("kernels", path).rows[0]
    tap.equal([kernel[c] for c in ("registers", "static_smem_bytes", "dynamic_smem_bytes", "block", "grid", "op")],
              [64, 16, 32, "128,1,1", "8,1,1", "aten::mm"], "a kernel's launch, and the op it is for")
    facts = table("trace", path).keyed()
    tap.equal((number(facts["epoch_ns"]), facts["fact:nsys_version"]), (1700000000000000000 - 1000000 + 500, "2024.5.1"), "wall clock and version")
    told = stepscope("report", path, "--format", "html").out + stepscope("table", "trace", path).out
    tap.ok("secret" not in told, "environment and host are not told")
    tap.equal(rows["cudaLaunchKernel"]["corr"], 1, "a call keeps its correlation")
    sizes = ["[[2, 3], []]", "[[2, 3], [", "[01]", "[1 2]", "[1,]", "[],[]", "[[[[[]]]]]"]
    odd = {"NVTX_EVENTS": [{"start": i, "end": i + 1, "globalTid": TID, "text": f"op{i}, op_id = {i}, sizes = {s}"} for i, s in enumerate(sizes)]}
    ops = events(small("sizes.sqlite", odd, columns={"NVTX_EVENTS": "start, end, globalTid, text"}))
    tap.equal([row["args.Input Dims"] for row in sorted(ops, key=lambda row: row["name"])], sizes, "sizes are kept as they are written, sound or not")
    packed = scratch("usual.sqlite.gz")
    with gzip.open(packed, "wb") as f:
        f.write(open(path, "rb").read())
    tap.equal(kinds(events(packed)), kinds(rows.values()), "packed: the same")
    piped = stepscope("table", "events", "-", "--format", "json", stdin=open(path, "rb").read())
    tap.ok(piped.status == 0 and len(json.loads(piped.out)["rows"]) == 6, "from a pipe: the same", piped.told())


def two_processes(tap):
    """CUDA calls each one's GPU 0; correlation ids are the same in both."""
    other, thread = PID + (100 << 24), TID + (100 << 24)
    rows = usual()
    rows["TARGET_INFO_CUDA_DEVICE"] = [{"gpuId": 1, "cudaId": 0, "pid": 100}, {"gpuId": 0, "cudaId": 0, "pid": 200}]
    rows["CUPTI_ACTIVITY_KIND_KERNEL"] += [work(6000, 6500, 1, pid=other, demangledName=1)]
    rows["CUPTI_ACTIVITY_KIND_RUNTIME"] += [call(4000, 4500, 1, tid=thread)]
    path = small("two.sqlite", rows)
    devices = sorted((row["rank"], row["device"], row["kernels"], row["kernel_ns"]) for row in table("devices", path).rows)
    tap.equal(devices, [(0, 0, 1, 500), (1, 1, 1, 4000)], "two processes that each see GPU 0: two GPUs, two ranks")
    tap.equal(table("notes", path).keyed_by("note").get("corr_duplicate"), None, "and their correlation ids are their own")
    both = [small(f"rank{i}.sqlite", usual()) for i in (0, 1)]
    hosts = [(row["rank"], row["device"]) for row in table("devices", *both).rows]
    tap.equal(sorted(hosts), [(0, 3), (1, 3)], "two exports are two ranks on one axis")


def folder(tap):
    at = scratch("folder")
    os.makedirs(at)
    for i in (0, 1):
        os.rename(small(f"of{i}.sqlite", usual()), os.path.join(at, f"rank{i}.sqlite"))
    os.rename(small("cats.sqlite", {"cats": [{"name": "Tom"}]}, columns={"cats": "name TEXT"}), os.path.join(at, "cats.sqlite"))
    run = stepscope("summarize", os.path.join(at, "rank0.sqlite"), "-o", os.path.join(at, "summary.sqlite"))
    facts = stepscope("table", "trace", at, "--format", "json")
    got = {r[0]: r[1] for r in json.loads(facts.out)["rows"]} if facts.status == 0 else {}
    tap.ok(run.status == 0 and got.get("sources") == 2, "a folder of exports: other databases in it are left alone", run.told() + facts.told())


def odd_tables(tap):
    rows = {
        "StringIds": texts(_1="k", _2="cudaGraphLaunch_v10000", _5="poll"),
        "CUPTI_ACTIVITY_KIND_GRAPH_TRACE": [work(100, 900, 4, graphId=6)],
        "CUPTI_ACTIVITY_KIND_KERNEL": [work(1000, 1100, 9, demangledName=1, graphNodeId=5), work(1100, 1200, 9, demangledName=1, graphNodeId=6),
                                       work(1300, 1400, 10, demangledName=1, context=2)],
        "CUPTI_ACTIVITY_KIND_RUNTIME": [call(10, 50, 4), call(60, 80, 9)],
        "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION": [{"start": 90, "end": 950, "globalPid": PID, "syncType": 3, "streamId": 7, "contextId": 1}],
        "CUPTI_ACTIVITY_KIND_CUDA_EVENT": [{"timestamp": 700, "globalPid": PID, "deviceId": 0, "streamId": 7, "eventId": 3}, {"eventId": 4}],
        "CUDA_GPU_MEMORY_USAGE_EVENTS": [{"start": 5, "globalPid": PID, "deviceId": 0, "address": 4096, "bytes": 1000, "memKind": 2, "memoryOperationType": 0},
                                         {"start": 8, "globalPid": PID, "deviceId": 0, "address": 8192, "bytes": 500, "memKind": 2, "memoryOperationType": 0},
                                         {"start": 950, "globalPid": PID, "deviceId": 0, "address": 4096, "bytes": 1000, "memKind": 2, "memoryOperationType": 1}],
        "OSRT_API": [{"start": 1, "end": 4, "globalTid": TID, "nameId": 5}],
        "SCHED_EVENTS": [{"start": 0, "cpu": 3, "isSchedIn": 1, "globalTid": TID}, {"start": 70, "cpu": 3, "isSchedIn": 0, "globalTid": TID}],
        "COMPOSITE_EVENTS": [{"id": 1, "start": 20, "cpu": 3, "globalTid": TID}],
        "PROFILER_OVERHEAD": [{"start": 30, "end": 40, "globalTid": TID, "nameId": 1, "overheadType": 3}],
        "TARGET_INFO_GPU_METRICS": [{"typeId": 1 << 56, "metricId": 2, "metricName": "SM Active [Throughput %]"}],
        "GPU_METRICS": [{"timestamp": 100, "typeId": 1 << 56, "metricId": 2, "value": 90}, {"timestamp": 200, "typeId": 1 << 56, "metricId": 2, "value": None}],
        "DIAGNOSTIC_EVENT": [{"timestamp": 1, "severity": 1, "text": "started: secret --password x"}, {"timestamp": 2, "severity": 2, "text": "Not all CUDA events might have been collected"}],
        "SOMETHING_NEW": [{"a": 1}],
    }
    path = small("odd.sqlite", rows, columns={"SOMETHING_NEW": "a INTEGER"})
    got, notes = events(path), {row["note"]: row["times"] for row in table("notes", path).rows}
    by_name = collections.Counter((row["kind"], row["name"], row["track_name"]) for row in got)
    for wanted in (("device_other", "CUDA graph 6", "stream 7"), ("other", "wait for a stream", "waits"), ("instant", "event 3", "CUDA events"),
                   ("other", "poll", "thread 101"), ("other", "CPU 3", "on a CPU"), ("instant", "sample on CPU 3", "CPU samples"),
                   ("overhead", "Buffer Flush", "thread 101"), ("memory", "free", "memory"),
                   ("instant", "Not all CUDA events might have been collected", "diagnostics")):
        tap.ok(any(k[:2] == wanted[:2] and wanted[2] in (k[2] or "") for k in by_name), f"{wanted[0]}: {wanted[1]}", sorted(map(str, by_name)))
    tap.equal({k: notes.get(k) for k in ("producer_dropped", "table_unread", "counter_not_number")},
              {"producer_dropped": 1, "table_unread": 1, "counter_not_number": 1}, "what is not shown is noted")
    tap.equal([(row["thread_role"], row["cpus"]) for row in table("threads", path).rows if "101" in row["thread"]][:1], [("launch", 1)], "a thread runs on one CPU")
    tap.ok("secret" not in stepscope("report", path, "--format", "html").out, "what a message quotes of the command line is not told")
    peak = table("memory", path).rows
    tap.equal([(row["allocator"], row["peak_bytes"]) for row in peak], [("cuda", 1500)], "CUDA's memory has its peak")
    streams = {row["name"]: row["kernels"] for row in table("streams", path).rows}
    tap.equal(streams, {"stream 7": 2, "stream 7, context 2": 1}, "streams of one number in two contexts are two")
    launches = {row["corr"] for row in got if row["kind"] == "kernel"}
    tap.equal(launches, {9, 10}, "kernels of a graph share its launch")
    tap.ok(any(row["name"].startswith("GPU 0: SM Active") for row in table("tracks", path).rows), "a metric is a counter")


def ranges(tap):
    text = "iteration {}"
    rows = usual()
    rows["NVTX_EVENTS"] += [{"start": 20000 + i * 1000, "end": 20900 + i * 1000, "eventType": 59, "globalTid": TID, "text": text.format(i)} for i in range(4)]
    rows["NVTX_EVENTS"] += [{"start": 100, "end": 200, "eventType": 60, "globalTid": TID, "text": "across threads"},
                            {"start": 150, "eventType": 34, "globalTid": TID, "text": "a mark"},
                            {"start": 30000, "end": None, "eventType": 59, "globalTid": TID, "text": "still open"},
                            {"start": 2500, "end": 2600, "eventType": 59, "globalTid": TID, "text": "ncclAllReduce",
                             "jsonText": '{"NCCL communicator ID":77,"Message size [bytes]":4096,"Reduction operation":"Sum"}'}]
    rows["StringIds"] += texts(_9="ncclDevKernel_AllReduce_Sum_f32_RING_LL(x)")
    rows["CUPTI_ACTIVITY_KIND_RUNTIME"] += [call(2520, 2580, 20)]
    rows["CUPTI_ACTIVITY_KIND_KERNEL"] += [work(9000, 9400, 20, demangledName=9, stream=8)]
    path = small("ranges.sqlite", rows)
    got = {row["name"]: row for row in events(path)}
    tap.equal((got["across threads"]["track_name"], got["a mark"]["kind"], number(got["a mark"]["dur_ns"])), ("nvtx", "instant", 0), "ranges of processes, marks")
    tap.ok("begin_without_end" in {row["note"] for row in table("notes", path).rows}, "a range that goes on is noted")
    steps = table("trace", path).keyed()
    tap.equal(steps["steps"], 4, "ranges that count iterations are steps")
    collective = table("collectives", path).rows[0]
    tap.equal((collective["op"], number(collective["message_bytes"]), collective["comm_group"]), ("AllReduce", 4096, "77"), "NCCL's payload")


def unified_memory(tap):
    rows = usual()
    rows["CUPTI_ACTIVITY_KIND_MEMCPY"] += [work(20000, 20300, bytes=65536, copyKind=11), work(21000, 21100, bytes=4096, copyKind=12)]
    rows["CUDA_UM_CPU_PAGE_FAULT_EVENTS"] = [{"start": 20500, "globalPid": PID, "address": 4096}]
    rows["CUDA_UM_GPU_PAGE_FAULT_EVENTS"] = [{"start": 19000, "end": 19900, "globalPid": PID, "deviceId": 0, "address": 8192, "numberOfPageFaults": 16}]
    rows["CUPTI_ACTIVITY_KIND_DRIVER"] = [call(22000, 22500, 30, 3)]
    path = small("unified.sqlite", rows, columns={"CUPTI_ACTIVITY_KIND_DRIVER": "start INTEGER, end INTEGER, globalTid INTEGER, correlationId INTEGER, nameId INTEGER, returnValue INTEGER"})
    got = [(row["name"], row["kind"], number(row["dur_ns"])) for row in events(path) if "nified" in row["name"]]
    faults = sorted(((row["args.address"], row["args.page faults"]) for row in events(path) if row["name"].endswith("fault")), key=str)
    tap.equal(faults, [(4096, None), (8192, 16)], "where, and how many at once")
    tap.equal(sorted(got), [("Unified memory DtoH", "copy", 100), ("Unified memory HtoD", "copy", 300), ("unified memory page fault", "other", 0),
                            ("unified memory page fault", "other", 900)], "unified memory: what moves, and the faults of both sides")
    tap.equal({row["direction"]: row["copy_bytes"] for row in table("copies", path).rows if row["src"] != "pinned" and number(row["copy_bytes"]) != 4096
               or row["direction"] == "D2H"}, {"H2D": 65536, "D2H": 4096}, "its bytes count as copies")
    tap.equal(sorted(number(row["dur_ns"]) for row in events(path) if row["name"] == "cuMemcpyHtoDAsync_v2"), [200, 500], "calls of the driver's own table")


def names(tap):
    """Categories and payloads of NVTX; threads by their names."""
    rows, odd = usual(), {"eventType": 59, "globalTid": TID, "domainId": 2}
    rows["NVTX_EVENTS"] += [{"eventType": 33, "domainId": 2, "category": 5, "text": "loading", "globalTid": TID},
                            {"start": 20000, "end": 20100, "text": "known", "category": 5, "uint64Value": 42, **odd},
                            {"start": 20200, "end": 20300, "text": "nameless", "category": 6, "doubleValue": 2.5, **odd}]
    columns = {"NVTX_EVENTS": "start INTEGER, end INTEGER, eventType INTEGER, category INTEGER, text TEXT, globalTid INTEGER, textId INTEGER, domainId INTEGER, "
                              "uint64Value INTEGER, doubleValue REAL"}
    path = small("names.sqlite", rows, columns=columns)
    got = {row["name"]: row for row in events(path)}
    tap.equal([[got[n][f"args.{k}"] for k in ("domain", "category", "payload")] for n in ("known", "nameless")],
              [["my domain", "loading", "42"], ["my domain", "6", "2.5"]], "NVTX: domain, category by name or number, payload")
    tap.ok("trainer" in got["known"]["track_name"], "a thread has its name", got["known"]["track_name"])


# ---- made up: hostile

def refused(tap, path, word, name):
    run = stepscope("table", "trace", path)
    tap.ok(run.status == 3 and word in run.err, name, run.told())


def hostile(tap):
    kernels = {"CUPTI_ACTIVITY_KIND_KERNEL": [work("soon", 5), work(None, 5), work(1, 2, demangledName=77), work(3, None), work(9, 4),
                                              work(2.5, 9), work(-(1 << 63), (1 << 63) - 1)]}
    run = stepscope("table", "trace", small("types.sqlite", kernels))
    tap.ok(run.status == 4 and not run.crashed, "times of other types are noted", run.told())
    facts = table("trace", small("types2.sqlite", kernels)).keyed()
    tap.equal((number(facts["entries_in_file"]), number(facts["events_noted"])), (7, 4), "each of them once")
    view = {"x": [{"a": 1}]}
    refused(tap, small("view.sqlite", view, columns={"x": "a INTEGER"}, extra="CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS WITH RECURSIVE c(start) AS "
                       "(SELECT 1 UNION ALL SELECT start+1 FROM c) SELECT start, start AS end FROM c;"), "Nsight Systems", "a view is no table")
    trigger = usual()
    path = small("trigger.sqlite", trigger, extra="CREATE TRIGGER t AFTER INSERT ON StringIds BEGIN DELETE FROM StringIds; END;")
    tap.equal(len(events(path)), 6, "a trigger does nothing")
    generated = {"CUPTI_ACTIVITY_KIND_KERNEL": [{"start": 1, "end": 2}]}
    path = small("generated.sqlite", generated, columns={"CUPTI_ACTIVITY_KIND_KERNEL": "start INTEGER, end INTEGER, big AS (hex(zeroblob(100000000)))"})
    run = stepscope("table", "events", path)
    tap.ok(run.status in (0, 3, 4) and not run.crashed, "a column that is computed", run.told())
    few = {"NVTX_EVENTS": [{"start": 1, "text": "x" * (17 << 20)}, {"start": 5, "end": 6, "text": "y"}]}
    run = stepscope("table", "trace", small("huge.sqlite", few, columns={"NVTX_EVENTS": "start INTEGER, text TEXT, end INTEGER"}))
    tap.ok(run.status in (0, 3, 4) and not run.crashed, "a text of 17 MiB", run.told())
    refused(tap, small("empty.sqlite", {"CUPTI_ACTIVITY_KIND_KERNEL": []}), "has a row", "no row at all")
    refused(tap, small("foreign.sqlite", {"cats": [{"name": "Tom"}]}, columns={"cats": "name TEXT"}), "Nsight Systems", "another program's database")
    run = stepscope("table", "events", small("bare.sqlite", {"CUPTI_ACTIVITY_KIND_KERNEL": [{"start": 1, "end": 2}]},
                                             columns={"CUPTI_ACTIVITY_KIND_KERNEL": "start, end"}))
    tap.ok(run.status == 0 and "kernel" in run.out, "two columns are enough", run.told())
    odd_ids = usual()
    path = small("ids.sqlite", odd_ids, columns={"StringIds": "value TEXT, id INTEGER"})
    tap.equal(sorted(row["name"] for row in events(path) if row["kind"] == "kernel"), ["void gemm<float>(int)"], "texts whose ids are no row numbers")


def others(tap):
    """What Nsight Systems writes besides, and what to do with it."""
    for name, data in (("run.nsys-rep", b"NVIDIA Tegra Profiler Report" + bytes(64)), ("t.parquet", b"PAR1" + bytes(64))):
        with open(scratch(name), "wb") as f:
            f.write(data)
        refused(tap, scratch(name), "nsys export --type sqlite", f"{name}: the command that makes an export")
    os.makedirs(scratch("run.parquetdir"))
    refused(tap, scratch("run.parquetdir"), "nsys export --type sqlite", "a .parquetdir: the same")


STANDIN = """#!/bin/sh
# nsys as far as `nsys export` goes: tells its progress, copies what stands beside the report
for word; do case $word in --output=*) to=${word#--output=} ;; --type=*) type=${word#--type=} ;; esac; from=$word; done
echo "$@" >"%s/words"
case $from in *broken*) echo "Error: cannot read"; exit 1 ;; *slow*) echo "Processing [=  41%%]"; sleep "${NSYS_SLEEP:-0}" ;; esac
[ "$1 $type" = "export sqlite" ] && cp "${from%%.nsys-rep}.real" "$to"
"""


def seen_on_terminal(words, env, until):
    """What a program writes to a terminal, up to some text; then it is interrupted, and it must end."""
    ours, its = pty.openpty()
    child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=its, env={**os.environ, **env, "TERM": "xterm"}, start_new_session=True)
    os.close(its)
    seen = b""
    try:
        while until.encode() not in seen and child.poll() is None:
            if select.select([ours], [], [], 1)[0]:
                seen += os.read(ours, 4096)
    except OSError:
        pass  # it has ended
    os.killpg(child.pid, signal.SIGINT)
    child.wait()
    os.close(ours)
    return seen.decode()


def is_running(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as f:
            return f.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def given_up(tap, report, cache, tools, env, sig):
    """A signal to us alone, while nsys works: neither its folder nor nsys itself stay; after SIGKILL its folder does."""
    if os.path.exists(os.path.join(tools, "words")):
        os.remove(os.path.join(tools, "words"))
    p = subprocess.Popen([STEPSCOPE, "table", "events", report], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, **env})
    while p.poll() is None and not os.path.exists(os.path.join(tools, "words")):
        time.sleep(0.01)
    with open(f"/proc/{p.pid}/task/{p.pid}/children", encoding="ascii") as f:
        nsys = f.read().split()
    p.send_signal(sig)
    status = p.wait()
    left = [n for n in os.listdir(os.path.join(cache, "stepscope")) if n.startswith("export-")]
    if sig != signal.SIGKILL:
        tap.ok(status == -sig and not left, f"{signal.Signals(sig).name} amid an export by nsys leaves no folder", (status, left))
    tap.ok(nsys and until(lambda: not any(map(is_running, nsys)), "the end of nsys"), "and no nsys", nsys)


def automatic(tap):
    """With an nsys on the PATH a report is exported, read and kept as any trace; without one the command is told."""
    tools, cache = scratch("tools"), scratch("nsys-cache")
    os.makedirs(tools)
    with open(os.path.join(tools, "nsys"), "w") as f:
        f.write(STANDIN % tools)
    os.chmod(os.path.join(tools, "nsys"), 0o755)
    env = {"PATH": tools + ":" + os.environ["PATH"], "XDG_CACHE_HOME": cache, "STEPSCOPE_CACHE_AFTER_MS": "0"}
    paths, export = {}, small("export.sqlite", usual())
    for name in ("my run rank3", "broken", "slow"):
        paths[name] = scratch(name + ".nsys-rep")
        with open(paths[name], "wb") as f:
            f.write(b"NVIDIA Tegra Profiler Report" + bytes(972))
        with open(export, "rb") as f, open(scratch(name + ".real"), "wb") as to:
            to.write(f.read())
    report = paths["my run rank3"]
    run = stepscope("table", "events", report, "--format", "json", env=env)
    tap.ok(run.status == 0 and len(json.loads(run.out)["rows"]) == 6, "a report is exported by nsys and read", run.told())
    with open(os.path.join(tools, "words")) as f:
        words = f.read()
    tap.ok(words.startswith("export --type=sqlite --force-overwrite=true --output=" + cache) and words.rstrip().endswith(report), "into the cache, by its whole path", words)
    os.remove(os.path.join(tools, "words"))
    facts = json.loads(stepscope("table", "trace", report, "--format", "json", env=env).out)["rows"]
    tap.equal([row[1] for row in facts if row[0] == "source"], [report], "the source is the report")
    tap.ok(not os.path.exists(os.path.join(tools, "words")), "the second time it comes from the cache")
    left = [n for n in os.listdir(os.path.join(cache, "stepscope")) if not n.endswith(".stepscope")]
    tap.equal(left, [], "no export is left behind")
    run = stepscope("table", "devices", report, "--no-cache", "--format", "json", env={**env, "TMPDIR": tools})
    tap.ok(run.status == 0, "without a cache, among temporary files", run.told())
    tap.ok("exporting with nsys 41.0 %" in seen_on_terminal([STEPSCOPE, "table", "events", paths["slow"]], {**env, "NSYS_SLEEP": "20"}, "41.0 %"),
           "its progress is shown, and giving up ends it")
    for sig in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        given_up(tap, paths["slow"], cache, tools, {**env, "NSYS_SLEEP": "30"}, sig)
    run = stepscope("table", "events", paths["broken"], env=env)
    tap.ok(run.status == 3 and "nsys could not export it" in run.err and f"nsys export --type sqlite -o {paths['broken'][:-9]}.sqlite {paths['broken']}" in run.err,
           "what nsys cannot export: the command to see why", run.told())
    run = stepscope("table", "events", report)
    tap.ok(run.status == 3 and "no nsys is on the PATH" in run.err and f"-o '{report[:-9]}.sqlite' '{report}'" in run.err, "no nsys: the very command, quoted", run.told())
    run = stepscope("table", "events", os.path.basename(report), env={**env, "PATH": ".:" + os.environ["PATH"]}, cwd=tools)
    tap.ok(run.status == 3, "an nsys in the working directory is not started", run.told())


def cut(tap):
    data = open(small("whole.sqlite", {**usual(), "CUPTI_ACTIVITY_KIND_KERNEL": [work(i * 10, i * 10 + 5, demangledName=1) for i in range(20000)]}), "rb").read()
    told, counts = [], set()
    for share in (1, 10, 30, 50, 70, 90, 99):
        path = scratch(f"cut{share}.sqlite")
        with open(path, "wb") as f:
            f.write(data[:len(data) * share // 100])
        run = stepscope("table", "trace", path, "--format", "json")
        if run.status not in (3, 4) or run.crashed:
            told.append(f"{share} %: {run.told()}")
        if run.status == 4:
            counts.add(next(r[1] for r in json.loads(run.out)["rows"] if r[0] == "events_shown"))
    tap.ok(not told and counts, "cut anywhere: read in part or refused", "\n".join(told) or counts)
    for at in (0, 100, 4096 + 8, len(data) // 2):
        path = scratch(f"flipped{at}.sqlite")
        with open(path, "wb") as f:
            f.write(data[:at] + bytes(b ^ 0xff for b in data[at:at + 40]) + data[at + 40:])
        run = stepscope("table", "trace", path)
        tap.ok(run.status in (0, 3, 4) and not run.crashed, f"40 bytes changed at {at}", run.told())


def copies_queued_ahead(tap):
    """24 steps of 10 ms in which copies to the device keep it busy. The host is 14 steps ahead: the launches of the first steps lie before
    the recording, those of the last 10 beside work of steps long before, and from 60 ms on it records none. No step is marked."""
    steps, ahead, period = 24, 14, 10_000_000
    parts = [("copy", 3_000_000), (1, 300_000), ("copy", 3_000_000), (2, 300_000), ("copy", 3_000_000), (3, 400_000)]
    rows = {**usual(), "StringIds": texts(_1="embed", _2="gemm", _3="norm", _4="cudaLaunchKernel_v7000", _5="cudaMemcpyAsync_v3020"),
            "CUPTI_ACTIVITY_KIND_KERNEL": [], "CUPTI_ACTIVITY_KIND_MEMCPY": [], "CUPTI_ACTIVITY_KIND_RUNTIME": [], "NVTX_EVENTS": []}
    for step in range(steps):
        at, host = step * period, (step - ahead) * 6_000_000
        for i, (what, length) in enumerate(parts):
            corr, call_at = step * len(parts) + i + 1, host + i * 900_000
            if what == "copy":
                rows["CUPTI_ACTIVITY_KIND_MEMCPY"].append(work(at, at + length, corr, bytes=80 << 20, copyKind=1, srcKind=1, dstKind=2))
            else:
                rows["CUPTI_ACTIVITY_KIND_KERNEL"].append(work(at, at + length, corr, demangledName=what))
            if step >= ahead:
                rows["CUPTI_ACTIVITY_KIND_RUNTIME"].append(call(call_at, call_at + 20_000, corr, 5 if what == "copy" else 4))
                if what == "copy":
                    rows["NVTX_EVENTS"].append({"start": call_at - 1000, "end": call_at + 30_000, "eventType": 59, "globalTid": TID, "domainId": 0,
                                                "text": f"aten::copy_, seq = {corr}, op_id = {corr}, sizes = [[4, 4]]"})
            at += length
    path = small("ahead.sqlite", rows)
    whole = [row for row in table("steps", path).rows if row["phase"] == "steady"]
    tap.ok(len(whole) >= steps - 2 and all(row["device"] for row in whole), "copies queued ahead: every inferred step has a row of its device",
           [(row["step"], row["device"]) for row in whole])
    copied = {number(row["input_ns"]) for row in whole if number(row["dur_ns"]) == period}
    tap.equal(copied, {9_000_000}, "and holds the 9 ms of copies that run in it")
    first = table("findings", path).rows[0]
    tap.equal((first["rule"], first["severity"]), ("input-bound", "fail"), "what is told first are the copies")
    tap.ok(first["sentence"].startswith("Copies to the device take 90.0 % of the step time"), "as copies, not as a wait for input", first)
    advice = " ".join(row["advice"] or "" for row in table("findings", path).rows)
    tap.ok("nsys profile --cuda-memory-usage=true" in advice and "nvtx.range" in advice and "profile_memory" not in advice and "torch.profiler" not in advice,
           "what to record is told in words of nsys", advice)
    rules = {row["rule"]: row["severity"] for row in table("findings", path).rows}
    tap.equal([rules.get(r) for r in ("other", "input-best-case")], ["pass", None], "nothing is unexplained, and no synthetic data would help")
    facts = table("input", path).keyed()
    tap.equal((facts["verdict"], facts["input_pct"]), ("waiting for copies to the device, most of them no input", 90.0), "table input does not call it input-bound")
    tap.ok("copies to the device: 90.0 % of the step waits for them" in stepscope("brief", path).out, "the verdict of a few lines says the same")


def main():
    need_program()
    tap = Tap()
    made(tap)
    two_processes(tap)
    folder(tap)
    odd_tables(tap)
    ranges(tap)
    unified_memory(tap)
    names(tap)
    hostile(tap)
    others(tap)
    automatic(tap)
    cut(tap)
    copies_queued_ahead(tap)
    found = sorted(glob.glob(os.path.join(TRACES, "nsys/*/*.sqlite")))
    if not found:
        tap.skip("the real exports", "no corpus")
    for path in found:
        try:
            real(tap, path)
        except TableError as e:
            tap.ok(False, f"{path} opens", e)
    if found:
        every_table(tap, found[0])
        secrets(tap, found[0])
    tap.done()


if __name__ == "__main__":
    main()
