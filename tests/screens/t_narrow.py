#!/usr/bin/env python3
"""On 80 columns and 24 rows no sentence is lost: verdicts and messages go on in the next row, what has no room says how to see all
of it, and the page of its own shows names at their whole length."""
import os
import re
import sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import ROOT, TRACES, Tap, need_program, scratch, stepscope, table

RESNET = os.path.join(ROOT, "tests/traces/resnet/resnet.pt.trace.json.gz")
SIZE = "80x24"
LINES = 24  # more than the first screen has


def screen(trace, keys, size=SIZE):
    path = scratch("screen.txt")
    run = stepscope(trace, "--screenshot", path, "--force", "--size", size, "--keys", keys)
    assert run.status == 0, run.err
    with open(path, encoding="utf-8") as f:
        return f.read().rstrip("\n").split("\n")


def words(lines):
    return " ".join(" ".join(lines).split())


def gap(tap):
    said = screen(RESNET, "b")
    text = words(said)
    tap.ok("copy from pinned memory with non_blocking=True." in text, "a gap: its advice stands there to the last word", "\n".join(said))
    tap.ok("Enter more" in text, "a gap: what has no room below is a key away", "\n".join(said))
    page = words(screen(RESNET, "b Enter", "80x40")[1:])
    row = table("gaps", RESNET, "--sort", "-dur_ns", "--top", "1").rows[0]
    tap.ok("".join(row["main_event"].split()) in page.replace(" ", "") and "…" not in page, "a gap's page has whole names", page)
    tap.ok("Enter more" not in words(screen(RESNET, "b", "160x60")), "a gap: where all of it has room nothing is a key away")


def step(tap):
    page = words(screen(RESNET, "2 } Enter"))
    tap.ok("step time" in page and "[Step]" in page, "Enter shows all of a step, too", page)


def idle(tap):
    """Two figures speak of launches: the part of the step, and a share of the idle time; the panel says which is of what."""
    said = words(screen(RESNET, "3"))
    told = said.partition("device idle ")[2].partition(" gap before")[0]
    shares = [float(x) for x in re.findall(r"\(([\d.]+) *%\)", told)]
    tap.ok(" % of the step: " in told and len(shares) > 2 and shares == sorted(shares, reverse=True), "idle time of a step: the longest cause first", told)
    tap.ok("This is not the division above" in words(screen(RESNET, "3 f", "120x60")), "and the formulas tell launch latency from kernel launch")


def overview(tap):
    cut = [line for line in (screen(RESNET, " ".join(["1"] + ["j"] * i))[-2] for i in range(LINES)) if "…" in line]
    tap.ok(not cut, "overview: what a line means is never cut", cut)
    first = screen(RESNET, "1")
    tap.ok("in full: 9" in words(first), "overview: findings that are cut say where they stand in full", "\n".join(first))


def verdicts(tap, name):
    """The verdict ends where it would end on a wide screen, or names less of what comes next; it is never cut."""
    path = os.path.join(TRACES, name)
    lines = screen(path, "1")[1:4]
    tap.ok("…" not in lines[0], f"{name}: the verdict is not cut", "\n".join(lines))
    title = screen(path, "3")[1:3]
    tap.ok("…" not in title[0], f"{name}: the line above the steps is not cut", "\n".join(title))
    pane = screen(path, "6")[1]
    tap.ok("…" not in pane, f"{name}: the line above input is not cut", pane)


def messages(tap):
    long = "a" * 120
    said = screen(RESNET, f":table Space {long} Enter")
    tap.ok(words(said).replace(" ", "").count(long) == 1 and "Tab after :table lists them" in words(said),
           "a message takes as many rows as it needs", "\n".join(said))


def main():
    need_program()
    tap = Tap()
    gap(tap)
    step(tap)
    idle(tap)
    overview(tap)
    messages(tap)
    if os.path.isdir(TRACES):
        for name in ("nsys/h100-train-2gpu-before/mfu_2gpu_before.sqlite", "kineto/sglang-decode/sglang_Qwen3-8B_decode.json.gz",
                     "xspace/jax-mi300-attention/tw003.xplane.pb", "xspace/tf-v100-multi-worker/34.83.195.179_6003.xplane.pb"):
            verdicts(tap, name)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
