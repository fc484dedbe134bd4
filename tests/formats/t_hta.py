#!/usr/bin/env python3
"""`--semantics hta` and `--semantics kineto` where a trace holds steps copied to the device and waits of cuda_sync. The numbers are those that HolisticTraceAnalysis
0.5.0 (temporal breakdown, idle time breakdown, launch statistics, queue summary) and PyTorch's plugin for TensorBoard print for the very
files made here."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import Tap, need_program, number, scratch, table  # noqa: E402


def event(cat, name, pid, tid, ts, dur, **args):
    return {"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": ts, "dur": dur, "args": args}


def trace(waits, device_steps):
    out, corr = [], 0
    for n in range(3):
        t, op = n * 100, {"External id": 10 + n}
        out.append(event("user_annotation", f"ProfilerStep#{n + 5}", 1, 1, t, 95, **{"External id": n + 1}))
        out.append(event("cpu_op", "aten::mm", 1, 1, t + 4, 20, **op))
        for at, start, dur, name in ((6, 12, 18, "gemm"), (40, 46, 9, "ncclDevKernel_AllReduce"), (60, 75, 11, "gemm2")):
            corr += 1
            out.append(event("cuda_runtime", "cudaLaunchKernel", 1, 1, t + at, 3, correlation=corr, **op))
            out.append(event("kernel", name, 0, 7, t + start, dur, correlation=corr, stream=7, device=0, **op))
        if device_steps:
            out.append(event("gpu_user_annotation", f"ProfilerStep#{n + 5}", 0, 7, t + 12, 74, **{"External id": n + 1}))
        for call, kind, stream, at, dur in (("cudaStreamSynchronize", "Stream Sync", 7, 66, 24), ("cudaDeviceSynchronize", "Context Sync", -1, 91, 3)) if waits else ():
            corr += 1
            out.append(event("cuda_runtime", call, 1, 1, t + at, dur, correlation=corr, **op))
            out.append(event("cuda_sync", kind, 0, stream, t + at + 1, dur - 2, correlation=corr, stream=stream, device=0, cuda_sync_kind=kind))
    return {"schemaVersion": 1, "distributedInfo": {"rank": 0, "world_size": 1}, "traceEvents": out}


# waits, steps on the device: idle, compute, non-compute, all; host wait of stream 7; launches, their calls, kernels, delays; changes of the queue
WANTED = {(False, False): ([98, 58, 18, 174], 98, [6, 18, 76, 36], 12), (False, True): ([124, 76, 18, 218], 124, [7, 21, 94, 39], 14),
          (True, False): ([79, 58, 40, 177], 98, [6, 18, 76, 36], 12), (True, True): ([102, 76, 40, 218], 124, [7, 21, 94, 39], 14)}


def rows(name, path):
    return table(name, path, "--semantics", "hta").rows


def us(row, *columns):
    return [number(row[c]) / 1000 for c in columns]


def plugin(tap):
    """Its steps: name, kernel, runtime, CPU ops, other, all. The plugin knows runtime calls by Kineto's older category."""
    for both, wanted in ((False, [["5", 38, 9, 5, 43, 95], ["6", 38, 9, 5, 43, 95], ["7", 38, 9, 5, 43, 95]]),
                         (True, [["5", 38, 25, 5, 27, 95], ["5", 0, 0, 0, 0, 0], ["6", 38, 25, 5, 27, 95], ["6", 0, 0, 0, 0, 0], ["7", 38, 25, 5, 27, 95]])):
        path, made = scratch(f"plugin{both}.json"), trace(both, both)
        for e in made["traceEvents"]:
            e["cat"] = "Runtime" if e["cat"] == "cuda_runtime" else e["cat"]
            e["args"]["external id"] = e["args"].get("External id")
        with open(path, "w") as f:
            json.dump(made, f)
        got = [[r["step"], *us(r, "kernel_ns", "runtime_ns", "cpu_exec_ns", "other_ns", "dur_ns")] for r in table("steps", path, "--semantics", "kineto").rows]
        tap.equal(got, wanted, f"the plugin's steps, with {'copies' if both else 'none'} on the device")


def main():
    need_program()
    tap = Tap()
    plugin(tap)
    for (waits, steps), (parts, stream_wait, launches, changes) in WANTED.items():
        path = scratch(f"hta{waits}{steps}.json")
        with open(path, "w") as f:
            json.dump(trace(waits, steps), f)
        what = f"waits {'with' if waits else 'without'}, steps on the device {'with' if steps else 'without'}"
        whole, stream = rows("idle", path)
        tap.equal(us(whole, "idle_ns", "compute_ns", "non_compute_ns", "dur_ns"), parts, f"{what}: the breakdown in time")
        tap.equal(us(stream, "host_wait_ns", "kernel_wait_ns", "other_ns"), [stream_wait, 0, 0], f"{what}: idle time of the stream")
        (row,) = rows("launch_totals", path)
        tap.equal([number(row["launch_calls"]), *us(row, "call_ns", "work_ns", "latency_sum_ns")], launches, f"{what}: launches")
        (row,) = rows("queue", path)
        tap.equal((number(row["begun_calls"]), number(row["depth_max"])), (changes, 1), f"{what}: the queue")
    tap.done()


if __name__ == "__main__":
    main()
