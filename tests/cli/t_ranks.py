#!/usr/bin/env python3
"""Ranks are no steps: eight ranks that each recorded step 10 are one step on eight ranks, in the text, the tables, the report, the findings
and on the screen."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import TRACES, Tap, need_program, number, play, skip_all, spelling, stepscope, table

RANKS = os.path.join(TRACES, "kineto/dlrm-8rank-nccl")
WORDS = "1 step on each of 8 ranks"


def main():
    need_program()
    if not os.path.isdir(RANKS):
        skip_all("no corpus of traces")
    tap = Tap()
    lengths = [number(r["dur_ns"]) for r in table("steps", RANKS).rows]
    mean = sum(lengths) / len(lengths)
    for name in ("overview", "trace", "input"):
        facts = table(name, RANKS).keyed()
        tap.equal(number(facts["steps"]), 1, f"table {name}: one step")
    facts = table("overview", RANKS).keyed()
    tap.equal((len(lengths), number(facts["step_ranks"]), facts["step_sd_ns"]), (8, 8, None), "on eight ranks, and one step does not vary")
    tap.equal((facts["step_mean_ns"], number(table("input", RANKS).keyed()["step_mean_ns"])), (mean, mean), "its length is the mean of the ranks")
    tap.ok(f"{WORDS}, mean {spelling(round(mean))} ({spelling(min(lengths))} to {spelling(max(lengths))})" in stepscope(RANKS).out, "the text")
    tap.ok(f"over {WORDS}" in stepscope("report", RANKS, "--format", "text").out, "the report")
    said = {r["rule"]: r for r in table("findings", RANKS).rows}
    tap.ok(said["step-markers"]["sentence"].startswith(WORDS), "the findings", said["step-markers"])
    tap.ok("step-phases" not in said, "one step tells nothing about steady ones", said.get("step-phases"))
    screen = play("wait 1 Over\nsettle\nkeys 3\nwait ranks\nsettle\nscreen\nkeys Q\n", RANKS).screens[-1]
    tap.ok(any(WORDS in line for line in screen), "the pane of steps", "\n".join(screen))
    one = table("overview", os.path.join(RANKS, sorted(os.listdir(RANKS))[0])).keyed()
    tap.equal((number(one["steps"]), number(one["step_ranks"])), (1, 1), "one rank alone: one step on one rank")
    tap.done()


main()
