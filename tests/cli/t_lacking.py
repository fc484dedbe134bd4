#!/usr/bin/env python3
"""Findings about a window say what the window lacks, not the trace: on every real trace, in a window before the first device work and in one
inside the biggest gap, no finding misses in the trace what it holds, no share is larger than the whole, and the report's title says why."""
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import TRACES, Tap, corpus, need_program, number, skip_all, stepscope, table

MISSING = re.compile(r"is recorded|was recorded|the trace has no|there are no|no steps")
NAMES = ("kineto/resnet50-v100-2spans", "kineto/param-resnet", "kineto/h100-owlv2", "kineto/mi300-flux-big", "xspace/jax-mi300-attention")


def lacks(tap, name, path, a_ns, b_ns):
    window = f"{a_ns}ns..{b_ns}ns"
    rows = table("findings", path, "--window", window).rows
    unknown = [r for r in rows if r["severity"] == "unknown"]
    blamed = [r["sentence"] for r in unknown if MISSING.search(r["sentence"].split(": ", 1)[-1])]
    tap.ok(not blamed, f"{name} {window}: what is missing is missing in the window", blamed)
    bad = [r["sentence"] for r in rows if any(float(p) > 100 for p in re.findall(r"([\d.]+) %", r["sentence"]))]
    tap.ok(not bad, f"{name} {window}: no share is larger than the whole", bad)
    return unknown, stepscope("report", path, "--window", window, "--format", "json")


def check(tap, name, path):
    first = min(number(r["start_ns"]) for r in table("events", path, "--filter", "kind=kernel", "--sort", "start_ns", "--top", "1").rows)
    biggest = table("gaps", path, "--sort", "-dur_ns", "--top", "1").rows[0]
    if first > 3000:
        unknown, report = lacks(tap, name, path, first // 3, first // 3 + max(first // 3, 1000) - 1)
        said = json.loads(report.out)["verdict"]
        tap.ok("first work on" in said or "gap" in said, f"{name}: the title of a window before the work", said)
    a, length = number(biggest["start_ns"]), number(biggest["dur_ns"])
    _, report = lacks(tap, name, path, a + length // 4, a + length // 2)
    said = json.loads(report.out)["verdict"]
    word = "cannot tell" if biggest["cause"] in (None, "unknown") else biggest["cause"]
    tap.ok(word in said, f"{name}: the title of a window inside the biggest gap names the cause", f"{word} is not in {said}")


def main():
    need_program()
    tap = Tap()
    paths = [n for n in corpus() if n.startswith(NAMES) and "3566756" not in n]
    if not paths:
        skip_all("no corpus of traces")
    for name in paths:
        check(tap, "/".join(name.split("/")[:2]), os.path.join(TRACES, name))
    busy = {r["rule"]: r["sentence"] for r in table("findings", os.path.join(TRACES, paths[0]), "--window", "0..1us").rows}["device-busy"]
    tap.ok(busy.endswith("no device work between 0 ns and 1.000 us."), "the window is named", busy)
    refused = stepscope("table", "ops", os.path.join(TRACES, paths[0]), "--window", "700..800ms")
    tap.ok(refused.status == 2 and "needs its unit" in refused.err, "a time without its unit is refused", refused.told())
    tap.done()


main()
