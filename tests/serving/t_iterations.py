#!/usr/bin/env python3
"""Iterations of servers: what the labels say, what the device does for each, and what lies between two. Made servers with known answers,
and the served traces beside an independent count."""
import gzip
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..")]
from harness import TRACES, Tap, need_program, scratch, stepscope, table
from served import Served
from turns import LAYER, finding, loop, rows, shot

MS = 1000000


def decode(tap):
    """Eight requests, 200 us of kernels and 3 us of copy each turn; 100 us of scheduling between."""
    path = loop(6, between_us=100).write(scratch("decode.json.gz"))
    r = rows(path)
    tap.equal(len(r), 6, "a row for each turn")
    tap.equal({(x["iteration_kind"], x["requests"], x["tokens"]) for x in r}, {("decode", 8, 8)}, "kind, requests, tokens")
    tap.equal([x["iteration"] for x in r], list(range(6)), "numbers count from 0")
    tap.equal([x["iteration_device_ns"] for x in r], [203000] * 6, "device time of each")
    period = r[1]["first_work_ns"] - r[0]["first_work_ns"]
    tap.equal([x["iteration_ns"] for x in r[:5]], [period] * 5, "from the first work to the next first work")
    tap.equal((r[5]["whole"], r[5]["iteration_ns"] < period, r[5]["between_work_ns"]), (False, True, None), "the last one has only its work")
    tap.equal([x["host_between_ns"] for x in r], [100000] * 5 + [None], "the host between two labels")
    tap.equal(r[0]["between_event"], "vllm/v1/core/sched/scheduler.py(12): schedule", "what it does there")
    tap.equal(round(r[0]["graph_time_pct"], 2), round(100 * 200 / 203, 2), "graphs launched all but the copy")
    tap.equal(round(r[0]["tokens_per_s"]), round(8e9 / period), "tokens per second")
    f = finding(path)
    tap.equal(f["severity"], "fail", "the pause fails the rule")
    tap.ok("scheduler.py(12): schedule" in f["sentence"], "and its sentence names the work", f["sentence"])
    tap.equal(f["lost_ns"], sum(x["between_work_ns"] for x in r[:5]), "its loss is all the pauses")


def steady(tap):
    """The next graph is queued before this one ends: nothing between."""
    s = Served()
    for i in range(5):
        begin = s.clock
        s.graph(LAYER)
        s.label(f"step[DECODE bs={4}]", begin)
        s.clock += 150
    path = s.write(scratch("steady.json.gz"))
    r = rows(path)
    tap.equal([x["iteration_ns"] for x in r], [200000] * 5, "queued turns are 200 us apart")
    tap.equal([x["between_work_ns"] for x in r[:4]], [0] * 4, "nothing idles between")
    tap.equal(finding(path)["severity"], "pass", "the rule passes")


def kinds(tap):
    """Prefill, decode, mixed and speculative turns of one server, each told by its label."""
    s, turns = Served(), [("execute_context_2(512)_generation_0(0)", "prefill", 2, 512), ("execute_context_0(0)_generation_6(6)", "decode", 6, 6),
                          ("execute_context_1(100)_generation_5(5)", "mixed", 6, 105), ("execute_context_0(0)_generation_4(16)", "decode", 4, 16)]
    for name, *_ in turns:
        begin = s.clock
        s.launch(LAYER)
        s.fetch()
        s.label(name, begin)
    r = rows(s.write(scratch("kinds.json.gz")))
    tap.equal([(x["iteration_kind"], x["requests"], x["tokens"]) for x in r], [t[1:] for t in turns], "kinds, requests and tokens")
    s = Served()
    for name in ("step[DRAFT_EXTEND bs=4]", "step[TARGET_VERIFY bs=4 toks=20]") * 3:
        begin = s.clock
        s.graph(LAYER)
        s.fetch()
        s.label(name, begin)
    r = rows(s.write(scratch("draft.json.gz")))
    tap.equal([(x["iteration_kind"], x["tokens"]) for x in r], [("draft", None), ("verify", 20)] * 3, "drafts and their verification")


def nested(tap):
    """A label inside a label is the same turn; the inner one tells what the outer does not."""
    s = Served()
    for _ in range(3):
        begin = s.clock
        s.host("prepare", 10)
        inner = s.clock
        s.graph(LAYER)
        s.label("step[DECODE bs=32]", inner)
        s.fetch()
        s.label("execute_32_context_0(sq0sk0sqsq0sqsk0)_generation_32(sq32sk5508sqsq32sqsk5508)", begin)
    r = rows(s.write(scratch("nested.json.gz")))
    tap.equal([(x["requests"], x["context_tokens"], x["server"]) for x in r], [(32, 5508, "SGLang")] * 3, "three turns, not six")


def two_engines(tap):
    """Two engines in one file: each thread has turns of its own."""
    a = Served()
    b = a.on(device=1, tid=200, clock=1040.0, free={})
    for i in range(4):
        for s, bs in ((a, 8), (b, 2)):
            begin = s.clock
            s.graph(LAYER if s is a else LAYER * 2)
            s.fetch()
            s.label(f"execute_context_0(0)_generation_{bs}({bs})", begin)
    r = rows(a.write(scratch("two.json.gz")))
    tap.equal(sorted((x["device"], x["requests"], x["iteration"]) for x in r), sorted([(0, 8, i) for i in range(4)] + [(1, 2, i) for i in range(4)]), "four turns of each")
    tap.equal({(x["device"], x["iteration_device_ns"]) for x in r}, {(0, 203000), (1, 403000)}, "their device time")


def side_stream(tap):
    """What a server prepares on another stream does not begin a turn: the stream with most of its work does."""
    s = Served()
    s.launch([("arange_kernel", 4)], stream=3)
    s.clock += 400
    begin = s.clock - 420
    s.graph(LAYER)
    s.label("step[DECODE bs=1]", begin)
    r = rows(s.write(scratch("side.json.gz")))
    tap.equal([(x["iteration_ns"], x["iteration_device_ns"], x["whole"]) for x in r], [(200000, 200000, False)], "one turn of 200 us")
    tap.equal(finding(s.write(scratch("side.json.gz")))["severity"], "unknown", "one turn tells nothing of pauses")


def unlabelled(tap):
    """Graphs without labels: a turn begins with the graph behind a copy to the host, however many graphs it is cut into."""
    s = Served()
    for _ in range(5):
        for _ in range(3):
            s.graph(LAYER)
            s.launch([("attention", 10)])
        s.fetch()
        s.host("sample", 300)
    path = s.write(scratch("pieces.json.gz"))
    r = rows(path)
    tap.equal([(x["iteration_kind"], x["requests"], x["server"]) for x in r], [("unknown", None, None)] * 5, "five turns of an unknown kind")
    tap.equal({x["iteration_device_ns"] for x in r[:4]}, {633000}, "the whole turn's work")
    tap.ok("vLLM" not in finding(path)["advice"], "the advice names no server", finding(path)["advice"])
    s = Served()
    for _ in range(6):
        s.graph(LAYER)
        s.clock += 500
    tap.equal(rows(s.write(scratch("train.json.gz"))), [], "graphs whose results never come back are no turns")
    s = loop(2, label="elsewhere {i}")
    tap.equal(rows(s.write(scratch("few.json.gz"))), [], "two graphs repeat nothing")


def marked(tap):
    """Markers of steps say better what a turn of a training loop is."""
    s = Served()
    for i in range(5):
        begin = s.clock
        s.graph(LAYER)
        s.fetch()
        s.label(f"ProfilerStep#{i}", begin)
    path = s.write(scratch("marked.json.gz"))
    tap.equal((rows(path), len(table("steps", path).rows)), ([], 5), "steps, no iterations")
    tap.equal(finding(path), None, "and no finding about them")


def small_ranges(tap):
    """Ranges that anybody may write count where most device work is theirs."""
    s = Served()
    for i in range(3):
        begin = s.clock
        s.launch([("jpeg_decode", 10)])
        s.label(f"decode {i}", begin)
        s.clock += 50
        s.launch(LAYER)
        s.fetch()
        s.on(tid=300).host("x", 1)
    s2 = loop(3, label="decode_step {i}")
    tap.equal([(x["iteration"], x["iteration_kind"], x["requests"]) for x in
                                                     rows(s2.write(scratch("unknown.json.gz")))], [(i, "decode", None) for i in range(3)], "a decode step of an unknown server")
    other = Served(tid=300, pid=100)
    for i in range(3):
        begin = other.clock
        other.launch([("jpeg_decode", 10)])
        other.label(f"decode {i}", begin)
        other.clock += 50
    train = other.on(tid=100, clock=1000.0)
    for _ in range(3):
        train.launch(LAYER * 3)
        train.clock += 700
    tap.equal(rows(other.write(scratch("jpeg.json.gz"))), [], "ranges named decode beside much other work are none")


def without_device(tap):
    """No device work is recorded: the host's labels tell what lies between."""
    s = Served()
    for i in range(4):
        begin = s.clock
        s.host("aten::mm", 300)
        s.label(f"execute_context_0(0)_generation_{2}({2})", begin)
        s.host("schedule", 200)
    path = s.write(scratch("host.json.gz"))
    r, f = rows(path), finding(path)
    tap.equal([(x["device"], x["iteration_ns"], x["label_ns"], x["host_between_ns"]) for x in r], [(None, None, 300000, 200000)] * 3 + [(None, None, 300000, None)], "turns without a device")
    tap.ok(f["severity"] == "fail" and "40.0 %" in f["sentence"] and "schedule" in f["sentence"], "40 % of the time lies between", f["sentence"])


def windows(tap):
    path = loop(6, between_us=100).write(scratch("window.json.gz"))
    r = rows(path)
    w = f"{r[2]['first_work_ns']}ns..{r[4]['first_work_ns']}ns"
    tap.equal(rows(path, "--window", w), r[2:4], "a window holds the turns that begin in it, whole")


def few(tap):
    """Steps that are a server's iterations are called so, wherever the Guide counts them."""
    path = loop(2, label="step[DECODE bs={bs}]").write(scratch("few.json.gz"))
    found = {f["rule"]: f for f in table("findings", path).rows}
    tap.equal(found["few-steps"]["sentence"], "Few iterations: 2 iterations; they may be warm-up, and steady iterations cannot be distinguished from others.", "iterations")
    tap.equal(found["few-steps"]["advice"], "Record ten iterations or more after the warm-up.", "and the advice")
    tap.equal(found["step-markers"]["sentence"], "2 iterations are marked by the program.", "the markers are theirs")
    path = loop(2, label="ProfilerStep#{i}").write(scratch("few-steps.json.gz"))
    found = {f["rule"]: f["sentence"] for f in table("findings", path).rows}
    tap.ok(found["few-steps"].startswith("Few steps: 2 steps; they may"), "no server: steps", found["few-steps"])


def held(tap):
    """A stream is held back by what the file does not hold, and the host waits for a copy behind it: the call is not what held it."""
    s = loop(3)
    s.launch([("prepare_kernel", 5)], after=400000)  # launched now, begins 400 ms later
    s.fetch()
    found = {f["rule"]: f for f in table("findings", s.write(scratch("held.json.gz"))).rows}["idle"]
    tap.ok("what held stream 7 back is not in the file" in found["sentence"] and found["severity"] == "warn" and found["lost_ns"] is None,
           "work that stood ready: the wait is told, and no loss", found)
    path = scratch("held.json.gz")
    rows_of = {f["rule"]: f for f in table("findings", path).rows}
    told = f"Held back: GPU 0 idle {found['value']:.1f} % of the time; what held stream 7 back is not in the file"
    tap.ok(399 * MS < found["held_ns"] < 401 * MS and found["held_stream"] == "stream 7", "as a field: how long, and the stream", found)
    tap.equal((rows_of["device-busy"]["held_ns"], rows_of["device-busy"]["held_stream"]), (found["held_ns"], "stream 7"), "the same field of how busy the device is")
    tap.ok("what held stream 7 back is not in the file" in rows_of["device-busy"]["sentence"] and "lost" not in rows_of["device-busy"]["sentence"],
           "which calls nothing lost", rows_of["device-busy"]["sentence"])
    for face, said in (("brief", stepscope("brief", path).out), ("report", stepscope("report", path, "--format", "md").out), ("pane 1", shot(path, "1"))):
        tap.ok(told in " ".join(said.split()), f"{face}: the verdict says so", said[:1000])
    cause = table("idle_causes", path).rows[0]
    tap.equal((cause["cause"], cause["held_stream"], cause["most_at_once_ns"]), ("held back", "stream 7", found["held_ns"]), "and the table of causes")
    s = loop(3)
    begin = s.clock
    s.clock += 400000
    s.put("cuda_runtime", "cudaStreamSynchronize", begin, 399000, s.pid, s.tid)
    s.launch([("prepare_kernel", 5)])
    s.fetch()
    found = {f["rule"]: f for f in table("findings", s.write(scratch("waits.json.gz"))).rows}["idle"]
    tap.ok("not in the file" not in found["sentence"] and found["held_ns"] is None, "work that is launched behind the wait: nothing held it", found)
    path = os.path.join(TRACES, "kineto/sglang-decode/sglang_Qwen3-8B_decode.json.gz")
    if not os.path.exists(path):
        return tap.skip("sglang", "trace not here")
    events = json.load(gzip.open(path))["traceEvents"]
    wait = max((e for e in events if e.get("cat") == "cuda_runtime"), key=lambda e: e["dur"])
    behind = min((e for e in events if e.get("cat") == "kernel" and e["ts"] > wait["ts"]), key=lambda e: e["ts"])
    call = next(e for e in events if e.get("cat") == "cuda_runtime" and e["args"]["correlation"] == behind["args"]["correlation"])
    tap.ok(call["ts"] + call["dur"] < wait["ts"], "sglang: the first kernel behind the wait was launched before it")
    found = {f["rule"]: f for f in table("findings", path).rows}["idle"]
    tap.ok("what held stream 3 back is not in the file" in found["sentence"] and found["severity"] == "warn", "and that is what is said", found)


def speculative(tap):
    """A draft model proposes four tokens for each of 8 requests, the large one verifies them: two kinds, each with its time."""
    s = Served()
    for _ in range(5):
        for label, kernels in (("step[DRAFT_EXTEND bs=8 toks=32]", [("gemm_draft", 20)] * 4), ("step[TARGET_VERIFY bs=8 toks=40]", [("gemm_target", 300)])):
            begin = s.clock
            s.graph(kernels)
            s.fetch()
            s.label(label, begin)
    got = rows(s.write(scratch("speculative.json.gz")))
    tap.equal([(r["iteration_kind"], r["requests"], r["tokens"]) for r in got], [("draft", 8, 32), ("verify", 8, 40)] * 5, "draft and verify in turn")
    tap.equal([r["iteration_device_ns"] for r in got[:2]], [83000, 303000], "each with its own time on the device")


def unknown_server(tap):
    """A label that no rule knows is no iteration; what its graphs repeat still is one, of unknown kind."""
    s = loop(5, label="engine#7 tick bs={bs} phase=gen")
    got = rows(s.write(scratch("unknown.json.gz")))
    tap.equal(([r["iteration_kind"] for r in got], {r["requests"] for r in got}, {r["server"] for r in got}), (["unknown"] * 5, {None}, {None}),
              "turns by their graphs, and nothing is read out of the label")
    s = Served()
    for i in range(5):
        begin = s.clock
        s.launch([("gemm", 50)])
        s.label(f"engine#7 tick bs={i}", begin)
    tap.equal(rows(s.write(scratch("unknown-eager.json.gz"))), [], "without graphs there is none")


def no_input_words(tap):
    """Nobody feeds a server: no finding about input pipelines or loaders on the served traces."""
    for name in ("vllm-decode-graph/graph_execution.json.gz", "sglang-decode/sglang_Qwen3-8B_decode.json.gz", "b200-eager/eager_trace.json.gz",
                 "mi300-flux-big/profile_trace_rank_0.json.gz", "h100-qwen/Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz",
                 "mi300-qwen/Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz"):
        path = os.path.join(TRACES, "kineto", name)
        if not os.path.exists(path):
            tap.skip(name, "trace not here")
            continue
        told = [f for f in table("findings", path).rows if f["severity"] in ("fail", "warn", "info")]
        said = [w for f in told for w in ("DataLoader", "input pipeline", "prefetch", "num_workers") if w in f"{f['sentence']} {f['advice']}"]
        tap.equal(said, [], f"{name}: no words of input")


def recorded(tap):
    """A server recorded before and after what it does between iterations was mended (tests/traces/served)."""
    here = os.path.join(HERE, "..", "traces", "served")
    slow, fast = os.path.join(here, "torch-slow.json.gz"), os.path.join(here, "torch-fast.json.gz")
    for path in (slow, fast):
        tap.equal((len(rows(path)), {r["iteration_kind"] for r in rows(path)}), (16, {"mixed", "decode"}),
                  f"{os.path.basename(path)}: sixteen turns, told by their labels")
    first = table("findings", slow).rows[0]
    tap.equal((first["rule"], first["severity"]), ("iterations", "fail"), "what lies between turns is the slow one's first finding")
    tap.ok("detokenize" in first["sentence"], "and it names the function", first["sentence"])
    tap.equal(finding(fast)["severity"], "pass", "the fast one has no such finding")
    said = stepscope("findings", slow).out
    tap.ok(not re.search(r"DataLoader|optimizer|training", said), "no words of training", said)


def counted(path):
    """Labels of one thread that lie in no other, independently read."""
    label = re.compile(r"execute_(\d+_)?context_|step\[(DECODE|EXTEND|MIXED)|execute_diffusion_")
    with gzip.open(path) as f:
        events = [e for e in json.load(f)["traceEvents"] if e.get("cat") == "user_annotation" and label.match(e["name"])]
    return sum(not any(o is not e and o["tid"] == e["tid"] and o["ts"] <= e["ts"] and e["ts"] + e["dur"] <= o["ts"] + o["dur"]
                       for o in events) for e in events)


def real(tap):
    for name, file, kind, work in (("vllm-decode-graph", "graph_execution.json.gz", "decode", 434),
                                   ("sglang-decode", "sglang_Qwen3-8B_decode.json.gz", "decode", 558),
                                   ("b200-eager", "eager_trace.json.gz", "prefill", 929),
                                   ("mi300-flux-big", "profile_trace_rank_0.json.gz", "diffusion", 7866)):
        path = os.path.join(TRACES, "kineto", name, file)
        if not os.path.exists(path):
            tap.skip(f"{name}", "the real traces are not here")
            continue
        r = rows(path)
        tap.equal(len(r), counted(path), f"{name}: as many as an independent count")
        tap.equal([(x["iteration_kind"], x["iteration_work"]) for x in r], [(kind, work)], f"{name}: kind and device work")
    for name in ("resnet50-v100-2spans", "h100-bert", "torch-compile-triton"):
        path = os.path.join(TRACES, "kineto", name)
        if os.path.exists(path):
            tap.equal(rows(path), [], f"{name} serves nothing")


def main():
    need_program()
    tap = Tap()
    for test in (decode, steady, kinds, nested, two_engines, side_stream, unlabelled, marked, small_ranges, without_device,
                 windows, held, few, speculative, unknown_server, no_input_words, recorded, real):
        test(tap)
    tap.done()


main()
