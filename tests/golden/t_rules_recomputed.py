#!/usr/bin/env python3
"""The judged numbers of twelve rules, computed a second time on real traces from single events alone (`table events --all-columns`, and
the tables tracks, streams and steps): own code, and no other number of the program. Times and counts are whole numbers and must be
equal; shares are quotients of such sums and may differ by what a double loses (1e-9)."""
import json
import os
import re
import statistics
import sys
from bisect import bisect_right
from collections import defaultdict

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import TRACES, Tap, need_program, number, skip_all, stepscope, table

# older producers
CATEGORIES = {"Kernel": "kernel", "Memcpy": "gpu_memcpy", "Memset": "gpu_memset", "Runtime": "cuda_runtime", "Operator": "cpu_op",
              "hip_runtime": "cuda_runtime"}
WORK = ("kernel", "gpu_memcpy", "gpu_memset")


# ---- intervals

def union(spans):
    out = []
    for a, b in sorted((a, b) for a, b in spans if b > a):
        if out and a <= out[-1][1]:
            out[-1][1] = max(out[-1][1], b)
        else:
            out.append([a, b])
    return out


def minus(spans, holes):
    """What of sorted, disjoint spans lies in no hole."""
    out, ends = [], [h[1] for h in holes]
    for a, b in spans:
        i = bisect_right(ends, a)
        while i < len(holes) and holes[i][0] < b:
            if holes[i][0] > a:
                out.append([a, holes[i][0]])
            a = max(a, holes[i][1])
            i += 1
        if a < b:
            out.append([a, b])
    return out


def clip(spans, a, b):
    return [[max(a, x), min(b, y)] for x, y in spans if x < b and y > a]


def length(spans):
    return sum(b - a for a, b in spans)


# ---- the events of a trace

class Trace:
    def __init__(self, path):
        self.path = path
        self.events = [self.event(r) for r in table("events", path, "--all-columns").rows]
        groups = {str(r["track"]): r for r in table("tracks", path).rows}
        for e in self.events:
            e["track_row"] = groups[e["track"]]
        self.work = [e for e in self.events if e["cat"] in WORK]
        self.kernels = [e for e in self.work if e["cat"] == "kernel"]
        self.host = [e for e in self.events if e["track_row"]["track_kind"] == "thread"]
        self.steps = table("steps", path).rows
        self.calls = {}
        for e in self.host:
            if e["corr"] and e["cat"] in ("cuda_runtime", "cuda_driver"):
                self.calls.setdefault((self.process(e), e["corr"]), e)
        self.told = json.loads(stepscope("findings", path, "--explain", "all", "--format", "json").out)["findings"]

    @staticmethod
    def event(r):
        a, dur = number(r["start_ns"]), number(r["dur_ns"])
        return {"id": r["id"], "a": a, "b": a + dur, "dur": dur, "name": r["name"], "track": str(r["track"]), "step": r["step"],
                "cat": CATEGORIES.get(r.get("args.cat"), r.get("args.cat")), "corr": number(r["corr"]), "args": r}

    @staticmethod
    def process(e):
        return e["track_row"]["host"], e["track_row"]["rank"]

    @staticmethod
    def device(e):
        return (*Trace.process(e), e["track_row"]["track_group"])

    def call_of(self, work):
        return self.calls.get((self.process(work), work["corr"]))

    def inputs(self, rule, first=0):
        found = [f for f in self.told if f["rule"] == rule]
        return {x["name"]: x["value"] for x in found[first]["inputs"]} if len(found) > first else None

    def busy(self):
        spans = defaultdict(list)
        for e in self.work:
            spans[self.device(e)].append((e["a"], e["b"]))
        return {d: union(s) for d, s in spans.items()}

    def idle(self):
        return {d: [(x[1], y[0]) for x, y in zip(s, s[1:])] for d, s in self.busy().items()}


# ---- rules: {name of an input: what it must be}

def device_busy(t):
    """Of the device that is busy least."""
    busy = t.busy()
    share, least = min((100 * length(s) / (s[-1][1] - s[0][0]), d) for d, s in busy.items())
    s = busy[least]
    return {"busy_pct": share, "idle_ns": s[-1][1] - s[0][0] - length(s), "devices": len(busy)}


def few_steps(t):
    return {"steps": len({e["name"] for e in t.events if e["name"].startswith("ProfilerStep#")
                          and e["track_row"]["track_kind"] == "thread"})}


def step_phases(t):
    """Slow steps at the begin are warm-up, others far from the median outliers."""
    lengths = defaultdict(int)
    for r in t.steps:
        lengths[r["step"]] = max(lengths[r["step"]], number(r["dur_ns"]))
    values = list(lengths.values())
    middle = statistics.median(values)
    limit = max(5 * 1.4826 * statistics.median(abs(v - middle) for v in values), middle / 10)
    warm = 0
    while warm < len(values) and values[warm] > middle + limit:
        warm += 1
    return {"warm_up": warm, "outliers": sum(abs(v - middle) > limit for v in values[warm:]), "steps": len(values)}


def launch_queue(t):
    first = {}
    for e in t.work:
        call = t.call_of(e)
        if call and (call["id"] not in first or e["a"] < first[call["id"]][1]["a"]):
            first[call["id"]] = call, e
    latencies = sorted(max(0, e["a"] - call["a"]) for call, e in first.values())
    deepest = 0
    by_stream = defaultdict(list)
    for call, e in first.values():
        by_stream[e["track"]].append((call["a"], max(e["a"], call["a"])))
    for spans in by_stream.values():
        starts, begun = sorted(b for _, b in spans), sorted(a for a, _ in spans)
        deepest = max(deepest, max(i + 1 - bisect_right(starts, a) for i, a in enumerate(begun)))
    nearest = [latencies[-(-len(latencies) * p // 100) - 1] for p in (50, 99)]  # by rank: one of the values
    return {"work": len(t.work), "latency_p50_ns": nearest[0], "latency_p99_ns": nearest[1], "queue": deepest}


def counted(t):
    rows = [r for r in t.steps if r["counted"]]
    return [(r, number(r["start_ns"]), number(r["start_ns"]) + number(r["dur_ns"])) for r in rows]


def is_to_host(e):
    return e["cat"] == "gpu_memcpy" and re.search(r"DtoH|D2H|DeviceToHost", e["name"])


def is_collective(e):
    return e["cat"] == "kernel" and re.search(r"nccl|rccl", e["name"], re.I)


def layers(t):
    """Device work from the most important class on: compute, copies to the host, copies on devices, collectives."""
    compute = union((e["a"], e["b"]) for e in t.work if e["cat"] != "gpu_memcpy" and not is_collective(e))
    to_host = union((e["a"], e["b"]) for e in t.work if is_to_host(e))
    on_device = union((e["a"], e["b"]) for e in t.work if e["cat"] == "gpu_memcpy" and re.search("DtoD|D2D|DeviceToDevice|PtoP", e["name"]))
    collectives = union((e["a"], e["b"]) for e in t.work if is_collective(e))
    return compute, to_host, on_device, collectives


def share_in_steps(t, spans):
    steps = counted(t)
    return 100 * sum(length(clip(spans, a, b)) for _, a, b in steps) / sum(b - a for _, a, b in steps)


def output(t):
    compute, to_host, _, _ = layers(t)
    return {"output_pct": share_in_steps(t, minus(to_host, compute))}


def collectives(t):
    compute, to_host, on_device, comms = layers(t)
    waits = union((e["a"], e["b"]) for e in t.host if "DataLoader" in e["name"])
    return {"collectives_pct": share_in_steps(t, minus(comms, union([*compute, *to_host, *on_device, *waits])))}


def kernel_launch(t):
    """Calls that start work, on the marker's thread and on those that launch; one that returns when half of its copy or more is done copies
    itself."""
    threads = {t.call_of(e)["track"] for e in t.work if t.call_of(e)} | \
        {e["track"] for e in t.host if e["name"].startswith("ProfilerStep#")}
    waits = [(e["a"], e["b"]) for e in t.host if "DataLoader" in e["name"] and e["track"] in threads]
    above = union([*waits, *(s for layer in layers(t) for s in layer)])
    started = {}
    for e in t.work:
        if t.call_of(e) and (t.call_of(e)["id"] not in started or e["a"] < started[t.call_of(e)["id"]][1]["a"]):
            started[t.call_of(e)["id"]] = t.call_of(e), e
    calls = union((call["a"], call["b"]) for call, e in started.values()
                  if e["cat"] != "gpu_memcpy" or 2 * (call["b"] - e["a"]) < e["b"] - e["a"])
    return {"kernel_launch_pct": share_in_steps(t, minus(calls, above))}


def precision(t):
    # written by hand for these traces: what their kernels' names say of fp16 and bf16; layout changes (batched_transpose_..._half) compute
    # nothing
    half = re.compile(r"bf16|BFloat16|DF16b|__half|c10::Half|\bhalf\b|fp16|f16f16|16816|h884|hmma|_HSS|_BBS|_HHS|s16816|gemm_f16", re.I)
    mine = [e for e in t.kernels if half.search(e["name"])]
    return {"kernels": len(t.kernels), "kernels_16bit": len(mine),
            "kernels_16bit_time_pct": 100 * sum(e["dur"] for e in mine) / sum(e["dur"] for e in t.kernels)}


def tensor_cores(t):
    units = re.compile(r"16816|s1688|h884|s884|i8816|hmma|tensorop|_xmma_|nvjet|flash_fwd|fmha_cutlassF|_mfma_|MFMA|_MI\d+x\d+", re.I)
    mine = [e for e in t.kernels if units.search(e["name"])]
    return {"tensor_core_time_pct": 100 * sum(e["dur"] for e in mine) / sum(e["dur"] for e in t.kernels)}


def waiting(t, names):
    """Of every idle time, what lies in such events before the launch of the work that ends it: an idle device waits for what its host
    does until then."""
    spans = union((e["a"], e["b"]) for e in t.host if re.search(names, e["name"]))
    starts = defaultdict(dict)
    for e in t.work:
        starts[t.device(e)].setdefault(e["a"], e)
    calls = [(a, b, t.call_of(starts[device][b])) for device, gaps in t.idle().items() for a, b in gaps]
    return sum(length(clip(spans, a, min(b, max(a, call["a"])))) for a, b, call in calls if call)


def biggest_gap(t):
    """Step gaps by the first and last work of each step, and idle times that lie in none of them."""
    longest = 0
    for device, gaps in t.idle().items():
        parts = {}
        for e in t.work:
            if t.device(e) == device and e["step"] is not None:
                a, b = parts.get(e["step"], (e["a"], e["b"]))
                parts[e["step"]] = min(a, e["a"]), max(b, e["b"])
        order = sorted(parts.values())
        between = [(x[1], y[0]) for x, y in zip(order, order[1:]) if y[0] > x[1]]
        alone = [g for g in gaps if not any(a <= g[0] and g[1] <= b for a, b in between)]
        longest = max([longest, *(b - a for a, b in between + alone)])
    return longest


def ops_around(t):
    """Launching call -> the innermost op around it."""
    out = {}
    by_track = defaultdict(list)
    for e in t.host:
        if e["cat"] == "cpu_op":
            by_track[e["track"]].append(e)
    calls = defaultdict(list)
    for call in t.calls.values():
        calls[call["track"]].append(call)
    for track, list_ in calls.items():
        ops, stack, i = sorted(by_track[track], key=lambda e: (e["a"], -e["b"])), [], 0
        for call in sorted(list_, key=lambda e: e["a"]):
            while i < len(ops) and ops[i]["a"] <= call["a"]:
                stack.append(ops[i])
                i += 1
            stack = [o for o in stack if o["b"] > call["a"]]
            around = [o for o in stack if o["b"] >= call["b"]]
            out[call["id"]] = around[-1] if around else None
    return out


def small_kernels(t):
    """The op that the finding names: its runs, their kernels' time, and the mean."""
    named, around = t.inputs("small-kernels").get("type"), ops_around(t)
    runs, ns = set(), 0
    for e in t.kernels:
        call = t.call_of(e)
        op = around.get(call["id"]) if call else None
        if op and op["name"].split("::")[-1] == named:
            runs.add(op["id"])
            ns += e["dur"]
    return {"runs": len(runs), "total_ns": ns, "avg_ns": ns / len(runs) if runs else 0}


K = "kineto/"
RULES = {
    "device-busy": (device_busy, ("mi300-ddp-resnet18", "h100-bert", "param-resnet", "resnet50-autograd-13streams", "sglang-decode",
                                  "mi300-flux-big", "dlrm-8rank-nccl", "vllm-decode-graph")),
    "few-steps": (few_steps, ("resnet50-array-form", "transformer-small", "h100-bert")),
    "step-phases": (step_phases, ("param-resnet", "mi300-ddp-resnet18", "resnet50-autograd-13streams")),
    "launch-queue": (launch_queue, ("mi300-ddp-resnet18", "h100-bert", "param-resnet", "mi300-qwen")),
    "output": (output, ("h100-bert", "param-resnet", "mi300-ddp-resnet18", "transformer-small")),
    "collectives": (collectives, ("resnet50-array-form", "mi300-ddp-resnet18", "param-resnet")),
    "kernel-launch": (kernel_launch, ("h100-bert", "mi300-ddp-resnet18", "param-resnet", "transformer-small")),
    "precision-16bit": (precision, ("mi300-ddp-resnet18", "h100-bert", "h100-qwen", "param-resnet", "mi300-flux-big")),
    "tensor-cores": (tensor_cores, ("h100-bert", "param-resnet", "h100-qwen", "segment-anything-fast")),
    "small-kernels": (small_kernels, ("h100-bert", "mi300-ddp-resnet18", "mi300-qwen")),
}


V100 = "resnet50-v100-2spans/worker0.1623143089861.pt.trace.json.gz"
BIGGEST = ("mi300-flux-big", "param-resnet", V100, "h100-owlv2", "sglang-decode")
ALLOCATOR = r"^(hip|cuda)(Free|Malloc|Host(Alloc|Malloc|Register))"
IDLE = (("mi300-ddp-resnet18", "allocator", ALLOCATOR), ("param-resnet", "allocator", ALLOCATOR), ("param-resnet", "input wait", "DataLoader"),
        ("resnet50-autograd-13streams", "input wait", "DataLoader"), (V100, "input wait", "DataLoader"),
        ("resnet50-array-form", "input wait", "DataLoader"))


def near(got, expected):
    return got is not None and (got == expected if isinstance(expected, int) else abs(got - expected) <= 1e-9 * max(1, abs(expected)))


def main():
    need_program()
    if not os.path.isdir(TRACES):
        skip_all("no corpus of real traces (../shared/traces)")
    tap, known = Tap(), {}

    def read(name):
        if name not in known:
            known[name] = Trace(os.path.join(TRACES, K, name))
        return known[name]
    for rule, (compute, names) in RULES.items():
        for name in names:
            t = read(name)
            told, mine = t.inputs(rule), compute(t)
            wrong = {k: (told and told.get(k), v) for k, v in mine.items() if not told or not near(told.get(k), v)}
            tap.ok(not wrong, f"{rule}: {name}: {', '.join(mine)}", f"input: (told, computed again): {wrong}")
    for name in BIGGEST:
        tap.equal(number(table("overview", os.path.join(TRACES, K, name)).keyed()["gap_1_ns"]), biggest_gap(read(name)), f"biggest gap: {name}")
    for name, cause, names in IDLE:
        told = sum(number(r["idle_ns"]) for r in table("idle_causes", os.path.join(TRACES, K, name)).rows if r["cause"] == cause)
        tap.equal(told, waiting(read(name), names), f"idle: {name}: {cause}")
    tap.done()


main()
