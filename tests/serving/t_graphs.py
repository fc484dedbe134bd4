#!/usr/bin/env python3
"""Replayed graphs as numbers: kernels left outside, calls saved, padding of batches. Made servers with known answers, and the served traces beside sums made
here from their JSON."""
import gzip
import json
import os
import re
import statistics
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..")]
from harness import TRACES, Tap, need_program, scratch, stepscope, table
from served import Served

LAYER = [("gemm_kernel", 100), ("flash_fwd_kernel", 60), ("rms_norm_kernel", 40)]
KEYS = ("graphs_launched", "in_graphs_time_pct", "outside_graph_kernels", "outside_graph_ns", "graph_calls_saved_ns")


def rows(path, *more):
    return table("iterations", path, *more).rows


def outside(tap):
    """Each turn replays three kernels and launches two by themselves: 30 of 230 us; every call takes 5 us, so a graph of three saves 10."""
    s = Served()
    for _ in range(4):
        begin = s.clock
        s.graph(LAYER)
        s.launch([("top_k_kernel", 10)])
        s.launch([("argmax_kernel", 20)])
        s.fetch()
        s.label("step[DECODE bs=8]", begin)
        s.clock += 50
    path = s.write(scratch("outside.json.gz"))
    got = rows(path)
    tap.equal([[r[k] for k in ("graphs_launched", "outside_graph_kernels", "outside_graph_ns", "graph_calls_saved_ns")] for r in got],
              [[1, 2, 30000, 10000]] * 4, "each turn: launches, kernels outside, their time, calls saved")
    keys = table("overview", path).keyed()
    tap.equal([keys[k] for k in KEYS if k != "in_graphs_time_pct"], [4, 8, 120000, 40000], "all of them")
    tap.ok(abs(keys["in_graphs_time_pct"] - 100 * 200 / 230) < 1e-9, "share of the kernel time in graphs", keys["in_graphs_time_pct"])
    text = "4 launches replay 12 of 20 kernels; the 8 others take 13.0 % of the kernel time; calls saved: 40.000 us at most"
    tap.equal(keys["graphs_text"], text, "in words")
    tap.ok(text in stepscope("brief", path).out, "in the brief")
    report = stepscope("report", path, "--format", "md").out
    tap.ok("### Graphs" in report, "a section of the report", report)
    printed = stepscope(path).out
    tap.ok(re.search(r"^Iteration 3 x decode.*\n +233(?s:.*)^Graphs +4 launches replay 12 of 20 kernels\n +the 8 others take", printed, re.M), "and in the printed overview", printed)
    w = f"{got[1]['first_work_ns']}ns..{got[3]['first_work_ns']}ns"
    part = table("overview", path, "--window", w).keyed()
    tap.equal([part[k] for k in ("graphs_launched", "outside_graph_kernels", "outside_graph_ns")], [2, 4, 60000], "a window has its own")


def small(tap):
    """Kernels of 3 us in a graph pay no launch of their own: those outside alone count as small, and how many are left out is told."""
    def made(name, outside):
        s = Served()
        for _ in range(4):
            begin = s.clock
            s.graph([("tiny_kernel", 3)] * 20)
            for kernel in outside:
                s.launch([(kernel, 10)])
            s.fetch()
            s.label("step[DECODE bs=8]", begin)
        path = s.write(scratch(name))
        return table("tiny_ops", path).rows, next(f for f in table("findings", path).rows if f["rule"] == "small-kernels")
    tiny, f = made("small.json.gz", ["top_k_kernel"])
    tap.equal([(r["kernel"], r["runs"], r["kernels"]) for r in tiny], [("top_k_kernel", 4, 4)], "the table: what is launched by itself")
    tap.ok(abs(tiny[0]["kernels_pct"] - 100 * 4 / 84) < 1e-9, "its share is one of all kernels", tiny[0]["kernels_pct"])
    tap.ok(f["sentence"].endswith("; 80 kernels of replayed graphs, which are not launched one by one, are left out."), "and the finding says how many", f["sentence"])
    tap.ok("top_k_kernel ran 4 times" in f["sentence"] and "tiny_kernel" not in f["sentence"], "it names the other kind", f["sentence"])
    tiny, f = made("small-none.json.gz", [])
    tap.equal(([r["kernel"] for r in tiny], f["severity"]), ([], "pass"), "graphs alone: no small kernels")
    tap.equal(f["sentence"], "No op's kernels are shorter than the 20-40 us of a launch; 80 kernels of replayed graphs, which are not launched one by one, "
              "are left out.", "and why")


def decode(sizes, blocks, extra=(), device=None):
    """A turn for each number of requests; its graph has four layers of two norms, a product, attention and rotary positions."""
    s = Served()
    for i, bs in enumerate(sizes):
        begin, n = s.clock, blocks(bs) if callable(blocks) else blocks
        layer = [("rms_norm_kernel", 4, n), ("nvjet_qkv_gemm", 50, 96), ("rotary_embedding_kernel", 3, n), ("flash_fwd_kernel", 30, 132),
                 ("rms_norm_kernel", 4, n), ("nvjet_mlp_gemm", 90, 132), *extra]
        s.graph(layer * 4)
        s.fetch()
        s.label(f"execute_context_0(0)_generation_{bs}({bs})", begin)
    return s.write(scratch("decode.json.gz"), **(device or {}))


def padding(tap):
    """Graphs are captured for 8, 16, 24, ... requests; a turn with 13 replays the one of 16."""
    captured = [[r[k] for k in ("tokens", "captured_tokens", "captured_by", "padding_pct")] for r in
                rows(decode((13, 16, 20, 8), lambda bs: -(-bs // 8) * 8))]
    tap.equal(captured, [[13, 16, "grid", 18.75], [16, 16, "grid", 0.0], [20, 24, "grid", 100 * 4 / 24], [8, 8, "grid", 0.0]],
              "a block for each token: the size is in the grids")
    path = decode((13, 16, 20, 8), lambda bs: -(-bs // 8) * 8)
    keys = table("overview", path).keyed()
    tap.ok(abs(keys["padding_pct"] - 100 * 7 / 64) < 1e-9, "of all: 7 of 64", keys["padding_pct"])
    tap.ok("10.9 % of the tokens that graphs were captured for" in stepscope("brief", path).out, "in the brief")
    at = scratch("padding.txt")
    stepscope(path, "--screenshot", at, "--keys", "3", "--size", "120x40", "--force")
    tap.ok("padding 18.8 %" in open(at, encoding="utf-8").read(), "in the pane, of the selected one")
    heads = [("head_norm_kernel", 2, 13 * 32)]
    tap.equal(rows(decode((13,) * 3, 16, heads))[0]["captured_tokens"], 16, "normalisations of heads have more blocks and are fewer")


def padding_unknown(tap):
    """Where the grids tell no tokens: what other turns replay, or nothing."""
    def told(path):
        return [(r["captured_tokens"], r["captured_by"], r["padding_pct"]) for r in rows(path)]
    tap.equal(told(decode((10, 40, 20), 7)), [(40, "replays", 75.0), (40, "replays", 0.0), (40, "replays", 50.0)],
              "several tokens to a block: one graph holds the 40 that one of its turns has, at least")
    tap.equal(told(decode((10, 10, 10), 7)), [(None, None, None)] * 3, "the same tokens each time: nothing is told")
    tap.equal(told(decode((10, 10, 10), None)), [(None, None, None)] * 3, "no grids, as on ROCm: nothing is told")
    tap.equal(told(decode((10, 12, 10), None)), [(None, None, None)] * 3, "nor by other turns: graphs cannot be told apart")
    tap.equal(told(decode((10, 10, 10), 132)), [(None, None, None)] * 3, "a block for each of 132 multiprocessors is none for each token")
    s = Served()
    for bs in (10, 10, 10):
        begin = s.clock
        s.graph([("rms_norm_kernel", 4, 20), ("nvjet_gemm", 50, 20), ("flash_fwd_kernel", 30, 20)] * 4)
        s.fetch()
        s.label(f"execute_context_0(0)_generation_{bs}({bs})", begin)
    tap.equal(told(s.write(scratch("lone.json.gz"))), [(None, None, None)] * 3, "normalisations alone, with two blocks each, tell nothing")
    s = Served()
    for i in range(3):
        begin = s.clock
        s.graph([("rms_norm_kernel", 4, 16), ("rotary_embedding_kernel", 3, 16)] * 4)
        s.fetch()
        s.label(f"decode {i}", begin)
    tap.equal(told(s.write(scratch("uncounted.json.gz"))), [(None, None, None)] * 3, "without the tokens there is no padding")
    for name in ("vllm-decode-graph/graph_execution.json.gz", "sglang-decode/sglang_Qwen3-8B_decode.json.gz"):
        path = os.path.join(TRACES, "kineto", name)
        if os.path.exists(path):
            tap.equal(told(path), [(None, None, None)], f"{name}: its replayed kernels have no grids")


def attention(tap):
    """Four requests with 1,000, then 3,000 tokens of context each: attention takes 30, then 90 us of a turn."""
    s = Served()
    for each, us in ((1000, 30), (1010, 30), (3000, 90), (3000, 90)):
        begin, all_of = s.clock, 4 * each
        s.graph([("rms_norm_kernel", 10), ("flash_fwd_kernel", us), ("nvjet_gemm", 60)])
        s.fetch()
        s.label(f"execute_4_context_0(sq0sk0sqsq0sqsk0)_generation_4(sq4sk{all_of}sqsq4sqsk{all_of})", begin)
    got = table("attention_context", s.write(scratch("context.json.gz"))).rows
    tap.equal([(r["iteration_kind"], r["context_from"], r["context_below"], r["context_iterations"], r["context_mean_tokens"],
                r["attention_mean_ns"], r["attention_mean_pct"]) for r in got],
              [("decode", 512, 1024, 2, 4020.0, 30000, 30.0), ("decode", 2048, 4096, 2, 12000.0, 90000, 56.25)], "by context: time and share")
    tap.ok(abs(got[1]["attention_per_1000_ns"] - 7500) < 1e-6, "for a thousand tokens", got[1])
    tap.equal(table("attention_context", decode((8, 8, 8), 8)).rows, [], "labels without context: no rows")
    for name, from_, share in (("vllm-decode-graph/graph_execution.json.gz", 1024, 6.14), ("sglang-decode/sglang_Qwen3-8B_decode.json.gz", 1024, 21.79)):
        path = os.path.join(TRACES, "kineto", name)
        if os.path.exists(path):
            got = table("attention_context", path).rows
            tap.equal([(r["context_from"], round(r["attention_mean_pct"], 2)) for r in got], [(from_, share)], name)


def without(tap):
    s = Served()
    for _ in range(4):
        begin = s.clock
        s.launch(LAYER)
        s.fetch()
        s.label("step[DECODE bs=8]", begin)
    path = s.write(scratch("eager.json.gz"))
    tap.equal([[r[k] for k in ("graphs_launched", "outside_graph_kernels", "graph_calls_saved_ns")] for r in rows(path)], [[None] * 3] * 4,
              "without graphs nothing is outside of them")
    keys = table("overview", path).keyed()
    tap.equal([k for k in KEYS + ("graphs_text",) if k in keys], [], "nor does the overview tell of any")
    s = Served()
    for _ in range(4):
        s.graph(LAYER)
        s.fetch()
    keys = table("overview", s.write(scratch("bare.json.gz"))).keyed()
    tap.equal((keys["outside_graph_kernels"], keys["graph_calls_saved_ns"]), (0, None), "too few single launches: what is saved is unknown")
    tap.equal(keys["graphs_text"], "4 launches replay 12 of 12 kernels", "and is not told")


def real(tap):
    for name, file in (("vllm-decode-graph", "graph_execution.json.gz"), ("sglang-decode", "sglang_Qwen3-8B_decode.json.gz"),
                       ("mi300-flux-big", "profile_trace_rank_0.json.gz")):
        path = os.path.join(TRACES, "kineto", name, file)
        if not os.path.exists(path):
            tap.skip(name, "trace not here")
            continue
        events = json.load(gzip.open(path))["traceEvents"]
        calls = {e["args"]["correlation"]: e for e in events if e.get("cat") == "cuda_runtime" and "correlation" in e.get("args", {})}
        work = [e for e in events if e.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset")]
        ns = {id(e): round((e["ts"] + e["dur"]) * 1000) - round(e["ts"] * 1000) for e in list(calls.values()) + work}
        by_call = {}
        for e in work:
            by_call.setdefault(e["args"]["correlation"], []).append(e)
        graphs = {c for c in by_call if c in calls and "GraphLaunch" in calls[c]["name"]}
        single = [ns[id(calls[c])] for c, v in by_call.items() if c in calls and len(v) == 1 and
                  re.search("Launch", calls[c]["name"]) and not re.search("GraphLaunch|Memcpy|Memset|HostFunc", calls[c]["name"])]
        out = [e for e in work if e["cat"] == "kernel" and e["args"]["correlation"] not in graphs]
        saved = sum(statistics.median(single) * len(by_call[c]) - ns[id(calls[c])] for c in graphs)
        keys = table("overview", path).keyed()
        tap.equal((keys["graphs_launched"], keys["outside_graph_kernels"]), (len(graphs), len(out)), f"{name}: launches and kernels outside")
        tap.ok(abs(keys["outside_graph_ns"] - sum(ns[id(e)] for e in out)) <= len(out), f"{name}: their time", keys["outside_graph_ns"])
        tap.ok(abs(keys["graph_calls_saved_ns"] - saved) <= sum(len(by_call[c]) for c in graphs), f"{name}: calls saved, {saved / 1e6:.3f} ms")
        got = rows(path)
        tap.equal(sum(r["graphs_launched"] for r in got), len(graphs), f"{name}: in its iteration, too")


SERVED = (("vllm-decode-graph", "graph_execution.json.gz"), ("sglang-decode", "sglang_Qwen3-8B_decode.json.gz"),
          ("b200-eager", "eager_trace.json.gz"), ("mi300-flux-big", "profile_trace_rank_0.json.gz"),
          ("h100-qwen", "Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz"), ("mi300-qwen", "Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz"))
LABEL = re.compile(r"execute_(\d+_)?context_|step\[(DECODE|EXTEND|MIXED)|execute_diffusion_")


def span(event):
    return round(event["ts"] * 1000), round((event["ts"] + event["dur"]) * 1000)


def covered(events):
    """Time with at least one of them."""
    total, end = 0, None
    for a, b in sorted(span(e) for e in events):
        total += max(0, b - (a if end is None else max(a, end)))
        end = b if end is None else max(b, end)
    return total


def recomputed(tap):
    """Every served trace, its numbers made again here from the events of its file: kernels, busy time, its iteration or that it has none."""
    for name, file in SERVED:
        path = os.path.join(TRACES, "kineto", name, file)
        if not os.path.exists(path):
            tap.skip(name, "trace not here")
            continue
        events = [e for e in json.load(gzip.open(path))["traceEvents"] if e.get("ph") == "X"]
        work = [e for e in events if e.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset")]
        kernels = [e for e in work if e["cat"] == "kernel"]
        labels = [e for e in events if e.get("cat") == "user_annotation" and LABEL.match(e["name"])]
        outer = [e for e in labels if not any(o is not e and o["tid"] == e["tid"] and span(o)[0] <= span(e)[0] and span(e)[1] <= span(o)[1]
                                              for o in labels)]
        keys, got = table("overview", path).keyed(), rows(path)
        kernel_ns = sum(b - a for a, b in map(span, kernels))
        tap.equal((len(got), keys["kernels"]), (len(outer), len(kernels)), f"{name}: {len(outer)} iterations, {len(kernels)} kernels")
        tap.ok(abs(keys["kernel_ns"] - kernel_ns) <= len(kernels), f"{name}: their time", f"{keys['kernel_ns']} {kernel_ns}")
        busy, all_ns = covered(work), max(span(e)[1] for e in work) - min(span(e)[0] for e in work)
        tap.ok(abs(keys["busy_ns"] - busy) <= 50, f"{name}: busy for {busy / 1e6:.3f} ms", keys["busy_ns"])
        shown = [v for k, v in keys.items() if k.startswith("device_busy_pct:")]
        tap.ok(len(shown) == 1 and abs(shown[0] - 100 * busy / all_ns) < 0.01, f"{name}: {100 * busy / all_ns:.2f} % of the time", shown)
        if outer:
            iteration(tap, name, events, work, outer[0], got[0])


def iteration(tap, name, events, work, label, row):
    """From the first to the last work on the stream that has most of what the label's thread launches from its begin on."""
    calls = {e["args"]["correlation"] for e in events if e.get("cat") in ("cuda_runtime", "cuda_driver") and e["tid"] == label["tid"] and
             e["ts"] >= label["ts"] and "correlation" in e.get("args", {})}
    own = [e for e in work if e["args"].get("correlation") in calls]
    streams = {}
    for e in own:
        streams.setdefault((e["pid"], e["tid"]), []).append(e)
    main = max(streams.values(), key=lambda v: sum(span(e)[1] - span(e)[0] for e in v))
    a, b = min(span(e)[0] for e in main), max(span(e)[1] for e in main)
    inside = covered([{"ts": max(e["ts"], a / 1000), "dur": min(e["ts"] + e["dur"], b / 1000) - max(e["ts"], a / 1000)} for e in work
                      if span(e)[1] > a and span(e)[0] < b])
    tap.ok(abs(row["iteration_ns"] - (b - a)) <= 2, f"{name}: its iteration takes {(b - a) / 1e6:.3f} ms", row["iteration_ns"])
    tap.ok(abs(row["iteration_device_ns"] - inside) <= 50, f"{name}: {inside / 1e6:.3f} ms of it on the device", row["iteration_device_ns"])
    tap.equal(row["iteration_work"], len(own), f"{name}: {len(own)} pieces of work")


def main():
    need_program()
    tap = Tap()
    for part in (outside, small, padding, padding_unknown, attention, without, real, recomputed):
        part(tap)
    tap.done()


main()
