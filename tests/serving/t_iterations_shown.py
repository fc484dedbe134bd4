#!/usr/bin/env python3
"""Iterations of servers on the screen and in reports: their pane, their row in the timeline, and that they are called iterations everywhere."""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..")]
from harness import TRACES, Tap, need_program, scratch, stepscope
from served import Served
from turns import LAYER, loop, rows, shot


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


def keys(tap):
    """A profiler's steps hold two turns each: { and } go from turn to turn."""
    path = in_steps(3).write(scratch("keys.json.gz"))
    for pressed, wanted in (("2}", 11), ("2}}", 12), ("2}}}", 13), ("2}}}{", 12)):
        text = shot(path, pressed, "140x40")
        chosen = [line for line in text.splitlines() if " annotation #" in line]
        tap.ok(chosen and f"_generation_{wanted}({wanted})" in chosen[0], f"{pressed}: the turn with {wanted} requests", text)


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


def main():
    need_program()
    tap = Tap()
    for test in (screen, names, pane, lane, pane_beside, pane_real, keys, pane_narrow):
        test(tap)
    tap.done()


main()
