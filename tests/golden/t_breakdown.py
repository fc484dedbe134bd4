#!/usr/bin/env python3
"""Where the time of a step goes, one small hand-made XSpace per rule, by stepscope's rules and by XProf's.

Times are in us. Expected are rows of the table of steps: length, then the parts that are not 0; by hand, from the rules told in
each case. XProf's differ in four ways: devices are pooled, host events do not count beside device work (so a step lasts as long
as its device work), copies are known by the spelling MemcpyHToD only, and a step without compute is none.
"""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import mkxspace
from harness import TableError, Tap, need_program, number, scratch, table
from mkxspace import Ref, Uint

PARTS = ("device_compute", "device_to_device", "collectives", "host_compute", "kernel_launch", "input", "output", "compilation",
         "other")
PS = 10**6
COPIES = {"H2D": "kind_src:pinned kind_dst:device", "D2H": "kind_src:device kind_dst:pinned", "D2D": "kind_src:device kind_dst:device",
          "P2P": "kind_src:device kind_dst:device"}


class Trace:
    """One host thread, and one stream per GPU. A launch call takes 1 us."""

    def __init__(self):
        self.space, self.streams, self.corr = mkxspace.Space(["h"]), {}, 0
        self.thread = self.space.plane("/host:CPU", id=100).line(1, "python", timestamp_ns=1000)

    def host(self, name, start, end, **stats):
        self.thread.event(name, offset_ps=start * PS, dur_ps=(end - start) * PS, stats=stats)
        return self

    def marker(self, number, start, end):
        return self.host("train", start, end, _r=1, step_num=number)

    def work(self, at, name, start, end, gpu, **stats):
        self.corr += 1
        self.host(name, at, at + 1, correlation_id=Uint(self.corr), device_id=Uint(gpu))
        if gpu not in self.streams:
            plane = self.space.plane(f"/device:GPU:{gpu}", id=gpu)
            self.streams[gpu] = plane.line(7, "Stream #7(Compute)", timestamp_ns=1000)
        stats["correlation_id"] = Uint(self.corr)
        self.streams[gpu].event(name, offset_ps=start * PS, dur_ps=(end - start) * PS, stats=stats)
        return self

    def kernel(self, at, name, start, end, gpu=0, **stats):
        return self.work(at, name, start, end, gpu, kernel_details=Ref("regs:32 grid:1,1,1 block:32,1,1"), **stats)

    def copy(self, at, name, start, end, gpu=0):
        kind = name.removeprefix("Memcpy").replace("To", "2")
        return self.work(at, name, start, end, gpu, memcpy_details=Ref(f"{COPIES[kind]} size:64 dest:0 async:1"))

    def memset(self, at, start, end):
        return self.work(at, "Memset 1", start, end, 0, Memset_details=Ref("kind:device num_bytes:64 async:1"))


class Kineto:
    """The same as Trace for a file of PyTorch's profiler."""

    def __init__(self):
        self.events, self.corr = [], 0

    def event(self, cat, name, start, end, tid, pid=1, **args):
        self.events.append({"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": start, "dur": end - start, "args": args})
        return self

    def host(self, name, start, end):
        return self.event("cpu_op", name, start, end, 1)

    def marker(self, number, start, end):
        return self.event("user_annotation", f"ProfilerStep#{number}", start, end, 1)

    def work(self, at, call, cat, name, start, end, gpu, call_end=None):
        self.corr += 1
        self.event("cuda_runtime", call, at, call_end or at + 1, 1, correlation=self.corr)
        return self.event(cat, name, start, end, 7, pid=gpu, device=gpu, stream=7, correlation=self.corr)

    def kernel(self, at, name, start, end, gpu=0):
        return self.work(at, "cudaLaunchKernel", "kernel", name, start, end, gpu)

    def waiting_copy(self, at, call, name, start, end, call_end):
        return self.work(at, call, "gpu_memcpy", name, start, end, 0, call_end)

    def write(self, path):
        with open(path, "w", encoding="utf-8") as f:
            json.dump({"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "GPU"}], "traceEvents": self.events}, f)


def step(dur, **parts):
    return {"dur": dur, **dict.fromkeys(PARTS, 0), **parts}


def every_class():
    """One step with each class alone somewhere: [0,10) wait for input, [10,14) four launch calls, [14,18) the rest of a copy
    that began under them, [18,20) what is left of a host op, then device work back to back, [80,85) compilation, [85,90)
    another op, [90,100) nothing. The copies' launch calls lie under the kernel."""
    t = Trace().marker(1, 0, 100).host("IteratorGetNext", 0, 10).host("op/MatMul:MatMul", 14, 20)
    t.kernel(10, "gemm", 20, 60).copy(11, "MemcpyH2D", 13, 18).kernel(12, "relu", 50, 60).copy(13, "MemcpyD2D", 60, 65)
    t.copy(30, "MemcpyD2H", 65, 72).kernel(31, "ncclAllReduceRing_f32", 72, 80)
    t.host("XlaCompile", 80, 85).host("op/Unique:Unique", 85, 90)
    return (t, [step(100, device_compute=40, device_to_device=5, output=7, collectives=8, kernel_launch=4, input=14, host_compute=7,
                     compilation=5, other=10)],
            # [13,80): all copies are compute by their spelling
            [step(67, device_compute=5 + 40 + 5 + 7, collectives=8, other=2)])


def priorities():
    """kernel [10,30) > D2H [20,40) > collective [35,50) > H2D [45,60): each keeps what the ones before leave."""
    t = Trace().marker(1, 0, 70).kernel(0, "gemm", 10, 30).copy(1, "MemcpyDToH", 20, 40)
    t.kernel(2, "ncclAllReduce", 35, 50).copy(3, "MemcpyHToD", 45, 60)
    device = {"device_compute": 20, "output": 10, "collectives": 10, "input": 10}
    return t, [step(70, **device, kernel_launch=4, other=16)], [step(50, **device)]


def launches_beside_copies():
    """A launch call counts before a copy to the device and after a copy from it: calls [20,21) under H2D, [30,31) under D2H."""
    t = Trace().marker(1, 0, 50).copy(0, "MemcpyHToD", 15, 25).copy(1, "MemcpyDToH", 25, 35).kernel(20, "a", 40, 44).kernel(30, "b", 44, 46)
    return (t, [step(50, device_compute=6, kernel_launch=2 + 1, input=9, output=10, other=50 - 28)],
            [step(31, device_compute=6, input=10, output=10, other=5)])


def device_outlasts_marker(kind=Trace):
    """The marker ends before the device, as where one graph is launched and not waited for: the step lasts until that work ends."""
    return (kind().marker(1, 0, 20).kernel(2, "gemm", 10, 50), [step(50, device_compute=40, kernel_launch=1, other=9)],
            [step(40, device_compute=40)])


def device_lags_behind(kind=Trace):
    """The host runs ahead: work of step 1 ends after step 2 begins, so step 1 ends there. Each step is told what the device does
    in its time, whoever launched it: [20,40) of both belong to step 1."""
    t = kind().marker(1, 0, 25).kernel(2, "a", 10, 40).marker(2, 30, 55).kernel(32, "b", 40, 70)
    return (t, [step(30, device_compute=20, kernel_launch=1, other=9), step(40, device_compute=10 + 30)],
            [step(30, device_compute=30), step(30, device_compute=30)])


def host_outlasts_marker():
    """What the host began inside the marker and ends after it is the step's, too."""
    t = Kineto().marker(1, 0, 20).kernel(2, "a", 10, 15).host("op/Unique:Unique", 18, 30)
    return t, [step(30, device_compute=5, kernel_launch=1, host_compute=12, other=12)]


def marker_contains_device():
    """The marker contains the device work: the step is the marker."""
    t = Trace().marker(1, 0, 60).kernel(2, "gemm", 10, 50)
    return t, [step(60, device_compute=40, kernel_launch=1, other=19)], [step(40, device_compute=40)]


def no_compute_on_device():
    """A step whose device work is one copy is none for XProf."""
    t = Trace().marker(1, 0, 20).kernel(2, "gemm", 5, 15).marker(2, 30, 50).copy(32, "MemcpyDToH", 35, 45)
    return (t, [step(20, device_compute=10, kernel_launch=1, other=9), step(20, output=10, kernel_launch=1, other=9)],
            [step(10, device_compute=10)])


def memset_and_peer():
    """Memsets are compute; a copy between devices is one, but not for XProf, which does not know its name."""
    t = Trace().marker(1, 0, 40).memset(1, 10, 20).copy(2, "MemcpyP2P", 20, 30).kernel(3, "gemm", 30, 35)
    return (t, [step(40, device_compute=15, device_to_device=10, kernel_launch=3, other=12)], [step(25, device_compute=25)])


def nccl_names():
    """Collectives are known by their name's beginning in any case; another name that holds the word is none for XProf."""
    t = Trace().marker(1, 0, 60).kernel(1, "ncclKernel_AllReduce_RING_LL_Sum_float", 10, 20)
    t.kernel(2, "ncclDevKernel_ReduceScatter_Sum_bf16", 20, 30).kernel(3, "NCCLBroadcast", 30, 40).kernel(4, "gemm", 40, 45)
    return t, [step(60, collectives=30, device_compute=5, kernel_launch=4, other=21)], [step(35, collectives=30, device_compute=5)]


def half_by_shape():
    """Compute is compute in 16 and 32 bit, also where both run: the union of [10,20) and [15,40)."""
    t = Trace().marker(1, 0, 50).kernel(1, "gemm", 10, 20, shape=Ref("(half[8,8])")).kernel(2, "gemm_fp16", 15, 40, shape=Ref("(float[8])"))
    return t, [step(50, device_compute=30, kernel_launch=2, other=18)], [step(30, device_compute=30)]


def interleaved():
    """The device alternates between two steps. Ours reach from marker to marker, the last one to its last work, and hold what
    the device does meanwhile; XProf's last as long as their longest stretch, so what step 1 did before is lost."""
    t = Trace().marker(1, 0, 5).kernel(1, "a", 10, 20).kernel(2, "b", 30, 60).marker(2, 5, 9).kernel(6, "c", 20, 30)
    return (t, [step(5, kernel_launch=2, other=3), step(25, device_compute=20, kernel_launch=1, other=4)],
            [step(30, device_compute=30), step(10, device_compute=10)])


def host_only():
    """Without a device the marker is the step; what encloses other ops (EagerExecute) is nobody's time."""
    t = Trace().marker(1, 0, 100).host("EagerExecute: f", 5, 90).host("IteratorGetNext", 10, 30).host("op/MatMul:MatMul", 30, 80)
    rows = [step(100, input=20, host_compute=50, other=30)]
    return t, rows, rows


def host_only_without_compute():
    """A step of the host alone that only waits for input is none for XProf."""
    t = Trace().marker(1, 0, 40).host("op/MatMul:MatMul", 10, 30).marker(2, 50, 90).host("IteratorGetNext", 60, 80)
    first = step(40, host_compute=20, other=20)
    return t, [first, step(40, input=20, other=20)], [first]


def two_devices():
    """Ours: a row per device, each over the marker. XProf: one row over the longer device, with the work of both."""
    t = Trace().marker(1, 0, 90).kernel(1, "a", 10, 50, gpu=0).kernel(2, "b", 20, 80, gpu=1)
    return (t, [step(90, device_compute=40, kernel_launch=2, other=48), step(90, device_compute=60, kernel_launch=2, other=28)],
            [step(60, device_compute=60)])


def copy_that_waits():
    """A call that returns when what it copies has arrived has waited: [5,45) is no launch, and no work of the host. One that returns before is: [50,51)."""
    t = Kineto().marker(1, 0, 70).waiting_copy(5, "hipMemcpyWithStream", "Memcpy DtoH (Device -> Host)", 40, 44, 45)
    t.waiting_copy(50, "cudaMemcpyAsync", "Memcpy DtoH (Device -> Pinned)", 60, 64, 51)
    return t, [step(70, output=8, kernel_launch=1, other=25 + 40 - 4)]


CASES = (every_class, priorities, launches_beside_copies, device_outlasts_marker, device_lags_behind, marker_contains_device, no_compute_on_device, memset_and_peer, nccl_names, half_by_shape, interleaved, host_only, host_only_without_compute, two_devices)


# Cases that are told of both formats in the same numbers.
ALIKE = (device_outlasts_marker, device_lags_behind)
KINETO = (host_outlasts_marker, copy_that_waits)


def in_us(row):
    return {key: number(row[f"{key}_ns"]) / 1000 for key in ("dur", *PARTS)}


def shares(rows, of):
    return round(sum(r["part_share_pct"] for r in rows if r["of"] == of), 6)


def main():
    need_program()
    tap = Tap()
    for make in CASES:
        trace, ours, theirs = make()
        path = scratch(f"{make.__name__}.xplane.pb")
        trace.space.write(path)
        name = make.__name__.replace("_", " ")
        try:
            tap.equal([in_us(r) for r in table("steps", path).rows], ours, f"{name}: stepscope's way")
            tap.equal([in_us(r) for r in table("steps", path, "--semantics", "xprof").rows], theirs, f"{name}: XProf's way")
            parts = table("step_parts", path).rows
            tap.equal(shares(parts, "step"), 100, f"{name}: the shares of a step add up to 100 %")
        except TableError as e:
            tap.ok(False, name, e)
    for name, (trace, ours, *_) in [(f.__name__, f(Kineto)) for f in ALIKE] + [(f.__name__, f()) for f in KINETO]:
        path, name = scratch(f"{name}.json"), name.replace("_", " ")
        trace.write(path)
        tap.equal([in_us(r) for r in table("steps", path).rows], ours, f"{name}: a Kineto trace")
        markers = [e["dur"] for e in trace.events if e["name"].startswith("ProfilerStep")]
        tap.equal([in_us(r)["dur"] for r in table("steps", path, "--semantics", "hta").rows], markers, f"{name}: the markers alone with --semantics hta")
    tap.done()


main()
