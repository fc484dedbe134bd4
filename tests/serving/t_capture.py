#!/usr/bin/env python3
"""Replayed graphs beside the trace of their capture: which op, module and stack each kernel has, which have none, and what is never done:
two recordings on one axis. The served pair is matched again here, by a program that shares nothing with ours."""
import difflib
import glob
import gzip
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..")]
from harness import TRACES, Tap, need_program, scratch, stepscope, table
from served import Served

BLOCK = [("rms_norm_kernel", 5, "aten::rms_norm"), ("gemm_qkv_32", 50, "aten::mm"), ("flash_fwd_kernel", 30, "vllm::attention"),
         ("gemm_mlp_32", 90, "aten::addmm")]


class Capture(Served):
    """Launches that run nothing, each inside its op, its module and a function; ROCm writes the kernel's name beside the call."""

    def captured(self, kernel, op, module="Model_0", function="model.py(7): forward", named=True, call="hipLaunchKernel", stream=None):
        begin, corr = self.clock, self.corr
        self.corr += 1
        self.clock += 3
        self.put("cuda_runtime", call, self.clock, 2, self.pid, self.tid, correlation=corr, **({"kernel": kernel} if named else {}))
        self.clock += 4
        for depth, (cat, name) in enumerate((("python_function", f"nn.Module: {module}"), ("python_function", function), ("cpu_op", op))):
            self.put(cat, name, begin + depth / 2, self.clock - begin - depth, self.pid, self.tid)
        self.clock += 1

    def ran(self):
        """What runs at once divides captures."""
        self.launch([("fill_kernel", 3)], call="hipLaunchKernel")


def capture_of(blocks, named=True, suffix="", into=None, call="hipLaunchKernel"):
    c = into or Capture()
    c.ran()
    for layer in range(blocks):
        for kernel, _, op in BLOCK:
            c.captured(kernel + suffix, op, f"Model_0/Block_{layer}", f"model.py({layer}): forward", named, call)
    return c


def replay(blocks, turns=3, kernels=None, clock=9e6):
    s = Served()
    s.clock = clock
    for _ in range(turns):
        s.graph(kernels or [(k, us) for k, us, _ in BLOCK] * blocks)
        s.fetch()
    return s


def kernels_of(execution, capture, *more):
    return table("graph_kernels", execution, "--capture", capture, *more).rows


def ops_of(rows):
    return [r["op"] for r in rows]


def by_name(tap):
    cap, run = capture_of(4).write(scratch("c.json.gz")), replay(4).write(scratch("r.json.gz"))
    got = kernels_of(run, cap)
    tap.equal(ops_of(got), [op for _, _, op in BLOCK] * 4, "each kernel has the op it was captured in")
    tap.equal({r["captured"] for r in got}, {"name"}, "all by name")
    tap.equal([got[5]["module"], got[5]["stack"], got[5]["layer"]], ["Model_0/Block_1", "model.py(1): forward", 1], "module, frames, layer")
    tap.equal((got[1]["graph_launches"], got[1]["place_ns"]), (3, 150000), "over three launches")
    plain = {r["operation"]: r["total_time"] for r in table("ops", run, "--capture", cap).rows if r["host_or_device"] == "Device"}
    tap.equal((plain["aten::mm"], plain["vllm::attention"]), (600000, 360000), "the ops have their time")
    tap.ok(not [k for k in plain if k.startswith("graph/")], "and nothing goes by its place", plain)
    bare = table("graph_kernels", run).rows
    tap.equal([{r[k] for r in bare} for k in ("op", "captured", "module")], [{None}] * 3, "without a capture nothing is told")
    stacks = {r["operation"] for r in table("ops", run, "--capture", cap, "--by", "stack").rows if r["host_or_device"] == "Device"}
    tap.ok({f"model.py({i}): forward" for i in range(4)} <= stacks, "ops by stack have the frames of the capture", stacks)


def other_batch(tap):
    """Captured for another batch size: products have other names, and two kernels more stand between."""
    c = Capture()
    c.ran()
    for layer in range(4):
        for kernel, _, op in BLOCK:
            c.captured(kernel.replace("_32", "_64"), op, f"Model_0/Block_{layer}")
            if layer == 2 and kernel.startswith("gemm_qkv"):
                c.captured("splitk_reduce_a", "aten::mm")
                c.captured("splitk_reduce_b", "aten::mm")
    got = kernels_of(replay(4).write(scratch("r.json.gz")), c.write(scratch("c.json.gz")))
    tap.equal([r["captured"] for r in got[:4]], ["name", "place", "name", "place"], "other products, by their place")
    tap.equal(ops_of(got[:4]), [op for _, _, op in BLOCK], "and their ops are right")
    tap.equal([(r["captured"], r["op"]) for r in got[9:10]], [("no", None)], "where three stand for one, none is chosen")
    told = table("graphs", replay(4).write(scratch("r.json.gz")), "--capture", scratch("c.json.gz")).rows
    tap.equal([(r["not_captured"], round(r["captured_pct"], 2)) for r in told], [(1, 93.75)], "each that is not found is told")
    tap.ok("names 45 of 48" in stepscope("table", "graphs", scratch("r.json.gz"), "--capture", scratch("c.json.gz")).err, "and said on opening")


def several_sizes(tap):
    """One capture holds three sizes: the one with the graph's names is taken."""
    c = Capture()
    for size in ("_8", "_16", ""):
        c.ran()
        for layer in range(3):
            for kernel, _, op in BLOCK:
                c.captured(kernel.replace("_32", size) if size else kernel, op, f"Size{size}")
    got = kernels_of(replay(3).write(scratch("r.json.gz")), c.write(scratch("c.json.gz")))
    tap.equal({(r["captured"], r["module"]) for r in got}, {("name", "Size")}, "the size that was replayed")


def without_names(tap):
    """CUDA writes no names beside captured calls: their sorts and their number must be the same."""
    kernels = [(k, us) for k, us, _ in BLOCK] * 3
    c = capture_of(3, named=False, call="cudaLaunchKernel")
    got = kernels_of(replay(3).write(scratch("r.json.gz")), c.write(scratch("c.json.gz")))
    tap.equal([(r["captured"], r["op"]) for r in got[:4]], [("place", op) for _, _, op in BLOCK], "as many launches: each at its place")
    c.captured("x", "aten::mul", named=False, call="cudaLaunchKernel")
    got = kernels_of(replay(3).write(scratch("r.json.gz")), c.write(scratch("c.json.gz")))
    tap.equal({r["captured"] for r in got}, {"no"}, "one launch more: nothing is told")
    two = capture_of(3, named=False, into=capture_of(3, named=False, call="cudaLaunchKernel"), call="cudaLaunchKernel")
    got = kernels_of(replay(3, kernels=kernels).write(scratch("r.json.gz")), two.write(scratch("c.json.gz")))
    tap.equal({r["captured"] for r in got}, {"no"}, "two captures that look alike: neither is chosen")


def pairs(tap):
    """A folder of both, or both by name: no axis holds them, and the names are there."""
    folder = scratch("pair")
    os.makedirs(folder, exist_ok=True)
    capture_of(4, into=capture_of(4)).write(os.path.join(folder, "capture.json.gz"))
    replay(4).write(os.path.join(folder, "execution.json.gz"))
    alone = table("trace", os.path.join(folder, "execution.json.gz")).keyed()["span_ns"]
    for word, paths in (("a folder", [folder]), ("two files", sorted(glob.glob(folder + "/*")))):
        got = table("trace", *paths).keyed()
        tap.equal((got["span_ns"], got["sources"]), (alone, 1), f"{word}: the execution alone is on the axis")
        tap.ok("names 48 of 48" in got["fact:capture"], f"{word}: and the capture names its graph", got)
    both = table("trace", os.path.join(folder, "execution.json.gz"), os.path.join(folder, "execution.json.gz")).keyed()
    tap.equal(both["sources"], 2, "two executions stay two")
    saved = scratch("named.stepscope")
    stepscope("pack", folder, "-o", saved, "-f")
    tap.equal(ops_of(table("graph_kernels", saved).rows), [op for _, _, op in BLOCK] * 4, "a saved file keeps the names")


def refused(tap):
    run, cap = replay(3).write(scratch("r.json.gz")), capture_of(3).write(scratch("c.json.gz"))
    for what, words, args in (("no capture", "no launch that was captured", (run, "--capture", run)),
                              ("no graph", "launches no graph", (cap, "--capture", cap)),
                              ("no file", "No such file", (run, "--capture", scratch("absent.json")))):
        got = stepscope("table", "graphs", *args)
        tap.ok(got.status in (2, 3) and words in got.err, what, got.err)


def by_nodes(tap):
    """An Nsight Systems export tells which call made each node of a graph; the graph that is launched is a copy of the captured one."""
    sys.path[:0] = [os.path.join(HERE, "../nsys")]
    from make import TID, call, small, texts, work
    columns = {"CUDA_GRAPH_NODE_EVENTS": "start INTEGER, end INTEGER, globalTid INTEGER, nameId INTEGER, graphNodeId INTEGER, originalGraphNodeId INTEGER"}
    made = [(100, 11, None), (200, 12, None), (300, 13, None), (500, 21, 11), (510, 22, 12), (520, 23, 13)]
    rows = {
        "StringIds": texts(_1="gemm", _2="cudaGraphLaunch_v10000", _3="Graph node creation", _4="flash_fwd"),
        "NVTX_EVENTS": [{"start": 90, "end": 190, "eventType": 59, "text": "attention.qkv", "globalTid": TID},
                        {"start": 195, "end": 250, "eventType": 59, "text": "attention.core", "globalTid": TID}],
        "CUDA_GRAPH_NODE_EVENTS": [{"start": at, "end": at + 5, "globalTid": TID, "nameId": 3, "graphNodeId": node, "originalGraphNodeId": of}
                                   for at, node, of in made],
        "CUPTI_ACTIVITY_KIND_RUNTIME": [call(1000, 1050, 9)],
        "CUPTI_ACTIVITY_KIND_KERNEL": [work(1100, 1200, 9, demangledName=1, graphNodeId=21), work(1200, 1300, 9, demangledName=4, graphNodeId=22),
                                       work(1300, 1400, 9, demangledName=1, graphNodeId=23), work(1400, 1500, 9, demangledName=1, graphNodeId=99)],
    }
    rows["CUPTI_ACTIVITY_KIND_RUNTIME"][0]["nameId"] = 2
    got = table("graph_kernels", small("nodes.sqlite", rows, columns=columns)).rows
    tap.equal([(r["op"], r["captured"]) for r in got], [("attention.qkv", "node"), ("attention.core", "node"), (None, "node"), (None, "no")],
              "each kernel has the range around the making of its node; one made outside of ranges and one that nobody made have none")
    bare = {k: v for k, v in rows.items() if k != "CUDA_GRAPH_NODE_EVENTS"}
    got = table("graph_kernels", small("bare.sqlite", bare)).rows
    tap.equal([(r["op"], r["captured"]) for r in got], [(None, None)] * 4, "without the makers of nodes nothing is told")


def served_pair(tap):
    """421 kernels of one launch; a captured launch runs nothing, and its call tells the kernel."""
    folder = os.path.join(TRACES, "kineto", "vllm-decode-graph")
    if not os.path.isdir(folder):
        return tap.skip("the served pair", "trace not here")
    cap, run = (json.load(gzip.open(glob.glob(f"{folder}/{w}*")[0]))["traceEvents"] for w in ("graph_capture", "graph_execution"))
    ran = {e["args"].get("correlation") for e in cap if e.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset")}
    calls = sorted((e for e in cap if e.get("cat") == "cuda_runtime" and "kernel" in e.get("args", {}) and
                    e["args"]["correlation"] not in ran), key=lambda e: e["ts"])
    ops = sorted((e for e in cap if e.get("cat") == "cpu_op"), key=lambda e: e["ts"])
    graph = [e["args"]["correlation"] for e in run if e.get("name") == "hipGraphLaunch"]
    work = sorted((e for e in run if e.get("cat") == "kernel" and e["args"]["correlation"] in graph), key=lambda e: e["ts"])
    match = difflib.SequenceMatcher(None, [c["args"]["kernel"] for c in calls], [k["name"] for k in work], autojunk=False)
    with_call = {b + i: calls[a + i] for a, b, n in match.get_matching_blocks() for i in range(n)}
    def op_of(call):
        around = [o for o in ops if o["ts"] <= call["ts"] and o["ts"] + o["dur"] >= call["ts"] + call["dur"] and o["tid"] == call["tid"]]
        return min(around, key=lambda o: o["dur"])["name"] if around else None
    expected = [op_of(with_call[i]) if i in with_call else None for i in range(len(work))]
    got = table("graph_kernels", folder).rows
    tap.equal((len(got), len(with_call)), (421, 421), "421 places, all matched by both")
    tap.equal(ops_of(got), expected, "each has the innermost op around its call")
    tap.equal([r["place_ns"] for r in got], [round(e["dur"] * 1000) for e in work], "and its own time")
    rows = table("ops", folder).rows
    device = [r for r in rows if r["host_or_device"] == "Device"]
    none = sum(r["total_self_time"] for r in device if r["operation"] == "(no op)" or r["operation"].startswith("graph/"))
    share = 100 * none / sum(r["total_self_time"] for r in device)
    tap.ok(share <= 5, f"without an op with the capture beside it: {share:.2f} %, at most 5")
    span = table("trace", folder).keyed()["span_ns"]
    tap.ok(span < 20e6, "19 ms on the axis, not 188.8 s", span)
    tap.equal(len(table("devices", folder).rows), 1, "and one device")


def main():
    need_program()
    tap = Tap()
    for part in (by_name, other_batch, several_sizes, without_names, pairs, refused, by_nodes, served_pair):
        part(tap)
    tap.done()


main()
