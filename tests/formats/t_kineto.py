#!/usr/bin/env python3
"""Details of Kineto and Chrome traces that few files have, each with a trace of a few entries made here."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import Tap, need_program, number, scratch, stepscope, table  # noqa: E402


def trace(name, events):
    path = scratch(name)
    with open(path, "w") as f:
        json.dump({"schemaVersion": 1, "traceEvents": events}, f)
    return path


def work(cat, name, at, device=0, stream=7, corr=1, **args):
    return {"ph": "X", "cat": cat, "name": name, "pid": device, "tid": stream, "ts": at, "dur": 10,
            "args": {"device": device, "stream": stream, "correlation": corr, **args}}


def call(cat, at, corr):
    return {"ph": "X", "cat": cat, "name": "launch", "pid": 9, "tid": 9, "ts": at, "dur": 2, "args": {"correlation": corr}}


def accelerators(tap):
    """Words of Kineto's plugins: what is device work of each, and what calls it."""
    for device, runtime in (("mtia_ccp_events", "mtia_runtime"), ("kernel", "xpu_runtime"), ("kernel", "privateuse1_runtime"), ("kernel", "gcu_runtime"),
                            ("kernel", "hpu_op"), ("gcu_memcpy", "gcu_driver"), ("gcu_memset", "gcu_runtime")):
        path = trace(f"{device}-{runtime}.json", [call(runtime, 0, 1), work(device, "Memcpy HtoD" if "memcpy" in device else "k", 5)])
        row, launches = table("devices", path).rows, table("launches", path).rows
        tap.equal([number(r["busy_ns"]) for r in row], [10000], f"{device} keeps a device busy")
        tap.equal([(r["api"], number(r["latency_p50_ns"])) for r in launches], [("launch", 5000)], f"and {runtime} launches it")


def no_tensor_cores(tap):
    """Units of other makers are no Tensor Cores: columns about them stay empty, rows about them are not there."""
    for cat, runtime, vendor in (("mtia_ccp_events", "mtia_runtime", "Meta MTIA"), ("kernel", "xpu_runtime", "Intel XPU"), ("kernel", "hpu_op", "Intel Gaudi")):
        path = trace(f"{runtime}-tc.json", [call(runtime, 0, 1), work(cat, "ampere_fp16_s16816gemm_fp16_128x128", 5), call(runtime, 20, 2), work(cat, "relu", 25, corr=2)])
        rows, keys = table("kernels", path, "--all-columns").rows, table("overview", path).keyed()
        tap.equal({(r["uses_tc"], r["tc_eligible"], r["tc_rule"]) for r in rows}, {(None, None, None)}, f"{vendor}: no kernel is asked whether it uses Tensor Cores")
        tap.equal([k for k in keys if k.startswith("tensor_core")], [], f"{vendor}: the overview does not speak of them")
        told = stepscope("findings", path).out
        tap.ok("Tensor Core" not in told, f"{vendor}: nor does a finding", told)


def ascend(tap):
    """Ascend's layers: work, waits, transfers, groups and what was computed; with times as texts, and as numbers; another program's names mean nothing."""
    python, cann, hardware, links, overlap = (9, *((9 << 10) + (layer << 5) + 3 for layer in (1, 4, 5, 7)))
    layers = [(python, "Python", 9, "Thread 9"), (cann, "CANN", 9, "Thread 9"), (hardware, "Ascend Hardware", 2, "Stream 2"),
              (links, "Communication", 0, "Group 0 Communication"), (links, "Communication", 1, "Plane 0"), (overlap, "Overlap Analysis", 2, "Free")]
    work = [(python, 9, "aten::mm", 0, 40, {"Sequence number": 1}, "cpu_op"), (python, 9, "Enqueue@mm", 2, 3, {"correlation_id": 8}, "enqueue"),
            (cann, 9, "Node@launch", 10, 5, {"connection_id": 7}, None), (hardware, 2, "aclnnMm_MatMulV2_MatMulV2", 50, 20, {"Task Type": "AI_CORE", "connection_id": 7}, None),
            (hardware, 2, "MEMCPY_ASYNC", 80, 5, {"Task Type": "SDMA"}, None), (hardware, 2, "Notify_Wait", 90, 9, {"Task Type": "NOTIFY_WAIT"}, None),
            (links, 0, "hcom_allReduce__1_0_1", 90, 30, {}, None), (links, 1, "Memcpy", 95, 20, {}, None), (overlap, 2, "Free", 70, 10, {}, None)]
    for how in (str, float):
        names = [{"ph": "M", "name": what, "pid": pid, "tid": tid, "args": {"name": name}} for pid, process, tid, thread in layers
                 for what, name in (("process_name", process), ("thread_name", thread))]
        path = trace(f"ascend-{how.__name__}.json", names + [{"ph": "X", "name": n, "pid": pid, "tid": tid, "ts": how(at), "dur": dur, "args": args, **({"cat": cat} if cat else {})}
                                                             for pid, tid, n, at, dur, args, cat in work])
        rows = table("streams", path).rows
        tap.equal([(r["device"], r["name"], number(r["kernels"]), number(r["copies"]), number(r["busy_ns"])) for r in rows],
                  [("3", "stream 2", 1, 1, 25000), ("3", "Group 0 Communication", 1, 0, 30000)], f"Ascend, times as {how.__name__}: what computes, what is copied, a collective")
        tap.equal([(r["op"], r["api"], number(r["latency_p50_ns"])) for r in table("launches", path).rows if r["api"]], [("aten::mm", "Node@launch", 40000)], "a call is one of its op's thread")
        tap.ok("\nbusy        NPU 3 " in stepscope("brief", path).out, "an NPU is called so")
    alone = [e for e in names if e["pid"] == links and e["tid"] == 0] + [{"ph": "X", "name": "send", "pid": links, "tid": 7, "ts": 0, "dur": 1}]
    tap.equal(table("devices", trace("links.json", alone)).rows, [], "a process called Communication alone is one of the host")


def unknown(tap):
    path = trace("unknown.json", [call("npu_runtime", 0, 1), work("npu_task", "a", 5), work("npu_task", "b", 15), work("npu_copy", "c", 25)])
    facts, notes = table("trace", path).keyed(), {row["note"]: row["times"] for row in table("notes", path).rows}
    tap.equal((facts.get("fact:unknown_device_categories"), notes.get("category_unknown")), ("npu_task, npu_copy", 3), "unknown device categories are named in a note")
    plain = trace("plain.json", [{"ph": "X", "cat": "mine", "name": "x", "pid": 1, "tid": 1, "ts": 0, "dur": 1, "args": {"device": 0}}])
    tap.ok("category_unknown" not in {row["note"] for row in table("notes", plain).rows}, "a program's own events are none")


def counters(tap):
    path = trace("counter.json", [{"ph": "C", "name": "load", "pid": 1, "ts": t, "args": {"cpu": v}} for t, v in ((0, "1.5"), (10, "2"), (20, "many"))])
    notes, facts = {row["note"]: row["times"] for row in table("notes", path).rows}, table("trace", path).keyed()
    tap.equal((number(facts["events_merged"]), notes.get("counter_not_number")), (2, 1), "a counter's number may be a text")
    tap.ok(not stepscope("report", path, "--format", "html").crashed, "and is drawn")


def arrows(tap):
    """Events that say themselves what arrow goes in and out; their ids hold for all categories and processes."""
    def event(ph, name, at, pid=1, **more):
        return {"ph": ph, "name": name, "cat": name, "pid": pid, "tid": 1, "ts": at, "args": {}, **({"dur": 4} if ph == "X" else {}), **more}
    path = trace("bind_id.json", [
        event("X", "send", 0, bind_id="0x1", flow_out=True), event("X", "inner", 0), event("X", "relay", 10, 2, bind_id="0x1", flow_in=True, flow_out=True),
        event("B", "receive", 20, bind_id="0x1", flow_in=True), event("B", "nested", 20), event("E", "", 22), event("E", "", 25),
        event("X", "alone", 30, bind_id="0x2", flow_in=True), event("X", "unnamed", 40, flow_out=True), event("X", "plain", 50, bind_id="0x3"),
        {"ph": "s", "cat": "bind_id", "name": "v1", "id": 1, "pid": 1, "tid": 1, "ts": 51}])
    out = scratch("bind_id_out.json")
    stepscope("export", path, "-o", out)
    with open(out) as f:
        points = [(e["ph"], e["id"], e["pid"], e["ts"]) for e in json.load(f)["traceEvents"] if e["ph"] in "sf"]
    tap.equal(points, [("s", 1, 1, 0), ("f", 1, 2, 10), ("s", 2, 2, 10), ("f", 2, 1, 24.999)], "flow_in and flow_out make arrows, each to its own event")
    notes, facts = {row["note"]: row["times"] for row in table("notes", path).rows}, table("trace", path).keyed()
    tap.equal((notes.get("arrow_unmatched"), notes.get("flow_unbound")), (2, 1), "ends without the other one are noted")
    tap.equal([number(facts[k]) for k in ("events_shown", "events_merged")], [8, 2], "arrows of events are no entries of their own")


def waits(tap):
    """Kineto draws an arrow from a wait of the host to its event beside the stream, where kernels may run at that time."""
    def arrow(ph, corr, at, pid, tid):
        return {"ph": ph, "cat": "ac2g", "name": "ac2g", "id": corr, "pid": pid, "tid": tid, "ts": at, **({"bp": "e"} if ph == "f" else {})}
    def wait(name, at, corr, stream):
        return work("cuda_sync", name, at, 0, stream, corr, cuda_sync_kind=name)
    path = trace("cuda_sync.json", [
        call("cuda_runtime", 0, 5), work("kernel", "long", 4, corr=5), arrow("s", 5, 0, 9, 9), arrow("f", 5, 4, 0, 7),
        call("cuda_runtime", 5, 6), wait("Stream Sync", 8, 6, 7), arrow("s", 6, 5, 9, 9), arrow("f", 6, 8, 0, 7),
        call("cuda_runtime", 20, 8), wait("Context Sync", 21, 8, -1), arrow("s", 8, 20, 9, 9), arrow("f", 8, 21, 0, -1)])
    out = scratch("cuda_sync_out.json")
    stepscope("export", path, "-o", out)
    with open(out) as f:
        ends = [(e["id"], e["tid"], e["ts"]) for e in json.load(f)["traceEvents"] if e["ph"] == "f"]
    names = {row["track"]: row["name"] for row in table("tracks", path).rows}
    tap.equal((number(table("trace", path).keyed()["flows"]), len(ends)), (3, 3), "arrows into cuda_sync bind")
    tap.equal(sorted(names.values()), ["stream 7", "synchronisation", "synchronisation", "thread 9"], "and make no tracks of their own")
    tap.equal(table("notes", path).rows, [], "no arrow is left")
    tap.equal([at for _, _, at in sorted(ends, key=lambda e: e[2])], [4, 8, 21], "each at its own time")


def old_devices(tap):
    """The first releases of Kineto called the list computeProperties, and its capability major and minor."""
    kernels = [work("kernel", "k", 5, corr=1, grid=[160, 1, 1], block=[128, 1, 1], **{"registers per thread": 32, "shared memory": 0})]
    path = scratch("compute.json")
    for devices, name in (([{"id": 0, "name": "Tesla V100", "major": 7, "minor": 0, "multiProcessorCount": 80}], "Tesla V100"), ([], None)):
        with open(path, "w") as f:
            json.dump({"schemaVersion": 1, "computeProperties": devices, "traceEvents": kernels}, f)
        row, kernel = table("devices", path, "--no-cache").rows[0], table("kernels", path, "--all-columns", "--no-cache").rows[0]
        tap.equal((row["name"], kernel["blocks_per_sm"], kernel["limited_by"]), (name, 2.0 if devices else None, "grid" if devices else None),
                  f"computeProperties of {len(devices)} devices")
    told = trace("blocks.json", [work("kernel", "k", 5, corr=1, grid=[160, 1, 1], block=[128, 1, 1], **{"blocks per SM": 2.5})])
    tap.equal(table("kernels", told, "--all-columns").rows[0]["blocks_per_sm"], 2.5, "blocks per SM as recorded, where the device is not told")


def profiler_plugin(tap):
    """NCCL's example of a profiler plugin prints pointers and words as C does, without quotes."""
    path = scratch("nccl.json")
    with open(path, "w") as f:
        f.write("""[
{"name": "Group API", "cat": "GROUP_API", "ph": "b", "id": 0, "pid": 39, "tid": 1, "ts": 10.5, "args": {"groupApiId": 0, "groupDepth":2}},
{"name": "KernelLaunch", "cat": "KERNEL_LAUNCH", "ph": "b", "id": 0, "pid": 39, "tid": 1, "ts": 12.0, "args": {"groupId": 0, "Stream": 0x262ca50}},
{"name": "KernelLaunch", "cat": "KERNEL_LAUNCH", "ph": "e", "id": 0, "pid": 39, "tid": 1, "ts": 14.0},
{"name": "Send", "cat": "P2P_API", "ph": "b", "id": 0, "pid": 39, "tid": 1, "ts": 15.0, "args": {"datatype": ncclFloat32, "hint": CUDA_R_16F, "Stream": (nil)}},
{"name": "Send", "cat": "P2P_API", "ph": "e", "id": 0, "pid": 39, "tid": 1, "ts": 16.0},
{"name": "Group API", "cat": "GROUP_API", "ph": "e", "id": 0, "pid": 39, "tid": 1, "ts": 20},
{}]
""")
    rows = {row["name"]: row for row in table("events", path, "--all-columns").rows}
    tap.equal((rows["KernelLaunch"]["args.Stream"], rows["Send"]["args.Stream"], rows["Send"]["args.datatype"], rows["Send"]["args.hint"]),
              ("0x262ca50", "(nil)", "ncclFloat32", "CUDA_R_16F"), "values without quotes are texts")
    notes = {row["note"]: row["times"] for row in table("notes", path).rows}
    tap.equal(notes, {"not_strict_json": 4, "empty_entry": 1}, "a note tells that the file departs from JSON, and nothing is lost")
    tap.equal(stepscope("notes", path).status, 0, "which is no finding")


def main():
    need_program()
    tap = Tap()
    accelerators(tap)
    no_tensor_cores(tap)
    unknown(tap)
    counters(tap)
    arrows(tap)
    waits(tap)
    old_devices(tap)
    profiler_plugin(tap)
    tap.done()


if __name__ == "__main__":
    main()
