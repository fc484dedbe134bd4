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

MS = 1000000
LAYER = [("gemm_kernel", 100), ("flash_fwd_kernel", 60), ("rms_norm_kernel", 40)]


def rows(path, *more):
    return table("iterations", path, *more).rows


def finding(path):
    found = [f for f in table("findings", path).rows if f["rule"] == "iterations"]
    return found[0] if found else None


def loop(turns, between_us=0, label="execute_context_0(0)_generation_{bs}({bs})", bs=8, kernels=LAYER, after=None):
    s = Served()
    for i in range(turns):
        begin = s.clock
        s.host("prepare_inputs", 20)
        s.graph(kernels)
        s.fetch()
        s.label(label.format(bs=bs, i=i), begin)
        if between_us:
            s.host("vllm/v1/core/sched/scheduler.py(12): schedule", between_us, cat="python_function")
        if after:
            after(s, i)
    return s


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


def named(path):
    """Self time on the device by op."""
    return {r["operation"]: (r["type"], r["total_self_time"]) for r in table("ops", path).rows if r["host_or_device"] == "Device"}


def shot(path, pressed, size="120x30", *more):
    at = scratch("shot.txt")
    stepscope(path, "--screenshot", at, "--keys", pressed, "--size", size, "--force", *more)
    with open(at, encoding="utf-8") as f:
        return f.read()


def screen(tap):
    """The pane of steps says what they are, and the overview has a line."""
    path = loop(6, between_us=100).write(scratch("screen.json.gz"))
    for key, words in (("3", "Iterations  5 x decode, 8 requests: 203.000 us of"), ("1", "5 x decode, 8 requests")):
        text = shot(path, key)
        tap.ok(words in text, f"pane {key} tells of iterations", text)


def names(tap):
    """What stands for steps is called by its name wherever the pane is named: title, help, palette, marks, report; a training loop has steps."""
    path = loop(5, between_us=100).write(scratch("names.json.gz"))
    for pressed in ("1", "2", "3", "9"):
        title = shot(path, pressed).splitlines()[0]
        tap.ok("3 Iterations" in title and "Steps" not in title, f"pane {pressed}: the title names iterations", title)
    tap.ok("3 Iter" in shot(path, "1", "80x24").splitlines()[0], "cut on a narrow screen")
    tap.ok("[3 Steps]" in shot(path, "3o"), "o: steps under their own name")
    tap.ok("pane: iterations of a server" in shot(path, "?", "120x90") and "pane: steps" not in shot(path, "?", "120x90"), "the help")
    tap.ok(re.search(r"pane +Iterations +3", shot(path, ":iterat")), "the palette", shot(path, ":iterat"))
    report = stepscope("report", path, "--format", "md").out
    heads = [line for line in report.splitlines() if line.startswith("### ")]
    tap.ok("### Iterations" in heads and "### Where the time of iterations goes" in heads and "### Steps" not in heads, "the report's sections", heads)
    brief = stepscope("brief", path).out
    tap.ok(re.search(r"^labels +mean .* from one to the next$", brief, re.M) and not re.search(r"^(step|of a step) ", brief, re.M), "the brief", brief)
    over = shot(path, "1", "80x24")
    tap.ok("on device" in over and re.search(r"tokens/s +24,169", over) and "Label to label" in over and "Step time" not in over, "the overview", over)
    train = os.path.join(HERE, "..", "traces", "torch-cpu", "train.pt.trace.json.gz")
    tap.ok("3 Steps" in shot(train, "1") and "pane: steps" in shot(train, "?", "120x90"), "a training loop has steps")
    tap.ok("### Steps" in stepscope("report", train, "--format", "md").out, "in its report, too")


def pane(tap):
    """Pane 3 has a row for each turn, with the numbers of the table; Enter leads to the work, o to the steps, t to the table."""
    path = loop(5, between_us=100).write(scratch("pane.json.gz"))
    for size in ("80x24", "200x60"):
        got = [line.split()[:10] for line in shot(path, "3", size).splitlines() if re.match(r" +\d+ decode ", line)]
        ns = [[f"{r[k] / 1000:.3f}" for k in ("iteration_ns", "iteration_device_ns", "between_work_ns")] for r in rows(path)[:4]]
        tap.equal(got[:4], [[str(i), "decode", "8", "8", n[0], "us", n[1], "us", n[2], "us"] for i, n in enumerate(ns)],
                  f"{size}: a row for each turn with the numbers of the table")
        tap.equal(len(got), 5, f"{size}: and one for the last")
    tap.ok("scheduler.py" in shot(path, "3"), "below, what the host does behind the selected one")
    tap.ok("[2 Timeline]" in shot(path, "3jj\r") and "execute_context_0" in shot(path, "3jj\r"), "Enter: its place in the timeline")
    tap.ok("device compute" in shot(path, "3o"), "o: the same as steps")
    tap.ok("device compute" not in shot(path, "3oo"), "and back")
    table_shown, back = shot(path, "3t"), shot(path, "3tt")
    tap.ok("[3 Iterations]" in table_shown and "iteration kind" in table_shown, "t: the table of iterations", table_shown)
    tap.equal(back, shot(path, "3"), "and back to the picture")
    text = shot(path, "3", "120x30", "--ascii")
    tap.ok(text.isascii() and re.search(r"24,169  #+\.+$", text, re.M), "it has an ASCII form", text)


def lane(tap):
    """The row of steps in the timeline: turns by kind, each with its letter and its colour, and a legend of both."""
    s = Served()
    for name in ("execute_context_2(512)_generation_0(0)", "execute_context_0(0)_generation_6(6)", "execute_context_1(100)_generation_5(5)"):
        begin = s.clock
        s.launch(LAYER)
        s.fetch()
        s.label(name, begin)
    path = s.write(scratch("lane.json.gz"))
    for size, more in (("120x30", ()), ("80x24", ()), ("120x30", ("--ascii",)), ("120x30", ("--color", "never"))):
        text = shot(path, "2", size, *more)
        row = [line for line in text.splitlines() if line.strip().startswith("iterations")]
        tap.ok(row and re.search(r"P prefill 2 .*D decode 6 .*M mixed 6", row[0]), f"{size} {more}: a row of turns", text)
        tap.ok(re.search(r"D decode +M mixed|P prefill +D decode", text), f"{size} {more}: its legend", text)
    stepscope(path, "--screenshot", scratch("lane.svg"), "--keys", "2", "--size", "120x30", "--theme", "dark", "--force")
    with open(scratch("lane.svg"), encoding="utf-8") as f:
        svg = f.read()
    tap.ok(all(colour in svg.lower() for colour in ("#ffaf5f", "#87d787", "#d7d787")), "each kind has its colour")
    many = shot(loop(400).write(scratch("many.json.gz")), "2")
    row = [line for line in many.splitlines() if line.strip().startswith("iterations")][0]
    tap.ok(row.count("D") > 60, "where no name fits the letter stands", row)


def in_steps(n):
    """A profiler's steps with two turns in each, of 10 requests, 11 and so on."""
    s = Served()
    for step in range(n):
        outer = s.clock
        for turn in range(2):
            begin, requests = s.clock, 10 + 2 * step + turn
            s.graph(LAYER)
            s.fetch()
            s.label(f"execute_context_0(0)_generation_{requests}({requests})", begin)
        s.label(f"ProfilerStep#{step}", outer)
    return s


def pane_beside(tap):
    """A profiler's steps hold the turns: the pane shows steps, and o the turns. On a host alone labels are the lengths."""
    path = in_steps(4).write(scratch("beside.json.gz"))
    tap.ok("device compute" in shot(path, "3"), "steps first")
    tap.equal(len(re.findall(r"^ +\d+ decode ", shot(path, "3o"), re.M)), 8, "o: two turns in each of four steps")
    host = os.path.join(HERE, "..", "traces", "served", "torch-slow.json.gz")
    text = shot(host, "3")
    tap.ok("to the next" in text and len(re.findall(r"^ +\d+ (?:mixed|decode) .*\d ms", text, re.M)) == 16, "without a device: labels", text)


def pane_real(tap):
    for name, file, row in (("sglang-decode", "sglang_Qwen3-8B_decode.json.gz", "0 decode          32      32  10.450 ms   9.769 ms"),
                            ("vllm-decode-graph", "graph_execution.json.gz", "0 decode          32      32  10.743 ms  10.718 ms"),
                            ("b200-eager", "eager_trace.json.gz", "0 prefill          1     888  84.487 ms  11.596 ms")):
        path = os.path.join(TRACES, "kineto", name, file)
        if not os.path.exists(path):
            tap.skip(name, "the real traces are not here")
            continue
        text = shot(path, "3", "80x24")
        tap.ok(row in text, f"{name}: its turn", text)
        tap.equal("of peak arithmetic" in text, rows(path)[0]["gemm_peak_pct"] is not None, f"{name}: arithmetic where it is known")


def pane_narrow(tap):
    """80 columns hold every number of the selected iteration as a whole, however long the others are."""
    s = Served()
    for _ in range(3):
        begin = s.clock
        s.host("prepare_inputs", 123456.789)
        product = s.clock
        s.launch([("nvjet_gemm_bf16", 876.543)])
        s.put("cpu_op", "aten::mm", product - 1, s.clock - product + 2, s.pid, s.tid,
              **{"Input Dims": [[512, 8192], [8192, 8192]], "Input type": ["c10::BFloat16"] * 2})
        s.fetch()
        s.label("execute_512_context_0(sq0sk0sqsq0sqsk0)_generation_512(sq512sk1234567sqsq512sqsk1234567)", begin)
        s.clock += 100
    path = s.write(scratch("narrow.json.gz"), computeMajor=9, computeMinor=0)
    numbers = {"--parameter-bytes": "16000000000", "--kv-bytes-per-token": "131072"}
    row, more = rows(path)[0], [x for pair in numbers.items() for x in pair]
    text, wide = shot(path, "3", "80x24", *more), shot(path, "3", "200x50", *more)
    tap.ok(row["gemm_peak_pct"] is not None, "the arithmetic is known")
    for label in ("of peak arithmetic", "idle", "host: label to first launch", "floor"):
        told = re.search(rf"{label} [\d,.]+ \S+", wide)
        tap.ok(told and told.group() in text, f"80 columns: {label} as a whole", text + wide)


def few(tap):
    """Steps that are a server's iterations are called so, wherever the Guide counts them."""
    path = loop(2, label="step[DECODE bs={bs}]").write(scratch("few.json.gz"))
    found = {f["rule"]: f for f in table("findings", path).rows}
    tap.equal(found["few-steps"]["sentence"], "Few iterations: 2 iterations; they may be warm-up, and steady iterations cannot be told from others.", "iterations")
    tap.equal(found["few-steps"]["advice"], "Record ten iterations or more after the warm-up.", "and the advice")
    tap.equal(found["step-markers"]["sentence"], "2 iterations are marked by the program.", "the markers are theirs")
    path = loop(2, label="ProfilerStep#{i}").write(scratch("few-steps.json.gz"))
    found = {f["rule"]: f["sentence"] for f in table("findings", path).rows}
    tap.ok(found["few-steps"].startswith("Few steps: 2 steps; they may"), "no server: steps", found["few-steps"])


def keys(tap):
    """A profiler's steps hold two turns each: { and } go from turn to turn."""
    path = in_steps(3).write(scratch("keys.json.gz"))
    for pressed, wanted in (("2}", 11), ("2}}", 12), ("2}}}", 13), ("2}}}{", 12)):
        text = shot(path, pressed, "140x40")
        chosen = [line for line in text.splitlines() if " annotation #" in line]
        tap.ok(chosen and f"_generation_{wanted}({wanted})" in chosen[0], f"{pressed}: the turn with {wanted} requests", text)


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
    for test in (decode, steady, kinds, nested, two_engines, side_stream, unlabelled, marked, small_ranges, without_device, windows, screen, names, pane, lane, pane_beside, pane_real, keys, kinds_beside, attention, floor, arithmetic, layers, two_sorts_of_layers, no_layers,
                 real_layers, held, few, pane_narrow, speculative, unknown_server, no_input_words, recorded, real):
        test(tap)
    tap.done()


main()
