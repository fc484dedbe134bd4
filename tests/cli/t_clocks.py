#!/usr/bin/env python3
"""One axis for all hosts: clocks that differ are moved by collectives or by hand, for tables and timeline alike; what cannot be put on one
axis stays by itself; recordings of several runs, or of one twice, are told apart and said. Jobs of ranks.py, whose true times are known."""
import json
import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden", "scenes"))
import harness
import ranks
from harness import number, scratch, stepscope, table

PLAN = [[("compute", {1: 23, "else": 20}), ("call", "AllReduce", 1, {"items": 1 << 20}), ("compute", 5)]] * 40
WORDS = "do not overlap in time"


def rows(name, *what):
    return [{k: number(v) for k, v in r.items()} for r in table(name, *what).rows]


def ends_apart(folder, *options):
    """By how much the ends of each call differ between its devices, at most; and how long the trace is."""
    ends = {}
    for r in rows("collectives", folder, *options):
        ends.setdefault(r["call"], []).append(r["start_ns"] + r["dur_ns"])
    return max(max(e) - min(e) for e in ends.values())


def span(folder, *options):
    steps = rows("steps", folder, *options)
    return max(r["start_ns"] + r["dur_ns"] for r in steps) - min(r["start_ns"] for r in steps)


def moved(tap):
    true = scratch("true")
    ranks.make(true, 3, PLAN)
    for name, how in (("3 s apart", {"offsets": {1: 3000}}), ("3 s apart, drifting by 20 ppm", {"offsets": {1: 3000}, "drifts": {1: 20}}),
                      ("the first clock behind", {"offsets": {0: -50}})):
        folder = scratch(name.replace(" ", "_"))
        ranks.make(folder, 3, PLAN, **how)
        tap.ok(ends_apart(folder) < 2000, f"{name}: calls end together in the table", ends_apart(folder))
        tap.ok(abs(span(folder) - span(true)) < 100_000, f"{name}: so do steps", (span(folder), span(true)))
        packed = os.path.join(scratch("packed" + name.replace(" ", "_")), "run.stepscope")
        os.makedirs(os.path.dirname(packed), exist_ok=True)
        stepscope("pack", folder, "-o", packed, "--force")
        tap.equal({k: v for k, v in rows("hosts", packed)[1].items() if k.startswith("axis")},
                  {k: v for k, v in rows("hosts", folder)[1].items() if k.startswith("axis")}, f"{name}: a packed one is put on one axis, too")
        shown = harness.play("wait hosts moved\nscreen\nkeys Q\n", folder).screens
        tap.ok(shown and any("by their collectives" in line for line in shown[-1]), f"{name}: the screen says so", shown)


def in_order(tap):
    folder = harness.scratch("twelve")
    ranks.make(folder, 12, PLAN[:2])
    tap.equal([r["rank"] for r in rows("hosts", folder)], list(range(12)), "rank 10 follows rank 9")


def by_hand(tap):
    folder = scratch("by_hand")
    ranks.make(folder, 2, [[("compute", 10), ("host", 2)]] * 4, offsets={1: 40})
    apart = {r["rank"]: r["start_ns"] for r in reversed(rows("steps", folder))}
    both = {r["rank"]: r["start_ns"] for r in reversed(rows("steps", folder, "--shift", "1=-40ms"))}
    tap.equal((apart[1] - apart[0], both[1] - both[0]), (40_000_000, 0), "a clock moved by hand")
    hosts = rows("hosts", folder, "--shift", "1=-40ms")
    tap.equal([(r["axis"], r["axis_shift_ns"]) for r in hosts], [("recorded times", 0), ("by hand", 40_000_000)], "the table tells it")
    tap.equal(rows("steps", folder, "--shift", "0=+40ms")[0]["start_ns"], both[0], "either of the two")
    for wrong in ("1", "1=", "1=3", "x=3ms", "1=3ms,", "1=3msx", "1=--3ms", "1=9999999h"):
        run = stepscope("table", "steps", folder, "--shift", wrong)
        tap.ok("write RANK=+TIME" in run.told(), f"--shift {wrong}: how to write it", run.told())
    tap.ok("rank 7" in stepscope("table", "steps", folder, "--shift", "7=3ms").told(), "a rank that is not there")
    late = scratch("by_hand_and_calls")
    ranks.make(late, 2, PLAN[:8], offsets={1: 3000})
    tap.equal([r["axis"] for r in rows("hosts", late, "--shift", "1=-2s")], ["recorded times", "by hand"], "by hand comes before collectives")
    together = {r["call"]: r for r in rows("collectives", late) if r["rank"] == 0}
    for asked, more_ns in (("1=-3s", 0), ("1=-2990ms", 10_000_000), ("1=-2s", 1_000_000_000)):
        told = rows("hosts", late, "--shift", asked)
        tap.ok(all(abs(r["axis_residual_ns"] - more_ns / 2) < 10_000 for r in told), f"--shift {asked}: what is left is told on that axis", told)
        apart = [r for r in rows("collectives", late, "--shift", asked) if r["rank"] == 0]
        tap.equal([r["call"] for r in apart if abs(r["wait_ns"] - min(together[r["call"]]["wait_ns"] + more_ns, r["dur_ns"])) > 10_000], [],
                  f"--shift {asked}: and who waits, too")


def own_axes(tap):
    folder = scratch("no_wall_clock")
    ranks.make(folder, 2, [[("compute", 10), ("host", 2)]] * 4, begin={1: 700_000})
    hosts = rows("hosts", folder)
    tap.equal([(r["axis"], r["run"]) for r in hosts], [("own axis", 1), ("own axis", 1)], "ranks without a wall clock begin together")
    tap.equal({r["start_ns"] for r in rows("steps", folder) if r["step"].endswith(":0")}, {0}, "at 0")
    shown = harness.play("wait do not fit together\nscreen\nkeys Q\n", folder)
    tap.ok(shown.screens, "the screen says so", shown)
    clock = scratch("wall_clock")
    ranks.make(clock, 2, [[("compute", 10), ("host", 2)]] * 4, begin={1: 700_000}, offsets=1_700_000_000_000)
    run = stepscope("table", "hosts", clock)
    tap.equal([r["run"] for r in rows("hosts", clock)], [1, 2], "with one they are two runs")
    tap.ok(WORDS in run.err and "open one at a time" in run.err, "and it is said what to do", run.err)
    tap.ok(any(r["note"] == "runs_apart" for r in rows("notes", clock)) or "runs_apart" in stepscope("notes", clock).out, "in the notes, too")


def twice(tap):
    folder = scratch("twice")
    ranks.make(os.path.join(folder, "a"), 1, PLAN[:4])
    one = os.path.join(folder, "a", "rank0.json")
    other = os.path.join(folder, "again.json")
    shutil.copy(one, other)
    run = stepscope("table", "hosts", one, other)
    tap.equal([(r["run"], r["repeats_host"]) for r in rows("hosts", one, other)], [(1, None), (1, 1)], "one recording twice")
    shown = [line.split("GPU 0")[1].split("  ")[0] for line in stepscope("table", "devices", one, other).out.splitlines()[1:]]
    tap.equal(shown, ["", " #2"], "and its device is told apart")
    tap.ok("open twice" in run.err and "leave out one of the files" in run.err, "and what to do", run.err)
    tap.equal([(r["run"], r["repeats_host"]) for r in rows("hosts", one)], [(1, None)], "alone it is one run")
    two = scratch("twice_of_two")
    ranks.make(two, 2, [[("compute", {i % 2: 23, "else": 20}), ("call", "AllReduce", 1)] for i in range(6)])
    shutil.copy(os.path.join(two, "rank0.json"), os.path.join(two, "rank0_again.json"))
    tap.equal([(r["rank"], r["matched_calls"]) for r in sorted(rows("replicas", two), key=lambda r: (r["rank"], -r["matched_calls"]))], [(0, 6), (0, 0), (1, 6)],
              "beside another rank one of the two takes part in all of its calls, the other in none")
    doc = json.load(open(one, encoding="ascii"))
    doc["traceEvents"] = doc["traceEvents"][1:]
    json.dump(doc, open(other, "w", encoding="ascii"))
    tap.equal([r["repeats_host"] for r in rows("hosts", one, other)], [None, None], "an event less: another recording")
    doc = json.load(open(one, encoding="ascii"))
    middle = sorted((e for e in doc["traceEvents"] if e["ph"] == "X"), key=lambda e: e["ts"])[3]
    middle["dur"] /= 2
    json.dump(doc, open(other, "w", encoding="ascii"))
    tap.equal([r["repeats_host"] for r in rows("hosts", one, other)], [None, None], "as many events in the same time, but not the same ones")
    spans = os.path.join(harness.TRACES, "kineto", "resnet50-v100-2spans")
    if os.path.isdir(spans):
        tap.equal([(r["run"], r["repeats_host"]) for r in rows("hosts", spans)], [(1, None), (2, None)], "two spans of one worker are two runs")
        tap.equal([r["host"] for r in rows("devices", spans)], ["worker0", "worker0 #2"], "and are told apart")
        brief = stepscope("brief", spans).out
        tap.ok("\nruns        2 runs that do not overlap in time" in brief and "one at a time" in brief, "the brief tells it", brief)
        tap.ok("2 recordings of rank 0 GPU 0" in brief and "2 devices" not in brief, "and speaks of one GPU", brief)
    ranked = os.path.join(harness.TRACES, "kineto", "dlrm-8rank-nccl")
    if os.path.isdir(ranked):
        tap.equal([(r["run"], r["repeats_host"]) for r in rows("hosts", ranked)], [(1, None)] * 8, "eight ranks are one")
        tap.equal(WORDS in stepscope("table", "hosts", ranked).err, False, "of which nothing is said")


def main():
    harness.need_program()
    tap = harness.Tap()
    for check in (moved, in_order, by_hand, own_axes, twice):
        check(tap)
    tap.done()


main()
