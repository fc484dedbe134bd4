#!/usr/bin/env python3
"""What torch.compile compiled: recorded loops beside sums made here from their JSON, and made ones with work on a device."""
import gzip
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..")]
from harness import ROOT, TRACES, Tap, need_program, scratch, table
from served import Served

RECORDED = os.path.join(ROOT, "tests/traces/compiled")
GRAPH = "## Call CompiledFxGraph fabc ##"


def recorded(name):
    path = os.path.join(RECORDED, f"torch-{name}.pt.trace.json.gz")
    events = [e for e in json.load(gzip.open(path))["traceEvents"] if e["ph"] == "X"]
    return path, events


def ns(event):
    """Both ends to the nearest ns."""
    return round((event["ts"] + event["dur"]) * 1000) - round(event["ts"] * 1000)


def inside(x, y):
    return x is not y and x["tid"] == y["tid"] and y["ts"] <= x["ts"] and x["ts"] + x["dur"] <= y["ts"] + y["dur"]


def findings(path):
    return {f["rule"]: f for f in table("findings", path).rows}


def near(tap, got, expected, name, slack=50):
    """Sums of rounded times."""
    tap.ok(abs(got - expected) <= slack, name, f"expected {expected} +- {slack}\ngot      {got}")


def breaks(tap):
    """8 calls; the activations are watched between the two parts, op by op."""
    path, events = recorded("break")
    rows = {r["compiled_region"]: r for r in table("compiled_regions", path).rows}
    regions = {k: [e for e in events if e["name"] == f"Torch-Compiled Region: {k}"] for k in ("0/0", "1/0")}
    graphs = [e for e in events if "CompiledFxGraph" in e["name"]]
    tap.equal({k: r["region_calls"] for k, r in rows.items()}, {k: len(v) for k, v in regions.items()}, "calls of each region")
    tap.equal((rows["0/0"]["graph_breaks"], rows["1/0"]["graph_breaks"]), (8, 0), "the first one breaks each time")
    tap.equal([r["called_by_region"] for r in rows.values()], [None, "0/0"], "and the second one goes on in it")
    for key, of in regions.items():
        own = [g for g in graphs if any(inside(g, r) for r in of) and (key != "0/0" or not any(inside(g, r) for r in regions["1/0"]))]
        near(tap, rows[key]["graph_ns"], sum(ns(g) for g in own), f"time of the graphs of {key}")
        tap.equal(rows[key]["graph_calls"], len(own), f"calls of the graphs of {key}")
    skip = ("TorchDynamo Cache Lookup", "Torch-Compiled", "Pregraph", "AOTDispatcher", "CompiledFunction")
    holders = graphs + regions["1/0"]
    ops = [e for e in events if e.get("cat") == "cpu_op" and not e["name"].startswith(skip) and any(inside(e, r) for r in regions["0/0"])
           and not any(inside(e, h) for h in holders)]
    eager = [e for e in ops if not any(inside(e, o) for o in ops)]
    near(tap, rows["0/0"]["eager_ns"], sum(ns(e) for e in eager), "time op by op between the parts")
    tap.equal((rows["0/0"]["eager_ops"], rows["0/0"]["longest_eager"]), (len(eager), max(eager, key=lambda e: e["dur"])["name"]), "its ops")
    tap.ok("forward" in rows["0/0"]["region_function"] and "torch_dynamo_resume_in_forward" in rows["1/0"]["region_function"], "the functions", rows)
    found = findings(path)["graph-breaks"]
    near(tap, found["lost_ns"], sum(ns(e) for e in eager), "the finding tells that time")
    tap.equal(found["severity"], "warn", "and warns")
    tap.equal(table("findings", path).rows[0]["rule"], "graph-breaks", "it is the first one")
    whole, _ = recorded("whole")
    tap.equal(findings(whole)["graph-breaks"]["severity"], "pass", "the mended loop has none")
    tap.equal([r["graph_breaks"] for r in table("compiled_regions", whole).rows], [0], "nor its table")
    shares = [table("overview", p).keyed()["eager_host_pct"] for p in (path, whole)]
    tap.ok(shares[0] > shares[1] + 10, "more of the broken one runs op by op", shares)


def recompiles(tap):
    """Steps 5 and 7 have batches of other lengths: forward and backward are compiled for each."""
    path, events = recorded("recompile")
    rows = table("compiles", path).rows
    tap.equal([(r["step"], r["compiled_region"], r["after_warmup"]) for r in rows], [("5", "0/1", True)] * 2 + [("7", "0/2", True)] * 2, "four compilations")
    tap.equal([(r["compiled_shape"], r["previous_shape"]) for r in rows if "backward" not in r["name"]],
              [("[48, 256]", "[64, 256]"), ("[56, 256]", "[64, 256]")], "and for which sizes")
    starts = sorted((e for e in events if e["name"] in ("entire_frame_compile", "backward._backward_impl (dynamo_timed)")), key=lambda e: e["ts"])
    near(tap, sum(r["dur_ns"] for r in rows), sum(ns(e) for e in starts), "their time")
    for row, whole in zip(rows, starts):
        load = [e for e in events if e["name"] == "PyCodeCache.load_by_key_path" and inside(e, whole)]
        bundle = [e for e in events if e["name"].startswith("TritonBundler.") and inside(e, whole) and e["name"].count(" ") == 0]
        near(tap, row["build_ns"], sum(ns(e) for e in load + bundle), f"step {row['step']}: building and loading kernels")
        near(tap, sum(row[k] for k in ("tracing_ns", "lowering_ns", "build_ns", "autotune_ns")), row["dur_ns"], "the parts are the whole", 0)
    found = findings(path)["recompilation"]
    tap.ok("step 5 for the shape [48, 256] after [64, 256]" in found["sentence"] and found["severity"] == "warn", "the finding tells why", found)
    near(tap, found["lost_ns"], sum(ns(e) for e in starts), "and what it costs")
    tap.equal(findings(recorded("whole")[0])["recompilation"]["severity"], "pass", "nothing is compiled again in the other one")


def kernels(tap):
    path, events = recorded("break")
    got = {r["inductor_kernel"]: r for r in table("inductor_kernels", path).rows}
    names = {e["name"] for e in events if "_fused_" in e["name"]}
    tap.equal(set(got), names, "each kernel that Inductor wrote")
    for name in sorted(names):
        near(tap, got[name]["calls_ns"], sum(ns(e) for e in events if e["name"] == name), f"time of {name}")
    tap.equal(got["graph_0_cpp_fused_gelu_gelu_backward_mul_0"]["source_ops"], "gelu, gelu_backward, mul", "and its ops")
    path = os.path.join(TRACES, "kineto/torch-compile-triton/trace.json.gz")
    if not os.path.exists(path):
        return tap.skip("kernels on a device", "trace not here")
    events = json.load(gzip.open(path))["traceEvents"]
    calls = {e["name"]: e for e in events if isinstance(e.get("args"), dict) and "kernel_file" in e["args"]}
    rows = {r["inductor_kernel"]: r for r in table("inductor_kernels", path).rows}
    tap.equal({n: (r["kernel_file"], r["kernel_kwargs"], r["num_warps"], r["num_stages"]) for n, r in rows.items()},
              {n: tuple(e["args"][k] for k in ("kernel_file", "kernel_kwargs", "num_warps", "num_stages")) for n, e in calls.items()},
              "file, blocks, warps and stages as recorded")
    tap.equal({n: r["kernel_ns"] for n, r in rows.items()},
              {n: sum(ns(e) for e in events if e.get("cat") == "kernel" and e["name"] == n) for n in calls}, "their time on the device")


def kernels_recorded(tap):
    """Every published trace with kernels that Inductor wrote: their number, their time, and the ops in their names."""
    for name in ("mi300-flux-big/profile_trace_rank_0.json.gz", "vllm-decode-graph/graph_execution.json.gz", "b200-eager/eager_trace.json.gz",
                 "torch-compile-triton/trace.json.gz"):
        path = os.path.join(TRACES, "kineto", name)
        if not os.path.exists(path):
            tap.skip(name, "trace not here")
            continue
        events = json.load(gzip.open(path))
        sums = {}
        for e in events["traceEvents"] if isinstance(events, dict) else events:
            if e.get("cat") == "kernel" and re.match(r"triton_(poi|red|per|tem)_", e["name"]):
                n, of = sums.get(e["name"], (0, 0))
                sums[e["name"]] = (n + 1, of + ns(e))
        rows = {r["inductor_kernel"]: r for r in table("inductor_kernels", path).rows if r["kernels"]}
        tap.equal({k: r["kernels"] for k, r in rows.items()}, {k: n for k, (n, _) in sums.items()}, f"{name}: {len(sums)} kernels")
        far = {k: (r["kernel_ns"], sums[k][1]) for k, r in rows.items() if abs(r["kernel_ns"] - sums[k][1]) > r["kernels"]}
        tap.equal(far, {}, f"{name}: their time")
        fused = {k: re.sub(r"^triton_\w\w\w_fused_|_\d+$", "", k) for k in sums if re.match(r"triton_\w\w\w_fused_[^0-9]", k)}
        tap.equal({k: (rows[k]["source_ops"] or "").replace(", ", "_") for k in fused}, fused, f"{name}: the ops in their names")


class Compiled(Served):
    def ranged(self, name, begin, cat="cpu_op"):
        self.put(cat, name, begin, self.clock - begin, self.pid, self.tid)
        self.clock += 1

    def graph_call(self, kernels, host_us=20):
        begin = self.clock
        self.clock += host_us
        for kernel in kernels:
            self.launch([kernel])
        self.ranged(GRAPH, begin, "user_annotation")

    def eager(self, name, us, kernel):
        begin = self.clock
        self.clock += us
        self.launch([kernel])
        self.ranged(name, begin)


def on_device(tap):
    """Two parts with an island between, on a device; the island's kernels are told apart."""
    s = Compiled()
    for _ in range(6):
        outer = s.clock
        s.graph_call([("triton_poi_fused_add_0", 40)] * 3)
        s.eager("aten::nonzero", 60, ("nonzero_kernel", 30))
        inner = s.clock
        s.graph_call([("triton_red_fused_mean_1", 50)] * 2)
        s.ranged("Torch-Compiled Region: 1/0", inner)
        s.ranged("Torch-Compiled Region: 0/0", outer)
    path = s.write(scratch("island.json.gz"))
    rows = {r["compiled_region"]: r for r in table("compiled_regions", path).rows}
    tap.equal([(r["graph_device_work"], r["graph_device_ns"], r["eager_device_ns"]) for r in rows.values()],
              [(18, 720000, 180000), (12, 600000, 0)], "time on the device, in graphs and op by op")
    keys = table("overview", path).keyed()
    tap.ok(abs(keys["eager_device_pct"] - 100 * 180 / 1500) < 0.01, "the island alone is eager", keys["eager_device_pct"])
    tap.equal(findings(path)["graph-breaks"]["severity"], "warn", "an island")


def small(tap):
    s = Compiled()
    for _ in range(30):
        begin = s.clock
        s.graph_call([("triton_poi_fused_add_0", 4)], host_us=60)
        s.ranged("Torch-Compiled Region: 0/0", begin)
    path = s.write(scratch("small.json.gz"))
    found = findings(path)["small-graphs"]
    tap.ok(found["severity"] == "warn" and "30 calls of compiled graphs launch 1.0 kernels or copies" in found["sentence"], "30 small graphs", found)
    s = Compiled()
    for _ in range(30):
        begin = s.clock
        s.graph_call([("triton_poi_fused_add_0", 4000)], host_us=60)
        s.ranged("Torch-Compiled Region: 0/0", begin)
    tap.equal(findings(s.write(scratch("large.json.gz")))["small-graphs"]["severity"], "pass", "30 large ones")


def tuning(tap):
    """Names as PyTorch's source has them; nothing of it runs without a GPU."""
    s = Compiled()
    begin = s.clock
    s.clock += 100
    build = s.clock
    s.clock += 300
    s.ranged("async_compile.wait (dynamo_timed)", build)
    tune = s.clock
    s.clock += 500
    s.ranged("CachingAutotuner.benchmark_all_configs (dynamo_timed)", tune)
    s.ranged("compile_fx_inner (dynamo_timed)", begin)
    row = table("compiles", s.write(scratch("tuned.json.gz"))).rows[0]
    tap.equal((row["build_ns"], row["autotune_ns"], row["lowering_ns"]), (300000, 500000, 102000), "building and tuning are told apart")


def programs(tap):
    """XLA modules with their ops: sums beside those of another table, and pieces of work counted here by the lane that shows what runs."""
    for name in ("jax-mi300-gemm", "jax-mi300-attention", "jax-mi300-conv-legacy"):
        path = os.path.join(TRACES, "xspace", name)
        if not os.path.isdir(path):
            tap.skip(name, "trace not here")
            continue
        rows, sums = table("program_ops", path).rows, {}
        for r in rows:
            sums[r["program"] or "(no module)"] = sums.get(r["program"] or "(no module)", 0) + r["program_op_ns"]
        by = {r["operation"]: r["total_self_time"] for r in table("ops", path, "--by", "module").rows if r["host_or_device"] == "Device"}
        tap.equal(sums, by, f"{name}: time of each program as the ops by module have it")
        tap.ok(abs(sum(r["program_device_pct"] for r in rows) - 100) < 1e-6, f"{name}: shares of all add up")
    path = os.path.join(TRACES, "xspace", "tpu-inference")
    if not os.path.isdir(path):
        return tap.skip("tpu-inference", "trace not here")
    lanes, device_of = {}, {t["track"]: t["track_group"] for t in table("tracks", path).rows}
    for e in table("events", path).rows:
        if e["track_name"] in ("XLA Modules", "XLA Ops"):
            lanes.setdefault((device_of[e["track"]], e["track_name"]), []).append(e)
    expected = {}
    for (device, lane), events in lanes.items():
        runs = lanes.get((device, "XLA Modules"), [])
        for e in events if lane == "XLA Ops" else ():
            around = [m["name"] for m in runs if m["start_ns"] <= e["start_ns"] < m["start_ns"] + m["dur_ns"]]
            expected[around[0] if around else None] = expected.get(around[0] if around else None, 0) + 1
    got = {}
    for r in table("program_ops", path).rows:
        got[r["program"]] = got.get(r["program"], 0) + r["program_op_work"]
    tap.equal(got, expected, "tpu-inference: work of each program by the module that runs then")
    tap.ok(any(r["op"] == "copy-done.2" for r in table("program_ops", path).rows), "instructions without an op have their own names")
    tap.equal(table("program_ops", os.path.join(TRACES, "kineto/resnet50-array-form")).rows, [], "without programs there are no rows")


def abstains(tap):
    s = Served()
    for _ in range(4):
        s.launch([("gemm", 50)])
        s.fetch()
    path = s.write(scratch("plain.json.gz"))
    tap.equal((table("compiled_regions", path).rows, table("inductor_kernels", path).rows), ([], []), "nothing was compiled: no rows")
    tap.equal([r for r in findings(path) if r in ("graph-breaks", "small-graphs")], [], "and no words")
    s = Compiled()
    begin = s.clock
    s.eager("aten::mm", 20, ("gemm", 10))
    s.ranged("Torch-Compiled Region", begin)
    row = table("compiled_regions", s.write(scratch("old.json.gz"))).rows[0]
    tap.equal([row[k] for k in ("region_calls", "graph_calls", "eager_ns", "compiled_region")], [1, None, None, None],
              "where graphs are not marked nothing is called eager")


def main():
    need_program()
    tap = Tap()
    for part in (breaks, recompiles, kernels, kernels_recorded, on_device, small, tuning, programs, abstains):
        part(tap)
    tap.done()


main()
