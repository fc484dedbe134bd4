#!/usr/bin/env python3
"""What iterations of servers consist of: kinds side by side, the share of attention, the least time that memory and arithmetic allow, and
the layers that a graph replays."""
import gzip
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..")]
from harness import TRACES, Tap, need_program, scratch, table
from served import Served
from turns import LAYER, loop, rows


def named(path):
    """Self time on the device by op."""
    return {r["operation"]: (r["type"], r["total_self_time"]) for r in table("ops", path).rows if r["host_or_device"] == "Device"}


def kinds_beside(tap):
    """Two servers: turns of one kind and number of requests stand beside each other, whatever else they do."""
    slow = [("gemm_kernel", 200), ("flash_fwd_kernel", 60), ("rms_norm_kernel", 40)]
    paths = []
    for name, kernels, sizes in (("a", LAYER, (8, 8, 8, 16, 16, 16)), ("b", slow, (16, 16, 16, 16, 8, 8, 8))):
        s = Served()
        for bs in sizes:
            begin = s.clock
            s.graph(kernels * (bs // 8))
            s.fetch()
            s.label(f"execute_context_0(0)_generation_{bs}({bs})", begin)
        paths.append(s.write(scratch(f"kinds-{name}.json.gz")))
    one = {r["requests"]: r for r in table("iteration_kinds", paths[0]).rows}
    tap.equal({k: (r["iteration_kind"], r["iterations"], r["device_mean_ns"]) for k, r in one.items()},
              {8: ("decode", 3, 203000), 16: ("decode", 2, 403000)}, "one row for each")
    both = {r["requests"]: r for r in table("iteration_kinds", paths[0], "--vs", paths[1]).rows}
    tap.equal({k: (r["device_mean_a_ns"], r["device_mean_b_ns"]) for k, r in both.items()}, {8: (203000, 303000), 16: (403000, 603000)},
              "beside another run by kind and requests")


def attention(tap):
    got = [r["attention_pct"] for r in rows(loop(3).write(scratch("attention.json.gz")))]
    tap.equal(got, [30.0] * 3, "60 us of 200 us of kernels are attention")
    path = os.path.join(TRACES, "kineto/vllm-decode-graph/graph_execution.json.gz")
    if not os.path.exists(path):
        return tap.skip("vllm's attention", "trace not here")
    kernels = [e for e in json.load(gzip.open(path))["traceEvents"] if e.get("cat") == "kernel"]
    share = 100 * sum(e["dur"] for e in kernels if "attention" in e["name"]) / sum(e["dur"] for e in kernels)
    tap.ok(abs(rows(path)[0]["attention_pct"] - share) < 0.01, f"vllm: {share:.2f} % at 55,086 tokens of context")


def floor(tap):
    """H100: 3.35 TB/s. 200 MB of weights take 59.7 us; 1,000 tokens of context at 50 kB each another 14.9 us."""
    s = loop(3, label="execute_4_context_0(sq0sk0sqsq0sqsk0)_generation_4(sq4sk1000sqsq4sqsk4000)", bs=4)
    path = s.write(scratch("floor.json.gz"))
    tap.equal([r["floor_ns"] for r in rows(path)], [None] * 3, "no floor without the bytes of the weights")
    rate = [r["value"] for r in table("roofline", path).rows if r.get("key") == "memory_bytes_per_s"]
    got = rows(path, "--parameter-bytes", "200e6")
    tap.ok(abs(got[0]["floor_ns"] - 200e6 / 3.352e12 * 1e9) < 1000, "weights alone", f"{got[0]['floor_ns']} {rate}")
    both = rows(path, "--parameter-bytes", "200e6", "--kv-bytes-per-token", "50e3")
    tap.equal(both[0]["floor_ns"], round(got[0]["floor_ns"] * 1.25), "and a quarter more for the context")
    tap.equal(round(both[0]["floor_pct"], 3), round(100 * both[0]["floor_ns"] / both[0]["iteration_ns"], 3), "as a share of the time")
    bare = loop(3).write(scratch("bare.json.gz"))
    tap.equal([r["floor_ns"] for r in rows(bare, "--parameter-bytes", "200e6", "--kv-bytes-per-token", "50e3")], [None] * 3,
              "without the context the floor is unknown")


def arithmetic(tap):
    """A prompt of 4,096 tokens: a product of 4096 x 4096 x 4096 in 200 us and one without shapes in 100 us; H100: 989.4 TFLOP/s at bf16."""
    def prefill(shapes):
        s = Served()
        begin = s.clock
        for args, us in ((shapes, 200), ({}, 100)):
            at = s.clock
            s.launch([("nvjet_tst_128x256_bf16_gemm", us)])
            s.put("cpu_op", "aten::mm", at - 0.5, s.clock - at + 1, s.pid, s.tid, **args)
            s.clock += 5
        s.fetch()
        s.label("execute_context_1(4096)_generation_0(0)", begin - 2)
        return rows(s.write(scratch("prefill.json.gz"), computeMajor=9, computeMinor=0))[0]
    got = prefill({"Input Dims": [[4096, 4096], [4096, 4096]], "Input type": ["c10::BFloat16", "c10::BFloat16"]})
    tap.equal(got["gemm_flops"], 2.0 * 4096 ** 3, "operations of the product whose shapes are told")
    tap.ok(abs(got["gemm_known_pct"] - 100 * 200 / 300) < 0.01, "two thirds of the time are known", got["gemm_known_pct"])
    peak = 2.0 * 4096 ** 3 / got["gemm_peak_ns"] * 1e9
    tap.ok(0.95 < peak / 989.4e12 < 1.1, "at the peak of the device", f"{peak:.4g}")
    tap.ok(abs(got["gemm_peak_pct"] - 100 * got["gemm_peak_ns"] / 200000) < 0.01, "as a share of its kernel's time", got["gemm_peak_pct"])
    bare = prefill({})
    tap.equal([bare[k] for k in ("gemm_flops", "gemm_known_pct", "gemm_peak_ns", "gemm_peak_pct")], [None] * 4, "unknown without shapes")
    path = os.path.join(TRACES, "kineto/b200-eager/eager_trace.json.gz")
    if not os.path.exists(path):
        return tap.skip("b200", "trace not here")
    events = [e for e in json.load(gzip.open(path))["traceEvents"] if e.get("cat") == "cpu_op" and e["name"] in ("aten::addmm", "aten::mm")]
    dims = [[d for d in e["args"]["Input Dims"] if len(d) == 2][:2] for e in events]
    tap.equal(rows(path)[0]["gemm_flops"], float(sum(2 * a[0] * a[1] * b[1] for a, b in dims)), f"b200: {len(dims)} products by hand")


def layers(tap):
    """What a graph replays goes by its place: 4 layers of two norms, a product and attention between an embedding and the last product."""
    block = [("rms_norm_kernel", 5), ("gemm_qkv", 50), ("flash_fwd_kernel", 30), ("rms_norm_kernel", 5), ("gemm_mlp", 90)]
    s = Served()
    for _ in range(3):
        s.graph([("indexSelect_embedding_bag", 7)] + block * 4 + [("gemm_logits", 40)])
        s.fetch()
    got = named(s.write(scratch("layers.json.gz")))
    tap.equal({k: v for k, v in got.items() if k.startswith("graph/layer 2/")},
              {"graph/layer 2/norm": ("norm", 30 * 1000), "graph/layer 2/gemm": ("gemm", 420 * 1000),
               "graph/layer 2/attention": ("attention", 90 * 1000)}, "layer 2 of three replays")
    tap.equal((got["graph/begin/embedding"][1], got["graph/end/gemm"][1]), (21000, 120000), "what stands before and behind the layers")
    tap.equal(sorted(k for k in got if k.startswith("graph/layer 4")), [], "no fifth layer")
    tap.equal([k for k in got if "no op" in k], ["(no op)"], "the copies behind belong to no op, as before")
    keys = table("overview", s.write(scratch("layers.json.gz"))).keyed()
    tap.ok(97 < keys["graph_place_time_pct"] < 100 and keys["no_op_time_pct"] < 3, "the overview tells both shares", keys)


def two_sorts_of_layers(tap):
    """Every other layer has another attention: still six layers, not three pairs."""
    def layer(i):
        return [("rms_norm_kernel", 5), ("gemm_qkv", 50), ("flash_fwd_sliding" if i % 2 else "flash_fwd_full", 30), ("gemm_mlp", 90)]
    s = Served()
    s.graph(sum((layer(i) for i in range(6)), []))
    got = named(s.write(scratch("sorts.json.gz")))
    tap.equal([got.get(f"graph/layer {i}/attention") for i in range(7)], [("attention", 30000)] * 6 + [None], "six layers")


def no_layers(tap):
    """Nothing repeats: the family alone; two graphs of one trace are told apart."""
    s = Served()
    s.graph([(f"gemm_{i}", 10) for i in range(5)])
    s.graph([("rms_norm_kernel", 5), ("gemm_a", 10)] * 3)
    got = named(s.write(scratch("none.json.gz")))
    tap.equal(got, {"graph/gemm": ("gemm", 50000), **{f"graph/layer {i}/norm": ("norm", 5000) for i in range(3)},
                    **{f"graph/layer {i}/gemm": ("gemm", 10000) for i in range(3)}}, "one graph without layers, one with three")


def real_layers(tap):
    """Qwen3-8B has 36 layers, which its file does not say; the other model is not named: its replay holds 24 times the same block."""
    for name, n in (("sglang-decode/sglang_Qwen3-8B_decode.json.gz", 36), ("vllm-decode-graph/graph_execution.json.gz", 24)):
        path = os.path.join(TRACES, "kineto", name)
        if not os.path.exists(path):
            tap.skip(name, "the real traces are not here")
            continue
        got = named(path)
        tap.equal(sorted(int(k.split()[1].split("/")[0]) for k in got if k.startswith("graph/layer ") and k.endswith("/attention")),
                  list(range(n)), f"{name}: {n} layers with attention")
        whole = sum(ns for _, ns in got.values())
        tap.ok(sum(ns for k, (_, ns) in got.items() if k == "(no op)") <= 0.05 * whole, f"{name}: at most 5 % belong to no op")


def main():
    need_program()
    tap = Tap()
    for test in (kinds_beside, attention, floor, arithmetic, layers, two_sorts_of_layers, no_layers, real_layers):
        test(tap)
    tap.done()


main()
