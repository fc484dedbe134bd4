#!/usr/bin/env python3
"""Every number in every format is the one that `stepscope table` prints: five traces, one of a window; `make numbers` asks all."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import numbers_of
from harness import ROOT, TRACES, Tap, corpus, need_program, table

OWN = ("tests/golden/small/two_steps.json", "tests/traces/resnet/resnet.pt.trace.json.gz")
CORPUS = ("kineto/h100-bert/gaunernst_bert-small-uncased__1016001.json.gz", "xspace/jax-mi300-gemm/tw003.xplane.pb",
          "kineto/vllm-decode-graph/graph_execution.json.gz")


def ask(tap, path, label, *options):
    wrong, seen = numbers_of.check(path, *options)
    tap.ok(not wrong and seen > 500, f"{label}: {seen} numbers are the tables'", f"{len(wrong)} differ\n" + "\n".join(wrong[:12]))


def one_share(tap, path, label):
    """What brief and the findings say of steps is what the bars of steps show."""
    overview = {r["key"]: r["value"] for r in table("overview", path).rows}
    parts = [r for r in table("step_parts", path).rows if r["of"] == "step"]
    told = {r["part"]: (overview.get(r["part"] + "_pct"), r["part_share_pct"]) for r in parts}
    apart = {part: x for part, x in told.items() if x[0] is None or abs(float(x[0]) - x[1]) > 1e-9}
    tap.ok(not apart, f"{label}: {len(parts)} shares of steps are those of the overview", apart)


def main():
    need_program()
    tap = Tap()
    for name in OWN:
        ask(tap, os.path.join(ROOT, name), name)
        one_share(tap, os.path.join(ROOT, name), name)
    ask(tap, os.path.join(ROOT, OWN[0]), "a step", "--step", "last")
    for name in CORPUS if corpus() else ():
        ask(tap, os.path.join(TRACES, name), name)
        one_share(tap, os.path.join(TRACES, name), name)
    tap.done()


main()
